"""Did a person write the words of a requirement? Asked of HEAD's history.

`user_edited` in the file is only a cache: rebases, web editors and `--no-verify` run no
hook that would set it. So the newest commit that changed statement, rationale or scope
must be recognisably a scan's: it bears the trailer and touches the store alone.
Anything else, and a history that is cut off there, counts as a person's.
"""

from dataclasses import dataclass, field

from git_intent.errors import IntentError
from git_intent.git import history
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.scan.repair import TRAILER
from git_intent.store.intent_dir import STORE, requirement_path
from git_intent.store.requirement import Scope
from git_intent.store.requirement_file import parse_requirement


@dataclass(slots=True)
class Authorship:
    """Answers for one state of HEAD; each requirement is looked up once."""

    repo: Repository
    _known: dict[str, bool] = field(default_factory=dict)

    def person(self, name: str) -> bool:
        """Whether history fails to show that a scan wrote the words."""
        if name not in self._known:
            self._known[name] = not self._by_scan(requirement_path(name))
        return self._known[name]

    def _by_scan(self, path: str) -> bool:
        if self.repo.head().unborn:
            return False
        commit = self._last_change(path)
        if not commit or commit in history.shallow_border(self.repo):
            return False
        body = history.read_commits(self.repo, [commit])[commit].body
        if not any(line.startswith(f"{TRAILER}: ") for line in body.splitlines()):
            return False
        touched = history.changed_paths(self.repo, [commit])[commit]
        return all(path.startswith(f"{STORE}/") for path in touched)

    def _last_change(self, path: str) -> str:
        """The newest commit that changed the words; empty if that cannot be told."""
        versions = history.file_versions(self.repo, path)
        contents = read_blobs(self.repo, [v.blob for v in versions if v.blob])
        said = [_words(contents.get(v.blob, b""), path) for v in versions]
        for number, version in enumerate(versions):
            if said[number] is None:
                return ""
            if number + 1 == len(versions) or said[number] != said[number + 1]:
                return version.commit
        return ""


def _words(data: bytes, path: str) -> tuple[str, str, Scope] | None:
    try:
        found = parse_requirement(data, path)
    except IntentError:
        return None
    return found.statement, found.rationale, found.scope
