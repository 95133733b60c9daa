"""Does a text carry a secret? One compiled pattern list of our own.

Two kinds of patterns: shapes that vendors gave their tokens (`secret_shapes`), which
are secrets wherever they stand, and values given to a name such as `password`, which
are secrets if they look made up. Commit ids, UUIDs, plain words, paths, code and
placeholders are none. What a line break cuts in two is put together first.
"""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from git_intent.secret_shapes import SHAPES

REMOVED = "[secret removed]"


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """What it is and where it stands, never the secret itself."""

    kind: str
    start: int
    end: int


_WORDS = r"pass(?:word|wd|phrase|code)|pwd|passwort|kennwort|contraseña|senha"
_NAMES = (
    r"(?:api|access|secret|private|account|encryption|signing|master|service|auth"
    r"|shared)[ _.-]?key(?:[ _.-]?id)?|(?:client|app|webhook)[ _.-]?secret|secret"
    r"|secret[ _.-]access[ _.-]key|token|credentials?"
)
_QUOTE = "\"'`\u201c\u201d\u2018\u2019"
_BARE = rf"[^\s{_QUOTE}<>,;|()\[\]]"
#: A value that goes on in the next line after a hyphen or backslash.
_LONG = rf"{_BARE}{{4,256}}(?:(?<=[-\\])\n\s*{_BARE}{{1,200}})?"
_KEY = rf"(?:(?P<word>{_WORDS})|(?P<name>{_NAMES}))"

_IS = r"(?:is|was|ist|lautet|(?:is\s|was\s)?(?:now|set\sto|changed\sto))"
_QUOTED = (
    r"(?P<quote>[\"'`])(?P<secret>(?:(?!(?P=quote))[^\n]){4,200}"
    r"(?:\n(?:(?!(?P=quote))[^\n]){1,200})?)(?P=quote)"
)
#: `password = "…"`, `"token": "…"`, `PASSWORD=…`, `api_key => …`, `<password>…<`
_ASSIGNED = (
    rf"{_KEY}(?:\[?\d{{1,2}}\]?)?[{_QUOTE}*_]{{0,3}}[^\S\n]*(?::=|=>|==?|:|>)"
    rf"[*_]{{0,2}}\s{{0,16}}\(?\s{{0,8}}"
    rf"(?:{_QUOTED}|[\u201c\u2018]?(?P<bare>{_LONG}))"
)
#: `the password is …`, `password for the database was changed to "…"`
_TOLD = (
    rf"{_KEY}(?:\s(?:for|of|to)\s[^\n.:;]{{1,40}}?)?\s+{_IS}\s+"
    rf"[{_QUOTE}]?(?P<secret>{_LONG})"
)
_CURL = (
    r"\b(?:curl|wget)\b[^\n]{0,200}?\s(?:-u|--user)[\s=]\s*['\"]?"
    r"[^\s:'\"]+:(?P<secret>[^\s'\"]{4,200})"
)
_HEADER = (
    r"\bauthorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+"
    r"(?P<secret>[\w+/.~-]{12,}={0,2})"
)
#: Values in their contexts; all have the group `secret` and are judged by `_made_up`.
_CONTEXTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        _ASSIGNED,
        _TOLD,
        rf"{_KEY}\s+[{_QUOTE}](?P<secret>{_LONG})[{_QUOTE}]",
        rf"--?(?:{_KEY}|pass)[\s=]\s*[{_QUOTE}]?(?P<secret>{_LONG})",
        r"\bsshpass\s+-p\s*['\"]?(?P<secret>[^\s'\"]{4,200})",
        _CURL,
        r"\bidentified\s+by\s+['\"](?P<secret>[^'\"\n]{4,200})['\"]",
        r"\blogin\s+\S+\s+password\s+(?P<secret>\S{4,200})",
        _HEADER,
        r"\bbearer\s+(?P<secret>[\w+/.~-]{16,}={0,2})",
    )
)
_URL = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://(?P<user>[^\s:/?#@'\"<>`]{0,100}):"
    r"(?P<secret>[^\s/?#'\"<>`]{3,200}?)@(?=[\w\[])",
    re.IGNORECASE,
)
#: A line break inside a token or between two literals that are put together.
_BREAK = re.compile(
    r"(?<=[\w+/=.-])[\"']?[ \t]*[\\+]?[ \t]*\r?\n[ \t>*#/]*[\"']?(?=[\w+/=.-])"
)
#: A second literal that continues the first: `"abc" \` and `"def"` below.
_MORE = re.compile(r"[\"']\s*[\\+.]?\s*\n\s*[\"'][^\"'\n]{1,200}(?=[\"'](?!\s*[:=]))")

#: The rest of a token: letters and digits, not a word.
_REST = re.compile(r"(?=[^\W\d]*\d)(?=[\W\d]*[a-zA-Z])[\w+/=.-]{6,}")

_PLACEHOLDER = re.compile(
    r"[xX*.\-_#0?]+|\$\w.*|.*(?:\$[({]|\{\{?|\}\}|<|>|%[(sdv{%]|\*{3}|\.\.\.|\u2026).*"
    r"|.*(?:change[-_ ]?me|chang[ei]t|example|placeholder|redacted|removed|your[-_ ]"
    r"|my[-_]?(?:secret|token|password|key)|dummy|replace[-_ ]?|insert[-_ ]|todo|fixme"
    r"|not[-_]?a[-_]?(?:real|secret)|goes[-_ ]?here|x{4,}|1234567890abc).*"
    r"|(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|user(?:name)?|test(?:ing)?"
    r"|admin|root|guest|none|null|nil|true|false|string|undefined|postgres|foo|bar)\d{0,3}",
    re.IGNORECASE | re.DOTALL,
)
#: Paths, calls, references, environment names, dates, versions, numbers, algorithms.
_ORDINARY = re.compile(
    r"(?:\.{0,2}|~)/.*|\w+://.*|arn:.*|[A-Z]:\\.*|.*(?:::|->|\(|\)|\[|\]).*"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|@\S*|&\S+"
    r"|[\w-]+(?:/[\w.-]+)+|[\d.,:%TZ+-]+|v?\d+(?:\.\d+)+[\w.-]*|\d+[-_ ]?[a-zA-Z]+"
    r"|[\w-]*\.(?:md|ya?ml|json|toml|txt|py|js|ts|go|rs|env|pem|key|html?)"
    r"|(?:sha|md|base|utf|aes|rsa|hs|rs|es|ps|oauth|http|ipv|x|ed|bcrypt|argon|pbkdf"
    r"|scrypt|ascii|latin|iso|rfc|p)[-_]?\d+[\w-]*"
    r"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
    re.IGNORECASE,
)
_PASSPHRASE = re.compile(r"[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,}){3,}")
_WRAP = re.compile(r"[-\\]?\r?\n\s*")
_GUESSES = re.compile("High Entropy|Public IP")
_REFERENCE = re.compile(r"[A-Za-z_]\w*(?:pass|token|secret|key|cred)\w*", re.IGNORECASE)


def find(text: str) -> list[Secret]:
    """Every secret of the text in order; none overlaps the next."""
    found = [*_shapes(text), *_split_shapes(text), *_urls(text), *_given(text)]
    return list(_merged(found))


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

    plugins = get_mapping_from_secret_type_to_class()
    wanted = [name for name in sorted(plugins) if not _GUESSES.search(name)]
    found: list[Secret] = []
    start = 0
    for line in text.splitlines(keepends=True):
        for name in wanted:
            plugin: Any = plugins[name]
            # The plugin's line analysis would verify what it found with the vendor.
            for value in plugin().analyze_string(line):
                at = line.find(value)
                if at >= 0 and not _harmless(value):
                    found.append(Secret(name, start + at, start + at + len(value)))
        start += len(line)
    return list(_merged(found))


def _shapes(text: str) -> Iterator[Secret]:
    for shape in SHAPES:
        if shape.needle in text:
            for match in shape.pattern.finditer(text):
                start, end = match.span("secret" if shape.pattern.groups else 0)
                if not re.search(r"[xX*.0]{16,}$|x{12}", match[0]):
                    yield Secret(shape.kind, start, end)


def _split_shapes(text: str) -> Iterator[Secret]:
    """Tokens that are whole only when line breaks are taken out."""
    joined: list[str] = []
    cuts: list[int] = []  # where in the joined text something was taken out
    gaps: list[int] = []  # how much was taken out up to there
    last = length = gap = 0
    for found in _BREAK.finditer(text):
        joined.append(text[last : found.start()])
        length += found.start() - last
        last = found.end()
        gap += last - found.start()
        cuts.append(length)
        gaps.append(gap)
    if not cuts:
        return
    whole = {secret.start for secret in _shapes(text)}
    single = "".join(joined) + text[last:]
    for secret in _shapes(single):
        first = bisect_right(cuts, secret.start)
        end = bisect_right(cuts, secret.end - 1)
        if end == first:
            continue
        start = secret.start + (gaps[first - 1] if first else 0)
        # The first line may be a token already; is the next one more of it, or prose?
        if start not in whole or _REST.match(single, cuts[end - 1], secret.end):
            yield Secret(secret.kind, start, secret.end + gaps[end - 1])


def _urls(text: str) -> Iterator[Secret]:
    if "://" in text:
        for match in _URL.finditer(text):
            value = match["secret"]
            if value != match["user"] and not _PLACEHOLDER.fullmatch(value):
                yield Secret("password in a URL", *match.span("secret"))


def _given(text: str) -> Iterator[Secret]:
    for pattern in _CONTEXTS:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            part = "bare" if groups.get("bare") else "secret"
            start, end = match.span(part)
            value = text[start:end].rstrip(".,;:!?*_\\")
            if part == "bare" and re.match(
                r"\s*[:=]", text[start + len(value) : end + 1]
            ):
                continue  # the next key of a mapping, not a value
            if not _made_up(value, token=bool(groups.get("name")), bare=part == "bare"):
                continue
            end = start + len(value)
            while more := _MORE.match(text, end):
                end = more.end()
            kind = "token" if groups.get("name") else "password"
            yield Secret(kind, start, end)


def _made_up(value: str, *, token: bool, bare: bool) -> bool:
    """Does the value look like a password, or like a token, rather than like words?"""
    value = _WRAP.sub("", value)
    if len(value) < (12 if token else 6) or _harmless(value):
        return False
    if bare and _REFERENCE.fullmatch(value):
        return False  # a variable
    if not token and _PASSPHRASE.fullmatch(value):
        return True
    if any(c.isspace() for c in value):
        return False
    letters = any(c.isalpha() for c in value)
    signs = any(c.isdigit() or c in "!@#$%^&*+=?~" for c in value)
    return letters and signs and _entropy(value) >= (3.0 if token else 2.2)


def _harmless(value: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(value) or _ORDINARY.fullmatch(value))


def _entropy(text: str) -> float:
    """Bits a character."""
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts)


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
