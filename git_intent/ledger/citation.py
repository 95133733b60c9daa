"""On which bytes of a user's prompt a clause rests, and whether they bear it.

A binding names an event, a source, the source's hash, a span of its bytes and the
span's hash; all of it must be right. A clause made or changed by an event rests on the
source that the event classifies, within the part's own span. It may go on resting on
what its predecessor rested on, byte for byte the same bindings, and on nothing else.

The rules are in two halves: what the records tell (`judge`, for writers and replay),
and what only the bytes tell (`prove`, for writers; `proofs` does it for readers).
"""

from __future__ import annotations

from git_intent.files import sha256
from git_intent.ledger.fields import at, invalid
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.wtf8 import UTF8, WTF8

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Binding = dict[str, Any]


def binding(
    source: dict[str, Any], span: list[int] | None = None, data: bytes = b""
) -> Binding:
    """What binds a clause to a span of a source's `data`, or to all of it."""
    if span is None:
        span, borne = [0, source["bytes"]], source["sha256"]
    else:
        borne = sha256(data[span[0] : span[1]])
    return {
        "event": f"ev-{source['seq']}",
        "source": source["id"],
        "sha256": source["sha256"],
        "span": span,
        "span_sha256": borne,
    }


def judge(
    bindings: list[Binding],
    source: dict[str, Any],
    part: list[int],
    inherited: list[Binding],
    pointer: str,
) -> None:
    """Refuse bindings that the record of `source` or the span of the part denies."""
    current = 0
    for place, binding in enumerate(bindings):
        here = at(pointer, place)
        if binding in bindings[:place]:
            raise invalid(here, "the same binding stands twice")
        if binding["source"] == source["id"]:
            _judge_current(binding, source, part, here)
            current += 1
        elif binding not in inherited:
            raise invalid(
                at(here, "source"),
                f"{binding['source']} is not the source classified here, "
                f"which is {source['id']}",
            )
    if not current:
        raise invalid(pointer, f"no binding to the source classified, {source['id']}")


def _judge_current(
    binding: Binding, source: dict[str, Any], part: list[int], pointer: str
) -> None:
    if binding["event"] != f"ev-{source['seq']}":
        raise invalid(
            at(pointer, "event"),
            f"{source['id']} was captured by ev-{source['seq']}, "
            f"not by {binding['event']}",
        )
    if binding["sha256"] != source["sha256"]:
        raise invalid(
            at(pointer, "sha256"), f"the sha256 of {source['id']} is {source['sha256']}"
        )
    start, end = binding["span"]
    here = at(pointer, "span")
    if end > source["bytes"]:
        raise invalid(here, f"{source['id']} ends at byte {source['bytes']}")
    if start < part[0] or end > part[1]:
        raise invalid(here, f"outside of its part, [{part[0]}, {part[1]})")
    if any(first <= start and end <= last for first, last in source["skip"]):
        raise invalid(here, "only holds a block that git-intent put into the prompt")


class Reader:
    """Reads each source once, proves it, and compares spans with it."""

    __slots__ = ("_read", "_whole")

    def __init__(self, read_source: Callable[[str], bytes | None]) -> None:
        self._read = read_source
        self._whole: dict[str, bytes] = {}

    def source(self, source: str, digest: str, pointer: str) -> bytes:
        """The exact bytes of a source; refused where they are not what was captured."""
        data = self._whole.get(digest)
        if data is None:
            data = self._read(digest)
            if data is None or sha256(data) != digest:
                lost = "missing" if data is None else "altered"
                raise Refusal(
                    "source-unproven",
                    pointer,
                    f"the bytes of {source} are {lost}",
                    ids=[source],
                )
            self._whole[digest] = data
        return data

    def prove(self, bindings: list[Binding], pointer: str) -> None:
        """Refuse what rests on these bindings unless all of their bytes are there."""
        for binding in bindings:
            data = self.source(binding["source"], binding["sha256"], pointer)
            if _span_hash(data, binding) != binding["span_sha256"]:
                raise Refusal(
                    "source-unproven",
                    pointer,
                    f"{binding['source']} does not bear the span on record",
                    ids=[binding["source"]],
                )

    def cite(
        self, bindings: list[Binding], cited: dict[str, Any], pointer: str
    ) -> None:
        """Refuse the bindings of a document that the bytes deny.

        `cited` is the source whose spans are chosen here.
        """
        for place, binding in enumerate(bindings):
            here = at(pointer, place)
            data = self.source(binding["source"], binding["sha256"], here)
            if binding["source"] == cited["id"]:
                judge_cut(data, cited, binding["span"], at(here, "span"))
            right = _span_hash(data, binding)
            if right != binding["span_sha256"]:
                start, end = binding["span"]
                raise invalid(
                    at(here, "span_sha256"),
                    f"the sha256 of [{start}, {end}) is {right}",
                )


def _span_hash(data: bytes, binding: Binding) -> str:
    start, end = binding["span"]
    return sha256(data[start:end])


def judge_cut(
    data: bytes, source: dict[str, Any], span: list[int], pointer: str
) -> None:
    """Refuse a span that begins or ends within a character."""
    if source["encoding"] not in (UTF8, WTF8):
        return
    for edge in span:
        if edge < len(data) and data[edge] & 0xC0 == 0x80:
            raise invalid(pointer, f"byte {edge} is in the middle of a character")
