"""Is a prompt one that opens a ledger: something the user may have said.

It is, if outside of blocks that git-intent itself put into it there is a byte that is
not blank. Who knows our blocks is told by the caller.

Light: nothing is loaded.
"""

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable

    Span = tuple[int, int]


def own_spans(spans: "Iterable[Span]", size: int) -> "list[list[int]]":
    """Spans of our own text in bytes as a source records them: in order, apart."""
    merged: list[list[int]] = []
    for start, end in sorted(spans):
        low, high = max(start, 0), min(end, size)
        if low >= high:
            continue
        if merged and low <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    return merged


def is_effective(data: bytes, skip: "Iterable[list[int]]" = ()) -> bool:
    """Whether `data` has a byte that is not blank outside of `skip` (`own_spans`)."""
    return bool(outside(data, skip).strip())


def outside(data: bytes, skip: "Iterable[list[int]]") -> bytes:
    """What of `data` stands outside of `skip`."""
    if not skip:
        return data
    pieces = []
    last = 0
    for start, end in skip:
        pieces.append(data[last:start])
        last = end
    return b"".join([*pieces, data[last:]])
