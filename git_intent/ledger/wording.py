"""Ids, paths and texts of others in lines of ours: one line stays one line.

Light: nothing is loaded.
"""

_SAFE = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,"
)
#: Blanks that people write, though Python does not call them printable.
_BLANKS = frozenset("\u00a0\u202f\u3000")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """The text with everything unseen as an escape: control and format characters,
    those that turn the direction, line separators, halves of surrogate pairs."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in _BLANKS else _escape(char)
        for char in text
    )


def _escape(char: str) -> str:
    code = ord(char)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return _NAMED.get(char) or f"\\u{code:04x}"


def path_line(path: str) -> str:
    """A path as one line: as it is, or quoted for the shell if that takes escapes."""
    return path if visible(path) == path else shell(path)


def shell(text: str) -> str:
    """The text as one word of a shell."""
    if text and _SAFE.issuperset(text):
        return text
    if visible(text) == text:
        return "'" + text.replace("'", "'\\''") + "'"
    data = text.encode("utf-8", "surrogatepass")
    return "$'" + "".join(map(_byte, data)) + "'"


def _byte(code: int) -> str:
    char = chr(code)
    return char if char in _SAFE else f"\\x{code:02x}"
