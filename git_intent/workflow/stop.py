"""When running steps are to be ended: interrupted, aborted, or out of time."""

import threading
import time

#: How long a wait goes without a look at the outer one.
_LOOK = 0.2


class Stop:
    """Set by somebody, by the stop around it, or when its time is over."""

    def __init__(self, outer: "Stop | None" = None, seconds: float | None = None):
        self._outer = outer
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    @property
    def late(self) -> bool:
        """Whether its own time is over."""
        return self._deadline is not None and time.monotonic() >= self._deadline

    def is_set(self) -> bool:
        outer = self._outer is not None and self._outer.is_set()
        return self._event.is_set() or self.late or outer

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until it is set; whether it is."""
        until = time.monotonic() + seconds
        while not self.is_set() and (left := until - time.monotonic()) > 0:
            self._event.wait(min(left, _LOOK))
        return self.is_set()
