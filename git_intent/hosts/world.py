"""What a hook is given by the outside: environment, folder, time, chance.

Light.
"""

import os
import time

from git_intent.config_ledger import QUESTION, settings
from git_intent.errors import IntentError
from git_intent.git.look import find_project
from git_intent.git.process import begin_git
from git_intent.ledger.home import fallback, state_dir
from git_intent.ledger.owner import Where, route

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_intent.config_ledger import LedgerSettings
    from git_intent.git.process import Begun
    from git_intent.ledger.hot import Place
    from git_intent.ledger.owner import Route


class World:
    """One run of a hook; `cwd` is the folder that it was started in."""

    __slots__ = ("_asked", "_settings", "cwd", "environ", "place")

    def __init__(self, environ: "Mapping[str, str]", cwd: str) -> None:
        """Begins to ask git for the settings: they are needed a little later."""
        self.environ, self.cwd = environ, cwd
        self._asked: Begun | None = begin_git(QUESTION, cwd)
        self._settings: LedgerSettings | None = None
        #: The chat that was found, for evidence should something fail.
        self.place: Place | None = None

    def at(self, folder: str) -> "World":
        """The same in the folder that an event happens in, if that is told."""
        if not folder or folder == self.cwd or not os.path.isdir(folder):  # noqa: PTH112
            return self
        self._end()
        return World(self.environ, folder)

    def _end(self) -> bytes:
        """What git says. If it failed, it is not asked again."""
        asked, self._asked = self._asked, None
        if asked is None:
            raise IntentError(
                "git could not be asked for the settings", "try git config"
            )
        return asked.end()[1]

    def settings(self) -> "LedgerSettings":
        """The settings of the ledger at the cwd. Raises IntentError."""
        if self._settings is None:
            out = self._end()
            project = find_project(self.cwd)
            toml = f"{project[0]}/.cloche/config.toml" if project else ""
            self._settings = settings(out, toml, self.environ)
        return self._settings

    def where(self) -> Where:
        """What decides where a session's prompts go. Raises IntentError."""
        found = self.settings()
        return Where(found.home, found.namespace, self.state, self.user)

    def route(self, host: str, session: object) -> "Route":
        """Where a session's prompts go. Raises IntentError or OSError."""
        found = route(self.where(), host, session)
        self.place = found.place
        return found

    def keep_fault(self, error: Exception) -> None:
        """Leave evidence of a fault of ours, if there is a ledger to leave it with."""
        if self.place is None:
            return
        from git_intent.ledger.faults import Evidence, fault_of

        told = {"at": self.now(), **fault_of("hook", error).as_json()}
        told["message"] = f"{type(error).__name__}: {told['message']}"
        Evidence(self.place.folder).record("fault", told)

    @property
    def state(self) -> str:
        """The user's state folder."""
        return state_dir(self.environ)

    @property
    def fallback(self) -> str:
        """The spool of what a home could not take."""
        return fallback(self.state)

    @property
    def user(self) -> str:
        """The user's home folder."""
        return self.environ.get("HOME", "")

    def now(self) -> str:
        """RFC 3339 in UTC, with milliseconds."""
        seconds = time.time()
        day = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
        return f"{day}.{int(seconds % 1 * 1000):03}Z"

    def mint(self) -> str:
        """32 random hex digits."""
        return os.urandom(16).hex()
