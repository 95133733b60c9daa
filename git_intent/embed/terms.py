"""Text to the terms that keyword search compares.

Case is folded without a locale and marks are dropped, so that `İSTANBUL`, `istanbul`,
`Straße` and `STRASSE` meet. An identifier is found whole and by its parts: `parseInt`,
`parse_int` and `parse-int` all give `parseint`, `parse`, `int`. Scripts that put no
blanks between words give overlapping pairs of characters. English words lose their
endings; the commonest of them do not count.

On the hot path: nothing is imported for ASCII text, `unicodedata` for any other.
"""

#: Changes with the terms that a text gives: prepared words are of one such number.
VERSION = 1

_JOINS = "_-./:"
_STOP = frozenset(
    "a about all also am an and any are as at be because been before being but by can"
    " cannot could d did do does doing don each every few for from further had has have"
    " having he her here hers him his how i if in into is it its just let ll m me more"
    " most my no nor not of off on once only or other our out own please re s same she"
    " should so some such t than that the their them then there these they this those"
    " through to too up us ve very was we were what when where which while who whom"
    " why will with would you your".split()
)
_VOWELS = frozenset("aeiouy")
#: Where words are not set apart by blanks: Thai to Myanmar, Khmer, kana and ideographs,
#: Hangul, compatibility and further ideographs.
_DENSE = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


def terms(text: str, known: dict[str, list[str]] | None = None) -> list[str]:
    """The terms of `text` in order, repeated ones repeated.

    `known` remembers the terms of what stands between blanks, for texts in numbers.
    """
    plain = text if text.isascii() else _decompose(text)
    remembered = {} if known is None else known
    found: list[str] = []
    for chunk in _spaced(plain).split():
        own = remembered.get(chunk)
        if own is None:
            own = remembered[chunk] = _terms_of(chunk)
        found += own
    return found


def _terms_of(chunk: str) -> list[str]:
    parts = _parts(chunk)
    found = ["".join(parts).lower()] if len(parts) > 1 else []
    for part in parts:
        _add(part.lower(), found)
    return found


def _decompose(text: str) -> str:
    """Marks dropped, case folded where that is more than lower case."""
    from unicodedata import combining, normalize

    # The dotless i is a letter of its own that no form maps to i.
    folded = normalize("NFKD", text.replace("\u0131", "i"))
    kept = "".join(char for char in folded if not _is_accent(combining(char)))
    # Composed again: a syllable of Hangul would be three characters.
    return normalize(
        "NFC",
        "".join(c if c < "\x80" or c.isupper() else c.casefold() for c in kept),
    )


def _is_accent(kind: int) -> bool:
    """Accents and vowel points; not what voices a kana or joins Indic letters."""
    return 10 <= kind <= 35 or kind >= 200


def _ascii_table() -> dict[int, str]:
    return {
        code: " "
        for code in range(128)
        if not chr(code).isalnum() and chr(code) not in _JOINS
    }


_ASCII = _ascii_table()


def _spaced(text: str) -> str:
    """Only letters, digits and what joins them; blanks for the rest."""
    text = text.translate(_ASCII)
    if text.isascii():
        return text
    from unicodedata import category

    return "".join(
        char if char < "\x80" or category(char)[0] in "LMN" else " " for char in text
    )


def _is_dense(char: str) -> bool:
    point = ord(char)
    return point >= 0x0E00 and any(low <= point <= high for low, high in _DENSE)


def _parts(chunk: str) -> list[str]:
    """The words of an identifier or path: at joints and at humps."""
    for joint in _JOINS:
        if joint in chunk:
            chunk = chunk.replace(joint, " ")
    if chunk.islower() or chunk.isupper():
        return chunk.split()
    return [part for word in chunk.split() for part in _humps(word)]


def _humps(word: str) -> list[str]:
    """`parseHTTPHeader` at the humps: parse, HTTP, Header."""
    if word.islower() or word.isupper() or word[1:].islower():
        return [word]
    parts, start = [], 0
    for at in range(1, len(word)):
        if word[at].isupper() and (
            word[at - 1].islower()
            or (word[at - 1].isupper() and word[at + 1 : at + 2].islower())
        ):
            parts.append(word[start:at])
            start = at
    return [*parts, word[start:]]


def _add(word: str, found: list[str]) -> None:
    if word.isascii():
        if word not in _STOP:
            found.append(_stem(word))
        return
    start = 0
    for at in range(1, len(word) + 1):
        if at == len(word) or _is_dense(word[at]) != _is_dense(word[start]):
            run = word[start:at].casefold()
            found += _pairs(run) if _is_dense(run[0]) else [run]
            start = at


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def _stem(word: str) -> str:
    """An English word without the endings of number and tense."""
    if len(word) < 3 or not word.isalpha():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and word[-2] not in "siu":
        word = word[:-1]
    for ending in ("ing", "ed"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and stem[-1:] != "e" and not _VOWELS.isdisjoint(stem):
            word = stem
            if word[-1] == word[-2:-1] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e")
