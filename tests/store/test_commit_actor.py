"""Who made a commit, judged by its message and its author."""

import pytest

from git_intent.store.commit_actor import maker
from git_intent.store.rules import Actor

ADA = ("Ada", "ada@example.invalid")
SCAN = "intent scan: created 1\n\nIntent-Scan: 20260913T100000Z-0001-abcd\n"
ROBOT = (
    "x\n\nwhy\n\nCo-authored-by: Robo Agent <robot@example.invalid>\nSigned-off-by: A"
)


@pytest.mark.parametrize(
    ("message", "author", "patterns", "wanted"),
    [
        ("fix", ADA, (), Actor.PERSON),
        (SCAN, ADA, (), Actor.AGENT),
        (SCAN.replace("Intent-Scan", "INTENT-SCAN"), ADA, (), Actor.AGENT),
        ("Intent-Scan: r", ADA, (), Actor.PERSON),
        ("x\n\nIntent-Scan: r\n\nthe end", ADA, (), Actor.PERSON),
        (ROBOT, ADA, ("robot@*",), Actor.AGENT),
        (ROBOT, ADA, ("robo agent",), Actor.AGENT),
        (ROBOT, ADA, ("Robo Agent <*>",), Actor.AGENT),
        (ROBOT, ADA, ("robot",), Actor.PERSON),
        (ROBOT, ADA, (), Actor.PERSON),
        ("x\n\nCo-authored-by: nobody", ADA, ("nobody",), Actor.AGENT),
        ("fix", ("deploy[bot]", "b@x"), ("*[bot]",), Actor.AGENT),
        ("fix", ADA, ("*@EXAMPLE.invalid",), Actor.AGENT),
    ],
)
def test_a_commit_has_an_actor_and_a_reason(message, author, patterns, wanted):
    found = maker(message, *author, patterns)
    assert found.actor is wanted
    assert found.reason


def test_the_run_of_a_scan_is_known():
    assert maker(SCAN, *ADA, ()).run == "20260913T100000Z-0001-abcd"
    assert maker(ROBOT, *ADA, ("robot@*",)).run == ""
