"""Does a requirement count as a person's, although its file does not say so?

`user_edited` is a cache of history: rebase, cherry-pick, revert, web editors and
`--no-verify` run no hook that would set it. So before statement or scope are rewritten,
the newest commit that changed them must be recognisably a scan's: it bears the trailer
`Intent-Scan:` and touches no path outside the store. Otherwise, or where history is cut
off, the file counts as user_edited and gets the flag.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from git_intent.store.intent_dir import STORE
from git_intent.store.issue import Issue
from git_intent.store.rules_view import Entry, Reader
from git_intent.store.rules_words import changed_words
from git_intent.store.stamps import instant

_TRAILER = re.compile(r"Intent-Scan:[ \t]*\S.*", re.IGNORECASE)
_TRAILERS = re.compile(r"[A-Za-z0-9-]+:[ \t].*|[ \t]+\S.*|\(cherry picked from .*\)")


@dataclass(frozen=True, slots=True)
class Version:
    """The file as one commit left it. `paths` is everything the commit touched."""

    message: str
    paths: Collection[str]
    data: bytes
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the file counts as user_edited, and why."""

    user_edited: bool
    reason: str


def prove(
    path: str, versions: Sequence[Version], *, complete: bool, store: str = STORE
) -> Proof:
    """Judge the file at `path` by the commits that touched it, newest first.

    `complete` says that the last version is the one that added the file; a shallow
    clone or a bounded walk cannot know. `store` is the store's folder as `paths` name
    it, if the project lies below the repository's root.
    """
    reader = Reader()
    if not versions:
        return Proof(True, "no commit in reach holds this file")
    newest = reader.read(path, versions[0].data)
    if isinstance(newest, Issue):
        return Proof(True, f"{_name(versions[0])} left a file that cannot be read")
    if newest.requirement.user_edited:
        return Proof(True, "the file says so")
    origin = _origin(path, versions, newest, reader)
    if origin is None:
        return Proof(True, "an older version cannot be read")
    if origin == len(versions) - 1 and not complete:
        return Proof(True, "history is cut off before the words were last changed")
    if _stamp_kept(path, versions, origin, reader):
        text = f"{_name(versions[origin])} changed the words but not `updated`"
        return Proof(True, text)
    return _recognise(versions[origin], store)


def is_scan(message: str, paths: Collection[str], store: str = STORE) -> bool:
    """Is a commit recognisably one that a scan made?"""
    return _has_trailer(message) and not _outside(paths, store)


def _origin(
    path: str, versions: Sequence[Version], newest: Entry, reader: Reader
) -> int | None:
    """The version that brought the words that the newest one has."""
    for number, version in enumerate(versions[1:], 1):
        older = reader.read(path, version.data)
        if isinstance(older, Issue):
            return None
        if changed_words([older], newest, exact=False):
            return number - 1
    return len(versions) - 1


def _stamp_kept(
    path: str, versions: Sequence[Version], origin: int, reader: Reader
) -> bool:
    """A scan that rewords sets `updated`; an edit squashed into its commit does not."""
    stamps = [
        instant(found.requirement.updated)
        for version in versions[origin : origin + 2]
        if not isinstance(found := reader.read(path, version.data), Issue)
    ]
    return len(stamps) == 2 and stamps[0] == stamps[1]


def _recognise(version: Version, store: str) -> Proof:
    if not _has_trailer(version.message):
        return Proof(True, f"{_name(version)} changed the words and was no scan's")
    if outside := _outside(version.paths, store):
        text = f"{_name(version)} changed the words and touches {outside[0]} as well"
        return Proof(True, text)
    return Proof(False, f"{_name(version)} is a scan's and changed the words last")


def _outside(paths: Collection[str], store: str) -> list[str]:
    return sorted(path for path in paths if not path.startswith(f"{store}/"))


def _has_trailer(message: str) -> bool:
    """The trailer in the last paragraph; a quotation of it further up is no claim."""
    paragraphs = re.split(r"\n[ \t]*\n", message.strip())
    last = paragraphs[-1].split("\n") if len(paragraphs) > 1 else []
    if not all(_TRAILERS.fullmatch(line.rstrip()) for line in last):
        return False
    # Two of them are two commits squashed into one, of which a third may be a part.
    return sum(bool(_TRAILER.fullmatch(line.rstrip())) for line in last) == 1


def _name(version: Version) -> str:
    return f"commit {version.commit[:12]}" if version.commit else "a commit"
