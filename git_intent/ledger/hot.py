"""What hooks read of a chat: the projection, if it is certain, and the inbox.

`current.json` is believed only if the anchor names the commit that the ref holds and
the hash of the file's bytes. Otherwise the reading is *not certain*, and whoever needs
to know reads the journal (`Ledger.read`).

The inbox is listed first, then the ref is read: a prompt that is drained meanwhile is
seen in one of them at least, and `recent` of the view says whether it is in both.

Nothing is written and no lock is taken; light.
"""

import os

from git_intent.ledger import anchor, durable, ref, spool
from git_intent.ledger.digest import sha256
from git_intent.ledger.light_json import loads
from git_intent.ledger.names import chat_ref

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

    from git_intent.ledger.home import Home
    from git_intent.ledger.spool import Entry

REWOUND = "ref-rewound"


class Place:
    """One chat's ledger, whether it exists or not."""

    __slots__ = ("chat", "folder", "home", "namespace", "ref")

    def __init__(self, home: "Home", namespace: str, chat: str) -> None:
        self.home, self.namespace, self.chat = home, namespace, chat
        self.folder = home.folder(namespace, chat)
        self.ref = chat_ref(namespace, chat)

    @property
    def inbox(self) -> str:
        return spool.inbox(self.folder)

    @property
    def objective(self) -> str:
        """The path of objective.txt, there or not."""
        return f"{self.folder}/objective.txt"


class Hot:
    """What was read; `view` is None if there is no ledger, or none that is certain.

    `fault` is a code of `refusal`, or what the system said, if something is wrong.
    `objective` is the hash that objective.txt should have, if that is known.
    """

    __slots__ = ("certain", "entries", "fault", "objective", "tip", "view")

    def __init__(self, entries: "list[Entry]") -> None:
        self.entries = entries
        self.view: dict[str, Any] | None = None
        self.tip = ""
        self.fault = ""
        self.objective = ""
        self.certain = False

    @property
    def exists(self) -> bool:
        """Whether the chat has a ledger in git."""
        return bool(self.tip) or bool(self.fault)


def read(place: Place) -> Hot:
    """The inbox, and the view if it is certain. Raises nothing."""
    try:
        found = Hot(spool.entries(place.inbox))
    except OSError as error:
        found = Hot([])
        found.fault = f"{place.inbox}: {error.strerror}"
        return found
    try:
        found.tip = ref.read(place.home, place.ref)
        known = anchor.read(place.folder, place.namespace, place.chat)
        data = durable.read(f"{place.folder}/current.json") if known else None
    except NotADirectoryError:  # something else is in the place of our folder
        known = data = None
    except (ref.Broken, OSError) as error:
        found.fault = str(error)
        return found
    if not found.tip:
        # an anchor without its ref: the ledger was there
        found.fault = REWOUND if known else ""
        found.certain = known is None
        return found
    if known is None or known.commit != found.tip or data is None:
        return found
    if sha256(data) == known.current:
        found.objective = known.objective
        found.view = loads(data)
        found.certain = True
    return found


def opened(place: Place) -> bool:
    """Whether anything of this chat is there: a ledger, or prompts on their way."""
    if os.path.lexists(place.folder):
        return True
    try:
        return bool(ref.read(place.home, place.ref))
    except (ref.Broken, OSError):
        return True
