"""A turn or a chat has ended.

The end of a turn is read back: `objective.txt` is made right if it was edited or is
missing. Nothing is said, for no host takes a word for the model there.

The end of a chat is answered at once, since some hosts wait for a second only: a
process of its own puts the chat on record and has it scanned. What failed or was broken
off is no finished task; its words go on record when the session ends well another time.

Light, unless the projection has to be made.
"""

from git_intent.errors import IntentError
from git_intent.git.detached import start
from git_intent.git.look import find_project
from git_intent.git.process import callers_environment
from git_intent.hosts.event import HostEvent
from git_intent.hosts.outcome import Outcome
from git_intent.ledger.names import usable

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.world import World

#: What hosts call an end that is none.
FAILED = frozenset(("abort", "aborted", "error", "timeout"))
#: Where a host says that the session began, which may be another place by now.
_BEGAN = (
    "CLAUDE_PROJECT_DIR",
    "GEMINI_PROJECT_DIR",
    "COPILOT_PROJECT_DIR",
    "CURSOR_PROJECT_DIR",
)
_MODULE = "git_intent.cli.chat_end"


def turn_ended(event: HostEvent, world: "World") -> Outcome:
    """Read back when the host has its answer, which is none."""
    found = Outcome()
    found.after = lambda: _read_back(event, world)
    return found


def _read_back(event: HostEvent, world: "World") -> list[str]:
    from git_intent.hosts.telling import look, refresh

    try:
        route = world.route(event.host, event.session)
        if route.place is not None and route.captures:
            seen = look(route.place, world.fallback)
            if seen.hot.exists:
                refresh(seen)
    except (IntentError, OSError) as error:
        return [f"{error}"]
    return []


def chat_ended(event: HostEvent, world: "World") -> Outcome:
    """Start the process that records the chat, if this is a project's."""
    if not usable(event.session) or event.reason in FAILED:
        return Outcome()
    folders = [f for f in _folders(world) if find_project(f) is not None]
    if not folders:
        return Outcome()
    try:
        detached([event.host, str(event.session), *folders])
    except (OSError, ValueError) as error:  # an argument may hold no NUL
        return Outcome(b"", f"the chat could not be put on record: {error}")
    return Outcome()


def _folders(world: "World") -> list[str]:
    told = (world.environ.get(name, "") for name in _BEGAN)
    return list(dict.fromkeys([world.cwd, *(one for one in told if one[:1] == "/")]))


def detached(words: list[str]) -> None:
    """Start it; a repository that somebody has exported is not meant. Raises OSError or
    ValueError."""
    start(_MODULE, words, callers_environment())
