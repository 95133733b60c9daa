"""What a request says, read with its types; whatever is wrong is named and refused.

Text must be text that a file can hold: half a pair of UTF-16, which JSON can spell, is
refused here and nowhere else.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from git_intent.web.served import Refused

_MOST = 1000


def invalid(field: str, message: str, hint: str = "") -> Refused:
    """A field of the body or the query that cannot be used."""
    return Refused(422, f"{field}: {message}" if field else message, hint, field=field)


class Given:
    """A JSON object; `name` is where it stands in the body."""

    def __init__(self, value: Any, known: Collection[str], name: str = "") -> None:
        if not isinstance(value, dict):
            raise invalid(name, "an object is wanted")
        for key in value:
            if key not in known:
                raise invalid(_under(name, key), "is not known here")
        self.value, self.name = value, name

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def text(self, key: str, default: str | None = None) -> str:
        """A text; it has to be there if there is no default."""
        found = self.value.get(key, default)
        return _text(found, _under(self.name, key))

    def texts(self, key: str, default: Sequence[str] = ()) -> tuple[str, ...]:
        name = _under(self.name, key)
        found = self.value.get(key, list(default))
        if not isinstance(found, list) or len(found) > _MOST:
            raise invalid(name, "a list of texts is wanted")
        return tuple(_text(item, f"{name}/{n}") for n, item in enumerate(found))

    def word(self, key: str, words: Collection[str]) -> str:
        found = self.text(key)
        if found not in words:
            raise invalid(_under(self.name, key), f"one of {', '.join(words)}")
        return found

    def flag(self, key: str) -> bool:
        found = self.value.get(key, False)
        if not isinstance(found, bool):
            raise invalid(_under(self.name, key), "true or false is wanted")
        return found

    def inner(self, key: str, known: Collection[str]) -> "Given":
        return Given(self.value.get(key), known, _under(self.name, key))


def number(query: Mapping[str, str], key: str, default: int, most: int) -> int:
    """A whole number of the query, from 0 to `most`."""
    text = query.get(key, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise invalid(key, f"a whole number up to {most} is wanted")
    return int(text)


def _under(name: str, key: str) -> str:
    shown = key.encode("ascii", "backslashreplace").decode()[:80]
    return f"{name}/{shown}" if name else shown


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise invalid(name, "a text is wanted")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise invalid(name, "holds half a character") from None
    return value
