"""What a benchmark found, and the table of all of them."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value, and the bar that it must keep (None: it is only shown).

    The value must stay at or below the bar, or with `at_least`, not fall below it.
    """

    name: str
    value: float
    unit: str
    bar: float | None = None
    at_least: bool = False
    detail: str = ""

    @property
    def ok(self) -> bool:
        if self.bar is None:
            return True
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def cells(self) -> tuple[str, str, str, str]:
        measured = f"{_short(self.value)} {self.unit}"
        if self.detail:
            measured += f" ({self.detail})"
        if self.bar is None:
            return self.name, measured, "", ""
        bound = "at least" if self.at_least else "at most"
        bar = f"{bound} {_short(self.bar)}"
        return self.name, measured, bar, "yes" if self.ok else "NO"


def _short(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def table(figures: Iterable[Figure]) -> str:
    """A Markdown table, in columns that a terminal shows well too."""
    rows = [("what", "measured", "bar", "ok"), *(f.cells() for f in figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
