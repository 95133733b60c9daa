"""JSON for paths that must start fast: the C parts of `json`, without the rest.

`json` loads the reader of regular expressions and more, which takes longer than most
hooks do. It is loaded here only to say what is wrong with a text. Light.
"""

from _json import encode_basestring_ascii, make_encoder, make_scanner

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

_BLANK = " \t\n\r"


def loads(data: bytes) -> "Any":
    """The value of a JSON text in UTF-8. Raises ValueError, or RecursionError."""
    text = data.decode("utf-8").strip(_BLANK)
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError, ValueError):
        end = -1
    if end == len(text):
        return value
    import json

    return json.loads(data)


def canonical(value: "Any") -> bytes:
    """One line: ASCII, sorted keys, no blanks, no NaN; as `files.canonical_json`."""
    return "".join(_encode(value, 0)).encode("ascii") + b"\n"


class _Context:
    """What the scanner makes of a text; as `json` does by default."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def _refuse(value: object) -> None:
    raise TypeError(f"{type(value).__name__} has no JSON")


_scan = make_scanner(_Context)  # type: ignore[arg-type]
_encode = make_encoder(
    None, _refuse, encode_basestring_ascii, None, ":", ",", True, False, False
)
