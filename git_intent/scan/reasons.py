"""The reason of a statement: a clause of its own, its last sentence, or the next one.

A clause is taken off only where the statement still says the same without it: "because
…", "since …", "so that …", "otherwise …", "to avoid …" at its end. A following sentence
is a reason if it tells an effect ("This keeps …", "Otherwise …"); that it begins with
"it" is not enough.
"""

import re

from git_intent.scan import sentences
from git_intent.scan.folding import folded

#: One of them stands before every reason: most statements hold none.
_STEMS = (
    "because",
    "since",
    "so that",
    "otherwise",
    "to avoid",
    "to prevent",
    "order to",
)
_CLAUSES = (
    (re.compile(r"[,;]?\s+(?:—\s+|-\s+)?because\s+(?!of\b)(.{12,})$", re.I), 3),
    (re.compile(r"[,;]?\s+(?:—\s+|-\s+)?(because of\s+.{8,})$", re.I), 4),
    (
        re.compile(
            r"[,;]?\s+since\s+(?!the (?:last|first|previous|release|beginning|start|"
            r"initial|introduction)\b)((?:it|they|this|that|these|those|we|you|there|"
            r"the|an?|our|most|some|many|all)\b.{10,})$",
            re.I,
        ),
        3,
    ),
    (re.compile(r"[,;]?\s+(so that\s+.{10,})$", re.I), 4),
    (
        re.compile(
            r"\s*[,;—–]\s*(otherwise,?\s+(?:it|they|the|this|that|these|we|you|your|"
            r"our|there|an?)\b.{8,})$",
            re.I,
        ),
        3,
    ),
    (
        re.compile(
            r",?\s+((?:in order to|to (?:avoid|prevent))\s+[^,;:]{8,})$",
            re.I,
        ),
        6,
    ),
)
# "Try to avoid", "is used to prevent", "how to avoid": no reasons
_LEADS_ON = re.compile(
    r"\b(?:able|aims?|as|attempt|aware|be|best|careful|chance|designed|efforts?|"
    r"especially|ha(?:s|ve)|how|is|are|just|made|mainly|meant|measures|merely|needs?|"
    r"only|order|particularly|partly|power|required|simply|solely|steps|strive|sure|"
    r"tr(?:y|ies)|used?|wants?|ways?|necessary|important|intended|not)$",
    re.I,
)
_CONDITION = re.compile(
    r"(?:if|when|whenever|while|where|unless|once|although)\b", re.I
)
_LABEL = re.compile(
    r"(?:the )?(?:reason|rationale|why)\s*(?:[:—–-]|is(?: that)?)\s*", re.I
)
_STRONG = re.compile(
    r"(?:the )?(?:reason|rationale|why)\s*[:—–-]|"
    r"(?:otherwise|(?:the )?(?:reason|rationale) (?:is|for)|"
    r"because(?! of (?:this|that))|th(?:is|at)(?: is|'s) (?:because|why|to|so)|"
    r"(?:not )?doing (?:so|this)|failing to|without (?:this|it|that|them)|this way)\b",
    re.I,
)
_WEAK = re.compile(r"(?:this|that|it|these|they)\b", re.I)
_OPENS = re.compile(
    r"\W*(?:because|doing|failing|it|not doing|otherwise|rationale|reason|that|the rea|"
    r"the rat|the why|these|they|this|why|without)",
    re.I,
)
_NEAR = re.compile(r"(?:this|that)\b", re.I)
_EFFECT = re.compile(
    r"\b(?:allows?|avoids?|breaks?|causes?|confuses?|costs?|enables?|ensures?|gives?|"
    r"guarantees?|helps?|hides?|hurts?|improves?|keeps?|leads?|lets?|makes?|means?|"
    r"prevents?|protects?|reduces?|results?|saves?|simplifies|slows?|"
    r"(?:is|are) (?:\w+ )?(?:easier|faster|safer|harder|simpler|clearer|cheaper|slow|"
    r"slower|because(?! of (?:this|that))|important|useful|dangerous|expensive|"
    r"intended|needed|necessary|"
    r"error-prone|confusing))\b",
    re.I,
)
_NO_REASON = re.compile(
    r"\b(?:must|never|always|should|do not|don't|prefer|would be nice|nice to have|"
    r"maybe|perhaps|hope|wish|for example|for instance|e\.g|currently)\b",
    re.I,
)
_TRIGGERED = re.compile(r"(?:use|add|run|see|try|call|set|pass)\b", re.I)
_ORDERS = re.compile(rf"{_TRIGGERED.pattern}|(?:ensure|keep|make|please)\b", re.I)


def parted(text: str) -> tuple[str, str]:
    """A statement without its reason, and the reason; empty if it has none."""
    low = folded(text)
    for pattern, least in _CLAUSES if any(s in low for s in _STEMS) else ():
        found = pattern.search(text)
        if found and _is_apart(text[: found.start()], found.group(1), least):
            return text[: found.start()], found.group(1)
    if not may_explain(text[text.rfind(". ") + 1 :]):
        return text, ""
    start, end = sentences.split(text)[-1]
    if start and explains(text[start:end]):
        return text[:start].rstrip(), unlabelled(text[start:end])
    return text, ""


def _is_apart(rule: str, reason: str, least: int) -> bool:
    """Whether a statement says the same without the clause behind it."""
    last = rule[(sentences.split(rule) or [(0, 0)])[-1][0] :]
    if len(last.split()) < least or _LEADS_ON.search(rule) or rule[-1:] in ".!?":
        return False
    if re.search(r"[.!?]\s+\S", reason) or not (_balanced(rule) and _balanced(reason)):
        return False
    if "," in reason and "," not in last and _CONDITION.match(last):
        return False  # "If it fails because of the proxy, try again"
    if folded(reason).startswith(("so that", "otherwise")):
        return _NO_REASON.search(reason) is None and not _rules_on(reason)
    return not reason.lower().startswith(("to ", "in order")) or not (
        _TRIGGERED.match(last) and len(last.split()) < 8
    )


def _rules_on(reason: str) -> bool:
    """`otherwise use tabs` is half of the rule, no reason for it."""
    words = reason.split(maxsplit=2)
    return len(words) > 1 and _ORDERS.match(words[1]) is not None


def _balanced(text: str) -> bool:
    return (
        text.count("(") == text.count(")")
        and text.count("`") % 2 == 0
        and text.count('"') % 2 == 0
    )


def may_explain(sentence: str) -> bool:
    """Whether a sentence, markup and all, begins like a reason: a cheap first look."""
    return _OPENS.match(sentence) is not None


def explains(sentence: str, *, apart: bool = False) -> bool:
    """Whether a sentence gives the reason of the one before it.

    `apart`: it is another list item, so that "it" and "they" mean something else.
    """
    if not 4 <= len(sentence.split()) <= 40 or sentence.endswith((":", "?")):
        return False
    if _NO_REASON.search(sentence):
        return False
    if _STRONG.match(sentence):
        return not _rules_on(sentence)
    weak = (_NEAR if apart else _WEAK).match(sentence)
    return bool(weak and _EFFECT.search(sentence, 0, 80))


def unlabelled(reason: str) -> str:
    """`Why: it is slow` → `it is slow`."""
    return _LABEL.sub("", reason, count=1)
