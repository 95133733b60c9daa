"""The template language of prompts: bytes with values, commands and files put in.

    {{ $name }}     the value of a variable; a name may hold `:`, `-` and `.`
    {{! command }}  what `sh -c` prints; in it `$name` is a variable, `$$` a dollar
    {{@ path }}     the bytes of a file; in it `$name` is a variable

Blanks around the sign and before the end do not matter. A command or path ends at the
next `}}`; where another `{{` comes first it is no construct. Whatever is no construct
stays as it is, and what was put in is not looked at again.

A value gets into a command through its environment, never into its text: no output of
an agent can become shell code. All variables are looked up before anything is started.

`{{ $intent }}` is no variable: it is where the block goes. Placing is done by the
caller's `place`, which sees the template's own text alone, so a placement in a value or
in a file that is put in is just text. Reading takes linear time.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from git_intent.errors import IntentError
from git_intent.workflow.model import Place

INTENT, TASK = "intent", "task_description"
#: What stood in single braces once, and the variable it is now.
OUTDATED = {TASK: TASK, "previous_output": "prev_output"}
#: Bytes of a value that a command's environment can hold everywhere.
LONGEST_VALUE = 100_000

#: Runs a command with variables in its environment; gives what it printed.
Shell = Callable[[bytes, Mapping[str, bytes]], bytes]
#: Gives the bytes of a file.
Read = Callable[[str], bytes]
Variables = Mapping[str, bytes]

_OPENING = re.compile(
    rb"\{\{[ \t]*+([$!@])|(?<!\{)\{(task_description|previous_output)\}",
)
_VARIABLE = re.compile(rb"([A-Za-z_][\w:.-]*+)[ \t]*+\}\}")
_INNER = re.compile(rb"\$(?:(\$)|([A-Za-z_]\w*+))")


class Kind(StrEnum):
    TEXT = "text"
    VARIABLE = "variable"
    COMMAND = "command"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Part:
    """`data` is the text, the name, the command or the path; `offset` its place."""

    kind: Kind
    data: bytes
    offset: int

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that it needs."""
        if self.kind is Kind.TEXT:
            return ()
        if self.kind is Kind.VARIABLE:
            return (self.data.decode(),)
        return tuple(m[2].decode() for m in _INNER.finditer(self.data) if m[2])


@dataclass(frozen=True, slots=True)
class Template:
    """`path` is what messages call it; `places_intent` whether the block has a place.

    `outdated` are offsets of variables in single braces.
    """

    path: str
    source: bytes
    parts: tuple[Part, ...]
    places_intent: bool
    outdated: tuple[int, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The variables that it needs."""
        return frozenset(name for part in self.parts for name in part.names)

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(
            f"{self.where(offset)}: variables in single braces are outdated: write "
            f"{{{{ $name }}}}"
            for offset in self.outdated
        )

    def where(self, offset: int) -> str:
        """`path:line:col` of a place in the template."""
        line = self.source.rfind(b"\n", 0, offset) + 1
        before = self.source[line:offset].decode("utf-8", "replace")
        at = Place(self.source.count(b"\n", 0, offset) + 1, len(before) + 1)
        return f"{self.path}:{at.line}:{at.col}"


def parse(source: bytes, path: str = "prompt") -> Template:
    """Any bytes are a template."""
    parts: list[Part] = []
    outdated: list[int] = []
    places = False
    text = 0
    for start, end, part in _constructs(source):
        if part.kind is Kind.VARIABLE and part.data == INTENT.encode():
            places = True  # and stays in the text
            continue
        if source[start + 1 : start + 2] != b"{":
            outdated.append(start)
        if start > text:
            parts.append(Part(Kind.TEXT, source[text:start], text))
        parts.append(part)
        text = end
    if text < len(source):
        parts.append(Part(Kind.TEXT, source[text:], text))
    return Template(path, source, tuple(parts), places, tuple(outdated))


def resolve(
    template: Template,
    variables: Variables,
    *,
    shell: Shell,
    read: Read,
    place: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """The prompt. `place` puts the block into the template's own text.

    Raises IntentError with `path:line:col` if a variable has no value or cannot be
    given to a command, before any command starts, and if a command or file fails.
    """
    for part in template.parts:
        _check(template, part, variables)
    values = [
        _value(template, part, variables, shell, read)
        for part in template.parts
        if part.kind is not Kind.TEXT
    ]
    pieces = _placed(template, place, len(values))
    return b"".join(_woven(pieces, values))


def _constructs(source: bytes) -> Iterator[tuple[int, int, Part]]:
    """Start and end of each construct, from left to right."""
    at = closing = 0
    while opening := _OPENING.search(source, at):
        start, inside = opening.span()
        at = start + 1
        if opening[2]:
            at = inside
            name = OUTDATED[opening[2].decode()].encode()
            yield start, at, Part(Kind.VARIABLE, name, start)
        elif opening[1] == b"$":
            if named := _VARIABLE.match(source, inside):
                at = named.end()
                yield start, at, Part(Kind.VARIABLE, named[1], start)
        else:
            if 0 <= closing < inside:
                closing = source.find(b"}}", inside)
            kind = Kind.COMMAND if opening[1] == b"!" else Kind.FILE
            if closing >= 0 and (data := _inside(source, inside, closing, kind)):
                at = closing + 2
                yield start, at, Part(kind, data, start)


def _inside(source: bytes, start: int, closing: int, kind: Kind) -> bytes:
    """The command or path up to `closing`; empty if it is none."""
    if source.find(b"{{", start, closing) >= 0:
        return b""
    data = source[start:closing].strip()
    return b"" if kind is Kind.FILE and b"\n" in data else data


def _check(template: Template, part: Part, variables: Variables) -> None:
    for name in part.names:
        if name not in variables:
            hint = f"known are: {', '.join(sorted(variables))}"
            if name == TASK:
                hint = "give the run a task"
            if part.kind is Kind.COMMAND:
                hint += f"; a variable of the shell is written $${name}"
            raise IntentError(
                f"{template.where(part.offset)}: there is no value for '${name}'", hint
            )
        value = variables[name]
        if part.kind is not Kind.COMMAND:
            continue
        if b"\0" in value or len(value) > LONGEST_VALUE:
            why = "holds a NUL byte" if b"\0" in value else "is too long"
            raise IntentError(
                f"{template.where(part.offset)}: the value of '${name}' {why} for a "
                "command",
                "put it into the prompt itself, or into a file",
            )


def _value(
    template: Template, part: Part, variables: Variables, shell: Shell, read: Read
) -> bytes:
    if part.kind is Kind.VARIABLE:
        return variables[part.data.decode()]
    try:
        if part.kind is Kind.FILE:
            return read(os.fsdecode(_with_values(part.data, variables)))
        given = {name: variables[name] for name in part.names}
        return shell(_INNER.sub(_unescaped, part.data), given)
    except IntentError as error:
        where = template.where(part.offset)
        raise IntentError(f"{where}: {error.message}", error.hint) from error


def _unescaped(match: re.Match[bytes]) -> bytes:
    """Commands get names as they are: the shell looks them up."""
    return b"$" if match[1] else match[0]


def _with_values(path: bytes, variables: Variables) -> bytes:
    def value(match: re.Match[bytes]) -> bytes:
        return variables[match[2].decode()] if match[2] else match[0]

    return _INNER.sub(value, path)


def _placed(
    template: Template, place: Callable[[bytes], bytes], values: int
) -> list[bytes]:
    """The template's own text with the block in it, cut where values go."""
    # no mark can overlap another one, so a wrong count tells of one in the text
    for mark in (b"\0%d\1" % number for number in count()):
        own = b"".join(p.data if p.kind is Kind.TEXT else mark for p in template.parts)
        pieces = place(own).split(mark)
        if len(pieces) == values + 1:
            break
    return pieces


def _woven(pieces: list[bytes], values: list[bytes]) -> Iterator[bytes]:
    yield pieces[0]
    for value, piece in zip(values, pieces[1:], strict=True):
        yield value
        yield piece
