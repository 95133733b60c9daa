"""Retrieval hints: phrases a developer would use who needs the requirement.

Hints are embedded and never shown. They say in other words when the requirement
matters: the place it stands in, its subject, and the question that it answers.
"""

import re

from git_intent.scan.compose import clean
from git_intent.store.requirement_file import normalise

LIMIT = 5
_WORD = re.compile(r"[A-Za-z][\w'-]*(?:[./][\w-]+)*")
_PROHIBITION = re.compile(
    r"^(?:please\s+)?(?:do not|don't|never|avoid|no)\s+(.{3,80}?)(?:[.;,(]|$)", re.I
)
_IMPERATIVE = re.compile(
    r"^(?:please\s+|always\s+)?([a-z]+\s.{3,70}?)(?:[.;,(]|$)", re.I
)
_SUBJECT = re.compile(
    r"^(?:all |every |each |the |any )?(.{3,50}?)\s+"
    r"(?:must|should|shall|may|can|need)\b",
    re.I,
)
_CONDITION = re.compile(r"\b((?:when|before|after|if)\s.{4,60}?)(?:[.,;:(]|$)", re.I)
_CODE = re.compile(r"`([^`\n]{2,40})`")
_STOP = frozenset(
    "the a an and or of to in for on with is are be as by it this that these those "
    "from not no we you your our must should shall never always do don't use when "
    "before after only each all any can may will its than into if unless there here "
    "they them their have has make sure please so at more most other such also".split()
)


def hints(statement: str, headings: tuple[str, ...]) -> tuple[str, ...]:
    """2 to 5 distinct hints, none of them equal to the statement."""
    found: list[str] = []
    path = [clean(h).lower() for h in headings[-2:] if clean(h)]
    subject = _keywords(statement)
    if path:
        found.append(" ".join(path))
    if question := _question(statement):
        found.append(question)
    if condition := _CONDITION.search(statement):
        found.append(condition.group(1).lower().rstrip(". "))
    if path and subject:
        found.append(f"{path[-1]} {subject[0]}")
    if len(subject) > 1:
        found.append(" ".join(subject[:5]))
    found += [f"how to use {name}" for name in _CODE.findall(statement)[:1]]
    found += [f"rule about {subject[0]}" if subject else "project convention"]
    found += ["what to follow here", "project rule"]
    return _distinct(found, statement)


def _question(statement: str) -> str:
    """The question that somebody asks whom the statement answers."""
    if banned := _PROHIBITION.match(statement):
        return f"is it ok to {banned.group(1).lower().strip()}"
    if subject := _SUBJECT.match(statement):
        return f"what must {subject.group(1).lower().strip()} do"
    if order := _IMPERATIVE.match(statement):
        return f"how should I {order.group(1)[:1].lower()}{order.group(1)[1:].strip()}"
    return ""


def _keywords(statement: str) -> list[str]:
    seen: dict[str, None] = {}
    for word in _WORD.findall(statement):
        low = word.lower()
        if low not in _STOP and len(low) > 2:
            seen.setdefault(low)
    return list(seen)


def _distinct(found: list[str], statement: str) -> tuple[str, ...]:
    own = normalise(statement)
    kept: dict[str, str] = {}
    for hint in found:
        key = normalise(hint)
        if key and key != own:
            kept.setdefault(key, " ".join(hint.split()))
    chosen = list(kept.values())
    return tuple(chosen[: min(LIMIT, max(2, len(chosen) - 2))])
