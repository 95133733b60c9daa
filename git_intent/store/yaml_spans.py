"""Where things stand in a YAML text: lines, indentation, the true end of a value."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_intent.store.strict_yaml import items, pairs

if TYPE_CHECKING:
    from yaml import Node


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace `text[start:end]`."""

    start: int
    end: int
    new: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Make all edits; none may overlap another. Equal places keep their order."""
    done: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        done += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*done, text[at:]])


def line_start(text: str, index: int) -> int:
    return max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1


def line_end(text: str, index: int) -> int:
    """The index of the newline that ends the line, or of the end of the text."""
    while index < len(text) and text[index] not in "\r\n":
        index += 1
    return index


def newline(text: str, index: int = 0) -> str:
    """The newline that ends the line at `index`, else the first one of the text."""
    end = line_end(text, index)
    if end == len(text):
        end = line_end(text, 0)
    if text.startswith("\r\n", end):
        return "\r\n"
    return text[end : end + 1] or "\n"


def column(text: str, node: "Node") -> int:
    start: int = node.start_mark.index
    return start - line_start(text, start)


def source(text: str, node: "Node") -> str:
    """How a value is spelled; a block scalar without the blank lines after it."""
    return text[node.start_mark.index : content_end(text, node)]


def content_end(text: str, node: "Node") -> int:
    """The index after the last character of a value.

    The parser's own end of a block collection lies behind the comments and blank lines
    that follow it.
    """
    start: int = node.start_mark.index
    end: int = node.end_mark.index
    if getattr(node, "flow_style", False):
        return end
    if held := pairs(node):
        key, value = held[-1]
        return max(key.end_mark.index, content_end(text, value))
    if listed := items(node):
        return content_end(text, listed[-1])
    if getattr(node, "style", None) in ("|", ">"):
        return start + len(text[start:end].rstrip())
    return end


def step(text: str, root: "Node | None") -> int:
    """By how much the file indents; 2 if it shows nowhere."""
    for _, value in pairs(root):
        nested = pairs(value) and not getattr(value, "flow_style", False)
        if nested:
            return max(
                column(text, pairs(value)[0][0]) - column(text, root_key(root)), 1
            )
    return 2


def root_key(root: "Node | None") -> "Node":
    return pairs(root)[0][0]
