"""The strict subset of YAML that the store is written in.

No implicit types, with two exceptions: a plain `true` or `false` at a key named
`user_edited`, and a plain whole number at a key named `version`. Everything else is
text, so `no`, `0777`, `1e10` and `12:30` stay what was written. Duplicate keys,
anchors, aliases, tags and keys that are not text are refused. One document a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from git_intent.errors import IntentError
from git_intent.store.malformed import Code, MalformedFile

if TYPE_CHECKING:
    from yaml import Node

Pointer = tuple[str | int, ...]

_BREAK = re.compile(r"\r\n|\n|\r")
_MARKER = re.compile(r"(<{7}|>{7}|\|{7})( |$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DEEPEST = 40
_BOM = "\ufeff"


def decode(data: bytes, path: str) -> str:
    """The text without its byte order mark; newlines as they are."""
    try:
        return data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8").removeprefix(_BOM)
        line, col = place(good, len(good))
        text = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise MalformedFile(path, line, col, Code.ENCODING, text) from None


def encode(text: str, like: bytes = b"") -> bytes:
    """UTF-8, with a byte order mark if `like` begins with one."""
    mark = _BOM.encode()
    try:
        return (mark if like.startswith(mark) else b"") + text.encode("utf-8")
    except UnicodeEncodeError:
        raise IntentError(
            "a text holds half a character (a lone surrogate)",
            "it is no valid UTF-8; retype it",
        ) from None


def place(text: str, index: int) -> tuple[int, int]:
    """Line and column of a character, both counted from 1."""
    line, start = 1, 0
    for found in _BREAK.finditer(text, 0, index):
        line, start = line + 1, found.end()
    return line, index - start + 1


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line without its newline, after the index at which it starts."""
    start = 0
    for found in _BREAK.finditer(text):
        yield start, text[start : found.start()]
        start = found.end()
    if start < len(text):
        yield start, text[start:]


def refuse_conflict(text: str, path: str) -> None:
    """Raise at the first conflict marker outside a fenced code block.

    `=======` alone is a Markdown heading's underline and never counts.
    """
    if not any(mark * 7 in text for mark in "<>|"):
        return
    fence = ""
    for number, (_, line) in enumerate(lines(text), 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == mark[1] and mark[1].startswith(fence):
            fence = ""
        elif not fence and _MARKER.match(line):
            raise MalformedFile(
                path, number, 1, Code.CONFLICT, f"conflict marker {line[:7]}"
            )


@dataclass(frozen=True)
class StrictDocument:
    """One YAML text and where each of its values stands.

    `text` is the YAML alone; its first line is line `first_line` of the file `path`.
    """

    text: str
    path: str
    first_line: int
    root: "Node | None"

    @cached_property
    def value(self) -> Any:
        """Plain dicts, lists, texts; `{}` for a document that holds nothing."""
        return {} if self.root is None else _Builder(self).build(self.root)

    def node(self, pointer: Pointer) -> "Node | None":
        """The node at `pointer`, None if there is no such key or item."""
        found = self.root
        for step in pointer:
            found = _child(found, step)
        return found

    def position(self, pointer: Pointer) -> tuple[int, int]:
        """Where the value at `pointer` starts, or the nearest that holds it."""
        for end in range(len(pointer), -1, -1):
            found = self.node(pointer[:end])
            if found is not None:
                return self.at(found.start_mark.index)
        return self.first_line, 1

    def at(self, index: int) -> tuple[int, int]:
        """Line and column in the file of a character of `text`."""
        line, col = place(self.text, index)
        return line + self.first_line - 1, col

    def fail(self, index: int, code: Code, message: str, hint: str = "") -> NoReturn:
        raise MalformedFile(self.path, *self.at(index), code, message, hint)


def parse_text(text: str, path: str, first_line: int = 1) -> StrictDocument:
    """Read `text`, and refuse what the formats leave out."""
    document = StrictDocument(text, path, first_line, _compose(text, path, first_line))
    _ = document.value  # complains about duplicate keys
    return document


def parse_yaml(data: bytes, path: str) -> StrictDocument:
    """A whole file of YAML: domains.yaml, scan-state.yaml."""
    text = decode(data, path)
    refuse_conflict(text, path)
    return parse_text(text, path)


def _compose(text: str, path: str, first_line: int) -> "Node | None":
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    empty = StrictDocument(text, path, first_line, None)
    _refuse_extras(text, empty, loader)
    try:
        root: Node | None = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        index = 0 if mark is None else mark.index
        empty.fail(index, Code.SYNTAX, _sentence(error), _SYNTAX_HINT)
    except yaml.reader.ReaderError as error:
        index = text.find(chr(error.character)) if error.character else -1
        message = f"character U+{error.character:04X} is not allowed"
        empty.fail(max(index, 0), Code.SYNTAX, message)
    except RecursionError:
        empty.fail(0, Code.SYNTAX, "nested too deeply")
    return root


_SYNTAX_HINT = "put values that hold ': ', '#' or brackets into double quotes"


def _sentence(error: Any) -> str:
    parts = (error.context, error.problem)
    return " ".join(part for part in parts if part) or "not valid YAML"


def _refuse_extras(text: str, document: StrictDocument, loader: Any) -> None:
    """Tags would bring types back; aliases let a short file expand into gigabytes."""
    if not any(mark in text for mark in "*&!"):
        return
    import yaml

    try:
        for event in yaml.parse(text, Loader=loader):
            if getattr(event, "anchor", None) or getattr(event, "tag", None):
                message = "anchors, aliases and tags are not used"
                mark: Any = event.start_mark
                document.fail(mark.index, Code.SYNTAX, message)
    except (yaml.YAMLError, RecursionError):
        return  # the composer meets the same fault and names it


def _child(node: "Node | None", step: str | int) -> "Node | None":
    """The value under a key or at a place; pairs are (key, value) nodes."""
    if isinstance(step, str):
        return next((value for key, value in pairs(node) if key.value == step), None)
    found = items(node)
    return found[step] if step < len(found) else None


def pairs(node: "Node | None") -> list[tuple["Node", "Node"]]:
    """Keys and values of a mapping; none if it is none."""
    from yaml import MappingNode

    return node.value if isinstance(node, MappingNode) else []


def items(node: "Node | None") -> list["Node"]:
    """The items of a sequence; none if it is none."""
    from yaml import SequenceNode

    return node.value if isinstance(node, SequenceNode) else []


class _Builder:
    """Turns nodes into plain values, all text but for the two named exceptions."""

    def __init__(self, document: StrictDocument) -> None:
        self.document = document

    def build(self, node: "Node", key: str = "", depth: int = 0) -> Any:
        from yaml import MappingNode, SequenceNode

        if depth > _DEEPEST:
            self._fail(node, "nested too deeply")
        if isinstance(node, MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, SequenceNode):
            return [self.build(item, "", depth + 1) for item in node.value]
        return self._scalar(node, key)

    def _mapping(self, node: "Node", depth: int) -> dict[str, Any]:
        built: dict[str, Any] = {}
        for key, value in pairs(node):
            if not isinstance(key.value, str):
                self._fail(key, "a key must be a plain text")
            if key.value in built:
                self.document.fail(
                    key.start_mark.index,
                    Code.DUPLICATE_KEY,
                    f"key {key.value} stands here twice",
                    "keep one of the two",
                )
            built[key.value] = self.build(value, key.value, depth + 1)
        return built

    def _scalar(self, node: "Node", key: str) -> str | bool | int:
        text: str = node.value
        if not getattr(node, "style", ""):
            if key == "user_edited" and text in _BOOLEANS:
                return _BOOLEANS[text]
            if key == "version" and re.fullmatch(r"0|[1-9][0-9]{0,8}", text):
                return int(text)
        return text

    def _fail(self, node: "Node", message: str) -> NoReturn:
        self.document.fail(node.start_mark.index, Code.SYNTAX, message)


_BOOLEANS = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
