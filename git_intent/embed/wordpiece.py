"""Text to vocabulary rows, exactly as BERT's lower-casing WordPiece does it.

The steps, in the order of Hugging Face `tokenizers` (BertNormalizer, BertPreTokenizer,
WordPiece): the added tokens `[PAD]` and `[UNK]` are cut out of the raw text; control
characters go; CJK ideographs become words of their own; NFD, combining marks go; each
character is lower-cased by itself (so no final sigma); words end at white space, and
each punctuation character is a word. A word is split greedily into the longest known
pieces, or is unknown as a whole. Unknown words count towards the limit and are dropped.

On the hot path: nothing is imported for ASCII text, `unicodedata` for any other. The
two sides may differ in characters younger than Unicode 9, whose category `tokenizers`
does not know.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST_WORD = 100
PAD, UNKNOWN = "[PAD]", "[UNK]"

_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def _ascii_table() -> dict[int, str | None]:
    table: dict[int, str | None] = dict.fromkeys([*range(32), 127])
    table.update((ord(blank), " ") for blank in "\t\n\r")
    table.update((ord(mark), f" {mark} ") for mark in _PUNCTUATION)
    return table


_ASCII = _ascii_table()
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def words(text: str) -> list[str]:
    """Normalised words and punctuation marks, in order."""
    plain = text.lower() if text.isascii() else _fold(text)
    return plain.translate(_ASCII).split()


def _fold(text: str) -> str:
    """What the normaliser does to text beyond ASCII; its punctuation set apart."""
    from unicodedata import category, normalize

    kept = []
    for char in text:
        if char < "\x80":
            kept.append(char)
        elif char == "\ufffd" or category(char) in ("Cc", "Cf", "Co", "Cs"):
            continue
        elif char.isspace():
            kept.append(" ")
        else:
            kept.append(f" {char} " if _is_ideograph(ord(char)) else char)
    folded = []
    for char in normalize("NFD", "".join(kept)):
        if char < "\x80":
            folded.append(char.lower())
            continue
        kind = category(char)
        if kind[0] == "P":
            folded.append(f" {char} ")
        elif kind != "Mn":
            folded.append(char.lower())
    return "".join(folded)


def _is_ideograph(point: int) -> bool:
    return point >= 0x3400 and any(low <= point <= high for low, high in _IDEOGRAPHS)


def rows(
    text: str,
    row_of: "Callable[[bytes], int]",
    limit: int,
    known: dict[str, list[int]],
) -> list[int]:
    """The rows of the first `limit` pieces of `text`; `row_of` says -1 for unknown.

    `row_of` gets a piece in UTF-8, a piece inside a word with `##` before it. `known`
    remembers the pieces of words already met.
    """
    found: list[int] = []
    count = 0
    for word in _units(text):
        pieces = known.get(word)
        if pieces is None:
            pieces = known[word] = _pieces(word, row_of)
        found += pieces
        count += len(pieces) or 1
        if count >= limit:
            # The word that crosses the limit is the last one, and has only known pieces
            # if it has more than one.
            return found[: len(found) - (count - limit)]
    return found


def _units(text: str) -> "Iterator[str]":
    if PAD not in text and UNKNOWN not in text:
        yield from words(text)
        return
    for i, outer in enumerate(text.split(PAD)):
        if i:
            yield PAD
        for j, inner in enumerate(outer.split(UNKNOWN)):
            if j:
                yield UNKNOWN
            yield from words(inner)


def _pieces(word: str, row_of: "Callable[[bytes], int]") -> list[int]:
    """The rows of the longest known pieces from the left; empty if that fails."""
    if word == UNKNOWN or len(word) > LONGEST_WORD:
        return []
    whole = row_of(word.encode("utf-8"))
    if whole >= 0:
        return [whole]
    found = []
    start, length = 0, len(word)
    while start < length:
        mark = b"##" if start else b""
        for end in range(length, start, -1):
            row = row_of(mark + word[start:end].encode("utf-8"))
            if row >= 0:
                break
        else:
            return []
        found.append(row)
        start = end
    return found
