"""A commit of exactly the given paths: nothing else of the user's moves."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

from git_intent import files
from git_intent.errors import IntentError
from git_intent.git import pending
from git_intent.git.commit import CommitRefusedError, Signing, commit_paths
from git_intent.git.hooks import HookRefusedError
from git_intent.git.refs import RefMovedError
from git_intent.git.repository import Repository
from tests.support.repo import Repo

ONE = ".cloche/intent/requirements/req-0001.md"
TWO = ".cloche/intent/requirements/req-0002.md"
TEXT = {ONE: b"one\n", TWO: b"two\n"}
FAST = Signing(seconds=5)

COMMIT = f"""
import os, signal, sys
from pathlib import Path
from git_intent import files
from git_intent.git.commit import commit_paths
from git_intent.git.repository import Repository
here = Repository.discover(Path(sys.argv[1]))
START
commit_paths(here, {TEXT!r}, "m", base=here.head().oid, judge=lambda a, b: [])
"""


@pytest.fixture(autouse=True)
def _temporary(tmp_path_factory, monkeypatch):
    """Whatever is built aside lies where the test can look for leftovers."""
    folder = tmp_path_factory.mktemp("aside")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield
    assert list(folder.iterdir()) == []


def allow(before, after):
    return []


def state(repo: Repo, *, reflog: bool = True):
    """What git knows, and every file of the work tree."""
    found = [repo.git("rev-parse", "-q", "--verify", "HEAD", check=False)]
    found += [repo.git("symbolic-ref", "-q", "HEAD", check=False)]
    found += [repo.git("for-each-ref"), repo.git("ls-files", "-s"), repo.status()]
    found += [
        (path, path.read_bytes())
        for path in sorted(repo.path.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(repo.path).parts
    ]
    return found


def write_and_commit(
    repo: Repo, changes=TEXT, message="scan\n\nIntent-Scan: r\n", **more
):
    """Do as the scan does: write the files, then commit them."""
    for path, data in changes.items():
        if data is None:
            (repo.path / path).unlink()
        else:
            repo.write(path, data)
    found = Repository.discover(more.pop("cwd", repo.path))
    more.setdefault("base", found.head().oid)
    more.setdefault("judge", allow)
    return commit_paths(found, changes, message, signing=FAST, **more)


def hook(repo: Repo, name: str, script: str, folder: str = ".git/hooks") -> Path:
    path = repo.write(f"{folder}/{name}", f"#!/bin/sh\n{textwrap.dedent(script)}")
    path.chmod(0o755)
    return path


@pytest.fixture
def mess(repo: Repo, tmp_path: Path) -> Repo:
    """Staged, dirty, half-staged, untracked, intent-to-add, and a dirty submodule."""
    inner = Repo.init(tmp_path / "inner")
    inner.commit("inner", f="1\n")
    repo.git("submodule", "--quiet", "add", str(inner.path), "sub")
    repo.commit("first", a="a\n", b="b\n", half="h\n", gone="g\n")
    repo.write("a", "staged\n")
    repo.write("new", "staged and new\n")
    repo.write("half", "staged\n")
    repo.git("add", "a", "new", "half")
    repo.write("half", "half staged\n")
    repo.write("b", "dirty\n")
    repo.write("c", "untracked\n")
    repo.write("d", "intended\n")
    repo.git("add", "-N", "d")
    repo.git("rm", "-q", "gone")
    repo.write("sub/f", "dirty inside\n")
    return repo


def test_n080_only_the_given_paths_are_committed_and_all_else_stays(mess):
    before = state(mess)
    entries = mess.git("ls-files", "-s").splitlines()
    oid = write_and_commit(mess)
    assert oid == mess.head()
    names = mess.git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert names == [ONE, TWO]
    assert mess.status() == before[4]
    assert set(mess.git("ls-files", "-s").splitlines()) - set(entries) == set(
        mess.git("ls-files", "-s", ".cloche").splitlines()
    )
    assert set(entries) < set(mess.git("ls-files", "-s").splitlines())
    assert mess.git("diff-files", "--name-only").splitlines() == [
        "b",
        "d",
        "half",
        "sub",
    ]
    mess.git("fsck", "--strict")


def test_a_change_and_a_removal_are_committed(repo):
    write_and_commit(repo)
    assert repo.status() == ""
    write_and_commit(repo, {ONE: b"changed\n", TWO: None})
    assert repo.status() == ""
    assert repo.git("ls-tree", "-r", "--name-only", "HEAD") == ONE
    assert repo.git("show", f"HEAD:{ONE}") == "changed"


def test_nothing_changed_is_no_commit(repo):
    oid = write_and_commit(repo)
    before = state(repo)
    assert write_and_commit(repo) == ""
    assert write_and_commit(repo, {}) == ""
    assert repo.head() == oid
    assert state(repo) == before


def test_a_staged_version_of_a_committed_path_stays_staged(repo):
    write_and_commit(repo)
    repo.write(ONE, "mine\n")
    repo.git("add", ONE)
    found = Repository.discover(repo.path)
    commit_paths(found, {ONE: b"ours\n"}, "m", base=repo.head(), judge=allow)
    assert repo.git("show", f":{ONE}") == "mine"
    assert repo.git("show", f"HEAD:{ONE}") == "ours"
    assert repo.read(ONE) == b"mine\n"


def test_an_edit_made_meanwhile_is_neither_committed_nor_staged(repo):
    repo.commit("first", a="a")
    repo.write(ONE, "edited meanwhile\n")
    found = Repository.discover(repo.path)
    commit_paths(found, {ONE: b"ours\n"}, "m", base=repo.head(), judge=allow)
    assert repo.git("show", f"HEAD:{ONE}") == "ours"
    assert repo.status().split(" ")[1] == ".M"


def test_the_mode_of_a_file_stays(repo):
    repo.write(ONE, "x").chmod(0o755)
    repo.commit("first")
    write_and_commit(repo)
    assert repo.git("ls-tree", "HEAD", ONE).startswith("100755")
    assert repo.status() == ""


@pytest.mark.parametrize("rule", ["*.md text eol=crlf", "*.md filter=twice"])
def test_bytes_pass_through_the_filters_of_the_repository(repo, rule):
    repo.git("config", "filter.twice.clean", "sed s/o/oo/g")
    repo.git("config", "filter.twice.smudge", "sed s/oo/o/g")
    repo.commit_files({".gitattributes": rule + "\n"})
    write_and_commit(repo, {ONE: b"one\r\nto\r\n"})
    assert repo.status() == ""
    stored = len(b"one\nto\n") if "eol" in rule else len(b"oone\r\ntoo\r\n")
    assert repo.git("cat-file", "-s", f"HEAD:{ONE}") == str(stored)


def test_n083_message_author_and_reflog_are_the_users(repo):
    repo.commit("first")
    write_and_commit(
        repo, message="intent scan: created 2\n\n# kept\n\nIntent-Scan: r1\n"
    )
    assert repo.git("log", "-1", "--format=%an <%ae> %cn <%ce>") == (
        "A Person <person@example.invalid> A Person <person@example.invalid>"
    )
    assert repo.git("log", "-1", "--format=%B").rstrip() == (
        "intent scan: created 2\n\n# kept\n\nIntent-Scan: r1"
    )
    assert (
        repo.git("log", "-1", "--format=%(trailers:key=Intent-Scan,valueonly)")
        == "r1\n"
    )
    for ref in ("HEAD", "main"):
        reflog = repo.git("reflog", "-1", "--format=%gs", ref)
        assert reflog == "commit: intent scan: created 2"


@pytest.mark.parametrize("cleanup", ["strip", "scissors", "verbatim"])
def test_n083_the_message_is_not_cleaned_up_as_if_edited(repo, cleanup):
    repo.git("config", "commit.cleanup", cleanup)
    repo.git("config", "i18n.commitEncoding", "latin1")
    write_and_commit(repo, message="s\n\n# größer\n# ---- >8 ----\nend\n")
    assert (
        repo.git("log", "-1", "--encoding=UTF-8", "--format=%B")
        == "s\n\n# größer\n# ---- >8 ----\nend\n"
    )


def test_n083_without_identity_the_documented_one_is_used(repo, home):
    (home / ".gitconfig").write_text("[init]\n\tdefaultBranch = main\n")
    write_and_commit(repo)
    assert repo.git("log", "-1", "--format=%an <%ae> %cn <%ce>") == (
        "cloche <cloche@local> cloche <cloche@local>"
    )


def test_n083_only_the_half_that_is_unknown_falls_back(repo, home, monkeypatch):
    (home / ".gitconfig").write_text("")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Author")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "author@x")
    write_and_commit(repo)
    assert repo.git("log", "-1", "--format=%an %ae %cn") == "Author author@x cloche"


def test_n083_an_ssh_signature_is_made_if_configured(repo, tmp_path):
    key = tmp_path / "key"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True
    )
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingKey", str(key))
    write_and_commit(repo)
    assert "BEGIN SSH SIGNATURE" in repo.git("cat-file", "commit", "HEAD")
    (tmp_path / "allowed").write_text(
        f"person@example.invalid {key.with_suffix('.pub').read_text()}"
    )
    repo.git("config", "gpg.ssh.allowedSignersFile", str(tmp_path / "allowed"))
    repo.git("verify-commit", "HEAD")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 1", "could not be written or signed"),
        ("sleep 600", "no answer within 1 seconds"),
        ("cat < /dev/tty", "could not be written or signed"),
    ],
)
def test_n083_without_a_signature_nothing_is_committed(repo, tmp_path, script, words):
    repo.commit("first", a="a")
    program = tmp_path / "gpg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.program", str(program))
    for path, data in TEXT.items():
        repo.write(path, data)
    before = state(repo)
    with pytest.raises(IntentError, match=words):
        commit_paths(
            Repository.discover(repo.path),
            TEXT,
            "m",
            base=repo.head(),
            judge=allow,
            signing=Signing(seconds=1),
        )
    assert state(repo) == before
    assert not list((repo.path / ".git/intent").iterdir())


def test_the_judge_sees_both_stores_and_can_refuse(repo):
    write_and_commit(repo, {ONE: b"one\n"})
    repo.write(TWO, "two\n")
    before = state(repo)
    seen = []

    def judge(old, new):
        seen.append((dict(old), dict(new)))
        return ["I101 no"]

    with pytest.raises(CommitRefusedError, match="I101 no"):
        write_and_commit(repo, {TWO: b"two\n"}, judge=judge)
    assert seen == [({ONE: b"one\n"}, {ONE: b"one\n", TWO: b"two\n"})]
    assert state(repo) == before


@pytest.mark.parametrize("name", ["pre-commit", "prepare-commit-msg", "commit-msg"])
@pytest.mark.parametrize("dirty", [False, True])
def test_n084_a_hook_that_refuses_is_quoted_and_nothing_changed(repo, name, dirty):
    repo.commit("first", a="a\n")
    hook(repo, name, 'echo "I do not like it"; exit 3\n')
    if dirty:
        repo.write("a", "edited\n")
    for path, data in TEXT.items():
        repo.write(path, data)
    before = state(repo)
    with pytest.raises(HookRefusedError, match="I do not like it") as caught:
        write_and_commit(repo)
    assert caught.value.hook == name
    assert state(repo) == before
    assert list((repo.path / ".git/intent").iterdir()) == []


SEEN = """
{{ pwd; git rev-parse --show-toplevel --git-dir --abbrev-ref HEAD
git diff --cached --name-only; echo --; git diff --name-only; echo --
cat a; echo "$GIT_EDITOR/$GIT_PREFIX/$GIT_ALLOW_PROTOCOL/$GIT_LITERAL_PATHSPECS"
echo "$@"; }} > {out}
"""


def test_n084_in_a_clean_tree_hooks_run_in_place_as_git_commit_runs_them(
    repo, tmp_path, monkeypatch
):
    repo.commit("first", a="a\n")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"):
        hook(repo, name, SEEN.format(out=f"$OUT.{name}"))
    monkeypatch.setenv("OUT", str(ours))
    write_and_commit(repo)
    repo.git("reset", "-q", "--soft", "HEAD~1")
    monkeypatch.setenv("OUT", str(theirs))
    repo.git("commit", "-q", "-m", "same")
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"):
        told = Path(f"{ours}.{name}").read_text().splitlines()
        git = Path(f"{theirs}.{name}").read_text().splitlines()
        assert told[:-1] == git[:-1]
        assert told[-1].split(" ")[1:] == git[-1].split(" ")[1:]


def test_n084_in_a_dirty_tree_hooks_see_a_clean_copy(mess, tmp_path):
    out = tmp_path / "out"
    hook(mess, "pre-commit", SEEN.format(out=out) + "ls >> " + str(out))
    before = mess.status()
    write_and_commit(mess)
    place, top, git_dir, branch, *rest = out.read_text().splitlines()
    assert place == top != str(mess.path)
    assert (git_dir, branch) == (str(mess.path / ".git"), "main")
    assert rest[:4] == [ONE, TWO, "--", "--"]
    assert rest[4] == "a"
    assert rest[-5:] == ["a", "b", "gone", "half", "sub"]
    assert mess.status() == before
    assert not Path(place).exists()


def test_n084_user_files_are_not_moved_even_if_killed_inside_the_hook(mess, tmp_path):
    """What pre-commit does with unstaged changes, and a kill in the middle of it."""
    flag = tmp_path / "flag"
    hook(mess, "pre-commit", f"git checkout -q -- . ; touch {flag}; exec sleep 60\n")
    clean = mess.status()
    for path, data in TEXT.items():
        mess.write(path, data)
    before = state(mess)
    program = COMMIT.replace("START", "")
    with subprocess.Popen(
        [sys.executable, "-c", program, str(mess.path)], start_new_session=True
    ) as child:
        while not flag.exists():
            time.sleep(0.02)
        assert state(mess) == before
        os.killpg(child.pid, signal.SIGKILL)
    assert state(mess) == before
    hook(mess, "pre-commit", "exit 0\n")
    write_and_commit(mess)
    assert mess.status() == clean
    assert list((mess.path / ".git/intent").iterdir()) == []


@pytest.mark.parametrize("dirty", [False, True])
def test_what_a_hook_changes_and_stages_is_committed_and_left_in_the_tree(repo, dirty):
    repo.commit("first", a="a\n")
    hook(repo, "pre-commit", f"echo formatted > {ONE}; git add {ONE}\n")
    if dirty:
        repo.write("a", "edited\n")
    before = repo.status()
    judged = []
    write_and_commit(repo, judge=lambda old, new: judged.append(new[ONE]) or [])
    assert judged == [b"one\n", b"formatted\n"]
    assert repo.git("show", f"HEAD:{ONE}") == "formatted"
    assert repo.read(ONE) == b"formatted\n"
    assert repo.status() == before


def test_a_hook_that_stages_something_else_is_refused(repo):
    repo.commit("first", a="a\n")
    hook(repo, "pre-commit", "echo x > extra; git add extra\n")
    head = repo.head()
    with pytest.raises(IntentError, match="a hook staged extra"):
        write_and_commit(repo)
    assert repo.head() == head
    assert "extra" not in repo.git("ls-files")


def test_a_hook_may_change_the_message_but_not_empty_it(repo):
    hook(repo, "commit-msg", 'echo "Ticket: 7" >> "$1"\n')
    write_and_commit(repo, message="s\n\nIntent-Scan: r\n")
    assert repo.git("log", "-1", "--format=%B") == "s\n\nIntent-Scan: r\nTicket: 7\n"
    hook(repo, "commit-msg", ': > "$1"\n')
    with pytest.raises(IntentError, match="without a message"):
        write_and_commit(repo, {ONE: b"more\n"})


@pytest.mark.parametrize("dirty", [False, True])
@pytest.mark.parametrize("where", ["relative", "absolute"])
def test_n087_hooks_path_is_respected(repo, tmp_path, where, dirty):
    repo.commit("first", a="a\n")
    folder = ".husky/_" if where == "relative" else str(tmp_path / "shared")
    out = tmp_path / "ran"
    hook(repo, "pre-commit", f"touch {out}\n", folder)
    hook(repo, "pre-commit", "exit 1\n")
    repo.git("config", "core.hooksPath", folder)
    if dirty:
        repo.write("a", "edited\n")
    write_and_commit(repo)
    assert out.exists()


def test_a_hook_without_execute_bit_or_first_line_is_treated_as_git_treats_it(repo):
    hook(repo, "pre-commit", "exit 1\n").chmod(0o644)
    write_and_commit(repo)
    repo.write(".git/hooks/pre-commit", "exit 1\n").chmod(0o755)
    with pytest.raises(HookRefusedError):
        write_and_commit(repo, {ONE: b"x\n"})


def test_pre_commit_finds_nothing_to_stash(mess, tmp_path, monkeypatch, home):
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "cache"))
    config = (
        "repos:\n- repo: local\n  hooks:\n  - id: look\n    name: look\n"
        "    language: system\n    entry: cat\n    pass_filenames: true\n"
        "    verbose: true\n"
    )
    write_and_commit(mess, {".pre-commit-config.yaml": config.encode()})
    bin = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{bin}:{os.environ['PATH']}")
    hook(
        mess,
        "pre-commit",
        f"""
        exec > {tmp_path}/out 2>&1
        pre-commit hook-impl --config=.pre-commit-config.yaml \\
            --hook-type=pre-commit --hook-dir "$(dirname "$0")" --
        """,
    )
    before = mess.status()
    write_and_commit(mess)
    out = (tmp_path / "out").read_text()
    assert "Passed" in out
    assert "tash" not in out
    assert "one\ntwo\n" in out
    assert mess.status() == before


@pytest.mark.parametrize(
    "place", ["detached", "linked", "sparse", "unborn", "sha256", "subfolder", "bare"]
)
def test_n087_each_kind_of_work_tree(repo, tmp_path, place):
    where = repo
    if place == "sha256":
        where = Repo.init(tmp_path / "sha", "--object-format=sha256")
    if place != "unborn":
        where.commit_files({"a": "a\n", "x/y": "y\n", "z/y": "y\n"}, "first")
    if place == "detached":
        where.git("checkout", "-q", "--detach")
    if place == "linked":
        where.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
        where = Repo(tmp_path / "linked")
    if place == "sparse":
        where.git("sparse-checkout", "set", "--cone", "x", ".cloche")
    if place == "bare":
        where.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
        with pytest.raises(IntentError, match="bare"):
            write_and_commit(where, cwd=tmp_path / "bare.git")
        return
    hook(repo, "pre-commit", 'test -z "$(git diff --name-only)"\n')
    head = where.git("symbolic-ref", "-q", "HEAD", check=False)
    others = repo.git("for-each-ref", "--format=%(refname) %(objectname)")
    cwd = where.path / "x" if place == "subfolder" else where.path
    oid = write_and_commit(where, cwd=cwd)
    assert where.head() == oid
    assert where.status() == ""
    assert where.git("symbolic-ref", "-q", "HEAD", check=False) == head
    assert (
        where.git("ls-tree", "-r", "--name-only", "HEAD", ".cloche") == f"{ONE}\n{TWO}"
    )
    if place == "linked":
        assert repo.status() == ""
        assert f"refs/heads/main {repo.head()}" in others
    where.git("fsck", "--strict")


def test_n087_what_the_environment_says_about_the_repository_counts(
    repo, tmp_path, monkeypatch
):
    repo.commit("first", a="a\n")
    other = Repo.init(tmp_path / "elsewhere")
    index = tmp_path / "index"
    index.write_bytes((repo.path / ".git/index").read_bytes())
    untouched = (repo.path / ".git/index").read_bytes()
    hook(repo, "pre-commit", "git diff --cached --name-only\n")
    for path, data in TEXT.items():
        repo.write(path, data)
    monkeypatch.chdir(other.path)
    monkeypatch.setenv("GIT_DIR", os.path.relpath(repo.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", os.path.relpath(repo.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    found = Repository.discover(Path())
    oid = commit_paths(found, TEXT, "m", base=found.head().oid, judge=allow)
    assert found.head().oid == oid
    assert (repo.path / ".git/index").read_bytes() == untouched
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name)
    assert repo.head() == oid
    assert (
        repo.git("diff", "--cached", env={**os.environ, "GIT_INDEX_FILE": str(index)})
        == ""
    )


def test_n096_a_project_in_a_subfolder_commits_its_own_store(repo):
    repo.write(f"svc/{ONE}", "old").chmod(0o755)
    repo.commit_files({"svc/.cloche/config.toml": "", ".cloche/config.toml": ""})
    found = Repository.discover(repo.path / "svc")
    seen = []
    for path, data in TEXT.items():
        repo.write(f"svc/{path}", data)
    commit_paths(
        found,
        TEXT,
        "m",
        base=repo.head(),
        judge=lambda old, new: seen.append((old, new)) or [],
    )
    assert seen == [({ONE: b"old"}, TEXT)]
    assert repo.git("ls-tree", "HEAD", f"svc/{ONE}").startswith("100755")
    names = repo.git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert names == [f"svc/{ONE}", f"svc/{TWO}"]
    assert repo.status() == ""


def test_n082_a_branch_that_moved_or_was_switched_is_not_committed_to(repo):
    base = repo.commit("first", a="a\n")
    repo.git("branch", "side")
    found = Repository.discover(repo.path)
    repo.commit("second", a="b\n")
    with pytest.raises(IntentError, match="HEAD moved meanwhile"):
        commit_paths(found, TEXT, "m", base=base, judge=allow)
    repo.git("checkout", "-q", "side")
    with pytest.raises(IntentError, match="HEAD moved meanwhile"):
        commit_paths(found, TEXT, "m", base=base, branch="refs/heads/main", judge=allow)
    assert repo.head() == base


def test_n082_a_branch_that_moves_at_the_last_moment_is_not_lost(repo, monkeypatch):
    repo.commit("first", a="a\n")
    found = Repository.discover(repo.path)

    def move(name):
        if name.startswith("ref "):
            tree = repo.git("rev-parse", "HEAD^{tree}")
            oid = repo.git("commit-tree", tree, "-p", "HEAD", "-m", "faster")
            repo.git("update-ref", "HEAD", oid)

    monkeypatch.setattr(files, "on_effect", move)
    with pytest.raises(RefMovedError):
        commit_paths(found, TEXT, "m", base=repo.head(), judge=allow)
    assert repo.git("log", "-1", "--format=%s") == "faster"
    assert repo.status() == ""


def test_n086_during_an_operation_nothing_is_committed(repo):
    repo.commit("first", a="a\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", a="s\n")
    repo.git("checkout", "-q", "main")
    repo.commit("main", a="m\n")
    repo.git("merge", "side", check=False)
    before = state(repo)
    with pytest.raises(IntentError, match="a merge is in progress"):
        commit_paths(
            Repository.discover(repo.path), TEXT, "m", base=repo.head(), judge=allow
        )
    assert state(repo) == before


def test_an_index_held_by_another_program_is_named_and_not_broken(repo, monkeypatch):
    repo.commit("first", a="a\n")
    monkeypatch.setattr(pending, "_WAIT", 0.1)
    lock = repo.write(".git/index.lock", "")
    head = repo.head()
    with pytest.raises(IntentError, match=r"index\.lock"):
        write_and_commit(repo)
    assert repo.head() == head
    lock.unlink()
    write_and_commit(repo)
    assert repo.status() == ""


def test_no_git_command_of_the_user_comes_between_branch_and_index(repo, monkeypatch):
    repo.commit("first", a="a\n")
    said = []

    def interfere(name):
        if name.startswith("ref ") or name == "index":
            said.append(
                repo.git("commit", "-q", "--allow-empty", "-m", "x", check=False)
            )
            said.append((repo.path / ".git/index.lock").exists())

    monkeypatch.setattr(files, "on_effect", interfere)
    write_and_commit(repo)
    assert said == ["", True] * 2
    assert repo.git("log", "--format=%s") == "scan\nfirst"
    assert repo.status() == ""


def test_an_index_that_could_not_be_written_is_settled_later(repo):
    first = repo.commit("first", a="a\n")
    stale = repo.read(".git/index")
    oid = write_and_commit(repo)
    repo.write(".git/index", stale)
    note = f'{{"commit": "{oid}", "parent": "{first}", "paths": ["{ONE}", "{TWO}"]}}'
    repo.write(".git/intent/pending", note)
    assert repo.status() != ""
    pending.settle(Repository.discover(repo.path))
    assert repo.status() == ""
    assert repo.git("diff-files") == ""


def killed(repo: Repo, point: int) -> bool:
    """Commit in a process that is killed at the point-th effect; False if it ended."""
    start = """
left = [int(sys.argv[2])]
def kill(name):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
files.on_effect = kill
"""
    program = COMMIT.replace("START", start)
    args = [sys.executable, "-c", program, str(repo.path), str(point)]
    return subprocess.run(args, check=False).returncode == -signal.SIGKILL


def gone_soon(path: Path) -> None:
    """Git lets go of its lock as soon as it sees that we are dead."""
    for _ in range(500):
        if not path.exists():
            return
        time.sleep(0.01)
    raise AssertionError(f"{path} stays")


def test_n088_killed_at_any_effect_the_next_one_repairs(mess):
    first = mess.head()
    clean = mess.status()
    point = 0
    while killed(mess, point):
        gone_soon(mess.path / ".git/index.lock")
        for path, data in TEXT.items():
            mess.write(path, data)
        pending.settle(Repository.discover(mess.path))
        if mess.head() == first:
            write_and_commit(mess)
        assert mess.status() == clean
        assert mess.git("log", "--format=%H", f"{first}..").count("\n") == 0
        assert write_and_commit(mess) == ""
        for path in TEXT:
            (mess.path / path).unlink()
        mess.git("update-index", "--force-remove", *TEXT)
        mess.git("update-ref", "HEAD", first)
        point += 1
    assert point >= 5


def wait_for_orphans(mark: str) -> None:
    """Wait until no process with this in its environment is left."""

    def carries(folder: Path) -> bool:
        try:
            return mark.encode() in (folder / "environ").read_bytes()
        except OSError:
            return False

    while any(carries(folder) for folder in Path("/proc").glob("[0-9]*")):
        time.sleep(0.01)


def kill_at_random(mess: Repo, trials: int, seed: int, tmp_path: Path) -> None:
    first, clean = mess.head(), mess.status()
    chance = random.Random(seed)
    hook(mess, "pre-commit", "git diff --quiet\n")
    for trial in range(trials):
        mark = f"TRIAL={tmp_path}/{trial}"
        program = COMMIT.replace("START", "print(flush=True)")
        for path, data in TEXT.items():
            mess.write(path, data)
        with subprocess.Popen(
            [sys.executable, "-c", program, str(mess.path)],
            stdout=subprocess.PIPE,
            env={**os.environ, "TRIAL": mark.removeprefix("TRIAL=")},
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(chance.uniform(0, 0.4))
            child.kill()
        wait_for_orphans(mark)
        pending.settle(Repository.discover(mess.path))
        if mess.head() == first:
            write_and_commit(mess)
        assert mess.status() == clean
        assert len(mess.git("log", "--format=%H", f"{first}..").splitlines()) == 1
        mess.git("update-index", "--force-remove", *TEXT)
        mess.git("update-ref", "HEAD", first)
    write_and_commit(mess)
    assert [p.name for p in (mess.path / ".git/intent").iterdir()] == []


def test_n088_killed_at_a_random_moment_the_next_one_repairs(mess, tmp_path):
    kill_at_random(mess, 4, 20260102, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_n088_killed_at_many_random_moments(mess, tmp_path, seed):
    kill_at_random(mess, 20, seed, tmp_path)


@pytest.mark.parametrize("note", [b"", b"{}", b"[]", b'{"commit": 1}'])
def test_a_note_that_makes_no_sense_is_dropped(repo, note):
    repo.commit("first", a="a\n")
    repo.write(".git/intent/pending", note)
    pending.settle(Repository.discover(repo.path))
    assert not (repo.path / ".git/intent/pending").exists()
    assert repo.status() == ""
