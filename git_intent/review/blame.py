"""Which commit gave each part of a requirement the value that it has.

History is walked as a graph, part by part: from a commit to a parent that has the same
value, until none has. So a value is traced through merges to the side that brought it,
and a merge is named only for a value of its own. A version that cannot be read is
stepped over.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from git_intent.git.file_log import file_graph
from git_intent.git.history import read_commits, shallow_border
from git_intent.git.objects import read_names
from git_intent.git.repository import Repository
from git_intent.review import phrases
from git_intent.review.changes import File, read_file
from git_intent.review.hands import Hand, hand
from git_intent.store.requirement import Requirement, Scope, Status

#: Part → what it says, white space and spelling aside.
PARTS: Mapping[str, Callable[[Requirement], str]] = {
    "statement": lambda r: r.statement,
    "rationale": lambda r: r.rationale,
    "scope": lambda r: phrases.scope(_sorted(r.scope)),
    "status": lambda r: (
        f"{r.status} by {r.superseded_by}"
        if r.status is Status.SUPERSEDED
        else str(r.status)
    ),
    "hints": lambda r: "; ".join(sorted(r.hints)),
}


def _sorted(scope: Scope) -> Scope:
    domains, languages = tuple(sorted(scope.domains)), tuple(sorted(scope.languages))
    return replace(scope, domains=domains, languages=languages)


@dataclass(frozen=True, slots=True)
class Blamed:
    """A part, its value, and the hand that it has it from. `cut_off`: or an earlier
    one, which this shallow clone does not have."""

    part: str
    value: str
    hand: Hand
    cut_off: bool = False


def blame(
    repo: Repository,
    path: str,
    now: Requirement,
    patterns: Collection[str],
    nobody: Hand,
) -> list[Blamed]:
    """Each part of `now`, the requirement as it is read today at `path`.

    `nobody` stands for values that no commit has yet.
    """
    graph = {} if repo.head().unborn else file_graph(repo, path)
    names = [f"{oid}:{repo.to_top(path)}" for oid in graph]
    contents = dict(zip(graph, read_names(repo, names), strict=True))
    history = _History(graph, {o: _read(d, path) for o, d in contents.items()})
    origins = {part: history.origin(part, value(now)) for part, value in PARTS.items()}
    commits = read_commits(repo, {oid for oid in origins.values() if oid})
    border = shallow_border(repo)
    return [
        Blamed(
            part=part,
            value=PARTS[part](now),
            hand=hand(commits[oid], patterns) if oid else nobody,
            cut_off=oid in border,
        )
        for part, oid in origins.items()
    ]


@dataclass(frozen=True, slots=True)
class _History:
    """`versions`: None if a commit has no such file, False if it cannot be read."""

    graph: Mapping[str, list[str]]
    versions: Mapping[str, Requirement | bool | None]
    _readable: dict[str, list[str]] = field(default_factory=dict)

    def origin(self, part: str, wanted: str) -> str:
        """The commit that brought the value which a part has, or nothing."""
        tips = self._from([*self.graph][:1])
        found = next((oid for oid in tips if self._has(oid, part, wanted)), "")
        at = found
        while found:
            at = found
            older = self._before(at)
            found = next((oid for oid in older if self._has(oid, part, wanted)), "")
        return at

    def _has(self, oid: str, part: str, wanted: str) -> bool:
        version = self.versions[oid]
        return isinstance(version, Requirement) and PARTS[part](version) == wanted

    def _before(self, oid: str) -> list[str]:
        if oid not in self._readable:
            self._readable[oid] = list(self._from(self.graph[oid]))
        return self._readable[oid]

    def _from(self, oids: Sequence[str]) -> Iterator[str]:
        """These commits; instead of one that cannot be read, those before it."""
        waiting, seen = [*reversed(oids)], set(oids)
        while waiting:
            oid = waiting.pop()
            if oid not in self.graph:
                continue
            if self.versions[oid] is not False:
                yield oid
                continue
            fresh = [older for older in self.graph[oid] if older not in seen]
            seen.update(fresh)
            waiting += reversed(fresh)


def _read(data: bytes | None, path: str) -> Requirement | bool | None:
    if data is None:
        return None
    found = read_file(data, path)
    return found.requirement if isinstance(found, File) else False
