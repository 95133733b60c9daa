"""Rewordings: what is one rule in other words, and what never is."""

import pytest

from git_intent.scan.sameness import Likeness, Lookup, likeness, shape

SAME = [
    ("Never push to main.", "Do not push to main"),
    ("Never bump the major version.", "Never bump major version"),
    ("Run the tests before each commit.", "Always run the tests before each commit"),
    ("Use `ruff` for formatting.", "Use ruff for formatting."),
    ("You must sign every release.", "Sign every release."),
    ("Delete merged branches.", "Remove merged branches."),
    ("Open a pull request for every change.", "Open a PR for every change."),
    ("Keep documentation current.", "Keep the docs current."),
]

DIFFERENT = [
    ("Use tabs for indentation.", "Use spaces for indentation."),
    ("Push to main.", "Never push to main."),
    ("Lines have at most 80 columns.", "Lines have at most 100 columns."),
    ("You must write tests.", "You should write tests."),
    ("You should write tests.", "You may write tests."),
    ("Use `foo_bar` here.", "Use `foo_baz` here."),
    ("Set `--fast`.", "Set `--slow`."),
    ("Log before raising.", "Log after raising."),
    ("Migrate from Python to Rust.", "Migrate from Rust to Python."),
    ("Test before release.", "Release before test."),
    ("Deploy on Fridays only.", "Deploy on Fridays."),
    ("Deploy unless it is Friday.", "Deploy when it is Friday."),
    ("Use tabs and spaces.", "Use tabs or spaces."),
    ("Verwende Tabs.", "Verwende nicht Tabs."),
    ("Use tabs for indentation in Go files.", "Use tabs for indentation in files."),
    ("Run the tests on Windows.", "Run the tests."),
    ("", "Use tabs."),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_same_rule_in_other_words_is_recognised(a, b):
    assert likeness(shape(a), shape(b)) == Likeness.SAME
    assert likeness(shape(b), shape(a)) == Likeness.SAME


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_negation_numbers_modality_and_identifiers_are_never_ignored(a, b):
    assert likeness(shape(a), shape(b)) == Likeness.DIFFERENT
    assert likeness(shape(b), shape(a)) == Likeness.DIFFERENT


def test_an_adverb_on_one_side_is_for_the_similarity_to_decide():
    a, b = "Never push directly to main.", "Never push to main."
    assert likeness(shape(a), shape(b)) == Likeness.CLOSE
    assert Lookup([b], lambda x, y: [0.96] * len(y)).find(a) == [b]
    assert Lookup([b], lambda x, y: [0.90] * len(y)).find(a) == []


def test_the_similarity_is_not_asked_about_what_words_decide():
    def fail(a, b):
        raise AssertionError("asked")

    lookup = Lookup(["Use spaces for indentation.", "Do not push to main."], fail)
    assert lookup.find("Use tabs for indentation.") == []
    assert lookup.find("Never push to main.") == ["Do not push to main."]
