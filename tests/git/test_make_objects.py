"""Snapshots that are written past the index are those that git would write."""

import pytest

from git_intent.git.make_objects import write_snapshot
from git_intent.git.repository import Repository
from tests.support.repo import Repo

FILES = {
    "a": b"",
    "a.b": b"x",
    "a-b/c": b"y" * 100_000,
    "a/b": b"in a folder",
    "a0": bytes(range(256)),
    "d/e/f/g": b"deep",
    "d/e/f.x": b"deep",
    "d/e-f": b"x",
}


def written(repo, files, parents=(), message="words \u00e4\n\nmore\n"):
    return write_snapshot(Repository.discover(repo.path), files, parents, message)


@pytest.mark.parametrize("format", ["sha1", "sha256"])
def test_git_finds_nothing_wrong_and_every_byte(tmp_path, format):
    repo = Repo.init(tmp_path / "r", f"--object-format={format}")
    files = {path: data for path, data in FILES.items() if path != "a"}
    commit, blobs = written(repo, files)
    repo.git("update-ref", "refs/x/y", commit)
    assert repo.git("fsck", "--strict", "--full", "--no-dangling") == ""
    listed = repo.git("ls-tree", "-r", "--full-tree", commit).splitlines()
    rows = {row.split("\t")[1]: row.split()[2] for row in listed}
    assert rows == blobs
    for path, oid in blobs.items():
        repo.git("cat-file", "-e", oid)
        assert int(repo.git("cat-file", "-s", oid)) == len(files[path])
    assert repo.git("log", "-1", "--format=%B", commit) == "words \u00e4\n\nmore\n"
    assert repo.git("log", "-1", "--format=%an <%ae>", commit) == (
        "A Person <person@example.invalid>"
    )


def test_the_tree_is_the_one_that_git_makes(repo):
    files = {path: data for path, data in FILES.items() if path != "a"}
    commit, _ = written(repo, files)
    for path, data in files.items():
        repo.write(path, data)
    repo.git("add", "-A")
    assert repo.git("rev-parse", f"{commit}^{{tree}}") == repo.git("write-tree")


def test_what_is_there_already_is_named_by_its_id(repo):
    first, blobs = written(repo, {"a": b"one"})
    second, more = written(repo, {"a": blobs["a"], "b": b"two"}, [first])
    assert repo.git("rev-list", second).split() == [second, first]
    assert repo.git("show", f"{second}:a") == "one"
    assert more["a"] == blobs["a"]


def test_without_an_identity_it_is_cloches(repo, monkeypatch, home):
    (home / ".gitconfig").write_text("")
    monkeypatch.setenv("EMAIL", "")
    commit, _ = written(repo, {"a": b"one"})
    assert (
        repo.git("log", "-1", "--format=%cn <%ce>", commit) == "cloche <cloche@local>"
    )
