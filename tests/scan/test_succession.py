"""Built-in supersede: one hunk, one heading, nowhere else, by ancestry."""

from git_intent.scan.artifacts import Action, Candidate, Decision
from git_intent.scan.document import statements
from git_intent.scan.known import Known
from git_intent.scan.revisions import spans
from git_intent.scan.succession import Revision, Standing, succeed
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
)

OLD = "# Style\n\n- Use tabs for indentation.\n- Keep lines short.\n"
NEW = "# Style\n\n- Use spaces for indentation.\n- Keep lines short.\n"


def cut(text, path):
    return statements(text, path, "doc")


def tracked(statement, name="req-0001", kind=Kind.DOC, edited=False, **more):
    made = Requirement(
        name,
        statement,
        provenance=Provenance(kind, "CLAUDE.md"),
        user_edited=edited,
        **more,
    )
    return Known(made, f"hash-of-{name}", (statement,))


def revise(old, new, old_path="CLAUDE.md", path="CLAUDE.md"):
    return Revision(old_path, path, old, new, spans(old, new))


def candidates(text, path="CLAUDE.md", **more):
    return [
        Candidate(
            s.text,
            Provenance(Kind.DOC, path),
            path=path,
            line=s.line,
            end_line=s.end_line,
            headings=s.headings,
            **more,
        )
        for s in cut(text, path)
    ]


def run(revisions, known, fresh, *, stand=None, descends=lambda *_: True, person=()):
    now = {r.path: r.new for r in revisions if r.path} if stand is None else stand
    return succeed(
        [Decision(Action.CREATE, c) for c in fresh],
        {k.id: k for k in known},
        revisions,
        cut=cut,
        still_stands=Standing(lambda: now, cut).holds,
        by_person=lambda k: k.requirement.user_edited or k.id in person,
        descends=descends,
    )


def links(found):
    return {d.candidate.statement: d.existing_id for d in found.decisions}


def fresh(new, *sentences, **more):
    return [c for c in candidates(new, **more) if c.statement in sentences]


SPACES = "Use spaces for indentation."
TABS = "Use tabs for indentation."


def test_n075_a_changed_sentence_supersedes_the_requirement_it_replaces():
    found = run([revise(OLD, NEW)], [tracked(TABS)], fresh(NEW, SPACES))
    (decision,) = found.decisions
    assert decision.action == Action.SUPERSEDE
    assert (decision.existing_id, decision.base) == ("req-0001", "hash-of-req-0001")
    assert found.reports == ()


def test_n075_a_sentence_moved_unchanged_supersedes_nothing():
    new = "# Style\n\n- Keep lines short.\n- Use spaces for tables.\n- " + TABS + "\n"
    found = run(
        [revise(OLD, new)], [tracked(TABS)], fresh(new, "Use spaces for tables.")
    )
    assert [d.action for d in found.decisions] == [Action.CREATE]
    assert found.reports == ()


def test_n075_the_old_sentence_in_another_document_keeps_its_requirement():
    now = {"CLAUDE.md": NEW, "docs/x.md": "# X\n\nUse tabs for\nindentation.\n"}
    found = run([revise(OLD, NEW)], [tracked(TABS)], fresh(NEW, SPACES), stand=now)
    assert [d.action for d in found.decisions] == [Action.CREATE]


def test_another_heading_path_is_another_rule():
    new = "# Style\n\n- Keep lines short.\n\n# Go\n\n- Use spaces for indentation.\n"
    found = run([revise(OLD, new)], [tracked(TABS)], fresh(new, SPACES))
    assert [d.action for d in found.decisions] == [Action.CREATE]
    assert found.reports == (("req-0001", "its sentence is gone from CLAUDE.md"),)


def test_n076_a_sentence_that_does_not_come_after_the_old_one_is_reported():
    found = run(
        [revise(OLD, NEW)],
        [tracked(TABS)],
        fresh(NEW, SPACES),
        descends=lambda revision, old, new: (old, new) != (3, 3),
    )
    assert [d.action for d in found.decisions] == [Action.CREATE]
    assert "does not come after" in found.reports[0][1]


def test_what_a_person_wrote_is_reported_and_not_superseded():
    for known, person in (
        (tracked(TABS, kind=Kind.USER), ()),
        (tracked(TABS, edited=True), ()),
        (tracked(TABS), ("req-0001",)),
        (tracked(TABS, kind=Kind.COMMIT), ()),
    ):
        found = run([revise(OLD, NEW)], [known], fresh(NEW, SPACES), person=person)
        assert [d.action for d in found.decisions] == [Action.CREATE]
        assert [name for name, _ in found.reports] == ["req-0001"]
        assert "CLAUDE.md:3" in found.reports[0][1]


def test_through_a_rename_the_pair_is_still_found():
    revision = revise(OLD, NEW, path="docs/style.md")
    new = fresh(NEW, SPACES, path="docs/style.md")
    assert links(run([revision], [tracked(TABS)], new)) == {SPACES: "req-0001"}


def test_two_changes_in_one_hunk_pair_by_their_words():
    old = "# S\n\n- Use tabs for indentation.\n- Lines have at most 80 columns.\n"
    new = "# S\n\n- Lines have at most 100 columns.\n- Use spaces for indentation.\n"
    known = [
        tracked(TABS),
        tracked("Lines have at most 80 columns.", "req-0002"),
    ]
    found = run([revise(old, new)], known, candidates(new))
    assert links(found) == {
        SPACES: "req-0001",
        "Lines have at most 100 columns.": "req-0002",
    }


def test_a_sentence_without_successor_is_reported_and_nothing_else_changes():
    new = "# Style\n\n- Keep lines short.\n"
    found = run([revise(OLD, new)], [tracked(TABS)], [])
    assert found.decisions == ()
    assert found.reports == (("req-0001", "its sentence is gone from CLAUDE.md"),)


def test_a_deleted_document_reports_its_sentences():
    found = run([revise(OLD, "", path="")], [tracked(TABS)], [], stand={})
    assert [name for name, _ in found.reports] == ["req-0001"]


def test_a_low_or_suspect_sentence_supersedes_nothing():
    for more in ({"confidence": Confidence.LOW}, {"suspect": "speaks to the model"}):
        found = run([revise(OLD, NEW)], [tracked(TABS)], fresh(NEW, SPACES, **more))
        assert [d.action for d in found.decisions] == [Action.CREATE]


def test_a_completed_fragment_is_known_by_its_lead_in():
    old = "# S\n\nDo not:\n\n- push to main\n- use tabs\n"
    new = "# S\n\nDo not:\n\n- push to main\n- use spaces\n"
    made = Candidate(
        "Do not use spaces.", Provenance(Kind.DOC, "CLAUDE.md"), path="CLAUDE.md",
        line=6, end_line=6,
    )  # fmt: skip
    found = run([revise(old, new)], [tracked("Do not use tabs.")], [made])
    assert links(found) == {"Do not use spaces.": "req-0001"}


def test_a_successor_of_disjoint_scope_takes_the_place_and_scope_of_the_old():
    scope = Scope(Level.DOMAIN, ("style",))
    other = Scope(Level.DOMAIN, ("go",))
    found = run(
        [revise(OLD, NEW)],
        [tracked(TABS, scope=scope)],
        fresh(NEW, SPACES, scope=other),
    )
    assert found.decisions[0].candidate.scope == scope


def test_hunks_are_lines_of_both_sides_without_context():
    (span,) = spans("a\nb\nc\n", "a\nB\nX\nc\n")
    assert (span.old, span.new) == ((2, 2), (2, 3))
    assert spans("a\n", "a\n") == ()
    (added,) = spans("a\nc\n", "a\nb\nc\n")
    assert (added.old, added.new) == ((2, 1), (2, 2))
