"""Equality of statements."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.store.wording import normalise


@pytest.mark.parametrize(
    "text",
    [
        "Never ship on Friday.",
        "never  ship\non friday",
        "- Never ship on **Friday**!",
        "> *Never* ship on `Friday` …",
        "## Never ship [on Friday](https://example.invalid)",
        "3. __Never ship__ on Friday:",
        "NEVER SHIP ON FRIDAY",
    ],
)
def test_the_same_words_are_the_same_statement(text):
    assert normalise(text) == "never ship on friday"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs.", "Use spaces."),
        ("Never commit *.pyc", "Never commit pyc"),
        ("Call snake_case_names", "Call snake case names"),
        ("Use C", "Use C++"),
        ("2 * 3 * 4", "2 3 4"),
    ],
)
def test_other_words_are_another_statement(one, other):
    assert normalise(one) != normalise(other)


def test_straight_and_curly_quotes_are_equal():
    assert normalise("Don’t say “yes”") == normalise('Don\'t say "yes"')


def test_composed_and_decomposed_letters_are_equal():
    assert normalise("Nai\u0308ve") == normalise("Na\u00efve")


@pytest.mark.parametrize("mark", ["> ", "- ", "**a ", "[", "`", "_a ", "1. ", "*a* "])
def test_hostile_repetition_is_no_harder_than_long_text(mark):
    normalise(mark * 100_000 + "x")


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(st.text(max_size=40) | st.text("*_`[]()# ab.\n", max_size=20))
def test_normalising_twice_changes_nothing(text):
    once = normalise(text)
    assert normalise(once) == once
    assert bool(once) == bool(text.strip())
