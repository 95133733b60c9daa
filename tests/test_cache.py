"""What a hot path gets back, and everything that makes it look anew."""

import os
import subprocess
import sys

import pytest

from git_intent import cache

VALUE = {"a": [1, 2.5, None], "b": ("x", b"y")}


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source"
    path.write_text("one")
    long_ago = path.stat().st_mtime - 60
    os.utime(path, (long_ago, long_ago))
    return path


def test_what_was_saved_is_read_back_with_its_stamps(tmp_path, source):
    taken = cache.stamps([str(source), str(tmp_path / "absent")])
    cache.save(str(tmp_path), "store", taken, VALUE)
    now = cache.stamps([str(source), str(tmp_path / "absent")])
    assert cache.read(str(tmp_path), "store") == (now, VALUE)
    assert cache.read(str(tmp_path), "other") is None


def test_n002_an_edit_that_keeps_size_and_time_is_seen(source):
    taken = cache.stamps([str(source)])
    before = source.stat()
    source.write_text("two")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert source.stat().st_mtime_ns == before.st_mtime_ns
    assert cache.stamps([str(source)]) != taken


def test_a_source_that_went_is_seen(source):
    taken = cache.stamps([str(source)])
    source.unlink()
    assert cache.stamps([str(source)]) == {str(source): None} != taken


@pytest.mark.parametrize("at", [0, 20, 35, 45, -1])
def test_a_damaged_file_counts_as_absent(tmp_path, source, at):
    taken = cache.stamps([str(source)])
    cache.save(str(tmp_path), "store", taken, VALUE)
    path = tmp_path / "intent" / "cache" / "store"
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert cache.read(str(tmp_path), "store") is None
    path.write_bytes(data[: len(data) // 2])
    assert cache.read(str(tmp_path), "store") is None


def test_a_cache_that_cannot_be_written_is_no_failure(tmp_path, source):
    (tmp_path / "intent").write_text("a file where a folder belongs")
    cache.save(str(tmp_path), "store", cache.stamps([str(source)]), VALUE)


def test_loading_costs_no_import():
    program = (
        "import sys; before = set(sys.modules); import git_intent.cache\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert set(out.split()) == {
        "__future__",
        "binascii",
        "git_intent",
        "git_intent.cache",
    }
