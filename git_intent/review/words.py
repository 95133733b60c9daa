"""Two texts compared word by word.

A text is cut into words, single signs and runs of white space; in scripts that write
no blanks, each character is a word. What differs is told in segments; put together,
those that are not INSERTED give the old text and those not DELETED the new one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum


class Op(StrEnum):
    SAME = "same"
    DELETED = "deleted"
    INSERTED = "inserted"


@dataclass(frozen=True, slots=True)
class Segment:
    op: Op
    text: str


_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_PIECE = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|\s+|[^\w\s]")
_MOST = 2000  # pieces: the comparison takes squared time in the worst case
#: Texts that share less than this are shown one after the other.
_ALIKE = 0.4


def compare(old: str, new: str) -> tuple[Segment, ...]:
    """The segments of two texts; of two that have little in common, one of each."""
    if old == new:
        return (Segment(Op.SAME, old),) if old else ()
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    if max(len(before), len(after)) > _MOST:
        return _apart(old, new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    segments: list[Segment] = []
    shared = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            same = before[i1:i2]
            shared += sum(not piece.isspace() for piece in same)
            segments.append(Segment(Op.SAME, "".join(same)))
            continue
        segments += _changed("".join(before[i1:i2]), "".join(after[j1:j2]))
    words = sum(not piece.isspace() for piece in (*before, *after))
    if 2 * shared < _ALIKE * words:
        return _apart(old, new)
    return _joined(segments)


def _changed(old: str, new: str) -> list[Segment]:
    pair = (Segment(Op.DELETED, old), Segment(Op.INSERTED, new))
    return [segment for segment in pair if segment.text]


def _apart(old: str, new: str) -> tuple[Segment, ...]:
    return tuple(_changed(old, new))


def _joined(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Changes with nothing but a blank between them are one change."""
    joined: list[Segment] = []
    old = new = ""
    for number, segment in enumerate(segments):
        alone = segment.op is Op.SAME and segment.text.isspace()
        inside = alone and (old or new) and number + 1 < len(segments)
        if segment.op is not Op.SAME or inside:
            old += segment.text if segment.op is not Op.INSERTED else ""
            new += segment.text if segment.op is not Op.DELETED else ""
            continue
        joined += _changed(old, new)
        old = new = ""
        joined.append(segment)
    return (*joined, *_changed(old, new))
