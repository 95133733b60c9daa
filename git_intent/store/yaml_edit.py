"""Change one value in a YAML text and leave every other byte as it is.

A value that exists is replaced where it stands, in the quoting it had; comments behind
it stay. A missing key becomes one line (a list of hints: one more line each) after the
key that precedes it in the canonical order. Each edit is checked by reading the result:
if anything but the asked value changed, the edit is refused.
"""

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from git_intent.errors import IntentError
from git_intent.store.list_edit import block_lines, change_list
from git_intent.store.malformed import MalformedFile
from git_intent.store.quoting import double, flow, plain_stamp, quote, respell
from git_intent.store.strict_yaml import Pointer, StrictDocument, pairs, parse_text
from git_intent.store.yaml_spans import (
    Edit,
    apply,
    column,
    content_end,
    line_end,
    newline,
    source,
    step,
)

if TYPE_CHECKING:
    from yaml import Node

Value = str | bool | list[str]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a kind of file is laid out.

    `keys` gives the canonical order of the keys of each mapping, by its pointer without
    list places. `block` names the lists with one line an item, `quoted` the lists and
    texts that are always quoted, `stamps` the points in time, which never are.
    """

    keys: Mapping[tuple[str, ...], tuple[str, ...]]
    block: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    stamps: frozenset[str] = frozenset()


def change(
    document: StrictDocument, pointer: Pointer, value: Value, shape: Shape
) -> StrictDocument:
    """The document with one value set; the same object if it was set already.

    A key without a value is an empty list already.
    """
    if document.node(pointer) is not None:
        held = _held(document, pointer)
        if held == value or (value == [] and held == ""):
            return document
    return verified(document, _edits(document, pointer, value, shape), pointer, value)


def verified(
    document: StrictDocument, edits: list[Edit], pointer: Pointer, value: Any
) -> StrictDocument:
    """Make the edits and prove that nothing changed but the value at `pointer`."""
    expected = _with(document.value, pointer, value)
    try:
        text = apply(document.text, edits)
        changed = parse_text(text, document.path, document.first_line)
    except MalformedFile:
        refuse(document, pointer)
    if changed.value != expected:
        refuse(document, pointer)
    return changed


def refuse(document: StrictDocument, pointer: Pointer) -> NoReturn:
    line, col = document.position(pointer)
    name = ".".join(str(part) for part in pointer)
    raise IntentError(
        f"{document.path}:{line}:{col}: {name} cannot be changed safely here",
        "edit the file by hand",
    )


def _held(document: StrictDocument, pointer: Pointer) -> Any:
    found = document.value
    for part in pointer:
        found = found[part]
    return found


def _with(value: Any, pointer: Pointer, new: Any) -> Any:
    """A copy of `value` with `new` at `pointer`; missing mappings are made."""
    if not pointer:
        return new
    key = pointer[0]
    if isinstance(value, list) and isinstance(key, int):
        changed = list(value)
        changed[key] = _with(value[key], pointer[1:], new)
        return changed
    held = copy.copy(value) if isinstance(value, dict) else {}
    held[key] = _with(held.get(key), pointer[1:], new)
    return held


def _edits(
    document: StrictDocument, pointer: Pointer, value: Value, shape: Shape
) -> list[Edit]:
    node = document.node(pointer)
    if node is None:
        return [_insert(document, pointer, value, shape)]
    if isinstance(value, list):
        name = str(pointer[-1])
        edits = change_list(
            document, pointer, value, name in shape.block, name in shape.quoted
        )
    else:
        edits = _replace(document.text, node, str(pointer[-1]), value, shape)
    if edits is None:
        refuse(document, pointer)
    return edits


_HEADER = re.compile(r"[|>][-+0-9]*([ \t]+#[^\r\n]*)?")


def _replace(
    text: str, node: "Node", key: str, value: str | bool, shape: Shape
) -> list[Edit] | None:
    """A scalar for a scalar, in the same quoting."""
    if not isinstance(node.value, str):
        return None
    start = node.start_mark.index
    style = getattr(node, "style", None) or ""
    new = _spell(key, value, shape) if not style else _respell(value, style)
    if style in ("|", ">"):
        header = _HEADER.match(text, start)
        new += (header and header[1]) or ""
    if start == content_end(text, node):
        new = f" {new}" if text[start - 1 : start] not in ("", " ") else new
    return [Edit(start, content_end(text, node), new)]


def _spell(key: str, value: str | bool, shape: Shape) -> str:
    """A value that had no spelling before, or a plain one."""
    if isinstance(value, bool):
        return _respell(value, "")
    if key in shape.stamps:
        return plain_stamp(value)
    return double(value) if key in shape.quoted or not value else quote(value)


def _respell(value: str | bool, style: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return respell(value, style)


def _insert(
    document: StrictDocument, pointer: Pointer, value: Any, shape: Shape
) -> Edit:
    """A key that is not there yet, with the mapping around it if that is missing."""
    text = document.text
    above, key = pointer[:-1], str(pointer[-1])
    parent = document.node(above)
    if parent is None and above:
        return _insert(document, above, {key: value}, shape)
    indent = step(text, document.root)
    lines = _lines(key, value, shape, indent)
    if parent is None:
        end = len(text)
        glue = newline(text)
        first = glue if text and not text.endswith(("\n", "\r")) else ""
        return Edit(end, end, first + "".join(line + glue for line in lines))
    held = pairs(parent)
    if not held:
        return _fill(document, above, parent, lines, _flow(key, value, shape))
    before, after = _neighbours(held, key, _order(shape, above))
    if getattr(parent, "flow_style", False):
        if before is not None:
            end = content_end(text, before)
            return Edit(end, end, f", {_flow(key, value, shape)}")
        start = held[0][0].start_mark.index
        return Edit(start, start, f"{_flow(key, value, shape)}, ")
    margin = " " * column(text, held[0][0])
    if before is not None:
        end = line_end(text, content_end(text, before))
        glue = newline(text, end)
        return Edit(end, end, "".join(glue + margin + line for line in lines))
    start = (after or held[0][0]).start_mark.index
    glue = newline(text, start)
    return Edit(start, start, "".join(line + glue + margin for line in lines))


def _fill(
    document: StrictDocument,
    pointer: Pointer,
    parent: "Node",
    lines: list[str],
    flowed: str,
) -> Edit:
    """The first key of `{}`, or of a key without a value."""
    text = document.text
    if source(text, parent).startswith("{"):
        return Edit(parent.start_mark.index, parent.end_mark.index, f"{{{flowed}}}")
    if source(text, parent) or not pointer:
        refuse(document, pointer)
    outer = pairs(document.node(pointer[:-1]))
    margin = " " * (column(text, outer[0][0]) + step(text, document.root))
    end = line_end(text, parent.start_mark.index)
    glue = newline(text, end)
    return Edit(end, end, "".join(glue + margin + line for line in lines))


def _lines(key: str, value: Any, shape: Shape, indent: int) -> list[str]:
    """The lines of a new key, not indented."""
    if isinstance(value, dict):
        inner = [line for k, v in value.items() for line in _lines(k, v, shape, indent)]
        return [f"{key}:", *(" " * indent + line for line in inner)]
    if isinstance(value, list) and value and key in shape.block:
        quoted = key in shape.quoted
        return [f"{key}:", *(" " * indent + x for x in block_lines(value, quoted))]
    if isinstance(value, list):
        return [f"{key}: {flow(value, always=key in shape.quoted)}"]
    return [f"{key}: {_spell(key, value, shape)}"]


def _flow(key: str, value: Any, shape: Shape) -> str:
    """A new key between braces."""
    if isinstance(value, dict):
        inner = ", ".join(_flow(k, v, shape) for k, v in value.items())
        return f"{key}: {{{inner}}}"
    if isinstance(value, list):
        return f"{key}: {flow(value, always=key in shape.quoted)}"
    return f"{key}: {_spell(key, value, shape)}"


def _order(shape: Shape, pointer: Pointer) -> tuple[str, ...]:
    names = tuple(part for part in pointer if isinstance(part, str))
    return shape.keys.get(names, ())


def _neighbours(
    held: list[tuple["Node", "Node"]], key: str, order: tuple[str, ...]
) -> tuple["Node | None", "Node | None"]:
    """The value after which the key belongs, or else the key before which it does."""
    place = order.index(key) if key in order else len(order)
    earlier = [(k, v) for k, v in held if k.value in order[:place]]
    if earlier:
        return max(earlier, key=lambda pair: order.index(pair[0].value))[1], None
    later = [k for k, _ in held if k.value in order[place:]]
    return (None, later[0]) if later else (held[-1][1], None)
