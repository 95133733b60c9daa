"""Characters that a reviewer cannot see, or that reorder what he sees.

Zero-width and bidirectional controls, tag characters, fillers and other controls hide
text from people and show it to a model. Legal are the few places where a script needs
one: ZWNJ and ZWJ inside words of joining and Indic scripts, ZWJ and variation selectors
in emoji, the three regional flags that are spelled with tags, and tab and line break.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_UNUSUAL = re.compile(r"[^\x20-\x7e\t\n\r]")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
# Visible although of category Cf: number signs and the like of Arabic, Syriac, Kaithi.
_VISIBLE = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"
    "\U000110bd\U000110cd"
)
# Invisible although not of category Cf.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2800\u3164\uffa0")
_JOINING = (
    *("ARABIC", "SYRIAC", "MANDAIC", "NKO", "MONGOLIAN", "PHAGS-PA", "ADLAM"),
    *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU"),
    *("KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN", "BALINESE"),
    *("JAVANESE", "HANIFI", "NEWA", "GRANTHA", "TIRHUTA", "CHAKMA", "SHARADA"),
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """One such character and its place in the text."""

    offset: int
    char: str

    @property
    def name(self) -> str:
        """The code point with its name, safe to print."""
        name = unicodedata.name(self.char, "control character")
        return f"U+{ord(self.char):04X} ({name.lower()})"


def hidden(text: str) -> Iterator[Hidden]:
    """Every hidden character of the text, in order."""
    if text.isascii() and text.isprintable():
        return
    allowed = _flag_offsets(text)
    for match in _UNUSUAL.finditer(text):
        offset, char = match.start(), match[0]
        if _is_hidden(char) and offset not in allowed and not _legal(text, offset):
            yield Hidden(offset, char)


def strip_hidden(text: str) -> str:
    """The text as a model would put it together: without its hidden characters."""
    drop = {found.offset for found in hidden(text)}
    return "".join(c for i, c in enumerate(text) if i not in drop) if drop else text


def _is_hidden(char: str) -> bool:
    if char in _VISIBLE:
        return False
    if char in _BLANK or _is_selector(char) or "\U000e0000" <= char < "\U000e1000":
        return True
    return unicodedata.category(char) in ("Cc", "Cf")


def _is_selector(char: str) -> bool:
    return (
        "\ufe00" <= char <= "\ufe0f"
        or "\U000e0100" <= char <= "\U000e01ef"
        or "\u180b" <= char <= "\u180f"
    )


def _flag_offsets(text: str) -> set[int]:
    found: set[int] = set()
    for flag in _FLAGS:
        start = text.find(flag)
        while start >= 0:
            found.update(range(start + 1, start + len(flag)))
            start = text.find(flag, start + 1)
    return found


def _legal(text: str, offset: int) -> bool:
    char = text[offset]
    before = text[offset - 1] if offset else ""
    after = text[offset + 1] if offset + 1 < len(text) else ""
    if not before or before in (_ZWNJ, _ZWJ):
        return False
    if _is_selector(char):
        return _takes_selector(before, char)
    if char == _ZWNJ:
        return _joins(before)
    if char == _ZWJ:
        return _joins(before) or (_pictures(before) and _pictures(after))
    return False


def _takes_selector(before: str, char: str) -> bool:
    """One selector after a sign that has variants; two in a row would carry data."""
    if _is_selector(before) or before.isspace():
        return False
    if "\u180b" <= char <= "\u180f":
        return unicodedata.name(before, "").startswith("MONGOLIAN")
    if char in "\ufe0e\ufe0f":
        return before in "#*0123456789\u2139\u3030" or _pictures(before)
    return not before.isascii() and unicodedata.category(before) in ("Lo", "Sm", "Po")


def _joins(before: str) -> bool:
    if unicodedata.category(before) not in ("Lo", "Mn", "Mc", "Lm"):
        return False
    return unicodedata.name(before, "").startswith(_JOINING)


def _pictures(char: str) -> bool:
    """Is this a sign that emoji sequences are built of?"""
    if not char or char.isascii():
        return False
    return unicodedata.category(char) in ("So", "Sm", "Sk", "Po") or _is_selector(char)
