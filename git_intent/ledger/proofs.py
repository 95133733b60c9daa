"""What of a ledger cannot be proved now, and what hangs on it.

Before a clause, a source, a recovery, evidence or the scope is consumed, its bytes are
read and hashed again in that process; nobody else's look counts. What is missing or
altered is a doubt: the claim stays in force and is shown as unproven, and what names it
or rests on it is held. Nothing else is.

    clause         rests on the sources that it binds
    outcome        besides on its evidence, and by that on the scope it was given under
    action         on its evidence
    pending source, recovered gap, scope: on their own bytes

Sources are read one after the other and let go, so many large ones need no room.

Light: nothing but hashing is loaded.
"""

from __future__ import annotations

from git_intent.ledger.digest import sha256

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping
    from typing import Any

    Record = Mapping[str, Any]
    Read = Callable[[str], bytes | None]

SOURCE, GAP, EVIDENCE, SCOPE = "source", "gap", "evidence", "scope"
MISSING, ALTERED = "missing", "altered"
#: What the scope reference and the next work are called among ids.
THE_SCOPE, NEXT_WORK = "scope", "next_work"


class Doubt:
    """Something whose bytes are not those on record.

    `name` is the source's or gap's id, the reference, or the hash of kept evidence;
    `claims` are the ids that rest on it, its own among them.
    """

    __slots__ = ("claims", "kind", "name", "reason")

    def __init__(self, kind: str, name: str, reason: str, claims: list[str]) -> None:
        self.kind = kind
        self.name = name
        self.reason = reason
        self.claims = claims

    def __str__(self) -> str:
        return f"{self.kind} {self.name} is {self.reason}"

    def as_json(self) -> dict[str, Any]:
        """The doubt as commands print it."""
        return {name: getattr(self, name) for name in self.__slots__}


class Proofs:
    """The doubts there are, in the order in which they were found."""

    __slots__ = ("doubts",)

    def __init__(self, doubts: Iterable[Doubt] = ()) -> None:
        self.doubts = list(doubts)

    def of(self, claim: str) -> list[Doubt]:
        """The doubts that a claim's proof meets."""
        return self.holding([claim])

    def holding(self, claims: Container[str]) -> list[Doubt]:
        """The doubts that hold what names any of these."""
        return [
            doubt
            for doubt in self.doubts
            if any(claim in claims for claim in doubt.claims)
        ]

    def unproven(self) -> set[str]:
        """All that rests on a doubt."""
        return {claim for doubt in self.doubts for claim in doubt.claims}


def prove(
    view: Record,
    read_source: Read,
    read_evidence: Read,
    read_reference: Read,
    only: Container[str] | None = None,
) -> Proofs:
    """Read again what the document of a state rests on, or what `only` these do.

    `only` holds ids of clauses, actions, sources and gaps, and THE_SCOPE.
    """
    wanted = _Wanted(only)
    doubts = [
        *_sources(view, read_source, wanted),
        *_gaps(view, read_source, wanted),
        *_evidence(view, read_evidence, read_reference, wanted),
        *_scope(view, read_reference, wanted),
    ]
    return Proofs(doubts)


class _Wanted:
    __slots__ = ("_only",)

    def __init__(self, only: Container[str] | None) -> None:
        self._only = only

    def __contains__(self, claim: str) -> bool:
        return self._only is None or claim in self._only


def _sources(view: Record, read: Read, wanted: _Wanted) -> Iterator[Doubt]:
    """Of pending sources, and of those that clauses bind."""
    # sha256 -> source id, claims, and what the spans must be
    cited: dict[str, tuple[str, list[str], list[tuple[int, int, str]]]] = {}
    for source in view["pending_sources"]:
        if source["id"] in wanted:
            cited.setdefault(source["sha256"], (source["id"], [], []))
    for clause in _clauses(view["contract"]):
        if clause["id"] not in wanted:
            continue
        for binding in clause["bindings"]:
            of = cited.setdefault(binding["sha256"], (binding["source"], [], []))
            start, end = binding["span"]
            of[2].append((start, end, binding["span_sha256"]))
            if clause["id"] not in of[1]:
                of[1].append(clause["id"])
    for digest, (source_id, claims, spans) in cited.items():
        reason = _judge(read(digest), digest, spans)
        if reason:
            yield Doubt(SOURCE, source_id, reason, [source_id, *claims])


def _judge(
    data: bytes | None, digest: str, spans: Iterable[tuple[int, int, str]] = ()
) -> str:
    if data is None:
        return MISSING
    right = sha256(data) == digest and all(
        sha256(data[start:end]) == span for start, end, span in spans
    )
    return "" if right else ALTERED


def _gaps(view: Record, read: Read, wanted: _Wanted) -> Iterator[Doubt]:
    """Of gaps that were recovered, and are open again without their bytes."""
    for gap in view["gaps"]:
        if gap["state"] == "RECOVERED" and gap["id"] in wanted:
            data = read(gap["sha256"])
            reason = _judge(data, gap["sha256"])
            if not reason and data is not None and len(data) != gap["bytes"]:
                reason = ALTERED
            if reason:
                yield Doubt(GAP, gap["id"], reason, [gap["id"], gap["source"]])


def _evidence(
    view: Record, read_evidence: Read, read_reference: Read, wanted: _Wanted
) -> Iterator[Doubt]:
    known: dict[tuple[str, str], Doubt | None] = {}
    for claim, evidence in _given(view):
        if claim not in wanted:
            continue
        for name, digest, read in _latest(evidence, read_evidence, read_reference):
            if (name, digest) not in known:
                reason = _judge(read(name), digest)
                doubt = Doubt(EVIDENCE, name, reason, []) if reason else None
                known[name, digest] = doubt
            doubt = known[name, digest]
            if doubt is not None and claim not in doubt.claims:
                doubt.claims.append(claim)
    yield from (doubt for doubt in known.values() if doubt is not None)


def _given(view: Record) -> Iterator[tuple[str, list[Record]]]:
    """Every claim that evidence was given for."""
    for outcome, held in view["outcomes"].items():
        yield outcome, held.get("evidence", [])
    for action in (*view["pending_actions"], *view["unknown_effects"]):
        yield action["id"], list(action["evidence"])
        for reconciled in action["reconciled"]:
            yield action["id"], reconciled["evidence"]


def _latest(
    evidence: Iterable[Record], read_evidence: Read, read_reference: Read
) -> Iterator[tuple[str, str, Read]]:
    """Of each reference only what was said of it last."""
    last = {item.get("ref") or item["blob"]: item for item in evidence}
    for name, item in last.items():
        if "ref" in item:
            yield name, item["sha256"], read_reference
        else:
            yield name, item["blob"], read_evidence


def _scope(view: Record, read: Read, wanted: _Wanted) -> Iterator[Doubt]:
    scope = view["scope"]
    if scope is None:
        return
    mark = {"ref": scope["ref"], "sha256": scope["sha256"]}
    claims = [THE_SCOPE]
    if (view["next_work"] or {}).get("scope") == mark:
        claims.append(NEXT_WORK)
    for claim, evidence in _given(view):
        if any(item.get("scope") == mark for item in evidence) and claim not in claims:
            claims.append(claim)
    if any(claim in wanted for claim in claims):
        reason = _judge(read(scope["ref"]), scope["sha256"])
        if reason:
            yield Doubt(SCOPE, scope["ref"], reason, claims)


def _clauses(contract: Record) -> Iterator[Record]:
    for held in contract.values():
        yield from [held] if isinstance(held, dict) else held or []
