"""Where a prompt is not the user's: hosts put what we inject next to it, and wrap it.

Spans are of bytes. The ledger's context is known by its second and its last line, the
block of requirements by what a scan knows it by.
"""

from git_intent.ledger.context import ABOUT, END

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Span = tuple[int, int]

#: Words of the block of requirements; a text without any holds none.
_BLOCK = ("[req-", "tanding")


def spans(text: str, wrapped: "Iterable[Span]" = ()) -> "list[Span]":
    """The spans of our own text, in bytes, in no order; and those that the host itself
    put there, which are told in characters."""
    found = list(wrapped)
    if END in text:
        found += _contexts(text)
    if any(word in text for word in _BLOCK):
        found += _blocks(text)
    return [(_bytes(text, start), _bytes(text, end)) for start, end in found]


def _contexts(text: str) -> "Iterator[Span]":
    at = 0
    while (about := text.find(f"\n{ABOUT}", at)) >= 0:
        end = text.find(END, about)
        if end < 0:
            return
        end += len(END)
        yield text.rfind("\n", 0, about) + 1, end
        at = end


def _blocks(text: str) -> "Iterator[Span]":
    """The lines that a scan would blank."""
    from git_intent.scan.noise import strip_own

    kept = strip_own(text).splitlines(keepends=True)
    at = 0
    for before, after in zip(text.splitlines(keepends=True), kept, strict=True):
        if before != after:
            yield at, at + len(before)
        at += len(before)


def _bytes(text: str, at: int) -> int:
    return len(text[:at].encode("utf-8", "surrogatepass"))
