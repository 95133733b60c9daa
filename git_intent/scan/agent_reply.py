"""Reads an agent's answer strictly: one JSON object behind the nonce, of one shape.

Nothing an agent prints is believed as it stands. The object is looked for behind the
last `answer <nonce>`, fences and prose around it are passed over, and exactly one must
be there. Then every key, type, length and word is checked; what is wrong becomes a list
of complaints by JSON pointer, which the agent gets once to repair.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Collection
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")

MOST_COMPLAINTS = 40
#: A brace that opens an object: prose such as `{name}` does not.
_OBJECT = re.compile(r'\{[ \t\r\n]*+["}]')


class Complaints:
    """What is wrong with an answer; `found` is empty as long as nothing is."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, pointer: str, problem: str) -> None:
        if len(self.found) < MOST_COMPLAINTS:
            self.found.append(f"{pointer or '/'}: {problem}")


def read(
    answer: bytes, nonce: str, shape: Callable[[Any, Complaints], T]
) -> tuple[T | None, list[str]]:
    """What the answer means by `shape`, and the complaints; one of the two is empty."""
    complaints = Complaints()
    # What is not UTF-8 stays visible as surrogates, which no text may hold.
    value = _find(answer.decode("utf-8", "surrogateescape"), nonce, complaints)
    if complaints.found:
        return None, complaints.found
    meaning = shape(value, complaints)
    return (None if complaints.found else meaning), complaints.found


def _find(text: str, nonce: str, complaints: Complaints) -> Any:
    marker = f"answer {nonce}"
    start = text.rfind(marker)
    if not text.strip():
        complaints.add("", "the answer is empty")
        return None
    if start < 0:
        complaints.add("", f"the line `{marker}` is missing")
        return None
    found = []
    position = start + len(marker)
    while opening := _OBJECT.search(text, position):
        try:
            value, position = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else error
            complaints.add("", f"the JSON object is broken or cut off: {reason}")
            return None
        found.append(value)
    if len(found) != 1:
        complaints.add("", f"expected exactly one JSON object, found {len(found)}")
        return None
    return found[0]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def _whole(text: str) -> int:
    if len(text) > 18:
        raise ValueError("a number is too long")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole
)


class Part:
    """One object of the answer; every getter complains and gives something harmless."""

    def __init__(
        self, value: Any, pointer: str, keys: Collection[str], complaints: Complaints
    ) -> None:
        self.pointer = pointer
        self.complaints = complaints
        self.value: dict[str, Any] = {}
        if not isinstance(value, dict):
            complaints.add(pointer, "expected an object")
            return
        self.value = value
        for key in value:
            if key not in keys:
                shown = ascii(key[:40])
                complaints.add(pointer, f"unknown key {shown}; known: {_list(keys)}")

    def wrong(self, key: str, problem: str) -> None:
        self.complaints.add(f"{self.pointer}/{key}", problem)

    def items(self, key: str, most: int) -> list[Any]:
        found = self.value.get(key)
        if not isinstance(found, list):
            self.wrong(key, "expected a list")
            return []
        if len(found) > most:
            self.wrong(key, f"expected at most {most}, found {len(found)}")
        return found[:most]

    def text(self, key: str, longest: int, *, required: bool = False) -> str:
        """A text on one line, white space collapsed."""
        found = self.value.get(key, "")
        if not isinstance(found, str):
            self.wrong(key, "expected a text")
            return ""
        return self._clean(key, found, longest, required)

    def texts(self, key: str, longest: int, most: int) -> tuple[str, ...]:
        if key not in self.value:
            return ()
        found = []
        for index, item in enumerate(self.items(key, most)):
            name = f"{key}/{index}"
            if isinstance(item, str):
                found.append(self._clean(name, item, longest, True))
            else:
                self.wrong(name, "expected a text")
        return tuple(found)

    def word(self, key: str, kind: type[E]) -> E:
        found = self.value.get(key)
        for allowed in kind:
            if found == allowed.value:
                return allowed
        self.wrong(key, f"expected one of {_list(kind)}")
        return next(iter(kind))

    def number(self, key: str, low: int, high: int) -> int:
        found = self.value.get(key)
        if not isinstance(found, int) or isinstance(found, bool):
            self.wrong(key, "expected a whole number")
        elif not low <= found <= high:
            self.wrong(key, f"expected a number from {low} to {high}")
        else:
            return found
        return low

    def _clean(self, key: str, found: str, longest: int, required: bool) -> str:
        text = " ".join(found.split())
        if required and not text:
            self.wrong(key, "expected a text that is not empty")
        if len(text) > longest:
            self.wrong(key, f"expected at most {longest} characters")
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            self.wrong(key, "holds what is not Unicode text")
        if any(unicodedata.category(sign) == "Cc" for sign in text):
            self.wrong(key, "holds a control character")
        return text


def _list(words: Collection[str] | type[StrEnum]) -> str:
    return ", ".join(str(word) for word in words)
