"""How a contract becomes another: the transitions of a classification.

    disposition  operations                            what is not named
    INITIAL      add                                   (there was nothing)
    ADD          add, reopen                           inherited
    CLARIFY      clarify                               inherited
    CORRECT      correct, retire, reopen, add          inherited
    REPLACE      carry, retire, correct, reopen, add   nothing may be
    WITHDRAW     carry, retire                         nothing may be

`clarify` gives a clause other words and keeps its id; `correct` puts a clause with a
new id in its place; `retire` ends one; `carry` keeps one byte for byte. `reopen` with
`id` brings back a retired clause, or an outcome that was DONE, in the same words; with
`reopens` it makes a clause with a new id and other words. An `add` of CORRECT names the
clause whose meaning it takes over. A clause is changed once in an event, and the id of
a corrected one never returns.

Every transition repeats the disposition of its part. All but `carry` and `retire` bind
the source that is classified.
"""

from __future__ import annotations

from git_intent.ledger.contract import FIELDS, bindings, clause_text
from git_intent.ledger.fields import at, choice, constant, invalid, record, tagged, text
from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.ledger.archive import Record
    from git_intent.ledger.contract import Clause
    from git_intent.ledger.fields import Check
    from git_intent.ledger.work import Work

OPERATIONS = {
    "INITIAL": ("add",),
    "ADD": ("add", "reopen"),
    "CLARIFY": ("clarify",),
    "CORRECT": ("correct", "retire", "reopen", "add"),
    "REPLACE": ("carry", "retire", "correct", "reopen", "add"),
    "WITHDRAW": ("carry", "retire"),
}
DISPOSITIONS = tuple(OPERATIONS)

clause_id = text(64, line=True)
_was = record({"text": clause_text, "bindings": bindings})


def shape(*, recorded: bool) -> Check:
    """A transition of an owner's document, or one of an event.

    The event says in full what the document leaves to the command: the ids of new
    clauses, and what a clarified clause said before.
    """
    named = {"disposition": choice(*DISPOSITIONS), "id": clause_id}
    worded = {**named, "text": clause_text, "bindings": bindings}
    made = {key: worded[key] for key in worded if recorded or key != "id"}
    shapes: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
        "add": ({**made, "field": choice(*FIELDS)}, {"corrects": clause_id}),
        "clarify": ({**worded, "was": _was} if recorded else worded, {}),
        "correct": ({**made, "corrects": clause_id}, {}),
        "retire": (named, {"bindings": bindings}),
        "reopen": (made, {"id": clause_id, "reopens": clause_id}),
        "carry": (named, {}),
    }
    return tagged(
        "op",
        {
            operation: record({"op": constant(operation), **required}, optional)
            for operation, (required, optional) in shapes.items()
        },
    )


def complete(work: Work, transition: Record, pointer: str) -> Record:
    """The transition of a document as the event says it."""
    operation = transition["op"]
    if operation == "add":
        return {**transition, "id": work.next_id(transition["field"])}
    if operation == "clarify":
        _, old = work.live(transition["id"], at(pointer, "id"))
        was = {"text": old["text"], "bindings": old["bindings"]}
        return {**transition, "was": was}
    if operation == "correct":
        field, _ = work.live(transition["corrects"], at(pointer, "corrects"))
        return {**transition, "id": work.next_id(field)}
    if operation == "reopen":
        if ("id" in transition) == ("reopens" in transition):
            raise invalid(
                at(pointer, "id"),
                "either `id`, to reopen a clause in the same words, or `reopens`",
            )
        if "reopens" in transition:
            here = at(pointer, "reopens")
            field, _ = work.retired(transition["reopens"], here)
            return {**transition, "id": work.next_id(field)}
    return transition


def apply(work: Work, transition: Record, pointer: str) -> None:
    """Make one change; its shape was checked before."""
    operation, disposition = transition["op"], transition["disposition"]
    wanted = work.part["disposition"]
    if disposition != wanted:
        raise invalid(
            at(pointer, "disposition"), f"{disposition} in a part that is {wanted}"
        )
    if operation not in OPERATIONS[disposition]:
        allowed = ", ".join(OPERATIONS[disposition])
        raise invalid(
            at(pointer, "op"), f"{disposition} allows {allowed}, not {operation}"
        )
    _APPLY[operation](work, transition, pointer)


def _add(work: Work, transition: Record, pointer: str) -> None:
    disposition, old = transition["disposition"], transition.get("corrects")
    here = at(pointer, "corrects")
    if disposition == "CORRECT" and old is None:
        raise invalid(here, "missing: an add of CORRECT names what it corrects")
    if disposition != "CORRECT" and old is not None:
        raise invalid(here, f"an add of {disposition} corrects nothing")
    work.rest(transition, [], pointer)
    clause = _clause(transition)
    work.make(transition["field"], clause, at(pointer, "id"))
    work.put(transition["field"], clause)
    if old is not None:
        work.inherit(clause["id"], old, here)


def _clarify(work: Work, transition: Record, pointer: str) -> None:
    field, old = work.change(transition["id"], at(pointer, "id"))
    work.rest(transition, old["bindings"], pointer)
    _other_words(transition, old, pointer)
    if transition["was"] != {"text": old["text"], "bindings": old["bindings"]}:
        raise invalid(at(pointer, "was"), f"is not what {old['id']} said")
    work.put(field, _clause(transition))


def _correct(work: Work, transition: Record, pointer: str) -> None:
    field, old = work.change(transition["corrects"], at(pointer, "corrects"))
    work.rest(transition, old["bindings"], pointer)
    _other_words(transition, old, pointer)
    new = _clause(transition)
    work.make(field, new, at(pointer, "id"))
    work.leave(field, old, "CORRECTED", [new["id"]])
    work.put(field, new, after=old["id"])


def _retire(work: Work, transition: Record, pointer: str) -> None:
    field, old = work.change(transition["id"], at(pointer, "id"))
    if "bindings" in transition:
        work.rest(transition, [], pointer)
    work.leave(field, old, "RETIRED", [])
    del work.fields[field][old["id"]]


def _carry(work: Work, transition: Record, pointer: str) -> None:
    here = at(pointer, "id")
    work.live(transition["id"], here)
    work.name(transition["id"], here)


def _reopen(work: Work, transition: Record, pointer: str) -> None:
    if "reopens" in transition:
        _reopen_reworded(work, transition, pointer)
        return
    here, wanted = at(pointer, "id"), transition["id"]
    outcome = work.outcomes.get(wanted)
    if outcome is None:
        field, old = work.retired(wanted, here)
        work.once(wanted, here)
        work.name(wanted, here)
        work.leave(field, old, "REOPENED", [])
    elif outcome["state"] == "DONE":
        field, old = work.change(wanted, here)
    else:
        raise Refusal("not-allowed", here, f"{wanted} is {outcome['state']} as it is")
    if transition["text"] != old["text"]:
        raise invalid(
            at(pointer, "text"),
            f"{wanted} keeps its id in the same words only",
            "give its exact text, or name it in `reopens` to make a clause anew",
        )
    work.rest(transition, old["bindings"], pointer)
    work.put(field, _clause(transition))
    if field == "outcomes":
        work.start(wanted)


def _reopen_reworded(work: Work, transition: Record, pointer: str) -> None:
    here, wanted = at(pointer, "reopens"), transition["reopens"]
    field, old = work.retired(wanted, here)
    work.once(wanted, here)
    _other_words(transition, old, pointer)
    work.rest(transition, old["bindings"], pointer)
    new = _clause(transition)
    work.make(field, new, at(pointer, "id"))
    work.put(field, new)
    # Its meaning goes on under the new id, so the old one never returns.
    work.leave(field, old, "CORRECTED", [new["id"]])


def _other_words(transition: Record, old: Clause, pointer: str) -> None:
    if transition["text"] == old["text"]:
        raise invalid(at(pointer, "text"), f"{old['id']} says the same already")


def _clause(transition: Record) -> Clause:
    return {name: transition[name] for name in ("id", "text", "bindings")}


_APPLY = {
    "add": _add,
    "clarify": _clarify,
    "correct": _correct,
    "retire": _retire,
    "reopen": _reopen,
    "carry": _carry,
}
