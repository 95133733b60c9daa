"""Which backend compares tasks with requirements, and why not another one.

Unset, the bundled model is taken, and words alone if it cannot be read. A pin means
that adapter, then words alone: `model2vec` (the bundled model), `model2vec:PATH` or
`model2vec:NAME` (another one, found locally), `ollama` or `ollama:MODEL` (a server on
this machine), `keyword`. A model whose floor nobody measured is not used: floors mean
nothing for other models. Nothing but the Ollama server is ever connected to.

Whatever fails makes a backend less able, never a command fail: there is one warning,
which the caller prints, and the reason for each adapter.
"""

from git_intent.embed.errors import ModelError
from git_intent.embed.index import Embedder, update
from git_intent.embed.model import BUNDLED, Model
from git_intent.embed.rank import cosines
from git_intent.embed.relevance import (
    DECIMALS,
    FLOOR,
    STRICT,
    Scored,
    by_meaning,
    by_words,
    embedded,
    prepare,
    words_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from git_intent.embed.index_file import Index
    from git_intent.embed.relevance import Item

KEYWORD = "keyword:v1"
#: The strict floor of the evidence of words.
STRICT_WORDS = 0.65


class Reason:
    """Why an adapter was taken or not."""

    __slots__ = ("adapter", "taken", "why")

    def __init__(self, adapter: str, taken: bool, why: str) -> None:
        self.adapter, self.taken, self.why = adapter, taken, why

    def __str__(self) -> str:
        return f"{self.adapter}: {self.why}"


class Opened:
    """A model that can embed, and where its floor comes from."""

    __slots__ = ("_floor", "embedder")

    def __init__(
        self, embedder: "Embedder", floor: "Callable[[str], float | None]"
    ) -> None:
        self.embedder, self._floor = embedder, floor

    def unit(self, model: str) -> float:
        """The floor of the model with that id; ModelError if nobody measured it."""
        floor = self._floor(model)
        if not floor:
            raise ModelError(f"{model}: no floor was measured for this model")
        return floor


class Backend:
    """A store ready for tasks. `warning` is empty, or one text for the user.

    `embedded` and `reused` count what the index took, `stored` says whether the file
    could be written.
    """

    def __init__(self, items: "Sequence[Item]", meaning: bool, strict: bool) -> None:
        self.prepared, self.warning = prepare(items, meaning), ""
        self._items = items
        self._tried: dict[str, Reason] = {}
        self.id, self.floor = KEYWORD, STRICT_WORDS if strict else FLOOR
        self.embedded = self.reused = 0
        self.stored = True
        self._strict = strict
        self._opened: Opened | None = None
        self._unit = 0.0

    def use(
        self,
        opened: Opened,
        folder: "Path | None",
        items: "Sequence[Item]",
        known: "Index | None" = None,
        write: bool = True,
    ) -> None:
        """Compare with this model; raises ModelError if that cannot be done."""
        updated = update(
            folder,
            embedded(items),
            opened.embedder,
            opened.unit,
            known=known,
            write=write,
        )
        self.id, self.floor = updated.index.model, STRICT if self._strict else FLOOR
        self.embedded, self.reused = updated.embedded, updated.reused
        self.stored = updated.stored
        self._opened, self._unit = opened, opened.unit(self.id)
        self.prepared.index = updated.index

    def note(self, adapter: str, taken: bool, why: str) -> None:
        """Keep what became of an adapter, for `reasons`."""
        self._tried[adapter] = Reason(adapter, taken, why)

    @property
    def reasons(self) -> list[Reason]:
        """For each adapter, in their order, why it is used or not."""
        taken = self.id == KEYWORD
        why = KEYWORD if taken else "comes last"
        return [*self._tried.values(), Reason("keyword", taken, why)]

    def fail(self, adapter: str, error: ModelError) -> None:
        """Words alone from now on."""
        self.id, self.floor = KEYWORD, STRICT_WORDS if self._strict else FLOOR
        self._opened = self.prepared.index = None
        self.prepared.words = words_of(self._items, meaning=False)
        self.note(adapter, False, error.message)
        hint = f" ({error.hint})" if error.hint else ""
        self.warning = f"comparing words only: {error.message}{hint}"

    def score(self, task: str) -> dict[str, Scored]:
        """Every requirement, by id. A model that breaks down now is replaced too, so
        `id`, `floor` and `warning` are to be read after."""
        opened, index = self._opened, self.prepared.index
        meant: list[float] = []
        if opened and index:
            try:
                meant = cosines(index, opened.embedder.embed_all([task])[0])
            except ModelError as error:
                self.fail(self.id.partition(":")[0], error)
        covered = self.prepared.words.covered(task)
        shares = covered.shares()
        if meant:
            scores = by_meaning(meant, shares, self.prepared, self._unit)
        else:
            scores = by_words(covered.evidence())
        found = {}
        for row, id_ in enumerate(self.prepared.ids):
            cosine = round(meant[row], DECIMALS) if meant else None
            found[id_] = Scored(scores[row], cosine, round(shares[row], DECIMALS))
        return found


def resolve(
    items: "Sequence[Item]",
    folder: "Path | None",
    setting: str,
    strict: bool,
    env: "Mapping[str, str]",
    root: str = ".",
    *,
    known: "Index | None" = None,
    write: bool = True,
) -> Backend:
    """The backend for `[intent] embedder = setting`, with the index in `folder` brought
    up to date for these requirements; without a folder it is made in memory. `known`
    and `write` are those of `index.update`.

    `env` is the environment; of it only OLLAMA_HOST is read. A pinned path that is
    relative is meant from the folder `root`.
    """
    adapter, _, name = setting.partition(":")
    backend = Backend(items, adapter != "keyword", strict)
    if adapter == "onnx":
        backend.note(adapter, False, "not part of git-intent")
        backend.warning = "embedder = onnx: not part of git-intent; model2vec is used"
        adapter = ""
    adapter = adapter or "model2vec"
    if adapter != "keyword":
        try:
            opened = _open(adapter, name, env, root)
            backend.use(opened, folder, items, known, write)
            backend.note(adapter, True, backend.id)
        except ModelError as error:
            backend.fail(adapter, error)
    if not setting:
        backend.note("ollama", False, "used only if it is pinned")
    return backend


def _open(adapter: str, name: str, env: "Mapping[str, str]", root: str) -> Opened:
    """Raises ModelError if that adapter is not available."""
    if adapter == "model2vec" and not name:
        model = Model.open(BUNDLED)
        return Opened(model, model.floor)
    if adapter == "model2vec":
        from pathlib import Path

        from git_intent.embed.pinned import open_pinned

        return Opened(*open_pinned(name, Path(root)))
    if adapter == "ollama":
        from git_intent.embed.ollama import open_ollama

        return Opened(*open_ollama(name, env))
    raise ModelError(
        f"embedder = {adapter}: unknown",
        "there are model2vec, ollama and keyword",
    )
