"""The folder: what is read, what is refused, what a write touches."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent import files
from git_intent.errors import IntentError
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    DOMAINS,
    REQUIREMENTS,
    SCAN_STATE,
    STORE,
    is_requirement,
    load_store,
    read_snapshot,
    requirement_path,
    with_drivers,
    write_changes,
)
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import render_requirement
from tests.support.repo import Repo


def requirement(number: int, statement: str = "") -> bytes:
    id = f"req-{number:04x}"
    return render_requirement(
        Requirement(
            id,
            statement or f"Keep rule {number}.",
            created="2026-01-01",
            updated="2026-01-01",
        )
    )


def path(number: int) -> str:
    return requirement_path(f"req-{number:04x}")


DRIVERS = (
    b"requirements/*.md merge=git-intent diff=git-intent\n"
    b"domains.yaml merge=git-intent\n"
    b"scan-state.yaml merge=git-intent\n"
)


def test_n001_a_store_without_domains_state_and_index_is_read(tmp_path: Path):
    for number in range(3):
        write_file(tmp_path / path(number), requirement(number))
    store = load_store(read_snapshot(tmp_path))
    assert sorted(store.requirements) == ["req-0000", "req-0001", "req-0002"]
    assert store.paths["req-0001"] == path(1)
    assert store.bytes["req-0001"] == requirement(1)
    assert store.domains.domains == ()
    assert store.issues == ()
    assert sorted(p.name for p in (tmp_path / STORE).iterdir()) == ["requirements"]


def test_no_store_is_an_empty_store(tmp_path: Path):
    assert read_snapshot(tmp_path) == {}
    assert load_store({}).requirements == {}


def test_n003_what_else_a_person_keeps_there_is_neither_read_nor_written(tmp_path):
    own = {
        f"{REQUIREMENTS}/README.md": b"# Ours\n",
        f"{STORE}/notes/req-0001.md": b"note\n",
        f"{REQUIREMENTS}/old/req-0001.md": b"old\n",
    }
    for name, data in own.items():
        write_file(tmp_path / name, data)
    written = write_changes(
        tmp_path,
        {
            path(1): requirement(1),
            DOMAINS: b"version: 1\ndomains: []\n",
            SCAN_STATE: b"last_commit: aa\n",
        },
    )
    assert written == (ATTRIBUTES, DOMAINS, path(1), SCAN_STATE)
    assert set(read_snapshot(tmp_path)) == set(written)
    for name, data in own.items():
        assert (tmp_path / name).read_bytes() == data


def test_n005_names_that_are_no_ids_and_ids_that_are_no_names(tmp_path: Path):
    snapshot = {
        f"{REQUIREMENTS}/req-A3F8.md": requirement(0xA3F8),
        f"{REQUIREMENTS}/req-a3f.md": requirement(0xA3F),
        f"{REQUIREMENTS}/req-0001.md": requirement(2),
        f"{REQUIREMENTS}/REQ-0003.MD": requirement(3),
        path(4): requirement(4),
    }
    for name, data in snapshot.items():
        write_file(tmp_path / name, data)
    assert read_snapshot(tmp_path) == snapshot
    store = load_store(snapshot)
    assert list(store.requirements) == ["req-0004"]
    assert [(i.path.rpartition("/")[2], i.code) for i in store.issues] == [
        ("REQ-0003.MD", "I011"),
        ("req-0001.md", "I011"),
        ("req-A3F8.md", "I011"),
        ("req-a3f.md", "I011"),
    ]
    assert "req-0001 and its id is req-0002" in store.issues[1].message


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        (f"{REQUIREMENTS}/req-0001.md", True),
        (f"{REQUIREMENTS}/Req-x.MD", True),
        (f"{REQUIREMENTS}/README.md", False),
        (f"{REQUIREMENTS}/req-0001.md.orig", False),
        (f"{REQUIREMENTS}/sub/req-0001.md", False),
        (f"{STORE}/req-0001.md", False),
    ],
)
def test_which_paths_are_requirements(name, meant):
    assert is_requirement(name) is meant


def test_n018_one_broken_file_of_200_is_named_and_the_others_are_used():
    snapshot = {path(n): requirement(n) for n in range(200)}
    snapshot[path(7)] = snapshot[path(7)].replace(b"status: active", b"status: [")
    store = load_store(snapshot)
    assert len(store.requirements) == 199
    assert len(store.issues) == 1
    assert str(store.issues[0]).startswith(f"{path(7)}:5:8: I003")


def test_n018_broken_domains_and_state_leave_the_requirements_alone():
    store = load_store(
        {path(1): requirement(1), DOMAINS: b"a: [", SCAN_STATE: b"<<<<<<< x\n"}
    )
    assert list(store.requirements) == ["req-0001"]
    assert [(i.path, i.code) for i in store.issues] == [
        (DOMAINS, "I003"),
        (SCAN_STATE, "I006"),
    ]


@pytest.mark.parametrize(
    "link",
    [".cloche", STORE, REQUIREMENTS, path(1), DOMAINS, SCAN_STATE, ATTRIBUTES],
)
def test_n025_symbolic_links_are_refused_by_name(tmp_path: Path, link: str):
    root, outside = tmp_path / "root", tmp_path / "outside"
    held = outside / "held"
    if Path(link).suffix or link == ATTRIBUTES:
        write_file(held, b"secret")
    else:
        held.mkdir(parents=True)
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(held)
    before = sorted(outside.rglob("*"))
    changes = {path(1): requirement(1), DOMAINS: b"version: 1\n", SCAN_STATE: b"a: b\n"}
    for act in (lambda: read_snapshot(root), lambda: write_changes(root, changes)):
        with pytest.raises(IntentError, match="is a symbolic link") as caught:
            act()
        assert caught.value.message.startswith(f"{link}:")
    assert sorted(outside.rglob("*")) == before
    assert not held.is_file() or held.read_bytes() == b"secret"


def test_n025_a_dangling_link_is_refused_too(tmp_path: Path):
    (tmp_path / REQUIREMENTS).mkdir(parents=True)
    (tmp_path / path(1)).symlink_to(tmp_path / "nowhere")
    with pytest.raises(IntentError, match="is a symbolic link"):
        write_changes(tmp_path, {path(1): requirement(1)})
    assert not (tmp_path / "nowhere").exists()


def test_n025_a_linked_file_that_is_not_ours_is_left_alone(tmp_path: Path):
    (tmp_path / REQUIREMENTS).mkdir(parents=True)
    (tmp_path / f"{REQUIREMENTS}/README.md").symlink_to("/etc/passwd")
    assert read_snapshot(tmp_path) == {}


def test_a_folder_or_pipe_in_place_of_a_file_is_refused_at_once(tmp_path: Path):
    (tmp_path / path(1)).mkdir(parents=True)
    with pytest.raises(IntentError, match=r"req-0001\.md: is not a regular file"):
        read_snapshot(tmp_path)
    (tmp_path / path(1)).rmdir()
    os.mkfifo(tmp_path / path(1))
    with pytest.raises(IntentError, match=r"req-0001\.md: is not a regular file"):
        read_snapshot(tmp_path)


def test_a_file_in_place_of_a_folder_is_no_store(tmp_path: Path):
    write_file(tmp_path / STORE, b"")
    assert read_snapshot(tmp_path) == {}
    with pytest.raises(IntentError):
        write_changes(tmp_path, {path(1): requirement(1)})


def test_equal_content_is_not_written(tmp_path: Path):
    write_changes(tmp_path, {path(1): requirement(1)})
    before = (tmp_path / path(1)).stat()
    (tmp_path / ATTRIBUTES).unlink()
    assert write_changes(tmp_path, {path(1): requirement(1)}) == ()
    after = (tmp_path / path(1)).stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert not (tmp_path / ATTRIBUTES).exists()


def test_cursors_are_written_after_what_they_stand_for(tmp_path: Path, monkeypatch):
    seen: list[str] = []
    monkeypatch.setattr(files, "on_effect", seen.append)
    write_changes(
        tmp_path,
        {SCAN_STATE: b"a: b\n", path(2): requirement(2), path(1): requirement(1)},
    )
    renamed = [name for name in seen if name.startswith("rename")]
    assert renamed[-1] == "rename scan-state.yaml"
    assert len(renamed) == 4


@pytest.mark.parametrize(
    "bad",
    [
        "README.md",
        f"{STORE}/../../x",
        f"{REQUIREMENTS}/req-A3F8.md",
        f"{REQUIREMENTS}/req-0001.md/x",
        f"{STORE}/notes/req-0001.md",
        "/etc/passwd",
    ],
)
def test_only_files_of_the_store_are_written(tmp_path: Path, bad: str):
    with pytest.raises(IntentError, match="is not a file of the store"):
        write_changes(tmp_path, {path(1): requirement(1), bad: b"x"})
    assert not (tmp_path / STORE).exists()


def test_the_first_write_names_the_drivers(tmp_path: Path):
    write_changes(tmp_path, {path(1): requirement(1)})
    assert (tmp_path / ATTRIBUTES).read_bytes() == DRIVERS
    assert write_changes(tmp_path, {path(2): requirement(2)}) == (path(2),)


@pytest.mark.parametrize(
    ("own", "after"),
    [
        (None, DRIVERS),
        (b"*.png binary\n", b"*.png binary\n" + DRIVERS),
        (b"*.png binary", b"*.png binary\n" + DRIVERS),
        (DRIVERS, None),
        (
            b"domains.yaml -merge\n",
            b"domains.yaml -merge\n"
            + DRIVERS.replace(b"domains.yaml merge=git-intent\n", b""),
        ),
        (b"# r\r\n", b"# r\r\n" + DRIVERS.replace(b"\n", b"\r\n")),
        (b"\xff\n", b"\xff\n" + DRIVERS),
    ],
)
def test_a_persons_attributes_are_kept(own, after):
    assert with_drivers(own) == after


def test_git_reads_the_attributes(repo: Repo):
    write_changes(repo.path, {path(1): requirement(1)})
    shown = repo.git("check-attr", "merge", "diff", "text", "--", path(1), DOMAINS)
    assert shown.split("\n") == [
        f"{path(1)}: merge: git-intent",
        f"{path(1)}: diff: git-intent",
        f"{path(1)}: text: unspecified",
        f"{DOMAINS}: merge: git-intent",
        f"{DOMAINS}: diff: unspecified",
        f"{DOMAINS}: text: unspecified",
    ]


def test_n034_blanks_and_umlauts_in_the_path(tmp_path: Path):
    root = tmp_path / "mein Projekt Übung"
    write_changes(root, {path(1): requirement(1, "Größe zählt nicht.")})
    store = load_store(read_snapshot(root))
    assert store.requirements["req-0001"].statement == "Größe zählt nicht."


KILLED = """
import os, signal, sys
from pathlib import Path
from git_intent import files
from git_intent.store.intent_dir import write_changes

left = int(sys.argv[2])
def kill(name):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
files.on_effect = kill
root = Path(sys.argv[1])
new = {str(p.relative_to(root / "new")): p.read_bytes()
       for p in (root / "new").rglob("*") if p.is_file()}
write_changes(root, new)
"""


def test_n026_a_kill_at_any_write_leaves_each_file_wholly_old_or_new(repo: Repo):
    old = {path(1): requirement(1), SCAN_STATE: b"last_commit: aa\n"}
    new = {
        path(1): requirement(1, "Other words."),
        path(2): requirement(2),
        SCAN_STATE: b"last_commit: bb\n",
    }
    write_changes(repo.path, old)
    repo.write(".gitignore", "new/\n")
    for name, data in new.items():
        repo.write(f"new/{name}", data)
    repo.commit("old")
    seen = []
    for count in range(40):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(repo.path), str(count)],
            check=False,
            env={**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[1])},
        )
        found = read_snapshot(repo.path)
        for name in (*new, ATTRIBUTES):
            assert found.get(name) in (old.get(name), new.get(name), DRIVERS)
        if found[SCAN_STATE] == new[SCAN_STATE]:
            assert {name: found[name] for name in new} == new
        status = repo.git("status", "--porcelain", "-uall").split("\n")
        assert {line[3:] for line in status if line} <= set(new)
        seen.append(done.returncode)
        if done.returncode == 0:
            break
        repo.git("checkout", "-q", ".")
        repo.git("clean", "-qfd", STORE)
    assert set(seen[:-1]) == {-signal.SIGKILL}
    assert seen[-1] == 0
    assert len(seen) > 6


def test_n026_what_was_written_before_a_failure_is_put_back(
    tmp_path: Path, monkeypatch
):
    old = {path(1): requirement(1), DOMAINS: b"version: 1\n"}
    write_changes(tmp_path, old)
    (tmp_path / ATTRIBUTES).unlink()
    new = {
        DOMAINS: b"version: 1\ndomains: []\n",
        path(1): requirement(1, "Other."),
        path(2): requirement(2),
        SCAN_STATE: b"last_commit: bb\n",
    }

    def full(name: str) -> None:
        if name == "rename scan-state.yaml":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "on_effect", full)
    with pytest.raises(IntentError, match="No space left"):
        write_changes(tmp_path, new)
    assert read_snapshot(tmp_path) == old
    assert sorted(p.name for p in (tmp_path / STORE).iterdir()) == [
        "domains.yaml",
        "requirements",
    ]


def test_importing_the_store_loads_no_parser():
    code = (
        "import sys, git_intent.store.mutate, git_intent.store.intent_dir;"
        "print({'yaml', 'frontmatter', 'click', 'pygit2'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[1])},
    )
    assert done.stdout == "set()\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_n026_a_read_only_store_is_an_error_and_stays_as_it_is(tmp_path: Path):
    write_changes(tmp_path, {path(1): requirement(1)})
    folder = tmp_path / REQUIREMENTS
    folder.chmod(0o500)
    try:
        with pytest.raises(IntentError, match="Permission denied"):
            write_changes(tmp_path, {path(1): requirement(1, "Other.")})
        assert (tmp_path / path(1)).read_bytes() == requirement(1)
    finally:
        folder.chmod(0o700)


def write_file(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
