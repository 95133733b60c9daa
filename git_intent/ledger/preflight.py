"""May a tool be used now? A decision about configured classes of tools, and no more.

HOLD is for tools of class `mutation` alone: while a prompt of the user is neither
classified nor disposed or is known to be missing, while an action that the call depends
on has no result or an unknown effect, and while the journal cannot be trusted. Reading
is always allowed, and what it depends on is named. Mixed tools and tools of no class
are outside of this control: told, never blocked. Whoever has no ledger, or finds that
we cannot tell, is allowed.

A shell that a user classes as `mutation` may still run one plain command of the ledger:
else nothing could end the hold. Not `action-start`, which is what is held.

Pure and light.
"""

from git_intent.ledger.frontier import Frontier

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from git_intent.ledger.context import Speaker

    Record = Mapping[str, Any]

ALLOW, HOLD, OUTSIDE = "ALLOW", "HOLD", "OUTSIDE_CONTROL"
MUTATION, READ_ONLY = "mutation", "read_only"

_OPERATORS = frozenset("\n\r;&|<>`(){}#!*?[]~\\\0")
_BLANK = " \t"


class Decision:
    """What was decided, why in lines for a reader, and the commands that end a hold."""

    __slots__ = ("commands", "ids", "reasons", "verdict")

    def __init__(
        self,
        verdict: str,
        reasons: "Iterable[str]" = (),
        commands: "Iterable[str]" = (),
        ids: "Iterable[str]" = (),
    ) -> None:
        self.verdict = verdict
        self.reasons = list(reasons)
        self.commands = list(commands)
        self.ids = list(ids)  # what holds it

    def text(self) -> str:
        """For a person or an agent."""
        lines = [f"{self.verdict}: {reason}" for reason in self.reasons[:1]]
        lines += self.reasons[1:]
        lines += [f"  {command}" for command in self.commands]
        return "\n".join(lines or [self.verdict])

    def as_json(self) -> "dict[str, Any]":
        return {
            "version": 1,
            "decision": self.verdict,
            "reasons": self.reasons,
            "commands": self.commands,
            "ids": self.ids,
        }


def decide(
    tool: str,
    tool_class: str,
    found: Frontier,
    speaker: "Speaker",
    *,
    depends: "Iterable[str]" = (),
    fault: str = "",
    doubts: "Iterable[str]" = (),
) -> Decision:
    """The decision about one call. `depends` are ids that the ledger knows, `doubts`
    what of them cannot be proved, `fault` what is wrong with the journal."""
    if tool_class not in (MUTATION, READ_ONLY):
        why = (
            f"{tool} is of class {tool_class}" if tool_class else f"{tool} has no class"
        )
        return Decision(OUTSIDE, [f"{why}; nothing is held or vouched for"])
    held = _Held(speaker)
    held.by_actions(found, set(depends))
    for doubt in doubts:
        held.because(f"it depends on what cannot be proved: {doubt}", "verify")
    if tool_class == READ_ONLY:
        return Decision(ALLOW, held.reasons, (), held.ids)
    if fault:
        held.because(f"the ledger cannot be trusted: {fault}", "verify")
    held.by_prompts(found)
    verdict = HOLD if held.reasons else ALLOW
    return Decision(verdict, held.reasons, held.commands, held.ids)


class _Held:
    """What speaks against the call."""

    def __init__(self, speaker: "Speaker") -> None:
        self._speaker = speaker
        self.reasons: list[str] = []
        self.commands: list[str] = []
        self.ids: list[str] = []

    def because(self, reason: str, *commands: str, ids: "Iterable[str]" = ()) -> None:
        self.reasons.append(reason)
        self.commands += [self._speaker.command(command) for command in commands]
        self.ids += ids

    def by_actions(self, found: Frontier, depends: set[str]) -> None:
        for records, state, command in (
            (found.pending, "has no result yet", "action-finish"),
            (found.effects, "has an unknown effect", "reconcile-effect"),
        ):
            for record in records:
                if record["id"] in depends:
                    reason = f"{record['id']}, which it depends on, {state}"
                    self.because(reason, command, ids=[record["id"]])

    def by_prompts(self, found: Frontier) -> None:
        if found.sources:
            names = [str(record["id"]) for record in found.sources]
            self.because(
                f"a prompt of the user is not classified yet: {_listed(names)}",
                "classify-source",
                "dispose-source",
                ids=names,
            )
        if found.gaps:
            names = [str(record["id"]) for record in found.gaps]
            self.because(
                f"a prompt of the user is known to be missing: {_listed(names)}",
                "recover-source",
                "dispose-gap",
                ids=names,
            )


_SHOWN = 5


def _listed(names: list[str]) -> str:
    rest = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def settles(command: object) -> bool:
    """Whether a shell's command is one plain `git intent ledger …` and nothing else.

    No operator, substitution, redirection, assignment in front or second line; quotes
    may hold anything that a shell does not look into.
    """
    if not isinstance(command, str):
        return False
    words = _words(command.strip(_BLANK))
    return (
        words is not None
        and len(words) > 3
        and words[:3] == ["git", "intent", "ledger"]
        and "action-start" not in words
        and words[3].replace("-", "").isalpha()
    )


def _words(command: str) -> "list[str] | None":
    """The words of a simple command; None if a shell would do more with it."""
    words: list[str] = []
    word: list[str] = []
    quote, started = "", False
    for char in command:
        if quote:
            if char == quote:
                quote = ""
            elif char in "\n\r\0" or (quote == '"' and char in "$`\\!"):
                return None
            else:
                word.append(char)
        elif char in "'\"":
            quote, started = char, True
        elif char in _BLANK:
            if started:
                words.append("".join(word))
            word, started = [], False
        elif char in _OPERATORS or char == "$":
            return None
        else:
            word.append(char)
            started = True
    if quote:
        return None
    return [*words, "".join(word)] if started else words
