"""A narrow reader of requirement files that look as our writer leaves them.

YAML is slow to load and slower to read. Nearly every file of a store is in the form of
`requirement_file.render_requirement` and has no fault, and that much can be told with
one pattern. `brief` tells what such a file says, and it is then certain that
`check.check_file` finds nothing in it. Whatever is not plainly of that kind (another
order, a comment, an escape, a list in the body, anything that a check would name) gives
None, and the ordinary reader decides.

No YAML, no dataclasses, no enums are loaded for it.
"""

import re

from git_intent import secrets
from git_intent.store.characters import hidden

_FOLDER = ".cloche/intent/requirements/"

_WORD = r"[A-Za-z](?:[A-Za-z0-9_./@+-]*[A-Za-z0-9_])?"
_NAME = r"[a-z0-9]+(?:-[a-z0-9]+)*"
#: What double quotes hold as it is: printable for YAML, no line break of its own.
_TEXT = (
    '"[ !#-\\[\\]-~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd'
    '\U00010000-\U0010ffff]*"'
)
#: A pattern that git accepts, whatever its parts are.
_PART = r"(?:\*\*|\*?[A-Za-z0-9_](?:[A-Za-z0-9_.*-]*[A-Za-z0-9_*])?|\*(?:\.[a-z0-9]+)?)"
_GLOB = rf'"/?{_PART}(?:/{_PART})*/?"'
_DAY = (
    r"[12][0-9]{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
)
_STAMP = rf"{_DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{{1,9}})?Z"


def _list(item: str) -> str:
    return rf"\[({item}(?:, {item})*)\]"


_HEADER = re.compile(
    "---\n"
    "id: (req-[0-9a-f]{4})\n"
    "status: (active|disabled|superseded)\n"
    "(?:superseded_by: (req-[0-9a-f]{4})\n)?"
    "scope:\n"
    "  level: (project|domain)\n"
    f"(?:  domains: {_list(_NAME)}\n)?"
    f"(?:  paths: {_list(_GLOB)}\n)?"
    f"(?:  languages: {_list(_WORD)}\n)?"
    f"(hints:\n(?:  - {_TEXT}\n)+)?"
    "confidence: (?:high|medium|low)\n"
    "(?:user_edited: (?:true|false)\n)?"
    "provenance:\n"
    "  kind: (?:doc|transcript|prompt|commit|user)\n"
    f"(?:  ref: ({_TEXT})\n)?"
    '(?:  patch_id: (?:[0-9a-f]{40}|"[0-9a-f]{40}")\n)?'
    f"(?:  extracted_at: {_STAMP}\n)?"
    f"(?:  extracted_by: ({_WORD})\n)?"
    f"created: {_STAMP}\n"
    f"updated: {_STAMP}\n"
    "---\n"
)
#: What a line of a body may begin with if a check has something to say about it.
_SIGNS = frozenset("#`~=-*+0123456789")
_MARKUP = re.compile(r"\s*(?:[#`~=-]|[*+]\s|[0-9]{1,9}[.)]\s)")
_REASON = "**Why:**"
_CONFLICTS = ("<<<<<<<", ">>>>>>>", "|||||||")


class Brief:
    """What checks that compare several files have to know of one.

    The statement is as it stands in the file: line breaks count as blanks.
    """

    __slots__ = ("domains", "id", "path", "paths", "statement", "status", "successor")

    def __init__(
        self,
        path: str,
        id: str,
        status: str,
        statement: str,
        domains: tuple[str, ...],
        paths: tuple[str, ...],
        successor: str,
    ) -> None:
        self.path = path
        self.id = id
        self.status = status
        self.statement = statement
        self.domains = domains
        self.paths = paths
        self.successor = successor


def brief(path: str, data: bytes) -> Brief | None:
    """What the file says, if it is plain and without a finding; else None."""
    found = _read(path, data)
    return None if found is None or _hides(*found[1:]) else found[0]


def outline(path: str, data: bytes) -> Brief | None:
    """As `brief`, for who does not ask whether something hides in the file."""
    found = _read(path, data)
    return found and found[0]


def _read(path: str, data: bytes) -> tuple[Brief, str, str, str] | None:
    """The brief and the texts to be searched, see `_hides`."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    found = _HEADER.match(text)
    if found is None:
        return None
    id, status, successor, level, domains, paths, *rest = found.groups("")
    if path != f"{_FOLDER}{id}.md":
        return None
    if (successor and status != "superseded") or (level == "domain" and not domains):
        return None
    body = text[found.end() :]
    statement = _statement(body.strip())
    if not statement:
        return None
    told = Brief(
        path,
        id,
        status,
        statement,
        tuple(domains.split(", ")) if domains else (),
        tuple(paths[1:-1].split('", "')) if paths else (),
        successor,
    )
    worded = "\n".join((body, domains, *rest))
    return told, text, f"{worded}\n{paths}", worded


def _statement(body: str) -> str:
    """What stands before the reason; empty if the body is not plain sentences."""
    if "---" in body or "\r" in body or any(map(body.__contains__, _CONFLICTS)):
        return ""
    for line in body.split("\n"):
        if line.lstrip()[:1] in _SIGNS and _MARKUP.match(line):
            return ""
    if body.startswith(_REASON):
        return ""
    return body.partition(f"\n{_REASON}")[0].strip()


def _hides(text: str, varying: str, worded: str) -> bool:
    """Whether there is anything that nobody should see, or that nobody does.

    `varying` is what differs from file to file, `worded` all of that but the patterns.
    The rest is written in the pattern of the header, or made of so few characters that
    such a search cannot find anything there.
    """
    plain = text.isascii() and varying.replace("\n", "").isprintable()
    if not plain and next(hidden(text), None) is not None:
        return True
    return not secrets.none_in(text, varying, worded)
