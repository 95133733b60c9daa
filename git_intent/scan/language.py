"""Which language a paragraph is written in: only as much as the extractor must know.

The classifier was trained on English; for anything else it would guess, so the built-in
extractor says nothing there and counts what it skipped. Decided by script, then by the
function words that no other language shares.
"""

import re

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CODE = re.compile(r"`[^`]*`|https?://\S+|\S+/\S+|\b\w+[._]\w+\b")

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
_FOREIGN = {code: frozenset(words.split()) for code, words in _OTHERS.items()}


def language(text: str) -> str:
    """`en`, another language's code, `other` for a foreign script, or `` for unsure."""
    prose = _CODE.sub(" ", text)
    letters = [c for c in prose if c.isalpha()]
    if not letters:
        return ""
    latin = sum(1 for c in letters if c < "\u0250")
    if latin < 0.7 * len(letters):
        return "other"
    words = [w.lower() for w in _WORD.findall(prose)]
    english = sum(w in _ENGLISH for w in words)
    best, count = "", 0
    for code, known in _FOREIGN.items():
        found = sum(w in known and w not in _ENGLISH for w in words)
        if found > count:
            best, count = code, found
    if count > english and (count > 1 or not latin_ascii(letters)):
        return best
    return "en" if english else ""


def latin_ascii(letters: list[str]) -> bool:
    """Whether no letter carries an accent."""
    return all(c < "\u0080" for c in letters)


def trained(text: str, around: str) -> bool:
    """Whether the built-in extractor may judge `text`; `around` decides when unsure."""
    found = language(text) or language(around)
    return found in ("", "en")
