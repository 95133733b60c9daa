"""The file of an index: one row per requirement, laid out for `rank.py`.

A row is a vector scaled so that its largest coordinate is 127 and rounded; only its
direction counts. The file is derived, belongs to one machine, and is read on hot paths:

    git-intent index 1\\n          first line: what this file is, version
    NAME VALUE\\n                  one line a field, in this order:
        checksum    CRC-32 of everything after this line
        order       byte order of the machine that wrote it: little or big
        model       model id
        signature   `Model.signature` of the model's files, empty if there is none
        dim         columns of a row
        count       rows of requirements
        spare       rows kept for texts that no requirement has now (another branch)
        ids         bytes of the ids
    \\n                            an empty line ends the fields
    ids                           separated by blanks, sorted
    4 bytes x count               sum of each row's squares, unsigned
    4 bytes x count               sum of each row, signed
    count bytes x dim             first coordinate of all rows, second ... (128 is zero)
    32 bytes x count              key of each row, see `index.row_key`
    (32 + dim) bytes x spare      key and coordinates

Whatever does not parse, or was written elsewhere, is no index: it is built again.
"""

import sys
from zlib import crc32

MAGIC = b"git-intent index 1\n"
FIELDS = ("order", "model", "signature", "dim", "count", "spare", "ids")
KEY = 32
ZERO = 128


class Index:
    """A parsed index; immutable by agreement."""

    __slots__ = (
        "columns",
        "dim",
        "ids",
        "keys",
        "model",
        "signature",
        "spare",
        "squares",
        "sums",
    )

    def __init__(
        self,
        model: str,
        signature: str,
        dim: int,
        ids: list[str],
        parts: "tuple[bytes, bytes, bytes, bytes, bytes]",
    ) -> None:
        self.model, self.signature, self.dim, self.ids = model, signature, dim, ids
        self.squares, self.sums, self.columns, self.keys, self.spare = parts

    def rows(self) -> dict[bytes, bytes]:
        """Coordinates by key; those of requirements first, then the spare ones."""
        count, size = len(self.ids), KEY + self.dim
        found = {
            self.keys[KEY * i : KEY * (i + 1)]: self.columns[i::count]
            for i in range(count)
        }
        for at in range(0, len(self.spare), size):
            key = self.spare[at : at + KEY]
            found.setdefault(key, self.spare[at + KEY : at + size])
        return found


def parse_index(data: bytes) -> Index:
    """Raise ValueError if `data` is not a whole index of this version and machine."""
    start = data.find(b"\n", len(MAGIC)) + 1
    end = data.find(b"\n\n", start)
    if not data.startswith(MAGIC) or not start or end < 0:
        raise ValueError("not an index of this version")
    view = memoryview(data)  # so that slices of megabytes are not copied
    if data[len(MAGIC) : start] != _checksum(view[start:]):
        raise ValueError("a broken index")
    lines = [
        line.partition(" ") for line in data[start:end].decode("utf-8").split("\n")
    ]
    found = {name: value for name, _, value in lines}
    if tuple(found) != FIELDS or found["order"] != sys.byteorder:
        raise ValueError("an index of another machine")
    dim, count, spare, size = (int(found[name]) for name in FIELDS[3:])
    body = view[end + 2 :]
    sizes = (4 * count, 4 * count, dim * count, KEY * count, (KEY + dim) * spare)
    ids = bytes(body[:size]).decode("ascii").split()
    if len(ids) != count or size + sum(sizes) != len(body):
        raise ValueError("an index of another shape")
    parts, at = [], size
    for length in sizes:
        parts.append(bytes(body[at : at + length]))
        at += length
    squares, sums, columns, keys, rest = parts
    return Index(
        found["model"],
        found["signature"],
        dim,
        ids,
        (squares, sums, columns, keys, rest),
    )


def render_index(index: Index) -> bytes:
    """The bytes of the file."""
    ids = " ".join(index.ids).encode("ascii")
    parts = (index.squares, index.sums, index.columns, index.keys, index.spare)
    values = (
        sys.byteorder,
        index.model,
        index.signature,
        index.dim,
        len(index.ids),
        len(index.spare) // (KEY + index.dim),
        len(ids),
    )
    lines = "".join(
        f"{name} {value}\n" for name, value in zip(FIELDS, values, strict=True)
    )
    rest = lines.encode("utf-8") + b"\n" + ids + b"".join(parts)
    return MAGIC + _checksum(rest) + rest


def _checksum(rest: bytes | memoryview) -> bytes:
    return b"checksum %d\n" % crc32(rest)


def read_index(path: str) -> Index | None:
    """The index in the file `path`; None if there is none that can be used."""
    try:
        with open(path, "rb", buffering=0) as file:
            return parse_index(file.readall())
    except (OSError, ValueError):
        return None
