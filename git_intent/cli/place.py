"""Where `preview` and `inject` read: a project, or a store that lies elsewhere."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from git_intent import config
from git_intent.cli import output
from git_intent.cli.project import Project, clock
from git_intent.embed.index import FOLDER
from git_intent.errors import IntentError
from git_intent.git.objects import index_entries
from git_intent.git.repository import NotARepository, Repository
from git_intent.inject.hot_record import Watch
from git_intent.store.intent_dir import STORE, Store, load_store, read_snapshot

_UNTRACK = f"`git rm -r --cached {FOLDER}` leaves it to this machine"


@dataclass(frozen=True, slots=True)
class Place:
    """`root` is the project's, `cwd` where given paths start from.

    `repo` is None outside of a repository, where a store can still be named.
    `store_root` is the folder whose `.cloche/intent` is read. `watch` has seen the
    files before they were read, for the record of the hot path. An index that somebody
    once committed is left alone: writing it would show as a change.
    """

    root: Path
    cwd: Path
    repo: Repository | None
    loaded: config.Loaded
    store_root: Path
    watch: Watch | None = None
    index_tracked: bool = False

    @property
    def index_folder(self) -> Path | None:
        """Where the index of the store lies; None if it is to be made in memory."""
        bare = self.repo is not None and self.repo.bare
        return None if bare or self.index_tracked else self.store_root / FOLDER

    def store(self) -> Store:
        """The parsed store; broken files are named on stderr and left out."""
        if self.repo is not None and self.store_root == self.root:
            return Project(self.repo, self.root, self.loaded, clock()).store()
        found = load_store(read_snapshot(self.store_root))
        for issue in found.issues:
            output.note(f"{issue}")
        return found


def open_place(directory: str, store: str | None = None) -> Place:
    """The place at `directory`, or with the store that `--store` names."""
    cwd = Path(directory).absolute()
    elsewhere = _store_root(cwd / store) if store else None
    try:
        repo = Repository.discover(cwd)
    except NotARepository:
        if elsewhere is None:
            raise
        repo = None
    watch = None
    if repo and elsewhere is None:
        watch = Watch.begin(repo, os.environ, time.time_ns())
    root = repo.root if repo else elsewhere or cwd
    loaded = config.load(repo, root, os.environ, {})
    for issue in loaded.issues:
        output.note(f"{issue}")
    output.detail(f"project: {root}")
    tracked = bool(repo and elsewhere is None and index_entries(repo, FOLDER))
    if tracked:
        output.note(f"note: {FOLDER} is tracked, so it is not used; {_UNTRACK}")
        watch = None
    return Place(root, cwd, repo, loaded, elsewhere or root, watch, tracked)


def _store_root(path: Path) -> Path:
    """The project whose store `path` is: the store's own folder, or one above it."""
    resolved = path.resolve()
    if resolved.as_posix().endswith(f"/{STORE}") and resolved.is_dir():
        return resolved.parents[1]
    if (resolved / STORE).is_dir():
        return resolved
    raise IntentError(
        f"{path}: holds no {STORE}", "name a project, or the store's own folder"
    )
