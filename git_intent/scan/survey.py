"""Look at the whole project for domains, when there is reason to.

A plain scan surveys if there are no domains yet or the top two levels of folders are
others than at the commit cursor; a full one always does. History tells which entries a
scan wrote: the others, if they do not say so themselves, are marked as a person's.
"""

import os
from collections.abc import Iterable, Mapping, Sequence

from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.git import history, objects
from git_intent.git.repository import Repository
from git_intent.scan.collect_documents import LARGEST, is_document, nested_projects
from git_intent.scan.discover import hand_made, headings_of, propose
from git_intent.scan.discovered import Discovered
from git_intent.scan.job import Job
from git_intent.store.domains import Domains, parse_domains
from git_intent.store.history_proof import is_scan
from git_intent.store.intent_dir import DOMAINS, STORE


def survey(job: Job) -> Discovered:
    """Domains to add, and entries to mark as a person's; nothing if all is known."""
    existing = job.domains()
    head = job.repo.head().oid
    if not job.options.full and existing.domains:
        cursor = job.repo.resolve(job.states().get().last_commit)
        if cursor and _folders(job.repo, cursor) == _folders(job.repo, head):
            return Discovered()
    versions = _versions(job.repo) if head else []
    ever = {domain.name for _, domains in versions for domain in domains.domains}
    added = propose(
        _paths(job.repo, head),
        _headings(job.repo, head, job.config.git.doc_globs),
        existing,
        ever - {domain.name for domain in existing.domains},
    )
    written = [d for scan, domains in versions if scan for d in domains.domains]
    marked = hand_made(existing, written) if head else []
    data = job.file(DOMAINS)
    base = sha256(data) if data is not None else ""
    return Discovered(tuple(added), tuple(marked), base)


def _folders(repo: Repository, rev: str) -> set[str]:
    """The folders of the top two levels, the store's own aside."""
    paths = (e.path.split("/") for e in objects.tree(repo, rev))
    return {
        "/".join(p[:depth])
        for p in paths
        for depth in (1, 2)
        if len(p) > depth and p[0] != ".cloche"
    }


def _paths(repo: Repository, head: str) -> list[str]:
    """The project's files: HEAD's, or what the first commit would hold."""
    if head:
        paths = [entry.path for entry in objects.tree(repo, head)]
    else:
        ls = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        paths = [os.fsdecode(p) for p in repo.git(*ls).split(b"\0") if p]
    others = nested_projects(paths)
    return [p for p in paths if not p.startswith(others) and p[:8] != ".cloche/"]


def _headings(
    repo: Repository, head: str, doc_globs: Sequence[str]
) -> Mapping[str, Sequence[str]]:
    if not head:
        return {
            path: headings_of(_text((repo.root / path).read_bytes()))
            for path in _paths(repo, head)
            if is_document(path, doc_globs) and (repo.root / path).is_file()
        }
    wanted = set(_paths(repo, head))
    oids = {
        e.path: e.oid
        for e in objects.tree(repo, head)
        if e.path in wanted and e.regular and is_document(e.path, doc_globs)
    }
    sizes = objects.sizes(repo, oids.values())
    small = {p: o for p, o in oids.items() if sizes.get(o, LARGEST + 1) <= LARGEST}
    blobs = objects.read_blobs(repo, small.values())
    return {p: headings_of(_text(blobs[o])) for p, o in small.items() if o in blobs}


def _text(data: bytes) -> str:
    return "" if b"\0" in data else data.decode(errors="replace")


def _versions(repo: Repository) -> list[tuple[bool, Domains]]:
    """The domain maps in HEAD's history, each with whether a scan left it so."""
    versions = [v for v in history.file_versions(repo, DOMAINS) if v.blob]
    contents = objects.read_blobs(repo, (v.blob for v in versions))
    scans = _scans(repo, (v.commit for v in versions))
    found = []
    for version in versions:
        try:
            domains = parse_domains(contents.get(version.blob, b""), DOMAINS)
        except IntentError:  # an old version that somebody broke says nothing
            continue
        found.append((version.commit in scans, domains))
    return found


def _scans(repo: Repository, oids: Iterable[str]) -> set[str]:
    asked = list(oids)
    touched = history.changed_paths(repo, asked)
    return {
        oid
        for oid, commit in history.read_commits(repo, asked).items()
        if is_scan(commit.message, touched[oid], STORE)
    }
