"""Change a list of texts in a YAML text, item by item.

Items that stay keep their spelling, their line and the comments on it. Brackets stay
brackets and one line an item stays so. A list in brackets whose removed part holds a
comment is not touched: None tells the caller to refuse.
"""

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from git_intent.store.quoting import double, flow, quote, respell
from git_intent.store.strict_yaml import Pointer, StrictDocument, items, pairs
from git_intent.store.yaml_spans import (
    Edit,
    column,
    content_end,
    line_end,
    line_start,
    newline,
    source,
    step,
)

if TYPE_CHECKING:
    from yaml import Node


def change_list(
    document: StrictDocument,
    pointer: Pointer,
    value: list[str],
    block: bool,
    quoted: bool,
) -> list[Edit] | None:
    """The edits that make the list at `pointer` equal `value`."""
    text = document.text
    node = document.node(pointer)
    parent = document.node(pointer[:-1])
    if node is None or parent is None:
        return None
    if not items(node):
        return _from_empty(document, node, parent, value, block, quoted)
    if any(not isinstance(item.value, str) for item in items(node)):
        return None
    if getattr(node, "flow_style", False):
        return _flow_edits(text, node, value)
    lines = [[_like(items(node)[0], x)] for x in value]
    old = [item.value for item in items(node)]
    edits: list[Edit] = []
    if not value:
        edits.append(_empty(text, parent, node))
    for tag, i, k, m, n in _opcodes(old, value):
        if tag == "equal":
            continue
        shared = min(k - i, n - m)
        for item, new in zip(items(node)[i : i + shared], value[m:n], strict=False):
            spelled = _like(item, new)
            start = item.start_mark.index
            edits.append(Edit(start, content_end(text, item), spelled))
        edits += remove_items(text, node, i + shared, k)
        if m + shared < n:
            edits.append(insert_items(text, node, i + shared, lines[m + shared : n]))
    return edits


def append_entry(
    document: StrictDocument, pointer: Pointer, lines: list[str], flowed: str
) -> list[Edit] | None:
    """One more item: `lines` in a list of lines, `flowed` between brackets."""
    text = document.text
    node, parent = document.node(pointer), document.node(pointer[:-1])
    if node is None or parent is None:
        return None
    listed = items(node)
    start, end = node.start_mark.index, node.end_mark.index
    if getattr(node, "flow_style", False):
        if listed:
            last = listed[-1].end_mark.index
            return [Edit(last, last, f", {flowed}")]
    elif listed:
        return [insert_items(text, node, len(listed), [lines])]
    if getattr(parent, "flow_style", False):
        return [Edit(start, end, f"{'' if start < end else ' '}[{flowed}]")]
    margin = " " * (column(text, pairs(parent)[0][0]) + step(text, document.root))
    stop = line_end(text, end)
    glue = newline(text, stop)
    indented = (
        glue + margin + ("  " if number else "- ") + line
        for number, line in enumerate(lines)
    )
    cut = start - 1 if start < end and text[start - 1] == " " else start
    return [Edit(cut, end, ""), Edit(stop, stop, "".join(indented))]


def remove_entry(
    document: StrictDocument, pointer: Pointer, place: int
) -> list[Edit] | None:
    """Take one item away; comments between the items stay."""
    text = document.text
    node, parent = document.node(pointer), document.node(pointer[:-1])
    if node is None or parent is None:
        return None
    listed = items(node)
    if not getattr(node, "flow_style", False):
        edits = remove_items(text, node, place, place + 1)
        return edits if len(listed) > 1 else [_empty(text, parent, node), *edits]
    if len(listed) == 1:
        return [Edit(node.start_mark.index, node.end_mark.index, "[]")]
    spans = [(i.start_mark.index, i.end_mark.index) for i in listed]
    edit = _flow_remove(spans, place, place + 1)
    return None if _comment(text, spans, edit) else [edit]


def block_lines(value: list[str], quoted: bool) -> list[str]:
    return [f"- {double(x) if quoted else quote(x)}" for x in value]


def insert_items(text: str, node: "Node", place: int, new: list[list[str]]) -> Edit:
    """Items, each given by its lines, before item `place` of a list in lines."""
    listed = items(node)
    dash = _dash(text, listed[0])
    margin = " " * (dash - line_start(text, dash))
    lines = [
        margin + ("  " if number else "- ") + line
        for item in new
        for number, line in enumerate(item)
    ]
    if place:
        end = line_end(text, content_end(text, listed[place - 1]))
        glue = newline(text, end)
        return Edit(end, end, "".join(glue + line for line in lines))
    start = line_start(text, dash)
    glue = newline(text, start)
    return Edit(start, start, "".join(line + glue for line in lines))


def remove_items(text: str, node: "Node", first: int, last: int) -> list[Edit]:
    """Take the lines of items `first` to `last` (excluded) away, not those between."""
    edits = []
    for item in items(node)[first:last]:
        start = line_start(text, _dash(text, item))
        end = line_end(text, content_end(text, item))
        before = start - (2 if text[:start].endswith("\r\n") else 1)
        edits.append(Edit(max(before, 0), end, ""))
    return edits


def _dash(text: str, item: "Node") -> int:
    """The hyphen in front of an item of a list in lines."""
    return text.rindex("-", 0, item.start_mark.index)


def _empty(text: str, parent: "Node", node: "Node") -> Edit:
    """`[]` behind the key of a list that loses all its items."""
    key = next(k for k, v in pairs(parent) if v is node)
    at = text.index(":", key.end_mark.index) + 1
    return Edit(at, at, " []")


def _from_empty(
    document: StrictDocument,
    node: "Node",
    parent: "Node",
    value: list[str],
    block: bool,
    quoted: bool,
) -> list[Edit] | None:
    """The first items of `[]`, or of a key without a value."""
    text = document.text
    start, end = node.start_mark.index, node.end_mark.index
    bare = not source(text, node)
    if not bare and text[start] != "[":
        return None
    if block and not getattr(parent, "flow_style", False):
        margin = column(text, pairs(parent)[0][0]) + step(text, document.root)
        stop = line_end(text, end)
        glue = newline(text, stop)
        lines = [glue + " " * margin + x for x in block_lines(value, quoted)]
        cut = start - 1 if not bare and text[start - 1] == " " else start
        return [Edit(cut, end, ""), Edit(stop, stop, "".join(lines))]
    gap = " " if bare else ""
    return [Edit(start, end, gap + flow(value, always=quoted))]


def _flow_edits(text: str, node: "Node", value: list[str]) -> list[Edit] | None:
    """Items between brackets."""
    listed = items(node)
    spans = [(i.start_mark.index, i.end_mark.index) for i in listed]
    if not value:
        edits = [Edit(node.start_mark.index, node.end_mark.index, "[]")]
        return None if _comment(text, spans, edits[0]) else edits
    spelled = [_like(listed[0], x) for x in value]
    edits = []
    for tag, i, k, m, n in _opcodes([item.value for item in listed], value):
        if tag == "equal":
            continue
        shared = min(k - i, n - m)
        for item, new in zip(listed[i : i + shared], value[m:n], strict=False):
            span = item.start_mark.index, item.end_mark.index
            edits.append(Edit(*span, _like(item, new)))
        if i + shared < k:
            edits.append(_flow_remove(spans, i + shared, k))
        edits += _flow_insert(spans, i + shared, spelled[m + shared : n])
    if any(_comment(text, spans, edit) for edit in edits if not edit.new):
        return None
    return edits


def _flow_remove(spans: list[tuple[int, int]], first: int, last: int) -> Edit:
    """Take some items, never all, away, with one comma each."""
    if first:
        return Edit(spans[first - 1][1], spans[last - 1][1], "")
    return Edit(spans[0][0], spans[last][0], "")


def _flow_insert(
    spans: list[tuple[int, int]], place: int, spelled: list[str]
) -> list[Edit]:
    if not spelled:
        return []
    if place:
        end = spans[place - 1][1]
        return [Edit(end, end, "".join(f", {x}" for x in spelled))]
    start = spans[0][0]
    return [Edit(start, start, "".join(f"{x}, " for x in spelled))]


def _comment(text: str, spans: list[tuple[int, int]], edit: Edit) -> bool:
    """Whether a comment stands between the items that `edit` takes away."""
    rest = list(text)
    for start, end in spans:
        rest[start:end] = " " * (end - start)
    return "#" in rest[edit.start : edit.end]


def _opcodes(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    return list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())


def _like(item: "Node", text: str) -> str:
    """`text` in the quoting of `item`."""
    return respell(text, getattr(item, "style", None) or "")
