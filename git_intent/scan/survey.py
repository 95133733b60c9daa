"""Look at the project for discover-domains: the one part of it that asks git.

A plain scan surveys only if there are no domains yet, or if the top two levels of
folders are others than at the commit cursor. What was removed from the map by hand is
found in the history of domains.yaml, which every clone has.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from git_intent.git import history, objects
from git_intent.git.objects import Entry
from git_intent.git.repository import Repository
from git_intent.scan.collect_documents import LARGEST, is_document, nested_projects
from git_intent.scan.discover import hand_made, headings_of, propose
from git_intent.scan.noise import claims_to_be_own, own_commit
from git_intent.store.domains import Domain, Domains, parse_domains
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.malformed import MalformedFile

_LEVELS = 2
_MOST_DOCUMENTS = 200  # whose headings are looked at


@dataclass(frozen=True, slots=True)
class Survey:
    """What the map should gain, and which of its entries a person made or changed
    without saying so (they are to be marked `user_edited`)."""

    added: tuple[Domain, ...] = ()
    hand_made: tuple[str, ...] = ()


def survey(
    repo: Repository, existing: Domains, cursor: str = "", *, full: bool = False
) -> Survey:
    """Survey the project if that is due; `cursor` is scan-state's `last_commit`."""
    head = repo.head().oid
    entries = _entries(repo, head)
    paths = [entry.path for entry in entries]
    if not (full or is_due(repo, existing, cursor, paths)):
        return Survey()
    past = _past(repo, head)
    former = {domain.name for _, domains in past for domain in domains.domains}
    added = propose(paths, _headings(repo, entries), existing, former)
    written = [domain for own, domains in past if own for domain in domains.domains]
    return Survey(tuple(added), tuple(hand_made(existing, written)))


def is_due(
    repo: Repository, existing: Domains, cursor: str, paths: Iterable[str]
) -> bool:
    """Whether the upper folders changed since the cursor, or nobody looked yet."""
    if not existing.domains:
        return True
    before = repo.resolve(cursor)
    if not before:
        return True
    then = (entry.path for entry in objects.tree(repo, before))
    return upper_folders(then) != upper_folders(paths)


def upper_folders(paths: Iterable[str]) -> frozenset[str]:
    """The folders of the top two levels, without the store's own."""
    folders = (path.split("/")[:-1][:_LEVELS] for path in paths)
    return frozenset("/".join(f) for f in folders if f and f[0] != ".cloche")


def _entries(repo: Repository, head: str) -> list[Entry]:
    """The project's files; the index stands in while there is no commit."""
    entries = objects.tree(repo, head) if head else objects.index_entries(repo)
    others = nested_projects(entry.path for entry in entries)
    return [e for e in entries if e.type == "blob" and not e.path.startswith(others)]


def _headings(repo: Repository, entries: Collection[Entry]) -> dict[str, list[str]]:
    """Those of the documents that speak about the whole project."""
    documents = [
        e
        for e in entries
        if e.regular and is_document(e.path) and e.path.count("/") < _LEVELS
    ][:_MOST_DOCUMENTS]
    sizes = objects.sizes(repo, (e.oid for e in documents))
    small = {e.path: e.oid for e in documents if sizes.get(e.oid, LARGEST) < LARGEST}
    blobs = objects.read_blobs(repo, small.values())
    return {
        path: headings_of(blobs[oid].decode(errors="replace"))
        for path, oid in small.items()
        if oid in blobs
    }


def _past(repo: Repository, head: str) -> list[tuple[bool, Domains]]:
    """Every version of the map in HEAD's history: whether a scan made it, and what it
    held. Versions that cannot be read are left out."""
    if not head:
        return []
    versions = [v for v in history.file_versions(repo, DOMAINS, head) if v.blob]
    commits = history.read_commits(repo, (v.commit for v in versions))
    claiming = [oid for oid, commit in commits.items() if claims_to_be_own(commit)]
    touched = history.changed_paths(repo, claiming)
    blobs = objects.read_blobs(repo, (v.blob for v in versions))
    found = []
    for version in versions:
        domains = _parsed(blobs.get(version.blob, b""))
        if domains is not None:
            paths = touched.get(version.commit, [])
            own = own_commit(commits[version.commit], paths)
            found.append((own, domains))
    return found


def _parsed(data: bytes) -> Domains | None:
    try:
        return parse_domains(data, DOMAINS)
    except MalformedFile:
        return None
