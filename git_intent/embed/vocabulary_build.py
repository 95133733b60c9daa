"""Make `lean.bin` (see `vocabulary.py`) from the files of a model2vec directory.

Slow, so off the hot path: used by tools/build_model.py when a model is packed, and by
the lean reader when a directory has no usable `lean.bin`.
"""

import json
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import Any
from zlib import crc32

from git_intent.embed.errors import ModelError
from git_intent.embed.vocabulary import MAGIC, checksum
from git_intent.embed.wordpiece import LONGEST_WORD, PAD, UNKNOWN

BUCKETS = 4093
LONGEST_HEADER = 1 << 20
MOST_COLUMNS = 256  # so that the lanes of rank.py do not overflow
DEFAULT_MAX_TOKENS = 512  # what model2vec takes if config.json names none


def build_lean(folder: Path, calibrated: str = "-", floor: str = "-") -> bytes:
    """The bytes of `lean.bin` for the model in `folder`.

    Raises ModelError if the files are missing, damaged, or not what `wordpiece.py`
    and `model.py` can read.
    """
    try:
        tokenizer = (folder / "tokenizer.json").read_bytes()
        config = (folder / "config.json").read_bytes()
        header = _header(folder / "model.safetensors")
        vocabulary = _vocabulary(json.loads(tokenizer), folder / "tokenizer.json")
        rows, dim = _shape(json.loads(header), folder / "model.safetensors")
        max_tokens = int(json.loads(config).get("max_length", DEFAULT_MAX_TOKENS))
    except OSError as error:
        raise ModelError(f"{error.filename}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{folder}: not a readable model ({error})") from error
    if rows != len(vocabulary):
        raise ModelError(f"{folder}: {rows} rows for {len(vocabulary)} tokens")
    fields = {
        "buckets": BUCKETS,
        "max_tokens": max_tokens,
        # model2vec cuts at this many characters before it tokenises.
        "max_chars": max_tokens * int(median(len(token) for token in vocabulary)),
        "header": header,
        "config": crc32(config),
        "rows": rows,
        "dim": dim,
        "tokenizer_size": len(tokenizer),
        "tokenizer_sha256": sha256(tokenizer).hexdigest(),
        "calibrated": calibrated,
        "floor": floor,
    }
    lines = "".join(f"{name} {value}\n" for name, value in fields.items())
    rest = lines.encode("utf-8") + b"\n" + _entries(vocabulary)
    return MAGIC + checksum(rest) + rest


def _header(path: Path) -> str:
    with open(path, "rb") as weights:
        size = int.from_bytes(weights.read(8), "little")
        if size > LONGEST_HEADER:
            raise ValueError("no safetensors header")
        header = weights.read(size).decode("utf-8")
    if len(header.splitlines()) != 1:
        raise ValueError("a safetensors header that is not one line")
    return header


def _shape(header: dict[str, Any], path: Path) -> tuple[int, int]:
    """Rows and columns; ModelError if there is more than one int8 matrix."""
    tensors = header.keys() - {"__metadata__"}
    matrix = header["embeddings"]
    rows, dim = matrix["shape"]
    if (
        tensors != {"embeddings"}
        or matrix["dtype"] != "I8"
        or matrix["data_offsets"] != [0, rows * dim]
        or not 0 < dim <= MOST_COLUMNS
    ):
        raise ModelError(
            f"{path}: not one int8 matrix of at most {MOST_COLUMNS} columns",
            "the lean reader knows no other; pin the model by its path instead",
        )
    return rows, dim


def _entries(vocabulary: dict[str, int]) -> bytes:
    buckets: list[list[bytes]] = [[] for _ in range(BUCKETS)]
    for token, row in sorted(vocabulary.items()):
        code = token.encode("utf-8")
        entry = b"%b\t%d\n" % (code, row)
        buckets[int.from_bytes(code, "little") % BUCKETS].append(entry)
    blocks = [b"\n" + b"".join(entries) for entries in buckets]
    offsets = accumulate(map(len, blocks), initial=0)
    return b"".join(n.to_bytes(4, "little") for n in offsets) + b"".join(blocks)


def _vocabulary(tokenizer: dict[str, Any], path: Path) -> dict[str, int]:
    """Token to row; ModelError if `wordpiece.py` would split text in another way."""
    model, normalizer = tokenizer["model"], tokenizer["normalizer"]
    added = {token["content"] for token in tokenizer["added_tokens"]}
    vocabulary: dict[str, int] = model["vocab"]
    same = (
        model["type"] == "WordPiece"
        and model["continuing_subword_prefix"] == "##"
        and model["max_input_chars_per_word"] == LONGEST_WORD
        and model["unk_token"] == UNKNOWN
        and normalizer["type"] == "BertNormalizer"
        and normalizer["lowercase"]
        and normalizer["clean_text"]
        and normalizer["handle_chinese_chars"]
        and normalizer["strip_accents"] in (None, True)
        and tokenizer["pre_tokenizer"]["type"] == "BertPreTokenizer"
        and added <= {PAD, UNKNOWN} <= vocabulary.keys()
        and sorted(vocabulary.values()) == list(range(len(vocabulary)))
        and not any("\n" in token or "\t" in token for token in vocabulary)
    )
    if not same:
        raise ModelError(
            f"{path}: not a lower-casing BERT tokenizer",
            "the lean reader knows no other; pin the model by its path instead",
        )
    return vocabulary
