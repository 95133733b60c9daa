"""Our own records of runs: `refs/intent/runs/<escaped run>`, each a commit or a tree.

    meta.json        {"state", "start", "end", "workflow", "opted_out"}
    prompt           what the run was asked to do
    transcript/…     what was said in it, in `<workflow>/<step>` folders where known

A record that is still running is left alone. One whose `meta.json` cannot be read is
passed over by name: it may say that the run is opted out.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from git_intent.git import objects, refs
from git_intent.git.repository import Repository

PREFIX = "refs/intent/runs/"
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_UNDER_WAY = ("", "running", "started", "open")


@dataclass(frozen=True, slots=True)
class Record:
    """`prompt` and `transcripts` (path → id) are objects that are yet to be read."""

    id: str
    ref: str
    prompt: str = ""
    transcripts: Mapping[str, str] = field(default_factory=dict)
    workflow: str = ""
    opted_out: bool = False
    broken: str = ""


def record_refs(repo: Repository) -> dict[str, str]:
    """Run id → ref, of every record; none is opened."""
    return {_unescaped(ref): ref for ref in refs.for_each_ref(repo, PREFIX)}


def _unescaped(ref: str) -> str:
    """`%2F` stands for a slash, and so for any byte that a ref cannot hold."""
    data = os.fsencode(ref.removeprefix(PREFIX))
    return os.fsdecode(_ESCAPED.sub(lambda m: bytes.fromhex(m[1].decode()), data))


def read_record(repo: Repository, id: str, ref: str) -> Record | None:
    """One record; None while its run is under way."""
    files = _files(repo, ref)
    blob = files.get("meta.json", "")
    data = objects.read_blobs(repo, [blob]).get(blob, b"") if blob else b""
    try:
        meta = json.loads(data)
    except (ValueError, RecursionError):
        return Record(id, ref, broken="its meta.json cannot be read")
    if not isinstance(meta, dict):
        return Record(id, ref, broken="its meta.json is no object")
    if meta.get("state", "") in _UNDER_WAY:
        return None
    return Record(
        id,
        ref,
        prompt=files.get("prompt", ""),
        transcripts={p: o for p, o in files.items() if p.startswith("transcript/")},
        workflow=str(meta.get("workflow", "")),
        opted_out=bool(meta.get("opted_out", meta.get("opted out", False))),
    )


def _files(repo: Repository, ref: str) -> dict[str, str]:
    """Path → object id; asked with --full-tree, as a project may be a subfolder."""
    out = repo.git("ls-tree", "-r", "-z", "--full-tree", ref, check=False)
    found = {}
    for row in out.split(b"\0"):
        head, _, path = row.partition(b"\t")
        if head.startswith(b"100"):
            found[os.fsdecode(path)] = head.split(b" ")[2].decode()
    return found
