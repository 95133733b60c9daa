"""Hunks, patch ids and the commit that brought a line."""

import os

import pytest

from git_intent.git.diff import (
    FileDiff,
    Hunk,
    diff_hunks,
    introduced,
    patch_id,
    patch_ids,
)
from git_intent.git.repository import Repository
from tests.support.repo import Repo

LINES = [f"line {i}" for i in range(1, 21)]
TEXT = "\n".join(LINES) + "\n"


def found(repo: Repo, below: str = "") -> Repository:
    return Repository.discover(repo.path / below)


def test_both_sides_of_each_hunk_are_given(repo):
    repo.commit_files({"a": TEXT})
    new = ["new top", *LINES[:4], "line five", *LINES[5:9], *LINES[10:]]
    repo.commit_files({"a": "\n".join(new) + "\n"})
    (diff,) = diff_hunks(found(repo), "HEAD~1", "HEAD", ["a"])
    assert diff == FileDiff(
        "a",
        "a",
        (
            Hunk(0, (), 1, ("new top",)),
            Hunk(5, ("line 5",), 6, ("line five",)),
            Hunk(10, ("line 10",), 10, ()),
        ),
    )


def test_lines_that_look_like_headers_are_lines(repo):
    repo.commit_files({"a": "-- x\n@@ -1 +1 @@\nlast"})
    repo.commit_files({"a": "++ y\ndiff --git a/a b/a\r\nlast\n", "b": "b\n"})
    one, other = diff_hunks(found(repo), "HEAD~1", "HEAD")
    assert one.hunks == (
        Hunk(
            1,
            ("-- x", "@@ -1 +1 @@", "last"),
            1,
            ("++ y", "diff --git a/a b/a", "last"),
        ),
    )
    assert other == FileDiff("", "b", (Hunk(0, (), 1, ("b",)),))


def test_renames_are_followed_even_if_one_name_is_asked(repo):
    repo.commit_files({"old name": TEXT, "x": "x"})
    repo.git("mv", "old name", "ü\nnew")
    repo.commit_files({"ü\nnew": TEXT.replace("line 7\n", "seven\n"), "x": "y"})
    wanted = FileDiff("old name", "ü\nnew", (Hunk(7, ("line 7",), 7, ("seven",)),))
    for name in ("old name", "ü\nnew"):
        assert diff_hunks(found(repo), "HEAD~1", "HEAD", [name]) == [wanted]
    assert wanted in diff_hunks(found(repo), "HEAD~1", "HEAD")
    assert diff_hunks(found(repo), "HEAD~1", "HEAD", ["z"]) == []


@pytest.mark.parametrize("format", ["sha1", "sha256"])
def test_new_gone_binary_and_changed_kinds(tmp_path, format):
    repo = Repo.init(tmp_path / "r", f"--object-format={format}")
    repo.commit_files({"gone": "1\n", "bin": b"\0a", "kind": "2\n", "z": "1\n"})
    (repo.path / "gone").unlink()
    (repo.path / "kind").unlink()
    (repo.path / "kind").symlink_to("z")
    repo.write("z", "1\n").chmod(0o755)
    repo.commit_files({"bin": b"\0b", "new": "3\n"})
    here = found(repo)
    assert diff_hunks(here, "HEAD~1", "HEAD") == [
        FileDiff("bin", "bin", ()),
        FileDiff("gone", "", (Hunk(1, ("1",), 0, ()),)),
        FileDiff("kind", "kind", (Hunk(1, ("2",), 0, ()), Hunk(0, (), 1, ("z",)))),
        FileDiff("", "new", (Hunk(0, (), 1, ("3",)),)),
        FileDiff("z", "z", ()),
    ]
    first = {d.new_path for d in diff_hunks(here, "", "HEAD~1")}
    assert first == {"gone", "bin", "kind", "z"}
    assert diff_hunks(here, "HEAD", "HEAD") == []


def test_settings_of_the_user_do_not_change_the_hunks(repo, monkeypatch):
    repo.commit_files({"a": "1\n", ".gitattributes": "a diff=conv\n"})
    repo.commit_files({"a": "2\n"})
    plain = diff_hunks(found(repo), "HEAD~1", "HEAD")
    for key, value in (
        ("diff.noprefix", "true"),
        ("diff.external", "false"),
        ("color.ui", "always"),
        ("diff.renames", "false"),
        ("diff.conv.textconv", "false"),
        ("diff.conv.command", "false"),
    ):
        repo.git("config", key, value)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert diff_hunks(found(repo), "HEAD~1", "HEAD") == plain


def test_n096_hunks_are_named_from_the_project(repo):
    repo.commit_files({"svc/.cloche/x": "1\n", "o": "1\n"})
    repo.commit_files({"svc/.cloche/x": "2\n", "o": "2\n"})
    here = found(repo, "svc")
    assert [d.new_path for d in diff_hunks(here, "HEAD~1", "HEAD", [".cloche/x"])] == [
        ".cloche/x"
    ]
    assert introduced(here, ".cloche/x", 1) == repo.head()


def test_a_patch_id_survives_rebase_and_amend_but_not_another_change(repo):
    repo.commit("base", a=TEXT)
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", a=TEXT.replace("line 15", "fifteen"))
    repo.git("checkout", "-q", "main")
    repo.commit("main", a=TEXT.replace("line 2\n", "two\n"))
    repo.git("cherry-pick", "side")
    picked = repo.head()
    repo.git("commit", "-q", "--amend", "-m", "other words")
    amended = repo.head()
    ids = patch_ids(found(repo), [side, picked, amended, "main~1"])
    assert len({side, picked, amended}) == 3
    assert ids[side] == ids[picked] == ids[amended] == patch_id(found(repo), side)
    assert ids[side] != patch_id(found(repo), repo.git("rev-parse", "main~1"))


def test_merges_and_empty_commits_have_no_patch_id(repo):
    repo.commit("base", a="1")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", b="1")
    repo.git("checkout", "-q", "main")
    repo.commit("main", c="1")
    repo.git("merge", "-q", "side")
    merge = repo.head()
    empty = repo.commit("empty")
    assert patch_ids(found(repo), [merge, empty]) == {}
    assert patch_id(found(repo), empty) == ""
    assert patch_ids(found(repo), []) == {}


def test_the_commit_that_brought_a_line_is_told(repo):
    first = repo.commit("first", a=TEXT)
    second = repo.commit("second", a=TEXT.replace("line 3\n", "three\n"))
    repo.write("a", "dirt\n" + os.fsdecode(repo.read("a")))
    here = found(repo)
    assert introduced(here, "a", 3) == second
    assert introduced(here, "a", 4) == first
    assert introduced(here, "a", 3, "HEAD~1") == first
