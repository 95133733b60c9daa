"""What a write to a ledger comes to: recorded or not, and every fault on the way.

    {"version": 1, "recorded", "event", "seq", "head", "source"?, "gap"?, "action"?,
     "effect"?, "already"?, "refusal"?, "faults": […], "advice"?}

The exit code is 0 only if it was recorded and nothing failed after that. Faults stand
in the order in which they came up, the first fault first.
"""

from dataclasses import dataclass, field
from typing import Any

from git_intent.ledger.faults import Fault
from git_intent.ledger.refusal import Refusal

VERSION = 1
DO_NOT_REPEAT = "it is recorded: do not repeat it"


@dataclass(frozen=True, slots=True)
class Answer:
    """`seq` and `head` are where the journal stands now; `event` is what was asked for.

    `notes` are words for a reader that change nothing.
    """

    recorded: bool
    seq: int = 0
    head: str = ""
    event: str | None = None
    named: dict[str, str] = field(default_factory=dict)
    already: bool = False
    refusal: Refusal | None = None
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        return 0 if self.recorded and not self.faults and self.refusal is None else 1

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "version": VERSION,
            "recorded": self.recorded,
            "event": self.event,
            "seq": self.seq,
            "head": self.head,
            **self.named,
            "faults": [fault.as_json() for fault in self.faults],
        }
        if self.already:
            told["already"] = True
        if self.refusal is not None:
            told["refusal"] = self.refusal.as_json()
        if self.recorded and self.faults:
            told["advice"] = DO_NOT_REPEAT
        return told
