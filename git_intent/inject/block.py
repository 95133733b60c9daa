"""The block for a context, and how it came about: the same for whoever asks.

Commands and the console all render here, so that a preview shows the bytes that a
prompt gets.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from git_intent.config import Loaded
from git_intent.embed.backends import Backend
from git_intent.inject.asked import NO_TASK, over_budget
from git_intent.inject.context import Gathered
from git_intent.inject.entry import Entry
from git_intent.inject.explain import Ranked, ranked
from git_intent.inject.select import Selection, Stage, select
from git_intent.store.domains import Domains


@dataclass(frozen=True, slots=True)
class Block:
    """What a prompt gets, and how that came about.

    `off` says why nothing is put in, whatever would be selected; `compared` is what
    scores are of, None without a task. `notes` are for the user.
    """

    selection: Selection
    entries: Sequence[Entry] = field(default_factory=tuple)
    off: str = ""
    compared: Backend | None = None
    notes: tuple[str, ...] = ()

    @property
    def backend(self) -> str:
        return self.compared.id if self.compared else ""

    @property
    def text(self) -> str:
        return "" if self.off else self.selection.block

    @property
    def ids(self) -> tuple[str, ...]:
        """The requirements whose lines are in the text."""
        return () if self.off else self.selection.ids

    def ranked(self) -> list[Ranked]:
        if self.off:
            return [
                Ranked(entry.id, None, Stage.NONE, False, self.off)
                for entry in self.entries
            ]
        return ranked(self.selection, self.entries)


def render(
    found: Gathered,
    active: Sequence[Entry],
    domains: Domains,
    loaded: Loaded,
    compare: Callable[[], Backend],
) -> Block:
    """The block for what is known of the work; with a task, `compare` is asked."""
    config = loaded.config
    off = found.off
    if not config.inject:
        off = f"injection is off: inject in {loaded.origins['inject'].where}"
    if off or not active:
        return Block(Selection(budget=config.token_budget), active, off)
    notes = [
        f"note: the domain '{name}' is not in domains.yaml"
        for name in found.context.domains
        if domains.get(name) is None
    ]
    backend, scores, floor = None, None, None
    if query := found.context.query:
        backend = compare()
        scores = backend.score(query)
        floor = backend.floor  # after: a model that breaks down now is replaced
        if backend.warning:
            notes.append(f"note: {backend.warning}")
    else:
        notes.append(NO_TASK)
    selection = select(
        active, found.context, domains, scores, floor, config.token_budget
    )
    if selection.project_cost > selection.budget:
        notes.append(over_budget(selection.project_cost, selection.budget))
    return Block(selection, active, compared=backend, notes=tuple(notes))
