"""The lean reader: a static model on hot paths, without numpy, tokenizers or json.

A model2vec directory with an int8 matrix and no token weights is read in place:
`model.safetensors` is 8 bytes of header length, the JSON header, the matrix row by row.
Only the rows of the tokens at hand are read (`pread`), so opening costs the same for a
model of any size. `lean.bin` (see `vocabulary.py`) says where what is.

A vector is the sum of its rows, exact in integers, divided by its length in doubles:
the same bits on every machine, and as `bulk.encode` makes them. A text without a known
token has the zero vector.

The id is `model2vec:<folder name>@<hash>`, the hash over the bytes of weights,
tokenizer and config. Computing it reads the whole file, so that is done when an index
is built, and skipped as long as `signature` (size, times and inode of each file) is
what the index has seen.
"""

import os
import sys
from math import sqrt
from zlib import crc32

from git_intent.embed.errors import ModelError
from git_intent.embed.vocabulary import Vocabulary
from git_intent.embed.wordpiece import rows

FILES = ("config.json", "model.safetensors", "tokenizer.json")
BUNDLED = __file__.rpartition(os.sep)[0] + "/models/minilm-l6-256"

_REPAIR = "install git-intent again, or name another model"
#: Words and rows remembered, for texts that come in numbers.
MEMORY = 10_000
#: int8 to bytes that count from 0: x + 128 without its sign.
_SHIFTED = bytes((byte + 128) % 256 for byte in range(256))
#: Where the low byte of a native 32-bit integer lies.
_LOW = 0 if sys.byteorder == "little" else 3


class Model:
    """An open model. `close` it, or let it go."""

    __slots__ = (
        "_file",
        "_id",
        "_lanes",
        "_pieces",
        "_vocabulary",
        "dim",
        "folder",
        "offset",
        "signature",
    )

    def __init__(self, folder: str) -> None:
        self._id, self._file, self.folder = "", -1, folder
        self._lanes: dict[int, int] = {}
        self._pieces: dict[str, list[int]] = {}
        try:
            sizes, self.signature = stat_files(folder)
            self._vocabulary = _open_vocabulary(folder, sizes)
            self._file = os.open(f"{folder}/model.safetensors", os.O_RDONLY)
        except OSError as error:
            raise ModelError(f"{error.filename}: {error.strerror}", _REPAIR) from error
        header = self._vocabulary.header
        self.dim = self._vocabulary.dim
        self.offset = 8 + len(header)  # where the matrix begins
        if sizes["model.safetensors"] != self.offset + self.rows * self.dim:
            raise ModelError(f"{folder}/model.safetensors: wrong size", _REPAIR)

    @classmethod
    def open(cls, folder: "str | os.PathLike[str]" = BUNDLED) -> "Model":
        """Raises ModelError if the folder does not hold a model that is read here."""
        return cls(os.fspath(folder).rstrip("/"))

    def close(self) -> None:
        """Close the file of the weights; the model embeds nothing after."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __del__(self) -> None:
        self.close()

    @property
    def id(self) -> str:
        """Which model this is, by content. Reads every byte, the first time."""
        if not self._id:
            self._id = model_id(self.folder, self._vocabulary.tokenizer_sha256)
        return self._id

    def floor(self, of: str) -> float | None:
        """The least cosine that means something with the model id `of`, if measured."""
        known = of.rpartition("@")[2] == self._vocabulary.calibrated
        return self._vocabulary.floor if known else None

    def tokens(self, text: str) -> list[int]:
        """The rows that `text` is made of, in order, repeated ones repeated."""
        if len(self._pieces) > MEMORY:
            self._pieces.clear()
        return rows(self.cut(text), self._vocabulary.row, self.max_tokens, self._pieces)

    @property
    def rows(self) -> int:
        """How many rows the matrix has."""
        return self._vocabulary.rows

    @property
    def max_tokens(self) -> int:
        """So many tokens of a text count, unknown ones included."""
        return self._vocabulary.max_tokens

    def cut(self, text: str) -> str:
        """The beginning of a text that is looked at."""
        return text[: self._vocabulary.max_chars]

    def sums(self, tokens: list[int]) -> list[int]:
        """The sum of the rows, column by column.

        Each row is spread over the 32-bit lanes of one long integer, so that adding two
        rows is one addition. A lane has room for more rows than a text may have.
        """
        if len(self._lanes) > MEMORY:
            self._lanes.clear()
        total = 0
        for token in tokens:
            total += self._lanes.get(token) or self._spread(token)
        packed = total.to_bytes(4 * self.dim, sys.byteorder)
        shift = 128 * len(tokens)
        return [lane - shift for lane in memoryview(packed).cast("I")]

    def _spread(self, token: int) -> int:
        row = os.pread(self._file, self.dim, self.offset + token * self.dim)
        if len(row) != self.dim:
            raise ModelError(f"{self.folder}: the weights are cut off", _REPAIR)
        lanes = bytearray(4 * self.dim)
        lanes[_LOW::4] = row.translate(_SHIFTED)
        self._lanes[token] = wide = int.from_bytes(lanes, sys.byteorder)
        return wide

    def embed(self, text: str) -> list[float]:
        """The unit vector of `text`, or zeros if no token of it is known."""
        sums = self.sums(self.tokens(text))
        length = sqrt(sum([value * value for value in sums]))
        return [value / length for value in sums] if length else [0.0] * self.dim

    def embed_all(self, texts: list[str]) -> list[list[float]]:
        """`embed` for each text."""
        return [self.embed(text) for text in texts]


def model_id(folder: str, tokenizer_sha256: str) -> str:
    """The id by content; ModelError if tokenizer.json is not the one of that hash."""
    from hashlib import sha256

    whole = sha256()
    for name in FILES:
        try:
            with open(f"{folder}/{name}", "rb") as file:
                digest = sha256(file.read()).hexdigest()
        except OSError as error:
            raise ModelError(f"{error.filename}: {error.strerror}", _REPAIR) from error
        if name == "tokenizer.json" and digest != tokenizer_sha256:
            raise ModelError(
                f"{folder}/lean.bin: made from another tokenizer.json",
                "delete lean.bin, or pack the model with tools/build_model.py",
            )
        whole.update(f"{name} {digest}\n".encode())
    return f"model2vec:{folder.rpartition('/')[2]}@{whole.hexdigest()[:16]}"


def stat_files(folder: str) -> tuple[dict[str, int], str]:
    """Size by file, and what tells one state of the files from another cheaply."""
    sizes, marks = {}, []
    for name in FILES:
        with open(f"{folder}/{name}", "rb", buffering=0) as file:
            found = os.fstat(file.fileno())
        sizes[name] = found.st_size
        marks.append(
            f"{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_ino}"
        )
    return sizes, " ".join(marks)


def _open_vocabulary(folder: str, sizes: dict[str, int]) -> Vocabulary:
    """From lean.bin; made anew in memory if that is missing, broken or foreign."""
    try:
        with open(f"{folder}/lean.bin", "rb", buffering=0) as file:
            found = Vocabulary(file.readall())
        with open(f"{folder}/model.safetensors", "rb", buffering=0) as file:
            head = file.read(8 + len(found.header))
        with open(f"{folder}/config.json", "rb", buffering=0) as file:
            config = crc32(file.readall())
        if (
            head == len(found.header).to_bytes(8, "little") + found.header
            and config == found.config
            and sizes["tokenizer.json"] == found.tokenizer_size
        ):
            return found
    except (FileNotFoundError, ValueError):
        pass
    from pathlib import Path

    from git_intent.embed.vocabulary_build import build_lean

    return Vocabulary(build_lean(Path(folder)))
