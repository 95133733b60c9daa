"""One calibrated score: what it finds, where it abstains, and that it is the same."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.off_topic import TASKS
from git_intent.embed.backends import resolve
from git_intent.embed.relevance import (
    FLOOR,
    STRICT,
    by_meaning,
    by_words,
    embedded,
    prepare,
)

THINGS = (
    "the session token",
    "a database migration",
    "the public API",
    "user input",
    "the build script",
    "an error message",
    "the payment service",
    "the command line parser",
    "feature flags",
    "background jobs",
    "the search index",
    "the release notes",
    "HTTP timeouts",
    "unit tests",
    "the login form",
    "log levels",
    "environment variables",
    "the file format",
    "retry loops",
    "third-party dependencies",
    "the deployment",
    "date and time handling",
    "upload limits",
    "access rights",
    "the plugin loader",
    "the mobile client",
    "monitoring alerts",
    "branch names",
    "thread pools",
    "memory limits",
    "the import job",
    "GraphQL queries",
    "the admin console",
    "the audit trail",
    "password resets",
    "webhooks",
    "the scheduler",
    "serialisation",
    "keyboard shortcuts",
    "continuous integration",
    "database indexes",
    "the style sheet",
    "string formatting",
    "file permissions",
    "container images",
    "the public documentation",
    "test fixtures",
    "code review",
    "the configuration file",
    "compiler warnings",
)
RULES = (
    "Never log {}.",
    "Always test {} before a release.",
    "Keep {} in its own module.",
    "Document every change of {}.",
    "Ask before {} is changed.",
    "Do not cache {} for more than a minute.",
    "Validate {} at the border of the service.",
    "Prefer small functions where {} is concerned.",
    "Name an owner of {} in the code.",
    "Measure {} before and after a change.",
)
MIGRATIONS = [
    f"Rule {number}: a database migration {rule}."
    for number, rule in enumerate(
        (
            "is never renamed",
            "is never edited once it is committed",
            "has a way back",
            "drops no column that is still read",
            "runs in a transaction",
            "is tested on a copy of the data",
            "is reviewed by two people",
            "locks no table for long",
            "is written in plain SQL",
            "has a number, no date",
            "says why in a comment",
            "creates no index without CONCURRENTLY",
        )
    )
]
UNLIKE = [
    "Use tabs in Go files.",
    "The logo keeps its clear space.",
    "Never force-push to main.",
    "Write documentation in British English.",
]


class Item:
    def __init__(self, number, *texts, domains=("general",)):
        self.id, self.texts, self.domains = f"req-{number:04x}", texts, domains


def items(*statements):
    return [Item(number, statement) for number, statement in enumerate(statements)]


def scores(requirements, task, strict=False):
    backend = resolve(requirements, None, "", strict, {})
    assert backend.warning == ""
    return {id_: found.score for id_, found in backend.score(task).items()}


def chosen(requirements, task):
    return [id_ for id_, score in scores(requirements, task).items() if score >= FLOOR]


@pytest.fixture(scope="module")
def many():
    found = [(rule, thing) for thing in THINGS for rule in RULES]
    assert len(found) == 500
    requirements = [
        Item(number, rule.format(thing), domains=(f"area-{number % 12}",))
        for number, (rule, thing) in enumerate(found)
    ]
    return resolve(requirements, None, "", False, {})


@pytest.mark.parametrize("start", [0, 20, 40])
def test_n120_twenty_off_topic_tasks_select_ten_lines_at_most(many, start):
    found = [
        score.score
        for task in TASKS[start : start + 20]
        for score in many.score(task).values()
    ]
    assert sum(score >= FLOOR for score in found) <= 10
    assert not [score for score in found if score >= STRICT]


def test_a_big_store_still_answers_tasks_it_has_rules_for(many):
    for task, thing in (
        ("Make the login page remember the user's e-mail.", "the login form"),
        ("Users wait too long for their password reset mails.", "password resets"),
    ):
        found = many.score(task)
        best = max(found, key=lambda id_: found[id_].score)
        place = int(best.removeprefix("req-"), 16)
        assert found[best].score >= FLOOR
        assert THINGS[place // len(RULES)] == thing


@pytest.mark.parametrize("strict", [False, True])
def test_n120_an_empty_task_selects_nothing(strict):
    for task in ("", " \n", "\u2603"):
        assert set(scores(items(*MIGRATIONS), task, strict).values()) == {0.0}


def test_n119_a_task_without_a_shared_word_finds_what_means_the_same():
    store = [*UNLIKE, "Passwords must never show up in log output."]
    assert chosen(items(*store), "Print the user's credentials while debugging") == [
        "req-0004"
    ]


def test_n121_a_task_that_is_a_hint_selects_the_requirement():
    hint = "is it ok to bump the major version"
    requirement = Item(9, "Releases are batched by the maintainer.", hint, "semver")
    store = [*items(*UNLIKE), requirement]
    found = scores(store, hint)
    assert max(found, key=found.get) == "req-0009"
    assert found["req-0009"] >= FLOOR


def test_n122_all_twelve_above_the_floor_are_selected():
    task = "Write a database migration that adds a column"
    assert len(chosen(items(*MIGRATIONS), task)) == 12
    assert len(chosen(items(*MIGRATIONS, *UNLIKE), task)) == 12


def test_a_store_of_one_is_judged_as_well():
    one = items("Never rename a database migration.")
    assert chosen(one, "Rename the migration of the users table") == ["req-0000"]
    assert chosen(one, "Bake a cake for the summer party") == []


def test_a_name_is_found_where_meaning_does_not_help():
    store = items(*UNLIKE, "Route calls through zqx_dispatch.")
    with_name = scores(store, "Why is zqxDispatch slow in the morning?")
    without = scores(store, "Why is it slow in the morning?")
    assert max(with_name, key=with_name.get) == "req-0004"
    assert with_name["req-0004"] >= FLOOR > without["req-0004"]


def test_the_domain_is_part_of_what_is_compared():
    texts = embedded([Item(1, "Two approvals.", "hint", domains=("code-review", "ci"))])
    assert texts == {"req-0001": ["code review, ci: Two approvals.", "hint"]}
    assert embedded([Item(1, "Two.", domains=())]) == {"req-0001": ["Two."]}
    assert embedded([Item(1)]) == {"req-0001": []}


def test_rules_of_one_domain_lift_each_other():
    cosines, shares = [0.4, 0.2, 0.4, 0.2], [0.0] * 4
    store = [
        Item(0, "a", domains=("x",)),
        Item(1, "b", domains=("x",)),
        Item(2, "c", domains=("y",)),
        Item(3, "d", domains=("z",)),
    ]
    found = by_meaning(cosines, shares, prepare(store), 0.27)
    assert found[1] > found[3]
    assert found[2] > found[0]


def test_the_score_rises_with_cosine_and_words():
    store = prepare(items("a", "b", "c"))
    low = by_meaning([0.3, 0.1, 0.1], [0.0, 0.0, 0.0], store, 0.27)
    words = by_meaning([0.3, 0.1, 0.1], [0.3, 0.0, 0.0], store, 0.27)
    assert low[0] < words[0]
    assert low[0] > low[1] == low[2]
    assert by_words([0.0, 0.1, 3.0]) == sorted(by_words([0.0, 0.1, 3.0]))


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=30),
    st.sampled_from([0.0, 0.1, FLOOR, STRICT, 1.0]),
)
def test_only_scores_below_the_least_may_be_missing(cosines, least):
    shares, store = [0.0] * len(cosines), prepare(items(*map(str, cosines)))
    whole = by_meaning(cosines, shares, store, 0.27)
    quick = by_meaning(cosines, shares, store, 0.27, least)
    assert [s for s in quick if s >= least] == [s for s in whole if s >= least]
    assert all(got in (0.0, full) for got, full in zip(quick, whole, strict=True))


def test_nothing_at_or_below_zero_counts():
    found = by_meaning([-0.2, 0.0, 0.5], [0.0] * 3, prepare(items("a", "b")), 0.27)
    assert found[:2] == [0.0, 0.0]
    assert by_meaning([], [], prepare([]), 0.27) == []


def test_scores_do_not_depend_on_the_order_of_requirements():
    store = items(*MIGRATIONS, *UNLIKE)
    turned = random.Random(1).sample(store, len(store))
    task = "edit an old migration"
    assert scores(store, task) == scores(turned, task)


def test_scores_have_four_decimals_and_are_the_same_everywhere():
    """Written down once: another machine or Python must get the same numbers."""
    found = scores(items(*MIGRATIONS[:2], *UNLIKE[:2]), "edit an old migration")
    assert found == PINNED
    assert all(score == round(score, 4) for score in found.values())


PINNED = {
    "req-0000": 0.9059,
    "req-0001": 0.9066,
    "req-0002": 0.3385,
    "req-0003": 0.2948,
}
