"""What the classifier looks at, as numbers: hashed n-grams, word classes, structure.

Every feature is a bucket in a table of 2**18 weights; no word of any document is kept.
A feature block is a list of buckets with one scale, so a score is the sum over the
blocks of scale / sqrt(size) * (sum of the weights in the buckets). Trainer and
classifier share this file and `scan.tokens`: weights fit only the version of them that
trained them, so `VERSION` changes with every change of what is computed here or there.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from math import sqrt
from operator import or_
from typing import NamedTuple
from zlib import crc32

from git_intent.scan.cues import bare, cues
from git_intent.scan.file_kind import file_kind
from git_intent.scan.lexicon import CLASSES
from git_intent.scan.statement import Statement
from git_intent.scan.tokens import HASH, SHIFT, tokens_of

VERSION = 8
BITS = 18
_MASK = (1 << BITS) - 1
_SHORT = 60  # characters of a lead-in that goes before every item
_ENDINGS = ".:?!;,)`。"


class _Names(dict[str, int]):
    """The bucket of each named feature; names are a small closed set."""

    def __missing__(self, name: str) -> int:
        bucket = self[name] = crc32(name.encode()) & _MASK
        return bucket


_NAMES = _Names()
_START, _END = (crc32(edge) & HASH for edge in (b"^", b"$"))

# c: in the statement, f: its first word, h: in the headings, v and n: before and after.
_CLASS_BUCKETS = {
    space: [_NAMES[f"{space}:{name}"] for name in CLASSES] for space in "cfhvngk"
}

Block = tuple[float, list[int]]  # the scale and the buckets that share it


def describe(
    statements: Sequence[Statement], path: str, mode: str
) -> Iterator[list[Block]]:
    """The features of each statement of one document."""
    page = _Page(f"kind:{file_kind(path, mode)}", "" if mode == "doc" else mode)
    for statement in statements:
        yield page.features(statement)


class _Text(NamedTuple):
    """A text as it is counted: its tokens, their hashes, all their classes."""

    tokens: list[int]
    words: list[int]
    classes: int


class _Context(NamedTuple):
    """What stands above a statement, a heading or a lead-in, with its block."""

    words: list[int]
    classes: int
    block: Block


class _Place(NamedTuple):
    """What statements under the same headings and lead-in have in common."""

    begun: list[int] | None  # the tokens that one reads before each of them
    begun_classes: int
    title: list[int]  # the words of the outermost heading
    blocks: tuple[Block, Block, Block]
    head: list[int]  # words of the heading, to be crossed with a first word
    crossed: list[int]  # words of the heading and the lead-in with the segment
    above: tuple[int, ...]  # the classes of the headings
    page: list[int]  # the kind of the page, alone and with the segment


class _Page:
    """One document: what its statements share is computed once.

    Commits and prompts are few and speak their own way (a past tense, a bare order), so
    they have features of their own beside those they share with documents.
    """

    def __init__(self, kind: str, own: str) -> None:
        self.kind = kind
        self.own = own
        self.known: dict[tuple[str, str], _Context] = {}
        self.texts: dict[str, _Text] = {"": _Text([], [], 0)}
        self.places: dict[tuple[tuple[str, ...], str, str], _Place] = {}

    def features(self, s: Statement) -> list[Block]:
        tokens, words, classes = self._text(s.text)
        segment = s.segment.value
        place = self._place(s.headings, s.lead_in, segment)
        begun = place.begun
        first = begun or tokens
        told = [
            *_shape(_looks(s, segment, len(tokens))),
            *_classes("c", classes | place.begun_classes),
        ]
        for space, token in zip("fgk", first, strict=False):
            told += _classes(space, token >> SHIFT)
        if words and words[0] in place.title:
            told.append(_NAMES["first-in-title"])
        around = (
            *place.above,
            *_classes("v", self._text(s.previous).classes),
            *_classes("n", self._text(s.following).classes),
            *place.page,
        )
        blocks = [
            _scaled(4.0, _grams("s", words, 3)),
            *place.blocks,
            _scaled(1.0, _crosses(segment, words, place)),
            (0.35, _pairs(first, classes)),
            (0.5, [*told, *around]),
        ]
        if begun is not None:
            beginning = [t & HASH for t in (begun + tokens)[:12]]
            blocks.append(_scaled(2.0, _grams("s", beginning, 2)))
        if self.own:
            blocks += self._of_its_own(s, told)
        return [block for block in blocks if block[1]]

    def _of_its_own(self, s: Statement, told: list[int]) -> list[Block]:
        """What only commits or only prompts are judged by."""
        base = _NAMES[self.own]
        said = bare(s.text)
        tokens = tokens_of(said, 64)
        words = [t & HASH for t in tokens]
        hints = [f"{self.own}:cue:{name}" for name in cues(said)]
        if s.headings:
            hints += [f"{self.own}:above:{name}" for name in cues(bare(s.heading))]
        hints += [f"{h}:{'body' if s.headings else 'subject'}" for h in hints]
        first = tokens[0] >> SHIFT if tokens else 0
        told = told + [_NAMES[f"own-first:{b}"] for b in range(64) if first >> b & 1]
        return [
            _scaled(4.0, _grams(self.own, words, 2)),
            (0.5, [(bucket * 31 + base) & _MASK for bucket in told]),
            (1.0, [_NAMES[name] for name in hints]),
        ]

    def _place(self, headings: tuple[str, ...], lead_in: str, segment: str) -> _Place:
        """A list's items share one, and so do the sentences of a section."""
        key = headings, lead_in, segment
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = self._new_place(*key)
        return found

    def _new_place(
        self, headings: tuple[str, ...], lead_in: str, segment: str
    ) -> _Place:
        head = self._context("h", headings[-1], 14, 0.5) if headings else _NOTHING
        above = self._context("p", headings[-2], 14, 0.3) if headings[1:] else _NOTHING
        lead = self._context("l", lead_in[-220:], 30, 1.0) if lead_in else _NOTHING
        title = self._context("h", headings[0], 14, 0.5) if headings else _NOTHING
        begun = _begun(lead_in)
        kind = _NAMES[segment]
        at_head = _NAMES["head-first"]
        near = [h * 31 + at_head for h in head.words[:8]]
        return _Place(
            begun,
            _union(begun or ()),
            title.words,
            (head.block, above.block, lead.block),
            near,
            [
                *((h + kind) & _MASK for h in near),
                *((w * 31 + kind) & _MASK for w in lead.words[-6:]),
            ],
            _classes("h", head.classes | above.classes),
            [_NAMES[self.kind], _NAMES[f"{self.kind}:{segment[:6]}"]],
        )

    def _text(self, text: str) -> _Text:
        """A statement as counted; it is its neighbours' neighbour, too."""
        found = self.texts.get(text)
        if found is None:
            tokens = tokens_of(text, 64)
            words = [t & HASH for t in tokens]
            found = self.texts[text] = _Text(tokens, words, _union(tokens))
        return found

    def _context(self, space: str, text: str, limit: int, scale: float) -> _Context:
        found = self.known.get((space, text))
        if found is None:
            tokens = tokens_of(text, limit)
            words = [t & HASH for t in tokens]
            block = _scaled(scale, _grams(space, words, 2))
            found = self.known[space, text] = _Context(words, _union(tokens), block)
        return found


_NOTHING = _Context([], 0, (1.0, []))


def _union(tokens: Sequence[int]) -> int:
    """All classes of all the tokens."""
    return reduce(or_, tokens, 0) >> SHIFT


def _begun(lead_in: str) -> list[int] | None:
    """The tokens that one reads before an item: a short lead-in, "Do not:" over a list.

    Without its colon; None if the lead-in is none of that kind.
    """
    if len(lead_in) >= _SHORT or not lead_in.endswith((":", "：")):
        return None
    return tokens_of(lead_in, 14)[:-1]


def _scaled(scale: float, buckets: list[int]) -> Block:
    return scale / sqrt(len(buckets) or 1), buckets


def _grams(space: str, words: list[int], longest: int) -> list[int]:
    if not words:
        return []
    base = _NAMES[space]
    padded = [_START, *words, _END]
    found = [(a + base) & _MASK for a in words]
    pairs = [(a * 31 + b + base) & _MASK for a, b in pairwise(padded)]
    found += pairs
    if longest > 2:
        rest = base - 31 * base  # a pair times 31 has the base 31 times
        triples = zip(pairs, padded[2:], strict=False)
        found += [(pair * 31 + c + rest) & _MASK for pair, c in triples]
    return found


def _crosses(segment: str, words: list[int], place: _Place) -> list[int]:
    """First words with the segment and the heading; words around with the segment."""
    if not words:
        return []
    first = words[0]
    kind = _NAMES[segment]
    pair = words[1] if len(words) > 1 else _END
    found = [(first + kind) & _MASK, (first * 31 + pair + kind) & _MASK]
    found += [(h + first) & _MASK for h in place.head]
    found += place.crossed
    return found


@lru_cache(maxsize=4096)
def _classes(space: str, classes: int) -> tuple[int, ...]:
    """A bucket for each class whose bit is set."""
    buckets = _CLASS_BUCKETS[space]
    found = []
    while classes:
        low = classes & -classes
        found.append(buckets[low.bit_length() - 1])
        classes ^= low
    return tuple(found)


def _pairs(first: Sequence[int], classes: int) -> list[int]:
    """The classes of the first word with all others, and with the second word's."""
    if not first:
        return []
    second = first[1] >> SHIFT if len(first) > 1 else 0
    begun = first[0] >> SHIFT
    return [*_crossed(begun, classes, "fc"), *_crossed(begun, second, "fg")]


@lru_cache(maxsize=20_000)
def _crossed(these: int, those: int, space: str) -> tuple[int, ...]:
    base = _NAMES[space]
    mine = _classes("f", these) or (_NAMES["f:none"],)
    return tuple(
        (a * 31 + b * 17 + base) & _MASK for a in mine for b in _classes("c", those)
    )


class _Looks(NamedTuple):
    """The shape of a statement; many have the same."""

    segment: str
    size: int
    end: str
    begin: str
    code: int
    depth: int
    headings: int
    lead: str
    edges: tuple[bool, bool, bool, bool]  # which of `_EDGES` it has


_EDGES = ("quoted", "opening", "closing", "bold")


def _looks(s: Statement, segment: str, size: int) -> _Looks:
    text = s.text
    lead = s.lead_in
    return _Looks(
        segment,
        min(size // 4, 12),
        text[-1] if text[-1] in _ENDINGS else "x",
        _begin(text[0]),
        min(text.count("`") // 2, 4),
        min(s.depth, 3),
        min(len(s.headings), 4),
        lead and ("lead:colon" if lead[-1] == ":" else "lead"),
        (s.quoted, not s.previous, not s.following, text.startswith("**")),
    )


@lru_cache(maxsize=4096)
def _shape(looks: _Looks) -> tuple[int, ...]:
    names = [
        f"segment:{looks.segment}",
        f"size:{looks.size}",
        f"end:{looks.end}",
        f"begin:{looks.begin}",
        f"code:{looks.code}",
        f"depth:{looks.depth}",
        f"headings:{looks.headings}",
    ]
    if looks.lead:
        names.append(looks.lead)
    names += [name for name, has in zip(_EDGES, looks.edges, strict=True) if has]
    return tuple(_NAMES[name] for name in names)


def _begin(first: str) -> str:
    if first.isupper():
        return "upper"
    if first.islower():
        return "lower"
    return first if first in "`[*_<|\"'(" else "other"
