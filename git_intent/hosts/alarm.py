"""A hook that hangs ends by itself, and what it hangs in fails.

Whatever a hook waits for (the host's end of the pipe, git, a lock, a disk that is gone)
raises TimeoutError when the alarm rings, which is an OSError like any other there: what
has come of a payload is answered, a prompt that cannot go where it belongs is kept
elsewhere, and a tool is allowed. The alarm rings again while something else hangs, and
in the end it ends the process, well before hosts lose patience: with exit code 0, for
some hosts deny a tool when its hook fails.
"""

import _signal  # type: ignore[import-not-found]  # signal would load enum
import os

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

#: Seconds until it rings first, then in between; at so many it ends the process.
FIRST, AGAIN, LAST = 8.0, 4.0, 4
_TIMED_OUT = 110  # errno.ETIMEDOUT, which only labels it


class Alarm:
    """Set from `start` to `stop`; `rung` counts."""

    __slots__ = ("_before", "rung")

    def __init__(self) -> None:
        self.rung = 0
        self._before: Any = None

    def start(self) -> None:
        try:
            self._before = _signal.signal(_signal.SIGALRM, self._ring)
            _signal.setitimer(_signal.ITIMER_REAL, FIRST, AGAIN)
        except ValueError:  # only the main thread may
            return

    def stop(self) -> None:
        if self._before is not None:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            _signal.signal(_signal.SIGALRM, self._before)

    def _ring(self, _number: int, _frame: object) -> None:
        self.rung += 1
        if self.rung >= LAST:
            os._exit(0)
        raise TimeoutError(_TIMED_OUT, "it took too long")
