"""Values that are secrets because of the name they are given to.

`given` looks at what follows `password`, `token`, `--password`, `Authorization:` and
the like, and keeps what looks made up. Words, variables, paths, calls and placeholders
are left alone: the harm of a mangled sentence is real as well.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

_WORDS = (
    r"pass(?:words?|wd|phrase|code|wort|(?=[\"'`]?\s?[:=]))|pwd|pw|kennwort"
    r"|contraseña|senha"
)
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
    r"curl\b[^\n]{0,200}?\s(?:-u|--user)[\s=]\s*['\"]?"
    r"[^\s:'\"]+:(?P<secret>[^\s'\"]{4,200})"
)
_HEADER = (
    r"authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+"
    r"(?P<secret>[\w+/.~-]{12,}={0,2})"
)
#: Values in their contexts, each with the hint at which it starts. All have the group
#: `secret` or `bare`, which `_made_up` judges.
_CONTEXTS = (
    ("", _ASSIGNED),
    ("", _TOLD),
    ("", rf"{_KEY}\s+[{_QUOTE}](?P<secret>{_LONG})[{_QUOTE}]"),
    ("", rf"(?<=-)(?:{_KEY}|pass)[\s=]\s*[{_QUOTE}]?(?P<secret>{_LONG})"),
    ("sshpass", r"sshpass\s+-p\s*['\"]?(?P<secret>[^\s'\"]{4,200})"),
    ("curl", _CURL),
    ("identified", r"identified\s+by\s+['\"](?P<secret>[^'\"\n]{4,200})['\"]"),
    ("login", r"login\s+\S+\s+password\s+(?P<secret>\S{4,200})"),
    ("authorization", _HEADER),
    ("bearer", r"bearer\s+(?P<secret>[\w+/.~-]{16,}={0,2})"),
)
_HINT = re.compile(
    r"pass(?=[wpc\s=:\"'`])|\bpwd?\b|(?<=_)pwd?\b|kennwort|contrase|senha|secret"
    r"|token|credential"
    r"|(?:api|access|private|account|encryption|signing|master|service|auth|shared)"
    r"(?=[ _.-]?key)|\b(?:authorization|bearer|identified|curl|sshpass|login)\b"
)
#: One of them stands in every hint.
_STEMS = (
    *("pass", "pw", "kennwort", "contrase", "senha", "secret", "token", "credential"),
    *("key", "authorization", "bearer", "identified", "curl", "login"),
)
#: How far from a stem its hint may begin (`encryption key`) and what it looks at end.
_BEFORE, _AFTER = 12, 24
#: A second literal that continues the first: `"abc" \` and `"def"` below.
_MORE = re.compile(r"[\"']\s*[\\+.]?\s*\n\s*[\"'][^\"'\n]{1,200}(?=[\"'](?!\s*[:=]))")

_PLACEHOLDER = (
    r"(?s:[xX*.\-_#0?]+|\$\w.*|.*(?:\$[({]|\{\{?|\}\}|<|>|%[(sdv{%]|\*{3}|\.\.\.|\u2026).*"
    r"|.*(?:change[-_ ]?me|chang[ei]t|example|placeholder|redacted|removed|your[-_ ]"
    r"|my[-_]?(?:secret|token|password|key)|dummy|replace[-_ ]?|insert[-_ ]|todo|fixme"
    r"|not[-_]?a[-_]?(?:real|secret)|goes[-_ ]?here|x{4,}|1234567890abc).*"
    r"|(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|user(?:name)?|test(?:ing)?"
    r"|admin|root|guest|none|null|nil|true|false|string|undefined|postgres|foo"
    r"|bar)\d{0,3})"
)
#: Paths, calls, references, environment names, dates, versions, numbers, algorithms.
_ORDINARY = (
    r"(?:\.{0,2}|~)/.*|\w+://.*|arn:.*|[A-Z]:\\.*|.*(?:::|->|\(|\)|\[|\]).*"
    r"|(?-i:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|@\S*|&\S+"
    r"|(?-i:[a-z._-][a-z0-9._-]*(?:/[a-z0-9._-]+)+)|[\d.,:%TZ+-]+"
    r"|v?\d+(?:\.\d+)+[\w.-]*|\d{1,5}-?[a-z]{1,12}"
    r"|[\w-]*\.(?:md|ya?ml|json|toml|txt|py|js|ts|go|rs|env|pem|key|html?)"
    r"|(?:sha|md|base|utf|aes|rsa|hs|rs|es|ps|oauth|http|ipv|x|ed|bcrypt|argon|pbkdf"
    r"|scrypt|ascii|latin|iso|rfc|p)[-_]?\d+[\w-]*"
    r"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
)
_SIGNS = "!@#$%^&*+=?~"
_SIGN = re.compile(rf"[\d{_SIGNS}]|(?:[A-Za-z]{{3,}}[-_.]){{3}}")
_PASSPHRASE = re.compile(r"[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,}){3,}")
_CODE = re.compile(r"\s?[:=]|[(\[]")
_WRAP = re.compile(r"[-\\]?\r?\n\s*")
_REFERENCE = re.compile(r"[A-Za-z_]\w*(?:pass|token|secret|key|cred)\w*", re.IGNORECASE)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Most texts need none of these patterns, and compiling takes long."""
    return re.compile(source, re.IGNORECASE)


def names_any(text: str) -> bool:
    """Whether there is a name that a secret could be given to."""
    lower = text.lower()
    return any(map(lower.__contains__, _STEMS))


def may_be_made_up(text: str) -> bool:
    """Whether any value in it could pass `_made_up`: it takes a sign, or long words."""
    return not text.isascii() or _SIGN.search(text) is not None


def given(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each such value."""
    lower = _lower(text)
    for hint in _hints(lower):
        name = hint[0]
        for word, source in _CONTEXTS:
            if name.startswith(word):
                match = _compiled(source).match(text, hint.start())
                yield from _judged(text, match) if match else ()


def _hints(lower: str) -> Iterator[re.Match[str]]:
    """Each match of `_HINT`; sought around the stems, where all of them are."""
    for first, last in _stretches(lower):
        yield from _HINT.finditer(lower, first, last)


def _stretches(lower: str) -> Iterator[tuple[int, int]]:
    """Where the stems stand, with what may belong to them; those that touch as one."""
    hits: list[int] = []
    for stem in _STEMS:
        hit = lower.find(stem)
        while hit >= 0:
            hits.append(hit)
            hit = lower.find(stem, hit + 1)
    first = last = -1
    for hit in sorted(hits):
        if hit - _BEFORE > last:
            if last >= 0:
                yield first, last
            first = max(hit - _BEFORE, 0)
        last = hit + _AFTER
    if last >= 0:
        yield first, last


def _judged(text: str, match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    groups = match.groupdict()
    bare = bool(groups.get("bare"))
    start, end = match.span("bare" if bare else "secret")
    value = text[start:end].rstrip(".,;:!?*_\\")
    if bare and _CODE.match(text, start + len(value)):
        return  # the next key of a mapping, or a call
    token = bool(groups.get("name"))
    if not _made_up(value, token=token, bare=bare):
        return
    end = start + len(value)
    while more := _MORE.match(text, end):
        end = more.end()
    yield ("token" if token else "password"), start, end


def harmless(value: str) -> bool:
    """Is the value a placeholder, or something that any text holds?"""
    return is_placeholder(value) or bool(_compiled(_ORDINARY).fullmatch(value))


def is_placeholder(value: str) -> bool:
    return bool(_compiled(_PLACEHOLDER).fullmatch(value))


def _made_up(value: str, *, token: bool, bare: bool) -> bool:
    """Does the value look like a password, or like a token, rather than like words?"""
    value = _WRAP.sub("", value)
    if len(value) < (12 if token else 6) or harmless(value):
        return False
    if bare and _REFERENCE.fullmatch(value):
        return False  # a variable
    if not token and _PASSPHRASE.fullmatch(value):
        return True
    if any(c.isspace() for c in value):
        return False
    letters = any(c.isalpha() for c in value)
    signs = any(c.isdigit() or c in _SIGNS for c in value)
    return letters and signs and _entropy(value) >= (3.0 if token else 2.2)


def _entropy(text: str) -> float:
    """Bits a character."""
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts)


def _lower(text: str) -> str:
    """In lower case, each character at its old place."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
