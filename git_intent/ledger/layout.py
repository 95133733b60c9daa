"""The tree at a ledger's ref, as names.

    journal/000001.jsonl …   segments; a full one is sealed and never written again
    sources/ab/<sha256>      exact prompts, fanned out by the first two digits
    evidence/ab/<sha256>     texts of evidence
    archive/000001.json …    one part for each sealed segment
    head                     hash of the last line, and a newline
    checkpoint               the state after the last sealed segment

A segment is full, and so sealed, with 64 events or 64 KiB. A checkpoint only saves
parsing: it names the segments it stands for by a hash of their blobs' ids, and one that
does not fit, or is missing, is as good as none.
"""

import json
from typing import Any

from git_intent.files import canonical_json, sha256

SEGMENT_EVENTS = 64
SEGMENT_BYTES = 64 << 10
VERSION = 1


def segment_name(number: int) -> str:
    return f"{number:06}.jsonl"


def part_name(number: int) -> str:
    return f"{number:06}.json"


def full(data: bytes) -> bool:
    """Whether a segment with these bytes is sealed."""
    return len(data) >= SEGMENT_BYTES or data.count(b"\n") >= SEGMENT_EVENTS


def segments_key(oids: list[str]) -> str:
    """What a checkpoint calls the sealed segments with these blobs."""
    return sha256("\n".join(oids).encode())


def encode_checkpoint(sealed: list[str], dumped: dict[str, Any]) -> bytes:
    return canonical_json(
        {
            "version": VERSION,
            "segments": len(sealed),
            "key": segments_key(sealed),
            "state": dumped,
        }
    )


def decode_checkpoint(data: bytes, segments: list[str]) -> tuple[int, Any] | None:
    """How many of these segments a checkpoint stands for, and the dumped state.

    None if it does not stand for the first of them.
    """
    try:
        found = json.loads(data)
        count, key = found["segments"], found["key"]
        fits = found["version"] == VERSION and 0 < count <= len(segments)
        if not fits or key != segments_key(segments[:count]):
            return None
        return count, found["state"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return None
