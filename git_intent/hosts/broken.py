"""A payload that ends too early: is it one, and what does it still say?

It is, if more bytes could have made it a JSON object. The members that stand whole
before the break count, each followed by its comma: a number may go on behind the break,
and nothing is made up for what would have come after it.
"""

import json
from typing import Any

_BLANK = " \t\r\n"
_WORDS = ("true", "false", "null")
_LONGEST_ESCAPE = len("\\ud800")


class _Twice(ValueError):
    """A key stands twice in an object."""


def before_the_break(raw: bytes) -> dict[str, Any] | None:
    """The whole members of an object that breaks off; None if it is not broken off."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return None
        text = raw[: error.start].decode("utf-8") + "\ufffd"
    if not text.lstrip(_BLANK).startswith("{"):
        return None
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return _members(text) if _at_the_end(text, error) else None
    except (ValueError, RecursionError):
        return None
    return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Twice
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _at_the_end(text: str, error: json.JSONDecodeError) -> bool:
    """Whether more text could have made it JSON."""
    if error.msg.startswith("Unterminated string"):
        return True
    rest = text[error.pos :].rstrip(_BLANK)
    if error.msg.startswith("Invalid \\"):
        return len(rest) < _LONGEST_ESCAPE and '"' not in rest
    return not rest or rest == "-" or any(word.startswith(rest) for word in _WORDS)


def _members(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    at = _skip(text, 0) + 1
    try:
        while text[_skip(text, at)] == '"':
            name, at = _DECODER.raw_decode(text, _skip(text, at))
            at = _skip(text, at)
            if text[at] != ":":
                break
            value, at = _DECODER.raw_decode(text, _skip(text, at + 1))
            at = _skip(text, at)
            if text[at] != ",":
                break
            if name in found:
                return {}
            found[name] = value
            at += 1
    except (IndexError, ValueError, RecursionError):
        pass
    return found


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] in tuple(_BLANK):
        at += 1
    return at
