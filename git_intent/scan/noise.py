"""What a scan must not learn from: its own commits and blocks, bots, version numbers.

A commit is the scan's own only if it says so (trailer `Intent-Scan:`) *and* touches
nothing outside a store; a person who borrows the subject line is heard. Text that we
put somewhere ourselves (the injected block in a transcript, the exported section of a
document) is blanked line by line, so that the lines around it keep their numbers.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from git_intent.git.history import Commit
from git_intent.store.marks import (
    EXPORT_BEGINS,
    EXPORT_ENDS,
    GUIDE_BEGINS,
    GUIDE_ENDS,
    HEADING,
    PREAMBLE,
)

TRAILER = "Intent-Scan"

#: Marks around sections that are our own words, in pairs.
_SECTIONS = ((EXPORT_BEGINS, EXPORT_ENDS), (GUIDE_BEGINS, GUIDE_ENDS))
_BOT_NAMES = frozenset(
    "allcontributors deepsource-autofix dependabot dependabot-preview github-actions "
    "greenkeeper imgbot mergify pre-commit-ci pyup-bot renovate renovate-bot "
    "restyled-io semantic-release-bot snyk-bot weblate whitesource-bolt".split()
)
_PREFIX = r"(?:[a-z]+(?:\([^()]*\))?!?: *)?"  # of conventional commits
_VERSION = r"[\"'`]?v?\d+(?:\.\d+)+[a-z0-9]*(?:[-+.][a-z0-9]+)*[\"'`]?"
_TO_VERSION = rf"{_VERSION}(?: *(?:->|→|=>|to|and) *{_VERSION})?"
_TAIL = r"(?: in \S+| release| \[(?:skip ci|ci skip)\]| \(#\d+\))*[.!]?"
_RELEASE_WORD = (
    r"(?:prepar(?:e|ing)|cut|tag|set|start|begin|post|back|the|new|next|for|to|from|of|"
    r"releas(?:e|ing)|version|bump(?:ed|ing|s)?|update|dev|development)\b[\s:-]*"
)
_BUMP = re.compile(
    rf"{_PREFIX}(?:{_RELEASE_WORD})*{_TO_VERSION}{_TAIL}|"
    rf"{_PREFIX}(?:bump|upgrade|update) (?:dependency )?[@\w/.-]+ "
    rf"(?:from|to) {_TO_VERSION}{_TAIL}",
    re.IGNORECASE,
)
_POINT = re.compile(r"\d\.\d")  # every version has one
_LONGEST_BUMP = 120  # characters of a subject
_MERGE = re.compile(
    r"Merge (?:(?:remote-tracking )?branch(?:es)?|tag|commit|pull request|PR|changes)"
    r"\b.*|Merge \S+ into \S+|Merged? in .*|Merge [0-9a-f]{7,64}\b.*",
    re.IGNORECASE,
)
_MERGE_CHATTER = re.compile(
    r"#?\s*Conflicts:.*|#\s.*|\s*See merge request\b.*|\* .*:$|  \S.*|"
    r"Approved-by: .*|\t.*",
    re.IGNORECASE,
)
_REVERT = re.compile(r"(?:This reverts|Reverts) [^\n]*(?:\n[^\n]+)*\s*")
_PROVISIONAL = re.compile(
    r"(?:fixup|squash|amend)! .*|wip\b.*|(?:initial|first) commit\.?|\W*", re.I
)

_QUOTING = re.compile(r"^[\s>|]*")
_TITLE = HEADING.lstrip("# ")
_HEADING = re.compile(rf"(?:#+\s*)?\**{_TITLE}\**:?\s*", re.I)
_PREAMBLE = re.compile(r"\s+".join(PREAMBLE.split()[:4]), re.I)
_ENTRY = re.compile(r"(?:[-*+•]\s*)?\[req-[0-9a-f]{4}\]")
_OMISSION = re.compile(r"\(\d+\s+more\s+requirements?\s+omitted", re.I)


def claims_to_be_own(commit: Commit) -> bool:
    """Whether the message bears the trailer; only then need its paths be asked."""
    if TRAILER not in commit.body:
        return False
    from git_intent.store.history_proof import is_scan  # loads much, for few

    return is_scan(commit.message, ())


def own_commit(commit: Commit, paths: Collection[str]) -> bool:
    """Whether a scan made this commit: it says so and touches stores alone.

    The stores of other projects in the repository count as well: else the scan of one
    would be material for the next, and so on for ever.
    """
    from git_intent.store.history_proof import is_scan
    from git_intent.store.intent_dir import STORE

    above = re.compile(rf"^.*/(?={re.escape(STORE)}/)")  # what leads to a store
    return bool(paths) and is_scan(
        commit.message, [above.sub("", path) for path in paths]
    )


def plainly_heard(author: str, email: str, parents: str, text: str) -> bool:
    """Whether the stripped message of a commit is certainly worth mining as it is.

    True for nearly all, and much faster to see than why one is not: `noise` has nothing
    against it, it does not claim to be our own, and holds no block of ours.
    """
    subject, _, rest = text.partition("\n")
    if rest and (rest[0] != "\n" or subject[-1].isspace() or rest[1].isspace()):
        return False  # not yet in the form that a commit's `message` has
    return not (
        (not rest and _PROVISIONAL.fullmatch(subject))
        or " " in parents
        or ("." in subject and _POINT.search(subject))
        or subject.startswith("Revert ")
        or TRAILER in text
        or _may_hold_own(text)
        or _bot(author, email)
    )


def noise(commit: Commit) -> str:
    """Why the message of a commit is not worth mining, or an empty text."""
    if _bot(commit.author, commit.author_email):
        return "by bots"
    if _bumps(commit.subject):
        return "version bumps"
    if len(commit.parents) > 1 and not _says_more_than_merge(commit):
        return "plain merges"
    if commit.subject.startswith('Revert "') and _only_reverts(commit.body):
        return "plain reverts"
    if not commit.body and _PROVISIONAL.fullmatch(commit.subject):
        return "provisional or empty"
    return ""


def _bumps(subject: str) -> bool:
    """Few subjects hold a version, which is much faster to see than what a bump is."""
    return (
        _POINT.search(subject) is not None
        and len(subject) <= _LONGEST_BUMP
        and _BUMP.fullmatch(subject) is not None
    )


@lru_cache(maxsize=4096)
def _bot(name: str, email: str) -> bool:
    name = name.casefold()
    local = email.casefold().partition("@")[0].rpartition("+")[2]
    return (
        "[bot]" in name
        or local.endswith("[bot]")
        or name in _BOT_NAMES
        or local in _BOT_NAMES
    )


def _says_more_than_merge(commit: Commit) -> bool:
    if not _MERGE.fullmatch(commit.subject):
        return True
    lines = (line for line in commit.body.splitlines() if line.strip())
    return not all(_MERGE_CHATTER.fullmatch(line) for line in lines)


def _only_reverts(body: str) -> bool:
    return not body or _REVERT.fullmatch(body) is not None


def strip_own(text: str) -> str:
    """`text` with our injected blocks and exported sections blanked.

    A block is recognised quoted (`> `), re-wrapped and with any line ends: by its
    heading together with what must follow it, and each entry by its `[req-…]`. What
    stood in the middle of another is found once that is gone.
    """
    while _may_hold_own(text):
        lines = text.splitlines(keepends=True)
        own = set(_exported(lines)) or set(_injected(lines))
        kept = "".join(
            _line_end(line) if number in own else line
            for number, line in enumerate(lines)
        )
        if kept == text:
            break
        text = kept
    return text


def _may_hold_own(text: str) -> bool:
    words = ("[req-", "tanding", EXPORT_BEGINS, GUIDE_BEGINS)
    return any(word in text for word in words)


def _line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _exported(lines: list[str]) -> Iterator[int]:
    """Line numbers of sections that `git intent export` and `install` keep in a
    document."""
    ends = ""
    for number, line in enumerate(lines):
        core = _core(line)
        if not ends:
            ends = next((e for b, e in _SECTIONS if core.startswith(b)), "")
        if ends:
            yield number
            ends = "" if core.startswith(ends) else ends


def _injected(lines: list[str]) -> Iterator[int]:
    """Line numbers of what belongs to an injected block."""
    in_block = False
    for first, after, words in _paragraphs(lines):
        entries = list(_entries(lines, first, after))
        if _opens_block(words) or (
            _HEADING.fullmatch(words) and _block_follows(lines, after)
        ):
            in_block = True
        elif not (in_block and _OMISSION.match(words)):
            in_block = in_block and bool(entries)
            yield from entries
            continue
        yield from range(first, after)


def _opens_block(words: str) -> bool:
    """The preamble, alone or with the heading in the same paragraph."""
    heading = _HEADING.match(words)
    return _PREAMBLE.match(words, heading.end() if heading else 0) is not None


def _block_follows(lines: list[str], start: int) -> bool:
    words = next((w for _, _, w in _paragraphs(lines, start)), "")
    return _opens_block(words) or _ENTRY.match(words) is not None


def _entries(lines: list[str], first: int, after: int) -> Iterator[int]:
    """Entries of a paragraph, each with the lines that go on with it."""
    inside = False
    for number in range(first, after):
        core = _core(lines[number])
        if _ENTRY.match(core):
            inside = True
        elif re.match(r"[-*+•]\s", core):
            inside = False
        if inside:
            yield number


def _paragraphs(lines: list[str], start: int = 0) -> Iterator[tuple[int, int, str]]:
    """(first line, line after the last, words) of each run of lines with words."""
    first = start
    while first < len(lines):
        if not _core(lines[first]):
            first += 1
            continue
        after = first
        while after < len(lines) and _core(lines[after]):
            after += 1
        words = " ".join(_core(line) for line in lines[first:after])
        yield first, after, words
        first = after


def _core(line: str) -> str:
    """The line without the marks of quoting around it."""
    return _QUOTING.sub("", line).strip()
