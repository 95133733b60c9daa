"""Members of records that others wrote: whatever has another type is not there."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

_TEXTS = (None, "text", "input_text", "output_text")


def text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def inner(record: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """The object below these names; empty if there is none."""
    for name in names:
        value = record.get(name)
        if not isinstance(value, dict):
            return {}
        record = value
    return record


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """The members of a list that are objects."""
    if isinstance(value, list):
        yield from (member for member in value if isinstance(member, dict))


def texts(content: Any) -> tuple[str, ...]:
    """The texts of a message's content: a text, or a list of typed parts."""
    if isinstance(content, str):
        return (content,)
    return tuple(
        text(part, "text") for part in objects(content) if part.get("type") in _TEXTS
    )


def moment(milliseconds: Any) -> str:
    """A time in milliseconds since 1970 as others write it."""
    if type(milliseconds) is not int:
        return ""
    try:
        found = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return found.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
