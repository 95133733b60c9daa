"""Merge three versions of one file of the store: `git merge`'s driver, and `resolve`.

Pure: bytes in, bytes out. What has to be asked (is one commit an ancestor of another,
what would a merge by lines give, which documents are merged) comes as an argument. Each
kind of file is imported when one is met: git starts the driver once a file.
"""

from collections.abc import Callable, Mapping

from git_intent.review.merge_markers import SIZE
from git_intent.review.merge_result import Ancestor, Merged
from git_intent.store.intent_dir import DOMAINS, SCAN_STATE, is_requirement

#: The three versions merged by lines; None if that meets a conflict.
Lines = Callable[[], bytes | None]


def is_mergeable(path: str) -> bool:
    """Whether there are rules for the file at `path`, from the project's root."""
    return path in (DOMAINS, SCAN_STATE) or is_requirement(path)


def merge_file(
    path: str,
    base: bytes | None,
    ours: bytes,
    theirs: bytes,
    *,
    lines: Lines,
    ancestor: Ancestor,
    documents: Mapping[str, str] | None = None,
    size: int = SIZE,
    labels: tuple[str, str] = ("ours", "theirs"),
) -> Merged:
    """What both versions come to; `base` is None if each side has added the file."""
    if path == SCAN_STATE:
        from git_intent.review.merge_scan_state import merge_scan_state

        return merge_scan_state(
            path,
            base,
            ours,
            theirs,
            ancestor=ancestor,
            documents=documents,
            size=size,
            labels=labels,
        )
    clean = lines() if base is not None else None
    if path == DOMAINS:
        from git_intent.review.merge_domains import merge_domains as merge
    else:
        from git_intent.review.merge_requirement import merge_requirement as merge
    return merge(path, base, ours, theirs, lines=clean, size=size, labels=labels)
