"""git intent diff: which sides, by whom, in which form."""

import json

import pytest

from git_intent.store.intent_dir import write_changes
from git_intent.store.requirement import Level, Scope, Status
from tests.support.repo import Repo
from tests.support.snapshots import (
    T1,
    disabled,
    requirement,
    store,
    superseded,
)
from tests.test_docs_formats import agree, example, shape

SCAN = "intent scan: created 1\n\nIntent-Scan: 20260913T100000Z-0001-abcd\n"


@pytest.fixture
def branches(repo, holds):
    """`main`, and `topic` with a scan's commit, a person's and an agent's."""
    old = [requirement(f"req-000{n}") for n in range(1, 7)]
    holds(*old, disabled("req-0007"), domains="  - name: api\n")
    repo.git("switch", "-q", "-c", "topic")
    holds(requirement("req-0008"), superseded("req-0002", "req-0008"), commit=False)
    repo.commit(SCAN)
    holds(
        requirement(
            "req-0003",
            statement="Never keep the promise of req-0003.",
            scope=Scope(Level.DOMAIN, ("api",)),
        ),
        requirement("req-0007"),
        domains="  - name: api\n    paths: [src]\n",
    )
    holds(disabled("req-0004"), commit=False)
    repo.commit("agent\n\nCo-authored-by: Robo Agent <robot@example.invalid>")
    repo.git("switch", "-q", "main")
    repo.commit("x", other="x")
    repo.git("config", "intent.git.agentAuthors", "robot@*")
    return repo


def test_n164_a_branch_is_told_by_requirement_and_by_whom(branches, intent):
    done = intent("diff", "main...topic")
    assert (done.code, done.err) == (0, "")
    short = {
        name: branches.git("rev-parse", f"topic~{n}")[:12]
        for name, n in (("scan", 2), ("person", 1), ("agent", 0))
    }
    assert (
        done.out
        == f"""\
req-0008  added; by scan 20260913T100000Z-0001-abcd, {short["scan"]}
    Always keep the promise of req-0008.
    scope: project
    from: doc README.md, by intent-scan

req-0002  superseded; by scan 20260913T100000Z-0001-abcd, {short["scan"]}
    Always keep the promise of req-0002.
    by req-0008: Always keep the promise of req-0008.

req-0004  disabled; by A Person (agent), {short["agent"]}
    Always keep the promise of req-0004.

req-0007  enabled; by A Person, {short["person"]}
    Always keep the promise of req-0007.

req-0003  reworded, re-scoped; by A Person, {short["person"]}
    [-Always-]{{+Never+}} keep the promise of req-0003.
    scope: [-project-]{{+domain api+}}

domain api changed: paths none -> src

1 added, 1 superseded, 1 disabled, 1 enabled, 1 reworded, 1 domain.
"""
    )


def test_two_dots_two_commits_and_an_empty_side(branches, intent):
    dots = intent("diff", "main..topic").out
    assert dots == intent("diff", "main", "topic").out
    assert dots == intent("diff", "..topic").out
    assert "deleted" in intent("diff", "topic..").out


def test_nothing_compares_head_with_the_work_tree_and_staged_with_the_index(
    repo, holds, intent
):
    holds(requirement(), requirement("req-0002"))
    assert intent("diff").out == "Nothing changed.\n"
    holds(disabled("req-0001"), commit=False)
    repo.git("add", "-A")
    holds(disabled("req-0002"), requirement("req-0003"), commit=False)
    (repo.store / "requirements/notes.md").write_text("not ours")
    staged = intent("diff", "--staged").out
    assert staged.startswith("req-0001  disabled; by A Person, uncommitted\n")
    assert staged.endswith("\n1 disabled.\n")
    everything = intent("diff").out
    assert everything.endswith("\n1 added, 2 disabled.\n")
    assert "uncommitted" in intent("diff", env={"CLAUDECODE": "1"}).out
    assert "A Person (agent)" in intent("diff", env={"CLAUDECODE": "1"}).out


def test_a_commit_and_the_work_tree_have_commits_and_more_in_between(
    repo, holds, intent
):
    holds(requirement(), requirement("req-0002"))
    start = repo.head()
    holds(disabled("req-0001"))
    holds(requirement("req-0001"), commit=False)
    holds(disabled("req-0002"), commit=False)
    lines = intent("diff", start).out.splitlines()
    assert lines[0] == "req-0002  disabled; by A Person, uncommitted"
    holds(requirement("req-0001", statement="Now new."), commit=False)
    last = intent("diff", start).out
    short = repo.head()[:12]
    assert f"reworded; by A Person, uncommitted; A Person, {short}\n" in last


def test_an_unborn_branch_has_everything_added(repo, holds, intent):
    holds(requirement(), commit=False)
    assert "1 added" in intent("diff").out
    repo.git("add", "-A")
    assert "1 added" in intent("diff", "--staged").out
    assert intent("diff", "HEAD").code == 1


def test_line_ends_that_git_converts_are_no_change(repo, holds, intent):
    holds(requirement())
    repo.git("config", "core.autocrlf", "true")
    file = repo.store / "requirements/req-0001.md"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert intent("diff").out == "Nothing changed.\n"


def test_n164_formatting_and_a_broken_side_are_named(repo, holds, intent):
    holds(requirement(), requirement("req-0002"), requirement("req-0003"))
    folder = repo.store / "requirements"
    one, other = folder / "req-0001.md", folder / "req-0002.md"
    one.write_bytes(one.read_bytes().replace(b"level: project", b"level: 'project'"))
    other.write_bytes(other.read_bytes().replace(b"status: active", b"status: on"))
    holds(disabled("req-0003"), commit=False)
    done = intent("diff")
    assert done.code == 0
    assert ".cloche/intent/requirements/req-0001.md: no change in meaning" in done.out
    assert (
        "cannot be compared, after: .cloche/intent/requirements/req-0002.md:3:9: I008"
        in done.out
    )
    assert done.out.endswith("\n1 disabled; 1 file cannot be compared.\n")
    repo.commit("broken")
    assert "cannot be compared, before" in intent("diff", "HEAD..HEAD~1").out
    one.write_bytes(one.read_bytes().replace(b"'project'", b"project"))
    assert intent("diff").out.endswith("\nNo change in meaning.\n")


def test_a_conflict_in_the_index_is_named(repo, holds, intent):
    holds(requirement())
    repo.git("switch", "-q", "-c", "topic")
    holds(requirement(statement="Never this."))
    repo.git("switch", "-q", "main")
    holds(requirement(statement="Never that."))
    repo.git("merge", "-q", "topic", check=False)
    done = intent("diff", "--staged")
    assert (done.code, done.err) == (0, "")
    assert "req-0001.md: is in conflict" in done.out
    assert "deleted" not in done.out
    assert "cannot be compared, after" in intent("diff").out


def test_it_reads_bare_repositories_worktrees_and_sha_256(
    repo, holds, intent, tmp_path
):
    holds(requirement())
    holds(disabled("req-0001"))
    bare, linked = tmp_path / "bare.git", tmp_path / "linked"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    repo.git("worktree", "add", "-q", str(linked), "HEAD")
    wanted = intent("diff", "HEAD~1..HEAD").out
    assert "1 disabled." in wanted
    assert intent("diff", "HEAD~1..HEAD", cwd=bare).out == wanted
    assert intent("diff", "HEAD~1..HEAD", cwd=linked).out == wanted
    refused = intent("diff", cwd=bare)
    assert refused.code == 1
    assert "name two commits" in refused.err
    other = Repo.init(tmp_path / "sha256", "--object-format=sha256")
    write_changes(other.path, store(requirement()))
    other.commit()
    write_changes(other.path, store(requirement(updated=T1, status=Status.DISABLED)))
    other.commit()
    assert "1 disabled." in intent("diff", "HEAD~1..", cwd=other.path).out


def test_a_project_below_the_top_is_compared_alone(repo, intent):
    below = repo.path / "svc"
    repo.commit_files({"svc/.cloche/config.toml": ""})
    for root in (repo.path, below):
        write_changes(root, store(requirement()))
    repo.commit()
    write_changes(below, store(disabled("req-0001")))
    assert "1 disabled." in intent("diff", cwd=below).out
    assert intent("diff").out == "Nothing changed.\n"
    repo.commit()
    assert "1 disabled." in intent("diff", "HEAD~1..", cwd=below).out
    assert intent("diff", "HEAD~1..").out == "Nothing changed.\n"


def test_what_cannot_be_compared_is_refused(repo, holds, intent):
    holds(requirement())
    for args, words in (
        (["nope"], "nope: names no commit here"),
        (["--staged", "HEAD..HEAD"], "the index with one commit"),
        (["main...alone"], "no common commit"),
    ):
        repo.git("branch", "-f", "alone", repo.git("commit-tree", "-m", "x", "HEAD:"))
        done = intent("diff", *args)
        assert done.code == 1
        assert words in done.err
    assert intent("diff", "a", "b", "c").code == 2


def test_n165_a_comment_for_a_pull_request(branches, intent):
    done = intent("diff", "main...topic", "--format", "markdown")
    assert done.code == 0
    assert done.out.startswith(
        "<!-- git-intent diff -->\n### Project intent: 1 added, "
    )
    assert "  - <del>Always</del><ins>Never</ins> keep the promise" in done.out


def test_the_json_form_has_the_shape_of_its_example(branches, intent):
    holds = store(requirement("req-0003"), domains="  - name: api\n    paths: [a]\n")
    printed = json.loads(intent("diff", "main...topic", "--format", "json").out)
    assert printed["to"] == branches.git("rev-parse", "topic")
    wanted = example("git intent diff --format json")
    reworded = [c for c in printed["requirements"] if c["what"][0] == "reworded"]
    agree(shape({**printed, "requirements": reworded}), shape(wanted), "diff")
    assert [c["what"][0] for c in printed["requirements"]] == [
        "added",
        "superseded",
        "disabled",
        "enabled",
        "reworded",
    ]
    assert printed["requirements"][0]["by"][0]["actor"] == "agent"
    write_changes(branches.path, holds)
    assert json.loads(intent("diff", "--format", "json").out)["to"] == "worktree"
