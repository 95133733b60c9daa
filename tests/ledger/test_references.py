"""References to what lies outside of the ledger."""

import os
from pathlib import Path

import pytest

from git_intent.ledger.evidence import reference
from git_intent.ledger.references import References
from git_intent.ledger.refusal import Refusal


@pytest.fixture
def read(tmp_path: Path) -> References:
    root = tmp_path / "root"
    (root / "logs" / "deep").mkdir(parents=True)
    (root / "log.txt").write_bytes(b"ran\r\n\0")
    (root / "logs" / "deep" / "log.txt").write_bytes(b"deep")
    (tmp_path / "outside.txt").write_bytes(b"outside")
    return References(str(root), {"0" * 40: b"object"}.get)


def test_files_and_objects_are_read_as_they_are(read):
    assert read("file:log.txt") == b"ran\r\n\0"
    assert read("file:logs/deep/log.txt") == b"deep"
    assert read(f"git:{'0' * 40}") == b"object"
    assert read(f"git:{'1' * 40}") is None
    assert read("file:none.txt") is None
    assert read("file:logs") is None
    assert read("file:log.txt/deeper") is None
    assert read("file:a\0b") is None


def test_a_bare_home_has_no_files(read):
    assert References(None, {}.get)("file:log.txt") is None


def test_l123_a_symbolic_link_to_the_same_bytes_is_no_proof(read, tmp_path):
    root = tmp_path / "root"
    (root / "log.txt").rename(root / "kept.txt")
    (root / "log.txt").symlink_to("kept.txt")
    assert read("file:log.txt") is None
    (root / "logs").rename(root / "kept")
    (root / "logs").symlink_to("kept")
    assert read("file:logs/deep/log.txt") is None
    assert read("file:kept/deep/log.txt") == b"deep"
    (root / "out.txt").symlink_to(tmp_path / "outside.txt")
    assert read("file:out.txt") is None


def test_a_pipe_is_not_waited_for(read, tmp_path):
    os.mkfifo(tmp_path / "root" / "pipe")
    assert read("file:pipe") is None


@pytest.mark.parametrize(
    "ref",
    [f"git:{'a1' * 20}", f"git:{'0' * 64}", "file:a", "file:a/b c/ö.txt", "file:-x"],
)
def test_spellings_that_are_references(ref):
    reference(ref, "/ref")


@pytest.mark.parametrize(
    "ref",
    [
        *("", "git:", "file:", "a.txt", "http://x", "GIT:" + "0" * 40, 3, None),
        *("git:HEAD", "git:" + "A" * 40, "git:" + "0" * 39, "git:" + "0" * 41),
        *("file:/etc/passwd", "file:../x", "file:a/../b", "file:a//b", "file:./a"),
        *("file:a/", "file:a\nb", "file:a\0b", " file:a", "file:" + "x" * 5000),
    ],
)
def test_spellings_that_are_none(ref):
    with pytest.raises(Refusal) as caught:
        reference(ref, "/ref")
    assert caught.value.pointer == "/ref"
