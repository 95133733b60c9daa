"""Put an item into a JSON text, or take it out, and leave every other byte alone.

What is put in comes last in its object or array, on lines of its own, indented as its
neighbours are. Taking it out is the exact inverse, with no memory of how the text was:

- Behind another item, a comma is set right after that, and ours follows what else
  stands there (a comment). Out go the comma and the blanks in front of ours.
- In an empty object or array ours comes right behind the bracket, with no blank. So one
  that begins with a blank was made by us, and goes with the last item in it.
"""

import json
from typing import Any

from git_intent.hosts.install.json_spans import Item, Node

_BLANKS = " \t\r\n"


def put(text: str, holder: Node, key: str, value: Any) -> str:
    """The text with an item more at the end of `holder`."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    indent = _indent(text, holder, unit)
    written = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    ours = f"{json.dumps(key)}: " if holder.kind == "{" else ""
    ours += f"{newline}{indent}".join(written)
    if not holder.items:
        at = holder.start + 1
        return text[:at] + ours + text[at:]
    last = holder.items[-1].value.end
    end = holder.end - 1
    while text[end - 1] in _BLANKS:
        end -= 1
    between = text[last:end]
    return f"{text[:last]},{between}{newline}{indent}{ours}{text[end:]}"


def take(text: str, holder: Node, number: int) -> str:
    """The text without an item of `holder`."""
    item = holder.items[number]
    start, end = item.start, item.value.end
    follows = number + 1 < len(holder.items)
    if number:
        while text[start - 1] in _BLANKS:
            start -= 1
        if follows:
            return text[:start] + text[item.comma + 1 :]
        comma = holder.items[number - 1].comma
        return text[:comma] + text[comma + 1 : start] + text[end:]
    return text[:start] + text[_behind_blanks(text, item) if follows else end :]


def is_made(text: str, holder: Node) -> bool:
    """Whether an object or array was made by us, going by how it begins."""
    opening = text[holder.start + 1 : holder.items[0].start] if holder.items else ""
    return bool(opening) and not opening.strip(_BLANKS)


def _behind_blanks(text: str, item: Item) -> int:
    end = item.comma + 1
    while text[end] in _BLANKS:
        end += 1
    return end


def _unit(text: str) -> int | str:
    """What one level is indented by: as the first line that is indented."""
    for line in text.splitlines():
        bare = line.lstrip(" \t")
        if bare and bare != line:
            blanks = line[: len(line) - len(bare)]
            return "\t" if blanks[0] == "\t" else min(len(blanks), 8)
    return 2


def _indent(text: str, holder: Node, unit: int | str) -> str:
    """The indentation of an item in `holder`: that of the item in front, if it begins
    its line, else one level more than the holder's line."""
    if holder.items:
        line = _line(text, holder.items[-1].start)
        if not line.strip(" \t"):
            return line
    line = _line(text, holder.start)
    more = unit if isinstance(unit, str) else " " * unit
    return line[: len(line) - len(line.lstrip(" \t"))] + more


def _line(text: str, at: int) -> str:
    """The line up to an offset."""
    return text[max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1 : at]
