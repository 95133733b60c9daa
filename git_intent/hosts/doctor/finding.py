"""One thing that was looked at, and how it is."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How something is. Only what is broken makes `git intent doctor` fail."""

    OK = "ok"
    OFF = "off"  # not set up, which is fine
    LOOK = "look"  # works, or may work; somebody should look at it
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """`about` names the thing, `says` how it is, `todo` what to do, if anything."""

    about: str
    state: State
    says: str
    todo: str = ""

    def as_json(self) -> dict[str, str]:
        return {
            "about": self.about,
            "state": self.state.value,
            "says": self.says,
            "todo": self.todo,
        }


def ok(about: str, says: str) -> Finding:
    return Finding(about, State.OK, says)


def off(about: str, says: str, todo: str = "") -> Finding:
    return Finding(about, State.OFF, says, todo)


def look(about: str, says: str, todo: str = "") -> Finding:
    return Finding(about, State.LOOK, says, todo)


def broken(about: str, says: str, todo: str = "") -> Finding:
    return Finding(about, State.BROKEN, says, todo)
