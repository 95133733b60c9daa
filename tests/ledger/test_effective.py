"""Which prompts say something."""

import pytest

from git_intent.ledger.effective import is_effective, own_spans


@pytest.mark.parametrize(
    ("data", "skip", "effective"),
    [
        (b"", [], False),
        (b" \t\r\n\v\f", [], False),
        (b"x", [], True),
        (b"/clear", [], True),
        ("\u00a0".encode(), [], True),
        (b"\0", [], True),
        (b"<ours>", [[0, 6]], False),
        (b"\n<ours>\n\n<ours>\n", [[1, 7], [9, 15]], False),
        (b"<ours>\n\nDo it.", [[0, 6]], True),
        (b"Do <ours>", [[3, 9]], True),
        (b"<ours>x<ours>", [[0, 6], [7, 13]], True),
    ],
)
def test_l017_blank_or_only_ours_says_nothing(data, skip, effective):
    assert is_effective(data, skip) is effective


@pytest.mark.parametrize(
    ("spans", "size", "recorded"),
    [
        ([], 9, []),
        ([(4, 6), (0, 2)], 9, [[0, 2], [4, 6]]),
        ([(0, 4), (2, 6), (6, 7)], 9, [[0, 7]]),
        ([(-3, 2), (8, 20), (5, 5), (30, 40)], 9, [[0, 2], [8, 9]]),
    ],
)
def test_spans_are_recorded_in_order_and_apart(spans, size, recorded):
    assert own_spans(spans, size) == recorded
