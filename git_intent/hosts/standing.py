"""The project's requirements behind what the ledger says, in a hook's answer.

A prompt gets those that bear on it, as `git intent inject` would choose them; the start
of a session those that hold in the whole project. They come from the record of the last
`inject`. Where that is out of date, git-intent is started to bring it up to date, and
the answer waits for it for a moment: what comes later serves the next one.

The ledger's pointer comes first, since hosts cut the middle or the end of a long text,
and the whole has at most `reply.LONGEST` bytes.
"""

# pathlib costs the hooks:
# ruff: noqa: PTH112

import os

from git_intent.errors import IntentError
from git_intent.git import look
from git_intent.hosts import event as events
from git_intent.hosts.reply import LONGEST

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.event import HostEvent
    from git_intent.hosts.outcome import Said
    from git_intent.hosts.world import World
    from git_intent.inject.hot import Answer

#: Less would hold the words around the requirements, and none of them.
_LEAST = 600
#: Characters of a prompt that are compared with the requirements.
_TASK = 16_000


def added(said: "Said", event: "HostEvent", world: "World", notes: list[str]) -> str:
    """The text for the model; what is wrong with the requirements goes to `notes`."""
    text = _cut(said.text, LONGEST)
    room = LONGEST - len(text.encode()) - len("\n\n")
    if room < _LEAST or (event.event == events.PROMPT and not said.task):
        return text
    try:
        block = _block(said.task[:_TASK], world, room, notes)
    except (IntentError, OSError) as error:
        notes.append(f"the requirements could not be read: {error}")
        return text
    except Exception as error:  # a boundary: the ledger's word must get through
        notes.append(f"our own fault: {type(error).__name__}: {error}")
        return text
    return "\n\n".join(filter(None, (text, block)))


def _block(task: str, world: "World", room: int, notes: list[str]) -> str:
    project = look.find_project(world.cwd)
    if project is None or not os.path.isdir(f"{project[0]}/.cloche/intent"):
        return ""
    made = _hot(task, world, room)
    if made is not None:
        made.seen.save()
        return made.out.decode()
    from git_intent.hosts import cold

    run = cold.preview(task, world.cwd, world.environ)
    made = _hot(task, world, room)
    if made is not None:
        return made.out.decode()
    notes += run.notes
    return cold.fitted(run.out, room)


def _hot(task: str, world: "World", room: int) -> "Answer | None":
    if look.led_elsewhere(world.environ):
        return None
    from git_intent.inject import hot

    if not task:
        return hot.made_of_all(world.environ, world.cwd, room)
    asked = hot.Arguments()
    asked.named["--task"] = task
    return hot.made_for(asked, world.environ, world.cwd, room)


def _cut(text: str, limit: int) -> str:
    data = text.encode("utf-8", "backslashreplace")
    return data[:limit].decode("utf-8", "ignore")
