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
    r"|(?P<stop>[.!?…]+[\"'”’»)\]*_]*)(?=\s)"
    r"|(?P<wide>[。！？]+[」』）】”’*_]*)"
)
_WORD = re.compile(r"[^\s(\[\"'“‘/]+$")
_OPENING = "\"'“‘«([*_~"
_ABBREVIATIONS = frozenset(
    "e.g eg i.e ie cf vs viz resp approx incl excl esp al ca mr mrs ms dr prof st jr sr"
    " inc ltd co corp dept est ex min max misc a.k.a w.r.t z.b d.h u.a bzw ggf usw p.ex"
    " jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
# Abbreviations only when a number follows: "No. 5", but "No. Use tabs."
_NUMBERED = frozenset("no nr fig figs sec secs ch art p pp vol eq eqs ver rev".split())


def split(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of `text`, which has its line breaks joined."""
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
        if spot.lastgroup == "stop" and not _ends(text, start, spot.start(), after):
            continue
        spans.append((start, end))
        start = after
    if text[start:].strip():
        spans.append((start, len(text.rstrip())))
    return spans


def _ends(text: str, start: int, stop: int, after: int) -> bool:
    """Whether the full stop at `stop` ends the sentence that began at `start`."""
    following = after
    while following < len(text) - 1 and text[following] in _OPENING:
        following += 1
    first = text[following]
    if first.islower():
        return False
    if text[stop] != "." or text.startswith("...", stop):
        return True
    found = _WORD.search(text, start, stop)
    if found is None:
        return True
    word = found.group().lstrip("*_").lower()
    if found.start() <= start + 2 and word.isdigit():
        return False  # a list number at the very beginning
    if word in _ABBREVIATIONS or (word in _NUMBERED and first.isdigit()):
        return False
    return not (len(word) == 1 and word.isalpha() and word != "i" and word.isascii())
