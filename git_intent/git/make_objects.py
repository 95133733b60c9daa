"""Write blobs, trees and a commit, without an index and without a work tree.

Everything goes to git in one small pack, which `git unpack-objects` takes apart: one
process for all. Ids are worked out here. Nothing here moves a ref: what is written
stays unseen until one points to it.
"""

import hashlib
import os
import zlib
from collections.abc import Mapping, Sequence

from git_intent.git.cat_file import object_id
from git_intent.git.identity import identities
from git_intent.git.process import git_result
from git_intent.git.repository import Repository

_KINDS = {"commit": 1, "tree": 2, "blob": 3}
#: All objects are synced at once, where git knows how.
_SYNC = ("-c", "core.fsyncMethod=batch")


def write_snapshot(
    repo: Repository,
    files: Mapping[str, bytes | str],
    parents: Sequence[str],
    message: str,
) -> tuple[str, dict[str, str]]:
    """Write a commit that holds `files`: path → bytes, or the id of a known blob.

    Gives its id, and path → blob. It is by whoever commits here, unsigned; no hook sees
    it.
    """
    pack = _Pack(len(repo.zero))
    blobs = {
        path: data if isinstance(data, str) else pack.add("blob", data)
        for path, data in files.items()
    }
    tree = _add_tree(pack, blobs)
    head = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    ident = _ident(repo)
    head += [f"author {ident}", f"committer {ident}"]
    text = "\n".join([*head, "", message])
    commit = pack.add("commit", text.encode("utf-8", "surrogateescape"))
    repo.git(*_SYNC, "unpack-objects", "-q", input=pack.data())
    return commit, blobs


class _Pack:
    """Objects on their way to git; ids have so many `digits`."""

    def __init__(self, digits: int) -> None:
        self._digits = digits
        self._objects: dict[str, bytes] = {}

    def add(self, kind: str, data: bytes) -> str:
        oid = object_id(kind, data, self._digits)
        self._objects[oid] = _head(_KINDS[kind], len(data)) + zlib.compress(data, 1)
        return oid

    def data(self) -> bytes:
        start = b"PACK" + (2).to_bytes(4, "big") + len(self._objects).to_bytes(4, "big")
        body = start + b"".join(self._objects.values())
        check = hashlib.sha256 if self._digits == 64 else hashlib.sha1
        return body + check(body).digest()


def _head(kind: int, size: int) -> bytes:
    """Kind and size of an object: four bits of the size, then seven in each byte."""
    found = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        found[-1] |= 128
        found.append(size & 127)
        size >>= 7
    return bytes(found)


def _add_tree(pack: _Pack, blobs: Mapping[str, str]) -> str:
    """The tree that holds these blobs, folders and all."""
    folders: dict[str, dict[str, str]] = {}
    rows: list[tuple[bytes, bytes]] = []
    for path, blob in blobs.items():
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, {})[rest] = blob
        else:
            rows.append(_row("100644", name, blob))
    for name, inner in folders.items():
        rows.append(_row("40000", name, _add_tree(pack, inner)))
    return pack.add("tree", b"".join(row for _, row in sorted(rows)))


def _row(mode: str, name: str, oid: str) -> tuple[bytes, bytes]:
    """What git sorts an entry of a tree by, and the entry."""
    data = os.fsencode(name)
    key = data + b"/" if mode == "40000" else data
    return key, f"{mode} ".encode() + data + b"\0" + bytes.fromhex(oid)


def _ident(repo: Repository) -> str:
    """Who a commit is by, and when, as git says; Cloche if it has not been told."""
    args = ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"]
    code, out, _ = git_result(args, cwd=repo.root, env=repo.exports)
    if code:
        out = repo.git(*args, env=identities(repo))
    return os.fsdecode(out).strip()
