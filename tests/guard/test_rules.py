"""The hard rules in every way to make a commit, through the hook that git runs."""

import hashlib
import os
from dataclasses import replace

import pytest

from git_intent.cli.actor import who
from git_intent.store.intent_dir import requirement_path
from git_intent.store.requirement import Status
from git_intent.store.rules import Actor
from tests.support.guarding import RULES, codes, hook, judged, published, put, tried
from tests.support.repo import Repo
from tests.support.snapshots import (
    T1,
    content,
    disabled,
    requirement,
    superseded,
)

ONE = requirement("req-0001")
TWO = requirement("req-0002")
PATH = requirement_path("req-0001")
OTHER = requirement_path("req-0002")
BOTH = [Actor.AGENT, Actor.PERSON]


def edited(found, **changes):
    return replace(found, user_edited=True, updated=T1, **changes)


@pytest.fixture
def guarded(repo: Repo) -> Repo:
    """Two requirements that are there to stay, and the hooks."""
    published(repo, ONE, TWO)
    hook(repo)
    return repo


def everything(repo: Repo):
    """The index, every file of the work tree, and the configuration."""
    files = [p for p in repo.path.rglob("*") if p.is_file() and ".git" not in p.parts]
    return (
        repo.git("ls-files", "-s", "--debug"),
        {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in files},
        (repo.path / ".git" / "config").read_bytes(),
        repo.git("for-each-ref"),
    )


# -- deleting ------------------------------------------------------------------


def remove(repo):
    repo.git("rm", "-q", PATH)


def change_id(repo):
    data = repo.read(PATH).replace(b"id: req-0001", b"id: req-0009")
    repo.write(PATH, data)
    repo.git("add", PATH)


def move(repo):
    repo.git("mv", PATH, requirement_path("req-000a"))
    data = repo.read(requirement_path("req-000a"))
    repo.write(requirement_path("req-000a"), data.replace(b"req-0001", b"req-000a"))
    repo.git("add", "-A")


def remove_store(repo):
    repo.git("rm", "-qr", ".cloche")


def remove_and_add_all(repo):
    (repo.path / PATH).unlink()
    repo.git("add", "-A")


def link(repo):
    (repo.path / PATH).unlink()
    (repo.path / PATH).symlink_to("req-0002.md")
    repo.git("add", "-A")


@pytest.mark.parametrize(
    "change", [remove, change_id, move, remove_store, remove_and_add_all]
)
def test_n035_a_commit_that_loses_a_requirement_is_refused(guarded, change):
    head = guarded.head()
    change(guarded)
    code, said = tried(guarded, "commit", "-m", "change")
    assert (code, guarded.head()) == (1, head), said
    assert "I101" in said


def test_n035_a_link_in_the_place_of_a_requirement_is_a_deletion(guarded):
    link(guarded)
    assert codes(guarded, staged=True) == ["I101"]


def test_n035_a_renamed_requirement_is_told_apart_by_its_id(guarded):
    move(guarded)
    found = judged(guarded, staged=True).issues
    assert [(f.code, f.path) for f in found] == [("I101", PATH)]


# -- the other rules, through git ------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
@pytest.mark.parametrize(
    "after",
    [
        requirement("req-0001", updated=T1),
        disabled("req-0001"),
        superseded("req-0001", "req-0003"),
        requirement("req-0001", status=Status.SUPERSEDED),
    ],
)
def test_n036_superseded_is_the_end_in_a_commit(repo, after, actor):
    published(repo, superseded("req-0001", "req-0002"), TWO, requirement("req-0003"))
    put(repo, after)
    assert set(codes(repo, actor=actor)) == {"I102"}
    repo.git("add", "-A")
    assert set(codes(repo, staged=True, actor=actor)) == {"I102"}


def test_n037_each_side_of_a_merge_closes_half_of_a_circle(guarded):
    guarded.git("checkout", "-qb", "topic")
    put(guarded, superseded("req-0002", "req-0001"))
    guarded.git("commit", "-qam", "theirs")
    guarded.git("checkout", "-q", "main")
    put(guarded, superseded("req-0001", "req-0002"))
    guarded.git("commit", "-qam", "ours")
    code, said = tried(guarded, "merge", "--no-edit", "topic")
    assert code == 1
    assert "I102" in said
    assert "req-0001 -> req-0002 -> req-0001" in said


def test_n037_a_circle_through_files_that_did_not_change(repo):
    chain = [superseded(f"req-000{n}", f"req-000{n + 1}") for n in range(1, 5)]
    published(repo, *chain, requirement("req-0005"))
    put(repo, superseded("req-0005", "req-0001"))
    (found,) = judged(repo).issues
    assert found.code == "I102"
    assert all(f"req-000{n}" in found.message for n in range(1, 6))


@pytest.mark.parametrize("actor", BOTH)
def test_n037_a_successor_that_nobody_has(guarded, actor):
    put(guarded, superseded("req-0001", "req-00ff"))
    assert codes(guarded, actor=actor) == ["I102"]
    put(guarded, superseded("req-0001", "req-0002"))
    assert codes(guarded, actor=actor) == []


def test_n038_an_agent_enables_nothing_in_a_commit(repo):
    published(repo, disabled("req-0001"))
    put(repo, ONE)
    assert codes(repo, actor=Actor.AGENT) == ["I103"]
    assert codes(repo, actor=Actor.PERSON) == []


def test_n038_deleting_first_is_no_way_round_for_an_agent(repo):
    put(repo, disabled("req-0001"))
    repo.commit("a scan's", notes="only here")
    remove(repo)
    assert codes(repo, staged=True, actor=Actor.AGENT) == ["I101"]
    assert codes(repo, staged=True, actor=Actor.PERSON) == []


def test_n043_status_hints_and_confidence_pass(guarded):
    put(guarded, replace(ONE, status=Status.DISABLED, hints=("promise",)))
    wrapped = content(TWO).replace(b"keep the", b"keep\nthe")
    guarded.write(OTHER, wrapped)
    code, said = tried(guarded, "commit", "-qam", "change")
    assert code == 0, said
    assert b"user_edited: false" in guarded.read(PATH)


@pytest.mark.parametrize("actor", BOTH)
def test_n047_origin_does_not_change_in_a_commit(guarded, actor):
    put(guarded, replace(ONE, created=T1))
    assert codes(guarded, actor=actor) == ["I107"]
    same = content(ONE).replace(b"2026-01-01T00:00:00Z", b"2026-01-01T01:00:00+01:00")
    guarded.write(PATH, same)
    assert codes(guarded, actor=actor) == []


# -- merges --------------------------------------------------------------------


def test_n158_a_merge_that_deletes_is_refused_by_its_own_hook(guarded):
    guarded.git("checkout", "-qb", "topic")
    remove(guarded)
    guarded.git("commit", "-q", "--no-verify", "-m", "theirs")
    guarded.git("checkout", "-q", "main")
    head = guarded.commit("ours", notes="two")
    code, said = tried(guarded, "merge", "--no-edit", "topic")
    assert (code, guarded.head()) == (1, head)
    assert "I101" in said


@pytest.mark.parametrize("way", ["merge", "rebase", "cherry-pick"])
def test_n158_what_runs_no_hook_is_found_in_the_range(guarded, way):
    base = guarded.head()
    guarded.git("checkout", "-qb", "topic")
    remove(guarded)
    guarded.git("commit", "-q", "--no-verify", "-m", "theirs")
    guarded.git("checkout", "-q", "main")
    code, said = tried(guarded, way, "topic")
    assert code == 0, said
    assert codes(guarded, from_ref=base) == ["I101"]


def test_n158_a_revert_that_deletes_is_found_in_the_range(guarded):
    put(guarded, requirement("req-0003"))
    base = guarded.commit("third")
    guarded.git("revert", "--no-edit", "HEAD")
    assert codes(guarded, from_ref=base) == ["I101"]


@pytest.mark.parametrize("into", ["ours", "theirs"])
def test_n048_disabled_wins_in_either_direction(guarded, into):
    guarded.git("checkout", "-qb", "theirs")
    put(guarded, superseded("req-0001", "req-0002"))
    guarded.git("commit", "-qam", "superseded")
    guarded.git("checkout", "-qb", "ours", "main")
    put(guarded, disabled("req-0001"))
    guarded.git("commit", "-qam", "disabled")
    other = {"ours": "theirs", "theirs": "ours"}[into]
    guarded.git("checkout", "-q", into)
    tried(guarded, "merge", other)
    put(guarded, disabled("req-0001"))
    guarded.git("add", "-A")
    code, said = tried(guarded, "commit", "-qm", "merge")
    assert code == 0, said
    assert len(guarded.git("rev-list", "--parents", "-1", "HEAD").split()) == 3


def test_n048_values_of_theirs_pass_and_new_ones_do_not(guarded):
    guarded.git("checkout", "-qb", "theirs")
    put(guarded, edited(ONE, statement="Theirs."))
    guarded.git("commit", "-qam", "theirs")
    guarded.git("checkout", "-q", "main")
    guarded.commit("ours", notes="two")
    guarded.git("merge", "-q", "--no-commit", "theirs")
    assert codes(guarded, staged=True, actor=Actor.AGENT) == []
    put(guarded, edited(ONE, statement="Neither."))
    guarded.git("add", "-A")
    assert codes(guarded, staged=True, actor=Actor.AGENT) == ["I104"]


def test_n048_an_octopus_and_what_one_of_its_arms_has(guarded):
    for name in ("a", "b"):
        guarded.git("checkout", "-qb", name, "main")
        put(guarded, requirement(f"req-000{name}"))
        guarded.commit(name)
    guarded.git("checkout", "-q", "main")
    guarded.commit("ours", notes="two")
    guarded.git("merge", "-q", "--no-commit", "a", "b")
    assert codes(guarded, staged=True) == []
    guarded.git("rm", "-qf", requirement_path("req-000b"))
    assert codes(guarded, staged=True) == ["I101"]


def test_a_merge_that_keeps_ours_alone_loses_what_theirs_has(guarded):
    guarded.git("checkout", "-qb", "theirs")
    put(guarded, requirement("req-0003"))
    guarded.commit("theirs")
    guarded.git("checkout", "-q", "main")
    guarded.commit("ours", notes="two")
    code, said = tried(guarded, "merge", "--no-edit", "-s", "ours", "theirs")
    assert code == 1
    assert "I101" in said


# -- amending --------------------------------------------------------------------


def test_n049_an_amended_commit_drops_what_it_alone_has(guarded):
    put(guarded, requirement("req-0003"))
    guarded.commit("third", notes="three")
    guarded.git("rm", "-q", requirement_path("req-0003"))
    code, said = tried(guarded, "commit", "-q", "--amend", "-m", "less")
    assert code == 0, said


def test_n049_an_amended_commit_keeps_what_its_parent_has(guarded):
    guarded.commit("third", notes="two")
    remove(guarded)
    assert tried(guarded, "commit", "-q", "--amend", "-m", "less")[0] == 1


def test_n049_what_is_published_is_not_amended_away(guarded, tmp_path):
    put(guarded, requirement("req-0003"))
    guarded.commit("third")
    guarded.git("init", "-q", "--bare", str(tmp_path / "there"))
    guarded.git("push", "-q", str(tmp_path / "there"), "main")
    guarded.git("remote", "add", "origin", str(tmp_path / "there"))
    guarded.git("fetch", "-q", "origin")
    guarded.git("rm", "-q", requirement_path("req-0003"))
    assert codes(guarded, staged=True) == ["I101"]


def test_a_message_is_amended_whatever_the_branch_did_before(guarded):
    guarded.commit("third", notes="two")
    code, said = tried(guarded, "commit", "-q", "--amend", "-m", "other words")
    assert code == 0, said


# -- which bytes -----------------------------------------------------------------


def test_n157_what_is_staged_counts_not_the_work_tree(guarded):
    put(guarded, replace(ONE, created=T1))
    guarded.git("add", PATH)
    put(guarded, ONE)
    assert codes(guarded, staged=True) == ["I107"]
    assert codes(guarded) == []
    assert tried(guarded, "commit", "-m", "x")[0] == 1


def test_n157_what_is_not_staged_does_not_count(guarded):
    guarded.write("notes", "two")
    guarded.git("add", "notes")
    (guarded.path / PATH).unlink()
    code, said = tried(guarded, "commit", "-m", "x")
    assert code == 0, said


def test_n157_commit_all_takes_the_work_tree(guarded):
    (guarded.path / PATH).unlink()
    assert tried(guarded, "commit", "-am", "x")[0] == 1


def test_n157_commit_of_a_path_takes_that_path_alone(guarded):
    guarded.git("rm", "-q", PATH)  # staged, but not what is committed
    guarded.write("notes", "two")
    code, said = tried(guarded, "commit", "-m", "x", "notes")
    assert code == 0, said
    assert tried(guarded, "commit", "-m", "x", PATH)[0] == 1


def test_n157_an_index_of_ones_own(guarded, monkeypatch, tmp_path):
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    guarded.git("read-tree", "HEAD")
    guarded.git("rm", "-q", "--cached", PATH)
    assert codes(guarded, staged=True, environ=os.environ) == ["I101"]
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert codes(guarded, staged=True) == []


def test_n157_a_file_that_is_only_intended_is_not_there_yet(guarded):
    put(guarded, superseded("req-0003", "req-00ff"))
    guarded.git("add", "-N", requirement_path("req-0003"))
    assert codes(guarded, staged=True) == []
    assert codes(guarded) == ["I102"]
    guarded.git("rm", "-q", "--cached", PATH)
    guarded.git("add", "-N", PATH)
    assert codes(guarded, staged=True) == ["I101"]
    assert codes(guarded) == ["I102"]


def test_n157_the_first_commit(repo):
    hook(repo)
    put(repo, superseded("req-0001", "req-0002"))
    repo.git("add", "-A")
    assert tried(repo, "commit", "-m", "first")[0] == 1
    put(repo, TWO)
    repo.git("add", "-A")
    code, said = tried(repo, "commit", "-m", "first")
    assert code == 0, said


def test_n157_nothing_is_judged_that_is_not_merged_yet(guarded):
    guarded.git("checkout", "-qb", "theirs")
    put(guarded, edited(ONE, statement="Theirs."))
    guarded.git("commit", "-qam", "theirs")
    guarded.git("checkout", "-q", "main")
    put(guarded, edited(ONE, statement="Ours."))
    guarded.git("commit", "-qam", "ours")
    tried(guarded, "merge", "theirs")
    done = guarded.intent("check", "--rules")
    assert done.code == 1
    assert "is not merged yet" in done.err


def test_a_linked_work_tree_is_judged_by_its_own_index(guarded, tmp_path):
    linked = Repo(tmp_path / "linked")
    guarded.git("worktree", "add", "-q", str(linked.path), "-b", "topic")
    before = everything(guarded)
    remove(linked)
    code, said = tried(linked, "commit", "-m", "x")
    assert code == 1
    assert "I101" in said
    assert everything(guarded) == before


def test_a_rebase_that_runs_a_command_judges_each_commit(guarded):
    base = guarded.head()
    remove(guarded)
    guarded.git("commit", "-q", "--no-verify", "-m", "bad")
    guarded.commit("more", notes="three")
    script = guarded.path / ".git" / "hooks" / "pre-commit"
    code, said = tried(guarded, "rebase", "-q", "--exec", str(script), base)
    assert code == 1
    assert "I101" in said


def test_a_project_below_the_top_and_one_that_is_gone(repo):
    put(Repo(repo.path / "svc"), ONE)
    put(Repo(repo.path / "my docs"), TWO)
    repo.commit("stores")
    repo.commit("more", notes="one")
    repo.git("rm", "-qr", "svc")
    assert codes(repo, staged=True, root=repo.path / "svc") == ["I101"]
    assert codes(repo, root=repo.path / "svc") == ["I101"]
    assert codes(repo, staged=True, root=repo.path / "my docs") == []


def test_a_hook_changes_nothing_but_what_it_repairs(guarded):
    guarded.write("notes", "dirty")
    guarded.write("untracked", "new")
    guarded.write("intended", "new")
    guarded.git("add", "-N", "intended")
    remove(guarded)
    before = everything(guarded)
    assert guarded.intent("check", "--rules").code == 1
    assert guarded.intent("check", "--staged").code == 1
    assert everything(guarded) == before


# -- the mark of a person's change --------------------------------------------------


def test_n042_the_hook_marks_a_persons_change_and_the_second_try_passes(guarded):
    reworded = content(ONE).replace(b"Always keep", b"Never break")
    guarded.write(PATH, reworded)
    head = guarded.head()
    code, said = tried(guarded, "commit", "-am", "reword")
    assert (code, guarded.head()) == (1, head), said
    marked = guarded.read(PATH)
    assert b"user_edited: true" in marked
    assert b"updated: 2026-01-01" not in marked
    assert marked.splitlines()[-3:] == reworded.splitlines()[-3:]
    code, said = tried(guarded, "commit", "-am", "reword")
    assert code == 0, said


def test_n042_a_file_that_is_staged_in_part_is_left_as_it_is(guarded):
    guarded.write(PATH, content(ONE).replace(b"Always keep", b"Never break"))
    guarded.git("add", PATH)
    half = guarded.read(PATH).replace(b"Never break", b"Do not break")
    guarded.write(PATH, half)
    code, said = tried(guarded, "commit", "-m", "reword")
    assert code == 1
    assert "add the line `user_edited: true`" in said
    assert guarded.read(PATH) == half


def test_n042_line_ends_of_the_work_tree_are_no_other_change(guarded):
    guarded.git("config", "core.autocrlf", "true")
    text = content(ONE).replace(b"Always keep", b"Never break")
    guarded.write(PATH, text.replace(b"\n", b"\r\n"))
    assert tried(guarded, "commit", "-am", "reword")[0] == 1
    assert b"user_edited: true\r\n" in guarded.read(PATH)


def test_n042_a_domain_is_marked_too(repo):
    page = "version: 1\ndomains:\n  - name: core\n    description: {}\n"
    repo.write(".cloche/intent/domains.yaml", page.format("The core."))
    published(repo, ONE)
    hook(repo)
    repo.write(".cloche/intent/domains.yaml", page.format("The heart."))
    assert tried(repo, "commit", "-am", "reword")[0] == 1
    assert b"user_edited: true" in repo.read(".cloche/intent/domains.yaml")
    code, said = tried(repo, "commit", "-am", "reword")
    assert code == 0, said


def test_an_agents_change_is_not_marked(guarded, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    reworded = content(ONE).replace(b"Always keep", b"Never break")
    guarded.write(PATH, reworded)
    code, said = tried(guarded, "commit", "-am", "reword")
    assert code == 0, said
    assert guarded.read(PATH) == reworded


# -- one judgement, many states ------------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
def test_n052_work_tree_index_and_commit_are_judged_alike(repo, actor):
    old = [ONE, disabled("req-0002"), requirement("req-0003", user_edited=True)]
    published(repo, *old, superseded("req-0004", "req-0001"))
    base = repo.head()
    put(repo, replace(ONE, statement="Other words."), requirement("req-0002"))
    put(repo, replace(old[2], statement="Mine now."), requirement("req-0004"))
    work_tree = judged(repo, actor=actor).issues
    repo.git("add", "-A")
    index = judged(repo, actor=actor, staged=True).issues
    repo.git("commit", "-qm", "x")
    commit = judged(repo, actor=actor, from_ref=base, told=True).issues
    assert work_tree == index == commit
    assert len({found.code for found in commit}) >= 2


def test_the_hooks_of_a_scans_commit_know_that_a_scan_makes_it(repo):
    repo.commit("first", **{"CLAUDE.md": "# Rules\n\nNever bump the major version.\n"})
    hook(repo, "pre-commit", command=f"env > seen; {RULES}")
    done = repo.intent("scan")
    assert done.code == 0, done.err
    run = repo.git("log", "-1", "--format=%(trailers:key=Intent-Scan,valueonly)")
    assert f"GIT_INTENT_SCAN={run.strip()}" in (repo.path / "seen").read_text("utf-8")
    claim = who(None, {"GIT_INTENT_SCAN": run})
    assert claim.actor is Actor.AGENT
    assert run in claim.reason


def test_n048_a_criss_cross_merge_has_no_single_base_and_needs_none(guarded):
    guarded.git("checkout", "-qb", "one")
    put(guarded, disabled("req-0001"))
    first = guarded.commit("one")
    guarded.git("checkout", "-qb", "two", "main")
    put(guarded, superseded("req-0002", "req-0001"))
    second = guarded.commit("two")
    for name, other in (("one", second), ("two", first)):
        guarded.git("checkout", "-q", name)
        guarded.git("merge", "-q", "--no-edit", other)
        guarded.commit(f"more of {name}", **{name: "work"})
    guarded.git("merge", "-q", "--no-commit", "one")
    assert codes(guarded, staged=True, actor=Actor.AGENT) == []
    put(guarded, ONE)
    guarded.git("add", "-A")
    assert codes(guarded, staged=True, actor=Actor.AGENT) == ["I103"]
