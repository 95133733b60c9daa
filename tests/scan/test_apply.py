"""Decisions to bytes: all or nothing, by the hard rules, nothing of a person's lost."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

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
from git_intent.store.stamps import distinct

NOW = datetime(2026, 9, 13, 10, 0, 0, tzinfo=UTC)
OLD = "2026-01-01T00:00:00Z"


def requirement(number, statement, **more):
    return Requirement(
        f"req-{number:04x}",
        statement,
        provenance=Provenance(Kind.DOC, "CLAUDE.md", OLD, "intent-scan"),
        created=OLD,
        updated=OLD,
        **more,
    )


def store(*requirements):
    return {requirement_path(r.id): render_requirement(r) for r in requirements}


def candidate(statement, **more):
    made = Candidate(
        statement,
        Provenance(Kind.DOC, "CLAUDE.md#style", OLD, "intent-scan"),
        hints=("one hint", "another hint"),
        path="CLAUDE.md",
        line=3,
    )
    return replace(made, **more)


def decide(action, statement, about=None, files=None, **more):
    fields = {k: more.pop(k) for k in ("statement", "rationale") if k in more}
    base = sha256(files[requirement_path(about)]) if files and about else ""
    return Decision(
        action,
        candidate(statement, **more),
        existing_id=about or "",
        base=base,
        reason="because",
        **fields,
    )


def apply(decisions, files, **around):
    held = around.pop("held", ())
    settings = {"now": NOW, "taken": lambda name: False, "held": held, **around}
    return plan(decisions, files, Circumstances(**settings))


def result(files, planned):
    return load_store({**files, **planned.changes}).requirements


def test_a_created_requirement_holds_everything_its_candidate_says():
    scope = Scope(Level.DOMAIN, ("style",), ("src/**",), ("go",))
    made = candidate(
        "Use tabs.",
        rationale="They are short.",
        scope=scope,
        confidence=Confidence.HIGH,
    )
    planned = apply([Decision(Action.CREATE, made)], {})
    (found,) = result({}, planned).values()
    assert (found.statement, found.rationale) == ("Use tabs.", "They are short.")
    assert (found.scope, found.hints) == (scope, made.hints)
    assert found.confidence == Confidence.HIGH
    stamped = replace(
        made.provenance, extracted_at=distinct(made.provenance.extracted_at, found.id)
    )
    assert found.provenance == stamped
    assert found.status == Status.ACTIVE
    assert found.user_edited is False
    assert found.created == found.updated
    assert re.fullmatch(r"2026-09-13T10:00:00\.\d{9}Z", found.created)
    assert [i.id for i in planned.outcome.created] == [found.id]
    assert planned.outcome.created[0].detail == "CLAUDE.md:3"


def test_n010_an_id_that_is_taken_anywhere_is_not_given_again():
    first = apply([decide(Action.CREATE, "Use tabs.")], {}).outcome.created[0].id
    second = apply(
        [decide(Action.CREATE, "Use tabs.")], {}, taken=lambda name: name == first
    )
    assert second.outcome.created[0].id != first


def test_n041_supersede_changes_three_lines_of_the_old_file_and_adds_a_new_one():
    files = store(requirement(1, "Use tabs.", user_edited=True))
    planned = apply([decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files)], files)
    path = requirement_path("req-0001")
    before = files[path].decode().splitlines()
    after = planned.changes[path].decode().splitlines()
    gone = [line for line in before if line not in after]
    new = [line for line in after if line not in before]
    made = planned.outcome.created[0].id
    assert gone == ["status: active", f"updated: {OLD}"]
    assert new == [
        "status: superseded",
        f"superseded_by: {made}",
        "updated: 2026-09-13T10:00:00Z",
    ]
    assert set(planned.changes) == {path, requirement_path(made)}
    assert [i.id for i in planned.outcome.superseded] == ["req-0001"]


def test_n039_one_decision_against_the_rules_refuses_all_ten():
    files = store(requirement(1, "Use tabs.", status=Status.DISABLED))
    good = [decide(Action.CREATE, f"Rule number {n}.") for n in range(9)]
    bad = decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files)
    with pytest.raises(IntentError, match="I103"):
        apply([*good, bad], files)


def test_n039_the_disabling_is_not_committed_yet():
    files = store(requirement(1, "Use tabs.", status=Status.DISABLED))
    bad = decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files)
    with pytest.raises(IntentError, match="I103"):
        apply([bad], files, held={requirement_path("req-0001")})


@pytest.mark.parametrize(
    "words", [{"statement": "Ask first."}, {"rationale": "For peace."}]
)
def test_n040_a_merge_that_rewords_what_a_person_edited_refuses_the_batch(words):
    files = store(requirement(1, "Ask before you push.", user_edited=True))
    bad = replace(decide(Action.MERGE, "Never push.", "req-0001", files), **words)
    with pytest.raises(IntentError, match="I104"):
        apply([decide(Action.CREATE, "Use tabs."), bad], files)


def test_n044_words_that_history_shows_to_be_a_persons_get_the_flag_instead():
    files = store(requirement(1, "Ask before you push."))
    reword = replace(
        decide(Action.MERGE, "Never push.", "req-0001", files), statement="Ask first."
    )
    planned = apply([reword], files, by_person=lambda name: True)
    found = result(files, planned)["req-0001"]
    assert found.statement == "Ask before you push."
    assert found.user_edited is True
    assert [i.id for i in planned.outcome.person] == ["req-0001"]


def test_an_agents_merge_may_reword_what_nobody_edited():
    files = store(requirement(1, "Ask before you push."))
    reword = replace(
        decide(Action.MERGE, "Never push.", "req-0001", files), statement="Ask first."
    )
    found = result(files, apply([reword], files))["req-0001"]
    assert (found.statement, found.user_edited) == ("Ask first.", False)


def test_n074_a_merge_adds_hints_of_a_rewording_and_keeps_the_statement():
    files = store(requirement(1, "Never push to main.", hints=("pushing",)))
    merge = decide(Action.MERGE, "Do not push to main.", "req-0001", files)
    found = result(files, apply([merge], files))["req-0001"]
    assert found.statement == "Never push to main."
    assert found.hints == ("pushing", "one hint", "another hint")
    assert found.provenance.extracted_at == OLD


def test_n074_a_merge_changes_no_byte_of_a_persons_file_nor_for_equal_words():
    edited = store(requirement(1, "Never push to main.", user_edited=True))
    merge = decide(Action.MERGE, "Do not push to main.", "req-0001", edited)
    assert apply([merge], edited).changes == {}
    plain = store(requirement(1, "Never push to main."))
    merge = decide(Action.MERGE, "never push to main", "req-0001", plain)
    planned = apply([merge], plain)
    assert planned.changes == {}
    assert [i.id for i in planned.outcome.merged] == ["req-0001"]


def test_n082_a_decision_whose_base_moved_is_deferred_and_the_others_are_applied():
    files = store(requirement(1, "Use tabs."), requirement(2, "Keep lines short."))
    decisions = [
        decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files),
        decide(Action.SUPERSEDE, "Keep lines long.", "req-0002", files),
    ]
    path = requirement_path("req-0001")
    moved = {**files, path: files[path].replace(b"Use tabs.", b"Use only tabs.")}
    planned = apply(decisions, moved)
    assert path not in planned.changes
    assert [i.id for i in planned.outcome.superseded] == ["req-0002"]
    ((decision, why),) = planned.deferred
    assert decision.existing_id == "req-0001"
    assert "base moved" in why


def test_two_changes_on_one_base_never_overwrite_each_other():
    files = store(requirement(1, "Use tabs."))
    both = [
        decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files),
        decide(Action.SUPERSEDE, "Use neither.", "req-0001", files),
    ]
    with pytest.raises(IntentError, match="req-0001"):
        apply(both, files)


def test_n081_a_file_with_uncommitted_changes_is_deferred_not_written():
    files = store(requirement(1, "Use tabs."))
    held = {requirement_path("req-0001")}
    supersede = decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files)
    planned = apply([supersede, decide(Action.CREATE, "Be kind.")], files, held=held)
    assert [i.statement for i in planned.outcome.created] == ["Be kind."]
    assert planned.outcome.superseded == ()
    assert "uncommitted" in planned.deferred[0][1]


def test_n081_of_two_decisions_about_a_held_file_neither_is_written():
    files = store(requirement(1, "Never push to main."))
    held = {requirement_path("req-0001")}
    both = [
        decide(Action.MERGE, "Do not push to main.", "req-0001", files),
        decide(Action.MERGE, "Don't push to main.", "req-0001", files),
    ]
    planned = apply(both, files, held=held)
    assert planned.changes == {}
    assert len(planned.deferred) == 2


def test_n081_a_merge_that_writes_nothing_needs_no_deferring():
    files = store(requirement(1, "Use tabs."))
    held = {requirement_path("req-0001")}
    merge = decide(Action.MERGE, "Use tabs.", "req-0001", files)
    planned = apply([merge], files, held=held)
    assert planned.deferred == ()
    assert len(planned.outcome.merged) == 1


@pytest.mark.parametrize("action", [Action.MERGE, Action.SUPERSEDE, Action.DROP])
def test_a_decision_about_a_missing_id_fails_and_never_creates(action):
    with pytest.raises(IntentError, match="req-9999"):
        apply([decide(action, "Use tabs.", "req-9999")], {})


def test_a_file_that_is_gone_since_it_was_decided_defers():
    files = store(requirement(1, "Use tabs."))
    merge = decide(Action.MERGE, "Use tabs.", "req-0001", files)
    assert "gone" in apply([merge], {}).deferred[0][1]


def test_a_supersede_by_a_statement_for_others_is_refused():
    one = requirement(1, "Use tabs.", scope=Scope(Level.DOMAIN, ("style",)))
    files = store(one)
    other = Scope(Level.DOMAIN, ("release",))
    bad = decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files, scope=other)
    with pytest.raises(IntentError, match="concerns others"):
        apply([bad], files)


def test_a_suspect_is_written_disabled_and_waits_for_a_person():
    planned = apply(
        [decide(Action.CREATE, "Push to main.", suspect="speaks to the model")], {}
    )
    (found,) = result({}, planned).values()
    assert (found.status, found.confidence) == (Status.DISABLED, Confidence.LOW)
    assert planned.outcome.person[0].detail == "disabled: speaks to the model"


def test_a_suspect_supersedes_nothing():
    files = store(requirement(1, "Never push to main."))
    bad = decide(Action.SUPERSEDE, "Push to main.", "req-0001", files, suspect="speaks")
    planned = apply([bad], files)
    assert requirement_path("req-0001") not in planned.changes


def test_low_confidence_is_counted_and_not_written():
    planned = apply(
        [decide(Action.CREATE, "Perhaps use tabs.", confidence=Confidence.LOW)], {}
    )
    assert planned.changes == {}
    assert [i.statement for i in planned.outcome.low] == ["Perhaps use tabs."]


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "where",
    [
        {"rationale": f"it is {TOKEN}"},
        {"hints": ("a hint", f"the token {TOKEN}")},
        {"statement": f"Log in with {TOKEN}."},
        {"statement": "Log in with [secret removed]."},
    ],
)
def test_n098_what_carries_a_secret_is_not_written_and_not_echoed(where):
    made = replace(candidate("Log in."), **where)
    planned = apply([Decision(Action.CREATE, made)], {})
    assert planned.changes == {}
    assert TOKEN not in repr(planned)
    assert "secret" in planned.outcome.dropped[0].detail


def test_a_statement_with_invisible_characters_is_dropped_with_its_code():
    planned = apply([decide(Action.CREATE, "Use tabs\u202e always.")], {})
    assert planned.changes == {}
    assert "I040" in planned.outcome.dropped[0].detail


def test_what_was_added_by_hand_meanwhile_is_not_added_again():
    files = store(requirement(1, "Use tabs."))
    planned = apply([decide(Action.CREATE, "use tabs")], files)
    assert planned.changes == {}
    assert [i.id for i in planned.outcome.merged] == ["req-0001"]


def test_what_was_disabled_by_hand_meanwhile_is_not_added_again():
    files = store(requirement(1, "Use tabs.", status=Status.DISABLED))
    planned = apply([decide(Action.CREATE, "use tabs")], files)
    assert planned.changes == {}
    assert [i.id for i in planned.outcome.dropped] == ["req-0001"]


def test_planning_twice_gives_the_same_bytes():
    files = store(requirement(1, "Use tabs."))
    decisions = [
        decide(Action.SUPERSEDE, "Use spaces.", "req-0001", files),
        decide(Action.CREATE, "Be kind."),
    ]
    assert apply(decisions, files) == apply(decisions, files)
