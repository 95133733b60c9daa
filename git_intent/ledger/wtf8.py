"""Text with halves of surrogate pairs, as bytes and back without loss.

JSON can spell such text (`"\\ud83d"`), UTF-8 cannot. WTF-8 writes a half the way UTF-8
would, and a pair as the one character it means, so that each text has one spelling, and
text without halves is plain UTF-8.

Light: nothing is loaded.
"""

UTF8, WTF8 = "utf-8", "wtf-8"


def encode(text: str) -> tuple[bytes, str]:
    """The bytes of a text, and which of UTF8 and WTF8 they are."""
    try:
        return text.encode("utf-8"), UTF8
    except UnicodeEncodeError:
        pass
    # two halves that meet are one character
    joined = text.encode("utf-16-le", "surrogatepass").decode(
        "utf-16-le", "surrogatepass"
    )
    data = joined.encode("utf-8", "surrogatepass")
    return data, _kind(joined)


def decode(data: bytes) -> str:
    """The text of such bytes; raises UnicodeDecodeError for others."""
    return data.decode("utf-8", "surrogatepass")


def encoding_of(data: bytes) -> str:
    """UTF8, WTF8, or empty for bytes that are neither."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return UTF8
    try:
        text = decode(data)
    except UnicodeDecodeError:
        return ""
    return WTF8 if encode(text)[0] == data else ""


def _kind(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return WTF8
    return UTF8
