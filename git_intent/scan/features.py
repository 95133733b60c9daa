"""What the classifier looks at, as numbers: hashed n-grams, word classes, structure.

Every feature is a bucket in a table of 2**18 weights; no word of any document is kept.
A feature block is a list of buckets with one scale, so a score is the sum over the
blocks of scale / sqrt(size) * (sum of the weights in the buckets). Trainer and
classifier share this file: weights fit only the version of it that trained them, so
`VERSION` changes with every change of what is computed here.
"""

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from math import sqrt
from operator import or_
from typing import NamedTuple
from zlib import crc32

from git_intent.scan.lexicon import CLASSES, WORDS
from git_intent.scan.statement import Statement

VERSION = 6
BITS = 18
_MASK = (1 << BITS) - 1
_HASH = (1 << 24) - 1  # the part of a token's number that is its hash
_SHIFT = 24  # above it: one bit for each class that the word belongs to

_TOKEN = re.compile(
    r"`+[^`]+`+"
    r"|\]\([^()\s]*\)"
    r"|<?https?://[^\s>)]+>?"
    r"|\.{0,2}[\w.@*-]*/[\w./*@<>-]+"
    r"|\d[\d.,]*"
    r"|[A-Za-z]+(?:['’][a-z]+)?"
    r"|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[^\W\d_]+"
    r"|[^\w\s*_\[\]]"
)


_READ = 1_000  # characters of a statement that are looked at
_SHORT = 60  # characters of a lead-in that goes before every item
_ENDINGS = ".:?!;,)`。"
_KINDS = tuple(
    (kind, re.compile(like))
    for kind, like in (
        ("agent", r"agents?\.md|claude|copilot|gemini|\.cursor|skill|windsurf|\.rules"),
        ("template", r"template"),
        ("changelog", r"change|news|history|release.?notes"),
        ("readme", r"readme"),
        ("style", r"style|convention|standard|guidelines?"),
        ("contributing", r"contribut|hacking|develop|commit"),
        ("policy", r"polic|governance|release|support|security|version|backport"),
        ("policy", r"lts|scope|roadmap|deprecat|cherry"),
        ("adr", r"adr|rfc|decision|hip|proposal|enhancement|/0\d\d\d"),
        ("runbook", r"runbook|alert|playbook"),
        ("maintaining", r"maintain|triag|review"),
        ("design", r"design|architect|internals|model|spec"),
        ("howto", r"howto|guide|tutorial|manual|docs?/"),
    )
)


class _Tokens(dict[str, int]):
    """The number of each token seen; bounded, so that no document can fill memory."""

    limit = 60_000

    def __missing__(self, token: str) -> int:
        if len(self) >= self.limit:
            self.clear()
        number = self[token] = _number(token)
        return number


class _Names(dict[str, int]):
    """The bucket of each named feature; names are a small closed set."""

    def __missing__(self, name: str) -> int:
        bucket = self[name] = crc32(name.encode()) & _MASK
        return bucket


def _number(token: str) -> int:
    first = token[0]
    if first == "]":
        return 0
    if first == "`":
        word, kinds = "CODE", 1 << CLASSES.index("code")
    elif "://" in token:
        word, kinds = "URL", 1 << CLASSES.index("url")
    elif "/" in token and len(token) > 1:
        word, kinds = "PATH", 1 << CLASSES.index("path")
    elif first.isdigit():
        word, kinds = "NUM", 1 << CLASSES.index("number")
    else:
        word = token.lower().replace("’", "'")
        kinds = WORDS.get(word, 0)
        if len(token) > 2 and token.isupper():
            kinds |= 1 << CLASSES.index("shouted")
    return ((crc32(word.encode()) & _HASH) or 1) | kinds << _SHIFT


_TOKENS = _Tokens()
_NAMES = _Names()
_START, _END = (crc32(edge) & _HASH for edge in (b"^", b"$"))

# c: in the statement, f: its first word, h: in the headings, v and n: before and after.
_CLASS_BUCKETS = {
    space: [_NAMES[f"{space}:{name}"] for name in CLASSES] for space in "cfhvn"
}

Block = tuple[float, list[int]]  # the scale and the buckets that share it


def describe(
    statements: Sequence[Statement], path: str, mode: str
) -> Iterator[list[Block]]:
    """The features of each statement of one document."""
    page = _Page(f"kind:{file_kind(path, mode)}", "" if mode == "doc" else mode)
    for statement in statements:
        yield page.features(statement)


class _Page:
    """One document: what its statements share is computed once.

    Commits and prompts are few and speak their own way (a past tense, a bare order), so
    they have features of their own beside those they share with documents.
    """

    def __init__(self, kind: str, own: str) -> None:
        self.kind = kind
        self.own = own
        self.known: dict[str, _Context] = {}
        self.texts: dict[str, list[int]] = {}

    def features(self, s: Statement) -> list[Block]:
        segment = s.segment.value
        tokens = self._text(s.text)
        words = [t & _HASH for t in tokens]
        head = self._context("h", s.headings[-1], 14) if s.headings else _NOTHING
        above = self._context("p", s.headings[-2], 14) if s.headings[1:] else _NOTHING
        lead = self._context("l", s.lead_in[-220:], 30) if s.lead_in else _NOTHING
        whole = _completed(s.lead_in, tokens)
        told = [_NAMES[name] for name in _shape(s, len(tokens))]
        told += _classes("c", _union(whole))
        told += _classes("f", whole[0] >> _SHIFT if whole else 0)
        around = _classes("h", head.classes | above.classes)
        around += _classes("v", _union(self._text(s.previous)))
        around += _classes("n", _union(self._text(s.following)))
        around += [_NAMES[self.kind], _NAMES[f"{self.kind}:{segment[:6]}"]]
        blocks = [
            _scaled(4.0, _grams("s", words, 3)),
            _scaled(0.5, head.grams),
            _scaled(0.3, above.grams),
            _scaled(1.0, lead.grams),
            _scaled(1.0, _crosses(segment, words, head.words, lead.words)),
            (0.5, told + around),
        ]
        if whole is not tokens:
            beginning = [t & _HASH for t in whole[:12]]
            blocks.append(_scaled(2.0, _grams("s", beginning, 2)))
        if self.own:
            blocks.append(_scaled(4.0, _grams(self.own, words, 2)))
            base = _NAMES[self.own]
            blocks.append((0.5, [(bucket * 31 + base) & _MASK for bucket in told]))
        return [block for block in blocks if block[1]]

    def _text(self, text: str) -> list[int]:
        """The tokens of a statement, which is also its neighbours' neighbour."""
        found = self.texts.get(text)
        if found is None:
            found = self.texts[text] = _tokens(text, 64)
        return found

    def _context(self, space: str, text: str, limit: int) -> "_Context":
        """What stands above a statement: a heading or a lead-in."""
        key = space + text
        found = self.known.get(key)
        if found is None:
            tokens = _tokens(text, limit)
            words = [t & _HASH for t in tokens]
            grams = _grams(space, words, 2)
            found = self.known[key] = _Context(words, grams, _union(tokens))
        return found


class _Context(NamedTuple):
    words: list[int]
    grams: list[int]
    classes: int


_NOTHING = _Context([], [], 0)


def _union(tokens: list[int]) -> int:
    """All classes of all the tokens."""
    return reduce(or_, tokens, 0) >> _SHIFT


def file_kind(path: str, mode: str) -> str:
    """What a document is for, by its name."""
    if mode != "doc":
        return mode
    lowered = path.lower()
    return next((kind for kind, like in _KINDS if like.search(lowered)), "other")


def _tokens(text: str, limit: int) -> list[int]:
    found = _TOKEN.findall(text[:_READ])
    return [t for t in map(_TOKENS.__getitem__, found[:limit]) if t]


def _completed(lead_in: str, tokens: list[int]) -> list[int]:
    """The tokens as one reads them: behind a short lead-in, "Do not:" over a list."""
    if len(lead_in) >= _SHORT or not lead_in.endswith((":", "：")):
        return tokens
    return _tokens(lead_in, 14)[:-1] + tokens  # without the colon


def _scaled(scale: float, buckets: list[int]) -> Block:
    return scale / sqrt(len(buckets) or 1), buckets


def _grams(space: str, words: list[int], longest: int) -> list[int]:
    if not words:
        return []
    base = _NAMES[space]
    padded = [_START, *words, _END]
    found = [(a + base) & _MASK for a in words]
    found += [(a * 31 + b + base) & _MASK for a, b in pairwise(padded)]
    if longest > 2:
        triples = zip(padded, padded[1:], padded[2:], strict=False)
        found += [(a * 961 + b * 31 + c + base) & _MASK for a, b, c in triples]
    return found


def _crosses(
    segment: str, words: list[int], head: list[int], lead: list[int]
) -> list[int]:
    """First words with the segment and the heading; words around with the segment."""
    if not words:
        return []
    first = words[0]
    kind = _NAMES[segment]
    at_head = _NAMES["head-first"]
    pair = words[1] if len(words) > 1 else _END
    found = [(first + kind) & _MASK, (first * 31 + pair + kind) & _MASK]
    found += [(h * 31 + first + at_head) & _MASK for h in head[:8]]
    found += [(h * 31 + kind + at_head) & _MASK for h in head[:8]]
    found += [(w * 31 + kind) & _MASK for w in lead[-6:]]
    return found


def _classes(space: str, classes: int) -> list[int]:
    """A bucket for each class whose bit is set."""
    buckets = _CLASS_BUCKETS[space]
    found = []
    while classes:
        low = classes & -classes
        found.append(buckets[low.bit_length() - 1])
        classes ^= low
    return found


def _shape(s: Statement, size: int) -> Iterator[str]:
    text = s.text
    yield f"segment:{s.segment.value}"
    yield f"size:{min(size // 4, 12)}"
    yield f"end:{text[-1] if text[-1] in _ENDINGS else 'x'}"
    yield f"begin:{_begin(text[0])}"
    yield f"code:{min(text.count('`') // 2, 4)}"
    yield f"depth:{min(s.depth, 3)}"
    yield f"headings:{min(len(s.headings), 4)}"
    if s.lead_in:
        yield "lead:colon" if s.lead_in[-1] == ":" else "lead"
    if s.quoted:
        yield "quoted"
    if not s.previous:
        yield "opening"
    if not s.following:
        yield "closing"
    if text.startswith("**"):
        yield "bold"


def _begin(first: str) -> str:
    if first.isupper():
        return "upper"
    if first.islower():
        return "lower"
    return first if first in "`[*_<|\"'(" else "other"
