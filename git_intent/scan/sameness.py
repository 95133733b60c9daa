"""Do two sentences say the same rule in other words? Conservative: in doubt, no.

A sentence is reduced to a shape: its content words in order, stemmed and with a few
safe synonyms joined; and apart from them what must never differ: numbers, identifiers,
strength (must, should, may), negation and conditions. Two shapes are one rule if the
guarded parts are equal and the words are too. Adverbs that only one side has ("push
directly") are left to a similarity measure; any other word narrows or changes a rule,
and no measure tells "use tabs in Go files" from "use tabs in files". Words this file
does not know, in any language, count as content, so they too must be equal.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

#: One score in -1..1 for each pair (a[i], b[i]).
Similarity = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
#: From here on two close shapes are taken for one rule.
CLOSE = 0.95

_TOKEN = re.compile(r"--?[\w-]+|[^\W_](?:[\w./:@+#-]*\w)?(?:'\w+)?|[^\W_]", re.UNICODE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_IDENTIFIER = re.compile(r"[\w)][_./:@#+][\w(]|[a-z][A-Z]|^--?\w|[A-Za-z]\d|\d[A-Za-z]")
_LIGHT = frozenset(
    "a an the to of for in on at by with as is are be been being was were it its this "
    "that these those there you your we our they their them i do does did done so "
    "please also just very any all every each when if then have has had".split()
)
_ADVERB = re.compile(r"\w{3,}ly")
_NEGATIONS = frozenset(
    "not never no none neither nor without avoid refrain forbid forbidden prohibit "
    "prohibited disallow disallowed cannot".split()
)
_CONDITIONS = frozenset(
    "only unless except until before after if when while first last least most more "
    "less and or instead rather than outside inside".split()
)
_ORDERING = frozenset("before after from into than over under instead rather".split())
_STRENGTHS = {
    "may": "may",
    "can": "may",
    "might": "may",
    "optional": "may",
    "optionally": "may",
    "allowed": "may",
    "should": "should",
    "ought": "should",
    "prefer": "should",
    "preferably": "should",
    "recommended": "should",
    "must": "must",
    "shall": "must",
    "always": "must",
    "required": "must",
    "need": "must",
    "needs": "must",
    "ensure": "must",
    "sure": "must",
    "make": "",  # of "make sure"; a plain "make" stays a word, see `_words`
}
_SYNONYMS = {
    "repository": "repo",
    "documentation": "doc",
    "configuration": "config",
    "directory": "folder",
    "dir": "folder",
    "execute": "run",
    "utilise": "use",
    "utilize": "use",
    "employ": "use",
    "delete": "remove",
    "prs": "pr",
}
_PHRASES = (
    ("pull request", "pr"),
    ("merge request", "pr"),
    ("check in", "commit"),
    ("prior to", "before"),
    ("make sure", "ensure"),
    ("told to do so", "told"),
    ("at all times", "always"),
)


class Likeness(StrEnum):
    SAME = "same"
    CLOSE = "close"  # for a similarity measure to decide
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a sentence counts when it is compared; see the module's text."""

    words: tuple[str, ...]
    bag: frozenset[str]
    numbers: tuple[str, ...]
    identifiers: frozenset[str]
    strength: str
    negations: int
    conditions: tuple[str, ...]


def shape(text: str) -> Shape:
    """The shape of one sentence; markup and the case of plain words do not count."""
    plain = re.sub(r"[`*]|\b__?|__?\b", "", text).replace("’", "'")
    tokens = _TOKEN.findall(plain)
    identifiers = frozenset(t for t in tokens if _IDENTIFIER.search(t))
    lowered = " ".join(tokens).casefold().replace("n't", " not")
    for phrase, short in _PHRASES:
        lowered = re.sub(rf"\b{phrase}(s?)\b", short, lowered)
    words = lowered.split()
    kept = tuple(_words(words))
    return Shape(
        words=kept,
        bag=frozenset(kept),
        numbers=tuple(sorted(_NUMBER.findall(plain))),
        identifiers=identifiers,
        strength=_strength(words),
        negations=sum(w in _NEGATIONS for w in words),
        conditions=tuple(sorted(w for w in words if w in _CONDITIONS)),
    )


def likeness(a: Shape, b: Shape) -> Likeness:
    """Whether two shapes are one rule."""
    if not a.bag or not b.bag or not _guards_agree(a, b):
        return Likeness.DIFFERENT
    if a.bag == b.bag:
        ordered = _ORDERING & {*a.words, *b.words, *a.conditions}
        if ordered and a.words != b.words:
            return Likeness.DIFFERENT
        return Likeness.SAME
    one_sided = a.bag < b.bag or b.bag < a.bag
    if one_sided and all(_ADVERB.fullmatch(word) for word in a.bag ^ b.bag):
        return Likeness.CLOSE
    return Likeness.DIFFERENT


class Lookup:
    """Finds the known sentence that a new one repeats in other words."""

    def __init__(self, known: Iterable[str], similarity: Similarity) -> None:
        self._similarity = similarity
        self._texts: list[str] = []
        self._shapes: list[Shape] = []
        self._by_word: dict[str, list[int]] = {}
        for text in known:
            self.add(text)

    def add(self, text: str) -> None:
        number = len(self._texts)
        self._texts.append(text)
        self._shapes.append(shape(text))
        for word in self._shapes[-1].bag:
            self._by_word.setdefault(word, []).append(number)

    def find(self, text: str) -> list[str]:
        """The known sentences that say the same, those surest first."""
        wanted = shape(text)
        same, close = [], []
        for number in self._sharing(wanted):
            like = likeness(wanted, self._shapes[number])
            if like == Likeness.SAME:
                same.append(self._texts[number])
            elif like == Likeness.CLOSE:
                close.append(self._texts[number])
        if close:
            scores = self._similarity([text] * len(close), close)
            same += [c for c, s in zip(close, scores, strict=True) if s >= CLOSE]
        return same

    def _sharing(self, wanted: Shape) -> list[int]:
        """Known sentences with at least half of the words, in the order known."""
        counts: Counter[int] = Counter()
        for word in wanted.bag:
            counts.update(self._by_word.get(word, ()))
        return sorted(n for n, c in counts.items() if c * 2 >= len(wanted.bag))


def _words(words: Sequence[str]) -> Iterable[str]:
    dropped = _LIGHT | _NEGATIONS | set(_STRENGTHS) - {"make"}
    for word in words:
        if word not in dropped:
            root = stem(word)
            yield _BY_STEM.get(root, root)


def stem(word: str) -> str:
    """The word without its commonest English endings."""
    if not word.isalpha() or len(word) < 4 or _ADVERB.fullmatch(word):
        return word
    for ending in ("ing", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            if ending == "s" and word.endswith("ss"):
                break
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


_BY_STEM = {stem(word): stem(other) for word, other in _SYNONYMS.items()}


def _strength(words: Sequence[str]) -> str:
    """The weakest modal word; a bare imperative is as strong as *must*."""
    found = {_STRENGTHS.get(word, "") for word in words}
    return "may" if "may" in found else "should" if "should" in found else "must"


def _guards_agree(a: Shape, b: Shape) -> bool:
    return (
        a.numbers == b.numbers
        and a.identifiers == b.identifiers
        and a.strength == b.strength
        and a.negations == b.negations
        and a.conditions == b.conditions
    )
