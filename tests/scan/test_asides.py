"""What rules nothing is told from a rule in nearly the same words."""

import pytest

from git_intent.scan.artifacts import Source
from git_intent.scan.asides import is_aside
from git_intent.scan.builtin import Extractor
from git_intent.scan.classify import Classifier
from git_intent.store.requirement import Kind
from tests.scan.test_builtin import NOW


@pytest.mark.parametrize(
    "text",
    [
        "This style guide outlines the conventions of our code.",
        "Follow these guidelines when writing one:",
        "If you write a driver, please follow these rules.",
        "The reason is that readers skim.",
        "This is why tests run twice.",
        "Please feel free to add what is missing.",
        "Fork the repository on the server.",
        "Make your change(s).",
        "Make the desired changes to the code base.",
        "Push the branch up (`git push origin x`).",
        "Push changes in a topic branch to your fork.",
        "Create a new branch for your feature or bugfix.",
        '"What do you think of this name?"',
        "*“It is green.”*",
        "Be humble.",
    ],
)
def test_what_rules_nothing(text):
    assert is_aside(text)


@pytest.mark.parametrize(
    "text",
    [
        "This file contains only generated code.",
        "This page lists what must never be logged.",
        "The guide is updated with every release.",
        "Use this checklist before you merge. It must be complete.",
        "See to it that every file has a header.",
        "The reason must stand in the commit's body.",
        "Fork the process before you drop privileges, never after.",
        "Make changes to the schema backward compatible.",
        "Make your change small.",
        "Push to a topic branch, never to main.",
        "Create a branch from `develop`.",
        'Say "sign in", not "log in".',
        "Follow these conventions: tabs, no trailing blanks.",
        "Follow this process unless a release is due.",
        "Feel free to rename it, but ask first.",
        '"Never push on a Friday."',
        "Avoid abbreviations.",
        "Don't rebase.",
        "Don't use globals.",
        "Be kind to newcomers.",
    ],
)
def test_a_rule_in_nearly_the_same_words(text):
    assert not is_aside(text)


def test_a_reason_with_strong_words_belongs_to_the_rule_before_it():
    text = (
        "# Rules\n\nNever edit a migration that is on main. "
        "The reason is that it has been run on all servers.\n"
    )
    extractor = Extractor(Classifier.load(), (), NOW)
    source = Source(Kind.DOC, "AGENTS.md", text, "AGENTS.md")
    (found,) = extractor.read(source).candidates
    assert found.statement == "Never edit a migration that is on main."
    assert found.rationale == "It has been run on all servers."
