"""Cuts a `.cloche` file into tokens, each with its place.

Blanks are space, tab, CR and LF; newlines carry no meaning. A comment runs from `//` to
the end of its line. A name may hold `-` where a name character follows, so `a->b` is a
name, an arrow and a name. A string may run over lines; a backslash means something
before `"`, `\\`, `n` and `t`, every other pair stays as its two characters.

Total: each byte string gives tokens, or one IntentError with `path:line:col`. Every
pattern is possessive or single-character, so reading takes linear time.
"""

import re
from dataclasses import dataclass

from git_intent.errors import IntentError
from git_intent.workflow.model import Place

NAME = "name"
NUMBER = "number"
TEXT = "string"
ARROW = "->"
END = "end of file"

_TOKEN = re.compile(
    r"""
      (?P<blank>[ \t\r\n]++|//[^\n]*+)
    | (?P<arrow>->)
    | (?P<name>[^\W\d]\w*+(?:-\w++)*+)
    | (?P<number>-?[0-9]++)
    | (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+")
    | (?P<mark>[{}\[\](),=:.])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r'\\(["\\nt])')
_MEANING = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}
_BARE_NAME = re.compile(r"[^\W\d]\w*+(?:-\w++)*+")


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is one of the constants above, or the punctuation mark itself."""

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


def tokens(data: bytes, path: str) -> list[Token]:
    """All tokens of the file, an END token last."""
    text = _decode(data, path)
    found: list[Token] = []
    position, line, start = 0, 1, 0
    while position < len(text):
        at = Place(line, position - start + 1)
        match = _TOKEN.match(text, position)
        if match is None:
            raise Malformed(path, at, _complaint(text, position))
        raw = match.group()
        if match.lastgroup != "blank":
            found.append(_token(match.lastgroup or "", raw, at))
        position = match.end()
        if breaks := raw.count("\n"):
            line += breaks
            start = match.start() + raw.rindex("\n") + 1
    found.append(Token(END, "", Place(line, position - start + 1)))
    return found


def is_bare_name(text: str) -> bool:
    return _BARE_NAME.fullmatch(text) is not None


def quote(text: str) -> str:
    """`text` as a string token; the inverse of reading one."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


def _token(kind: str, raw: str, at: Place) -> Token:
    if kind == "string":
        return Token(TEXT, _ESCAPE.sub(_meaning, raw[1:-1]), at)
    if kind in (NAME, NUMBER):
        return Token(kind, raw, at)
    return Token(raw, raw, at)


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
