"""Text folded as `re.IGNORECASE` folds it, for looking a word up before a pattern runs.

Most texts hold none of the words that a pattern needs, and `word in text` costs a tenth
of the search. Lower case alone would miss four letters that IGNORECASE takes for ASCII.
"""

_LIKE_ASCII = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")


def folded(text: str) -> str:
    """`text` in lower case; each character that matches an ASCII letter as that."""
    return text.lower() if text.isascii() else text.translate(_LIKE_ASCII).lower()


def holds(text: str, words: tuple[str, ...]) -> bool:
    """Whether any of the words, in lower case, stands in the folded text."""
    return any(map(text.__contains__, words))
