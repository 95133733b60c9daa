"""A rule for markdown-it's block parser that goes by the first sign of a line.

The parser tries all its rules on every line. Most lines are prose, list items and
headings, and their first sign rules out nearly all of the rules: `by_first_sign`, put
before the others, does for such lines what they would have done together, in half the
time. Whatever it is not sure of, it leaves to them. Nothing else is parsed differently,
but a paragraph is one token of the type `paragraph` instead of three, and a table is
the tokens that open its head, its body and its rows, without the cells.
"""

import re

from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock, heading, list_block, table

#: What begins something else than a paragraph, or ends one.
_SIGNS = frozenset("`~>*-_+[<#0123456789")
#: What the line below a table's head begins with, or the line below a heading's text.
_BELOW = frozenset("|:-=")
_CELLS = 1 << 16  # so many cells missing in its rows end a table
#: A list item that is no thematic break.
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]+[^\s*_-]")


def by_first_sign(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The block that begins at line `start`, if it is one of the simple ones."""
    if silent or state.is_code_block(start):
        return False
    if _underlined(state, start + 1):
        return _table(state, start, end)
    at = state.bMarks[start] + state.tShift[start]
    sign = state.src[at]
    if sign not in _SIGNS:
        return _paragraph(state, start)
    if sign == "#":
        return heading(state, start, end, silent)
    return bool(_ITEM.match(state.src, at)) and list_block(state, start, end, silent)


def _underlined(state: StateBlock, line: int) -> bool:
    """Whether `line` may be what makes a table or a heading of the line above it."""
    if line >= state.lineMax or state.isEmpty(line):
        return False
    at = state.bMarks[line] + state.tShift[line]
    return state.src[at] in _BELOW and not _ITEM.match(state.src, at)


def _paragraph(state: StateBlock, start: int) -> bool:
    """A paragraph, unless one of its lines may underline the ones before it."""
    outside = state.parentType
    state.parentType = "paragraph"  # as the rule for headings leaves it
    line = start + 1
    while line < state.lineMax and not state.isEmpty(line):
        if _underlined(state, line):
            state.parentType = outside
            return False
        if _interrupts(state, line, "paragraph"):
            break
        line += 1
    token = state.push("paragraph", "p", 0)
    token.content = mdTrim(state.getLines(start, line, state.blkIndent, False))
    token.map = [start, line]
    state.line = line
    return True


def _table(state: StateBlock, start: int, end: int) -> bool:
    """The rows of a table, unless it is so large that missing cells could end it."""
    if not table(state, start, end, True):
        return False
    if (end - start) * (state.eMarks[start] - state.bMarks[start]) >= _CELLS:
        return False
    outside = state.parentType
    state.parentType = "table"
    _row(state, start, "thead_open")
    line = start + 2
    while line < end and mdTrim(state.src[state.bMarks[line] : state.eMarks[line]]):
        if state.sCount[line] < state.blkIndent or state.is_code_block(line):
            break
        if _interrupts(state, line, "blockquote"):
            break
        _row(state, line, "tbody_open")
        line += 1
    state.parentType = outside
    state.line = line
    return True


def _row(state: StateBlock, line: int, part: str) -> None:
    for kind in (part, "tr_open"):
        state.push(kind, "", 0).map = [line, line + 1]


def _interrupts(state: StateBlock, line: int, what: str) -> bool:
    """Whether another block begins at `line`, which may be a paragraph's lazy line."""
    if state.src[state.bMarks[line] + state.tShift[line]] not in _SIGNS:
        return False
    if state.sCount[line] < 0 or state.sCount[line] - state.blkIndent > 3:
        return False
    if list_block(state, line, state.lineMax, True):
        return True
    rules = state.md.block.ruler.getRules(what)
    return any(rule(state, line, state.lineMax, True) for rule in rules)
