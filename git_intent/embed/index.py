"""Bring the index of a project up to date, embedding only what is new.

The index lies in `.cloche/intent-index/`, a folder that ignores itself and may hold
files of other tools. A requirement's row is the unit vector of its first text, the
statement with its rationale, and `HINTS` times that of all hints together. Its key is
the SHA-256 of these texts and the model's id, so a changed hint or another model embeds
anew, a changed status does not, and rows of texts that are gone stay for a while, for
the day the branch is back.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum, sqrt
from pathlib import Path
from typing import Protocol

from git_intent.embed.index_file import ZERO, Index, read_index, render_index
from git_intent.errors import IntentError
from git_intent.files import write_atomic

FOLDER = ".cloche/intent-index"
FILE = "rows.bin"
#: Part of each key: change it when rows are made in another way.
SCHEMA = "git-intent row 2"
#: How much the hints of a requirement count beside its own words. They help to find it
#: as long as they do not drown it; `benchmarks/retrieval.py` measures that.
HINTS = 0.3
#: Spare rows kept beyond as many as there are requirements.
SPARE = 1000


class Embedder(Protocol):
    """What the index asks of a model."""

    @property
    def id(self) -> str: ...
    @property
    def signature(self) -> str: ...
    @property
    def dim(self) -> int: ...
    def embed_all(self, texts: list[str]) -> list[list[float]]: ...


@dataclass(frozen=True, slots=True)
class Updated:
    """The index as it is now, and what that took."""

    index: Index
    embedded: int
    reused: int
    #: False if the folder cannot be written: the index lives in memory only.
    stored: bool


def update(
    folder: Path | None,
    texts_by_id: Mapping[str, Sequence[str]],
    model: Embedder,
    admit: Callable[[str], object] = str,
    *,
    known: Index | None = None,
    write: bool = True,
) -> Updated:
    """The index of exactly these requirements with this model.

    What the file in `folder` already has is reused; a missing, broken or foreign file
    counts as empty. The file is written only if it would change. Without a folder the
    index lives in memory, and so it does without `write`; then `known` is one that was
    made before, to begin with. `admit` gets the model's id before anything is embedded,
    and may raise.
    """
    old = known or (read_index(str(folder / FILE)) if folder else None)
    model_id = _model_id(old, model)
    admit(model_id)
    ids = sorted(texts_by_id)
    keys = {id_: row_key(texts_by_id[id_], model_id) for id_ in ids}
    if (
        old
        and (old.model, old.signature) == (model_id, model.signature)
        and (old.ids, old.dim) == (ids, model.dim)
        and old.keys == b"".join(keys.values())
    ):
        return Updated(old, 0, len(ids), stored=True)
    held = old.rows() if old and old.dim == model.dim else {}
    missing = [id_ for id_ in ids if keys[id_] not in held]
    rows = dict(held)
    for id_, row in zip(missing, _embed(missing, texts_by_id, model), strict=True):
        rows[keys[id_]] = row
    index = _build(model_id, model, keys, rows, list(held))
    stored = write and _store(folder, render_index(index))
    return Updated(index, len(missing), len(ids) - len(missing), stored)


def covered(
    folder: Path, texts_by_id: Mapping[str, Sequence[str]], model_id: str
) -> int:
    """For how many requirements the file has a row made of these very texts."""
    old = read_index(str(folder / FILE))
    known = old.rows() if old else {}
    return sum(row_key(texts, model_id) in known for texts in texts_by_id.values())


def row_key(texts: Sequence[str], model_id: str) -> bytes:
    """What a row was made of, as a hash."""
    whole = sha256(f"{SCHEMA}\n{model_id}\n".encode())
    for text in texts:
        code = text.encode("utf-8", "surrogatepass")
        whole.update(b"%d\n%b" % (len(code), code))
    return whole.digest()


def _model_id(old: Index | None, model: Embedder) -> str:
    """Without reading the weights if the index has seen these very files."""
    if old and model.signature and old.signature == model.signature:
        return old.model
    return model.id


def _embed(
    ids: list[str], texts_by_id: Mapping[str, Sequence[str]], model: Embedder
) -> list[bytes]:
    # Each once: many requirements have hints in common.
    texts = list(dict.fromkeys(text for id_ in ids for text in texts_by_id[id_]))
    vectors = dict(zip(texts, model.embed_all(texts), strict=True))
    return [
        quantise([vectors[text] for text in texts_by_id[id_]], model.dim) for id_ in ids
    ]


def quantise(vectors: Sequence[Sequence[float]], dim: int) -> bytes:
    """The direction of a requirement, a byte a coordinate, 128 for zero; `vectors` are
    those of its texts, unit vectors or zeros."""
    total = list(vectors[0]) if vectors else [0.0] * dim
    if len(vectors) > 1:
        # fsum: rounded once, so that no version of Python adds up to something else.
        hints = [fsum(column) for column in zip(*vectors[1:], strict=True)]
        length = sqrt(fsum([value * value for value in hints])) or 1.0
        share = HINTS / length
        total = [own + share * hint for own, hint in zip(total, hints, strict=True)]
    widest = max(map(abs, total), default=0.0)
    scale = 127 / widest if widest else 0.0
    return bytes([round(value * scale) + ZERO for value in total])


def _build(
    model_id: str,
    model: Embedder,
    keys: dict[str, bytes],
    rows: dict[bytes, bytes],
    known: list[bytes],
) -> Index:
    ordered = [rows[key] for key in keys.values()]
    used = set(keys.values())
    spare = [key for key in known if key not in used][: len(keys) + SPARE]
    square_of = [(byte - ZERO) * (byte - ZERO) for byte in range(256)].__getitem__
    squares = [sum(map(square_of, row)) for row in ordered]
    sums = [sum(row) - ZERO * model.dim for row in ordered]
    return Index(
        model_id,
        model.signature,
        model.dim,
        list(keys),
        (
            struct.pack(f"={len(ordered)}I", *squares),
            struct.pack(f"={len(ordered)}i", *sums),
            b"".join(map(bytes, zip(*ordered, strict=True))),
            b"".join(keys.values()),
            b"".join(key + rows[key] for key in spare),
        ),
    )


def _store(folder: Path | None, data: bytes) -> bool:
    """Write what differs, the .gitignore too; False if that cannot be done."""
    if folder is None:
        return False
    path, ignore = folder / FILE, folder / ".gitignore"
    try:
        if folder.is_symlink():
            return False
        if not ignore.exists():
            write_atomic(ignore, b"*\n")
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)
    except (OSError, IntentError):
        return False
    return True
