"""Ids: derived from the statement, free, never an endless search."""

import pytest

from git_intent.errors import IntentError
from git_intent.store.ids import ID, new_id, wanted_ids


def test_n008_the_same_statement_gets_the_same_id_in_every_clone():
    one = new_id("Never ship on Friday.", set())
    assert one == new_id("never ship on **friday**", frozenset())
    assert ID.fullmatch(one)
    assert one != new_id("Never ship on Monday.", set())


def test_n010_a_taken_id_gives_way_to_the_next_the_statement_asks_for():
    statement = "Never ship on Friday."
    taken: set[str] = set()
    for wanted in list(dict.fromkeys(wanted_ids(statement)))[:40]:
        assert new_id(statement, taken) == wanted
        assert new_id(statement, taken.__contains__) == wanted
        taken.add(wanted)


def test_n010_the_last_free_id_is_found():
    every = {f"req-{number:04x}" for number in range(0x10000)}
    assert new_id("Anything.", every - {"req-beef"}) == "req-beef"


def test_n010_a_full_space_is_an_error_and_no_loop():
    with pytest.raises(IntentError, match="all 65,536 requirement ids are taken"):
        new_id("Anything.", lambda wanted: True)


@pytest.mark.parametrize(
    "text", ["req-A3F8", "req-a3f", "req-a3f80", "a3f8", "req-a3g8"]
)
def test_n005_what_is_no_id(text):
    assert not ID.fullmatch(text)
