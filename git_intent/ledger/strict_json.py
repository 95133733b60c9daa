"""JSON that means one thing only, from hosts' payloads and from owners' documents.

Refused, each at its byte and JSON pointer: what is not UTF-8, a byte order mark, a key
that stands twice in an object, NaN and infinities, nesting over a bound (without
recursion, so a hundred thousand brackets are no trouble), anything behind the value,
and in a document a lone surrogate or more than a mebibyte. A payload may have lone
surrogates and any size: a prompt is kept as it came.

Light: nothing but `errors` and the C part of json is loaded.
"""

from __future__ import annotations

from _json import scanstring

from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

    Open = tuple[list[Any] | dict[str, Any], list[str]]

#: The most that an owner's document may have.
DOCUMENT_BYTES = 1 << 20
DEPTH = 200

_BOM = b"\xef\xbb\xbf"
_BLANK = " \t\n\r"
_NUMBER = frozenset("+-.0123456789Ee")
_WORDS = {"true": True, "false": False, "null": None}
_NOTHING = object()


def document(data: bytes) -> Any:
    """What an owner's document says; raises Refusal."""
    if len(data) > DOCUMENT_BYTES:
        raise _refused("", f"has {len(data)} bytes, {DOCUMENT_BYTES} are allowed")
    return parse(data, lone=False)


def payload(data: bytes) -> Any:
    """What a host's hook was given; raises Refusal."""
    return parse(data, lone=True)


def parse(data: bytes, *, lone: bool, depth: int = DEPTH) -> Any:
    """The value of a JSON text; `lone`: halves of surrogate pairs are allowed."""
    if data.startswith(_BOM):
        raise _refused("", "begins with a byte order mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused("", f"byte {error.start}: not UTF-8") from None
    return _Reader(text, lone, depth).read()


class _Reader:
    """Walks over the text once. `open` holds the objects and lists not yet closed.

    Of an open object, the second member is the key whose value comes next.
    """

    __slots__ = ("at", "depth", "lone", "open", "text")

    def __init__(self, text: str, lone: bool, depth: int) -> None:
        self.text, self.lone, self.depth = text, lone, depth
        self.at = 0
        self.open: list[Open] = []

    def read(self) -> Any:
        while True:
            value = self._begin()
            while value is not _NOTHING:
                if not self.open:
                    if self._sign():
                        raise self._wrong("something stands behind the value")
                    return value
                value = self._attach(value)

    def _begin(self) -> Any:
        """A whole scalar or empty container, or _NOTHING: one was opened."""
        sign = self._sign()
        if sign == '"':
            return self._string()
        if sign not in ("{", "["):
            return self._scalar()
        if len(self.open) >= self.depth:
            raise self._wrong(f"nested deeper than {self.depth}")
        self.at += 1
        container: list[Any] | dict[str, Any] = {} if sign == "{" else []
        if self._sign() == ("}" if sign == "{" else "]"):
            self.at += 1
            return container
        self.open.append((container, []))
        if isinstance(container, dict):
            self._key(container)
        return _NOTHING

    def _attach(self, value: Any) -> Any:
        """Put a value into what is open; gives that if it closes, else _NOTHING."""
        container, key = self.open[-1]
        if isinstance(container, dict):
            container[key.pop()] = value
        else:
            container.append(value)
        sign = self._sign()
        self.at += 1
        if sign == ",":
            if isinstance(container, dict):
                self._key(container)
            return _NOTHING
        if sign != ("}" if isinstance(container, dict) else "]"):
            self.at -= 1
            raise self._wrong("expected a comma or the end")
        self.open.pop()
        return container

    def _key(self, container: dict[str, Any]) -> None:
        if self._sign() != '"':
            raise self._wrong("expected a key")
        start = self.at
        key = self._string()
        self.open[-1][1].append(key)
        if key in container:
            self.at = start
            raise self._wrong("the key stands twice")
        if self._sign() != ":":
            raise self._wrong("expected a colon")
        self.at += 1

    def _string(self) -> str:
        start = self.at
        try:
            value, self.at = scanstring(self.text, start + 1, True)
        except SystemError:  # before 3.12 it has no words of its own for an error
            import json.decoder  # noqa: F401

            return self._string()
        except ValueError as error:
            self.at = getattr(error, "pos", start)
            raise self._wrong(str(getattr(error, "msg", error)).lower()) from None
        if not self.lone and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                self.at = start
                raise self._wrong("half a surrogate pair") from None
        return value

    def _scalar(self) -> Any:
        start = self.at
        for word, value in _WORDS.items():
            if self.text.startswith(word, start):
                self.at += len(word)
                return value
        end = start
        while end < len(self.text) and self.text[end] in _NUMBER:
            end += 1
        number = _number(self.text[start:end])
        if number is None:
            raise self._wrong("expected a value" if start == end else "not a number")
        self.at = end
        return number

    def _sign(self) -> str:
        """The next character that is not blank; empty at the end."""
        text, at = self.text, self.at
        while at < len(text) and text[at] in _BLANK:
            at += 1
        self.at = at
        return text[at : at + 1]

    def _wrong(self, message: str) -> Refusal:
        where = len(self.text[: self.at].encode("utf-8"))
        return _refused(self._pointer(), f"byte {where}: {message}")

    def _pointer(self) -> str:
        """Where the walk stands."""
        names = []
        for container, key in self.open[:20]:
            if isinstance(container, list):
                names.append(str(len(container)))
            else:
                names += [name.replace("~", "~0").replace("/", "~1") for name in key]
        return "".join(f"/{name}" for name in names)


def _number(text: str) -> int | float | None:
    """None for what JSON does not call a number, or what has no finite value."""
    whole, _, exponent = text.replace("E", "e").partition("e")
    whole, point, fraction = whole.partition(".")
    digits = whole.removeprefix("-")
    if not digits.isdigit() or (len(digits) > 1 and digits[0] == "0"):
        return None
    if point and not fraction.isdigit():
        return None
    if "e" in text or "E" in text:
        unsigned = exponent[1:] if exponent[:1] in ("+", "-") else exponent
        if not unsigned.isdigit():
            return None
    elif not point:
        return int(text) if len(digits) <= 1000 else None
    value = float(text)
    return value if abs(value) < float("inf") else None


def _refused(pointer: str, message: str) -> Refusal:
    return Refusal("invalid-document", pointer, message)
