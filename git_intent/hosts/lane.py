"""`git intent hook`: read standard input, answer, and never be in the way.

    git intent hook --host HOST [--event EVENT] < payload

The exit code is always 0 and standard output holds nothing, or JSON in the host's form:
a host that is told of an error may block the user, and ours is no reason for that. What
went wrong is a line on stderr, and evidence in the chat's folder if that is there.
"""

import gc
import os

from git_intent.errors import IntentError
from git_intent.hosts.alarm import Alarm
from git_intent.hosts.handle import HOSTS, handle, needed

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_CHUNK = 1 << 20


def run(arguments: list[str], environ: "Mapping[str, str]", cwd: str = "") -> int:
    """Answer one event, whatever comes in; without `cwd`, the current folder counts."""
    _open_streams()
    options = _options(arguments)
    if options is None:
        _note("hook: give --host HOST and --event EVENT, and nothing else")
        return 0
    host, event = options
    if host not in HOSTS:
        _note(f"hook: unknown host {host!r}; there are {', '.join(HOSTS)}")
        return 0
    alarm = Alarm()
    alarm.start()
    try:
        if not needed(host, event, environ):
            _input()  # else the host may see its pipe break
            return 0
        for note in _answered(host, event, environ, cwd, alarm):
            _note(note)
    except TimeoutError:
        pass  # between two steps
    finally:
        alarm.stop()
    return 0


def _answered(
    host: str, event: str, environ: "Mapping[str, str]", cwd: str, alarm: Alarm
) -> "Iterator[str]":
    """Answer, and give what is to be said on stderr."""
    world = None
    gc.disable()  # a large projection is thousands of objects, and no garbage
    try:
        from git_intent.hosts.world import World

        world = World(environ, cwd or os.getcwd())  # noqa: PTH109 - pathlib would cost
        outcome = handle(host, event, _input(), world)
        if not (outcome.denies and alarm.rung):
            _say(outcome.out)
        gc.enable()
        yield from outcome.notes
        if outcome.after is not None:
            yield from outcome.after()
        if alarm.rung:
            yield "something took too long, and was not waited for"
    except IntentError as error:
        yield error.message
    except Exception as error:  # the boundary: no fault of ours may stop a user's work
        if world is not None:
            world.keep_fault(error)
        yield f"our own fault: {type(error).__name__}: {error}"


def _open_streams() -> None:
    """Open /dev/null for a stream that is closed: else the next file would get it."""
    for number in (_STDIN, _STDOUT, _STDERR):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _options(arguments: list[str]) -> tuple[str, str] | None:
    """Host and event; None if the command line is no hook's."""
    found = {"--host": "", "--event": ""}
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name not in found:
            return None
        found[name] = value if equals else next(words, "")
    return (found["--host"], found["--event"]) if found["--host"] else None


def _input() -> bytes:
    """All of standard input; nothing if it is closed."""
    pieces = []
    try:
        while piece := os.read(_STDIN, _CHUNK):
            pieces.append(piece)
    except OSError:
        pass
    return b"".join(pieces)


def _say(data: bytes) -> None:
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(_STDOUT, left) :]
    except OSError:
        return


def _note(text: str) -> None:
    line = " ".join(text.split("\n"))
    shown = line.encode("ascii", "backslashreplace")
    try:
        os.write(_STDERR, b"git intent: " + shown + b"\n")
    except OSError:
        return
