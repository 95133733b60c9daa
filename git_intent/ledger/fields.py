"""The shape of a document: what may stand in it, checked key by key.

A check takes a value and its JSON pointer and raises `Refusal` where the value breaks
the rule; the pointer names the place. Objects are closed: a key that nobody asked for
is refused at any depth, so nothing is carried along unread. The checks speak of the
shape only; what a value means in a ledger is for the families to say.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from git_intent.ledger.refusal import Refusal

Check: TypeAlias = Callable[[Any, str], None]

_HEX = frozenset("0123456789abcdef")
_BREAKS = frozenset("\x85\u2028\u2029")
_KINDS = {
    "NoneType": "null",
    "bool": "a boolean",
    "int": "a number",
    "float": "a number",
    "str": "a text",
    "list": "a list",
    "dict": "an object",
}


def invalid(pointer: str, message: str, hint: str = "") -> Refusal:
    """The refusal of a document that breaks a rule at `pointer`."""
    return Refusal("invalid-document", pointer, message, hint)


def at(pointer: str, key: str | int) -> str:
    """The pointer of a member (RFC 6901)."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def text(high: int = 65_536, *, line: bool = False) -> Check:
    """A text of at most `high` bytes of UTF-8 that is not blank; `line`: one line."""

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, str):
            raise _wrong(pointer, "a text", value)
        if not value.strip():
            raise invalid(pointer, "must not be blank")
        try:
            size = len(value.encode())
        except UnicodeEncodeError as error:
            raise invalid(
                pointer, f"half a surrogate pair at character {error.start}"
            ) from None
        if size > high:
            raise invalid(pointer, f"has {size} bytes, {high} are allowed")
        if line and not value.isprintable() and any(map(_breaks_line, value)):
            raise invalid(pointer, "must be one line without control characters")

    return check


def choice(*words: str) -> Check:
    """One of these words, exactly."""

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, str) or value not in words:
            raise invalid(
                pointer, f"must be one of {', '.join(words)}, not {_shown(value)}"
            )

    return check


def constant(word: Any) -> Check:
    """This value and no other."""

    def check(value: Any, pointer: str) -> None:
        if type(value) is not type(word) or value != word:
            raise invalid(pointer, f"must be {_shown(word)}, not {_shown(value)}")

    return check


def whole(low: int = 0, high: int = 2**53) -> Check:
    """A whole number within bounds; true and 1.0 are none."""

    def check(value: Any, pointer: str) -> None:
        if type(value) is not int:
            raise _wrong(pointer, "a whole number", value)
        if not low <= value <= high:
            raise invalid(pointer, f"must be from {low} to {high}, not {value}")

    return check


def flag(value: Any, pointer: str) -> None:
    """true or false."""
    if not isinstance(value, bool):
        raise _wrong(pointer, "true or false", value)


def digest(value: Any, pointer: str) -> None:
    """A SHA-256 as 64 small hex digits."""
    if not isinstance(value, str) or len(value) != 64 or not _HEX.issuperset(value):
        raise invalid(pointer, f"must be a sha256 in small hex, not {_shown(value)}")


def span(value: Any, pointer: str) -> None:
    """[start, end) in bytes, not empty."""
    whole_number = whole()
    items(whole_number, 2, 2)(value, pointer)
    if value[0] >= value[1]:
        raise invalid(pointer, f"[{value[0]}, {value[1]}) is empty or reversed")


def nullable(check: Check) -> Check:
    """null, or what `check` allows."""

    def check_or_null(value: Any, pointer: str) -> None:
        if value is not None:
            check(value, pointer)

    return check_or_null


def items(check: Check, low: int = 0, high: int = 10_000) -> Check:
    """A list whose members `check` allows."""

    def check_list(value: Any, pointer: str) -> None:
        if not isinstance(value, list):
            raise _wrong(pointer, "a list", value)
        if not low <= len(value) <= high:
            bound = f"at least {low}" if len(value) < low else f"at most {high}"
            raise invalid(pointer, f"must have {bound} entries, not {len(value)}")
        for place, member in enumerate(value):
            _check(check, member, pointer, place)

    return check_list


def distinct(check: Check, low: int = 0, high: int = 10_000) -> Check:
    """A list of texts, none of them twice."""
    listed = items(check, low, high)

    def check_distinct(value: Any, pointer: str) -> None:
        listed(value, pointer)
        seen = set()
        for place, member in enumerate(value):
            if member in seen:
                raise invalid(at(pointer, place), f"{_shown(member)} stands twice")
            seen.add(member)

    return check_distinct


def mapping(check: Check, low: int = 0, high: int = 10_000) -> Check:
    """An object of any keys whose values `check` allows."""

    def check_mapping(value: Any, pointer: str) -> None:
        if not isinstance(value, dict):
            raise _wrong(pointer, "an object", value)
        if not low <= len(value) <= high:
            bound = f"at least {low}" if len(value) < low else f"at most {high}"
            raise invalid(pointer, f"must have {bound} entries, not {len(value)}")
        for key, member in value.items():
            _check(check, member, pointer, key)

    return check_mapping


def record(
    required: Mapping[str, Check], optional: Mapping[str, Check] | None = None
) -> Check:
    """An object with these keys and no other."""
    known = {**required, **(optional or {})}

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, dict):
            raise _wrong(pointer, "an object", value)
        if value.keys() != required.keys():
            for key in value:
                if key not in known:
                    near = _nearest(key, known)
                    raise invalid(at(pointer, key), "unknown field", near)
            for key in required:
                if key not in value:
                    raise invalid(at(pointer, key), "missing")
        for key, member in value.items():
            _check(known[key], member, pointer, key)

    return check


def tagged(key: str, shapes: Mapping[str, Check]) -> Check:
    """An object whose member `key` says which of the shapes it has."""
    word = choice(*shapes)

    def check(value: Any, pointer: str) -> None:
        if not isinstance(value, dict):
            raise _wrong(pointer, "an object", value)
        if key not in value:
            raise invalid(at(pointer, key), "missing")
        word(value[key], at(pointer, key))
        shapes[value[key]](value, pointer)

    return check


def _check(check: Check, member: Any, pointer: str, key: str | int) -> None:
    """Check a member; its pointer is put together only if it is refused."""
    try:
        check(member, "")
    except Refusal as refusal:
        refusal.pointer = at(pointer, key) + refusal.pointer
        raise


def _wrong(pointer: str, wanted: str, value: Any) -> Refusal:
    kind = _KINDS.get(type(value).__name__, type(value).__name__)
    return invalid(pointer, f"must be {wanted}, not {kind}")


def _shown(value: Any) -> str:
    """A short text or number as it stands, the kind of anything else."""
    if isinstance(value, bool | int | str):
        import json

        shown = json.dumps(value)
        return shown if len(shown) <= 80 else f"{shown[:76]}..."
    return _KINDS.get(type(value).__name__, type(value).__name__)


def _nearest(key: str, known: Mapping[str, Check]) -> str:
    import difflib

    near = difflib.get_close_matches(key, known, 1)
    if near:
        return f"did you mean {near[0]}?"
    return f"known here: {', '.join(known)}" if known else "nothing may stand here"


def _breaks_line(sign: str) -> bool:
    return sign < " " or sign == "\x7f" or sign in _BREAKS
