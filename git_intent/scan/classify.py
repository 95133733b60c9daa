"""How likely each statement of a document is durable intent, and how sure we are.

Two logistic regressions, over `scan.features` and over `scan.spelling`, then a second,
tiny one over their results and the mean of what stands around: the rest of the section,
and for documents the whole page (a page of rules is read differently from a page with
one). Probabilities are calibrated by cross-validation, see `tools/train_classifier.py`,
which writes the weights.

A weights file is one line of JSON (bias and scale of both tables, the second stage and
the tiers for each mode) and, behind its line break, the zlib-packed weights of both:
one signed byte a bucket, whose square times the table's `scale` is the weight.
"""

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.scan import features, spelling
from git_intent.scan.asides import is_aside
from git_intent.scan.file_kind import file_kind
from git_intent.scan.spelling import Spelling
from git_intent.scan.statement import Segment, Statement
from git_intent.store.requirement import Confidence

BUNDLED = Path(__file__).parent / "weights" / "statements.bin"
FORM = 3
_MODES = ("doc", "commit", "prompt")
#: The factors of the second stage, in the order of its results.
FACTORS = ("logit", "spelling", "section", "page", "bias")
_TABLES = (("features", features), ("spelling", spelling))
# How much the spelling counts where the statements around are judged.
_SPELLING_AROUND = 0.6

# Kinds of sources whose best statements are right less often than `high` promises.
_CAPPED = frozenset({"adr", "howto", "readme", "changelog", "commit", "prompt"})
# Pages about the product, where two in ten of the less certain ones were rules.
_WARY = frozenset({"howto", "readme", "changelog"})
_CERTAIN = 0.93
_RELEASE_NOTES = re.compile(r"(?:^|/)(?:releases?|changelogs?|whatsnew)/", re.I)
# A page of rules lifts what stands between them: below this, four in ten were none.
_BETWEEN_RULES = 0.77
# Headings under which decisions are weighed, not made: one in eight was a rule.
_WEIGHED = re.compile(
    r"\b(?:options?|alternatives?|context|motivation|background|rationale|considered"
    r"|history|rejected|future work|pros|cons)\b",
    re.IGNORECASE,
)


# A bare order over a list. No labelled document has one, so its weight is set by hand.
_ORDER = re.compile(
    r"\W*(?:please\s+|you\s+|we\s+)?(?:do|don['’]t|must|mustn['’]t|should|shouldn['’]t|shall"
    r"|never|always|avoid|prefer)(?:\s+(?:not|never|always))*\W*[:：]\W*$",
    re.IGNORECASE,
)
_ORDERED = 2.0

# What lifts a rule, or tells that there is none, instead of making one.
_LIFTED = re.compile(
    r"\W*(?:it(?:'s|’s| is) (?:not|no longer) (?:true|the case|necessary|required)"
    r"|there (?:is|are) no (?:rule|need|requirement)"
    r"|(?:you|we) (?:do not|don['’]t|no longer) (?:need|have) to\b)"
    r"|[^.]* (?:is|are) no longer (?:a rule|required|needed|necessary|true)\W*$",
    re.IGNORECASE,
)


# A rule that somebody is quoted with, and the words of licences.
_REPORTED = re.compile(
    r"\b(?:said|says|wrote|claim(?:s|ed)|told|stated|suggested|used to (?:say|read))\b"
    r"[:,]?\s[^\"“«]{0,24}[\"“«]",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"\b(?:permission is hereby|you may not use this (?:file|work)|copyright notice"
    r"|redistributions? (?:of|in)\b|warrant(?:y|ies)\b|merchantability|licensor"
    r"|in compliance with the licen[sc]e|derivative works)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Tiers:
    """The least probability of each confidence."""

    high: float
    medium: float
    low: float


@dataclass(frozen=True, slots=True)
class Mode:
    """What one kind of source needs: factors of the second stage, and its tiers."""

    logit: float
    spelling: float
    section: float
    page: float
    bias: float
    tiers: Tiers


@dataclass(frozen=True, slots=True)
class Classifier:
    weights: list[float]
    bias: float
    spelling: Spelling
    modes: dict[str, Mode]

    @classmethod
    def load(cls, path: Path | None = None) -> "Classifier":
        """The bundled classifier, or the one whose weights are in `path`."""
        path = path or BUNDLED
        try:
            head, packed = path.read_bytes().split(b"\n", 1)
            header = json.loads(head)
            made_for = (header["form"], *(header[n]["version"] for n, _ in _TABLES))
            if made_for != (FORM, *(table.VERSION for _, table in _TABLES)):
                raise IntentError(
                    f"{path}: made for another version of the classifier",
                    "make it anew with tools/train_classifier.py",
                )
            (weights, bias), letters = _tables(header, zlib.decompress(packed))
            modes = {name: _mode(header["modes"][name]) for name in _MODES}
            return cls(weights, bias, Spelling(*letters), modes)
        except OSError as error:
            raise IntentError(
                f"{path}: cannot read the classifier's weights: {error.strerror}",
                "give a file that tools/train_classifier.py has written",
            ) from error
        except (ValueError, KeyError, TypeError, zlib.error) as error:
            raise IntentError(
                f"{path}: not a file of classifier weights",
                "give a file that tools/train_classifier.py has written",
            ) from error

    def score(
        self, statements: Sequence[Statement], path: str, mode: str
    ) -> list[float]:
        """The probability that each statement, of one document, is durable intent."""
        logits = self.logits(statements, path, mode)
        if not logits:
            return []
        spelt = [self.spelling.logit(s.text) for s in statements]
        stage = self.modes[mode]
        near = together(logits, spelt)
        offset = stage.bias + stage.page * page_logit(near)
        around = section_logits(statements, near)
        return [
            sigmoid(
                stage.logit * z + stage.spelling * x + stage.section * rest + offset
            )
            for z, x, rest in zip(logits, spelt, around, strict=True)
        ]

    def logits(
        self, statements: Sequence[Statement], path: str, mode: str
    ) -> list[float]:
        """What the features alone say."""
        weight = self.weights.__getitem__
        found = []
        described = features.describe(statements, path, mode)
        for statement, blocks in zip(statements, described, strict=True):
            total = self.bias + (_ORDERED if _orders(statement.lead_in) else 0.0)
            for scale, buckets in blocks:
                total += scale * sum(map(weight, buckets))
            found.append(total)
        return found

    def tier(
        self, p: float, statement: Statement, path: str, mode: str
    ) -> Confidence | None:
        """How sure we are of a statement of probability `p`; None: not offered."""
        tiers = self.modes[mode].tiers
        if p < tiers.low or statement.segment is Segment.FENCE:
            return None
        if mode == "doc" and is_aside(statement.text):
            return None
        if p < tiers.medium or statement.quoted or _is_hedged(statement):
            return Confidence.LOW
        if p < _CERTAIN and _is_about_the_product(path, mode):
            return Confidence.LOW
        announces = statement.text.endswith((":", "："))
        if p < tiers.high:
            lifted = p < _BETWEEN_RULES and file_kind(path, mode) == "agent"
            return Confidence.LOW if announces or lifted else Confidence.MEDIUM
        if announces or _is_capped(path, mode):
            return Confidence.MEDIUM
        return Confidence.HIGH


def together(logits: Sequence[float], spelt: Sequence[float]) -> list[float]:
    """What both tables say of each statement, for those around it."""
    return [z + _SPELLING_AROUND * x for z, x in zip(logits, spelt, strict=True)]


def page_logit(logits: Sequence[float]) -> float:
    """The log odds of a document's mean, drawn to three in ten if it is short."""
    return _log_odds(sum(map(sigmoid, logits)), len(logits))


def section_logits(
    statements: Sequence[Statement], logits: Sequence[float]
) -> list[float]:
    """For each statement the same of the others in its section.

    A section begins with a statement that follows none.
    """
    found: list[float] = []
    start = 0
    for end in range(1, len(logits) + 1):
        if end == len(logits) or not statements[end].previous:
            each = list(map(sigmoid, logits[start:end]))
            total, others = sum(each), end - start - 1
            found += [_log_odds(total - p, others) for p in each]
            start = end
    return found


def _log_odds(total: float, count: int) -> float:
    """Of a mean, drawn to three in ten if there are few."""
    return log((total + 0.6) / (count - total + 1.4))


def sigmoid(z: float) -> float:
    return 1.0 / (1.0 + exp(-z)) if z > -700 else 0.0


@lru_cache(maxsize=256)
def _orders(lead_in: str) -> bool:
    """Whether a lead-in is a bare order; the items below it share the answer."""
    return _ORDER.match(lead_in) is not None


@lru_cache(maxsize=256)
def _is_weighed(heading: str) -> bool:
    return _WEIGHED.search(heading) is not None


def _is_hedged(statement: Statement) -> bool:
    """Whether the statement tells of a rule, or against one, without making it."""
    text = statement.text
    return bool(
        _is_weighed(statement.heading)
        or _LIFTED.match(text)
        or _REPORTED.search(text)
        or _LEGAL.search(text)
    )


def _is_about_the_product(path: str, mode: str) -> bool:
    if mode != "doc":
        return False
    notes = _RELEASE_NOTES.search(path) is not None
    return notes or file_kind(path, mode) in _WARY


def _is_capped(path: str, mode: str) -> bool:
    return file_kind(path, mode) in _CAPPED


def _tables(header: dict[str, Any], data: bytes) -> list[tuple[list[float], float]]:
    """Weights and bias of each table."""
    if len(data) != sum(1 << table.BITS for _, table in _TABLES):
        raise ValueError("wrong number of weights")
    found = []
    for name, table in _TABLES:
        size = 1 << table.BITS
        own, data = data[:size], data[size:]
        scale, bias = float(header[name]["scale"]), float(header[name]["bias"])
        found.append((_weights(own, scale), bias))
    return found


def _weights(data: bytes, scale: float) -> list[float]:
    signed = [q - 256 if q > 127 else q for q in range(256)]
    values = [q * abs(q) * scale for q in signed]
    return list(map(values.__getitem__, data))


def _mode(value: dict[str, float]) -> Mode:
    high, medium, low = (float(value[name]) for name in ("high", "medium", "low"))
    logit, spelt, section, page, bias = (float(value[name]) for name in FACTORS)
    return Mode(logit, spelt, section, page, bias, Tiers(high, medium, low))
