"""Pairs over the whole store: what says the same, and what asks for the opposite."""

from dataclasses import replace

import pytest

from git_intent.scan.kinship import Kinship, pairs
from git_intent.store.requirement import (
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)

ALIKE = 0.95
CLOSE = 0.7


def requirement(number, statement, **more):
    made = Requirement(
        id=f"req-{number:04x}",
        statement=statement,
        provenance=Provenance(Kind.USER),
    )
    return replace(made, **more)


def found(first, second, score=CLOSE, **more):
    both = (requirement(1, first), requirement(2, second, **more))
    store = {r.id: r for r in both}
    return pairs(store, [("req-0002", "req-0001", score)])


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("Use tabs.", "Never use tabs.", "forbids"),
        ("Use tabs for indentation.", "Never use tabs for indentation.", "forbids"),
        ("Always squash commits.", "Do not squash commits.", "forbids"),
        (
            "A line has at most 80 characters.",
            "Lines have at most 100 characters.",
            "80",
        ),
        ("Make fields private.", "Make fields public.", "“private” here"),
        ("Use tabs for indentation.", "Use spaces for indentation.", "“tabs” here"),
        ("Use snake_case for names.", "Use camelCase for names.", "“camelCase” there"),
        ("Use pytest for unit tests.", "Use unittest for unit tests.", "“pytest”"),
        ("Prefer joins over loops.", "Prefer loops over joins.", "other way round"),
        ("Merge before the review.", "Review before the merge.", ""),
    ],
)
def test_what_cannot_both_be_followed_contradicts(first, second, why):
    kin = found(first, second)
    if not why:  # too little to go by, or a matter of order that no word tells
        assert not kin
        return
    (pair,) = kin
    assert (pair.first, pair.second) == ("req-0001", "req-0002")
    assert pair.kinship is Kinship.CONTRADICTION
    assert why in pair.why


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Run the tests before you push.", "Run the linter before you push."),
        ("Use ruff for linting.", "Use mypy for type checking."),
        ("Never commit secrets.", "Never commit generated files."),
        ("Use tabs in Go files.", "Use spaces in Python files."),
        ("Never push to main.", "Push to main only after a review."),
        ("Keep lines under 80 characters.", "Keep functions under 40 lines."),
        ("Tests live in tests.", "Tests must not open a connection."),
        ("Use pytest for tests.", "Use pytest for docs."),
    ],
)
def test_what_can_both_be_followed_is_no_pair(first, second):
    assert not found(first, second, CLOSE)


def test_the_same_in_other_words_is_a_duplicate_whatever_the_model_says():
    first = "Every pull request needs a review by two people."
    second = "Each PR must be reviewed by two people."
    store = {r.id: r for r in (requirement(1, first), requirement(2, second))}
    (pair,) = pairs(store, [])
    assert pair.kinship is Kinship.DUPLICATE


def test_nearly_the_same_is_a_duplicate_if_a_model_says_so():
    first = "Write the subject of a commit in the imperative mood."
    second = "Write commit subjects in the imperative."
    assert not found(first, second, CLOSE)
    (pair,) = found(first, second, ALIKE)
    assert pair.kinship is Kinship.DUPLICATE


def test_other_numbers_or_names_make_no_duplicate():
    assert not found("Support Python 3.11.", "Support Node 20.", ALIKE)
    assert not found("Run `make lint`.", "Run `make test`.", ALIKE)


@pytest.mark.parametrize("status", [Status.DISABLED, Status.SUPERSEDED])
def test_only_active_requirements_make_a_pair(status):
    assert not found("Use tabs here.", "Never use tabs here.", status=status)


def test_scopes_that_do_not_overlap_make_no_pair():
    go = Scope(Level.DOMAIN, ("go",))
    web = Scope(Level.DOMAIN, ("web",))
    first = requirement(1, "Use tabs for indentation.", scope=go)
    second = requirement(2, "Never use tabs for indentation.", scope=web)
    store = {r.id: r for r in (first, second)}
    assert not pairs(store, [("req-0001", "req-0002", ALIKE)])
    third = replace(second, scope=Scope())
    assert pairs({**store, second.id: third}, [("req-0001", "req-0002", ALIKE)])


def test_contradictions_come_first_and_each_pair_once():
    texts = ["Use tabs here now.", "Never use tabs here now.", "Now use tabs here."]
    store = {r.id: r for r in (requirement(n, t) for n, t in enumerate(texts))}
    near = [(a, b, ALIKE) for a in store for b in store if a != b]
    kinds = [pair.kinship for pair in pairs(store, near)]
    assert kinds == [Kinship.CONTRADICTION] * 2 + [Kinship.DUPLICATE]
