"""Points in time as the store writes them: `2026-09-13T10:00:00Z`.

Read are all the spellings in use: fractions down to nanoseconds (cut to microseconds),
offsets, a blank for the `T`, a date alone. A stamp without offset is UTC.
"""

import re
from datetime import UTC, datetime, timedelta, timezone

_STAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"[ ]?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_WHOLE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_APART = 10**9 // 0x10000  # nanoseconds from one id to the next


def instant(text: str) -> datetime | None:
    """The point in time, in UTC; None if `text` names none."""
    found = _STAMP.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    try:
        local = datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "").ljust(6, "0")[:6]),
            tzinfo=_zone(offset or "Z"),
        )
        return local.astimezone(UTC)
    except (ValueError, OverflowError):  # 30 February; before the year 1 in UTC
        return None


def stamp(now: datetime) -> str:
    """`now` to the second, in UTC."""
    naive = now.astimezone(UTC).replace(tzinfo=None)
    return naive.isoformat(timespec="seconds") + "Z"


def later(text: str, now: datetime) -> datetime:
    """`now`, or the next whole second after the stamp `text` if that is not earlier.

    A change within the second of the one before must show in `updated` all the same.
    """
    before = instant(text)
    if before is None or now.astimezone(UTC).replace(microsecond=0) > before:
        return now
    return before.replace(microsecond=0) + timedelta(seconds=1)


def distinct(text: str, id: str) -> str:
    """A stamp of whole seconds with nanoseconds that stand for the id.

    Files that are made in one second would share these lines, and of files of one
    sentence that is enough for `git log --follow` to take one for a copy of another.
    """
    if not _WHOLE.fullmatch(text):
        return text
    return f"{text[:-1]}.{int(id.removeprefix('req-'), 16) * _APART:09d}Z"


def _zone(offset: str) -> timezone:
    if offset in ("Z", "z"):
        return UTC
    digits = offset[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if minutes > 59:
        raise ValueError(offset)
    span = timedelta(hours=hours, minutes=minutes)
    return timezone(-span if offset[0] == "-" else span)
