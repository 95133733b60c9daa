"""The spool: what is safe already and waits for the journal.

A prompt is safe from the moment its file lies in `inbox/` of the chat's folder. A file
is named `<12 digits>-<id>` and holds one line of canonical JSON, the header, and then
the raw bytes. The number is one more than the largest there, so the files sort in the
order of arrival; two that arrive at once may share a number, never an id.

Header: `{"v":1,"kind","id","host","session","turn","at","sha256","bytes","origin",
"encoding","flags","skip"}`, for a gap also `reason`, outside a chat's folder also
`home`, `namespace` and `chat`, and `since`, how many events the chat had. Kinds:
`prompt`; `gap`, whose bytes could not be kept where they belong, and which may have
none behind its header; `unbound`.

Files are published whole, so one that is cut or altered was damaged from outside. It
is listed with its damage, and its bytes stay until somebody has kept them elsewhere.
"""

# pathlib costs the hooks more than everything that is done here:
# ruff: noqa: PTH119, PTH120, PTH208

import os

from git_intent.ledger import anchor, durable
from git_intent.ledger.light_json import canonical, loads

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VERSION = 1
_DIGITS = 12
_HEADER = 1 << 16
_NEEDED = ("kind", "host", "session", "turn", "at", "sha256", "bytes")


class Entry:
    """One file of a spool.

    `damage` is empty, or `header` (no whole header), `version` (a later program's),
    `name` (its name is none of ours), `length` or `bytes` (not those of the header).
    """

    __slots__ = ("damage", "header", "name", "path", "start")

    def __init__(
        self, path: str, header: "dict[str, Any]", start: int, damage: str
    ) -> None:
        self.path = path
        self.name = os.path.basename(path)
        self.header = header  # empty if it cannot be read
        self.start = start  # of the raw bytes
        self.damage = damage

    @property
    def id(self) -> str:
        return str(self.header.get("id", ""))

    def raw(self) -> bytes:
        """The whole file."""
        return durable.read(self.path) or b""

    def data(self) -> bytes:
        """The bytes behind the header, as they are now."""
        return self.raw()[self.start :]


def inbox(folder: str) -> str:
    """Where what waits for the journal lies in a chat's folder."""
    return f"{folder}/inbox"


def spool(folder: str, header: "Mapping[str, Any]", data: bytes = b"") -> str:
    """Keep `data` for the journal and give the name of its file.

    When this returns, the bytes survive a power loss. Raises OSError.
    """
    durable.make_folder(folder)
    line = canonical(header)
    number = 1 + max((_number(name) for name in os.listdir(folder)), default=0)
    name = f"{number:0{_DIGITS}}-{header['id']}"
    if not durable.create(f"{folder}/{name}", line, data):
        raise FileExistsError(17, "an id that is taken", name)
    return name


def keep(
    inbox: str, elsewhere: str, header: "dict[str, Any]", data: bytes
) -> "tuple[str, OSError | None]":
    """Keep a prompt in the inbox, else leave a gap there or `elsewhere`.

    Gives the path of the file, and why it is not the prompt itself in the inbox. The
    path is empty if nothing could be kept. A gap elsewhere holds the bytes if there is
    room for them; its header has to say whose it is.
    """
    try:
        return f"{inbox}/{spool(inbox, header, data)}", None
    except OSError as error:
        why = error
    gap = f"gap-{header['id'].partition('-')[2]}"
    lost = {**header, "kind": "gap", "id": gap, "reason": "not-kept"}
    aside = {**lost, **_since(inbox, header)}
    ways = ((inbox, lost, b""), (elsewhere, aside, data), (elsewhere, aside, b""))
    for folder, told, kept in ways:
        try:
            return f"{folder}/{spool(folder, told, kept)}", why
        except OSError:
            continue
    return "", why


def _since(inbox: str, header: "Mapping[str, Any]") -> "dict[str, int]":
    """How many events the chat had: what is kept elsewhere may be drained late."""
    try:
        names = (header.get("namespace", ""), header.get("chat", ""))
        known = anchor.read(os.path.dirname(inbox), *names)
    except OSError:
        return {}
    return {"since": known.seq} if known else {}


def entries(folder: str) -> list[Entry]:
    """What lies in a spool, in the order of arrival; nothing if there is none."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for name in sorted(names):
        if not name.startswith("."):
            entry = _entry(f"{folder}/{name}")
            if entry is not None:
                found.append(entry)
    return found


def _entry(path: str) -> Entry | None:
    """None for a file that was drained meanwhile."""
    try:
        handle = durable.open_to_read(path)
    except FileNotFoundError:
        return None
    except OSError:
        return Entry(path, {}, 0, "name")
    try:
        size = os.fstat(handle).st_size
        first = os.read(handle, _HEADER)
    except OSError:
        return Entry(path, {}, 0, "name")
    finally:
        os.close(handle)
    line, newline, _ = first.partition(b"\n")
    header = _parsed(line) if newline else {}
    start = len(line) + 1 if header else 0
    return Entry(path, header, start, _damage(path, header, size - start))


def _parsed(line: bytes) -> "dict[str, Any]":
    try:
        header = loads(line)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(header, dict) or not isinstance(header.get("id"), str):
        return {}
    return header


def _damage(path: str, header: "dict[str, Any]", size: int) -> str:
    name = os.path.basename(path)
    if not _number(name):
        return "name"
    if not header:
        return "header"
    if header.get("v") != VERSION:
        return "version"
    if any(field not in header for field in _NEEDED):
        return "header"
    if name[_DIGITS + 1 :] != header["id"]:
        return "name"
    expected = header.get("bytes")
    if header.get("kind") == "gap" and not size:
        return ""
    return "" if expected is None or expected == size else "length"


def _number(name: str) -> int:
    digits = name[:_DIGITS]
    if len(digits) < _DIGITS or name[_DIGITS : _DIGITS + 1] != "-":
        return 0
    return int(digits) if digits.isascii() and digits.isdigit() else 0
