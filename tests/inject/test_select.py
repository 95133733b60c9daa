"""What is in, in which order, and what the budget leaves."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.inject.context import Context
from git_intent.inject.entry import entries
from git_intent.inject.explain import ranked
from git_intent.inject.render import cost
from git_intent.inject.select import Stage, select
from git_intent.store.domains import Domain, Domains
from git_intent.store.requirement import Confidence, Level, Scope
from tests.support.snapshots import disabled, requirement, superseded

MAP = Domains(domains=(Domain("api", "", ("src/api/**",)), Domain("web")))
API = Context(paths=("src/api/x.py",))
FLOOR = 0.45


@dataclass(frozen=True)
class Scored:
    score: float


def domain(id, name="web", **changes):
    return requirement(id, scope=Scope(Level.DOMAIN, (name,)), **changes)


def selected(*found, scores=None, context=API, floor=FLOOR, budget=2000):
    by_id = {r.id: r for r in found}
    points = None if scores is None else {id: Scored(s) for id, s in scores.items()}
    return select(entries(by_id), context, MAP, points, floor, budget)


def test_n116_only_the_active_one_is_seen_at_any_score():
    found = selected(
        domain("req-0001"),
        disabled("req-0002", scope=Scope(Level.DOMAIN, ("web",))),
        superseded("req-0003", "req-0001"),
        scores={"req-0001": 0.5, "req-0002": 1.0, "req-0003": 1.0},
    )
    assert found.ids == ("req-0001",)


def test_n117_project_level_is_always_in():
    found = selected(
        requirement("req-0001"),
        requirement("req-0002", scope=Scope(Level.PROJECT, ("web",))),
        requirement("req-0003", scope=Scope(Level.PROJECT, paths=("none/**",))),
        domain("req-0004"),
        scores=None,
    )
    assert found.ids == ("req-0001", "req-0002", "req-0003")


def test_n118_requirements_of_the_overlapping_domain_are_in():
    found = selected(domain("req-0001", "api"), domain("req-0002"))
    assert [(p.entry.id, p.stage) for p in found.picks] == [("req-0001", Stage.SCOPE)]


def test_n119_a_score_lets_in_what_the_scope_does_not():
    found = selected(domain("req-0001"), scores={"req-0001": 0.6})
    assert found.picks[0].stage is Stage.SEMANTIC


def test_n122_everything_at_or_above_the_floor_joins():
    many = [domain(f"req-00{n:02}") for n in range(14)]
    scores = {r.id: 0.45 + n / 100 for n, r in enumerate(many)}
    scores["req-0012"], scores["req-0013"] = 0.44994, 0.44996
    assert len(selected(*many, scores=scores).ids) == 13
    assert "req-0000" in selected(*many, scores=scores).ids
    assert "req-0013" in selected(*many, scores=scores).ids  # rounds to the floor


def test_without_a_floor_no_score_lets_anything_in():
    assert selected(domain("req-0001"), scores={"req-0001": 0.9}, floor=None).ids == ()


def test_n124_the_order_is_total():
    late, zoned = "2026-03-01T00:30:00+02:00", "2026-02-28T23:00:00Z"
    low = Confidence.LOW
    expected = [
        requirement("req-0009"),  # project, scored
        requirement("req-0008", confidence=low, updated=zoned),
        requirement("req-0007", confidence=low, updated=late),
        requirement("req-0001", confidence=low, updated=""),
        domain("req-0012", "api"),  # 0.9
        domain("req-0013"),  # 0.5 rounded, newer
        domain("req-0003", updated="2020-01-01"),  # 0.5 rounded, older
        domain("req-0002", "api", confidence=Confidence.MEDIUM),  # unscored
        domain("req-0004", "api", confidence=low),
        domain("req-0005", "api", confidence=low),
    ]
    scores = {
        "req-0009": 0.46,
        "req-0012": 0.9,
        "req-0013": 0.50001,
        "req-0003": 0.50004,
        "req-0002": 0.1,
        "req-0004": 0.2,
    }
    for seed in range(5):
        shuffled = random.Random(seed).sample(expected, len(expected))
        found = selected(*shuffled, scores=scores)
        assert [p.entry.id for p in found.picks] == [r.id for r in expected]


@pytest.mark.parametrize("scores", [None, {}])
def test_n124_without_scores_the_rest_ranks_by_confidence_and_date(scores):
    found = selected(
        domain("req-0001", "api", confidence=Confidence.MEDIUM),
        domain("req-0002", "api", updated="2026-01-02"),
        domain("req-0003", "api", updated="2026-01-03"),
        scores=scores,
    )
    assert [p.entry.id for p in found.picks] == ["req-0003", "req-0002", "req-0001"]


def test_n128_the_block_is_a_longest_prefix_of_the_ranking():
    many = [
        requirement(f"req-{n:04x}", statement=f"Rule {n}. " * 9) for n in range(500)
    ]
    found = selected(*many)
    lines = [p.entry.statement_line for p in found.picks]
    assert sum(map(cost, lines[: found.shown])) <= 2000
    assert sum(map(cost, lines[: found.shown + 1])) > 2000
    shown = [line for line in found.block.splitlines() if line.startswith("- ")]
    assert shown == lines[: found.shown]
    assert f"\n\n({500 - found.shown} more requirements omitted;" in found.block


def test_n128_a_long_line_ends_the_prefix_though_a_later_one_would_fit():
    found = selected(
        requirement("req-0001", statement="a" * 400),
        requirement("req-0002", statement="b"),
        budget=50,
    )
    assert found.shown == 0


def test_n129_a_budget_below_the_first_line_shows_the_marker_alone():
    found = selected(
        requirement("req-0001", statement="常に日本語で書く。"),
        domain("req-0002", "api"),
        budget=5,
    )
    assert found.ids == ()
    assert "- [" not in found.block
    assert "(2 more requirements omitted;" in found.block
    assert found.project_cost > found.budget


POINTS = st.one_of(st.none(), st.floats(-1, 1.3))


@given(st.lists(st.tuples(POINTS, st.booleans(), st.booleans()), max_size=12))
@settings(max_examples=100, deadline=None)
def test_n139_every_active_requirement_is_ranked_once_with_its_reason(rows):
    found, scores = [], {}
    for number, (score, project, inside) in enumerate(rows):
        id = f"req-{number:04x}"
        one = requirement(id) if project else domain(id, "api" if inside else "web")
        found.append(one)
        if score is not None:
            scores[id] = score
    selection = selected(*found, scores=scores, budget=40)
    out = ranked(selection, entries({r.id: r for r in found}))
    assert sorted(row.id for row in out) == sorted(r.id for r in found)
    assert tuple(row.id for row in out if row.selected) == selection.ids
    assert [row.selected for row in out] == sorted(
        (row.selected for row in out), reverse=True
    )
    assert all(row.reason for row in out)
    for row in out[len(selection.picks) :]:
        assert row.stage is Stage.NONE
        assert row.score is None or row.score < FLOOR


def test_n139_reasons_name_stage_score_floor_and_cut():
    found = [
        requirement("req-0001"),
        domain("req-0002", "api"),
        domain("req-0003"),
        domain("req-0004"),
    ]
    scores = {"req-0002": 0.2, "req-0003": 0.6, "req-0004": 0.44}
    selection = selected(*found, scores=scores, budget=25)
    rows = ranked(selection, entries({r.id: r for r in found}))
    assert [(r.id, r.stage.value, r.selected, r.reason) for r in rows] == [
        ("req-0001", "project", True, "project level"),
        (
            "req-0003",
            "semantic",
            False,
            "score 0.6000 at or above the floor 0.4500; cut by the budget of 25",
        ),
        (
            "req-0002",
            "scope",
            False,
            (
                "domain api: src/api/** matches src/api/x.py; "
                "score 0.2000 below the floor 0.4500; cut by the budget of 25"
            ),
        ),
        (
            "req-0004",
            "none",
            False,
            "domain web has no paths; score 0.4400 below the floor 0.4500",
        ),
    ]
