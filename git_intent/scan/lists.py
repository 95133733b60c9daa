"""Lists that are one rule: an announcement and its bare items, as one statement.

"Allowed commit types:" over `feat`, `fix` and `docs` allows these and no others; none
of the items says anything alone. Items that order something, or say a whole sentence,
are rules of their own and stay apart.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from git_intent.scan.compose import carries, is_fragment, telling
from git_intent.scan.inline import clean
from git_intent.scan.statement import Segment, Statement

_WORDS = 8  # of an item; of one that only a heading stands over, half of them
_ITEMS = 24
_LONGEST = 480  # characters of the whole
# Lead-ins with a verb for each item make a rule of each, unless they mean the whole.
_WHOLE = re.compile(
    r"\b(?:one of|following|these|allowed|supported|valid|permitted|accepted|types?|"
    r"values?|options?|names?|versions?|formats?|prefix(?:es)?|labels?|scopes?|"
    r"includes?|contains?)\b",
    re.I,
)
_GLOSS = re.compile(r"(\S+)\s*(?::|—|–|\s-)\s+(\S.*)")
# Lead-ins over a choice of names, or over the parts of one thing: whatever is said
# about a name or part explains it.
_NAMES = re.compile(
    r"\b(?:one of(?: the following| these)?|(?:include|contain|provide|have)s?"
    r"(?: at least)? the following(?: \w+)?):$",
    re.I,
)
_NAMED = re.compile(
    r"(\*\*[^*:]+:?\*\*|`[^`]+`|[\w/-]+)(\s\([^()]*\))?(?::|\s*[—–]|\s-|(?<=:\*\*))\s+"
    r"(\S.*)"
)


@dataclass(frozen=True, slots=True)
class OneRule:
    """`statement` takes the place of those numbered `parts`, its items last.

    `led` tells whether the first of the parts is the lead-in.
    """

    statement: Statement
    parts: range
    led: bool


def one_rules(place: Sequence[Statement]) -> Iterator[OneRule]:
    """The lists among the statements of a document that are one rule each."""
    start = 0
    while start < len(place):
        end = start + 1
        if place[start].segment is Segment.BULLET:
            while end < len(place) and _goes_on(place[start], place[end]):
                end += 1
            found = _one_rule(place, start, end)
            if found is not None:
                yield found
        start = end


def _goes_on(first: Statement, other: Statement) -> bool:
    return (
        other.segment is Segment.BULLET
        and other.depth == first.depth
        and other.lead_in == first.lead_in
        and other.headings == first.headings
    )


def _one_rule(place: Sequence[Statement], start: int, end: int) -> OneRule | None:
    """The rule that the list of statements `start` to `end` is, or None."""
    first, last = place[start], place[end - 1]
    before = place[start - 1] if start else None
    if not 2 <= end - start <= _ITEMS:
        return None
    if end < len(place) and place[end].depth > first.depth:
        return None  # the last item has items of its own
    lead = before if before and _leads(before, first) else None
    if lead is not None:
        stem = clean(lead.text)
        apart = carries(clean(first.lead_in)) and not _WHOLE.search(stem)
    else:
        stem = f"{telling(first)}:"
        apart = bool(first.lead_in) or _is_in_midst(before, first)
    if apart or stem == ":":
        return None
    items = [item.text for item in place[start:end]]
    text = _explained(stem, items) if lead and _NAMES.search(stem) else ""
    text = text or _in_a_row(stem, items, _WORDS if lead else _WORDS // 2)
    if not text:
        return None
    head = lead or first._replace(segment=Segment.SENTENCE, depth=0, previous="")
    whole = head._replace(text=text, end_line=last.end_line, following=last.following)
    return OneRule(whole, range(start - bool(lead), end), bool(lead))


def _leads(before: Statement, first: Statement) -> bool:
    lead_in = first.lead_in
    return lead_in.endswith(":") and before.text.endswith(lead_in)


def _is_in_midst(before: Statement | None, first: Statement) -> bool:
    return before is not None and before.headings == first.headings


def _explained(stem: str, items: Sequence[str]) -> str:
    """`One of: a (this), b (that)`; the names alone if that is too long."""
    named = [_NAMED.fullmatch(item) for item in items]
    if not all(named):
        return ""
    found = [
        (clean(one[1].replace(":", "") + (one[2] or "")), clean(one[3]).rstrip(" .,;"))
        for one in named
        if one
    ]
    row = _row(stem, [_glossed(name, gloss) for name, gloss in found])
    return row or _row(stem, [name for name, _ in found])


def _in_a_row(stem: str, items: Sequence[str], most: int) -> str:
    """`Allowed types: a, b`, or an empty text if an item says more than a name."""
    names = []
    for item in items:
        name = _item(item, most)
        if not name:
            return ""
        names.append(name)
    return _row(stem, names)


def _row(stem: str, items: Sequence[str]) -> str:
    """An empty text if it gets too long."""
    between = "; " if any("," in item for item in items) else ", "
    text = f"{stem} {between.join(items)}"
    return text if len(text) <= _LONGEST else ""


def _item(text: str, most: int) -> str:
    """An item as it stands in a row, or an empty text if it says more than a name."""
    if len(text) > 120:
        return ""
    bare = clean(text).rstrip(" .,;")
    if not bare or len(bare.split()) > most or not is_fragment(bare) or ". " in bare:
        return ""
    gloss = _GLOSS.fullmatch(bare)
    return _glossed(gloss[1], gloss[2]) if gloss else bare


def _glossed(name: str, gloss: str) -> str:
    return f"{name}: {gloss}" if "(" in name + gloss else f"{name} ({gloss})"
