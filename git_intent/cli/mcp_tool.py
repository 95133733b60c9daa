"""A tool of `git intent mcp`: a command of ours with other words.

A tool says which command it is, which of its arguments become which options, and what
goes to standard input. So a tool can do what the command does, and nothing else: the
arguments are checked here as the schema says that is published, and by the command.

Pure: nothing is started here, and the SDK is not needed.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from git_intent.errors import IntentError

#: Characters of an argument that becomes a word of a command line.
LONGEST = 4096
#: How many such words one argument may become.
MOST = 256


class Kind(StrEnum):
    """What an argument is, and how the command gets it."""

    WORD = "word"  # an option, or with no option's name the operand
    WORDS = "words"  # an option that may be repeated
    FLAG = "flag"
    TEXT = "text"  # on standard input
    DOCUMENT = "document"  # a JSON object on standard input


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument; `option` is the command's name of it."""

    name: str
    about: str
    option: str = ""
    kind: Kind = Kind.WORD
    required: bool = False
    choices: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        word: dict[str, Any] = {"type": "string", "maxLength": LONGEST}
        if self.choices:
            word = {"type": "string", "enum": list(self.choices)}
        types: dict[Kind, dict[str, Any]] = {
            Kind.WORD: word,
            Kind.WORDS: {"type": "array", "items": word, "maxItems": MOST},
            Kind.FLAG: {"type": "boolean"},
            Kind.TEXT: {"type": "string"},
            Kind.DOCUMENT: {"type": "object"},
        }
        return {**types[self.kind], "description": self.about}

    def words(self, value: Any) -> Iterator[str]:
        """The options for a value that is right."""
        if self.kind is Kind.FLAG:
            yield from (self.option,) if value else ()
        elif self.kind in (Kind.WORD, Kind.WORDS):
            values = value if self.kind is Kind.WORDS else (value,)
            yield from (f"{self.option}={one}" for one in values)

    def check(self, value: Any) -> None:
        """Raise IntentError for a value of another type, or that no command can get."""
        if self.kind is Kind.FLAG:
            self.need(isinstance(value, bool), "true or false")
        elif self.kind is Kind.DOCUMENT:
            self.need(isinstance(value, dict), "a JSON object")
        elif self.kind is Kind.TEXT:
            self.need(isinstance(value, str), "a text")
        elif self.kind is Kind.WORDS:
            self.need(isinstance(value, list), "a list of texts")
            self.need(len(value) <= MOST, f"at most {MOST} texts")
            for one in value:
                self._check_word(one)
        else:
            self._check_word(value)

    def _check_word(self, value: Any) -> None:
        self.need(isinstance(value, str), "a text")
        self.need(len(value) <= LONGEST, f"at most {LONGEST} characters long")
        self.need("\0" not in value and _is_unicode(value), "text without NUL")
        listed = ", ".join(self.choices)
        self.need(not self.choices or value in self.choices, f"one of {listed}")

    def need(self, right: bool, what: str) -> None:
        if not right:
            raise IntentError(f"/{self.name}: has to be {what}", self.about)


@dataclass(frozen=True, slots=True)
class Call:
    """A command line without the program, and what its standard input holds."""

    words: tuple[str, ...]
    stdin: bytes = b""


@dataclass(frozen=True, slots=True)
class Tool:
    """`command` begins the command line. `text` is whether it prints text, not JSON.

    `answers` is a member of a JSON answer: one that has it is none of the errors that
    the command's exit code 1 otherwise stands for.
    """

    name: str
    title: str
    about: str
    command: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    writes: bool = False
    repeatable: bool = True
    text: bool = False
    answers: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {one.name: one.schema for one in self.parameters},
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }

    def call(self, arguments: Mapping[str, Any]) -> Call:
        """The command for these arguments. Raises IntentError if they are wrong."""
        known = {one.name: one for one in self.parameters}
        for name in arguments:
            if name not in known:
                listed = ", ".join(known) or "none"
                raise IntentError(
                    f"/{str(name)[:80]}: unknown argument of {self.name}",
                    f"its arguments: {listed}",
                )
        words, operands, stdin = list(self.command), list[str](), b""
        for one in self.parameters:
            value = arguments.get(one.name)
            if value is None:
                one.need(not one.required, "given")
                continue
            one.check(value)
            if one.kind in (Kind.TEXT, Kind.DOCUMENT):
                words += [one.option] if one.option else []
                stdin = _bytes(value)
            elif one.option:
                words += one.words(value)
            else:
                operands.append(value)
        if operands:
            words += ["--", *operands]
        return Call(tuple(words), stdin)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half a pair, which JSON may hold
        return False
    return True


def _bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return json.dumps(value).encode("ascii")
