"""Does a text carry a secret? One compiled pattern list of our own.

Two kinds of patterns: shapes that vendors gave their tokens (`secret_shapes`), which
are secrets wherever they stand, and values given to a name such as `password`
(`secret_contexts`), which are secrets if they look made up. Commit ids, UUIDs, plain
words, paths, code and placeholders are none. What a line break cuts in two is put
together first.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from git_intent.secret_contexts import (
    given,
    harmless,
    is_placeholder,
    may_be_made_up,
    names_any,
)
from git_intent.secret_shapes import SHAPES


def _by_sign() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The needles of all shapes, by a sign that a text without them rarely holds."""
    left = dict.fromkeys(needle for shape in SHAPES for needle in shape.needles)
    groups = []
    for sign in ("_", "-", "=", "/", ""):
        some = tuple(needle for needle in left if sign in needle)
        groups.append((sign, some))
        left = dict.fromkeys(needle for needle in left if needle not in some)
    return tuple(groups)


#: A text without any of them holds no token, and nearly every text is without.
_NEEDLES = _by_sign()
REMOVED = "[secret removed]"


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """What it is and where it stands, never the secret itself."""

    kind: str
    start: int
    end: int


_URL = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://(?P<user>[^\s:/?#@'\"<>`]{0,100}):"
    r"(?P<secret>[^\s/?#'\"<>`]{3,200})@(?=[\w\[])",
    re.IGNORECASE,
)
#: What opens the next line when a token or literal goes on there.
_RESUME = re.compile(r"\n[ \t>*#/]*[\"']?(?=[\w+/=.-])")
_TOKEN_END = re.compile(r"[\w+/=.-]\Z")
#: The rest of a token: letters and digits, not a word.
_REST = re.compile(r"(?=[^\W\d]*\d)(?=[\W\d]*[a-zA-Z])[\w+/=.-]{6,}")

_BLANKED = re.compile(r"[xX*.0]{16,}$|x{12}")
_GUESSES = re.compile("High Entropy|Public IP")


def find(text: str) -> list[Secret]:
    """Every secret of the text in order; none overlaps the next."""
    found = [*_urls(text), *(Secret(*found) for found in given(text))]
    if _has_needle(text):
        found += [*_shapes(text), *_split_shapes(text)]
    return list(_merged(found)) if found else []


def none_in(text: str, varying: str, worded: str) -> bool:
    """Whether `find` finds nothing in `text`, told from parts of it.

    All but `varying` neither holds nor completes a needle, a name or `://`; all but
    `worded` neither holds nor completes a value that looks made up.
    """
    if "://" in varying or _has_needle(varying):
        return not find(text)
    if not names_any(varying) or not may_be_made_up(worded):
        return True
    return next(given(text), None) is None


def _has_needle(text: str) -> bool:
    return any(
        sign in text and any(map(text.__contains__, needles))
        for sign, needles in _NEEDLES
    )


def scrub(text: str) -> str:
    """The text with each secret replaced by a note."""
    parts, last = [], 0
    for secret in find(text):
        parts += [text[last : secret.start], REMOVED]
        last = secret.end
    return "".join(parts) + text[last:] if parts else text


def second_opinion(text: str) -> list[Secret]:
    """What detect-secrets finds, without its entropy guesses and without network.

    Importing it costs as much as a dozen starts of Python: never on a hot path.
    """
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    known: dict[str, Any] = get_mapping_from_secret_type_to_class()
    plugins = [
        (name, make())
        for name, make in sorted(known.items())
        if not _GUESSES.search(name)
    ]
    found: list[Secret] = []
    start = 0
    for line in text.splitlines(keepends=True):
        for name, plugin in plugins:
            # The plugin's line analysis would verify what it found with the vendor.
            for value in plugin.analyze_string(line):
                at = line.find(value)
                if at >= 0 and not harmless(value):
                    found.append(Secret(name, start + at, start + at + len(value)))
        start += len(line)
    return list(_merged(found))


def thorough(text: str) -> list[Secret]:
    """What either of the two finds; what both find is one."""
    return list(_merged([*find(text), *second_opinion(text)]))


def _shapes(text: str) -> Iterator[Secret]:
    for shape in SHAPES:
        if not any(map(text.__contains__, shape.needles)):
            continue
        pattern = shape.pattern
        hits = sorted(hit for needle in shape.needles for hit in _hits(text, needle))
        for first, last in _windows(hits, before=45, after=shape.reach):
            for match in pattern.finditer(text, first, last):
                start, end = match.span("secret" if pattern.groups else 0)
                if not _BLANKED.search(match[0]):
                    yield Secret(shape.kind, start, end)


def _split_shapes(text: str) -> Iterator[Secret]:
    """Tokens that are whole only when line breaks are taken out."""
    joined: list[str] = []
    cuts: list[int] = []  # where in the joined text something was taken out
    gaps: list[int] = []  # how much was taken out up to there
    last = length = gap = 0
    for start, end in _breaks(text):
        joined.append(text[last:start])
        length += start - last
        gap += end - start
        last = end
        cuts.append(length)
        gaps.append(gap)
    whole = {secret.start for secret in _shapes(text)}
    single = "".join(joined) + text[last:]
    for secret in _shapes(single):
        first = bisect_right(cuts, secret.start)
        final = bisect_right(cuts, secret.end - 1)
        if final == first:
            continue
        start = secret.start + (gaps[first - 1] if first else 0)
        # The first line may be a token already; is the next one more of it, or prose?
        if start not in whole or _REST.match(single, cuts[final - 1], secret.end):
            yield Secret(secret.kind, start, secret.end + gaps[final - 1])


def _breaks(text: str) -> Iterator[tuple[int, int]]:
    """What stands between two halves of a token: quotes, `\\`, `+`, and the break."""
    for match in _RESUME.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        half = before.rstrip(" \t\r")
        half = half[:-1].rstrip(" \t") if half.endswith(("\\", "+")) else half
        half = half[:-1] if half.endswith(("'", '"')) else half
        if _TOKEN_END.search(half):
            yield match.start() - len(before) + len(half), match.end()


def _urls(text: str) -> Iterator[Secret]:
    if "://" not in text or "@" not in text:
        return
    for start, end in _windows(_hits(text, "://"), before=25, after=320):
        for match in _URL.finditer(text, start, end):
            value = match["secret"]
            if value != match["user"] and not is_placeholder(value):
                yield Secret("password in a URL", *match.span("secret"))


def _hits(text: str, needle: str) -> Iterator[int]:
    hit = text.find(needle)
    while hit >= 0:
        yield hit
        hit = text.find(needle, hit + 1)


def _windows(
    hits: Iterable[int], *, before: int, after: int
) -> Iterator[tuple[int, int]]:
    """The stretches around the hits, those that overlap as one."""
    start = end = -1
    for hit in hits:
        if end < 0 or hit - before > end:
            if end >= 0:
                yield start, end
            start = max(0, hit - before)
        end = hit + after
    if end >= 0:
        yield start, end


def _merged(found: Iterable[Secret]) -> Iterator[Secret]:
    """In order of place; what overlaps becomes one, named after the first."""
    current: Secret | None = None
    for secret in sorted(found, key=lambda s: (s.start, -s.end, s.kind)):
        if current is None or secret.start >= current.end:
            if current is not None:
                yield current
            current = secret
        elif secret.end > current.end:
            current = Secret(current.kind, current.start, secret.end)
    if current is not None:
        yield current
