"""Which language a paragraph is written in: only as much as the extractor must know.

The classifier was trained on English; for anything else it would guess, so the built-in
extractor says nothing there and counts what it skipped. Decided by script, then by the
function words that no other language shares.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PLAIN_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")  # the same in ASCII's lower case
_DOTTED = re.compile(r"\b\w+[._]\w+\b")
_CODE = re.compile(rf"`[^`]*`|\S[^\s/]*+/\S+|{_DOTTED.pattern}")
_PAGE = 40  # statements that tell the language of their page

_ENGLISH = frozenset(
    "the a an and or of to in for on with is are be as by it this that from not we you "
    "your our must should never always do don't use if when before after only each all "
    "any no can may will its than into keep avoid".split()
)
_OTHERS = {
    "de": "der die das und oder nicht ein eine ist sind für mit auf von wir sie immer "
    "nie niemals muss müssen soll sollen bitte werden wird kein keine im den dem zu",
    "fr": "le la les des et ou ne pas un une est sont pour avec sur nous vous "
    "toujours jamais doit doivent dans du au aux être",
    "es": "el los las y o un una es son para con siempre nunca debe deben del al por "
    "que se en como usar",
    "pt": "os e ou um uma são para com sempre nunca deve devem do da dos das não em "
    "que",
    "it": "il lo gli e o un una è sono per con sempre mai deve devono della dei non "
    "che di nel",
    "nl": "het een en of niet zijn voor met op wij altijd nooit moet moeten geen van "
    "je",
    "tr": "ve veya bir bu için ile her asla zaman değil olmalı gerekir daima",
    "pl": "i oraz nie jest są dla z na zawsze nigdy musi muszą należy w do się",
    "sv": "och eller inte en ett är för med på alltid aldrig måste ska av det",
}
#: Function word -> the languages other than English that use it.
_FOREIGN: dict[str, list[str]] = {}
for _code, _words in _OTHERS.items():
    for _word in _words.split():
        if _word not in _ENGLISH:
            _FOREIGN.setdefault(_word, []).append(_code)


class _Said(NamedTuple):
    """The words of a text that are no code, and whether that text is ASCII."""

    words: list[str]
    plain: bool


def language(text: str) -> str:
    """`en`, another language's code, `other` for a foreign script, or `` for unsure."""
    return _language(_said(text))


def trained(texts: Sequence[str]) -> list[bool]:
    """Whether the built-in extractor may judge each of the texts of a page.

    The first of them decide where a text is too short to tell.
    """
    said = [_said(text) for text in texts]
    told = [_language(one) for one in said]
    page = _of_page(texts[:_PAGE], said[:_PAGE]) if "" in told else ""
    return [(one or page) in ("", "en") for one in told]


def _of_page(texts: Sequence[str], said: Sequence[_Said]) -> str:
    """The language of the texts as one; read anew only if code may span two of them."""
    if any("`" in text for text in texts):
        return language(" ".join(texts))
    words = [word for one in said for word in one.words]
    return _language(_Said(words, all(one.plain for one in said)))


def _said(text: str) -> _Said:
    prose = _prose(text)
    plain = prose.isascii()
    return _Said((_PLAIN_WORD if plain else _WORD).findall(prose.lower()), plain)


def _prose(text: str) -> str:
    """The text without code; most have none, and few need the slow pattern."""
    # a full stop at the very end is no code
    if (
        "`" not in text
        and "/" not in text
        and "_" not in text
        and text.find(".", 0, -1) < 0
    ):
        return text
    if "`" in text or not text.isascii():
        return _CODE.sub(" ", text)
    # no match but a span of code reaches beyond white space
    return " ".join(
        _DOTTED.sub(" ", part) if "." in part or "_" in part else part
        for part in text.split()
        if part.find("/", 1, -1) < 0
    )


def _language(said: _Said) -> str:
    words = said.words
    if not words:
        return ""
    if not said.plain and _mostly_foreign_script(words):
        return "other"
    if _FOREIGN.keys().isdisjoint(words):
        return "" if _ENGLISH.isdisjoint(words) else "en"
    english = sum(map(_ENGLISH.__contains__, words))
    counts: dict[str, int] = {}
    for word in filter(_FOREIGN.__contains__, words):
        for code in _FOREIGN[word]:
            counts[code] = counts.get(code, 0) + 1
    best = max(counts, key=lambda code: counts[code])
    if counts[best] > english and (counts[best] > 1 or not said.plain):
        return best
    return "en" if english else ""


def _mostly_foreign_script(words: list[str]) -> bool:
    letters = "".join(words)
    return sum(letter < "\u0250" for letter in letters) < 0.7 * len(letters)
