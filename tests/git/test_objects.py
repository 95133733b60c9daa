"""What commits, the index and the work tree hold, byte by byte."""

import os

import pytest

from git_intent.errors import IntentError
from git_intent.git.objects import (
    blob_id,
    dirty,
    filtered,
    index_entries,
    index_snapshot,
    read_blobs,
    sizes,
    snapshot,
    tree,
)
from git_intent.git.repository import Repository
from tests.support.repo import Repo

NAMES = [
    "a b",
    "ü",
    "u\u0308",
    "line\nbreak",
    'quo"te',
    "tab\there",
    "日本.md",
    ":x",
    "*",
]


@pytest.fixture(params=["sha1", "sha256"])
def either(request, tmp_path):
    return Repo.init(tmp_path / "r", f"--object-format={request.param}")


def found(repo: Repo, below: str = "") -> Repository:
    return Repository.discover(repo.path / below)


def test_n034_names_come_out_as_they_are(either, monkeypatch):
    monkeypatch.setenv("LANG", "C")
    either.git("config", "core.quotePath", "true")
    either.commit_files({f"d/{name}": name for name in NAMES})
    here = found(either)
    wanted = {f"d/{name}": name.encode() for name in NAMES}
    assert snapshot(here, "HEAD", "d") == wanted
    assert index_snapshot(here, "d") == wanted
    for name in NAMES:
        assert snapshot(here, "HEAD", f"d/{name}") == {f"d/{name}": name.encode()}


def test_a_name_that_is_not_utf8_comes_out_and_goes_in_again(repo):
    repo.commit("one")
    name = os.fsdecode(b"\xff")
    repo.write(name, "x")
    repo.git("add", ".")
    repo.git("commit", "-qm", "two")
    assert snapshot(found(repo), "HEAD", name) == {name: b"x"}


def test_entries_tell_modes_and_a_snapshot_holds_regular_files_only(repo, tmp_path):
    inner = Repo.init(tmp_path / "inner")
    inner.commit("inner", f="1")
    repo.git("submodule", "--quiet", "add", str(inner.path), "sub")
    (repo.path / "link").symlink_to("file")
    repo.write("run", "x").chmod(0o755)
    repo.commit("one", file="f")
    here = found(repo)
    kinds = {e.path: (e.mode, e.type) for e in tree(here, "HEAD")}
    assert kinds == {
        ".gitmodules": ("100644", "blob"),
        "file": ("100644", "blob"),
        "link": ("120000", "blob"),
        "run": ("100755", "blob"),
        "sub": ("160000", "commit"),
    }
    assert {e.path: (e.mode, e.type) for e in index_entries(here)} == kinds
    assert set(snapshot(here, "HEAD")) == {".gitmodules", "file", "run"}


def test_a_commit_without_the_folder_gives_nothing(repo):
    repo.commit("one", a="a")
    assert snapshot(found(repo), "HEAD", ".cloche/intent") == {}
    assert index_snapshot(found(repo), ".cloche/intent") == {}


def test_n096_paths_are_those_of_the_project(repo):
    repo.commit_files({"svc/.cloche/intent/x": "1", ".cloche/intent/x": "2", "o": ""})
    here = found(repo, "svc")
    assert snapshot(here, "HEAD", ".cloche/intent") == {".cloche/intent/x": b"1"}
    assert [e.path for e in index_entries(here)] == [".cloche/intent/x"]
    assert snapshot(found(repo), "HEAD", ".cloche") == {".cloche/intent/x": b"2"}


def test_conflict_stages_are_told_and_kept_out_of_the_snapshot(repo):
    repo.commit("one", a="1\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", a="s\n")
    repo.git("checkout", "-q", "main")
    repo.commit("main", a="m\n")
    repo.git("merge", "side", check=False)
    assert [e.stage for e in index_entries(found(repo))] == [1, 2, 3]
    assert index_snapshot(found(repo)) == {}


def test_blobs_are_read_whole_and_missing_ones_left_out(either):
    contents = [b"", b"\n", b"x" * 300_000, b"a\0b\n", b"blob 3\n"]
    either.commit_files({f"f{i}": data for i, data in enumerate(contents)})
    here = found(either)
    oids = [e.oid for e in tree(here, "HEAD")]
    assert oids == [blob_id(data, here.object_format) for data in contents]
    asked = [oids[2], "f" * len(here.zero), *oids, oids[0]]
    assert read_blobs(here, asked) == dict(zip(oids, contents, strict=True))
    assert sizes(here, asked) == {
        o: len(d) for o, d in zip(oids, contents, strict=True)
    }
    assert read_blobs(here, []) == {}


def test_n094_a_partial_clone_is_read_without_fetching(repo, tmp_path):
    repo.git("config", "uploadpack.allowFilter", "true")
    one = repo.commit("one", **{f"f{i}": f"{i}" for i in range(5)})
    repo.commit("two", f0="changed", f1="changed too")
    Repo(tmp_path).git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", "p")
    repo.path.rename(tmp_path / "unreachable")
    clone = Repo(tmp_path / "p")
    here = found(clone)
    assert snapshot(here, "HEAD") == {
        "f0": b"changed",
        "f1": b"changed too",
        "f2": b"2",
        "f3": b"3",
        "f4": b"4",
    }
    assert snapshot(here, one) == {"f2": b"2", "f3": b"3", "f4": b"4"}
    assert len(sizes(here, [e.oid for e in tree(here, one)])) == 3
    clone.git("config", "core.repositoryFormatVersion", "1")
    clone.git("config", "extensions.partialClone", "origin")
    assert snapshot(found(clone), one) == {"f2": b"2", "f3": b"3", "f4": b"4"}


def test_n080_whatever_differs_from_head_or_index_is_dirty(repo):
    names = ["same", "edited", "staged", "half", "gone", "removed", "ü b"]
    repo.commit_files(
        {f"s/{n}": n for n in names} | {"other": "o", ".gitignore": "*.x"}
    )
    repo.write("s/edited", "!")
    repo.write("s/staged", "!")
    repo.write("s/half", "!")
    repo.git("add", "s/staged", "s/half")
    repo.write("s/half", "!!")
    (repo.path / "s/gone").unlink()
    repo.git("rm", "-q", "s/removed")
    repo.write("s/new/deep", "untracked")
    repo.write("s/i.x", "ignored")
    repo.write("s/ü b", "!")
    repo.write("other", "!")
    wanted = [f"s/{n}" for n in ("edited", "gone", "half", "new/deep", "removed")]
    wanted += ["s/staged", "s/ü b"]
    here = found(repo)
    before = repo.read(".git/index")
    assert dirty(here, ["s"]) == wanted
    assert dirty(here, wanted) == wanted
    assert dirty(here, ["s/same", "nothing"]) == []
    assert dirty(here, [f"n{i}" for i in range(500)] + ["s"]) == wanted
    assert dirty(here, []) == []
    assert repo.read(".git/index") == before


def test_n096_dirt_is_named_from_the_project(repo):
    repo.commit_files({"svc/.cloche/x": "1", "o": ""})
    repo.write("svc/.cloche/x", "2")
    repo.write("o", "2")
    assert dirty(found(repo, "svc"), [".cloche"]) == [".cloche/x"]
    assert dirty(found(repo, "svc"), [f"n{i}" for i in range(500)]) == []


def test_an_unmerged_file_and_a_rename_are_dirty(repo):
    repo.commit("one", a="1\n", b="long enough to be found again\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", a="s\n")
    repo.git("checkout", "-q", "main")
    repo.commit("main", a="m\n")
    repo.git("merge", "side", check=False)
    repo.git("mv", "b", "c")
    assert dirty(found(repo), ["."]) == ["a", "b", "c"]


def test_a_file_is_given_as_git_would_store_it(either):
    either.git("config", "filter.shout.clean", "tr a-z A-Z")
    either.git("config", "filter.shout.smudge", "tr A-Z a-z")
    rules = (
        "*.txt text eol=crlf\n*.loud filter=shout\n*.u16 working-tree-encoding=UTF-16\n"
    )
    either.commit_files({".gitattributes": rules})
    files = {
        "plain": (b"a\r\n", b"a\r\n"),
        "d/x.txt": (b"a\r\nb\r\n", b"a\nb\n"),
        "x.loud": (b"abc", b"ABC"),
        "x.u16": ("hé\n".encode("utf-16"), "hé\n".encode()),
    }
    here = found(either)
    for path, (raw, stored) in files.items():
        either.write(path, raw)
        before = either.git("count-objects")
        oid, data = filtered(here, path)
        assert data == stored
        assert oid == blob_id(stored, here.object_format)
        assert either.git("count-objects") == before
    either.git("add", ".")
    oids = {e.path: e.oid for e in index_entries(here)}
    for path in files:
        assert oids[path] == filtered(here, path)[0]


def test_a_clean_filter_that_fails_is_named(repo):
    repo.git("config", "filter.bad.clean", "false")
    repo.git("config", "filter.bad.required", "true")
    repo.commit_files({".gitattributes": "x filter=bad\n"})
    repo.write("x", "1")
    with pytest.raises(IntentError, match="clean filter 'bad' failed"):
        filtered(found(repo), "x")
