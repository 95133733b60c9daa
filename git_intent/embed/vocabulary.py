"""`lean.bin`: what the lean reader needs to know beside the weights.

A model is a model2vec directory (`config.json`, `model.safetensors`, `tokenizer.json`)
whose int8 matrix the lean reader uses where it lies. Parsing tokenizer.json costs more
than a bare Python, so its vocabulary is kept once more in a form that needs no parsing:

    git-intent lean 1\\n                     first line: what this file is, version
    checksum N\\n                            CRC-32 of everything after this line
    NAME VALUE\\n                            one line a field, in any order (see below)
    \\n                                      an empty line ends the fields
    4 bytes x (buckets + 1)                 offsets into the entries, little-endian
    \\nTOKEN\\tROW\\nTOKEN\\tROW\\n ... \\n       entries, grouped by bucket

A token (UTF-8, pieces inside a word with `##` before them) is in the bucket
`int.from_bytes(token, "little") % buckets`; bucket b lies between offset b and offset
b + 1, both newlines included. ROW is decimal. Fields, all of them required:

    buckets            a prime number
    max_tokens         pieces of a text that count; the rest is cut
    max_chars          characters of a text that count
    header             the JSON header of model.safetensors this was made from, verbatim
    config             CRC-32 of the config.json this was made from
    rows, dim          the shape of the matrix, which that header says
    tokenizer_size     bytes of the tokenizer.json this was made from
    tokenizer_sha256   its hash, compared whenever the model's id is computed
    calibrated         the model id's hash for which `floor` was measured, or `-`
    floor              the least cosine that means something, or `-`

The file is derived: `git_intent.embed.vocabulary_build` makes it from the others, and
a reader that finds it broken or made from other files does the same in memory.
"""

from zlib import crc32

MAGIC = b"git-intent lean 1\n"
FIELDS = frozenset(
    "buckets max_tokens max_chars header config rows dim tokenizer_size"
    " tokenizer_sha256 calibrated floor".split()
)


class Vocabulary:
    """The fields, and the row of a token, straight from the bytes of `lean.bin`."""

    __slots__ = (
        "_buckets",
        "_data",
        "_entries",
        "_offsets",
        "calibrated",
        "config",
        "dim",
        "floor",
        "header",
        "max_chars",
        "max_tokens",
        "rows",
        "tokenizer_sha256",
        "tokenizer_size",
    )

    def __init__(self, data: bytes) -> None:
        """Raise ValueError if `data` is not a whole file of this version."""
        start = data.find(b"\n", len(MAGIC)) + 1
        end = data.find(b"\n\n", start)
        if not data.startswith(MAGIC) or not start or end < 0:
            raise ValueError("not a lean.bin of this version")
        if data[len(MAGIC) : start] != checksum(data[start:]):
            raise ValueError("a broken lean.bin")
        fields = _fields(data[start:end].decode("utf-8"))
        self._data = data
        self._buckets = int(fields["buckets"])
        self._offsets = end + 2
        self._entries = self._offsets + 4 * (self._buckets + 1)
        self.max_tokens = int(fields["max_tokens"])
        self.max_chars = int(fields["max_chars"])
        self.header = fields["header"].encode("utf-8")
        self.config = int(fields["config"])
        self.rows = int(fields["rows"])
        self.dim = int(fields["dim"])
        self.tokenizer_size = int(fields["tokenizer_size"])
        self.tokenizer_sha256 = fields["tokenizer_sha256"]
        self.calibrated = fields["calibrated"]
        self.floor = None if fields["floor"] == "-" else float(fields["floor"])

    def row(self, token: bytes) -> int:
        """The row of a token, -1 if it is not in the vocabulary."""
        data = self._data
        at = self._offsets + 4 * (int.from_bytes(token, "little") % self._buckets)
        pair = int.from_bytes(data[at : at + 8], "little")
        start = self._entries + (pair & 0xFFFFFFFF)
        found = data.find(b"\n%b\t" % token, start, self._entries + (pair >> 32))
        if found < 0:
            return -1
        begin = found + len(token) + 2
        return int(data[begin : data.index(b"\n", begin)])


def checksum(rest: bytes) -> bytes:
    """The second line of the file, for all that comes after it."""
    return b"checksum %d\n" % crc32(rest)


def _fields(text: str) -> dict[str, str]:
    fields = {}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        fields[name] = value
    if not fields.keys() >= FIELDS:
        raise ValueError("lean.bin lacks a field")
    return fields
