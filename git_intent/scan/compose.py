"""A statement that reads on its own, made from a statement in its place.

A bullet often needs what stands above it: "Do not:" over a list, the header row of a
table, the heading for a bare fragment. The reason is taken off into the rationale: a
"because" clause, or the next sentence if that only explains.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from git_intent.scan.folding import folded
from git_intent.scan.statement import Segment, Statement

VERBS = (
    "add|adhere|allow|apply|ask|avoid|be|break|build|cache|call|catch|change|check|"
    "choose|clean|"
    "close|commit|consider|copy|create|declare|define|delete|describe|disable|"
    "document|do|don't|edit|enable|end|ensure|explain|export|extract|fix|follow|"
    "format|give|group|handle|have|ignore|implement|import|include|inline|install|"
    "introduce|keep|leave|limit|list|log|loop|make|mark|match|merge|mention|minimi[sz]e|"
    "mock|move|name|parse|"
    "never|always|open|pass|pick|place|prefer|prefix|provide|push|put|raise|read|rebase|"
    "refer|release|remove|rename|replace|report|respect|return|reuse|review|rewrite|"
    "run|set|skip|sort|split|squash|start|state|stop|store|submit|suppress|tag|test|"
    "throw|touch|treat|try|update|use|validate|verify|wait|wrap|write"
)
_IMPERATIVE = re.compile(rf"\W*(?:{VERBS})\b", re.I)
_MODAL = re.compile(
    r"\b(must|shall|should|may|can|cannot|never|always|need(?:s)? to|has to|have to|"
    r"is|are|was|were|will|do|does|don't|required|prefer(?:red)?|avoid)\b",
    re.I,
)
# Lead-ins that carry the verb which every bullet below them lacks.
_CARRIER = re.compile(
    r"^(?:please\s+)?(?:[\w ,'’-]{0,60}\b)?"
    r"(?:do not|don't|never|always|avoid|must(?: not)?|should(?: not)?|shall(?: not)?|"
    r"prefer|use|ensure|make sure|required?|requires|only|are not allowed to|"
    r"may not|cannot|not accept(?:ed)?|forbidden|prohibited|includes?)"
    r"(?: that| to| the following| these| one of| either)?\s*:$",
    re.I,
)
_STARTS_MODAL = re.compile(
    r"(?:must|should|shall|may|can|cannot|need(?:s)? to|has to|have to)\b", re.I
)
_LABEL = re.compile(r"[^:.!?`]{2,40}:\s+(?=\S)")
_LIST_MARK = re.compile(r"^(?:\[[ xX]\]|\d+[.)]|\[\d+(?:\.\d+)*\]\(#[^)]*\))\s*")
_BADGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_ANCHOR = re.compile(
    r"<a\s+(?:name|id)=[^>]*>(?:\s*</a>)?|</?(?:br|sub|sup)\s*/?>", re.I
)
_NAMED_LINK = re.compile(r"(?<![\w\]`])\[([^\[\]]+)\]\[[^\[\]]*\]")
_LINK = re.compile(r"\[([^\]]+)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
# reStructuredText and MyST: `:role:`text <target>``, `{role}`text``, `text <url>`__
# (not what stands between two pieces of code: `/{name}`, `/runs`)
_INNER = r"(?=[^\s.,;:)])([^`<]+?)(?:\s*<[^`>]*>)?`"
_ROLE = re.compile(rf"(?<![`\w/])(?::[\w:+-]+:|\{{[\w:+-]+\}})`[!~]?{_INNER}")
_REFERENCE = re.compile(rf"(?<![`\w])`{_INNER}__?(?!\w)")
_LITERAL = re.compile(r"(?<!`)``([^`\n]+)``(?!`)")
_STRONG = re.compile(
    r"(?<![\w*])(\*\*|__(?![a-z0-9_]+__))(?=\S)(.+?)(?<=\S)\1(?![\w*])"
)
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])")
_REASON = re.compile(r"[,;]?\s+(?:—\s+|-\s+)?because\s+(.{12,})$", re.I)
_EXPLAINS = re.compile(
    r"^(?:this|that|it|otherwise|the reason|reason|rationale|why|because|doing so|"
    r"these|they|without (?:this|it))\b",
    re.I,
)
_ORDERS = re.compile(
    r"\b(must|never|always|should|do not|don't|avoid|prefer|ensure)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Composed:
    """A finished statement and its reason; `used_following` tells whose it was."""

    statement: str
    rationale: str = ""
    used_following: bool = False


def compose(statement: Statement, following_is_rule: bool) -> Composed:
    """Make `statement` stand alone; a following sentence that rules is no reason."""
    text = clean(statement.text)
    if statement.segment is Segment.TABLE:
        text = _row(text, clean(statement.lead_in))
    elif statement.segment in (Segment.BULLET, Segment.BULLET_SENTENCE):
        text = _complete(text, statement)
    reason = _REASON.search(text) if "because" in folded(text) else None
    if reason and len(text[: reason.start()].split()) >= 3:
        return Composed(_sentence(text[: reason.start()]), _sentence(reason.group(1)))
    following = clean(statement.following)
    if not following_is_rule and _explains(following):
        return Composed(_sentence(text), _sentence(following), used_following=True)
    return Composed(_sentence(text))


def clean(text: str) -> str:
    """Without list marks, anchors, badges, link targets and emphasis around words."""
    text = text.strip()
    if "<" in text or "![" in text:
        text = _ANCHOR.sub("", _BADGE.sub("", text)).strip()
    text = _LIST_MARK.sub("", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "][" in text:
        text = _NAMED_LINK.sub(r"\1", text)
    if "`" in text:
        text = _ROLE.sub(r"`\1`", text)
        text = _LITERAL.sub(r"`\1`", _REFERENCE.sub(r"\1", text))
    if "*" in text or "__" in text:
        text = _unpaired(_EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text)))
    return " ".join(text.split())


def _unpaired(text: str) -> str:
    """Without the half of an emphasis whose other half is in another sentence."""
    outside = re.sub(r"`[^`]*`", "", text)
    if outside.count("**") % 2:
        text = re.sub(r"^\W{0,3}\*\*|\*\*(?=[.!?]?$)", "", text.strip())
    return text


def _complete(text: str, statement: Statement) -> str:
    lead = clean(statement.lead_in)
    if _carries(lead) and not _MODAL.search(text[:24]):
        return _join(lead, text)
    heading = clean(statement.heading).rstrip(":.")
    if _STARTS_MODAL.match(text) and 0 < len(heading.split()) <= 4:
        return f"{heading} {text[:1].lower()}{text[1:]}"
    if not _is_fragment(text):
        return text
    if lead.endswith(":") and 1 < len(lead.split()) <= 14:
        return _join(lead, text)
    if heading and heading.lower() not in text.lower():
        return f"{heading}: {text}"
    return text


@lru_cache(maxsize=256)
def _carries(lead: str) -> bool:
    """Whether a lead-in has the verb of its bullets; they share the answer."""
    return lead.endswith(":") and _CARRIER.match(lead) is not None


def _join(lead: str, text: str) -> str:
    """`Do not:` and `Push to main.` give `Do not push to main.`"""
    stem = lead.rstrip(": ").strip()
    first = text.split(" ", 1)[0]
    keeps_case = not first[1:].islower() or first in ("I",) or "`" in first
    if re.search(r"\b(?:following|these|below)\b", stem, re.I) or text[:1] in "`*\"'(":
        return f"{stem}: {text}"
    return f"{stem} {text if keeps_case else text[:1].lower() + text[1:]}"


def _is_fragment(text: str) -> bool:
    """Whether the words lack a verb that would make them a rule on their own.

    `Quoting: always quote variables` has one behind its label.
    """
    whole = text[-1:] in ".!" and len(text.split()) > 3
    if whole or _MODAL.search(text):
        return False
    label = _LABEL.match(text)
    if _IMPERATIVE.match(text) or (label and _IMPERATIVE.match(text[label.end() :])):
        return False
    return (
        len(text.split()) < 14 and re.match(r"\W*(?:no|if|when)\b", text, re.I) is None
    )


def _row(text: str, header: str) -> str:
    """A table row as `head: cell; head: cell`, or the cells alone."""
    cells = [c.strip() for c in text.strip().strip("|").split("|")]
    heads = [h.strip() for h in header.strip().strip("|").split("|")] if header else []
    if len(heads) != len(cells):
        return " — ".join(c for c in cells if c)
    pairs = [f"{h}: {c}" if h else c for h, c in zip(heads, cells, strict=True) if c]
    return "; ".join(pairs)


def _explains(sentence: str) -> bool:
    if not _EXPLAINS.match(sentence) or _ORDERS.search(sentence):
        return False
    return 4 <= len(sentence.split()) <= 40 and not sentence.endswith(":")


def _sentence(text: str) -> str:
    """First letter raised, one full stop at the end; code and names stay as written."""
    text = text.strip().rstrip(":;,").strip()
    first = text.split(" ", 1)[0]
    if first.isalpha() and first.islower():
        text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".!?。！？" or not text else text + "."
