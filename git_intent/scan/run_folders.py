"""The runs that Cloche left in the work tree, and which logs belong to which.

    .cloche/runs/<task or run>/     prompt.txt, task_prompt.md, snapshots/<attempt>/
    .cloche/logs/<task>/<attempt>/  logs, in folders perhaps
    .cloche/logs/<task>/            logs of older versions lie here directly

A run is called `<attempt>-<workflow>`, an attempt by four characters. So logs belong
to the run of their task's name, or to one that names their attempt. Logs that nobody
claims make a run of their own, under the name of their task (`<task>:<attempt>` if
another attempt of it is claimed). Symbolic links are named and not followed.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from git_intent.scan.artifacts import Notice

RUNS = ".cloche/runs"
LOGS = ".cloche/logs"
PROMPTS = ("prompt.txt", "task_prompt.md")
_DEEPEST = 4
_ATTEMPT = 4  # characters of an attempt's name


@dataclass(frozen=True, slots=True)
class Attempt:
    """`folder` from the project's root, `files` from that folder."""

    task: str
    name: str  # empty for logs that lie directly in the task's folder
    folder: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunFolder:
    id: str
    prompts: tuple[str, ...]  # paths from the project's root
    attempts: tuple[Attempt, ...]


class RunFolders:
    """Looks through the two folders once; `skipped` names what was passed over."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.skipped: list[Notice] = []
        attempts = list(self._attempts())
        runs = [self._run(name, attempts) for name in self._folders(RUNS)]
        claimed = {attempt.folder for run in runs for attempt in run.attempts}
        runs += _unclaimed(attempts, claimed)
        self.runs = tuple(r for r in runs if r.prompts or r.attempts)

    def _run(self, name: str, attempts: list[Attempt]) -> RunFolder:
        folder = f"{RUNS}/{name}"
        prompts = [f"{folder}/{p}" for p in PROMPTS if self._is_file(f"{folder}/{p}")]
        named = set(self._folders(f"{folder}/snapshots"))
        own = [a for a in attempts if _belongs(a, name, named)]
        return RunFolder(name, tuple(prompts), tuple(own))

    def _attempts(self) -> Iterator[Attempt]:
        for task in self._folders(LOGS):
            folder = f"{LOGS}/{task}"
            inner = self._folders(folder)
            for name in inner:
                if files := tuple(self._files(f"{folder}/{name}")):
                    yield Attempt(task, name, f"{folder}/{name}", files)
            if files := tuple(self._files(folder, depth=_DEEPEST)):
                yield Attempt(task, "", folder, files)

    def _files(self, folder: str, prefix: str = "", depth: int = 0) -> Iterator[str]:
        """Logs below a folder, as deep as `_DEEPEST`."""
        for entry in self._entries(folder):
            if entry.is_dir() and depth < _DEEPEST:
                inner = f"{folder}/{entry.name}"
                yield from self._files(inner, f"{prefix}{entry.name}/", depth + 1)
            elif entry.is_file():
                yield prefix + entry.name

    def _folders(self, folder: str) -> list[str]:
        return [entry.name for entry in self._entries(folder) if entry.is_dir()]

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        """What lies in a folder, by name, without links and unreadable names."""
        target = self.root / folder
        if not target.is_dir() or target.is_symlink():
            return []
        try:
            found = sorted(os.scandir(target), key=lambda entry: entry.name)
        except OSError as error:
            self._skip(folder, f"cannot be read: {error.strerror}")
            return []
        kept = []
        for entry in found:
            if entry.is_symlink():
                self._skip(f"{folder}/{entry.name}", "a symbolic link")
            elif not entry.name.isprintable():
                self._skip(f"{folder}/{entry.name}", "a name that cannot be printed")
            else:
                kept.append(entry)
        return kept

    def _is_file(self, path: str) -> bool:
        target = self.root / path
        return target.is_file() and not target.is_symlink()

    def _skip(self, path: str, reason: str) -> None:
        notice = Notice(path.encode("utf-8", "replace").decode(), reason)
        if notice not in self.skipped:
            self.skipped.append(notice)


def _belongs(attempt: Attempt, run: str, named: set[str]) -> bool:
    if attempt.task == run or (attempt.name and attempt.name in named):
        return True
    prefix, dash, _ = run.partition("-")
    return bool(dash) and len(prefix) == _ATTEMPT and attempt.name == prefix


def _unclaimed(attempts: list[Attempt], claimed: set[str]) -> Iterator[RunFolder]:
    tasks: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        tasks.setdefault(attempt.task, []).append(attempt)
    for task, all_of_it in tasks.items():
        free = [a for a in all_of_it if a.folder not in claimed]
        if len(free) == len(all_of_it):
            yield RunFolder(task, (), tuple(free))
            continue
        for attempt in free:
            id = f"{task}:{attempt.name}" if attempt.name else task
            yield RunFolder(id, (), (attempt,))
