"""Durations as `.cloche` files spell them: `30s`, `1h30m`, `1.5h`, `300ms`."""

import re

_SECONDS = {
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "μs": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
}
_PART = re.compile(
    r"([0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(ns|us|µs|μs|ms|s|m|h)"
)
_LONGEST_TEXT = 100


def seconds(text: str) -> float | None:
    """The duration in seconds, None if `text` is not one. A sign is not a duration."""
    if text == "0":
        return 0.0
    total, position = 0.0, 0
    if not text or len(text) > _LONGEST_TEXT:
        return None
    while position < len(text):
        part = _PART.match(text, position)
        if part is None:
            return None
        total += float(part.group(1)) * _SECONDS[part.group(2)]
        position = part.end()
    return total
