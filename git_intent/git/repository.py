"""One git repository as the project sees it: where it lies, what state it is in.

A project lives at `root`: the nearest folder with `.cloche/`, else the top of the work
tree. **Every path that goes into or comes out of `git_intent.git` is a POSIX path
relative to `root`**; what lies in the repository but outside the project starts with
`../`. A bare repository has no work tree, and its `root` stands for its tree's top.
"""

import os
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.differing import from_top
from git_intent.git.process import GitError, git_result, run_git, spawn_git

_HONOURED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")

_QUESTIONS = (
    "--is-bare-repository",
    "--is-shallow-repository",
    "--show-object-format",
    "--path-format=absolute",
    "--git-dir",
    "--git-common-dir",
    "--git-path",
    "index",
    "--show-toplevel",
)

#: A file or folder in the git directory of a work tree → the operation under way there.
_OPERATIONS = (
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("rebase-merge", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)


class NotARepository(IntentError):
    """The place does not lie in a git repository."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where HEAD stands. `oid` is empty while the branch is unborn, `branch` (the full
    ref name) while HEAD is detached."""

    oid: str
    branch: str

    @property
    def detached(self) -> bool:
        return not self.branch

    @property
    def unborn(self) -> bool:
        return not self.oid


@dataclass(frozen=True, slots=True)
class Ignored:
    """A path that git ignores, and the line that says so."""

    path: str
    source: str
    line: int
    pattern: str


@dataclass(frozen=True, slots=True)
class Repository:
    """`exports` holds what the caller's environment said about the repository."""

    root: Path
    worktree: Path | None
    git_dir: Path
    common_dir: Path
    index_file: Path
    bare: bool
    shallow: bool
    object_format: str
    exports: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def discover(cls, start: Path) -> "Repository":
        """The repository around `start`, or the one that the environment names."""
        start = start.absolute()
        exported = _exported(start)
        lines = _ask(start, exported)
        bare, shallow, object_format, git_dir, common_dir, index = lines[:6]
        top = Path(lines[6]) if len(lines) > 6 and bare == "false" else None
        exports = dict(exported)
        if "GIT_INDEX_FILE" in exports:
            exports["GIT_INDEX_FILE"] = index
        if "GIT_DIR" in exports and top is not None:
            # with GIT_DIR alone, git would take any current folder for the top
            exports["GIT_WORK_TREE"] = str(top)
        return cls(
            root=_project_root(start, top) if top else Path(git_dir),
            worktree=top,
            git_dir=Path(git_dir),
            common_dir=Path(common_dir),
            index_file=Path(index),
            bare=bare == "true",
            shallow=shallow == "true",
            object_format=object_format,
            exports=exports,
        )

    @property
    def project(self) -> str:
        """The project's folder in the repository: empty, or like `svc/`."""
        if self.worktree is None or self.root == self.worktree:
            return ""
        return f"{self.root.relative_to(self.worktree).as_posix()}/"

    @property
    def zero(self) -> str:
        """The id that means "no object"."""
        return "0" * (64 if self.object_format == "sha256" else 40)

    def git(
        self,
        *args: str,
        input: bytes = b"",
        env: Mapping[str, str] | None = None,
        check: bool = True,
    ) -> bytes:
        """Run git at the root of the project."""
        return run_git(
            args, cwd=self.root, input=input, env=self.environment(env), check=check
        )

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return {**self.exports, **(extra or {})}

    def from_top(self, path: str) -> str:
        """Turn a path as git names it, from the top, into one from the project."""
        return from_top(self.project, path)

    def to_top(self, path: str) -> str:
        """Turn a path from the project into one from the top."""
        return posixpath.normpath(self.project + path) if self.project else path

    def head(self) -> Head:
        _, branch = spawn_git(["symbolic-ref", "-q", "HEAD"], self.root, self.exports)
        return Head(self.resolve("HEAD") or "", os.fsdecode(branch).strip())

    def resolve(self, rev: str) -> str | None:
        """The commit that `rev` names, through tags; None if there is none."""
        if not rev or rev.startswith("-"):
            return None
        code, out = spawn_git(
            ["rev-parse", "-q", "--verify", f"{rev}^{{commit}}"],
            self.root,
            self.exports,
        )
        return None if code else out.decode().strip()

    def operation(self) -> str:
        """What git is in the middle of in this work tree, or nothing."""
        for name, operation in _OPERATIONS:
            if (self.git_dir / name).exists():
                return operation
        if (self.common_dir / "reftable").is_dir():
            for name in ("CHERRY_PICK_HEAD", "REVERT_HEAD"):
                if self.resolve(name):
                    return dict(_OPERATIONS)[name]
        return _sequence(self.git_dir / "sequencer" / "todo")

    def ignored(self, paths: Iterable[str]) -> list[Ignored]:
        """Those of `paths` that git ignores; a tracked path never is."""
        asked = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
        if not asked or self.worktree is None:
            return []
        args = ["check-ignore", "-v", "-z", "--stdin"]
        env = self.environment({"GIT_LITERAL_PATHSPECS": "0"})  # it refuses to be
        code, out, words = git_result(args, cwd=self.root, input=asked, env=env)
        if code not in (0, 1):
            raise GitError(args, code, words)
        fields = [os.fsdecode(part) for part in out.split(b"\0")[:-1]]
        rows = zip(*(fields[i::4] for i in range(4)), strict=True)
        return [
            Ignored(path.removeprefix("./"), source, int(line or 0), pattern)
            for source, line, pattern, path in rows
            if not pattern.startswith("!")
        ]

    def identity(self) -> tuple[str, str] | None:
        """Name and email that a commit would carry, if git has been told."""
        code, out, _ = git_result(
            ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"],
            cwd=self.root,
            env=self.exports,
        )
        if code:
            return None
        name, _, rest = out.decode(errors="replace").partition(" <")
        return name, rest.rpartition(">")[0]


def _exported(start: Path) -> dict[str, str]:
    """What the environment says about the repository, as absolute paths."""
    found = {name: os.environ[name] for name in _HONOURED if os.environ.get(name)}
    for name in ("GIT_DIR", "GIT_WORK_TREE"):
        if name in found:
            found[name] = str((start / found[name]).absolute())
    return found


def _ask(start: Path, exported: Mapping[str, str]) -> list[str]:
    code, out = spawn_git(["rev-parse", *_QUESTIONS], start, exported)
    lines = os.fsdecode(out).splitlines()
    # The last question has no answer in a bare repository or inside `.git`.
    if len(lines) not in (6, 7) or (code and len(lines) == 7):
        raise _refusal(start, exported, lines)
    return lines


def _refusal(start: Path, exported: Mapping[str, str], lines: list[str]) -> IntentError:
    """Say in plain words why git does not open the repository."""
    _, _, words = git_result(["rev-parse", "--git-dir"], cwd=start, env=exported)
    if "dubious ownership" in words or "unsafe repository" in words:
        return IntentError(
            f"{start}: git refuses this repository: it belongs to somebody else",
            f"if you trust it: git config --global --add safe.directory '{start}'",
        )
    if "not a git repository" in words or "cannot use bare repository" in words:
        return NotARepository(
            f"{start}: {words.strip().removeprefix('fatal: ')}",
            "run this in a git repository, or make one with `git init`",
        )
    if len(lines) > len(_QUESTIONS) - 2:
        return IntentError(f"{start}: a line break in the path of a repository")
    said = words.strip().removeprefix("fatal: ") or "git gave no answer"
    return IntentError(f"{start}: git cannot open this repository: {said}")


def _project_root(start: Path, top: Path) -> Path:
    """The nearest folder with `.cloche/`, from `start` up to the top."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if not folder.is_relative_to(top):
            break
        if (folder / ".cloche").is_dir():
            return folder
    return top


def _sequence(todo: Path) -> str:
    """A cherry-pick or revert of several commits, stopped between two of them."""
    try:
        first = todo.read_bytes().split(maxsplit=1)[:1]
    except OSError:
        return ""
    return "revert" if first == [b"revert"] else "cherry-pick"
