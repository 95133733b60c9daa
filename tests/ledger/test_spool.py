"""Prompts are safe as soon as they lie in the spool, and damage there is named."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent.ledger import durable, spool
from tests.support.ledgers import header


@pytest.fixture
def inbox(tmp_path):
    return str(tmp_path / "team" / "s-1" / "inbox")


def put(inbox, data, **more):
    head = header(data, **more)
    return head, spool.spool(inbox, head, data)


def test_prompts_come_back_whole_and_in_order(inbox):
    told = [put(inbox, data)[0] for data in (b"a\r\n\0", b"", b"c" * 300_000)]
    found = spool.entries(inbox)
    assert [entry.header for entry in found] == told
    assert [entry.data() for entry in found] == [b"a\r\n\0", b"", b"c" * 300_000]
    assert [entry.damage for entry in found] == [""] * 3
    assert [entry.name[:13] for entry in found] == [f"{n:012}-" for n in (1, 2, 3)]


def test_a_prompt_of_fifty_megabytes_is_kept(inbox):
    data = os.urandom(1 << 20) * 50
    put(inbox, data)
    assert spool.entries(inbox)[0].data() == data


def test_numbers_go_on_after_the_largest(inbox):
    for _ in range(3):
        put(inbox, b"x")
    Path(spool.entries(inbox)[0].path).unlink()
    assert put(inbox, b"y")[1].startswith(f"{4:012}-")


def test_l128_files_are_private_whatever_the_umask(inbox, tmp_path):
    before = os.umask(0)
    try:
        put(inbox, b"x")
    finally:
        os.umask(before)
    modes = {
        stat.S_IMODE(Path(path).stat().st_mode)
        for path in (inbox, tmp_path / "team", tmp_path / "team" / "s-1")
    }
    assert modes == {0o700}
    assert stat.S_IMODE(Path(spool.entries(inbox)[0].path).stat().st_mode) == 0o600


def test_l128_a_folder_that_others_may_enter_is_closed(inbox):
    Path(inbox).mkdir(0o755, parents=True)
    put(inbox, b"x")
    assert stat.S_IMODE(Path(inbox).stat().st_mode) == 0o700


def test_l097_an_inbox_file_cut_anywhere_is_named(inbox):
    _, name = put(inbox, b"hello world\n")
    path = f"{inbox}/{name}"
    with open(path, "rb") as stream:
        whole = stream.read()
    line = whole.index(b"\n") + 1
    for size in range(len(whole)):
        with open(path, "wb") as stream:
            stream.write(whole[:size])
        (entry,) = spool.entries(inbox)
        assert entry.damage == ("header" if size < line else "length"), size
        assert entry.raw() == whole[:size]


@pytest.mark.parametrize(
    ("name", "content", "damage"),
    [
        ("notes.txt", b"mine", "name"),
        ("000000000001-src-1", b'{"v":2,"id":"src-1"}\nx', "version"),
        ("000000000001-src-1", b'{"v":1,"id":"src-1"}\nx', "header"),
        ("000000000001-src-1", b"[" * 100_000, "header"),
        ("000000000001-src-1", b"[1]\n", "header"),
        ("000000000000-src-1", b"x", "name"),
    ],
)
def test_what_is_none_of_ours_is_named_and_stays(inbox, name, content, damage):
    durable.make_folder(inbox)
    with open(f"{inbox}/{name}", "wb") as stream:
        stream.write(content)
    (entry,) = spool.entries(inbox)
    assert (entry.name, entry.damage) == (name, damage)
    assert entry.raw() == content


def test_a_link_or_a_pipe_in_the_inbox_holds_nobody_up(inbox):
    durable.make_folder(inbox)
    os.mkfifo(f"{inbox}/000000000001-src-1")
    Path(inbox, "000000000002-src-2").symlink_to("/etc/passwd")
    assert [entry.damage for entry in spool.entries(inbox)] == ["name", "name"]


def test_a_spool_without_hard_links_still_publishes_whole(inbox, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    put(inbox, b"x")
    assert [entry.data() for entry in spool.entries(inbox)] == [b"x"]
    assert len(list(Path(inbox).iterdir())) == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("call", ["write", "fsync", "link"])
def test_l094_a_prompt_that_cannot_be_kept_leaves_nothing(
    inbox, monkeypatch, call, number
):
    durable.make_folder(inbox)

    def fail(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError) as caught:
        put(inbox, b"x")
    assert caught.value.errno == number
    assert list(Path(inbox).iterdir()) == []


def test_l094_an_error_at_close_does_not_lose_what_is_synced(inbox, monkeypatch):
    durable.make_folder(inbox)
    real = os.close

    def fail(handle):
        real(handle)
        raise OSError(errno.ENOSPC, "at close")

    monkeypatch.setattr(os, "close", fail)
    put(inbox, b"x")
    monkeypatch.undo()
    assert spool.entries(inbox)[0].data() == b"x"


def test_l112_a_prompt_too_large_for_the_disk_leaves_a_gap(
    inbox, tmp_path, monkeypatch
):
    real = os.write

    def small(handle, data):
        if len(data) > 4096:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, data)

    monkeypatch.setattr(os, "write", small)
    data = b"x" * 5000
    head = header(data)
    path, why = spool.keep(inbox, str(tmp_path / "spool"), head, data)
    assert why.errno == errno.ENOSPC
    (entry,) = spool.entries(inbox)
    assert entry.path == path
    assert entry.damage == ""
    assert entry.data() == b""
    wanted = {"kind": "gap", "id": f"gap-{head['id'][4:]}", "reason": "not-kept"}
    assert entry.header == {**head, **wanted}


def test_l112_a_home_that_cannot_be_written_leaves_the_gap_elsewhere(tmp_path):
    (tmp_path / "home").write_bytes(b"no folder")
    elsewhere = str(tmp_path / "spool")
    head = header(b"keep me", home="/h", namespace="team", chat="s-1")
    path, why = spool.keep(f"{tmp_path}/home/inbox", elsewhere, head, b"keep me")
    assert why.errno == errno.ENOTDIR
    (entry,) = spool.entries(elsewhere)
    assert (entry.path, entry.data()) == (path, b"keep me")
    assert (entry.header["kind"], entry.header["chat"]) == ("gap", "s-1")


def test_a_prompt_that_nothing_can_keep_is_reported(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    place = f"{tmp_path}/file/inbox"
    assert spool.keep(place, place, header(b"x"), b"x")[0] == ""


def test_the_spool_loads_little():
    code = (
        "import sys; import git_intent.ledger.spool; "
        "print([m for m in ('typing', 'pathlib', 'dataclasses', 'subprocess', "
        "'hashlib', 'git_intent.files') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
