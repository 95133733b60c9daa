"""What a hook is given by the outside: environment, folder, time, chance.

Light.
"""

import os
import time

from git_intent.config_ledger import QUESTION, settings
from git_intent.git.look import find_project
from git_intent.git.process import begin_git
from git_intent.ledger.home import fallback, state_dir
from git_intent.ledger.owner import Where

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_intent.config_ledger import LedgerSettings
    from git_intent.git.process import Begun


class World:
    """One run of a hook; `cwd` is the folder that it was started in."""

    __slots__ = ("_asked", "_settings", "cwd", "environ")

    def __init__(self, environ: "Mapping[str, str]", cwd: str) -> None:
        """Begins to ask git for the settings: they are needed a little later."""
        self.environ, self.cwd = environ, cwd
        self._asked: Begun = begin_git(QUESTION, cwd)
        self._settings: LedgerSettings | None = None

    def settings(self) -> "LedgerSettings":
        """The settings of the ledger at the cwd. Raises IntentError."""
        if self._settings is None:
            _, out = self._asked.end()
            project = find_project(self.cwd)
            toml = f"{project[0]}/.cloche/config.toml" if project else ""
            self._settings = settings(out, toml, self.environ)
        return self._settings

    def where(self) -> Where:
        """What decides where a session's prompts go. Raises IntentError."""
        settings = self.settings()
        return Where(settings.home, settings.namespace, self.state, self.user)

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
