"""The meaning of a ledger while one classification is applied to it.

`Work` copies the contract and what hangs on it, takes the parts of the event one after
the other, and is thrown away when one of them is refused: nothing of the first part
stays when the last transition is wrong. It is pure. What each operation does to it
stands in `transitions`.
"""

from __future__ import annotations

from git_intent.ledger.citation import judge
from git_intent.ledger.contract import PREFIXES, clauses
from git_intent.ledger.fields import at, invalid
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import LIVE, NO_CONTRACT, WITHDRAWN, State

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.ledger.archive import Record
    from git_intent.ledger.contract import Clause, Contract

#: What these dispositions do not name does not stay by silence.
COMPLETE = ("REPLACE", "WITHDRAW")


class Work:
    """The contract in the making.

    `gone` collects what the archive has to know of clauses that left or came back.
    """

    __slots__ = (
        "_changed",
        "_heirs",
        "_made",
        "_named",
        "_state",
        "fields",
        "gone",
        "outcomes",
        "part",
        "scope",
        "seq",
        "source",
        "status",
    )

    def __init__(self, state: State, source: Record) -> None:
        #: Clauses by id, in the contract's order.
        self.fields: dict[str, dict[str, Clause]] = {field: {} for field in PREFIXES}
        for field, clause in clauses(state.contract):
            self.fields[field][clause["id"]] = clause
        self.outcomes = dict(state.outcomes)
        self.status = state.status
        self.scope = state.scope
        self.source = source
        self.seq = state.seq + 1
        self.gone: dict[str, Record] = {}
        self.part: Record = {}
        self._state = state
        self._changed: set[str] = set()
        self._made = 0
        self._named: set[str] = set()
        self._heirs: list[tuple[str, str, str]] = []

    def contract(self) -> Contract:
        """The contract as it is now."""
        made: Contract = {
            field: [*held.values()] for field, held in self.fields.items()
        }
        made["objective"] = next(iter(made["objective"]), None)
        return made

    # Parts

    def begin(self, part: Record, pointer: str) -> None:
        """Enter a part: is its disposition possible now?"""
        self.part = part
        self._named = set()
        self._heirs = []
        here, disposition = at(pointer, "disposition"), part["disposition"]
        if part["span"][1] > self.source["bytes"]:
            raise invalid(
                at(pointer, "span"),
                f"{self.source['id']} ends at byte {self.source['bytes']}",
            )
        if disposition == "INITIAL" and self.status != NO_CONTRACT:
            raise Refusal("not-allowed", here, "INITIAL: this ledger had a contract")
        if disposition == "REPLACE" and self.status == WITHDRAWN:
            return
        if disposition != "INITIAL" and self.status != LIVE:
            wanted = "INITIAL" if self.status == NO_CONTRACT else "REPLACE"
            raise Refusal(
                "not-allowed",
                here,
                f"{disposition}: there is no contract, the next is {wanted}",
            )

    def end(self, pointer: str) -> None:
        """Leave the part: is everything named that must be, and the whole sound?"""
        disposition, here = self.part["disposition"], at(pointer, "transitions")
        self._settle_heirs()
        if disposition in COMPLETE and (unnamed := self.unnamed()):
            raise Refusal(
                "invalid-document",
                here,
                f"{disposition} leaves unnamed: {', '.join(unnamed)}",
                'carry or retire each, or say "all": "retire"',
                unnamed,
            )
        if len(self.fields["objective"]) > 1:
            several = " and ".join(self.fields["objective"])
            raise invalid(here, f"two objectives, {several}; a contract has one")
        if disposition == "WITHDRAW" and not any(
            transition["op"] == "retire" for transition in self.part["transitions"]
        ):
            raise invalid(here, "WITHDRAW that retires nothing")
        self._settle_scope(disposition, at(pointer, "scope"))
        if any(self.fields.values()):
            self.status = LIVE
        elif disposition == "WITHDRAW":
            self.status = WITHDRAWN
        else:
            raise invalid(
                here,
                f"{disposition} leaves no clause; what ends a contract is WITHDRAW",
            )

    def unnamed(self) -> list[str]:
        """The clauses in force that the part under way has not named."""
        return [
            clause_id
            for held in self.fields.values()
            for clause_id in held
            if clause_id not in self._named
        ]

    def _settle_heirs(self) -> None:
        for pointer, heir, old in self._heirs:
            record = self.gone.get(old)
            ended = record and record["state"] != "REOPENED" and old in self._named
            if record is None or not ended:
                raise invalid(
                    pointer, f"{old} is neither corrected nor retired in this part"
                )
            heirs = [*record["heirs"], heir]
            self.gone[old] = {**record, "state": "CORRECTED", "heirs": heirs}

    def _settle_scope(self, disposition: str, pointer: str) -> None:
        said = self.part.get("scope")
        if said is None:
            if disposition in COMPLETE and self.scope is not None:
                raise invalid(
                    pointer, f"{disposition} says whether to carry or drop the scope"
                )
        elif disposition not in COMPLETE:
            raise invalid(pointer, f"{disposition} keeps the scope by itself")
        elif self.scope is None:
            raise invalid(pointer, "there is no scope reference")
        elif said == "drop":
            self.scope = None

    # Clauses

    def live(self, clause_id: str, pointer: str) -> tuple[str, Clause]:
        """The field and the clause of an id in force."""
        for field, held in self.fields.items():
            if clause_id in held:
                return field, held[clause_id]
        if clause_id in self._changed:
            raise invalid(pointer, f"{clause_id} is changed twice in this document")
        out = self._out(clause_id)
        was = f"was {out['state'].lower()} by {out['event']}" if out else "is no clause"
        raise Refusal("unknown-id", pointer, f"{clause_id} {was}", ids=[clause_id])

    def retired(self, clause_id: str, pointer: str) -> tuple[str, Clause]:
        """The field and the clause of an id that was retired and may come back."""
        out = self._out(clause_id)
        if out is None or out["state"] != "RETIRED":
            self.live(clause_id, pointer)  # unknown, or out of force for good
            raise Refusal("not-allowed", pointer, f"{clause_id} is in force")
        return out["field"], out["clause"]

    def name(self, clause_id: str, pointer: str) -> None:
        """Count a clause as named in this part."""
        if clause_id in self._named:
            raise invalid(pointer, f"{clause_id} is named twice in this part")
        self._named.add(clause_id)

    def once(self, clause_id: str, pointer: str) -> None:
        """Count a clause as changed by this event."""
        if clause_id in self._changed:
            raise invalid(pointer, f"{clause_id} is changed twice in this document")
        self._changed.add(clause_id)

    def change(self, clause_id: str, pointer: str) -> tuple[str, Clause]:
        """A clause in force that the transition changes."""
        found = self.live(clause_id, pointer)
        self.once(clause_id, pointer)
        self.name(clause_id, pointer)
        return found

    def next_id(self, field: str) -> str:
        """The id of the next clause that this event makes."""
        return f"{PREFIXES[field]}-{self.seq}.{self._made + 1}"

    def make(self, field: str, clause: Clause, pointer: str) -> None:
        """Count a clause as made by this event."""
        if clause["id"] != self.next_id(field):
            raise invalid(pointer, f"must be {self.next_id(field)}")
        self._made += 1
        self._named.add(clause["id"])
        if field == "outcomes":
            self.start(clause["id"])

    def start(self, outcome: str) -> None:
        """Begin an outcome, whatever came before it."""
        self.outcomes[outcome] = {"state": "OPEN", "evidence": [], "blockers": []}

    def put(self, field: str, clause: Clause, after: str = "") -> None:
        """Let a clause stand where its id stood, in the place of `after`, or last."""
        held = self.fields[field]
        if after:
            stood = [clause if other == after else held[other] for other in held]
            self.fields[field] = {other["id"]: other for other in stood}
        else:
            held[clause["id"]] = clause

    def leave(self, field: str, clause: Clause, state: str, heirs: list[str]) -> None:
        """Let the archive say that a clause is out of force, or is again in force."""
        self.gone[clause["id"]] = {
            "state": state,
            "field": field,
            "clause": clause,
            "outcome": self.outcomes.pop(clause["id"], None),
            "event": f"ev-{self.seq}",
            "heirs": heirs,
        }

    def inherit(self, heir: str, old: str, pointer: str) -> None:
        """Say that `heir` takes over a meaning of `old`, which this part must end."""
        self._heirs.append((pointer, heir, old))

    def rest(self, transition: Record, inherited: list[Record], pointer: str) -> None:
        """Refuse bindings that do not bear a change by this source and part."""
        judge(
            transition["bindings"],
            self.source,
            self.part["span"],
            inherited,
            at(pointer, "bindings"),
        )

    def _out(self, clause_id: str) -> Record | None:
        # Ids of clauses only: the archive knows other things by other keys.
        if clause_id[:4] not in {f"{prefix}-" for prefix in PREFIXES.values()}:
            return None
        return self.gone.get(clause_id) or self._state.archive.get(clause_id)
