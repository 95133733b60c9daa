"""What values a setting takes, from TOML or from the plain text of other layers."""

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from git_intent.config_ledger import FEWEST_BYTES, MOST_BYTES, context_bytes

TOKEN_BUDGET = 2000

_SWITCH = {"on": True, "off": False}
_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0", ""), False),
}
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")


@dataclass(frozen=True, slots=True)
class Kind:
    """`read` gets what TOML holds, or the text of another layer after `from_text`; both
    raise ValueError for what they do not take."""

    expected: str
    read: Callable[[Any], Any]
    from_text: Callable[[str], Any] = str
    many: bool = False  # a list: git config holds several values


def _refuse_unless(fits: bool) -> None:
    if not fits:
        raise ValueError


def _text(value: Any) -> str:
    _refuse_unless(isinstance(value, str) and "\n" not in value)
    return str(value)


def _texts(value: Any) -> tuple[str, ...]:
    _refuse_unless(isinstance(value, list) and all(isinstance(v, str) for v in value))
    return tuple(value)


def _boolean(value: Any) -> bool:
    _refuse_unless(isinstance(value, bool))
    return bool(value)


def _whole(value: Any) -> int:
    _refuse_unless(type(value) is int and 0 <= value <= 1_000_000)
    return int(value)


def _seconds(value: Any) -> int:
    match = _DURATION.fullmatch(_text(value))
    if not value or match is None:
        raise ValueError
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    _refuse_unless(total > 0)
    return total


def _subject(value: Any) -> str:
    text = _text(value)
    known = {"created", "superseded", "merged", "dropped"}
    for _, name, spec, conversion in string.Formatter().parse(text):
        _refuse_unless(name is None or (name in known and not (spec or conversion)))
    _refuse_unless(bool(text.strip()))
    return text


#: Adapters that take the name of a model, `ADAPTER:NAME`; `onnx` is Cloche's.
_NAMING = ("model2vec", "ollama")
_EMBEDDERS = ("", *_NAMING, "keyword", "onnx")


def _embedder(value: Any) -> str:
    adapter, colon, name = _text(value).partition(":")
    _refuse_unless(adapter in (_NAMING if name else _EMBEDDERS))
    _refuse_unless(bool(name) or not colon)
    return str(value)


def one_of(words: Mapping[str, Any]) -> Kind:
    def read(value: Any) -> Any:
        _refuse_unless(isinstance(value, str) and value in words)
        return words[value]

    return Kind(" or ".join(f'"{word}"' for word in words), read)


TEXT = Kind("a text on one line", _text)
TEXTS = Kind("a list of texts", _texts, many=True)
EMBEDDER = Kind(
    '"model2vec", "model2vec:PATH", "ollama", "ollama:MODEL" or "keyword"', _embedder
)
BOOLEAN = Kind("true or false", _boolean, lambda t: one_of(_BOOLEANS).read(t.lower()))
COUNT = Kind("a whole number from 0 to 1000000", _whole, int)
BUDGET = Kind(COUNT.expected, lambda value: _whole(value) or TOKEN_BUDGET, int)
BYTES = Kind(f"a whole number from {FEWEST_BYTES} to {MOST_BYTES}", context_bytes, int)
TIME = Kind('a time like "90s", "20m" or "1h30m"', _seconds)
SUBJECT = Kind("one line; {created}, {superseded}, {merged}, {dropped}", _subject)
SWITCH = one_of(_SWITCH)
