"""Typed access to a strict document; every complaint becomes an issue with a place."""

from enum import StrEnum
from typing import Any, TypeVar

from git_intent.store.issue import Issue, Severity
from git_intent.store.malformed import Code
from git_intent.store.stamps import instant
from git_intent.store.strict_yaml import Pointer, StrictDocument

E = TypeVar("E", bound=StrEnum)


class Fields:
    """Reads values by pointer. A wrong or missing one is noted and read as empty."""

    def __init__(self, document: StrictDocument) -> None:
        self.document = document
        self.issues: list[Issue] = []

    def add(
        self,
        at: tuple[int, int],
        code: Code,
        message: str,
        severity: Severity = Severity.ERROR,
    ) -> None:
        path = self.document.path
        self.issues.append(Issue(path, *at, str(code), message, severity))

    def wrong(self, at: Pointer, message: str, code: Code = Code.VALUE) -> None:
        self.add(self.document.position(at), code, message)

    def text(self, at: Pointer, missing: Severity | None = None) -> str:
        found = self._value(at, missing)
        if found is None or isinstance(found, str):
            return found or ""
        self.wrong(at, f"{_name(at)} must be a text")
        return ""

    def word(
        self, at: Pointer, kind: type[E], default: E, missing: Severity | None
    ) -> E:
        found = self._value(at, missing)
        if found is None:
            return default
        try:
            return kind(found)
        except ValueError:
            given = shown(found) if isinstance(found, str) else "this"
            self.wrong(at, f"{_name(at)}: {given} is none of {', '.join(kind)}")
            return default

    def texts(self, at: Pointer) -> tuple[str, ...]:
        """A list of texts; a key without a value is an empty list."""
        found = self._value(at)
        if found is None or found == "":
            return ()
        if not isinstance(found, list):
            self.wrong(at, f"{_name(at)} must be a list")
            return ()
        for number, item in enumerate(found):
            if not isinstance(item, str):
                self.wrong((*at, number), f"each of {_name(at)} must be a text")
        return tuple(item for item in found if isinstance(item, str))

    def flag(self, at: Pointer) -> bool:
        found = self._value(at)
        if isinstance(found, bool) or found is None:
            return found is True
        self.wrong(at, f"{_name(at)} must be true or false, without quotes")
        return False

    def stamp(self, at: Pointer, missing: Severity | None = None) -> str:
        found = self.text(at, missing)
        if found and instant(found) is None:
            example = "2026-09-13T10:00:00Z"
            self.wrong(at, f"{_name(at)}: {shown(found)} is no date such as {example}")
        return found

    def mapping(self, at: Pointer, missing: Severity | None = None) -> bool:
        """Whether there is a mapping at `at`."""
        found = self._value(at, missing)
        if isinstance(found, dict):
            return True
        if found is not None and found != "":
            self.wrong(at, f"{_name(at)} must be a mapping")
        return False

    def _value(self, at: Pointer, missing: Severity | None = None) -> Any:
        """The value; None if any key on the way is missing."""
        found = self.document.value
        for step in at:
            if isinstance(found, dict):
                found = found.get(step)
            elif isinstance(found, list) and isinstance(step, int):
                found = found[step]
            else:
                found = None
        if found is None and missing is not None:
            place = self.document.position(at)
            self.add(place, Code.MISSING, f"{_name(at)} is missing", missing)
        return found


def shown(text: str) -> str:
    """A value as a message repeats it: quoted, and no more than its beginning."""
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


def _name(at: Pointer) -> str:
    """`scope.paths`, `domains[2].name`."""
    text = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in at)
    return text.removeprefix(".")
