"""What a task finds: the block that a prompt would get, a search by the same scores.

A search writes nothing: what it has embedded is kept in memory. A preview may bring the
index of the project up to date, as the command does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from git_intent.config import Floor, Loaded
from git_intent.embed.backends import Backend, resolve
from git_intent.embed.index import FOLDER
from git_intent.git.objects import index_entries
from git_intent.inject.block import Block, render
from git_intent.inject.context import gather
from git_intent.inject.entry import Entry, entries
from git_intent.inject.render import cost
from git_intent.web.console import Console
from git_intent.web.given import Given, invalid
from git_intent.web.rows import one_line
from git_intent.web.served import Answer, Asked
from git_intent.web.stored import Held

_LONGEST = 20_000
#: How many hits and lines are told, the best first.
_HITS, _LINES = 200, 1000
_MEMBERS = ("task", "paths", "workflow", "step")


@dataclass(slots=True)
class Ranking:
    """Keeps what was prepared for as long as the store is the same."""

    console: Console
    _lock: Lock = field(default_factory=Lock)
    _active: tuple[Held, Sequence[Entry]] | None = None
    _made: tuple[Held, object, Backend] | None = None

    def search(self, asked: Asked) -> Answer:
        """Active requirements by their scores; others that hold every word."""
        text = asked.query.get("q", "").strip()
        if len(text) > _LONGEST:
            raise invalid("q", f"longer than {_LONGEST} characters")
        if not text:
            return Answer({"results": []})
        held = self.console.stored.now()
        with self._lock:
            backend = self._prepared(held, self.console.settings(), write=False)
            scored = backend.score(text)
        found = [(id, one.score) for id, one in scored.items() if one.score > 0]
        words = text.casefold().split()
        for id, r in held.store.requirements.items():
            whole = f"{id} {r.statement} {r.rationale}".casefold()
            if id not in scored and all(word in whole for word in words):
                found.append((id, 0.0))
        found.sort(key=lambda row: (-row[1], row[0]))
        best = [{"id": id, "score": score} for id, score in found[:_HITS]]
        return Answer({"results": best})

    def preview(self, asked: Asked) -> Answer:
        """The block for a task, and why each line is in or out."""
        given = Given(asked.body, _MEMBERS)
        task = given.text("task", "")
        if len(task) > _LONGEST:
            raise invalid("task", f"longer than {_LONGEST} characters")
        console, held = self.console, self.console.stored.now()
        found = gather(
            console.repo,
            console.root,
            task=task,
            paths=given.texts("paths"),
            workflow=given.text("workflow", ""),
            step=given.text("step", ""),
        )
        loaded = console.settings()
        with self._lock:
            active = self._entries(held)
            block = render(
                found,
                active,
                held.store.domains,
                loaded,
                lambda: self._prepared(held, loaded, write=not console.read_only),
            )
        return Answer(_told(block, held, found.warnings))

    def _entries(self, held: Held) -> Sequence[Entry]:
        if self._active is None or self._active[0] is not held:
            self._active = held, entries(held.store.requirements)
        return self._active[1]

    def _prepared(self, held: Held, loaded: Loaded, *, write: bool) -> Backend:
        """The backend for the store as it is, from what the last one had embedded."""
        config, folder = loaded.config, self._folder()
        settings = (config.embedder, config.git.floor)
        known = None
        if self._made is not None and self._made[1] == settings:
            before, _, backend = self._made
            if before is held and (backend.stored or not write):
                return backend
            known = backend.prepared.index
        backend = resolve(
            self._entries(held),
            folder,
            config.embedder,
            config.git.floor is Floor.STRICT,
            self.console.services.environ,
            root=str(self.console.root),
            known=None if write and folder else known,
            write=write,
        )
        self._made = held, settings, backend
        return backend

    def _folder(self) -> Path | None:
        """Where the project's index lies, unless somebody committed it."""
        repo = self.console.repo
        if repo.bare or index_entries(repo, FOLDER):
            return None
        return self.console.root / FOLDER


def _told(block: Block, held: Held, warnings: Sequence[str]) -> dict[str, Any]:
    statements = held.store.requirements
    shown = block.selection.picks[: block.selection.shown]
    ranked = block.ranked()
    return {
        "block": block.text,
        "off": block.off,
        "ids": list(block.ids),
        "budget": block.selection.budget,
        "cost": sum(cost(pick.entry.statement_line) for pick in shown),
        "notes": [*warnings, *(note.removeprefix("note: ") for note in block.notes)],
        "lines": [
            {
                "id": row.id,
                "statement": one_line(statements[row.id].statement),
                "score": row.score,
                "stage": row.stage.value,
                "included": row.selected,
                "reason": row.reason,
            }
            for row in ranked[:_LINES]
        ],
        "more": max(len(ranked) - _LINES, 0),
    }
