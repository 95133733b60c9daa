"""The cases of `reconcile.yaml`, and the documents that they are about."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

CASES = Path(__file__).with_name("reconcile.yaml")
_FIRST = "Talk to the maintainers before a large change."
_LAST = "Thank people for their work."
_STYLE = "Messages for users are plain and polite."


@dataclass(frozen=True, slots=True)
class Case:
    """One change. `old` and `new` hold its sentences, `right` what may be decided about
    the new ones; with `keep` the old ones must stay in use."""

    kind: str
    place: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    right: frozenset[str]
    keep: bool

    @property
    def asked(self) -> tuple[str, ...]:
        """The sentences whose decisions are judged."""
        return self.old if self.place == "comeback" else self.new

    @property
    def name(self) -> str:
        return f"{self.kind}: {' | '.join(self.old)} -> {' | '.join(self.new)}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided about each sentence, and the rules that were wrongly retired."""

    case: Case
    decided: tuple[str, ...]
    retired: tuple[str, ...]

    @property
    def right(self) -> bool:
        allowed = self.case.right
        if "same" in allowed:
            allowed |= {"none", "merge"}
        return not self.retired and set(self.decided) <= allowed


def cases(path: Path = CASES) -> list[Case]:
    """All of them, in the order of the file."""
    return [
        Case(
            group["kind"],
            group["place"],
            _several(old),
            _several(new),
            frozenset(right),
            group.get("keep", False),
        )
        for group in yaml.safe_load(path.read_text(encoding="utf-8"))
        for old, new, *right in group["cases"]
    ]


def _several(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def page(
    work: Sequence[str], style: Sequence[str] = (), *, turned: bool = False
) -> str:
    """A document of two sections; `turned` puts the second one first."""
    sections = [
        "## Work\n\n" + _listed((_FIRST, *work, _LAST)),
        "## Style\n\n" + _listed((_STYLE, *style)),
    ]
    return "# Heron\n\n" + "\n".join(reversed(sections) if turned else sections)


def another(items: Sequence[str]) -> str:
    """A document beside the first one."""
    return "# Contributing\n\n## Steps\n\n" + _listed(("Say hello first.", *items))


def _listed(items: Sequence[str]) -> str:
    return "".join(f"- {item}\n" for item in items)
