"""The store files that one scan writes, put in place together or not at all.

Everything that needs disk space happens first: the new bytes and a copy of the old ones
are laid down in the run directory (`new/N`, `old/N`), then `changeset.json` says which
file is which. Only then are files renamed into the store, so a full disk or a kill
leaves either nothing to do or a change set that `put_back` undoes. No temporary file
ever lies in the work tree (unless the git directory is on another file system).
"""

import errno
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from git_intent import files
from git_intent.errors import IntentError
from git_intent.scan.run import Run

NAME = "changeset.json"
#: A path, its old bytes and its new ones; None where there is no file.
Side = tuple[str, bytes | None, bytes | None]


@dataclass(frozen=True, slots=True)
class Change:
    """One file: sha256 before (empty if there was none) and after (empty if it is
    gone)."""

    path: str
    before: str
    after: str


def stage(
    run: Run,
    before: Mapping[str, bytes],
    changes: Mapping[str, bytes],
    made: Iterable[Side] = (),
) -> tuple[Change, ...]:
    """Lay down both sides of every change in the run directory; those to `put` first.

    `made` are changes that somebody else has put into the store already.
    """
    done: list[Change] = []
    sides: list[Side] = [(p, before.get(p), d) for p, d in sorted(changes.items())]
    for number, (path, old, new) in enumerate((*sides, *made)):
        for side, data in (("new", new), ("old", old)):
            if data is not None:
                files.write_atomic(run.folder / side / str(number), data)
        done.append(Change(path, _digest_of(old), _digest_of(new)))
    run.write(
        NAME,
        {
            "version": 1,
            "changes": [
                {"path": c.path, "before": c.before, "after": c.after} for c in done
            ],
        },
    )
    return tuple(done)


def read(run: Run) -> tuple[Change, ...]:
    """The change set of a run, empty if it never got that far."""
    if not run.has(NAME):
        return ()
    raw = run.read(NAME)
    return tuple(
        Change(str(c["path"]), str(c["before"]), str(c["after"]))
        for c in raw["changes"]
    )


def put(run: Run, root: Path, changes: tuple[Change, ...]) -> None:
    """Rename the new files into the store at `root`.

    A file that is no longer what it was when the plan was made stops everything: what
    was put already is put back, and the other writer's bytes stay.
    """
    try:
        for number, change in enumerate(changes):
            target = _inside(root, change.path)
            if _digest(target) != change.before:
                raise IntentError(
                    f"{change.path}: changed while the scan was writing",
                    "run `git intent scan` again; nothing was kept of this one",
                )
            _move(run.folder / "new" / str(number), target)
        for place in {_inside(root, change.path).parent for change in changes}:
            files.sync_folder(place)
    except IntentError:
        put_back(run, root, changes)
        raise


def put_back(
    run: Run, root: Path, changes: tuple[Change, ...], taken: Collection[str] = ()
) -> list[str]:
    """Undo `put`, however far it got; gives the paths that somebody else changed.

    The paths in `taken` stay: somebody has made our bytes his own.
    """
    foreign = []
    for number, change in enumerate(changes):
        if change.path in taken:
            continue
        target = _inside(root, change.path)
        found = _digest(target)
        if found == change.before:
            continue
        if found != change.after:
            foreign.append(change.path)
        elif change.before:
            _move(run.folder / "old" / str(number), target)
            files.sync_folder(target.parent)
        else:
            files.effect(f"unlink {target.name}")
            _unlink(target, root)
    return foreign


def clear(run: Run) -> None:
    """Forget the change set: it is committed, or wholly undone."""
    files.effect("clear changeset")
    (run.folder / NAME).unlink(missing_ok=True)


def _inside(root: Path, path: str) -> Path:
    """The target below `root`, refused if any part of it is a symbolic link."""
    target = root
    for part in path.split("/"):
        target = target / part
        if target.is_symlink():
            raise IntentError(
                f"{target}: is a symbolic link", "replace it by a regular file"
            )
    return target


def _digest_of(data: bytes | None) -> str:
    return "" if data is None else files.sha256(data)


def _digest(path: Path) -> str:
    try:
        return files.sha256(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}") from error


def _move(staged: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            staged.chmod(target.stat().st_mode & 0o777)
        files.effect(f"rename {target.name}")
        staged.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise IntentError(
                f"{target}: {error.strerror}", "nothing was changed"
            ) from error
        files.write_atomic(target, staged.read_bytes())


def _unlink(target: Path, root: Path) -> None:
    """Remove a file and the folders that are empty without it: a `.cloche/` that is
    left over would be taken for a project."""
    try:
        target.unlink()
        files.sync_folder(target.parent)
    except OSError as error:
        raise IntentError(
            f"{target}: {error.strerror}", "run `git intent scan` to repair it"
        ) from error
    for folder in target.parents:
        if folder == root or any(folder.iterdir()):
            return
        folder.rmdir()
