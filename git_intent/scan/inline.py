"""The words of a statement without their markup: what a requirement says.

Markdown, reStructuredText, AsciiDoc and HTML at once, since documents mix them. What
stands in a code span is never changed.
"""

import re
from functools import lru_cache

_LIST_MARK = re.compile(r"^(?:\[[ xX]\]|\d+[.)]|\[\d+(?:\.\d+)*\]\(#[^)]*\))\s*")
_BADGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_CODE_TAG = re.compile(r"<(code|kbd|tt|samp)>([^<>`]+)</\1>", re.I)
_BREAK = re.compile(r"<br\s*/?>", re.I)
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins"
    r"|kbd|li|mark|ol|p|picture|q|s|samp|small|source|span|strong|sub|summary|sup|tt|u"
    r"|ul|var)(?:\s[^<>]*)?/?>",
    re.I,
)
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_HELD = re.compile("\0([0-9]+)\0")
_EMPTY_LINK = re.compile(r"\[\s*\]\([^)]*\)")
_LINK = re.compile(
    r"\[([^\]]+)\]\((?:[^()\s]|\([^()]*\))*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\)"
)
_NAMED_LINK = re.compile(r"(?<![\w\]`])\[([^\[\]]+)\]\[[^\[\]]*\]")
# `see the [style guide]`, whose target is defined elsewhere; not `the [scope]`
_SHORT_LINK = re.compile(
    r"(?<=\w)(\s+)\[(?=[^\[\]]*[A-Z ])([A-Za-z][^\[\]\0]{2,60})\](?![\[(:])"
)
_FOOTNOTE = re.compile(r"\s*\[\^[^\]\s]+\]|\s*\[#?\w+\]_(?!\w)|\s+\[\d{1,3}\](?=\W?$)")
_ASCIIDOC = re.compile(
    r"\b(?:(?:https?|ftp)://[^\s\[\]]+|(?:link|xref|"
    r"mailto):[^\s\[\]]+)\[([^\[\]]+?)\^?\]"
)
_ASCIIDOC_REFERENCE = re.compile(r"<<[^<>,]+,\s*([^<>]+)>>")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
_ENTITY = re.compile(r"&(nbsp|amp|lt|gt|quot|mdash|ndash|hellip|#39);")
_ENTITIES = {
    "nbsp": " ",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "quot": '"',
    "mdash": "—",
    "ndash": "–",
    "hellip": "…",
    "#39": "'",
}
# The marks that carry a meaning, in tables above all.
_EMOJI = re.compile(r":(white_check_mark|heavy_check_mark|x|warning):")
_EMOJIS = {
    "white_check_mark": "✅",
    "heavy_check_mark": "✔",
    "x": "❌",
    "warning": "⚠",
}
# reStructuredText and MyST: `:role:`text <target>``, `{role}`text``, `text <url>`__
# (not what stands between two pieces of code: `/{name}`, `/runs`)
_INNER = r"(?=[^\s.,;:)])([^`<]+?)(?:\s*<[^`>]*>)?`"
_ROLE = re.compile(rf"(?<![`\w/])(?::[\w:+-]+:|\{{[\w:+-]+\}})`[!~]?{_INNER}")
_REFERENCE = re.compile(rf"(?<![`\w])`{_INNER}__?(?!\w)")
_LITERAL = re.compile(r"(?<!`)``([^`\n]+)``(?!`)")
_STRONG = re.compile(
    r"(?<![\w*])(\*\*|__(?![a-z0-9_]+__))(?=\S)(.+?)(?<=\S)\1(?![\w*])"
)
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])")
_UNDERLINED = re.compile(r"(?<!\w)_(?=[^\s_])([^_]+?)(?<=\S)_(?!\w)")


@lru_cache(maxsize=512)
def clean(text: str) -> str:
    """Without list marks, anchors, badges, link targets, footnote marks and emphasis.

    >>> clean("**Keep** `a * b` [short](x.md)[^1]")
    'Keep `a * b` short'
    """
    text = text.strip()
    if "<" in text:
        text = _CODE_TAG.sub(r"`\2`", text)
    if "`" not in text:
        return " ".join(_outside_code(_LIST_MARK.sub("", text)).split())
    text = _ROLE.sub(r"`\1`", _LIST_MARK.sub("", text))
    text = _LITERAL.sub(r"`\1`", _REFERENCE.sub(r"\1", text))
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found.group())
        return f"\0{len(held) - 1}\0"

    text = _outside_code(_CODE.sub(hold, text.replace("\0", "")))
    return " ".join(_HELD.sub(lambda one: held[int(one[1])], text).split())


def _outside_code(text: str) -> str:
    if "<" in text or "![" in text:
        text = _AUTOLINK.sub(r"\1", _BREAK.sub(" ", _BADGE.sub("", text)))
        text = _TAG.sub("", _ASCIIDOC_REFERENCE.sub(r"\1", text)).strip()
        text = _LIST_MARK.sub("", text)
    if "[" in text:
        text = _links(text)
    if "*" in text or "_" in text:
        text = _STRONG.sub(r"\2", text)
        text = _unpaired(_UNDERLINED.sub(r"\1", _EMPHASIS.sub(r"\1", text)))
    if "&" in text:
        text = _ENTITY.sub(lambda one: _ENTITIES[one[1]], text)
    if "mark:" in text or ":x:" in text or ":warning:" in text:
        text = _EMOJI.sub(lambda one: _EMOJIS[one[1]], text)
    return text


def _links(text: str) -> str:
    text = _ASCIIDOC.sub(r"\1", _EMPTY_LINK.sub("", text))
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "][" in text:
        text = _NAMED_LINK.sub(r"\1", text)
    return _SHORT_LINK.sub(r"\1\2", _FOOTNOTE.sub("", text))


def _unpaired(text: str) -> str:
    """Without the half of an emphasis whose other half is in another sentence."""
    if text.count("**") % 2:
        text = re.sub(r"^\W{0,3}\*\*|\*\*(?=[.!?]?$)", "", text.strip())
    return text
