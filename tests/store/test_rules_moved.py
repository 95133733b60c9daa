"""Two requirements that met under one id: one may move, with all that protects it."""

from dataclasses import replace

import pytest

from git_intent.store.requirement import Status
from git_intent.store.rules import Actor, judge
from tests.support.snapshots import T1, disabled, requirement, store, superseded

KEPT = requirement("req-0001", statement="What main says.")
OTHER = requirement("req-0001", statement="What the branch says.", created=T1)
MOVED = replace(OTHER, id="req-0007")
PARENTS = [store(KEPT), store(OTHER)]


def codes(parents, *result, actor=Actor.AGENT):
    return [found.code for found in judge(parents, store(*result), actor)]


@pytest.mark.parametrize("actor", Actor)
def test_n009_one_that_met_another_may_move(actor):
    assert codes(PARENTS, KEPT, MOVED, actor=actor) == []
    assert codes(PARENTS[::-1], KEPT, MOVED, actor=actor) == []


@pytest.mark.parametrize("actor", Actor)
@pytest.mark.parametrize(
    "change",
    [
        {"status": Status.DISABLED},
        {"status": Status.SUPERSEDED, "superseded_by": "req-0009"},
        {"user_edited": True},
    ],
)
def test_n009_what_protects_it_goes_with_it(actor, change):
    nine = requirement("req-0009")
    parents = [store(KEPT, nine), store(replace(OTHER, **change), nine)]
    assert codes(parents, KEPT, replace(MOVED, **change), nine, actor=actor) == []
    if "superseded_by" in change or actor is Actor.AGENT:
        assert codes(parents, KEPT, MOVED, nine, actor=actor) != []


def test_without_a_new_place_the_protection_counts_for_the_one_that_stays():
    parents = [store(KEPT), store(replace(OTHER, status=Status.DISABLED))]
    assert codes(parents, KEPT) == ["I103"]
    ended = superseded("req-0001", "req-0009", statement=OTHER.statement)
    parents = [store(KEPT), store(ended, requirement("req-0009"))]
    assert codes(parents, KEPT, requirement("req-0009")) == ["I102"]


def test_nothing_moves_in_a_commit_of_one_parent():
    off = disabled("req-0001")
    moved = replace(off, id="req-0007")
    new = requirement("req-0001", statement="Other words.")
    assert "I103" in codes([store(off)], new, moved)


def test_the_id_keeps_the_words_of_a_parent():
    third = replace(KEPT, statement="What nobody said.")
    parents = [store(KEPT), store(replace(OTHER, status=Status.DISABLED))]
    moved = replace(MOVED, status=Status.DISABLED)
    assert "I103" in codes(parents, third, moved)


def test_n009_links_follow_what_moved_be_it_new_or_known():
    nine = requirement("req-0009")
    ended = superseded("req-0009", "req-0001")
    parents = [store(KEPT, nine), store(OTHER, ended)]
    followed = replace(ended, superseded_by="req-0007")
    assert codes(parents, KEPT, MOVED, followed) == []
    parents[0] |= store(MOVED)
    assert codes(parents, KEPT, MOVED, followed) == []
    elsewhere = [requirement("req-0008"), replace(ended, superseded_by="req-0008")]
    assert codes(parents, KEPT, MOVED, *elsewhere) == ["I102"]
