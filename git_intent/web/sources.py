"""Where a requirement was said: a document of the project, or a commit.

Only tracked, regular files are shown, and every folder on the way is opened without
following a link: whatever a request names, nothing outside of the project is read.
"""

import os
import re
import stat
from datetime import UTC, datetime

from git_intent.errors import IntentError
from git_intent.git.history import changed_paths, read_commits
from git_intent.git.objects import index_entries, read_blobs, tree
from git_intent.git.repository import Repository
from git_intent.web.console import Console
from git_intent.web.given import invalid, number
from git_intent.web.served import Answer, Asked, Refused

_OID = re.compile(r"[0-9a-f]{7,64}")
_LONGEST = 2 << 20
_PATHS = 2000
_LINES = 10_000_000


def document(console: Console, asked: Asked) -> Answer:
    path = asked.query.get("path", "")
    line = number(asked.query, "line", 0, _LINES)
    refuse_path(path)
    data = _tracked(console.repo, path)
    if data is None:
        raise Refused(404, f"{path}: is no tracked file of this project")
    if len(data) > _LONGEST:
        raise invalid("path", f"is longer than {_LONGEST} bytes")
    if b"\0" in data:
        raise invalid("path", "is no text")
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return Answer({"path": path, "text": text, "line": line or None})


def refuse_path(path: str) -> None:
    """Raise Refused if `path` is not plainly one below the project's root."""
    parts = path.split("/")
    strange = {"", ".", ".."} & set(parts) or "\\" in path or not path.isprintable()
    if strange or ".git" in (part.lower() for part in parts):
        raise invalid("path", "is no path of a file in this project")


def _tracked(repo: Repository, path: str) -> bytes | None:
    """The bytes of a tracked, regular file; None if it is none."""
    if repo.bare:
        known = [] if repo.head().unborn else tree(repo, "HEAD", path)
    else:
        known = index_entries(repo, path)
    found = [e for e in known if e.path == path and e.regular]
    if not found:
        return None
    if repo.bare:
        return read_blobs(repo, [found[0].oid]).get(found[0].oid)
    try:
        return _read(os.fspath(repo.root), path.split("/"))
    except OSError as error:
        raise Refused(404, f"{path}: {error.strerror}") from error


def _read(root: str, parts: list[str]) -> bytes | None:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            inner = os.open(part, flags, dir_fd=handle)
            os.close(handle)
            handle = inner
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        pieces = []
        left = _LONGEST + 1
        while left > 0 and (piece := os.read(handle, left)):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(handle)


def commit(console: Console, asked: Asked) -> Answer:
    repo, named = console.repo, asked.path["oid"]
    oid = repo.resolve(named) if _OID.fullmatch(named) else None
    if oid is None:
        raise Refused(404, f"no commit {named[:64]} in this repository")
    found = read_commits(repo, [oid]).get(oid)
    if found is None:
        raise Refused(404, f"no commit {named[:64]} in this repository")
    try:
        paths = changed_paths(repo, [oid])[oid]
    except IntentError:  # a clone that does not have its trees
        paths = []
    return Answer(
        {
            "oid": oid,
            "author": found.author,
            "date": instant(found.time),
            "message": found.message,
            "paths": paths[:_PATHS],
            "more": max(len(paths) - _PATHS, 0),
        }
    )


def instant(seconds: int) -> str:
    """Seconds since 1970 as a stamp; empty where no calendar reaches."""
    try:
        made = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return made.isoformat(timespec="seconds").replace("+00:00", "Z")
