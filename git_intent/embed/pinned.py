"""A model that the user pinned: `model2vec:PATH`, or `model2vec:NAME` of a model that
is in the local cache of the hub.

A folder that the lean reader takes is read by it, any other through model2vec, which is
imported late. Neither touches the network: a name is only ever looked up in the cache.

A folder may hold `floor.txt`, one line `HASH FLOOR`: the hash that ends the model's id
and the least cosine that means something with it. A floor for another hash is that of
other weights, and does not count; nor does a model without one.
"""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from git_intent.embed.errors import ModelError
from git_intent.embed.index import Embedder
from git_intent.embed.model import FILES, Model, stat_files

FLOOR_FILE = "floor.txt"
_LOCAL = "name the folder of a model: embedder = model2vec:PATH"


class Static:
    """A static model read by model2vec itself."""

    def __init__(self, folder: Path) -> None:
        try:
            _, self.signature = stat_files(str(folder))
            parts = [(name, (folder / name).read_bytes()) for name in FILES]
        except OSError as error:
            raise ModelError(f"{error.filename}: {error.strerror}", _LOCAL) from error
        whole = sha256()
        for name, data in parts:
            whole.update(f"{name} {sha256(data).hexdigest()}\n".encode())
        self.id = f"model2vec:{folder.name}@{whole.hexdigest()[:16]}"
        self._model = _load(folder)
        self.dim = int(self._model.dim)

    def embed_all(self, texts: list[str]) -> list[list[float]]:
        """Raises ModelError if the model cannot be used after all."""
        # Halves of surrogate pairs would be refused.
        clean = [text.encode("utf-8", "ignore").decode("utf-8") for text in texts]
        found: list[list[float]] = self._model.encode(clean).tolist()
        return found


def _load(folder: Path) -> Any:
    try:
        from model2vec import StaticModel

        return StaticModel.from_pretrained(str(folder))
    except Exception as error:  # tokenizers raises nothing narrower for a broken file
        raise ModelError(f"{folder}: not a readable model ({error})") from error


def open_pinned(
    name: str, root: Path
) -> tuple[Embedder, Callable[[str], float | None]]:
    """The model, and the floor for a model id; a relative path is meant from `root`.

    Raises ModelError.
    """
    folder = root / Path(name).expanduser()
    if not folder.is_dir():
        folder = _cached(name)
    try:
        lean = Model.open(folder)
    except ModelError:
        static = Static(folder.resolve())
        return static, lambda of: _floor(folder, of)
    return lean, lambda of: lean.floor(of) or _floor(folder, of)


def _cached(name: str) -> Path:
    """The folder of a hub's model in the local cache."""
    if name.startswith(("/", ".", "~", "\\")) or name.count("/") > 1:
        raise ModelError(f"{name}: no such folder", _LOCAL)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        found = Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError, HFValidationError) as error:
        raise ModelError(
            f"{name}: not on this machine, and nothing is downloaded", _LOCAL
        ) from error
    missing = [file for file in FILES if not (found / file).is_file()]
    if missing:
        raise ModelError(f"{name}: {missing[0]} is missing in the cache", _LOCAL)
    return found


def _floor(folder: Path, of: str) -> float | None:
    try:
        known, _, floor = (folder / FLOOR_FILE).read_text("utf-8").partition(" ")
        return float(floor) if known and of.endswith(f"@{known}") else None
    except (OSError, ValueError):
        return None
