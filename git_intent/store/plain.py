"""A requirement read without YAML, from a file that is as our writer leaves them.

Who shows ten thousand of them cannot wait for a YAML parser. `store.canonical` tells
whether a file is plain and without an error; then each of its lines means one thing.
Any other file gives None, and `requirement_file.examine` reads it.
"""

from git_intent.store.body import cut
from git_intent.store.canonical import outline
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)

_FENCE = "---\n"


def read_plain(path: str, data: bytes) -> Requirement | None:
    """What `examine` would read, if the file is plain."""
    known = outline(path, data)
    if known is None:
        return None
    header, _, body = data.decode().removeprefix(_FENCE).partition(f"\n{_FENCE}")
    found, hints = _lines(header)
    statement, rationale = cut(body)
    get = found.get
    return Requirement(
        id=known.id,
        statement=statement,
        rationale=rationale,
        status=Status(known.status),
        superseded_by=get("superseded_by", ""),
        scope=Scope(
            Level(found["level"]),
            known.domains,
            known.paths,
            _items(get("languages", "")),
        ),
        hints=tuple(hints),
        confidence=Confidence(found["confidence"]),
        user_edited=get("user_edited") == "true",
        provenance=Provenance(
            Kind(found["kind"]),
            get("ref", ""),
            get("extracted_at", ""),
            get("extracted_by", ""),
            get("patch_id", ""),
        ),
        created=found["created"],
        updated=found["updated"],
    )


def _lines(header: str) -> tuple[dict[str, str], list[str]]:
    """Key and value of each line, without quotes; no key of ours stands twice."""
    found: dict[str, str] = {}
    hints: list[str] = []
    for line in header.split("\n"):
        if line.startswith("  - "):
            hints.append(line[5:-1])
        else:
            key, _, value = line.strip().partition(": ")
            found[key] = value[1:-1] if value[:1] == '"' else value
    return found, hints


def _items(text: str) -> tuple[str, ...]:
    return tuple(text[1:-1].split(", ")) if text else ()
