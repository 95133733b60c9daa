"""What a scan reports: one value that the command line prints or turns into JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from git_intent.scan.apply import Item
from git_intent.scan.artifacts import Notice

VERSION = 1
BUILTIN = "built-in"


@dataclass(frozen=True, slots=True)
class ScanReport:
    """Everything worth telling about one scan.

    `steps` pairs each step that ran with its result. `low` was found and not written,
    `person` needs a person's eye, `deferred` waits for the next scan, `reported` is
    about requirements that the scan left as they are. `skipped` is material that was
    not read, `written` the paths of the store that changed. `commit` is empty if none
    was made. `workflow` is the place of the definition that supplied the steps.
    """

    run: str
    steps: tuple[tuple[str, str], ...] = ()
    created: tuple[Item, ...] = ()
    superseded: tuple[Item, ...] = ()
    merged: tuple[Item, ...] = ()
    dropped: tuple[Item, ...] = ()
    low: tuple[Item, ...] = ()
    person: tuple[Item, ...] = ()
    deferred: tuple[Item, ...] = ()
    reported: tuple[Item, ...] = ()
    domains: tuple[str, ...] = ()
    skipped: tuple[Notice, ...] = ()
    remarks: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    commit: str = ""
    dry_run: bool = False
    workflow: str = BUILTIN

    @property
    def quiet(self) -> bool:
        """Whether there was nothing new at all."""
        return not self.written and not self.commit

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "run": self.run,
            "workflow": self.workflow,
            "steps": [{"step": name, "result": result} for name, result in self.steps],
            **{name: _items(getattr(self, name)) for name in _LISTS},
            "domains": list(self.domains),
            "skipped": [{"path": n.path, "reason": n.reason} for n in self.skipped],
            "remarks": list(self.remarks),
            "written": list(self.written),
            "commit": self.commit,
            "dry_run": self.dry_run,
        }


_LISTS = (
    "created",
    "superseded",
    "merged",
    "dropped",
    "low",
    "person",
    "deferred",
    "reported",
)


def _items(items: Sequence[Item]) -> list[dict[str, str]]:
    return [{"id": i.id, "statement": i.statement, "detail": i.detail} for i in items]
