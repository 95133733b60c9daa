"""Where one sentence ends and the next begins.

A full stop ends a sentence when white space and something other than a lower-case
letter follow, and when it does not belong to an abbreviation, an initial or a list
number. What stands inside a code span or a link target is never looked at, so file
names, versions and calls survive. Full-width stops end a sentence without a space.
"""

import re

_SPOT = re.compile(
    r"``[^`]+``|`[^`]+`"  # a code span
    r"|\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)"  # a link target
    r"|<[^<>\s][^<>]*>"  # a tag or an autolink
    r"|(?P<stop>(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+)(?=\s)"
    r"|(?P<wide>(?<![。！？])[。！？]++[」』）】”’*_]*+)"
)
_WORD = re.compile(r"[^\s(\[\"'“‘/]+$")
_LONGEST = 24  # characters that an abbreviation can have
_OPENING = "\"'“‘«([*_~"
_ABBREVIATIONS = frozenset(
    "e.g eg i.e ie cf vs viz resp approx incl excl esp al ca mr mrs ms dr prof st jr sr"
    " inc ltd co corp dept est ex min max misc a.k.a w.r.t z.b d.h u.a bzw ggf usw p.ex"
    " jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
# Abbreviations only when a number follows: "No. 5", but "No. Use tabs."
_NUMBERED = frozenset("no nr fig figs sec secs ch art p pp vol eq eqs ver rev".split())


def split(text: str, *, casual: bool = False) -> list[tuple[int, int]]:
    """The spans of the sentences of `text`, which has its line breaks joined.

    Casual writers begin sentences with lower-case letters.
    """
    spans = []
    start = 0
    for spot in _SPOT.finditer(text):
        if spot.lastgroup is None:
            continue
        end = spot.end()
        after = end
        while after < len(text) and text[after].isspace():
            after += 1
        if after == len(text):
            break
        if spot.lastgroup == "stop":
            first = _first_letter(text, after)
            if first.islower() and not casual:
                continue
            if not _ends(text, start, spot.start(), first):
                continue
        spans.append((start, end))
        start = after
    if text[start:].strip():
        spans.append((start, len(text.rstrip())))
    return spans


def _first_letter(text: str, at: int) -> str:
    """What the next sentence would begin with, behind quotes and emphasis."""
    while at < len(text) - 1 and text[at] in _OPENING:
        at += 1
    return text[at]


def _ends(text: str, start: int, stop: int, first: str) -> bool:
    """Whether the full stop at `stop` ends the sentence that began at `start`."""
    if text[stop] != "." or text.startswith("...", stop):
        return True
    found = _WORD.search(text[max(start, stop - _LONGEST) : stop])
    if found is None:
        return True
    word = found.group().lstrip("*_").lower()
    if stop - len(word) <= start + 2 and word.isdigit():
        return False  # a list number at the very beginning
    if word in _ABBREVIATIONS or (word in _NUMBERED and first.isdigit()):
        return False
    initials = word.isascii() and all(
        len(p) == 1 and p.isalpha() for p in word.split(".")
    )
    return not initials or word == "i"
