"""A statement that reads on its own, made from a statement in its place.

A bullet often needs what stands above it: "Do not:" over a list, the header row of a
table, the heading for a bare fragment or for what may not be done. A sentence may need
the one before it (`scan.antecedent`). The reason is taken off into the rationale
(`scan.reasons`). What only announces something that is not there says nothing, and
composes to an empty statement.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from git_intent.scan.antecedent import resolved
from git_intent.scan.inline import clean as clean
from git_intent.scan.reasons import explains, may_explain, parted, unlabelled
from git_intent.scan.statement import Segment, Statement
from git_intent.scan.verbs import VERBS as VERBS

_IMPERATIVE = re.compile(rf"[^\w`]*(?:{VERBS})\b", re.I)
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
# Without a subject; "Should you find a bug" and "May I?" have one.
_STARTS_MODAL = re.compile(
    r"(?:must|should|shall|may|can|cannot|need(?:s)? to|has to|have to)\b"
    r"(?! (?:an?|any|i|it|that|the|there|these|they|this|we|you|your)\b)(?![^.]*\?)",
    re.I,
)
# Lead-ins that turn what stands below them round, or say when it holds.
_SITUATION = re.compile(
    r"(?:if|when|whenever|before|after|while|during|unless|once|for|in|on)\b[^:,]*:$",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:if|when|unless|criteria|conditions?|provided|prerequisites?|exceptions?|"
    r"except|allowed|accepted|permitted|forbidden|prohibited|"
    r"appl(?:y|ies)(?: only)? to|(?:be|are) (?:met|true)|(?:not|don['’]t)"
    # what need not be done, and then the rules, is no condition
    r"(?! (?:need|have) to\b[^:]*[,;])|never|no longer|avoid|without)\b[^:]*:$",
    re.I,
)
# "Except for indexes": part of the rule above it.
_EXCEPTION = re.compile(r"except\b(?! [^.]*,)", re.I)
# Lead-ins that only say that rules follow.
_POINTS = re.compile(
    r"\b(?:guidelines?|rules|steps|conventions|principles|patterns?|practices|process|"
    r"tips|points|things|please|following|recommendations|instructions|checklist|"
    r"workflow)\b",
    re.I,
)
# Headings under which a bare order says the opposite of what is meant.
_FORBIDS = re.compile(
    r"\W*(?:(?:what |things |when |cases )?(?:not to|to avoid|to never)\b|"
    r"don['’]?ts?\b|do not|avoid\b|never\b|not (?:allowed|accepted|permitted|"
    r"supported)|forbidden|"
    r"prohibited|disallowed|anti-?patterns?|exceptions?\b|out of scope|non-goals?|"
    r"what not|when not|bad (?:practices?|habits?)|pitfalls|excluded|exclusions)",
    re.I,
)
_ORDER_ALONE = re.compile(r"(?:do not|don['’]t|never|avoid|always)", re.I)
_NEGATED = re.compile(r"\b(?:no|not|never|avoid|without|cannot|\w+n['’]t)\b", re.I)
# "All must pass": all of what the heading names.
_QUANTIFIED = re.compile(
    r"(?:all|both|none|neither|any|each|everything)\s+(?:must|should|shall|are|is|need|"
    r"has|have|required|of (?:these|them|the above)|"
    r"(?:must|should)n['’]t)\b",
    re.I,
)
# "Wrap at 72": what is wrapped stands above.
_NO_OBJECT = re.compile(
    r"(?:capitali[sz]e|declare|document|end|format|group|indent|keep|mark|name|order|"
    r"place|prefix|put|sign|sort|split|start|store|suffix|tag|wrap|write)\s+(?:at|in|"
    r"into|under|with|by|from|below|above|after)\b",
    re.I,
)
_LABEL = re.compile(r"[^:.!?`]{2,40}:\s+(?=\S)")
_BARE_LABEL = re.compile(
    r"(?:body|context|dashboard|description|examples?|fields?|footer|format|header|"
    r"language|length|level|library|location|message|name|notes?|order|pattern|scope|"
    r"size|structure|subject(?: line)?|summary|syntax|title|tool|types?|values?):\s",
    re.I,
)
# Headings that name nothing.
_UNTELLING = re.compile(
    r"(?:overview|general(?: (?:rules|guidelines|notes))?|notes?|introduction|rules?|"
    r"guidelines?|important|conventions?|contributing|readme|agents|claude|summary|"
    r"requirements?|best practices|instructions|other|miscellaneous|details|tl;?dr)\W*",
    re.I,
)
_LOWER = re.compile(r"[a-z]+(?:['’][a-z]+)?(?=[\s,;:]|$)")
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z])[.)]?\s+(?=\w)|\s*\{#[\w-]+\}$")
_POINTER = re.compile(
    r"\s*\((?:see|cf\.?|refer to|as)[^()]*\b(?:below|above|here)\b[^()]*\)", re.I
)
_ANNOUNCES = re.compile(
    r"(?:(?<=[\s,;:(—–-])|^)(?:\(?e\.g\.?,?|\(?i\.e\.?,?|for (?:example|instance),?|"
    r"such as|like (?:this|so)|as follows|as (?:shown |described )?below|see below|"
    r"namely|(?:(?<=[.!?,;:(—–-] )|(?<=` )|^)(?:some |an |here are some )?"
    r"(?:examples?|usage))\s*[:.]*\s*$",
    re.I,
)
# "Follow the following steps." speaks of a list that is not there any more.
_LISTED = re.compile(
    r"\b(the following (?:\w+ )?)?(?:conditions|conventions|guidelines|instructions"
    r"|rules|steps)(?(1)(?: (?:for|in|on|to|when) [^.]{1,60})?| below)\.$",
    re.I,
)
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e)\.$", re.I)
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_UNFINISHED = re.compile(
    r"\b(?:must(?: not| also)?|should(?: not| also)?|shall|may|can|to|by|of|with|for|"
    r"in|on|from|at|as|are|is|be|do|does|use|using|implement|include|including|"
    r"contains?|"
    r"has|have|ensure|provide|consider|follow|run|that|and|or|the|an?|not|only|when|if|"
    r"either|following|these|this|those|below|steps?)$|"
    r"\b(?:the following|these|following|one|some|both) [\w-]+$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Composed:
    """A finished statement and its reason; `used_following` tells whose it was.

    The statement is empty if only something that stands elsewhere is announced.
    """

    statement: str
    rationale: str = ""
    used_following: bool = False


def compose(statement: Statement, following_is_rule: bool) -> Composed:
    """Make `statement` stand alone; a following sentence that rules is no reason."""
    text = clean(statement.text)
    if statement.segment is Segment.TABLE:
        return Composed(_sentence(_in_table(text, statement)))
    text = _announced(_POINTER.sub("", text) if "(" in text else text)
    if not text:
        return Composed("")
    text = resolved(text, statement.previous, _topics(statement))
    if statement.segment is not Segment.SENTENCE:
        text = _complete(text, statement)
    elif _QUANTIFIED.match(text):
        text = _headed(text, statement)
    else:
        text = _with_subject(text, statement)
    text, reason = parted(text)
    if reason:
        return Composed(_sentence(text), _sentence(reason))
    if following_is_rule or not may_explain(statement.following):
        return Composed(_sentence(text))
    following = clean(statement.following)
    if explains(following, apart=statement.segment is Segment.BULLET):
        reason = _sentence(unlabelled(following))
        return Composed(_sentence(text), reason, used_following=True)
    return Composed(_sentence(text))


def _announced(text: str) -> str:
    """Without a last "for example:"; nothing if nothing else is said."""
    if text[-1:] not in ":：" and not _ABBREVIATED.search(text):
        if "following" in text or text.endswith("below."):
            return _said_first(text) if _LISTED.search(text) else text
        return text
    kept = text
    while found := _ANNOUNCES.search(kept):
        kept = kept[: found.start()].rstrip(" ,;:(—–-")
    if kept != text and kept[-1:] in ".!?":
        return kept
    kept = kept.rstrip(":： ")
    last = _SENTENCES.split(kept)[-1]
    if _UNFINISHED.search(last) or len(last.split()) < 3:
        return _said_first(kept)
    return kept


def _said_first(text: str) -> str:
    """Without the last sentence."""
    return " ".join(_SENTENCES.split(text)[:-1])


def _complete(text: str, statement: Statement) -> str:
    lead = clean(statement.lead_in)
    if _EXCEPTION.match(text) and len(lead.split()) > 2 and lead[-1] != ":":
        return _joined(lead.rstrip(".! "), text, ", ")
    if lead.endswith(" that:") and len(lead.split()) <= 20:
        return _joined(lead, text, " ")
    if carries(lead) and not _MODAL.search(text[:24]):
        return _join(lead, text)
    if _conditions(lead):
        if _SITUATION.match(lead) and not (is_fragment(text) or _LABEL.match(text)):
            return _joined(lead, text, ", ")
        if not _NEGATED.search(text):
            return _joined(lead, text, ": ")
    heading = telling(statement)
    if _FORBIDS.match(heading) and not _NEGATED.search(text):
        if _ORDER_ALONE.fullmatch(heading):
            return _join(f"{heading}:", text)
        return f"{heading}: {text}"
    if _STARTS_MODAL.match(text):
        return _with_subject(text, statement)
    if _QUANTIFIED.match(text) or _NO_OBJECT.match(text) or _BARE_LABEL.match(text):
        return _headed(text, statement)
    if not is_fragment(text):
        return text
    if lead.endswith(":") and 1 < len(lead.split()) <= 14:
        return _joined(lead, text, ": ")
    return _headed(text, statement)


def _with_subject(text: str, statement: Statement) -> str:
    """`Must be short` under `Names` gives `Names must be short`."""
    heading = telling(statement)
    if _STARTS_MODAL.match(text) and 0 < len(heading.split()) <= 4:
        return f"{heading} {text[:1].lower()}{text[1:]}"
    return text


def _headed(text: str, statement: Statement) -> str:
    heading = telling(statement)
    if heading and heading.lower() not in text.lower():
        return f"{heading}: {text}"
    return text


def telling(statement: Statement) -> str:
    """The nearest heading that names something, or an empty text."""
    return next(iter(_topics(statement)), "")


def _topics(statement: Statement) -> tuple[str, ...]:
    return _named(statement.headings)


@lru_cache(maxsize=256)
def _named(headings: tuple[str, ...]) -> tuple[str, ...]:
    """The telling ones of the two nearest headings, nearest first."""
    near = (_NUMBERED.sub("", clean(h)).rstrip(":. ") for h in headings[:-3:-1])
    return tuple(
        h for h in near if h and not _UNTELLING.fullmatch(h) and len(h.split()) <= 9
    )


@lru_cache(maxsize=256)
def carries(lead: str) -> bool:
    """Whether a lead-in has the verb of its bullets; they share the answer."""
    return lead.endswith(":") and _CARRIER.match(lead) is not None


@lru_cache(maxsize=256)
def _conditions(lead: str) -> bool:
    """Whether a lead-in says when the bullets below it hold, or that they do not."""
    if not lead.endswith(":") or len(lead.split()) > 20:
        return False
    if _POINTS.search(lead) and not _NEGATED.search(lead):
        return False
    return bool(_SITUATION.match(lead) or _CONDITION.search(lead))


def _join(lead: str, text: str) -> str:
    """`Do not:` and `Push to main.` give `Do not push to main.`"""
    stem = lead.rstrip(": ").strip()
    if (
        re.search(r"\b(?:following|these|below)\b", stem, re.I)
        or text[:1] in "`*\"'("
        or _LABEL.match(text)
    ):
        return f"{stem}: {text}"
    return _joined(lead, text, " ")


def _joined(lead: str, text: str, between: str) -> str:
    stem = lead.rstrip(": ").strip()
    first = text.split(" ", 1)[0]
    keeps_case = (
        between == ": " or not first[1:].islower() or first in ("I",) or "`" in first
    )
    return f"{stem}{between}{text if keeps_case else text[:1].lower() + text[1:]}"


def is_fragment(text: str) -> bool:
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


def _in_table(text: str, statement: Statement) -> str:
    """A row under its header, and both under the heading that says what they are."""
    row = _row(text, clean(statement.lead_in))
    return _headed(row, statement) if ": " in row or " — " in row else row


def _row(text: str, header: str) -> str:
    """A table row as `head: cell; head: cell`, or the cells alone."""
    cells = [c.strip() for c in text.strip().strip("|").split("|")]
    heads = [h.strip() for h in header.strip().strip("|").split("|")] if header else []
    if len(heads) != len(cells):
        return " — ".join(c for c in cells if c)
    pairs = [f"{h}: {c}" if h else c for h, c in zip(heads, cells, strict=True) if c]
    return "; ".join(pairs)


def _sentence(text: str) -> str:
    """First letter raised, one full stop at the end; code and names stay as written."""
    text = text.strip().rstrip(":;,—– ")
    if _LOWER.match(text):
        text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".!?。！？" or not text else text + "."
