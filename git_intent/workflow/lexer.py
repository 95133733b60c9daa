"""Cuts a `.cloche` file into tokens, each with its place.

Blanks are space, tab, CR and LF; newlines carry no meaning. A comment runs from `//` to
the end of its line. A name may hold `-` where a name character follows, so `a->b` is a
name, an arrow and a name. A string may run over lines; a backslash means something
before `"`, `\\`, `n` and `t`, every other pair stays as its two characters.

Total: each byte string gives tokens, or one IntentError with `path:line:col`. Every
pattern is possessive or single-character, so reading takes linear time.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from git_intent.errors import IntentError
from git_intent.workflow.model import Place

NAME = "name"
NUMBER = "number"
TEXT = "string"
ARROW = "->"
END = "end of file"

_TOKEN = re.compile(
    r"""
    [ \t\r\n]*+ (?: //[^\n]*+ [ \t\r\n]*+ )*+
    (?:
      ([^\W\d]\w*+(?:-\w++)*+)
    | ([{}\[\](),=:.])
    | ("[^"\\]*+(?:\\.[^"\\]*+)*+")
    | (->)
    | (-?[0-9]++)
    )?+
    """,
    re.VERBOSE | re.DOTALL,
)
#: What the groups of the pattern are; a mark is its own kind, as is the arrow.
_KINDS = ("", NAME, "", TEXT, "", NUMBER)
_ESCAPE = re.compile(r'\\(["\\nt])')
_MEANING = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}
_BARE_NAME = re.compile(r"[^\W\d]\w*+(?:-\w++)*+")


class Token(NamedTuple):
    """`kind` is one of the constants above, or the punctuation mark itself.

    A tuple, as are places: a file is thousands of them, and they are quickly made.
    """

    kind: str
    text: str
    at: Place

    def __str__(self) -> str:
        """As an error message names it."""
        if self.kind == END:
            return END
        if self.kind == TEXT:
            return "a string"
        shown = self.text if len(self.text) <= 40 else self.text[:40] + "…"
        return f"'{shown}'"


class Malformed(IntentError):
    """A file that cannot be read: at which place, and what was expected there."""

    def __init__(self, path: str, at: Place, problem: str) -> None:
        super().__init__(
            f"{path}:{at.line}:{at.col}: {problem}", "correct the workflow file"
        )
        self.at = at
        self.problem = problem


def tokens(data: bytes, path: str) -> Iterator[Token]:
    """The tokens of the file, one END token last."""
    text = _decode(data, path)
    line, start = 1, 0
    end_of_line = _end_of_line(text, 0)
    for match in _TOKEN.finditer(text):
        group = match.lastindex or 0
        begin = match.start(group) if group else match.end()
        while begin > end_of_line:
            line, start = line + 1, end_of_line + 1
            end_of_line = _end_of_line(text, start)
        at = Place(line, begin - start + 1)
        if not group:
            if begin < len(text):
                raise Malformed(path, at, _complaint(text, begin))
            yield Token(END, "", at)
            return
        raw = match[group]
        kind = _KINDS[group]
        if kind is TEXT:
            raw = raw[1:-1]
            if "\\" in raw:
                raw = _ESCAPE.sub(_meaning, raw)
        yield Token(kind or raw, raw, at)


def _end_of_line(text: str, start: int) -> int:
    found = text.find("\n", start)
    return found if found >= 0 else len(text)


def is_bare_name(text: str) -> bool:
    return _BARE_NAME.fullmatch(text) is not None


def quote(text: str) -> str:
    """`text` as a string token; the inverse of reading one."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


def _meaning(match: re.Match[str]) -> str:
    return _MEANING[match.group(1)]


def _complaint(text: str, position: int) -> str:
    """Why no token starts here."""
    sign = text[position]
    if sign == '"':
        return "this string is never closed: expected '\"' before the end of the file"
    if sign == "-":
        return "a '-' stands alone: expected '->', or a name or number around it"
    if sign == "#" or text.startswith("/*", position):
        return f"expected a comment to start with '//', found {sign!r}"
    return f"expected a name, a string, a number or punctuation, found {sign!a}"


def _decode(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        start = before.rfind(b"\n") + 1
        at = Place(before.count(b"\n") + 1, len(before[start:].decode("utf-8")) + 1)
        raise Malformed(path, at, "expected UTF-8 text") from error
