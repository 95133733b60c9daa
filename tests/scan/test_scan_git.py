"""A scan in every state that git can be in."""

import os
import stat
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.lock import LockHeld, ProjectLock
from git_intent.scan.pipeline import StepFailed
from git_intent.store.intent_dir import read_snapshot
from tests.support.repo import STORE, Repo
from tests.support.scanning import scan

DOC = "# Style\n\nRule: use tabs.\nRule: be kind.\n"


def all_of(folder):
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def hook(repo, name, script):
    path = Path(repo.git("rev-parse", "--git-path", f"hooks/{name}"))
    path = repo.path / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize(
    ("where", "pattern"),
    [
        (".gitignore", ".cloche/"),
        (".gitignore", "*.yaml"),
        (".git/info/exclude", ".cloche/intent"),
        ("global", "requirements/"),
    ],
)
def test_n085_an_ignored_store_is_named_before_any_work(repo, home, where, pattern):
    repo.commit("one", **{"CLAUDE.md": DOC})
    if where == "global":
        target = home / "ignore"
        repo.git("config", "core.excludesFile", str(target))
    else:
        target = repo.path / where
    target.parent.mkdir(exist_ok=True)
    target.write_text(f"# a comment\n{pattern}\n")
    with pytest.raises(IntentError) as caught:
        scan(repo.path)
    assert f"{target.name}:2" in caught.value.message
    assert pattern in caught.value.message
    assert not (repo.path / ".git" / "intent").exists()


OPERATIONS = ["merge", "rebase", "cherry-pick", "revert", "bisect", "am"]


def begin(repo, operation):
    """Leave the repository in the middle of an operation."""
    repo.commit("one", f="base\n", **{"CLAUDE.md": DOC})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", f="side\n")
    patch = repo.git("format-patch", "--stdout", "-1") + "\n"
    repo.git("checkout", "-q", "main")
    mine = repo.commit("main", f="main\n")
    if operation == "bisect":
        repo.git("bisect", "start")
    elif operation == "am":
        repo.git("am", "-q", input=patch, check=False)
    elif operation == "revert":
        repo.commit("more", f="more\n")
        repo.git("revert", "--no-edit", mine, check=False)
    else:
        repo.git(operation, "side" if operation != "cherry-pick" else side, check=False)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_n086_in_the_middle_of_an_operation_nothing_is_touched(repo, operation):
    begin(repo, operation)
    before = all_of(repo.path)
    with pytest.raises(IntentError, match=operation):
        scan(repo.path)
    assert all_of(repo.path) == before


def test_n086_an_operation_in_another_worktree_does_not_matter(repo, tmp_path):
    begin(repo, "merge")
    repo.git("worktree", "add", "-q", str(tmp_path / "other"), "side")
    other = Repo(tmp_path / "other")
    assert len(scan(other.path).created) == 2
    assert other.status() == ""


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg"])
def test_n084_a_hook_that_refuses_leaves_everything_and_can_be_resumed(repo, name):
    repo.commit("one", **{"CLAUDE.md": DOC})
    scan(repo.path)
    repo.commit("two", **{"CLAUDE.md": DOC.replace("tabs", "spaces"), "src": "1"})
    repo.write("src", "unstaged")
    hook(repo, name, "echo not today >&2; exit 1")
    before = read_snapshot(repo.path), repo.status(), repo.head()
    with pytest.raises(StepFailed, match="not today") as caught:
        scan(repo.path)
    assert caught.value.step == "commit"
    assert (read_snapshot(repo.path), repo.status(), repo.head()) == before
    assert repo.read("src") == b"unstaged"
    hook(repo, name, "exit 0")
    report = scan(repo.path, resume=True)
    assert len(report.superseded) == 1
    assert repo.git("diff", "--name-only") == "src"


def test_n083_a_signature_that_cannot_be_made_is_exit_1_with_the_store_as_before(repo):
    repo.commit("one", **{"CLAUDE.md": DOC})
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.program", "false")
    with pytest.raises(StepFailed, match="sign"):
        scan(repo.path)
    assert not (repo.path / ".cloche").exists()
    assert repo.status() == ""


def test_n087_on_a_detached_head(repo):
    repo.commit("one", **{"CLAUDE.md": DOC})
    main = repo.commit("two", a="1")
    repo.git("checkout", "-q", "--detach")
    report = scan(repo.path)
    assert repo.head() == report.commit
    assert repo.git("rev-parse", "main") == main
    assert repo.status() == ""


def test_n087_in_a_linked_worktree_the_main_checkout_is_left_alone(repo, tmp_path):
    repo.commit("one", **{"CLAUDE.md": DOC})
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Repo(tmp_path / "side")
    main, index = repo.head(), (repo.path / ".git" / "index").read_bytes()
    scan(side.path)
    assert len(list((side.store / "requirements").iterdir())) == 2
    assert side.status() == repo.status() == ""
    assert repo.head() == main
    assert (repo.path / ".git" / "index").read_bytes() == index
    assert not repo.store.exists()


def test_n087_in_a_sparse_checkout(repo):
    repo.commit_files({"CLAUDE.md": DOC, "big/x": "1", "src/y": "2"})
    repo.git("sparse-checkout", "set", "src")
    report = scan(repo.path)
    assert len(report.created) == 2
    assert repo.git("ls-files", "big") == "big/x"
    assert repo.status() == ""
    assert scan(repo.path).quiet


def test_n087_in_a_sha256_repository(tmp_path):
    repo = Repo.init(tmp_path / "p", "--object-format=sha256")
    repo.commit("one\n\nRule: sign tags.", **{"CLAUDE.md": DOC})
    assert len(scan(repo.path).created) == 3
    assert repo.status() == ""
    assert scan(repo.path).quiet


def test_n087_with_the_repository_named_by_the_environment(repo, tmp_path, monkeypatch):
    repo.commit("one", **{"CLAUDE.md": DOC})
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repo.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git" / "index"))
    monkeypatch.chdir(tmp_path)
    scan(repo.path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name)
    assert repo.status() == ""
    assert len(list((repo.store / "requirements").iterdir())) == 2


def test_n096_in_a_monorepo_the_nearest_project_alone_is_scanned(repo):
    repo.commit_files(
        {"CLAUDE.md": DOC, ".cloche/x": "", "svc/.cloche/x": "", "svc/README.md": DOC}
    )
    scan(repo.path / "svc")
    touched = repo.git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert all(path.startswith("svc/.cloche/intent/") for path in touched)
    assert repo.status() == ""


def test_n096_a_bare_repository_is_refused(tmp_path):
    repo = Repo.init(tmp_path / "p.git", "--bare")
    with pytest.raises(IntentError, match="bare"):
        scan(repo.path)


def test_n089_a_second_scan_names_the_holder_and_does_not_wait(repo, tmp_path):
    repo.commit("one", **{"CLAUDE.md": DOC})
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    with ProjectLock(repo.path / ".git").acquire("scan"):
        for place in (repo.path, tmp_path / "side"):
            with pytest.raises(LockHeld, match=str(os.getpid())):
                scan(place)
    assert len(scan(repo.path).created) == 2


@pytest.mark.parametrize(
    "file", ["requirements/req-0001.md", "domains.yaml", "scan-state.yaml"]
)
def test_n024_conflict_markers_stop_the_scan_at_their_place(repo, file):
    text = "<<<<<<< HEAD\nx: 1\n=======\nx: 2\n>>>>>>> other\n"
    repo.commit_files({"CLAUDE.md": DOC, f"{STORE}/{file}": text})
    before = all_of(repo.store)
    with pytest.raises(IntentError, match=rf"{file}:1"):
        scan(repo.path)
    assert all_of(repo.store) == before


def test_n018_broken_domains_stop_the_scan_and_are_not_overwritten(repo):
    broken = "version: 1\ndomains:\n  - name: a\n    description: x: y\n"
    repo.commit_files({"CLAUDE.md": DOC, f"{STORE}/domains.yaml": broken})
    with pytest.raises(IntentError, match=r"domains\.yaml:4"):
        scan(repo.path)
    assert (repo.store / "domains.yaml").read_text() == broken


def test_n025_a_symlinked_store_is_refused_by_name(repo, tmp_path):
    repo.commit("one", **{"CLAUDE.md": DOC})
    (repo.path / ".cloche").mkdir()
    (tmp_path / "outside").mkdir()
    (repo.path / ".cloche" / "intent").symlink_to(tmp_path / "outside")
    with pytest.raises(IntentError, match="symbolic link"):
        scan(repo.path)
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize(
    "rewrite", ["amend", "rebase", "squash", "reset", "shallow", "gone", "zeros"]
)
def test_n066_a_rewritten_history_doubles_nothing(repo, tmp_path, rewrite):
    repo.commit("base", a="0")
    repo.commit("one\n\nRule: sign tags.", **{"CLAUDE.md": DOC})
    repo.commit("two", a="1")
    scan(repo.path)
    place = repo
    if rewrite == "amend":
        repo.git("commit", "-q", "--amend", "-m", "other words")
    elif rewrite == "rebase":
        repo.git("rebase", "-q", "--force-rebase", "--root")
    elif rewrite == "squash":
        repo.git("reset", "-q", "--soft", "HEAD~3")
        repo.git("commit", "-q", "-m", "all in one\n\nRule: sign tags.")
    elif rewrite == "reset":
        tree = repo.git("rev-parse", "HEAD^{tree}")
        new = repo.git("commit-tree", "-m", "anew\n\nRule: sign tags.", tree)
        repo.git("update-ref", "refs/heads/main", new)
        repo.git("reflog", "expire", "--expire=now", "--all")
        repo.git("gc", "-q", "--prune=now")
    elif rewrite == "shallow":
        url = f"file://{repo.path}"
        repo.git("clone", "-q", "--depth=1", url, str(tmp_path / "clone"))
        place = Repo(tmp_path / "clone")
    else:
        path = repo.store / "scan-state.yaml"
        value = "0" * 40 if rewrite == "zeros" else "1" * 40
        text = path.read_text()
        first = text.splitlines()[0]
        path.write_text(text.replace(first, f"last_commit: '{value}'"))
        repo.commit("lost")
    report = scan(place.path)
    assert report.created == report.superseded == ()
    assert len(list((place.store / "requirements").iterdir())) == 3
    assert place.status() == ""
    assert scan(place.path).quiet


def test_n067_what_either_branch_has_read_is_not_read_again(repo):
    repo.commit("base", a="0")
    scan(repo.path)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side\n\nRule: sign tags.", b="1")
    scan(repo.path)
    repo.git("checkout", "-q", "main")
    repo.commit("main\n\nRule: be kind.", c="1")
    scan(repo.path)
    repo.git("merge", "-q", "-m", "merge", "-X", "ours", "side")
    report = scan(repo.path)
    assert report.created == report.merged == ()
    assert len(list((repo.store / "requirements").iterdir())) == 2


def test_n087_a_sparse_checkout_without_the_store_still_knows_it(repo, tmp_path):
    repo.commit_files({"CLAUDE.md": DOC, "src/y": "2"})
    scan(repo.path)
    repo.git("clone", "-q", "--sparse", str(repo.path), str(tmp_path / "c"))
    clone = Repo(tmp_path / "c")
    assert not clone.store.exists()
    assert scan(clone.path).quiet
    clone.write("CLAUDE.md", DOC.replace("tabs", "spaces"))
    clone.git("commit", "-q", "-am", "spaces")
    report = scan(clone.path)
    assert [i.statement for i in report.superseded] == ["Rule: use tabs."]
    assert len(report.created) == 1
    assert clone.status() == ""
    assert clone.git("diff", "--stat", "HEAD") == ""
    assert len(clone.git("ls-tree", "HEAD", f"{STORE}/requirements/").splitlines()) == 3
