"""tests/ACCEPTANCE.md says the truth about which row has which test."""

from tools import acceptance

PAGE = acceptance.TABLE.read_text(encoding="utf-8")
ROWS = acceptance.read(PAGE)


def test_every_row_stands_once():
    wanted = [f"N{n:02}" for n in range(1, 183)] + [f"L{n:02}" for n in range(1, 143)]
    assert [row.id for row in ROWS] == wanted


def test_the_tests_column_is_current():
    rows = acceptance.filled(ROWS, acceptance.rows_with_tests())
    assert acceptance.render(PAGE, rows) == PAGE, "run python tools/acceptance.py"


def test_a_state_matches_its_tests():
    for row in acceptance.filled(ROWS, acceptance.rows_with_tests()):
        kind, _, what = row.state.partition(":")
        assert kind in ("tested", "partly", "waits"), row
        assert what.strip() or kind == "tested", row
        assert row.tests or kind == "waits", row


def test_no_test_names_an_unknown_row():
    assert set(acceptance.rows_with_tests()) <= {row.id for row in ROWS}
