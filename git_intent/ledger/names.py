"""Namespaces and chats as components of a ref and of a path, and back again.

Lower-case ASCII letters, digits, `-` and `_` stand for themselves, every other byte of
the UTF-8 text is `%` and two lower-case hex digits. A first `-`, and the first letter
of what some systems take for a device (`con`, `com1`), is written so as well. So no two
ids get components that differ in case or in Unicode form alone, none is `..`, an option
or ends in `.lock`, and each component has one spelling: any other is refused.

An id is a text that is not empty and whose component has at most 200 bytes, which
leaves room for git's `.lock`. It is never trimmed, folded or normalised.
"""

from git_intent.errors import IntentError

#: One ref below this is one chat's ledger: `<namespace>/<chat>`.
LEDGERS = "refs/intent/ledger/"
BINDINGS = "refs/intent/bindings"
LONGEST = 200  # bytes of a component

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_DEVICES = {"aux", "con", "nul", "prn"}.union(
    *({f"com{n}", f"lpt{n}"} for n in range(10))
)
_HEX = frozenset("0123456789abcdef")


def usable(identity: object) -> bool:
    """Whether this can be the id of a chat, a session or a namespace."""
    return isinstance(identity, str) and 0 < len(_escaped(identity)) <= LONGEST


def escape(identity: str) -> str:
    """The one component for an id. Raises IntentError for what is no id."""
    if not identity:
        raise IntentError("an id may not be empty", "give the id of the chat")
    component = _escaped(identity)
    if len(component) > LONGEST:
        raise IntentError(
            f"an id of {len(component)} bytes as part of a ref",
            f"use one that takes at most {LONGEST}",
        )
    return component


def _escaped(identity: str) -> str:
    data = identity.encode("utf-8", "surrogatepass")
    plain = "".join(chr(b) if b in _PLAIN else f"%{b:02x}" for b in data)
    if plain in _DEVICES or plain[:1] == "-":
        return f"%{ord(plain[0]):02x}{plain[1:]}"
    return plain


def unescape(component: str) -> str:
    """The id whose component this is. Raises IntentError for any other spelling."""
    try:
        identity = _bytes(component).decode("utf-8", "surrogatepass")
    except ValueError:
        identity = ""
    if not usable(identity) or _escaped(identity) != component:
        raise IntentError(
            f"{component!r} is no component of a ledger's ref",
            "ids are written in one spelling only; see docs/ledger.md",
        )
    return identity


def _bytes(component: str) -> bytes:
    first, *escapes = component.split("%")
    data = bytearray(first.encode())
    for piece in escapes:
        digits, rest = piece[:2], piece[2:]
        if len(digits) != 2 or not _HEX.issuperset(digits):
            raise ValueError(component)
        data += bytes.fromhex(digits) + rest.encode()
    return bytes(data)


def chat_ref(namespace: str, chat: str) -> str:
    """The ref of a chat's ledger."""
    return f"{LEDGERS}{escape(namespace)}/{escape(chat)}"


def chat_of(ref: str) -> tuple[str, str]:
    """The namespace and the chat of a ledger's ref."""
    namespace, slash, chat = ref.removeprefix(LEDGERS).partition("/")
    if not ref.startswith(LEDGERS) or not slash:
        raise IntentError(f"{ref!r} is no ledger's ref")
    return unescape(namespace), unescape(chat)
