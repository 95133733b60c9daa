"""Did a person write the words of a requirement? Asked of HEAD's history.

Gathers what `store.history_proof` judges: the versions of each file, with the message
and the paths of each commit that made one. History is read once, for all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from git_intent.git import history
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.store.history_proof import Version, prove
from git_intent.store.intent_dir import REQUIREMENTS, requirement_path


@dataclass(slots=True)
class Authorship:
    """Answers for one state of HEAD."""

    repo: Repository
    _versions: Mapping[str, list[Version]] | None = None
    _border: frozenset[str] = frozenset()
    _known: dict[str, bool] = field(default_factory=dict)

    def person(self, name: str) -> bool:
        """Whether history fails to show that a scan wrote the words."""
        if self._versions is None:
            self._versions = self._read()
            self._border = history.shallow_border(self.repo)
        if name not in self._known:
            path = requirement_path(name)
            versions = self._versions.get(path, [])
            complete = bool(versions) and versions[-1].commit not in self._border
            proof = prove(path, versions, complete=complete)
            self._known[name] = proof.user_edited
        return self._known[name]

    def _read(self) -> dict[str, list[Version]]:
        if self.repo.head().unborn:
            return {}
        found = history.versions(self.repo, REQUIREMENTS)
        every = [v for versions in found.values() for v in versions if v.blob]
        oids = {v.commit for v in every}
        blobs = read_blobs(self.repo, (v.blob for v in every))
        messages = history.read_commits(self.repo, oids)
        touched = history.changed_paths(self.repo, oids)
        return {
            path: [
                Version(
                    messages[v.commit].message,
                    touched[v.commit],
                    blobs[v.blob],
                    v.commit,
                )
                for v in versions
                if v.blob in blobs
            ]
            for path, versions in found.items()
        }
