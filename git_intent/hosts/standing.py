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
    from git_intent.inject.hot import Answer, Begun

#: Less would hold the words around the requirements, and none of them.
_LEAST = 600
#: Characters of a prompt that are compared with the requirements.
_TASK = 16_000


class Standing:
    """What is known of a project's requirements; begun before a prompt is kept, since
    git takes a while to tell what is worked at."""

    __slots__ = ("_begun", "_fault", "_prompted", "_stored", "_world")

    def __init__(self, event: "HostEvent", world: "World") -> None:
        """Raises nothing."""
        self._world = world
        self._prompted = event.event == events.PROMPT
        self._begun: Begun | None = None
        self._stored = False
        self._fault = ""
        try:
            self._stored = _has_store(world.cwd)
            if self._stored and self._prompted:
                self._begin()
        except Exception as error:  # the boundary: the prompt has to be kept
            self._fault = _told(error)

    def _begin(self) -> None:
        if look.led_elsewhere(self._world.environ):
            return
        from git_intent.inject import hot

        world = self._world
        self._begun = hot.begin(world.cwd, world.environ, hot.Arguments())

    def below(self, said: "Said", notes: list[str]) -> str:
        """The text for the model: what the ledger says, and the requirements below it.

        What is wrong with them goes to `notes`.
        """
        text = _cut(said.text, LONGEST)
        room = LONGEST - len(text.encode()) - len("\n\n")
        silent = self._prompted and not said.task
        if not self._stored or silent or room < _LEAST:
            return text
        try:
            block = self._block(said.task[:_TASK], room, notes)
        except Exception as error:  # the boundary: what the ledger says must be told
            self._fault = _told(error)
            block = ""
        if self._fault:
            notes.append(self._fault)
        return "\n\n".join(filter(None, (text, block)))

    def _block(self, task: str, room: int, notes: list[str]) -> str:
        made = self._hot(task, room)
        if made is not None:
            made.seen.save()
            return made.out.decode()
        from git_intent.hosts import cold

        run = cold.preview(task, self._world.cwd, self._world.environ)
        if self._prompted:
            self._begin()
        made = self._hot(task, room)
        if made is not None:
            return made.out.decode()
        notes += run.notes
        return cold.fitted(run.out, room)

    def _hot(self, task: str, room: int) -> "Answer | None":
        world = self._world
        if self._prompted:
            begun, self._begun = self._begun, None
            return begun.end(task, room) if begun else None
        if look.led_elsewhere(world.environ):
            return None
        from git_intent.inject import hot

        return hot.made_of_all(world.environ, world.cwd, room)


def _has_store(folder: str) -> bool:
    project = look.find_project(folder)
    return project is not None and os.path.isdir(f"{project[0]}/.cloche/intent")


def _told(error: Exception) -> str:
    if isinstance(error, IntentError | OSError):
        return f"the requirements could not be read: {error}"
    return f"our own fault: {type(error).__name__}: {error}"


def _cut(text: str, limit: int) -> str:
    data = text.encode("utf-8", "backslashreplace")
    return data[:limit].decode("utf-8", "ignore")
