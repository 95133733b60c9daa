"""When two statements say the same in the same words."""

import re
import unicodedata

_BLANKS = re.compile(r"\s+")
_LEAD = re.compile(r"(?:[-*+>]|#{1,6}|[0-9]{1,9}[.)])\s+")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1")
_STARRED = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\w*])")
_UNDERLINED = re.compile(r"(?<!\w)_(?=[^\s_])([^_]+?)(?<=[^\s_])_(?!\w)")
_STRAIGHT = str.maketrans("‘’‚“”„‐‑", "'''\"\"\"--")
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
    text = _BLANKS.sub(" ", text).strip()
    text = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    text = _LINK.sub(r"\1", text)
    text = _CODE.sub(r"\2", text)
    text = _STRONG.sub(r"\2", text)
    text = _STARRED.sub(r"\1", text)
    text = _UNDERLINED.sub(r"\1", text)
    return text.rstrip(_END) or text
