"""Step collect-sources: everything new since the last scan, as one artifact.

Deterministic: the same commits, files and cursors give the same bytes, in whichever
clone, zone, language or folder order. Nothing is written, no model is loaded, nothing
is fetched. If nothing is new (`Sources.nothing_new`), the cursors stay where they are.
Texts are as they were found: `Run.write` takes the secrets out of every artifact.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from git_intent.git import history
from git_intent.git.repository import NotARepository, Repository
from git_intent.scan import cursor
from git_intent.scan.artifacts import Notice, Reach, Sources
from git_intent.scan.collect_commits import collect_commits
from git_intent.scan.collect_documents import collect_documents
from git_intent.scan.collect_runs import collect_runs
from git_intent.store.scan_state import ScanState, ScanStates

MAX_COMMITS = 2000


@dataclass(frozen=True, slots=True)
class Options:
    """`max_commits` bounds what is read without a cursor; 0 lifts the bound.

    `repositories` maps the names of the `[[repositories]]` table to their folders.
    """

    full: bool = False
    max_commits: int = MAX_COMMITS
    doc_globs: Sequence[str] = ()
    transcripts: bool = True
    repositories: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limit:
    """A scan of one run alone: its prompt, its transcript, its commits."""

    run: str
    start: str
    end: str


def collect(repo: Repository, states: ScanStates, options: Options) -> Sources:
    """What is new in the project and in the repositories listed beside it."""
    sources = _own(repo, states.get(), options)
    for name, folder in sorted(options.repositories.items()):
        sources = _with_other(sources, repo, name, folder, states.get(name), options)
    return sources


def _own(repo: Repository, state: ScanState, options: Options) -> Sources:
    head = repo.head().oid
    stand = _stand(repo, head, state, options, cursor.SCAN_STATE)
    documents = collect_documents(
        repo, head, state.scanned_docs, doc_globs=options.doc_globs, full=options.full
    )
    commits = collect_commits(repo, stand, options.max_commits)
    read_before = () if options.full else state.scanned_runs
    runs = collect_runs(repo, read_before, transcripts=options.transcripts)
    items = (*documents.items, *commits.items, *runs.items)
    moves = bool(items) and not _stays(repo, head, state, options, cursor.SCAN_STATE)
    return Sources(
        head=head,
        cursor=state.last_commit,
        full=options.full,
        next_cursor=head if moves else state.last_commit,
        documents=documents.hashes,
        runs=runs.ids,
        items=items,
        skipped=(*documents.skipped, *runs.skipped),
        remarks=commits.remarks,
        present_runs=runs.present,
    )


def collect_limited(
    repo: Repository, states: ScanStates, limit: Limit, options: Options
) -> Sources:
    """The material of one run.

    The commit cursor moves only if nothing lies between it and the run's first commit,
    and HEAD has the last one; documents are left to the next plain scan.
    """
    state = states.get()
    head = repo.head().oid
    lost = [oid for oid in (limit.start, limit.end) if oid and not repo.resolve(oid)]
    if lost:  # what is left of the run's commits, the next plain scan finds
        stand, adjacent = cursor.Stand("", remarks=(_not_here(lost[0]),)), False
    else:
        stand, adjacent = _limited_stand(repo, state, limit)
        in_head = bool(limit.end) and history.is_ancestor(repo, limit.end, head)
        adjacent = adjacent and in_head
    commits = collect_commits(repo, stand, options.max_commits)
    runs = collect_runs(
        repo, state.scanned_runs, transcripts=options.transcripts, only=limit.run
    )
    items = (*commits.items, *runs.items)
    return Sources(
        head=head,
        cursor=state.last_commit,
        next_cursor=limit.end if adjacent and items else state.last_commit,
        documents=state.scanned_docs,
        runs=runs.ids,
        items=items,
        skipped=runs.skipped,
        remarks=commits.remarks,
        present_runs=runs.present,
    )


def _not_here(commit: str) -> str:
    return f"the run's commit {commit[:12]} is not in this repository"


def _limited_stand(
    repo: Repository, state: ScanState, limit: Limit
) -> tuple[cursor.Stand, bool]:
    """The run's own unread commits, and whether they follow the cursor closely."""
    before = cursor.find(repo, limit.start, state.last_commit, cursor.SCAN_STATE)
    read = (limit.start,) if limit.start else ()
    if not state.last_commit or before.remarks:
        ahead = repo.resolve(state.last_commit)
        if ahead and history.is_ancestor(repo, limit.start or ahead, ahead):
            on_the_way = history.is_ancestor(repo, ahead, limit.end)
            return cursor.Stand(limit.end, (*read, ahead)), on_the_way
        return cursor.Stand(limit.end, read), False
    foreign = collect_commits(repo, before).items
    return cursor.Stand(limit.end, read), not foreign


def _stand(
    repo: Repository, head: str, state: ScanState, options: Options, path: str
) -> cursor.Stand:
    if options.full:
        return cursor.Stand(head)
    return cursor.find(repo, head, state.last_commit, path)


def _stays(
    repo: Repository, head: str, state: ScanState, options: Options, path: str
) -> bool:
    """Whether a full scan reads no commit that the cursor does not reach.

    Then the cursor stays, and a full scan of a quiet repository changes no file.
    """
    if not options.full or not state.last_commit:
        return False
    stand = cursor.find(repo, head, state.last_commit, path)
    return not stand.remarks and not collect_commits(repo, stand).items


def _with_other(
    sources: Sources,
    project: Repository,
    name: str,
    folder: Path,
    state: ScanState,
    options: Options,
) -> Sources:
    """Add the material of a repository that the project lists."""
    if folder.resolve() == project.root:
        return sources  # the project lists itself
    place = f"repos/{name}"
    repo = _open(folder)
    if repo is None or repo.common_dir == project.common_dir:
        reason = f"{folder} is not a repository of its own"
        return replace(sources, skipped=(*sources.skipped, Notice(place, reason)))
    head = repo.head().oid
    stand = _stand(repo, head, state, options, "")
    documents = collect_documents(
        repo,
        head,
        state.scanned_docs,
        doc_globs=options.doc_globs,
        full=options.full,
        name=name,
    )
    commits = collect_commits(repo, stand, options.max_commits, name)
    items = (*documents.items, *commits.items)
    moves = bool(items) and not _stays(repo, head, state, options, "")
    reach = Reach(
        head, state.last_commit, head if moves else state.last_commit, documents.hashes
    )
    return replace(
        sources,
        items=(*sources.items, *items),
        skipped=(*sources.skipped, *documents.skipped),
        remarks=(*sources.remarks, *(f"{place}: {r}" for r in commits.remarks)),
        others={**sources.others, name: reach},
    )


def _open(folder: Path) -> Repository | None:
    if not folder.is_dir():
        return None
    try:
        return Repository.discover(folder)
    except NotARepository:
        return None
