"""Two versions of a file as one text: a unified diff, as git shows it."""

from collections.abc import Iterator
from difflib import unified_diff

#: Pairs of lines beyond which nobody waits for the best diff.
_MANY = 4_000_000


def unified(old: bytes, new: bytes, path: str) -> str:
    """The diff, or an empty text if nothing differs."""
    if old == new:
        return ""
    return "\n".join(_lines(_text(old), _text(new), path)) + "\n"


def _lines(old: list[str], new: list[str], path: str) -> Iterator[str]:
    if len(old) * len(new) <= _MANY:
        yield from unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="")
        return
    yield from (f"--- a/{path}", f"+++ b/{path}")
    yield f"@@ -1,{len(old)} +1,{len(new)} @@"
    yield from (f"-{line}" for line in old)
    yield from (f"+{line}" for line in new)


def _text(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n")
