"""Start this program in a process of its own that outlives its caller.

It reads nothing, prints to nowhere and is not stopped with the caller's terminal or
group. Python must not look for modules in the current folder (`-P`): that may be the
work tree of a stranger, with a `json.py` in it.
"""

import os
import sys

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def start(
    module: str, arguments: "Sequence[str]", environ: "Mapping[str, str]"
) -> None:
    """Run a module of ours. Raises OSError if no process can be made."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    command = [sys.executable, "-P", "-m", module, *arguments]
    try:
        os.posix_spawn(
            sys.executable, command, environ, file_actions=actions, setsid=True
        )
    except NotImplementedError:  # a process group of its own must do
        os.posix_spawn(
            sys.executable, command, environ, file_actions=actions, setpgroup=0
        )
