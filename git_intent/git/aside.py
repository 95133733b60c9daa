"""A commit's tree, built aside: the user's index and files stay out of it.

`Aside` is a folder `<git dir>/intent/aside-PID` with an index of its own and a link
`tree` to a work tree of its own. That lies among the system's temporary files: below a
git directory, git and many hooks refuse to work. It starts as the tree of a commit and
takes changes as `git add` would, filters and line ends included. What a killed process
left is removed by the next one.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.files import lives
from git_intent.git.objects import tree
from git_intent.git.process import run_git
from git_intent.git.repository import Repository

_PREFIX = "git-intent-"


@dataclass(frozen=True, slots=True)
class Aside:
    """Paths are relative to the top of the repository here, not to the project."""

    repo: Repository
    folder: Path
    worktree: Path

    @property
    def index(self) -> Path:
        return self.folder / "index"

    def environment(self, worktree: Path) -> dict[str, str]:
        """What makes git use the index aside, over the files of `worktree`."""
        return {
            "GIT_DIR": str(self.repo.git_dir),
            "GIT_WORK_TREE": str(worktree),
            "GIT_INDEX_FILE": str(self.index),
        }

    def git(self, *args: str, input: bytes = b"") -> bytes:
        env = {**self.environment(self.worktree), "GIT_LFS_SKIP_SMUDGE": "1"}
        alone = ("-c", "core.fsmonitor=false", *args)  # no daemon for a short life
        return run_git(alone, cwd=self.worktree, input=input, env=env)

    def build(self, base: str, changes: Mapping[str, bytes | None]) -> str:
        """Put `changes` on the tree of the commit `base`; give the new tree's id.

        None removes a file. An old file's mode stays. `base` is empty for no commit.
        """
        self.git("read-tree", base if base else "--empty")
        modes = _modes(self.repo, base, changes)
        for path, data in changes.items():
            if data is not None:
                self._write(path, data, modes.get(path, "100644"))
        asked = b"".join(os.fsencode(path) + b"\0" for path in changes)
        self.git("update-index", "--add", "--remove", "-z", "--stdin", input=asked)
        return self.write_tree()

    def _write(self, path: str, data: bytes, mode: str) -> None:
        target = self.worktree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(0o755 if mode == "100755" else 0o644)

    def write_tree(self) -> str:
        """The id of the tree that the index holds now."""
        return self.git("write-tree").decode().strip()

    def adopt_index(self, new_tree: str) -> None:
        """Hold `new_tree` in an index that knows the user's files as theirs does.

        It starts as a copy of the user's: what is unchanged need not be read again.
        """
        if self.repo.index_file.exists():
            shutil.copyfile(self.repo.index_file, self.index)
        self.git("read-tree", "--reset", new_tree)

    def fill(self) -> None:
        """Write out every file of the index that is not here yet."""
        self.git("checkout-index", "--all", "--force", "--quiet")
        self.git("update-index", "-q", "--refresh")


def _modes(
    repo: Repository, base: str, changes: Mapping[str, bytes | None]
) -> dict[str, str]:
    if not base:
        return {}
    folder = repo.from_top(os.path.commonpath(list(changes)))
    entries = tree(repo, base, folder)
    return {repo.to_top(e.path): e.mode for e in entries}


@contextmanager
def aside(repo: Repository) -> Iterator[Aside]:
    """A place to build in, for the time of a `with` block."""
    home = repo.git_dir / "intent"
    folder = home / f"aside-{os.getpid()}"
    try:
        home.mkdir(exist_ok=True)
        sweep(home)
        folder.mkdir()
        worktree = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
        (folder / "tree").symlink_to(worktree)
    except OSError as error:
        raise IntentError(f"{folder}: {error.strerror}") from error
    try:
        yield Aside(repo, folder, worktree)
    finally:
        _remove(folder)


def sweep(home: Path) -> None:
    """Remove what killed processes left."""
    for folder in home.glob("aside-*[0-9]"):
        pid = int(folder.name.removeprefix("aside-"))
        if not lives(pid) or pid == os.getpid():
            _remove(folder)


def _remove(folder: Path) -> None:
    link = folder / "tree"
    if link.is_symlink() and link.readlink().name.startswith(_PREFIX):
        shutil.rmtree(link.readlink(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
