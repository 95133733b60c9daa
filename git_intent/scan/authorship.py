"""Did a person write the words of a requirement? Asked of HEAD's history.

Gathers what `store.history_proof` judges: the versions of the file, and the message and
the paths of each commit that made one.
"""

from dataclasses import dataclass, field

from git_intent.git import history
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.store.history_proof import Version, prove
from git_intent.store.intent_dir import requirement_path


@dataclass(slots=True)
class Authorship:
    """Answers for one state of HEAD; each requirement is looked up once."""

    repo: Repository
    _known: dict[str, bool] = field(default_factory=dict)

    def person(self, name: str) -> bool:
        """Whether history fails to show that a scan wrote the words."""
        if name not in self._known:
            self._known[name] = self._ask(requirement_path(name))
        return self._known[name]

    def _ask(self, path: str) -> bool:
        if self.repo.head().unborn:
            return True
        found = [v for v in history.file_versions(self.repo, path) if v.blob]
        oids = [v.commit for v in found]
        blobs = read_blobs(self.repo, (v.blob for v in found))
        messages = history.read_commits(self.repo, oids)
        touched = history.changed_paths(self.repo, oids)
        versions = [
            Version(
                messages[v.commit].message,
                touched[v.commit],
                blobs.get(v.blob, b""),
                v.commit,
            )
            for v in found
        ]
        border = history.shallow_border(self.repo)
        complete = bool(oids) and oids[-1] not in border
        return prove(path, versions, complete=complete).user_edited
