"""How texts are spelled in YAML so that every reader gives the same text back.

A text is written plain only if neither YAML 1.1 nor 1.2 would see a boolean, null,
number, date or sexagesimal in it, and nothing in it is syntax.
"""

import re
from collections.abc import Iterable

from git_intent.errors import IntentError
from git_intent.store.stamps import instant

_PLAIN = re.compile(r"[\w/.](?:[\w ./@+~()%=^$;*-]|:(?=\S)|,(?= )|(?<=\S)#)*")
_RETYPED = re.compile(
    r"y|n|yes|no|on|off|true|false|null|nan|inf|~"
    r"|[-+]?[.\d][\d_.:]*(?:e[-+]?\d*)?|[-+]?0[xob][\da-f_]+|[-+]?\.(?:inf|nan)"
    r"|\d{4}-\d{1,2}-\d{1,2}.*|[-.=<]+",
    re.IGNORECASE,
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
#: What double quotes cannot hold as it is: controls, line breaks of YAML 1.1, and
#: characters that nobody sees.
_ODD = re.compile(
    '["\\\\\x00-\x1f\x7f-\xa0\xad\u061c\u200b\u200e\u200f\u2028-\u202e'
    "\u2060-\u2069\ufeff\ufff9-\uffff\U000e0000-\U000e007f]"
)


def quote(text: str) -> str:
    """Plain if that is safe, else in double quotes; safe in flow lists too."""
    return text if _is_plain(text) and "," not in text else double(text)


def sentence(text: str) -> str:
    """As `quote`, for a value alone on its line, where commas mean nothing."""
    return text if _is_plain(text) else double(text)


def double(text: str) -> str:
    """In double quotes, on one line."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise IntentError(
            "a text holds half a character (a lone surrogate)",
            "it is no valid UTF-8; rename the file or retype the text",
        )
    return '"' + _ODD.sub(_escape, text) + '"'


def single(text: str) -> str:
    """In single quotes if they can hold it, else in double quotes."""
    if _ODD.search(text.replace('"', "").replace("\\", "")):
        return double(text)
    return "'" + text.replace("'", "''") + "'"


def respell(text: str, style: str) -> str:
    """In the quoting that `style` names: `"`, `'`, or whatever is safe."""
    if style == '"':
        return double(text)
    return single(text) if style == "'" else quote(text)


def flow(texts: Iterable[str], always: bool = False) -> str:
    """A list in brackets."""
    return "[" + ", ".join(double(t) if always else quote(t) for t in texts) + "]"


def plain_stamp(text: str) -> str:
    """A point in time stands unquoted, as it does in every file of the store."""
    if instant(text) is not None and re.fullmatch(r"[\dTtZz:.+-]+", text, re.ASCII):
        return text
    return double(text)


def _is_plain(text: str) -> bool:
    if not _PLAIN.fullmatch(text) or _RETYPED.fullmatch(text):
        return False
    return text == text.strip() and not _ODD.search(text)


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    if code > 0xFFFF:
        return f"\\U{code:08X}"
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}"
