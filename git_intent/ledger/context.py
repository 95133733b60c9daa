"""The compact context: what a hook tells the agent, within a bound of UTF-8 bytes.

The first line is a path: of `objective.txt`, or of a gap's file while there is no
projection. Then what waits for the owner and what it holds, oldest first, each kind
with the command that settles it. What does not fit is counted. It states facts, holds
no word of a prompt or clause, and its last line is END: so our own text is known again
when a host puts it into a prompt.

Everything here is a pure function of its arguments, and light.
"""

from git_intent.ledger.wording import path_line, shell

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    Record = Mapping[str, Any]

#: What the second line of every context begins with, and the last line of each.
ABOUT = "git-intent ledger: "
END = "(end of the git-intent ledger's context)"


class Speaker:
    """The session that is spoken to: what its commands are called with."""

    __slots__ = ("host", "session")

    def __init__(self, host: str, session: str) -> None:
        self.host, self.session = host, session

    def command(self, words: str) -> str:
        """A whole command line to copy."""
        who = f"--host {shell(self.host)} --session {shell(self.session)}"
        return f"git intent ledger {words} {who}"


class Section:
    """A line that says how many, a command, and a line for each record.

    Records are put into words only as far as there is room.
    """

    __slots__ = ("command", "head", "records", "words")

    def __init__(
        self,
        head: str,
        records: "Sequence[Record]" = (),
        words: "Callable[[Record], str]" = str,
        command: str = "",
    ) -> None:
        self.head, self.records, self.words = head, records, words
        self.command = command


def render(
    pointer: str, sections: "Iterable[Section]", limit: int, stand_in: str
) -> str:
    """The context; `stand_in` is the line instead of a pointer that does not fit."""
    out = _Bounded(limit - _size(END))
    if not out.add(path_line(pointer)) and not out.add(stand_in):
        out.add("git intent ledger show")
    for section in sections:
        out.take(section)
    out.tell_omitted()
    return "\n".join([*out.lines, END])


class _Bounded:
    """Lines within a number of bytes, with room kept to say what is left out."""

    _ROOM = len("(+10000000 more)\n")

    def __init__(self, limit: int) -> None:
        self.left = limit - self._ROOM
        self.lines: list[str] = []
        self.omitted = 0

    def add(self, line: str) -> bool:
        size = _size(line) + 1
        if size > self.left:
            return False
        self.lines.append(line)
        self.left -= size
        return True

    def take(self, section: Section) -> None:
        """A section's head and command come before its lines: they always hold."""
        if not self.add(section.head):
            self.omitted += 1 + len(section.records)
            return
        if section.command and not self.add(f"  {section.command}"):
            self.omitted += 1
        for number, record in enumerate(section.records):
            if not self.add(f"  {section.words(record)}"):
                self.omitted += len(section.records) - number
                return

    def tell_omitted(self) -> None:
        if self.omitted:
            self.lines.append(f"(+{self.omitted} more)")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
