"""Format checks of the whole store: the I0xx of `store.codes`.

Pure: a snapshot in, findings out. What the readers refuse is theirs (I001 to I019);
what needs a second look at a file is found here, what needs several files in
`store.check_across`, what hides in the text of any of them in `store.check_text`.
Damage is per file: a broken file is named, and the others are checked as if it were not
there. A message never repeats a secret or an invisible character.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from git_intent import secrets
from git_intent.store.canonical import Brief, brief
from git_intent.store.characters import strip_hidden
from git_intent.store.check_across import across
from git_intent.store.check_text import Finder, hidden_text, secret_text
from git_intent.store.codes import CODES as CODES
from git_intent.store.codes import issue
from git_intent.store.domains import examine_domains
from git_intent.store.facts import Fact, fact, of_brief
from git_intent.store.frontmatter import Frontmatter
from git_intent.store.globs import valid
from git_intent.store.ids import ID
from git_intent.store.intent_dir import (
    DOMAINS,
    SCAN_STATE,
    is_requirement,
    misnamed,
    requirement_path,
)
from git_intent.store.issue import Issue
from git_intent.store.malformed import MalformedFile
from git_intent.store.requirement import Level, Requirement, Status
from git_intent.store.rules_view import Reader, Snapshot
from git_intent.store.scan_state import parse_scan_state
from git_intent.store.strict_yaml import StrictDocument, parse_yaml

_COMMIT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})?")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARKER = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)")
_BLOCKS = {
    "a heading": re.compile(r" {0,3}#{1,6}(?:\s|$)|=+\s*$"),
    "a list": re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\S"),
    "a fenced block": _FENCE,
}


def check(
    snapshot: Snapshot,
    *,
    tracked: Collection[str] | None = None,
    finders: Sequence[Finder] = (secrets.find,),
) -> list[Issue]:
    """Everything that is wrong with the store, file by file and taken together.

    `tracked` are the project's tracked paths, for globs that match none of them.
    `finders` look for secrets; `secrets.second_opinion` may be one of them.
    """
    reader = Reader()
    issues: list[Issue] = []
    facts: list[Fact] = []
    for path in sorted(snapshot):
        one, found = examine_file(path, snapshot[path], finders, reader)
        issues += found
        if one is not None:
            facts.append(one)
    issues += map(without_echo, across(facts, snapshot, tracked, reader))
    return sorted(set(issues))


def examine_file(
    path: str, data: bytes, finders: Sequence[Finder], reader: Reader
) -> tuple[Fact | None, list[Issue]]:
    """What the rest of a check has to know of the file, and what is wrong with it."""
    known = _known(path, data, finders)
    if known is not None:
        return of_brief(known), []
    return fact(path, data, reader), _check_file(path, data, finders, reader)


def check_together(
    facts: Sequence[Fact],
    snapshot: Snapshot,
    *,
    tracked: Collection[str] | None = None,
    reader: Reader,
) -> list[Issue]:
    """Only what needs several files to be seen; each of them may be fine alone.

    `facts` are those of the snapshot, sorted. Of its files only the map of domains is
    read, and those with a finding.
    """
    found = across(facts, snapshot, tracked, reader)
    return sorted(set(map(without_echo, found)))


def check_file(
    path: str, data: bytes, *, finders: Sequence[Finder] = (secrets.find,)
) -> list[Issue]:
    """What can be said about one file alone; nothing about files that are not ours."""
    if _known(path, data, finders):
        return []
    return _check_file(path, data, finders, Reader())


def _known(path: str, data: bytes, finders: Sequence[Finder]) -> Brief | None:
    """The file told at a glance, if there is nothing to say about it."""
    return brief(path, data) if tuple(finders) == (secrets.find,) else None


def _check_file(
    path: str, data: bytes, finders: Sequence[Finder], reader: Reader
) -> list[Issue]:
    if is_requirement(path):
        document, issues = _requirement(path, data, reader)
    elif path == DOMAINS:
        document, issues = _domains(path, data)
    elif path == SCAN_STATE:
        document, issues = _scan_state(path, data)
    else:
        return []
    issues += hidden_text(path, data, document)
    issues += secret_text(path, data, document, finders)
    return sorted({without_echo(found) for found in issues})


def without_echo(found: Issue) -> Issue:
    """The finding with neither secret nor invisible character in its message."""
    message = secrets.scrub(strip_hidden(found.message))
    return found if message == found.message else replace(found, message=message)


def _requirement(
    path: str, data: bytes, reader: Reader
) -> tuple[StrictDocument | None, list[Issue]]:
    found = reader.examine(path, data)
    issues = list(found.issues)
    if found.document is not None:
        issues += _body(path, found.document)
    if found.requirement is not None and found.document is not None:
        issues += _fields(path, found.requirement, found.document)
    elif not ID.fullmatch(PurePosixPath(path).stem):
        issues.append(misnamed(path, ""))
    return found.document.document if found.document else None, issues


def _fields(path: str, r: Requirement, document: Frontmatter) -> Iterator[Issue]:
    if path != requirement_path(r.id):
        line, col = document.position(("id",))
        yield replace(misnamed(path, r.id), line=line, col=col)
    if r.superseded_by and r.status is not Status.SUPERSEDED:
        text = f"superseded_by is set, but status is {r.status}"
        yield issue("I024", path, text, *document.position(("superseded_by",)))
    if r.scope.level is Level.DOMAIN and not r.scope.domains:
        text = "scope.level is domain, but scope.domains names none"
        yield issue("I021", path, text, *document.position(("scope", "level")))
    for number, pattern in enumerate(r.scope.paths):
        if fault := valid(pattern):
            at = document.position(("scope", "paths", number))
            yield issue("I022", path, f"the glob {pattern!r} {fault}", *at)


def _body(path: str, document: Frontmatter) -> Iterator[Issue]:
    """Markup that a one-line rendering flattens, once for each kind."""
    seen: set[str] = set()
    fence = ""
    for number, line in enumerate(document.body.split("\n"), document.body_line):
        if fence and _MARKER.match(line):
            text = f"{line[:7]} looks like a conflict marker, inside a fenced block"
            yield issue("I033", path, text, number)
        for kind, pattern in _BLOCKS.items() if not fence else ():
            if kind not in seen and pattern.match(line):
                seen.add(kind)
                text = f"{kind} in the body, which becomes one line of a prompt"
                yield issue("I032", path, text, number)
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == mark[1] and mark[1].startswith(fence):
            fence = ""


def _domains(path: str, data: bytes) -> tuple[StrictDocument | None, list[Issue]]:
    found = examine_domains(data, path)
    issues = list(found.issues)
    if found.domains is None or found.fields is None:
        return found.fields.document if found.fields else None, issues
    for number, domain in enumerate(found.domains.domains):
        for place, pattern in enumerate(domain.paths):
            if fault := valid(pattern):
                pointer = ("domains", number, "paths", place)
                at = found.fields.document.position(pointer)
                text = f"domain {domain.name}: the glob {pattern!r} {fault}"
                issues.append(issue("I022", path, text, *at))
    return found.fields.document, issues


def _scan_state(path: str, data: bytes) -> tuple[StrictDocument | None, list[Issue]]:
    try:
        document = parse_yaml(data, path)
    except MalformedFile as error:
        return None, [error.issue()]
    try:
        states = parse_scan_state(data, path)
    except MalformedFile as error:
        return document, [error.issue()]
    issues = []
    for name, state in states.repositories.items():
        base: tuple[str, ...] = () if states.form == 1 else ("repos", name)
        if not _COMMIT.fullmatch(state.last_commit):
            at = document.position((*base, "last_commit"))
            issues.append(issue("I060", path, "last_commit is no commit id", *at))
        for doc, digest in state.scanned_docs.items():
            if not _DIGEST.fullmatch(digest):
                at = document.position((*base, "scanned_docs", doc))
                issues.append(issue("I061", path, f"{doc!r}: no sha256", *at))
    return document, issues
