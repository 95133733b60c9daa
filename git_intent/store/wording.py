"""When two statements say the same in the same words."""

import re
import unicodedata

_BLANKS = re.compile(r"\s+")
_LEAD = re.compile(r"\A(?:(?:[-*+>]|#{1,6}|[0-9]{1,9}[.)])\s+)+")
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


def normalise(statement: str) -> str:
    """The form in which statements are compared everywhere.

    Case folded, white space collapsed; inline markup, a leading list mark and closing
    punctuation gone. Idempotent. Empty only if there is nothing to say.
    """
    text = statement
    while (simpler := _simplify(text)) != text:
        text = simpler
    return text


def _simplify(statement: str) -> str:
    text = unicodedata.normalize("NFC", statement).translate(_STRAIGHT).casefold()
    text = _LEAD.sub("", _BLANKS.sub(" ", text).strip())
    if len(text) <= _LONGEST:
        for signs, pattern, kept in _MARKUP:
            if any(sign in text for sign in signs):
                text = pattern.sub(kept, text)
    return text.rstrip(_END) or text
