"""What becomes of rules over several scans: moved, reworded, contradicted, disabled."""

from dataclasses import replace

import pytest

from git_intent.scan import run as runs
from git_intent.scan.artifacts import Action, Decision
from git_intent.scan.pipeline import StepFailed
from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.requirement import Status
from tests.support.repo import STORE
from tests.support.scanning import TOOLS, scan, scanner

TABS = "# Style\n\nRule: use tabs.\nRule: be kind.\n"
SPACES = TABS.replace("tabs", "spaces")


def store(repo):
    return load_store(read_snapshot(repo.path)).requirements


def by_words(repo, words):
    return [r for r in store(repo).values() if r.statement == words]


def edit(repo, name, old, new):
    path = f"{STORE}/requirements/{name}.md"
    repo.write(path, repo.read(path).replace(old.encode(), new.encode()))


def test_n075_a_changed_sentence_gives_one_new_file_and_supersedes_one_in_one_commit(
    repo,
):
    repo.commit("start", **{"CLAUDE.md": TABS})
    scan(repo.path)
    repo.commit("spaces", **{"CLAUDE.md": SPACES})
    report = scan(repo.path)
    (old,), (new,) = (
        by_words(repo, "Rule: use tabs."),
        by_words(repo, "Rule: use spaces."),
    )
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new.id)
    assert new.status == Status.ACTIVE
    touched = repo.git("show", "--name-status", "--format=", "HEAD").splitlines()
    assert f"M\t{STORE}/requirements/{old.id}.md" in touched
    assert f"A\t{STORE}/requirements/{new.id}.md" in touched
    assert report.reported == ()


def test_n075_a_section_moved_unchanged_supersedes_nothing(repo):
    repo.commit("start", **{"CLAUDE.md": TABS + "\n# Git\nRule: sign tags.\n"})
    scan(repo.path)
    repo.commit("move", **{"CLAUDE.md": "# Git\nRule: sign tags.\n\n" + TABS})
    report = scan(repo.path)
    assert len(report.merged) == 3
    assert {r.status for r in store(repo).values()} == {Status.ACTIVE}


def test_n075_the_old_sentence_in_another_document_supersedes_nothing(repo):
    repo.commit_files({"CLAUDE.md": TABS, "docs/x.md": "# X\nRule: use tabs.\n"})
    scan(repo.path)
    repo.commit("spaces", **{"CLAUDE.md": SPACES})
    scan(repo.path)
    assert {r.status for r in store(repo).values()} == {Status.ACTIVE}


def test_n075_through_a_rename_the_pair_is_found(repo):
    body = "\n".join(f"Line {n} of the text." for n in range(30))
    repo.commit_files({"docs/old.md": TABS + body})
    scan(repo.path)
    repo.git("mv", "docs/old.md", "docs/new.md")
    repo.commit_files({"docs/new.md": SPACES + body})
    report = scan(repo.path)
    assert [i.statement for i in report.superseded] == ["Rule: use tabs."]


def test_a_document_that_was_read_before_it_was_committed_is_compared_with_that(repo):
    repo.commit("start", **{"CLAUDE.md": "# Style\n\nRule: be kind.\n"})
    repo.write("CLAUDE.md", TABS)
    scan(repo.path)
    repo.commit("tabs at last")
    repo.commit("spaces", **{"CLAUDE.md": SPACES})
    report = scan(repo.path)
    assert [i.statement for i in report.superseded] == ["Rule: use tabs."]


def test_n076_an_old_branch_that_is_merged_late_does_not_supersede_the_newer_rule(repo):
    repo.commit("start", **{"CLAUDE.md": TABS})
    repo.git("branch", "old")
    repo.commit("two", **{"CLAUDE.md": TABS.replace("tabs", "two blanks")})
    scan(repo.path)
    repo.git("checkout", "-q", "old")
    repo.git(  # the dates lie
        "-c", "user.name=x", "commit", "-q", "--allow-empty", "-m", "later",
        "--date=2036-01-01T00:00:00Z",
    )  # fmt: skip
    repo.commit("four", **{"CLAUDE.md": TABS.replace("tabs", "four blanks")})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-X", "theirs", "-m", "merge", "old")
    assert b"four blanks" in repo.read("CLAUDE.md")
    report = scan(repo.path)
    (newer,) = by_words(repo, "Rule: use two blanks.")
    assert newer.status == Status.ACTIVE
    assert [i.id for i in report.reported] == [newer.id]
    assert "does not come after" in report.reported[0].detail


def test_n077_a_b_a_makes_three_files(repo):
    for number, text in enumerate((TABS, SPACES, TABS)):
        repo.commit(f"change {number}", **{"CLAUDE.md": text})
        scan(repo.path)
    first, second = sorted(by_words(repo, "Rule: use tabs."), key=lambda r: r.status)
    (between,) = by_words(repo, "Rule: use spaces.")
    assert (first.status, second.status) == (Status.ACTIVE, Status.SUPERSEDED)
    assert second.superseded_by == between.id
    assert (between.status, between.superseded_by) == (Status.SUPERSEDED, first.id)


def test_n077_a_disabled_in_between_stays_disabled_and_nothing_comes_back(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    edit(repo, a.id, "status: active", "status: disabled")
    repo.commit("two", **{"CLAUDE.md": SPACES})
    scan(repo.path)
    repo.commit("three", **{"CLAUDE.md": TABS})
    report = scan(repo.path)
    assert [r.status for r in by_words(repo, "Rule: use tabs.")] == [Status.DISABLED]
    assert [i.id for i in report.dropped] == [a.id]


def test_n078_a_candidate_equal_to_a_disabled_requirement_is_dropped_and_said(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    edit(repo, a.id, "status: active", "status: disabled")
    repo.commit("two", **{"docs/x.md": "# X\nRule: use `tabs`!\n"})
    report = scan(repo.path)
    assert [(i.id, i.detail) for i in report.dropped] == [(a.id, "disabled")]
    assert len(store(repo)) == 2


def test_n079_a_persons_words_stay_when_the_source_is_met_again(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    edit(repo, a.id, "\nRule: use tabs.", "\nIndent by tabs, please.")
    repo.commit("reworded by hand")
    repo.git("mv", "CLAUDE.md", "AGENTS.md")
    repo.commit("moved")
    path = f"{STORE}/requirements/{a.id}.md"
    before = repo.read(path)
    for full in (False, True):
        report = scan(repo.path, full=full)
        assert report.created == ()
        assert repo.read(path) == before
    assert len(store(repo)) == 2


def test_n044_words_of_a_person_that_no_flag_shows_are_kept_and_reported(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    edit(repo, a.id, "\nRule: use tabs.", "\nIndent by tabs, please.")
    repo.git("commit", "-q", "--no-verify", "-am", "reworded on the hosting site")
    repo.commit("spaces", **{"CLAUDE.md": SPACES})

    def decide(candidates, known):
        assert known[a.id].by_person
        return [
            Decision(Action.MERGE, c, a.id, "same", statement="Use spaces now.")
            for c in candidates
            if "spaces" in c.statement
        ]

    report = scan(repo.path, tools=replace(TOOLS, decide=decide))
    found = store(repo)[a.id]
    assert found.statement == "Indent by tabs, please."
    assert found.user_edited
    assert [i.id for i in report.person] == [a.id]


def test_n044_the_built_in_reconciler_reports_instead_of_superseding(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    edit(repo, a.id, "\nRule: use tabs.", "\nRule: use tabs.\n\n**Why:** I like them.")
    repo.commit("a reason by hand")
    repo.commit("spaces", **{"CLAUDE.md": SPACES})
    report = scan(repo.path)
    assert store(repo)[a.id].status == Status.ACTIVE
    assert "a person edited it" in report.reported[0].detail


def test_n044_a_squash_that_mixes_a_scan_with_other_work_proves_nothing(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    repo.git("reset", "-q", "--soft", "HEAD~1")
    repo.commit("squashed\n\nIntent-Scan: 20260913T100000Z-0001-abcd", a="1")
    repo.commit("spaces", **{"CLAUDE.md": SPACES})
    report = scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    assert a.status == Status.ACTIVE
    assert [i.id for i in report.reported] == [a.id]


def test_a_sentence_that_vanished_is_reported_and_stays(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    repo.commit("gone", **{"CLAUDE.md": "# Style\n\nRule: be kind.\n"})
    report = scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    assert a.status == Status.ACTIVE
    assert [(i.id, i.detail) for i in report.reported] == [
        (a.id, "its sentence is gone from CLAUDE.md")
    ]


def test_one_rule_in_two_documents_is_one_requirement(repo):
    repo.commit_files({"CLAUDE.md": TABS, "AGENTS.md": TABS})
    report = scan(repo.path)
    assert len(store(repo)) == len(report.created) == 2


def test_suspects_are_written_disabled_and_met_again_without_a_word(repo):
    repo.commit("one", **{"CLAUDE.md": "# S\nRule suspect: push to main now.\n"})
    report = scan(repo.path)
    (found,) = store(repo).values()
    assert found.status == Status.DISABLED
    assert [i.id for i in report.person] == [found.id]
    assert scan(repo.path, full=True).person == ()


def test_a_foreign_decision_against_the_rules_leaves_store_and_cursor(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    (a,) = by_words(repo, "Rule: use tabs.")
    edit(repo, a.id, "status: active", "status: disabled")
    repo.commit("two", **{"CLAUDE.md": SPACES})
    before = read_snapshot(repo.path)

    def decide(candidates, known):
        return [
            Decision(Action.SUPERSEDE, c, a.id, "newer")
            for c in candidates
            if "spaces" in c.statement
        ]

    with pytest.raises(StepFailed, match="I103") as caught:
        scan(repo.path, tools=replace(TOOLS, decide=decide))
    assert caught.value.step == "apply-reconcile"
    assert read_snapshot(repo.path) == before
    assert scanner(repo.path).scan().created  # the material is still ahead


def test_an_artifact_of_a_foreign_step_in_a_wrong_shape_is_an_error(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    for name in ("discover-domains", "collect-sources", "extract", "reconcile"):
        scanner(repo.path).step(name)
    run = runs.all_runs(repo.path / ".git")[-1]
    good = run.read(runs.DECISIONS)
    for bad, words in (
        ({**good, "reports": [1]}, "/reports"),
        ({**good, "decisions": {}}, "/decisions"),
        ([], "expected an object"),
    ):
        run.write(runs.DECISIONS, bad)
        with pytest.raises(StepFailed, match=words):
            scanner(repo.path).step("apply-reconcile")
    assert not repo.store.exists()
    run.write(runs.DECISIONS, good)
    scanner(repo.path).step("apply-reconcile")
    scanner(repo.path).step("commit")
    assert repo.status() == ""
