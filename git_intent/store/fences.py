"""Where a file's frontmatter begins and ends."""

from dataclasses import dataclass

from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.strict_yaml import lines


@dataclass(frozen=True, slots=True)
class Parts:
    """`text[header_start:header_end]` is the YAML, `text[body_start:]` the rest."""

    header_start: int
    header_end: int
    body_start: int


def split(text: str, path: str) -> Parts:
    """Find the two fences of a text without byte order mark."""
    cuts = lines(text)
    first = next(cuts, None)
    if first is None or first[1].rstrip(" \t") != "---":
        raise MalformedFile(
            path, 1, 1, Code.NO_FRONTMATTER, "the file does not begin with ---"
        )
    start = _next_line(text, len(first[1]))
    for index, line in cuts:
        if line.rstrip(" \t") == "---":
            return Parts(start, index, _next_line(text, index + len(line)))
    raise MalformedFile(
        path, 1, 1, Code.NO_FRONTMATTER, "the frontmatter is not closed by ---"
    )


def _next_line(text: str, end: int) -> int:
    """The index after the newline at `end`."""
    if text.startswith("\r\n", end):
        return end + 2
    return min(end + 1, len(text))
