"""What a requirement says and whom it concerns, compared without regard to spelling."""

from collections.abc import Sequence
from typing import Any

from git_intent.store.requirement import Requirement
from git_intent.store.rules_view import Entry


def changed_words(olds: Sequence[Entry], new: Entry, *, exact: bool) -> list[str]:
    """Which of statement, rationale and scope have a value that no older entry has.

    Unless `exact`, white space does not count: re-wrapping a paragraph is no edit. The
    scope is as many values as it has keys: a merge may take each from another parent.
    """
    now = _words(new, exact)
    before = [_words(old, exact) for old in olds]
    names = {name for old in (now, *before) for name in old}
    changed = {
        name for name in names if all(old.get(name) != now.get(name) for old in before)
    }
    found: list[str] = [n for n in ("statement", "rationale") if n in changed]
    return [*found, "scope"] if changed - {*found} else found


def _words(entry: Entry, exact: bool) -> dict[str, Any]:
    requirement = entry.requirement
    scope = _scope(entry, requirement)
    return {
        "statement": _text(requirement.statement, exact),
        "rationale": _text(requirement.rationale, exact),
        **{f"scope.{key}": value for key, value in scope.items()},
    }


def _text(text: str, exact: bool) -> str:
    if exact:
        return "\n".join(line.rstrip() for line in text.strip().splitlines())
    return " ".join(text.split())


def _scope(entry: Entry, requirement: Requirement) -> dict[str, Any]:
    """The scope without regard to spelling, keys of others included."""
    scope = requirement.scope
    written = entry.fields("scope")
    known = {
        "level": scope.level.value,
        "domains": sorted(scope.domains),
        # Their order has a meaning: a later `!pattern` takes back an earlier one.
        "paths": list(scope.paths),
        "languages": sorted(scope.languages),
    }
    return {**written, **known}
