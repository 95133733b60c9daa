"""Two people's homes, and what goes from one to the other."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from git_intent.hosts.owner_view import owner_view
from git_intent.hosts.world import World
from git_intent.ledger.binding import Binder, Wish
from git_intent.ledger.event import encode, line_hash
from git_intent.ledger.fetch import fetch
from git_intent.ledger.imported import take
from git_intent.ledger.push import Pushed, push
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.remote import Remote
from tests.support.repo import Repo
from tests.support.session import Session

PERSON = {"kind": "recovery", "host": "", "session": ""}


def home_at(path: Path, session: str = "s-1") -> Session:
    """A new home, in which a session of this name may come to work."""
    at = Session(Repo.init(path), session).configure()
    at.env = {"XDG_STATE_HOME": str(path.parent / f"{path.name}-state")}
    return at


def lived(path: Path) -> Session:
    """A chat with a contract, evidence, and prompts of several kinds."""
    chat = home_at(path)
    for text in ("make it so", "sources with\r\nCRLF, \x00 and é", "last\n"):
        chat.prompt(text)
    chat.initial()
    chat.settle()
    chat.example("action-start")
    chat.example("action-finish")
    chat.example("progress")
    return chat


def access(chat: Session) -> str:
    """What `owner-view` says of the session."""
    world = World({**chat.env, "HOME": "/nowhere"}, str(chat.repo.path))
    return owner_view(world, chat.host, chat.session)["access"]


def bind(chat: Session) -> None:
    wish = Wish(chat.host, chat.session, chat.namespace, "s-1", "owner", "go on here")
    answer = Binder(chat.home, chat.owner).bind(wish)
    assert answer.exit_code == 0, answer.as_json()


def journal(chat: Session) -> bytes:
    ref = chat.place.ref
    names = chat.repo.git("ls-tree", "--name-only", f"{ref}:journal").split()
    return "".join(
        chat.repo.git("show", f"{ref}:journal/{name}") + "\n" for name in names
    ).encode()


def everything(chat: Session) -> Any:
    """What a refusal leaves alone: the ledger's refs and its files."""
    folder = Path(chat.place.folder)
    files = {
        name: (folder / name).read_bytes()
        for name in ("objective.txt", "current.json", "journal.jsonl")
        if (folder / name).exists()
    }
    refs = chat.repo.git("for-each-ref", "refs/intent/ledger", "refs/intent/bindings")
    return refs, files, len(chat.ledger.waiting())


def refused(action: Any, *args: Any, **options: Any) -> Refusal:
    """The refusal that an action ends with."""
    try:
        answer = action(*args, **options)
    except Refusal as refusal:
        return refusal
    raise AssertionError(f"not refused: {answer}")


def imported(chat: Session, folder: Path) -> Any:
    answer = take(chat.ledger, folder, PERSON)
    assert answer.exit_code == 0, answer.as_json()
    return answer


def fetched(chat: Session, remote: str = "hub") -> Any:
    answer = fetch(chat.ledger, Remote(chat.home, remote), PERSON)
    assert answer.exit_code == 0, answer.as_json()
    return answer


def pushed(chat: Session, remote: str = "hub", *, allow: bool = False) -> Pushed:
    return push(chat.ledger, Remote(chat.home, remote), allow_secrets=allow)


def chained(lines: Iterable[bytes], change: Any) -> bytes:
    """A journal whose lines were changed one by one, with each `prev` right again."""
    found, prev = [], None
    for line in lines:
        fields = json.loads(line)
        fields["prev"] = prev or fields["prev"]
        change(fields)
        found.append(encode(fields))
        prev = line_hash(found[-1])
    return b"".join(found)
