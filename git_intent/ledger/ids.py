"""What the ids of a ledger look like, as checks of a document's fields."""

from typing import Any

from git_intent.ledger.fields import Check, invalid

_HEX = frozenset("0123456789abcdef")


def _random(prefix: str) -> Check:
    def check(value: Any, pointer: str) -> None:
        digits = value.removeprefix(prefix) if isinstance(value, str) else ""
        if len(digits) != 32 or value != prefix + digits or not _HEX.issuperset(digits):
            raise invalid(pointer, f"must be {prefix} and 32 hex digits")

    return check


def _numbered(prefix: str) -> Check:
    def check(value: Any, pointer: str) -> None:
        digits = value.removeprefix(prefix) if isinstance(value, str) else ""
        if value != prefix + digits or not digits.isdecimal() or digits[0] == "0":
            raise invalid(pointer, f"must be {prefix} and a number")

    return check


source_id: Check = _random("src-")
gap_id: Check = _random("gap-")
action_id: Check = _numbered("act-")


def name(value: Any, pointer: str) -> None:
    """What a host calls a session or a turn: any text that is not empty."""
    if not isinstance(value, str) or not value:
        raise invalid(pointer, "must be a text that is not empty")
