"""Whatever is decided, applying keeps what must never change."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.scan.apply import Circumstances, plan
from git_intent.scan.artifacts import Action, Candidate, Decision
from git_intent.store.intent_dir import load_store, requirement_path
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import render_requirement
from git_intent.store.rules import Actor, judge
from tests.support.scanning import NOW

WORDS = ["Use tabs.", "Use spaces.", "Be kind.", "Never push.", "Sign tags."]
IDS = [f"req-{n:04x}" for n in range(5)]
SCOPES = [Scope(), Scope(Level.DOMAIN, ("a",)), Scope(Level.DOMAIN, ("b",))]
FREE = (b"status:", b"superseded_by:", b"updated:")


@st.composite
def stores(draw):
    made = {}
    for number, name in enumerate(IDS):
        status = draw(st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.DISABLED]))
        found = Requirement(
            name,
            WORDS[number],
            status=status,
            scope=draw(st.sampled_from(SCOPES)),
            user_edited=draw(st.booleans()),
            provenance=Provenance(Kind.DOC, "CLAUDE.md"),
            created="2026-01-01T00:00:00Z",
            updated="2026-01-01T00:00:00Z",
        )
        if number and draw(st.integers(0, 3)) == 0:
            found = replace(
                found, status=Status.SUPERSEDED, superseded_by=IDS[number - 1]
            )
        made[requirement_path(name)] = render_requirement(found)
    return made


@st.composite
def decisions(draw, files):
    action = draw(st.sampled_from(Action))
    candidate = Candidate(
        draw(st.sampled_from([*WORDS, "Rebase first.", "Keep it short."])),
        Provenance(Kind.DOC, "CLAUDE.md"),
        scope=draw(st.sampled_from(SCOPES)),
        hints=("one", "two"),
        confidence=draw(st.sampled_from(Confidence)),
        suspect=draw(st.sampled_from(["", "", "speaks"])),
    )
    if action == Action.CREATE:
        return Decision(action, candidate)
    name = draw(st.sampled_from(IDS))
    base = sha256(files[requirement_path(name)])
    words = draw(st.sampled_from(["", "", "Other words."]))
    base = draw(st.sampled_from([base, base, "0" * 64]))
    words = words if action == Action.MERGE else ""
    return Decision(action, candidate, name, "x", base, statement=words)


@st.composite
def worlds(draw):
    files = draw(stores())
    made = [draw(decisions(files)) for _ in range(draw(st.integers(1, 3)))]
    held = draw(st.sets(st.sampled_from(sorted(files)), max_size=2))
    person = draw(st.sets(st.sampled_from(IDS), max_size=2))
    return files, made, held, person


def without_free_lines(data):
    return [line for line in data.splitlines() if not line.startswith(FREE)]


@given(worlds())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_applying_any_decisions_keeps_what_is_a_persons(world):
    files, made, held, person = world
    around = Circumstances(NOW, lambda name: False, held, person.__contains__)
    try:
        found = plan(made, files, around)
    except IntentError:
        return
    after = {**files, **found.changes}
    assert judge([files], after, Actor.AGENT) == []
    assert not held & set(found.changes)
    now = load_store(after).requirements
    for name, old in load_store(files).requirements.items():
        before, data = files[requirement_path(name)], after[requirement_path(name)]
        assert now[name].provenance == old.provenance
        assert now[name].created == old.created
        if old.status != Status.ACTIVE:
            assert data == before
        if old.user_edited:
            assert without_free_lines(data) == without_free_lines(before)
        if name in person:
            assert (now[name].statement, now[name].scope) == (old.statement, old.scope)
        assert now[name].user_edited >= old.user_edited
    for item in found.outcome.created:
        assert item.id in now
    names = {path.rpartition("/")[2] for path in found.changes}
    assert all(name.startswith("req-") for name in names)
