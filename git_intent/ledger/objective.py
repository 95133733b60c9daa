"""The text of `objective.txt`: what an agent reads after every compaction.

    line 1                     what it is and where the journal stands
    NAME (count)               a section; all of them always, in one order
      id and facts             an entry
        text of the clause     each line of it indented and with unseen signs escaped

Nothing of a clause or of next work starts at the left margin, so no text forges a
section. Secrets are taken out. There is no JSON, no history and no list of hashes in
it; outcomes that are done are a number. So the text of one contract stays the same,
however long its journal gets, but for line 1.

A pure function of the view, of what cannot be proved, and of the paths.
"""

from git_intent.ledger.context import Speaker
from git_intent.ledger.frontier import Frontier
from git_intent.ledger.proofs import NEXT_WORK, THE_SCOPE
from git_intent.ledger.wording import path_line, visible

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from git_intent.ledger.proofs import Proofs

    Record = Mapping[str, Any]

_STATUS = {
    "NO_CONTRACT": "no contract yet: the first prompt is classified INITIAL",
    "LIVE": "a contract is in force",
    "WITHDRAWN": "the contract was withdrawn: the next one is classified REPLACE",
    "CLOSED": "this ledger is closed",
}
_LISTS = (
    ("POLICY", "policies"),
    ("CONSTRAINTS", "constraints"),
    ("PROHIBITIONS", "prohibitions"),
)
_ORDER = ("OPEN", "ACTIVE", "BLOCKED")


def render(
    view: "Record",
    proofs: "Proofs",
    pointers: "Iterable[str]",
    spooled: "Iterable[Record]" = (),
    owner: "Record | None" = None,
) -> bytes:
    """The file. `pointers` are the paths of the other files, `spooled` the headers of
    what waits in the inbox, `owner` the session that the commands are for; the view's,
    if it is left out."""
    from git_intent.secrets import scrub

    found = Frontier(view, spooled)
    unproven = {claim: str(doubt) for doubt in proofs.doubts for claim in doubt.claims}
    chat, namespace = visible(view["chat"]), visible(view["namespace"])
    lines = [
        f"objective of chat {chat} in {namespace}: event {view['seq']}, {view['head']}",
        _status(view),
        f"contract {view['contract_hash']}",
        *_sources(found, unproven, owner or view.get("owner")),
        *_contract(view, unproven),
        *_outcomes(view, unproven),
        *_effects(view, found, unproven),
        *_gaps(found, unproven),
        *_next_work(found, unproven),
        *_scope(view, unproven),
        *_section("MORE", [[path_line(path)] for path in pointers]),
    ]
    return (scrub("\n".join(lines)) + "\n").encode("utf-8", "backslashreplace")


def _status(view: "Record") -> str:
    moved = view.get("moved_to")
    if moved:
        chat = f"{visible(moved['namespace'])}, chat {visible(moved['chat'])}"
        return f"status {view['status']}: this chat goes on in namespace {chat}"
    return f"status {view['status']}: {_STATUS[view['status']]}"


def _section(name: str, entries: "list[list[str]]", none: str = "none") -> list[str]:
    """A heading, and entries of a first line and lines that belong to it."""
    lines = ["", f"{name} ({len(entries)})" if entries else f"{name}: {none}"]
    for first, *rest in entries:
        lines.append(f"  {first}")
        lines += [f"    {line}" for line in rest]
    return lines


def _text(text: str) -> list[str]:
    """The lines of a clause; only a line feed ends one."""
    return [visible(line) for line in text.split("\n")]


def _marked(first: str, record_id: str, unproven: "Mapping[str, str]") -> str:
    if record_id in unproven:
        return f"{first} UNPROVEN: {visible(unproven[record_id])}"
    return first


def _sources(
    found: Frontier, unproven: "Mapping[str, str]", owner: "Record | None"
) -> list[str]:
    entries = [
        [_marked(_sourced(record), str(record["id"]), unproven)]
        for record in found.sources
    ]
    lines = _section("PROMPTS NOT YET CLASSIFIED", entries)
    if entries:
        lines.append(
            "  New actions and next work are held until each is classified or disposed:"
        )
        speaker = Speaker("HOST", "SESSION")
        if owner:
            speaker = Speaker(owner["host"], owner["session"])
        lines += [
            f"  {speaker.command(command)}"
            for command in ("read-source ID", "classify-source", "dispose-source")
        ]
    return lines


def _sourced(record: "Record") -> str:
    facts = [
        f"{record['bytes']} bytes" if record.get("bytes") else "",
        str(record.get("at", "")),
        *(visible(str(flag)) for flag in record.get("flags", ())),
        "late" if record.get("late") else "",
    ]
    return " ".join([str(record["id"]), *filter(None, facts)])


def _contract(view: "Record", unproven: "Mapping[str, str]") -> "Iterator[str]":
    contract = view["contract"]
    objective = contract["objective"]
    yield from _section(
        "OBJECTIVE", _clauses([objective] if objective else [], unproven)
    )
    for heading, name in _LISTS:
        yield from _section(heading, _clauses(contract[name], unproven))


def _clauses(
    clauses: "Iterable[Record]", unproven: "Mapping[str, str]"
) -> "list[list[str]]":
    return [
        [_marked(clause["id"], clause["id"], unproven), *_text(clause["text"])]
        for clause in clauses
    ]


def _outcomes(view: "Record", unproven: "Mapping[str, str]") -> list[str]:
    states = view["outcomes"]
    entries, done, doubted = [], 0, 0
    for clause in view["contract"]["outcomes"]:
        held = states[clause["id"]]
        if held["state"] not in _ORDER:
            done += 1
            doubted += clause["id"] in unproven
            continue
        first = _marked(f"{clause['id']} {held['state']}", clause["id"], unproven)
        blockers = [
            line
            for one in held.get("blockers", ())
            for line in _text(f"blocked: {one}")
        ]
        entries.append([first, *_text(clause["text"]), *blockers])
    lines = _section("OPEN OUTCOMES", entries)
    return [*lines, f"  done: {done}" + (f", UNPROVEN: {doubted}" if doubted else "")]


def _effects(
    view: "Record", found: Frontier, unproven: "Mapping[str, str]"
) -> "Iterator[str]":
    for heading, actions in (
        ("ACTIONS WITHOUT A RESULT", found.pending),
        ("UNKNOWN EFFECTS", found.effects),
    ):
        yield from _section(
            heading, [_action(action, view, unproven) for action in actions]
        )


def _action(
    action: "Record", view: "Record", unproven: "Mapping[str, str]"
) -> list[str]:
    first = f"{action['id']} {visible(action['tool'])}"
    if action["serves"]:
        first += f" serves {' '.join(action['serves'])}"
    if action["contract"] != view["contract_hash"]:
        first += " (started under an earlier contract)"
    what = action.get("what")
    return [_marked(first, action["id"], unproven), *(_text(what) if what else ())]


def _gaps(found: Frontier, unproven: "Mapping[str, str]") -> list[str]:
    open_gaps = [
        *found.gaps,
        *(gap for gap in found.recovered if gap["id"] in unproven),
    ]
    entries = [
        [_marked(_gap(record), str(record["id"]), unproven)] for record in open_gaps
    ]
    return _section("PROMPTS KNOWN TO BE MISSING", entries)


def _gap(record: "Record") -> str:
    size = record.get("bytes")
    told = f"{size} bytes" if size else "of unknown size"
    return f"{record['id']} {told}: {visible(str(record.get('reason', '')))}"


def _next_work(found: Frontier, unproven: "Mapping[str, str]") -> list[str]:
    open_again = any(gap["id"] in unproven for gap in found.recovered)
    name = "NEXT WORK, HELD" if found.held or open_again else "NEXT WORK"
    lines = _section(name, [_text(f"- {item}") for item in found.next_work])
    if found.next_work and NEXT_WORK in unproven:
        lines.append(_marked("  given under a scope that is", NEXT_WORK, unproven))
    return lines


def _scope(view: "Record", unproven: "Mapping[str, str]") -> list[str]:
    scope = view.get("scope")
    if not scope:
        return _section("SCOPE", [])
    first = _marked(visible(scope["ref"]), THE_SCOPE, unproven)
    remaining = [visible(line) for line in scope["remaining"]]
    return _section(
        "SCOPE",
        [[first, f'phase as last given: "{visible(scope["phase"])}"', *remaining]],
    )
