"""Phrases that tell a lasting rule of a commit or prompt from the task at hand."""

import pytest

from git_intent.scan.cues import bare, cues


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("from now on every page has a title", "from-now"),
        ("We've agreed to keep component names plural.", "agreed"),
        ("Convention: branches begin with a number", "norm"),
        ("no floats for money, no exceptions", "absolute"),
        ("Drop support for Python 3.9", "drop-support"),
        ("Require Swift 5.5", "require"),
        ("ban imports of the core in adapters", "ban"),
        ("don't use assert in production code", "do-not"),
        ("do not touch the migrations in this PR", "task"),
        ("no refactoring today", "for-now"),
        ("should we pin the versions?", "doubt"),
    ],
)
def test_a_phrase_is_found(text, cue):
    assert cue in cues(text)


@pytest.mark.parametrize(
    "text", ["Do not crash on an empty file", "Never fail when the pool is closed"]
)
def test_an_order_to_the_program_is_no_order_to_people(text):
    assert "do-not" not in cues(text)


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("chore(server): ban imports (#5310)", "ban imports"),
        ("[core] feat!: require Go 1.17, refs #517", "require Go 1.17"),
        ("Use tabs", "Use tabs"),
    ],
)
def test_the_prefix_and_the_ticket_of_a_subject_say_nothing(subject, said):
    assert bare(subject) == said
