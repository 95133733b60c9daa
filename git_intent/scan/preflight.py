"""What must hold before a scan does any work; each failure is one error to act on."""

from collections.abc import Mapping

from git_intent.errors import IntentError
from git_intent.git.objects import index_entries
from git_intent.git.repository import Repository
from git_intent.store.check import check_file
from git_intent.store.domains import parse_domains
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    DOMAINS,
    SCAN_STATE,
    STORE,
    requirement_path,
)
from git_intent.store.scan_state import parse_scan_state

#: Paths that a scan may write. The id stands for any that is new.
_WRITTEN = (requirement_path("req-0000"), DOMAINS, SCAN_STATE, ATTRIBUTES)
_CONFLICT = "I006"
_END = {"bisect": "reset"}
_MARKS = (b"<<<<<<<", b">>>>>>>", b"|||||||")


def in_order(repo: Repository) -> None:
    """Is there a work tree, in no operation, whose store git would take?"""
    if repo.worktree is None:
        raise IntentError(
            f"{repo.git_dir}: a bare repository has no work tree to scan",
            "scan in a clone and push",
        )
    operation = repo.operation()
    if operation:
        raise IntentError(
            f"{repo.worktree}: a {operation} is in progress",
            f"finish it or `git {operation} {_END.get(operation, '--abort')}`",
        )
    ignored = repo.ignored(_WRITTEN)
    if ignored:
        one = ignored[0]
        raise IntentError(
            f"{one.source}:{one.line}: the pattern {one.pattern} ignores {one.path}",
            "the store belongs into the repository: instead of `.cloche/` ignore "
            "`.cloche/*` and add `!.cloche/intent/`",
        )


def sound(repo: Repository, snapshot: Mapping[str, bytes]) -> None:
    """Is the store free of conflicts, and readable where the scan depends on it?"""
    for entry in index_entries(repo, STORE):
        if entry.stage:
            raise IntentError(
                f"{entry.path}: the index holds a conflict",
                "`git intent resolve` merges what it can; then `git add` the file",
            )
    for path, data in sorted(snapshot.items()):
        if not any(mark in data for mark in _MARKS):
            continue
        for issue in check_file(path, data):
            if issue.code == _CONFLICT:
                raise IntentError(
                    str(issue), "`git intent resolve`, or remove the marker lines"
                )
    if SCAN_STATE in snapshot:
        parse_scan_state(snapshot[SCAN_STATE], SCAN_STATE)
    if DOMAINS in snapshot:
        parse_domains(snapshot[DOMAINS], DOMAINS)
