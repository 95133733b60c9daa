"""scan-state.yaml: how far the scan has read.

Form 1, for one repository:

    last_commit: 3f2a...
    scanned_runs: ["0777", r-1]
    scanned_docs:
      CLAUDE.md: 5e88...            # sha256 of the committed bytes
    last_scan_at: 2026-09-13T10:00:00Z

Form 2 holds the same cursors per repository of a project, the project's own under the
empty name, and `last_scan_at` once:

    repos:
      "":
        last_commit: 3f2a...
      api: {...}
    last_scan_at: 2026-09-13T10:00:00Z

A file keeps its form and the keys that are not known here. Order is fixed: names, paths
and runs are sorted, so that equal states are equal bytes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from git_intent.errors import IntentError
from git_intent.store.fields import Fields
from git_intent.store.malformed import MalformedFile
from git_intent.store.quoting import plain_stamp, quote
from git_intent.store.stamps import instant
from git_intent.store.strict_yaml import Pointer, encode, parse_yaml

_LONGEST_KEY = 1000  # YAML's plain notation ends at 1024 characters
_CURSORS = ("last_commit", "scanned_runs", "scanned_docs", "last_scan_at")


@dataclass(frozen=True, slots=True)
class ScanState:
    """The cursors of one repository. `extra` is what else its entry says (form 2)."""

    last_commit: str = ""
    scanned_runs: tuple[str, ...] = ()
    scanned_docs: Mapping[str, str] = field(default_factory=dict)
    last_scan_at: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScanStates:
    """All cursors by repository name; the project's own has the empty name."""

    form: Literal[1, 2] = 1
    repositories: Mapping[str, ScanState] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def get(self, name: str = "") -> ScanState:
        return self.repositories.get(name, ScanState())

    def put(self, state: ScanState, name: str = "") -> "ScanStates":
        """The states with one replaced; a second repository needs form 2."""
        form: Literal[1, 2] = 2 if name else self.form
        state = replace(state, extra=state.extra or self.get(name).extra)
        return replace(self, form=form, repositories={**self.repositories, name: state})


def parse_scan_state(data: bytes, path: str) -> ScanStates:
    """Raises MalformedFile for the first error."""
    fields = Fields(parse_yaml(data, path))
    states = _read(fields)
    if fields.issues:
        raise MalformedFile.of(min(fields.issues))
    return states


def render_scan_state(states: ScanStates) -> bytes:
    """The whole file, in the form that `states` has."""
    if states.form == 1:
        if set(states.repositories) - {""}:
            raise IntentError("cursors of several repositories need form 2")
        lines = [*_cursors(states.get()), *_mapping(states.extra)]
    else:
        lines = list(_form_2(states))
    return encode("\n".join(lines) + "\n") if lines else b""


def _read(fields: Fields) -> ScanStates:
    if not fields.mapping(()):
        fields.wrong((), "the file must hold key: value")
        return ScanStates()
    root = fields.document.value
    if "repos" not in root:
        state = _state(fields, ())
        bare = replace(state, extra={})
        return ScanStates(1, {"": bare} if root else {}, state.extra)
    latest = fields.stamp(("last_scan_at",))
    found: dict[str, ScanState] = {}
    for name in root["repos"] if fields.mapping(("repos",)) else ():
        if fields.mapping(("repos", name)):
            state = _state(fields, ("repos", name))
            stamp = state.last_scan_at or latest
            found[name] = replace(state, last_scan_at=stamp)
    known = ("repos", "last_scan_at")
    return ScanStates(2, found, {k: v for k, v in root.items() if k not in known})


def _state(fields: Fields, at: Pointer) -> ScanState:
    held = fields.document.value
    for step in at:
        held = held[step]
    documents: dict[str, str] = {}
    if fields.mapping((*at, "scanned_docs")):
        for path in held["scanned_docs"]:
            documents[path] = fields.text((*at, "scanned_docs", path))
    return ScanState(
        last_commit=fields.text((*at, "last_commit")),
        scanned_runs=fields.texts((*at, "scanned_runs")),
        scanned_docs=documents,
        last_scan_at=fields.stamp((*at, "last_scan_at")),
        extra={key: value for key, value in held.items() if key not in _CURSORS},
    )


def _form_2(states: ScanStates) -> Iterator[str]:
    """`last_scan_at` stands once, and in an entry only where it differs."""
    stamps = [s.last_scan_at for s in states.repositories.values() if s.last_scan_at]
    latest = max(
        stamps,
        key=lambda text: (instant(text) is not None, instant(text), text),
        default="",
    )
    yield "repos:" if states.repositories else "repos: {}"
    for name, state in sorted(states.repositories.items()):
        if state.last_scan_at == latest:
            state = replace(state, last_scan_at="")
        inner = [*_cursors(state), *_mapping(state.extra)]
        yield f"  {quote(name)}:" if inner else f"  {quote(name)}: {{}}"
        yield from (f"    {line}" for line in inner)
    if latest:
        yield f"last_scan_at: {plain_stamp(latest)}"
    yield from _mapping(states.extra)


def _cursors(state: ScanState) -> Iterator[str]:
    if state.last_commit:
        yield f"last_commit: {quote(state.last_commit)}"
    if state.scanned_runs:
        yield "scanned_runs:"
        yield from (f"  - {quote(run)}" for run in sorted(set(state.scanned_runs)))
    if state.scanned_docs:
        yield "scanned_docs:"
        for path, digest in sorted(state.scanned_docs.items()):
            key = quote(path)
            if len(key) > _LONGEST_KEY:
                yield f"  ? {key}"
                key = ""
            yield f"  {key}: {quote(digest)}"
    if state.last_scan_at:
        yield f"last_scan_at: {plain_stamp(state.last_scan_at)}"


def _mapping(values: Mapping[str, Any]) -> Iterator[str]:
    """Keys that are not known here, in the order in which they were read."""
    for key, value in values.items():
        head, rest = _value(value)
        yield f"{quote(key)}: {head}".rstrip(" ")
        yield from (f"  {line}" for line in rest)


def _value(value: Any) -> tuple[str, list[str]]:
    """What stands behind the key, and the lines below it."""
    if isinstance(value, dict):
        return ("", list(_mapping(value))) if value else ("{}", [])
    if isinstance(value, list):
        return ("", list(_items(value))) if value else ("[]", [])
    if isinstance(value, str):
        return quote(value), []
    return str(value).lower(), []  # True, False, a version


def _items(values: list[Any]) -> Iterator[str]:
    for value in values:
        head, rest = _value(value)
        if head:
            yield f"- {head}"
        else:
            yield f"- {rest[0]}"
            yield from (f"  {line}" for line in rest[1:])
