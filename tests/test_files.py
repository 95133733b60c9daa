"""Writes are whole or not at all, and leave nothing lying about."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent import files
from git_intent.errors import IntentError


@pytest.fixture(params=["unnamed", "named"], autouse=True)
def aside(request, monkeypatch):
    """Both ways to write aside: with and without what Linux offers."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    return request.param


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_made_with_its_folders_and_replaced(tmp_path):
    path = tmp_path / "a" / "b"
    files.write_atomic(path, b"old")
    files.write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(path.parent) == ["b"]


def test_the_mode_of_an_old_file_stays_and_a_new_one_gets_the_umasks(tmp_path):
    path = tmp_path / "f"
    before = os.umask(0o027)
    try:
        files.write_atomic(path, b"1")
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o755)
        files.write_atomic(path, b"2")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o755


def test_a_symbolic_link_is_refused(tmp_path):
    (tmp_path / "target").write_bytes(b"same")
    (tmp_path / "link").symlink_to("target")
    with pytest.raises(IntentError, match="symbolic link"):
        files.write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "target").read_bytes() == b"same"


@pytest.mark.parametrize("fails", ["write", "fsync"])
def test_n026_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path, monkeypatch, fails
):
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, fails, full)
    with pytest.raises(IntentError, match="f: No space left"):
        files.write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["f"]


def test_n026_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "a").write_bytes(b"a file")
    with pytest.raises(IntentError, match="a/b"):
        files.write_atomic(tmp_path / "a" / "b", b"new")


@pytest.mark.parametrize("point", [0, 1])
def test_n026_killed_while_writing_the_file_is_old(tmp_path, point, aside):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from git_intent import files\n"
        "if sys.argv[3] == 'named': vars(os).pop('O_TMPFILE', None)\n"
        "points = []\n"
        "def kill(name):\n"
        "    points.append(name)\n"
        "    if len(points) > int(sys.argv[2]): os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.on_effect = kill\n"
        "files.write_atomic(Path(sys.argv[1]), b'new')\n"
    )
    args = [sys.executable, "-c", program, str(path), str(point), aside]
    done = subprocess.run(args, check=False)
    assert done.returncode == -9
    assert path.read_bytes() == b"old"
    if aside == "named":
        files.write_atomic(path, b"next")
    assert names(tmp_path) == ["f"]


def test_what_a_dead_writer_left_is_removed_and_a_living_ones_is_not(tmp_path):
    dead = tmp_path / f".g.tmp-{2**22 + 1}"
    alive = tmp_path / f".h.tmp-{os.getppid()}"
    other = tmp_path / ".tmp-1"
    for path in (dead, alive, other):
        path.write_bytes(b"half")
    files.write_atomic(tmp_path / "f", b"new")
    assert set(names(tmp_path)) == {"f", alive.name, other.name}


def test_publish_never_replaces(tmp_path):
    path = tmp_path / "f"
    assert files.publish(path, b"first")
    assert not files.publish(path, b"second")
    assert path.read_bytes() == b"first"
    assert names(tmp_path) == ["f"]


def test_canonical_json_is_ascii_sorted_and_refuses_nan():
    assert files.canonical_json({"b": "ü", "a": [1]}) == b'{"a":[1],"b":"\\u00fc"}\n'
    with pytest.raises(ValueError):
        files.canonical_json(float("nan"))


def test_a_folder_that_is_gone_needs_no_sync():
    files.sync_folder(Path("/nonexistent"))
