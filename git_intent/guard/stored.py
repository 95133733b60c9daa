"""A store as the index or a commit has it, whose files are read only when asked for."""

from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType

from git_intent.errors import IntentError
from git_intent.git.cat_file import CatFile
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository


class Stored(Mapping[str, bytes]):
    """Path → bytes, and in `oids` path → id.

    What is known to be wanted is read at once by `load`. In a `with` block one more git
    serves the files that somebody has something to say about.
    """

    def __init__(self, repo: Repository, oids: Mapping[str, str]) -> None:
        self.oids = dict(oids)
        self._repo = repo
        self._read: dict[str, bytes] = {}
        self._single = CatFile(str(repo.root), repo.exports)

    def __enter__(self) -> "Stored":
        self._single.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._single.__exit__(kind, error, trace)

    def load(self, paths: Iterable[str]) -> list[str]:
        """Read these, and give them; one whose object is not here is no file any more
        (a partial clone)."""
        asked = {path: self.oids[path] for path in paths}
        blobs = read_blobs(self._repo, asked.values())
        for path, oid in asked.items():
            if oid in blobs:
                self._read[path] = blobs[oid]
            else:
                del self.oids[path]
        return [path for path in asked if path in self.oids]

    def __getitem__(self, path: str) -> bytes:
        oid = self.oids[path]
        if path not in self._read:
            found = self._single.ask(oid)
            if found is None:
                raise IntentError(f"{path}: is not in this clone", "git fetch")
            self._read[path] = found.data
        return self._read[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.oids)

    def __len__(self) -> int:
        return len(self.oids)
