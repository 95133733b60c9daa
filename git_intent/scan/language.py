"""Which language a paragraph is written in: only as much as the extractor must know.

The classifier was trained on English; for anything else it would guess, so the built-in
extractor says nothing there and counts what it skipped. Decided by script, then by the
function words that no other language shares.
"""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CODE = re.compile(r"`[^`]*`|https?://\S+|\S+/\S+|\b\w+[._]\w+\b")
_MAY_BE_CODE = re.compile(r"[`/]|[._]\w")

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


def language(text: str) -> str:
    """`en`, another language's code, `other` for a foreign script, or `` for unsure."""
    prose = _CODE.sub(" ", text) if _MAY_BE_CODE.search(text) else text
    words = _WORD.findall(prose.lower())
    if not words:
        return ""
    plain = prose.isascii()
    if not plain and _mostly_foreign_script(words):
        return "other"
    english = sum(map(_ENGLISH.__contains__, words))
    if _FOREIGN.keys().isdisjoint(words):
        return "en" if english else ""
    counts: dict[str, int] = {}
    for word in words:
        for code in _FOREIGN.get(word, ()):
            counts[code] = counts.get(code, 0) + 1
    best = max(counts, key=lambda code: counts[code], default="")
    if best and counts[best] > english and (counts[best] > 1 or not plain):
        return best
    return "en" if english else ""


def _mostly_foreign_script(words: list[str]) -> bool:
    letters = "".join(words)
    return sum(letter < "\u0250" for letter in letters) < 0.7 * len(letters)


@lru_cache(maxsize=64)
def _of_page(sample: str) -> str:
    return language(sample)


def trained(text: str, around: str) -> bool:
    """Whether the built-in extractor may judge `text`; `around` decides when unsure."""
    return (language(text) or _of_page(around)) in ("", "en")
