"""The repository that ledgers are kept in, and the folder of the user's state.

A home is named by its path in `intent.ledgerHome`: the top of a work tree, or a bare
repository. Where its git directory lies is read from its files, since hooks may not
take the time to ask git; whatever the caller's environment says of a repository does
not count. Nothing is created here.

Refs and objects of a home belong to its *common* directory, so linked work trees share
them, and the projections of a chat lie in `<common dir>/intent/ledger/`.
"""

# pathlib costs the hooks more than everything that is done here:
# ruff: noqa: PTH111, PTH112, PTH113, PTH117, PTH118

import os

from git_intent.errors import IntentError
from git_intent.ledger.names import escape

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping

HOME_KEY = "intent.ledgerHome"
NAMESPACE_KEY = "intent.namespace"


class Home:
    """A repository that holds ledgers; two of one common directory are equal."""

    __slots__ = ("common_dir", "path")

    def __init__(self, path: str, common_dir: str) -> None:
        self.path = path  # absolute, as it was configured
        self.common_dir = common_dir  # absolute, without symbolic links

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Home) and self.common_dir == other.common_dir

    def __hash__(self) -> int:
        return hash(self.common_dir)

    def __repr__(self) -> str:
        return f"Home({self.path!r}, {self.common_dir!r})"

    @property
    def environment(self) -> dict[str, str]:
        """What git is to be told besides `git.process.child_environment`."""
        return {"GIT_DIR": self.common_dir, "GIT_NO_REPLACE_OBJECTS": "1"}

    def folder(self, namespace: str, chat: str) -> str:
        """Where a chat's projections, inbox and lock lie."""
        return f"{self.ledgers}/{escape(namespace)}/{escape(chat)}"

    @property
    def ledgers(self) -> str:
        """Where the folders of all chats lie."""
        return f"{self.common_dir}/intent/ledger"

    @property
    def bindings(self) -> str:
        """Where the lock and the anchor of the bindings lie."""
        return f"{self.common_dir}/intent/bindings"


def open_home(configured: str, user: str) -> Home:
    """The home at a path from git config; `user` is the user's home folder.

    Raises IntentError for what is no repository.
    """
    path = configured
    if path == "~" or path.startswith("~/"):
        path = user + path[1:]
    if not os.path.isabs(path):
        raise IntentError(
            f"{HOME_KEY}: {configured!r} is not an absolute path",
            "run git intent ledger init in the repository that is to be the home",
        )
    path = os.path.normpath(path)
    try:
        return Home(path, _common_dir(path))
    except (OSError, ValueError) as error:
        raise IntentError(
            f"{HOME_KEY}: {path} is not a git repository",
            "run git intent ledger init, or correct the path",
        ) from error


def _common_dir(path: str) -> str:
    git_dir = f"{path}/.git"
    if os.path.isfile(git_dir):
        pointer = _line(git_dir)
        if not pointer.startswith("gitdir: "):
            raise ValueError(git_dir)
        git_dir = os.path.join(path, pointer[8:])
    elif not os.path.isdir(git_dir):
        git_dir = path
    if os.path.isfile(f"{git_dir}/commondir"):
        git_dir = os.path.join(git_dir, _line(f"{git_dir}/commondir"))
    if not (os.path.isfile(f"{git_dir}/HEAD") and os.path.isdir(f"{git_dir}/objects")):
        raise ValueError(git_dir)
    return os.path.realpath(git_dir)


def _line(path: str) -> str:
    with open(path, "rb") as stream:
        return os.fsdecode(stream.read()).rstrip("\n")


def state_dir(environ: "Mapping[str, str]") -> str:
    """Where the user's pins, and prompts without a home, are kept."""
    base = environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = f"{environ.get('HOME') or os.path.expanduser('~')}/.local/state"
    return f"{base}/git-intent"


def fallback(state: str) -> str:
    """The spool of prompts that belong to no chat, and for what a home could not take;
    `state` is the user's state folder."""
    return f"{state}/spool"
