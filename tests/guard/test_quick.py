"""The fast lane says that all is well only where the whole command would."""

import os
import subprocess
import sys

import pytest

from git_intent.cli.main import main
from git_intent.guard.quick import all_well, reads_index
from git_intent.store.intent_dir import DOMAINS, requirement_path
from tests.support.repo import _SOURCE, Repo
from tests.support.snapshots import content, requirement

ONE = requirement_path("req-0001")


@pytest.fixture
def here(repo, monkeypatch):
    monkeypatch.chdir(repo.path)
    return repo


@pytest.fixture
def stored(here):
    here.write(ONE, content(requirement("req-0001", statement="Keep it.")))
    here.commit("store")
    return here


def well(*words: str, **env: str) -> bool:
    """What the fast lane says; the command line must agree with it."""
    said = all_well(list(words), {**os.environ, **env})
    if said:
        assert main(["check", *words]) == 0
    return said


def test_sound_files_are_answered(stored):
    stored.write("notes.md", "x")
    assert well(ONE)
    assert well("--fix", ONE)
    assert well("notes.md", ONE, f"./{ONE}", str(stored.path / ONE))
    assert well(ONE, PRE_COMMIT="1", GIT_INDEX_FILE=".git/index")


def test_whatever_is_not_plain_is_left_to_the_command_line(stored):
    stored.write(DOMAINS, "version: 1\ndomains: []\n")
    stored.write(".cloche/config.toml", "[intent]\n")
    plain = content(requirement("req-0002"))
    two = requirement_path("req-0002")
    for words in (
        [],
        ["--format", "json", ONE],
        ["-h"],
        [""],
        [ONE, "--all"],
        [DOMAINS],
        [".cloche/config.toml"],
        ["nowhere.md"],
        [two],
        ["--staged"],
        ["--rules"],
    ):
        assert not well(*words), words
    for data in (b"", plain + b"- a list\n", b"\xef\xbb\xbf" + plain, plain[:40]):
        stored.write(two, data)
        assert not well(ONE, two)
    stored.write(two, plain)
    assert well(ONE, two)
    assert not well(ONE, GIT_INDEX_FILE=".git/index")


def test_links_are_left_to_the_command_line(stored, tmp_path):
    target = tmp_path / "real.md"
    target.write_bytes(content(requirement("req-0002")))
    link = stored.path / requirement_path("req-0002")
    link.symlink_to(target)
    assert not well(requirement_path("req-0002"))
    aside = tmp_path / "requirements"
    (stored.store / "requirements").rename(aside)
    (stored.store / "requirements").symlink_to(aside)
    assert not well(ONE)


def test_pipes_and_folders_are_left_to_the_command_line(stored):
    (stored.store / "requirements/req-0003.md").mkdir()
    assert not well(requirement_path("req-0003"))


def test_n162_a_commit_without_any_store_is_answered(here):
    here.commit("one", a="1")
    here.write("b", "2")
    here.git("add", "b")
    assert well("--rules")
    assert well("--staged")
    # A commit that changes no file, as git starts its hook.
    here.git("commit", "-qm", "two")
    assert well("--rules", GIT_INDEX_FILE=str(here.path / ".git/index"))


def test_n162_a_store_in_either_state_is_looked_at(here):
    here.commit("one", a="1")
    here.write("b", "2")
    here.write(f"svc/{ONE}", content(requirement("req-0001")))
    here.git("add", "b")
    assert well("--rules")  # the store is not part of the commit
    here.git("add", "svc")
    assert not well("--rules")
    here.git("commit", "-qm", "store")
    here.write("c", "3")
    here.git("add", "c")
    assert not well("--rules")
    here.git("rm", "-qr", "svc")
    assert not well("--rules")
    here.git("commit", "-qm", "gone")
    here.write("d", "4")
    here.git("add", "d")
    assert well("--rules")


@pytest.mark.parametrize(
    "setting", ["index.version=4", "core.splitIndex=true", "core.untrackedCache=true"]
)
def test_n162_an_index_of_another_form_is_read_by_git(here, setting):
    here.commit("one", a="1", link="2")
    here.git("config", *setting.split("="))
    here.git("update-index", "--force-write-index", check=False)
    here.write("b", "2")
    here.git("add", "b")
    assert well("--rules")
    here.write(ONE, content(requirement("req-0001")))
    here.git("add", "-A")
    assert not well("--rules")
    here.git("commit", "-qm", "store")
    here.write("c", "3")
    here.git("add", "c")
    assert not well("--rules")


def test_n162_other_bases_than_head_are_left_to_the_command_line(here):
    here.commit("one", a="1")
    assert not well("--rules")  # nothing staged: an older commit is compared
    here.write("b", "2")
    here.git("add", "b")
    assert not well("--rules", CI="true")
    assert not well("--rules", PRE_COMMIT_FROM_REF="HEAD~1")
    assert not well("--rules", GITHEAD_0123="x")
    here.write(".cloche/config.toml", "[intent]\ntoken_budget = -1\n")
    assert well("--rules")
    assert not well("--staged")


def test_n162_the_other_side_of_a_merge_may_have_a_store(here):
    here.commit("one", a="1")
    here.git("switch", "-qc", "other")
    here.write(ONE, content(requirement("req-0001")))
    here.commit("store")
    here.git("switch", "-q", "main")
    here.commit("two", b="2")
    here.git("merge", "-q", "--no-commit", "--no-ff", "other")
    here.git("rm", "-rqf", ".cloche")
    here.write("c", "3")
    here.git("add", "c")
    assert not well("--rules")


def test_n162_an_unborn_branch_is_left_to_the_command_line(here):
    here.write("a", "1")
    here.git("add", "a")
    assert not well("--rules")


def test_n162_outside_a_repository_the_command_line_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not all_well(["--rules"], os.environ)


def test_n162_in_a_linked_worktree_its_own_index_counts(here, tmp_path, monkeypatch):
    here.commit("one", a="1")
    here.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    linked.write(ONE, content(requirement("req-0001")))
    linked.git("add", "-A")
    here.write("b", "2")
    here.git("add", "b")
    assert well("--rules")
    monkeypatch.chdir(linked.path)
    assert not well("--rules")


@pytest.mark.parametrize(
    ("env", "index"),
    [
        ({}, False),
        ({"GIT_INDEX_FILE": "x"}, True),
        ({"GIT_INDEX_FILE": "x", "PRE_COMMIT": "1"}, False),
        ({"PRE_COMMIT": "1"}, False),
    ],
)
def test_a_hook_of_git_reads_the_index_and_one_of_pre_commit_the_files(env, index):
    assert reads_index(env) is index


_AUDITED = """
import sys
opened = []
sys.addaudithook(lambda e, a: opened.append((e, str(a[0]))) if e in EVENTS else None)
from git_intent.__main__ import main
code = main()
print(code, *[name for _, name in opened if ".cloche" in name or "git" == name])
""".replace("EVENTS", "('open', 'subprocess.Popen', 'os.posix_spawn')")


def test_n162_one_changed_file_of_5000_costs_one_file(stored):
    """Whatever size the index has, and whatever watches or filters files: no git is
    started and no other file of the store is opened."""
    plain = content(requirement("req-0001"))
    for number in range(2, 5002):
        id = f"req-{number:04x}"
        stored.write(requirement_path(id), plain.replace(b"req-0001", id.encode()))
    stored.git("config", "core.fsmonitor", "false && touch fsmonitor-ran")
    stored.git("config", "filter.lfs.clean", "touch filter-ran; cat")
    stored.git("config", "filter.lfs.smudge", "touch filter-ran; cat")
    stored.write(".gitattributes", "*.md filter=lfs\n")
    done = subprocess.run(
        [sys.executable, "-c", _AUDITED, "check", ONE],
        cwd=stored.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["0", str(stored.path / ONE)]
    assert not list(stored.path.glob("*-ran"))
