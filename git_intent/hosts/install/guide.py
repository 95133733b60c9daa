"""The file that teaches the owner agent of a host how to work with the ledger.

A skill where the host has skills, else a file of rules of its own, else a section of
the instruction file that the host reads anyway. The text is the same for all, between
two marks, so that a scan does not take it for something that the project decided.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from git_intent.hosts.install.agent_host import PROJECT, AgentHost
from git_intent.inject.section import Marks
from git_intent.store.marks import GUIDE_BEGIN, GUIDE_BEGINS, GUIDE_END, GUIDE_ENDS

SETTINGS = Path(__file__).resolve().parents[1] / "settings"
SECTION = Marks(GUIDE_BEGINS, GUIDE_ENDS, "git-intent's guide", "install")

_ABOUT = (
    "The chat ledger of git-intent: read the objective after compaction, classify the "
    "user's prompts, record actions before and after, reconcile unknown effects."
)
_SKILL = f"---\nname: git-intent\ndescription: >-\n  {_ABOUT}\n---\n"
_HEADS = {
    "claude": _SKILL,
    "opencode": _SKILL,
    "copilot": '---\napplyTo: "**"\n---\n',
    "cursor": f"---\ndescription: >-\n  {_ABOUT}\nalwaysApply: true\n---\n",
}
#: Host -> the file below its folder; those of a project may lie in its root.
_FILES = {
    "claude": "skills/git-intent/SKILL.md",
    "codex": "AGENTS.md",
    "gemini": "GEMINI.md",
    "copilot": "instructions/git-intent.instructions.md",
    "cursor": "rules/git-intent-ledger.mdc",
    "opencode": "skills/git-intent/SKILL.md",
}
_IN_THE_ROOT = ("codex", "gemini")


@dataclass(frozen=True, slots=True)
class Guide:
    """Where the text goes, and what a new file there begins with."""

    path: Path
    head: str
    text: str

    def written(self, data: bytes | None) -> bytes:
        """The file with the text brought up to date."""
        return SECTION.written(data, self.text, str(self.path), self.head)

    def removed(self, data: bytes) -> bytes | None:
        """The file without it; None if it is gone with it."""
        return SECTION.removed(data, str(self.path), self.head)


def guide(
    host: AgentHost, scope: str, root: Path, environ: Mapping[str, str]
) -> Guide | None:
    """The guide of a host; None if it has no file for it, as Cursor for a user."""
    if host.name == "cursor" and scope != PROJECT:
        return None
    folder = host.folder(scope, root, environ)
    if scope == PROJECT and host.name in _IN_THE_ROOT:
        folder = root
    return Guide(folder / _FILES[host.name], _HEADS.get(host.name, ""), text(host))


def text(host: AgentHost) -> str:
    """The words, between their marks."""
    words = (SETTINGS / "guide.md").read_text(encoding="utf-8")
    return (
        f"{GUIDE_BEGIN}\n{words.replace('{host}', host.name).rstrip()}\n\n{GUIDE_END}"
    )
