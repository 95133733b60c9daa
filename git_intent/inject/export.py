"""A section of a host's instruction file that holds every active requirement.

How it lives with what stands around it is told in `section`. Pure: bytes in, bytes out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from git_intent.inject.entry import PROJECT, Entry
from git_intent.inject.render import inert
from git_intent.inject.section import Marks
from git_intent.inject.select import by_confidence
from git_intent.store import marks

_SECTION = Marks(
    marks.EXPORT_BEGINS, marks.EXPORT_ENDS, "the exported section", "export"
)


@dataclass(frozen=True, slots=True)
class Target:
    """A file that a host reads. `head` is what a new one begins with."""

    path: str
    head: str = ""


#: What `--to` accepts, and the file that it means.
TARGETS = {
    "AGENTS.md": Target("AGENTS.md"),
    "CLAUDE.md": Target("CLAUDE.md"),
    ".cursor/rules": Target(
        ".cursor/rules/git-intent.mdc",
        "---\n"
        "description: Standing project requirements\n"
        "globs:\n"
        "alwaysApply: true\n"
        "---\n",
    ),
    ".github/copilot-instructions.md": Target(".github/copilot-instructions.md"),
}


def section(entries: Sequence[Entry]) -> str:
    """The lines between and with the marks.

    Project level first, then one heading a domain; who has several domains stands
    under the first of them.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=_place):
        groups.setdefault(_group(entry), []).append(entry)
    parts = [f"{marks.EXPORT_BEGIN}\n{marks.HEADING}", marks.PREAMBLE]
    for name, members in groups.items():
        if name:
            parts.append(f"### {inert(name)}")
        parts.append("\n".join(entry.statement_line for entry in members))
    return "\n\n".join(parts) + f"\n\n{marks.EXPORT_END}"


def _group(entry: Entry) -> str:
    return "" if entry.level == PROJECT else (*entry.domains, "other")[0]


def _place(entry: Entry) -> tuple[str, int, str]:
    confidence, _, id = by_confidence(entry)
    return _group(entry), confidence, id


def written(data: bytes | None, entries: Sequence[Entry], target: Target) -> bytes:
    """The file with its section brought up to date; `data` is None if there is none.

    There must be entries: for none of them the section is `removed`.
    """
    return _SECTION.written(data, section(entries), target.path, target.head)


def removed(data: bytes, target: Target) -> bytes | None:
    """The file as it would be without us; None if there would be no file."""
    return _SECTION.removed(data, target.path, target.head)
