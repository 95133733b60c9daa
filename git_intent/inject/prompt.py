"""Put the block into a prompt: at its placement, else before everything.

A placement is `{{`, blanks, `$intent`, blanks, `}}`. The first one gets the block,
each later one nothing; a placement that gets nothing and stands alone on its line goes
with the line. A prompt is bytes: what is no placement stays as it is, valid UTF-8 or
not, and what was put in is not looked at again. Loads nothing, for hot paths.
"""

_OPENS, _NAME, _CLOSES = b"{{", b"$intent", b"}}"
_BLANKS = b" \t"
_MARK = b"\xef\xbb\xbf"  # of byte order; it may stand before a placement


def place(prompt: bytes, block: str) -> bytes:
    """The prompt with the block in it; an empty block leaves no trace."""
    found = placements(prompt)
    text = block.encode()
    if not found:
        return b"\n".join((text, prompt)) if text else prompt
    parts: list[bytes] = []
    at = 0
    for start, end in _lines_of_nothing(prompt, found, bool(text)):
        parts.append(prompt[at:start])
        if text:
            parts.append(text.removesuffix(b"\n"))
            text = b""
        at = end
    return b"".join([*parts, prompt[at:]])


def placements(prompt: bytes) -> list[tuple[int, int]]:
    """Where each placement begins and ends."""
    found = []
    at = prompt.find(_OPENS)
    while at >= 0:
        end = _placement_end(prompt, at)
        if end:
            found.append((at, end))
        at = prompt.find(_OPENS, end or at + 1)
    return found


def _placement_end(prompt: bytes, start: int) -> int:
    """Where the placement that starts here ends; 0 if there is none."""
    at = _behind_blanks(prompt, start + len(_OPENS))
    if not prompt.startswith(_NAME, at):
        return 0
    at = _behind_blanks(prompt, at + len(_NAME))
    return at + len(_CLOSES) if prompt.startswith(_CLOSES, at) else 0


def _behind_blanks(prompt: bytes, at: int) -> int:
    while prompt[at : at + 1] in (b" ", b"\t"):
        at += 1
    return at


def _lines_of_nothing(
    prompt: bytes, found: list[tuple[int, int]], first_stays: bool
) -> list[tuple[int, int]]:
    """The spans to replace: a line that holds nothing but empty placements is one."""
    spans = found[:1] if first_stays else []
    left = found[len(spans) :]
    while left:
        line = prompt.rfind(b"\n", 0, left[0][0]) + 1
        stop = prompt.find(b"\n", left[0][1])
        stop = len(prompt) if stop < 0 else stop + 1
        here = [span for span in left if span[0] < stop]
        left = left[len(here) :]
        begins = line + (len(_MARK) if prompt.startswith(_MARK) and not line else 0)
        occupied = any(line <= start < stop for start, _ in spans)
        if occupied or _words(prompt, here, begins, stop):
            spans += here
        else:
            spans.append((begins, stop))
    return spans


def _words(prompt: bytes, spans: list[tuple[int, int]], at: int, stop: int) -> bytes:
    """What a line holds besides these placements and blanks."""
    words = b""
    for start, end in spans:
        words += prompt[at:start]
        at = end
    return (words + prompt[at:stop]).strip(_BLANKS + b"\r\n")
