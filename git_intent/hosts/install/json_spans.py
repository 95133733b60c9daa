"""JSON with the place of everything in it, so that a text can be put in or taken out.

Strict JSON, but for comments where a host takes them (`comments=True`). Offsets are of
the text's characters. A text that is no JSON raises IntentError with line and column,
and so does a key that stands twice in one object: hosts differ in which one counts.
"""

import json
import re
from dataclasses import dataclass

from git_intent.errors import IntentError

_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.S)
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_STRING = json.JSONDecoder()
#: Deeper than any settings, and no danger to the interpreter's stack.
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Item:
    """A member of an object, or an element of an array, whose `key` is empty.

    `start` is that of the key, if there is one; `comma` is where the comma behind it
    stands, or -1.
    """

    key: str
    start: int
    value: "Node"
    comma: int = -1


@dataclass(frozen=True, slots=True)
class Node:
    """A value: `items` of an object or array, `text` of a string, else neither."""

    start: int
    end: int
    kind: str  # "{", "[", '"', or empty
    text: str = ""
    items: tuple[Item, ...] = ()

    def get(self, key: str) -> "Node | None":
        """The value under a key of an object."""
        return next((i.value for i in self.items if i.key == key), None)

    def word(self, key: str) -> str:
        """The string under a key, else an empty one."""
        found = self.get(key)
        return found.text if found else ""


def read(text: str, path: str, *, comments: bool = False) -> Node:
    """The value that `text` is; `path` is what errors call the file."""
    return _Reader(text, path, comments).whole()


def place(text: str, at: int) -> str:
    """`LINE:COL` of an offset."""
    line = text.count("\n", 0, at) + 1
    return f"{line}:{at - text.rfind(chr(10), 0, at)}"


class _Reader:
    def __init__(self, text: str, path: str, comments: bool) -> None:
        self.text, self.path, self.comments = text, path, comments
        self.depth = 0

    def whole(self) -> Node:
        found = self._value(self._skip(0))
        end = self._skip(found.end)
        if end != len(self.text):
            raise self._wrong(end, "expected the end of the file")
        return found

    def _wrong(self, at: int, what: str) -> IntentError:
        return IntentError(
            f"{self.path}:{place(self.text, at)}: not JSON: {what}",
            "mend it and run this again; it is not touched until then",
        )

    def _skip(self, at: int) -> int:
        """Behind blanks and comments."""
        while True:
            space = _SPACE.match(self.text, at)
            at = space.end() if space else at
            comment = _COMMENT.match(self.text, at)
            if comment is None:
                return at
            if not self.comments:
                raise self._wrong(at, "this host takes no comments")
            at = comment.end()

    def _value(self, at: int) -> Node:
        first = self.text[at : at + 1]
        if first in ("{", "["):
            return self._container(at, first)
        if first == '"':
            text, end = self._string(at)
            return Node(at, end, '"', text)
        found = _SCALAR.match(self.text, at)
        if not found:
            raise self._wrong(at, "expected a value")
        return Node(at, found.end(), "")

    def _string(self, at: int) -> tuple[str, int]:
        try:
            found, end = _STRING.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self._wrong(error.pos, error.msg) from error
        return str(found), end

    def _container(self, start: int, kind: str) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._wrong(start, f"more than {_DEEPEST} levels deep")
        close = "}" if kind == "{" else "]"
        items: list[Item] = []
        at = self._skip(start + 1)
        while self.text[at : at + 1] != close or items:
            item = self._item(at, kind)
            if kind == "{" and any(item.key == other.key for other in items):
                raise self._wrong(item.start, f"{item.key!r} stands here twice")
            at = self._skip(item.value.end)
            if self.text[at : at + 1] == ",":
                items.append(Item(item.key, item.start, item.value, at))
                at = self._skip(at + 1)
                continue
            items.append(item)
            if self.text[at : at + 1] != close:
                raise self._wrong(at, f"expected `,` or `{close}`")
            break
        self.depth -= 1
        return Node(start, at + 1, kind, "", tuple(items))

    def _item(self, at: int, kind: str) -> Item:
        if kind == "[":
            return Item("", at, self._value(at))
        if self.text[at : at + 1] != '"':
            raise self._wrong(at, "expected a key in quotes")
        key, end = self._string(at)
        colon = self._skip(end)
        if self.text[colon : colon + 1] != ":":
            raise self._wrong(colon, "expected `:`")
        return Item(key, at, self._value(self._skip(colon + 1)))
