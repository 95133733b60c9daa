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
    if not 2 <= end - start <= _ITEMS:
        return None
    before = place[start - 1] if start else None
    after = place[end] if end < len(place) else None
    first = place[start]
    if after is not None and after.depth > first.depth:
        return None  # the last item has items of its own
    led = bool(
        before and first.lead_in and before.text.endswith(first.lead_in)
    ) and first.lead_in.endswith(":")
    if led and before is not None:
        stem, most = clean(before.text), _WORDS
        if carries(clean(first.lead_in)) and not _WHOLE.search(stem):
            return None
    elif first.lead_in or (before and before.headings == first.headings):
        return None
    else:
        stem, most = f"{telling(first)}:", _WORDS // 2
    items = [_item(place[n].text, most) for n in range(start, end)]
    text = f"{stem} {('; ' if any(',' in i for i in items) else ', ').join(items)}"
    if len(stem) < 3 or not all(items) or len(text) > _LONGEST:
        return None
    head = before if led and before is not None else first
    whole = Statement(
        text,
        head.line,
        place[end - 1].end_line,
        head.segment if led else Segment.SENTENCE,
        head.headings,
        head.lead_in if led else "",
        head.previous if led else "",
        place[end - 1].following,
        head.depth if led else 0,
        head.quoted,
    )
    return OneRule(whole, range(start - led, end), led)


def _item(text: str, most: int) -> str:
    """An item as it stands in a row, or an empty text if it says more than a name."""
    if len(text) > 120:
        return ""
    bare = clean(text).rstrip(" .,;")
    if not bare or len(bare.split()) > most or not is_fragment(bare) or ". " in bare:
        return ""
    gloss = _GLOSS.fullmatch(bare)
    return f"{gloss[1]} ({gloss[2]})" if gloss and "(" not in bare else bare
