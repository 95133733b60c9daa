"""Merge, drop or create: what the built-in reconciler decides about a candidate."""

from git_intent.scan.artifacts import Action, Candidate
from git_intent.scan.known import Known
from git_intent.scan.reconcile import reconcile
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Provenance,
    Requirement,
    Status,
)


def candidate(statement, path="CLAUDE.md", **more):
    return Candidate(statement, Provenance(Kind.DOC, path), path=path, **more)


def known(*requirements):
    return {k.id: k for k in requirements}


def tracked(name, *statements, status=Status.ACTIVE, by=""):
    made = Requirement(name, statements[0], status=status, superseded_by=by)
    return Known(made, f"hash-of-{name}", statements)


def decide(candidates, *requirements, backed=lambda k: True, similar=0.0):
    return reconcile(
        candidates,
        known(*requirements),
        backed=backed,
        similarity=lambda a, b: [similar] * len(b),
    )


def actions(found):
    return [(d.action, d.existing_id) for d in found.decisions]


def test_what_nobody_said_yet_is_created():
    found = decide([candidate("Never push to main.")], tracked("req-0001", "Use tabs."))
    assert actions(found) == [(Action.CREATE, "")]
    assert found.decisions[0].base == ""


def test_an_equal_statement_merges_and_carries_the_hash_of_what_it_saw():
    found = decide(
        [candidate("never push to `main`")], tracked("req-0001", "Never push to main.")
    )
    assert actions(found) == [(Action.MERGE, "req-0001")]
    assert found.decisions[0].base == "hash-of-req-0001"


def test_n074_a_tracked_rule_in_other_words_merges():
    found = decide(
        [candidate("Do not push to main.")], tracked("req-0001", "Never push to main.")
    )
    assert actions(found) == [(Action.MERGE, "req-0001")]


def test_n074_close_wordings_are_left_to_the_similarity():
    new = [candidate("Never push directly to main.")]
    old = tracked("req-0001", "Never push to main.")
    assert actions(decide(new, old, similar=0.97)) == [(Action.MERGE, "req-0001")]
    assert actions(decide(new, old, similar=0.90)) == [(Action.CREATE, "")]


def test_n078_a_candidate_equal_to_a_disabled_requirement_is_dropped():
    old = tracked("req-0001", "Never push to main.", status=Status.DISABLED)
    for text in ("Never push to main.", "Do not push to main."):
        new = candidate(text, rationale="another reason")
        assert actions(decide([new], old)) == [(Action.DROP, "req-0001")]


def test_n079_a_sentence_that_a_person_reworded_is_still_recognised():
    old = tracked("req-0001", "Ask before you push.", "Never push to main.")
    found = decide([candidate("Never push to main.", path="docs/moved.md")], old)
    assert actions(found) == [(Action.MERGE, "req-0001")]


def test_a_superseded_statement_is_dropped_while_its_successor_stands():
    old = tracked("req-0001", "Use tabs.", status=Status.SUPERSEDED, by="req-0002")
    new = tracked("req-0002", "Use spaces.")
    asked = []
    found = decide(
        [candidate("Use tabs.")], old, new, backed=lambda k: asked.append(k.id) or True
    )
    assert actions(found) == [(Action.DROP, "req-0001")]
    assert asked == ["req-0002"]


def test_n077_it_is_created_again_once_its_successor_is_gone():
    old = tracked("req-0001", "Use tabs.", status=Status.SUPERSEDED, by="req-0002")
    new = tracked("req-0002", "Use spaces.")
    found = decide([candidate("Use tabs.")], old, new, backed=lambda k: False)
    assert actions(found) == [(Action.CREATE, "")]


def test_n077_the_disabled_one_wins_over_the_superseded_one_of_equal_words():
    old = tracked("req-0001", "Use tabs.", status=Status.SUPERSEDED, by="req-0002")
    new = tracked("req-0002", "Use spaces.")
    off = tracked("req-0003", "Use tabs.", status=Status.DISABLED)
    found = decide([candidate("Use tabs.")], old, new, off, backed=lambda k: False)
    assert actions(found) == [(Action.DROP, "req-0003")]


def test_the_active_one_wins_over_all_others():
    off = tracked("req-0001", "Use tabs.", status=Status.DISABLED)
    on = tracked("req-0002", "Use tabs.")
    found = decide([candidate("Use tabs.")], off, on)
    assert actions(found) == [(Action.MERGE, "req-0002")]


def test_a_cycle_of_successors_ends():
    a = tracked("req-0001", "Use tabs.", status=Status.SUPERSEDED, by="req-0002")
    b = tracked("req-0002", "Use spaces.", status=Status.SUPERSEDED, by="req-0001")
    assert actions(decide([candidate("Use tabs.")], a, b)) == [(Action.CREATE, "")]


def test_candidates_that_say_the_same_become_one_with_the_first_provenance():
    found = decide(
        [
            candidate("Never push to main.", path="a.md"),
            candidate("Use tabs.", path="b.md"),
            candidate("never push to main", path="c.md"),
            candidate("Do not push to main.", path="d.md"),
        ]
    )
    assert [d.candidate.path for d in found.decisions] == ["a.md", "b.md"]
    assert found.repeated == 2


def test_a_low_or_suspect_copy_does_not_hide_a_sound_one():
    found = decide(
        [
            candidate("Use tabs.", path="a.md", suspect="speaks to the model"),
            candidate("Use tabs.", path="b.md", confidence=Confidence.LOW),
            candidate("Use tabs.", path="c.md"),
        ]
    )
    assert [d.candidate.path for d in found.decisions] == ["c.md"]
