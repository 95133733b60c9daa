"""Objects are read one by one or in a stream; what is damaged is not there."""

import os

import pytest

from git_intent.git.cat_file import CatFile, Found, object_id, stream_objects


@pytest.fixture
def blobs(repo):
    texts = [b"", b"one\n", b"two\0\nthree", os.urandom(70_000)]
    oids = []
    for text in texts:
        path = repo.write("file", text)
        oids.append(repo.git("hash-object", "-w", str(path)))
    return dict(zip(oids, texts, strict=True))


def damage(repo, oid):
    path = repo.path / ".git" / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-5])


def test_objects_are_read_one_by_one(repo, blobs):
    commit = repo.commit("one", a="text")
    with CatFile(str(repo.path), {}) as reader:
        for oid, text in blobs.items():
            assert reader.ask(oid) == Found(oid, "blob", text)
        assert reader.ask("HEAD:a").data == b"text"
        assert reader.ask("HEAD").oid == commit
        assert reader.ask("0" * 40) is None
        assert reader.ask("no such name") is None
        assert reader.ask("HEAD").kind == "commit"


def test_outside_of_a_block_nothing_is_left_running(repo, blobs):
    reader = CatFile(str(repo.path), {})
    for oid, text in blobs.items():
        assert reader.ask(oid).data == text
    assert reader._child is None


def test_damage_is_as_good_as_nothing_and_the_rest_is_read(repo, blobs):
    first, *_, last = blobs
    damage(repo, last)
    with CatFile(str(repo.path), {}) as reader:
        assert reader.ask(last) is None
        assert reader.ask(first).data == b""
    read = list(stream_objects([last, first, last, first], str(repo.path), {}))
    assert [oid for oid, _ in read] == [last, first, last, first]
    assert [found and found.data for _, found in read] == [None, b"", None, b""]


def test_a_stream_gives_each_in_order(repo, blobs):
    wanted = [*blobs, "0" * 40, *reversed(blobs)]
    read = list(stream_objects(wanted, str(repo.path), {}))
    assert [oid for oid, _ in read] == wanted
    texts = [found and found.data for _, found in read]
    assert texts == [*blobs.values(), None, *reversed(blobs.values())]


@pytest.mark.parametrize("digits", [40, 64])
def test_an_id_is_that_of_git(repo, digits, tmp_path):
    form = "sha1" if digits == 40 else "sha256"
    repo.git("init", "-q", f"--object-format={form}", str(tmp_path / form))
    args = ["-C", str(tmp_path / form), "hash-object", "--stdin"]
    oid = repo.git(*args, input="some text")
    assert object_id("blob", b"some text", digits) == oid
    assert Found(oid, "blob", b"some text").matches()
    assert not Found(oid, "blob", b"some texT").matches()
