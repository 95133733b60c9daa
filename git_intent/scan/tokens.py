"""The tokens of a text as numbers: what is hashed, and the classes a word belongs to.

A number is a hash of 24 bits and, above it, one bit for each class of `scan.lexicon`.
Code, addresses, paths and numbers are one token each, whatever they say.
"""

import re
from zlib import crc32

from git_intent.scan.lexicon import CLASSES, WORDS

HASH = (1 << 24) - 1  # the part of a token's number that is its hash
SHIFT = 24  # above it: one bit for each class that the word belongs to

_TOKEN = re.compile(
    r"`+[^`]+`+"
    r"|\]\([^()\s]*\)"
    r"|<?https?://[^\s>)]+>?"
    r"|\.{0,2}[\w.@*-]*/[\w./*@<>-]+"
    r"|\d[\d.,]*"
    r"|[A-Za-z]+(?:['’][a-z]+)?"
    r"|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[^\W\d_]+"
    r"|[^\w\s*_\[\]]"
)
# The same for ASCII without code, links and paths, which most statements are.
_WORDS = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|[0-9][0-9.,]*|[^\w\s*_\[\]]")
_READ = 1_000  # characters of a statement that are looked at
_CLASS = {name: 1 << bit for bit, name in enumerate(CLASSES)}


class _Tokens(dict[str, int]):
    """The number of each token seen; bounded, so that no document can fill memory."""

    limit = 60_000

    def __missing__(self, token: str) -> int:
        if len(self) >= self.limit:
            self.clear()
        number = self[token] = _number(token)
        return number


def tokens_of(text: str, limit: int) -> list[int]:
    """The numbers of the first tokens, without those of link targets."""
    text = text[:_READ]
    plain = text.isascii() and not ("`" in text or "/" in text or "](" in text)
    found = (_WORDS if plain else _TOKEN).findall(text)
    return list(filter(None, map(_TOKENS.__getitem__, found[:limit])))


def _number(token: str) -> int:
    first = token[0]
    if first == "]":
        return 0
    if first == "`":
        word, kinds = "CODE", _CLASS["code"]
    elif "://" in token:
        word, kinds = "URL", _CLASS["url"]
    elif "/" in token and len(token) > 1:
        word, kinds = "PATH", _CLASS["path"]
    elif first.isdigit():
        word, kinds = "NUM", _CLASS["number"]
    else:
        word = token.lower().replace("’", "'")
        kinds = WORDS.get(word, 0) | _form(token, word)
        if len(token) > 2 and token.isupper():
            kinds |= _CLASS["shouted"]
    return ((crc32(word.encode()) & HASH) or 1) | kinds << SHIFT


def _form(token: str, word: str) -> int:
    """The classes of a word by its look."""
    found = 0
    if len(word) > 3:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            found |= _CLASS["s-form"]
        elif word.endswith("ed"):
            found |= _CLASS["ed-form"]
        elif word.endswith("ing"):
            found |= _CLASS["ing-form"]
    if token[0].isupper():
        found |= _CLASS["capital"]
    return found


_TOKENS = _Tokens()
