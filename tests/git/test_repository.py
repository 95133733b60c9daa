"""Where a repository lies and what state it is in, in every form that git has."""

import sys
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.git import repository
from git_intent.git.history import commits
from git_intent.git.objects import snapshot
from git_intent.git.repository import NotARepository, Repository
from tests.support.repo import Repo


def found(repo: Repo, below: str = "") -> Repository:
    return Repository.discover(repo.path / below)


def test_a_plain_repository(repo):
    oid = repo.commit("one", a="a")
    here = found(repo)
    assert here.root == here.worktree == repo.path
    assert here.git_dir == here.common_dir == repo.path / ".git"
    assert here.index_file == repo.path / ".git/index"
    assert (here.bare, here.shallow, here.object_format) == (False, False, "sha1")
    head = here.head()
    assert (head.oid, head.branch) == (oid, "refs/heads/main")
    assert (head.unborn, head.detached) == (False, False)
    assert here.exports == {}


def test_n087_unborn_and_detached_heads_are_told_apart(repo):
    head = found(repo).head()
    assert (head.oid, head.branch, head.unborn) == ("", "refs/heads/main", True)
    oid = repo.commit("one")
    repo.git("checkout", "-q", "--detach")
    head = found(repo).head()
    assert (head.oid, head.branch, head.detached) == (oid, "", True)


def test_n087_a_linked_worktree_shares_the_common_directory(repo, tmp_path):
    repo.commit("one")
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    here = Repository.discover(tmp_path / "linked")
    assert here.worktree == here.root == tmp_path / "linked"
    assert here.common_dir == repo.path / ".git"
    assert here.git_dir == repo.path / ".git/worktrees/linked"
    assert here.head().branch == "refs/heads/side"


def test_n096_a_bare_repository_has_no_worktree_but_a_history(repo, tmp_path):
    repo.commit("one", **{".cloche/intent/x": "x"})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    here = Repository.discover(tmp_path / "bare.git")
    assert (here.bare, here.worktree, here.project) == (True, None, "")
    assert snapshot(here, "HEAD", ".cloche/intent") == {".cloche/intent/x": b"x"}
    assert here.ignored(["x"]) == []


def test_n087_sha256(tmp_path):
    repo = Repo.init(tmp_path / "r", "--object-format=sha256")
    oid = repo.commit("one", a="a")
    here = found(repo)
    assert here.object_format == "sha256"
    assert len(here.zero) == 64
    assert here.head().oid == oid
    assert [c.oid for c in commits(here, ["HEAD"])] == [oid]
    assert snapshot(here, "HEAD") == {"a": b"a"}


def test_a_shallow_clone_says_so(repo, tmp_path):
    repo.commit("one")
    repo.commit("two")
    Repo(tmp_path).git("clone", "-q", "--depth=1", f"file://{repo.path}", "s")
    assert Repository.discover(tmp_path / "s").shallow


def test_n087_reftable(tmp_path):
    try:
        repo = Repo.init(tmp_path / "r", "--ref-format=reftable")
    except AssertionError:
        pytest.skip("the installed git knows no reftable")
    oid = repo.commit("one", a="a")
    assert found(repo).head().oid == oid
    assert found(repo).operation() == ""


def test_n095_a_nested_repository_and_a_submodule_are_their_own(repo, tmp_path):
    inner = Repo.init(tmp_path / "inner")
    inner.commit("inner", f="1")
    repo.git("submodule", "--quiet", "add", str(inner.path), "sub")
    nested = Repo.init(repo.path / "nested")
    assert found(repo, "sub").worktree == repo.path / "sub"
    assert found(repo, "sub").git_dir == repo.path / ".git/modules/sub"
    assert found(repo, "nested").worktree == nested.path


def test_n096_the_nearest_project_is_used_up_to_the_top(repo):
    repo.commit_files(
        {".cloche/config.toml": "", "svc/.cloche/config.toml": "", "svc/a/b/c": ""}
    )
    assert found(repo, "svc/a/b").root == repo.path / "svc"
    assert found(repo, "svc/a/b").project == "svc/"
    assert found(repo, "svc/.cloche").root == repo.path / "svc"
    assert found(repo).root == repo.path
    here = found(repo, "svc")
    assert here.from_top("svc/a/b") == "a/b"
    assert here.from_top("other/x") == "../other/x"
    assert here.to_top("a/b") == "svc/a/b"
    assert here.to_top("../other/x") == "other/x"


def test_n096_without_a_project_the_top_is_the_root(repo, monkeypatch):
    (repo.path.parent / ".cloche").mkdir()
    (repo.path / "x").mkdir()
    (repo.path / "x" / ".cloche").write_text("a file")
    assert found(repo, "x").root == repo.path
    monkeypatch.chdir(repo.path / "x")
    assert Repository.discover(Path()).root == repo.path


def test_outside_of_a_repository_it_is_said(tmp_path):
    with pytest.raises(NotARepository, match="not a git repository") as caught:
        Repository.discover(tmp_path)
    assert "git init" in caught.value.hint


def test_n087_a_repository_of_somebody_else_is_refused_with_the_way_out(
    repo, monkeypatch
):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(IntentError, match="belongs to somebody else") as caught:
        found(repo)
    assert f"safe.directory '{repo.path}'" in caught.value.hint


def test_a_form_that_git_does_not_know_is_refused_by_name(repo):
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.future", "x")
    with pytest.raises(IntentError, match=r"cannot open this repository: .*\s+future"):
        found(repo)


def test_inside_the_git_directory_there_is_no_worktree(repo):
    assert found(repo, ".git").worktree is None


def test_a_line_break_in_the_path_is_refused_by_name(tmp_path):
    repo = Repo.init(tmp_path / "a\nb")
    with pytest.raises(IntentError, match="line break"):
        found(repo)


def test_n034_blanks_and_umlauts_in_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("LANG", "C")
    repo = Repo.init(tmp_path / "mein Ordner ü ⚙")
    repo.commit_files({".cloche/a": ""})
    here = found(repo, ".cloche")
    assert here.root == repo.path
    assert here.ignored(["x"]) == []


def test_n087_what_the_caller_exports_is_honoured_and_passed_on(
    repo, tmp_path, monkeypatch
):
    repo.commit("one", a="a")
    other = Repo.init(tmp_path / "other")
    monkeypatch.chdir(other.path)
    monkeypatch.setenv("GIT_DIR", "../project/.git")
    monkeypatch.setenv("GIT_WORK_TREE", "../project")
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    here = Repository.discover(Path())
    assert here.git_dir == repo.path / ".git"
    assert here.worktree == repo.path
    assert here.index_file == tmp_path / "index"
    assert here.git("rev-parse", "HEAD").decode().strip() == here.head().oid
    monkeypatch.delenv("GIT_DIR")
    assert here.head().branch == "refs/heads/main"


def test_n087_the_index_that_git_commit_gives_a_hook_is_the_one_read(
    repo, tmp_path, monkeypatch
):
    """`git commit -a` in a linked worktree: git exports where its index lies."""
    repo.commit_files({"x/a": "a"}, "one")
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    program = (
        "from pathlib import Path\n"
        "from git_intent.git.objects import index_snapshot\n"
        "from git_intent.git.repository import Repository\n"
        "here = Repository.discover(Path())\n"
        "print(here.worktree, index_snapshot(here))\n"
    )
    script = f"#!/bin/sh\nexec {sys.executable} -c '{program}' > {tmp_path}/out\n"
    hook = repo.write(".git/hooks/pre-commit", script)
    hook.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(Path(repository.__file__).parents[2]))
    linked.write("x/a", "changed")
    linked.git("commit", "-q", "-a", "-m", "m")
    seen = (tmp_path / "out").read_text()
    assert seen == f"{linked.path} {{'x/a': b'changed'}}\n"


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        (["merge", "side"], "merge"),
        (["rebase", "side"], "rebase"),
        (["rebase", "--apply", "side"], "rebase"),
        (["cherry-pick", "side"], "cherry-pick"),
        (["revert", "HEAD~1"], "revert"),
        (["bisect", "start"], "bisect"),
        (["am", "patch"], "am"),
        (["status"], ""),
    ],
)
def test_n086_what_is_in_progress_is_named(repo, tmp_path, begin, name):
    repo.commit("one", a="1\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", a="s\n")
    repo.git("format-patch", "-q", "-1", "-o", str(tmp_path))
    next(tmp_path.glob("*.patch")).rename(repo.path / "patch")
    repo.git("checkout", "-q", "main")
    repo.commit_files({"a": "2\n"}, "two")
    repo.commit_files({"a": "3\n"}, "three")
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    repo.git(*begin, check=False)
    assert found(repo).operation() == name
    # begun in another worktree, it is of no concern
    assert Repository.discover(tmp_path / "linked").operation() == ""


def test_n086_a_sequence_between_two_of_its_commits_is_in_progress(repo):
    repo.commit("one", a="1\n", b="1\n", c="1\n")
    for name in "cba":
        repo.commit(name, **{name: "2\n"})
    repo.commit("four", a="3\n")
    repo.git("revert", "HEAD~1", "HEAD~2", "HEAD~3", check=False)
    assert found(repo).operation() == "revert"
    repo.commit("solved", a="4\n")
    assert not (repo.path / ".git/REVERT_HEAD").exists()
    assert found(repo).operation() == "revert"
    repo.git("revert", "--continue", "--no-edit", check=False)
    assert found(repo).operation() == ""


def test_n085_the_line_that_ignores_a_path_is_named(repo, home):
    repo.commit_files(
        {".gitignore": "# words\n*.yaml\n!keep.yaml\n", "tracked.yaml": ""}
    )
    repo.write(".git/info/exclude", "\nprivate/\n")
    (home / "ignore").write_text("*.bak\n")
    repo.git("config", "core.excludesFile", str(home / "ignore"))
    repo.git("add", "-f", "tracked.yaml")
    here = found(repo)
    paths = [
        ":x.yaml",
        "a.yaml",
        "keep.yaml",
        "tracked.yaml",
        "private/x",
        "y.bak",
        "z.md",
        "ü.yaml",
    ]
    told = {i.path: (i.source, i.line, i.pattern) for i in here.ignored(paths)}
    assert told == {
        ":x.yaml": (".gitignore", 2, "*.yaml"),
        "a.yaml": (".gitignore", 2, "*.yaml"),
        "ü.yaml": (".gitignore", 2, "*.yaml"),
        "private/x": (".git/info/exclude", 2, "private/"),
        "y.bak": (str(home / "ignore"), 1, "*.bak"),
    }
    assert here.ignored([]) == []


def test_n083_identity_is_what_git_was_told(repo, home, monkeypatch):
    assert found(repo).identity() == ("A Person", "person@example.invalid")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Other <x")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "o@x")
    assert found(repo).identity() == ("Other x", "o@x")
    monkeypatch.delenv("GIT_COMMITTER_NAME")
    (home / ".gitconfig").write_text("")
    assert found(repo).identity() is None


@pytest.mark.parametrize(
    "rev", ["", "nothing", "0" * 40, "f" * 40, "-x", "--all", "HEAD:a", "HEAD^{tree}"]
)
def test_n066_what_names_no_commit_resolves_to_nothing(repo, rev):
    repo.commit("one", a="a")
    assert found(repo).resolve(rev) is None


def test_n066_a_tag_object_resolves_to_its_commit(repo):
    oid = repo.commit("one")
    repo.git("tag", "-a", "-m", "t", "v1")
    tag = repo.git("rev-parse", "v1")
    assert tag != oid
    assert found(repo).resolve(tag) == oid
    assert found(repo).resolve(oid[:10]) == oid
