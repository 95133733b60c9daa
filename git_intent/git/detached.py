"""Start this program in a process of its own that outlives its caller.

It is not stopped with the caller's terminal or group. Python must not look for modules
in the current folder (`-P`): that may be the work tree of a stranger, with a `json.py`
in it.
"""

import os
import sys

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


def start(
    module: str, arguments: "Sequence[str]", environ: "Mapping[str, str]"
) -> None:
    """Run a module of ours that reads nothing and prints to nowhere.

    Raises OSError if no process can be made.
    """
    _spawn(
        [module, *arguments],
        environ,
        [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
    )


def start_with(
    module: str,
    arguments: "Sequence[str]",
    environ: "Mapping[str, str]",
    streams: tuple[int, int, int],
) -> int:
    """The same with the three standard streams, for a caller who may wait a while for
    what it prints; gives the process id."""
    actions = [
        (os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)
    ]
    return _spawn([module, *arguments], environ, actions)


def _spawn(
    words: "Sequence[str]",
    environ: "Mapping[str, str]",
    actions: "list[tuple[Any, ...]]",
) -> int:
    command = [sys.executable, "-P", "-m", *words]
    try:
        return os.posix_spawn(
            sys.executable, command, environ, file_actions=actions, setsid=True
        )
    except NotImplementedError:  # a process group of its own must do
        return os.posix_spawn(
            sys.executable, command, environ, file_actions=actions, setpgroup=0
        )
