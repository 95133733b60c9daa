"""A change set is put in place wholly or not at all, whenever it is interrupted."""

import contextlib
import os

import pytest

from git_intent import files
from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.scan import changeset
from git_intent.scan.run import Run

BEFORE = {"s/a": b"old a", "s/b": b"old b"}
CHANGES = {"s/a": b"new a", "s/b": b"new b", "s/deep/c": b"new c"}


@pytest.fixture
def world(tmp_path):
    root = tmp_path / "root"
    run = Run("r", tmp_path / "run")
    run.folder.mkdir()
    for path, data in BEFORE.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return run, root


def contents(root):
    found = (p for p in root.rglob("*") if p.is_file())
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in found}


def test_what_is_put_is_what_was_staged_and_putting_back_restores_all(world):
    run, root = world
    staged = changeset.stage(run, BEFORE, CHANGES)
    assert contents(root) == BEFORE
    changeset.put(run, root, staged)
    assert contents(root) == CHANGES
    assert changeset.read(run) == staged
    assert changeset.put_back(run, root, staged) == []
    assert contents(root) == BEFORE
    assert not (root / "s/deep").exists()
    assert changeset.put_back(run, root, staged) == []


class Killed(BaseException):
    pass


def kill_at(monkeypatch, number):
    left = [number]

    def effect(name):
        left[0] -= 1
        if left[0] < 0:
            raise Killed(name)

    monkeypatch.setattr(files, "on_effect", effect)


@pytest.mark.parametrize("number", range(24))
def test_n026_n088_interrupted_anywhere_it_can_be_put_back(world, monkeypatch, number):
    run, root = world
    kill_at(monkeypatch, number)
    with contextlib.suppress(Killed):
        changeset.put(run, root, changeset.stage(run, BEFORE, CHANGES))
    for second in (number // 2, 99):  # the repair may be killed, too
        kill_at(monkeypatch, second)
        try:
            changeset.put_back(run, root, changeset.read(run))
        except Killed:
            continue
    assert contents(root) == BEFORE


def test_n026_a_disk_that_fills_up_at_any_write_leaves_the_files_as_they_were(
    world, monkeypatch
):
    run, root = world
    real = os.write
    for fit in range(6):
        left = [fit]

        def write(handle, data, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(28, "No space left on device")
            return real(handle, data)

        monkeypatch.setattr(os, "write", write)
        with pytest.raises(IntentError, match="No space left"):
            changeset.put(run, root, changeset.stage(run, BEFORE, CHANGES))
        assert contents(root) == BEFORE
    monkeypatch.undo()


def test_a_file_that_changed_since_the_plan_stops_everything_and_stays(world):
    run, root = world
    staged = changeset.stage(run, BEFORE, CHANGES)
    (root / "s/b").write_bytes(b"a person's")
    with pytest.raises(IntentError, match="s/b: changed while"):
        changeset.put(run, root, staged)
    assert contents(root) == {**BEFORE, "s/b": b"a person's"}


def test_putting_back_leaves_and_names_what_somebody_else_changed(world):
    run, root = world
    staged = changeset.stage(run, BEFORE, CHANGES)
    changeset.put(run, root, staged)
    (root / "s/deep/c").write_bytes(b"a person's")
    assert changeset.put_back(run, root, staged) == ["s/deep/c"]
    assert contents(root) == {**BEFORE, "s/deep/c": b"a person's"}


def test_a_symbolic_link_on_the_way_is_refused(world, tmp_path):
    run, root = world
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "s" / "deep").symlink_to(outside)
    staged = changeset.stage(run, BEFORE, CHANGES)
    with pytest.raises(IntentError, match="symbolic link"):
        changeset.put(run, root, staged)
    assert list(outside.iterdir()) == []
    assert (root / "s/a").read_bytes() == b"old a"


def test_the_mode_of_an_existing_file_stays(world):
    run, root = world
    (root / "s/a").chmod(0o600)
    changeset.put(run, root, changeset.stage(run, BEFORE, CHANGES))
    assert (root / "s/a").stat().st_mode & 0o777 == 0o600
    assert sha256((root / "s/a").read_bytes()) == sha256(b"new a")


def test_what_somebody_took_over_is_not_put_back(world):
    run, root = world
    staged = changeset.stage(run, BEFORE, CHANGES)
    changeset.put(run, root, staged)
    changeset.put_back(run, root, staged, taken={"s/a", "s/deep/c"})
    assert contents(root) == {**CHANGES, "s/b": b"old b"}
