"""A journal told to a person: what each event did, and the history of one id.

`tell` gives an event as a line and the lines that belong to it. `History` finds the
events that an id has to do with: of a clause, also those of the clauses it descends
from and that descend from it; of an action, its start, its one result with the first
fault, every later word on its effect, and its retries.

Pure.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from git_intent.ledger.archive import Record
from git_intent.ledger.event import Event
from git_intent.ledger.refusal import Refusal

Read = Callable[[str], bytes | None]

_SHORTEST = len("src-") + 4
#: Bytes of a text of evidence that are told.
_SHOWN = 200
_PREFIXES = {"ev", "src", "gap", "act", "obj", "pol", "con", "pro", "out"}


def tell(event: Event, read: Read) -> tuple[str, list[str]]:
    """What an event did, in a line, and what it said, in lines below.

    `read` gives the bytes of evidence that the ledger keeps.
    """
    line, below = _TELL[event.type](event.body)
    proofs = [_proof(item, read) for item in _evidence(event.body)]
    return line, [*below, *proofs]


def _created(body: Record) -> tuple[str, list[str]]:
    who = f"session {body['session']} of {body['host']}"
    return f"ledger created by {who}, {body['route']} binding", []


def _closed(body: Record) -> tuple[str, list[str]]:
    moved = body["moved_to"]
    line = f"ledger closed, moved to chat {moved['chat']} in {moved['namespace']}"
    return line, [body["note"]]


def _tail(body: Record) -> tuple[str, list[str]]:
    return f"a torn tail of {body['bytes']} bytes was kept as {body['fault']}", []


def _captured(body: Record) -> tuple[str, list[str]]:
    if "delivery_of" in body:
        return f"{body['delivery_of']} was delivered once more", []
    line = f"{body['source']} captured, {body['bytes']} bytes"
    facts = [f"flagged {flag}" for flag in body["flags"]]
    if "captured_in" in body:
        facts.append(f"first captured in chat {body['captured_in']['chat']}")
    if "since" in body:
        facts.append(f"it came after event {body['since']}")
    return ", ".join([line, *facts]), []


def _gap(body: Record) -> tuple[str, list[str]]:
    size = f"of {body['bytes']} bytes" if body["bytes"] else "of unknown size"
    return f"{body['gap']} recorded: a prompt {size} is missing, {body['reason']}", []


def _recovered(body: Record) -> tuple[str, list[str]]:
    return f"{body['gap']} recovered as {body['source']}, {body['bytes']} bytes", []


def _gap_disposed(body: Record) -> tuple[str, list[str]]:
    return f"{body['gap']} given up", [body["note"], *body["links"]]


def _disposed(body: Record) -> tuple[str, list[str]]:
    of = f" of {body['of']}" if body["of"] else ""
    line = f"{body['source']} disposed as {body['reason']}{of}"
    return line, [body["note"], *body["links"]]


def _classified(body: Record) -> tuple[str, list[str]]:
    words = " and ".join(part["disposition"] for part in body["parts"])
    line = f"{body['source']} classified {words}"
    for again in ("reclassifies", "reopens"):
        if again in body:
            line += f", {again} {body[again]}"
    below = [
        _transition(each) for part in body["parts"] for each in part["transitions"]
    ]
    if body["disposes"]:
        below.append(f"ends {len(body['disposes']['items'])} lines of next work")
    below += [f"scope: {part['scope']}" for part in body["parts"] if "scope" in part]
    return line, [*below, *filter(None, [body.get("note")])]


def _transition(change: Record) -> str:
    operation, text = change["op"], change.get("text")
    named = change.get("id", "")
    before = change.get("corrects") or change.get("reopens")
    if operation == "add" and before:
        line = f"add {named}, in the place of {before}"
    elif operation == "correct" or before:
        line = f"{operation} {before} as {named}"
    else:
        line = f"{operation} {named}"
    return f"{line}: {text}" if text else line


def _progress(body: Record) -> tuple[str, list[str]]:
    below = []
    for outcome, given in body.get("outcomes", {}).items():
        facts = [given["state"]] if "state" in given else []
        if given.get("evidence"):
            facts.append(f"{len(given['evidence'])} of evidence")
        facts += [f"blocked: {blocker}" for blocker in given.get("blockers", ())]
        below.append(f"{outcome} {', '.join(facts) or 'no blockers any more'}")
    below += [f"next: {item}" for item in body.get("next_work", ())]
    if "scope" in body:
        scope = body["scope"]
        left = len(scope["remaining"])
        below.append(f'scope {scope["ref"]}, phase "{scope["phase"]}", {left} remain')
    return "progress", below


def _started(body: Record) -> tuple[str, list[str]]:
    line = f"{body['action']} started: {body['tool']}"
    if body["retries"]:
        line += f", a retry of {body['retries']}"
    below = [body["what"]] if body["what"] else []
    for name in ("serves", "depends"):
        if body[name]:
            below.append(f"{name} {', '.join(body[name])}")
    return line, below


def _finished(body: Record) -> tuple[str, list[str]]:
    line = f"{body['action']} {body['result']}, effect {body['effect']}"
    return line, [body["note"]] if body["note"] else []


def _reconciled(body: Record) -> tuple[str, list[str]]:
    line = f"{body['action']} reconciled: {body['effect']}"
    return line, [body["note"]] if body["note"] else []


def _evidence(body: Record) -> Iterator[Record]:
    yield from body.get("evidence", ())
    for given in body.get("outcomes", {}).values():
        yield from given.get("evidence", ())


def _proof(item: Record, read: Read) -> str:
    if "ref" in item:
        note = f": {item['note']}" if item.get("note") else ""
        return f"evidence {item['ref']}{note}"
    data = read(item["blob"])
    if data is None:
        return f"evidence {item['blob']} is missing or altered"
    text = data[:_SHOWN].decode("utf-8", "ignore").partition("\n")[0]
    rest = item["bytes"] - len(text.encode())
    return f"evidence: {text}" + (f" (+{rest} bytes)" if rest else "")


_TELL: dict[str, Callable[[Record], tuple[str, list[str]]]] = {
    "ledger-created": _created,
    "ledger-closed": _closed,
    "tail-preserved": _tail,
    "source-captured": _captured,
    "gap-recorded": _gap,
    "source-recovered": _recovered,
    "gap-disposed": _gap_disposed,
    "source-classified": _classified,
    "source-disposed": _disposed,
    "progress": _progress,
    "action-started": _started,
    "action-finished": _finished,
    "effect-reconciled": _reconciled,
}


class History:
    """The events of a journal that an id has to do with."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = list(events)
        self._names = [set(_named(event)) for event in self._events]

    def whole(self, wanted: str) -> str:
        """The id that `wanted` is or begins. Raises Refusal."""
        known = set().union(*self._names)
        if wanted in known:
            return wanted
        long = wanted.startswith(("src-", "gap-")) and len(wanted) >= _SHORTEST
        found = sorted(name for name in known if name.startswith(wanted) and long)
        if len(found) > 1:
            message = f"{wanted} begins {len(found)} ids"
            raise Refusal("ambiguous-id", "", message, ids=found[:10])
        if not found:
            raise Refusal("unknown-id", "", f"{wanted!r} names nothing", ids=[wanted])
        return found[0]

    def descent(self, clause: str) -> list[str]:
        """The ids that a clause descends from, itself, and those that descend from it,
        in the order in which they were made."""
        near: dict[str, set[str]] = {}
        for event in self._events:
            for old, new in _heirs(event):
                near.setdefault(old, set()).add(new)
                near.setdefault(new, set()).add(old)
        line, waiting = {clause}, [clause]
        while waiting:
            found = near.get(waiting.pop(), set()) - line
            line |= found
            waiting += found
        return sorted(line, key=_made)

    def concerning(self, names: Iterable[str]) -> list[Event]:
        """The events that name one of these."""
        wanted = set(names)
        pairs = zip(self._events, self._names, strict=True)
        return [event for event, named in pairs if named & wanted]


def _made(clause: str) -> tuple[int, ...]:
    """When a clause was made: the event, and the place in it."""
    numbers = clause.partition("-")[2].split(".")
    return tuple(int(number) for number in numbers if number.isdecimal())


def _heirs(event: Event) -> Iterator[tuple[str, str]]:
    """The clauses that gave way in an event, each with the one that took its place."""
    if event.type != "source-classified":
        return
    for part in event.body["parts"]:
        for change in part["transitions"]:
            before = change.get("corrects") or change.get("reopens")
            if before:
                yield before, change["id"]


def _named(event: Event) -> Iterator[str]:
    """Every id that an event names."""
    yield event.id
    yield from _ids(event.body)


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("bindings", "was", "considered", "request"):
                continue  # on what a clause rests is not what the event is about
            if name == "outcomes":
                yield from inner
            yield from _ids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _ids(inner)
    elif isinstance(value, str) and value.partition("-")[0] in _PREFIXES:
        yield value
