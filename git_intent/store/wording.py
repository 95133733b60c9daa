"""When two statements say the same in the same words."""

import re
import unicodedata
from functools import lru_cache

_LEAD = re.compile(r"\A(?:(?:[-*+>]|#{1,6}|[0-9]{1,9}[.)])\s+)+")
_LEADING = tuple("-*+>#0123456789")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1")
_STARRED = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\w*])")
_UNDERLINED = re.compile(r"(?<!\w)_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?!\w)")
#: What a text must hold for a pattern to be worth a try: most hold no markup at all.
_MARKUP = (
    (("[",), _LINK, r"\1"),
    (("`",), _CODE, r"\2"),
    (("**", "__", "~~"), _STRONG, r"\2"),
    (("*",), _STARRED, r"\1"),
    (("_",), _UNDERLINED, r"\1"),
)
_STRAIGHT = str.maketrans("‘’‚“”„‐‑", "'''\"\"\"--")
#: What is longer is no sentence: its markup stays, for nested marks cost squared time.
_LONGEST = 4000
_END = " \t.,;:!?…。،؛؟！？；："


@lru_cache(maxsize=512)  # whoever compares statements asks for the same ones again
def normalise(statement: str) -> str:
    """The form in which statements are compared everywhere.

    Case folded, white space collapsed; inline markup, a leading list mark and closing
    punctuation gone. Idempotent. Empty only if there is nothing to say.
    """
    text, final = _simplify(statement)
    while not final:
        before = text
        text, final = _simplify(before)
        final = final or text == before
    return text


def _simplify(statement: str) -> tuple[str, bool]:
    """A simpler text, and whether it is known to be the simplest.

    ASCII is only folded once: what no pattern took anything from, none will take
    anything from again, and closing punctuation keeps no pattern from matching.
    """
    plain = statement.isascii()
    if not plain:
        statement = unicodedata.normalize("NFC", statement).translate(_STRAIGHT)
    folded = " ".join(statement.casefold().split())
    text = _LEAD.sub("", folded) if folded[:1] in _LEADING else folded
    marked = text
    if len(text) <= _LONGEST:
        for signs, pattern, kept in _MARKUP:
            if any(map(text.__contains__, signs)):
                text = pattern.sub(kept, text)
    final = plain and text == marked and len(text) <= _LONGEST
    return text.rstrip(_END) or text, final
