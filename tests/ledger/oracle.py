"""The ledger's rules once more, from the design's words and not from the program.

An Oracle is told what came in and judges documents of the right shape. It keeps little,
reads nothing, and is slow. Where it and the program disagree, one of them is wrong.
"""

import copy
import hashlib
import json
from typing import Any

KINDS = ("objective", "policies", "constraints", "prohibitions", "outcomes")
MAY = {
    "INITIAL": "add",
    "ADD": "add reopen",
    "CLARIFY": "clarify",
    "CORRECT": "correct retire reopen add",
    "REPLACE": "carry retire correct reopen add",
    "WITHDRAW": "carry retire",
}
NOTHING_UNNAMED = ("REPLACE", "WITHDRAW")
GOOD_PAIRS = {
    ("SUCCEEDED", "NONE"),
    ("SUCCEEDED", "APPLIED"),
    ("UNKNOWN_EFFECT", "UNKNOWN"),
    *((result, effect) for result in ("FAILED", "CANCELLED")
      for effect in ("NONE", "APPLIED", "PARTIAL", "UNKNOWN")),
}  # fmt: skip


class No(Exception):
    """The document is refused."""


def need(condition: Any, why: str) -> None:
    if not condition:
        raise No(why)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Oracle:
    def __init__(self) -> None:
        self.seq = 1  # the ledger was created
        self.sources: dict[str, dict[str, Any]] = {}
        self.gaps: dict[str, dict[str, Any]] = {}
        self.actions: dict[str, dict[str, Any]] = {}
        self.clauses: list[tuple[str, dict[str, Any]]] = []
        self.ended: dict[str, dict[str, Any]] = {}
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.status = "NO_CONTRACT"
        self.next: Any = None
        self.scope: Any = None
        self.files: dict[str, bytes] = {}

    # What comes in

    def source(self, name: str, data: bytes, order: int | None = None) -> None:
        self.seq += 1
        self.sources[name] = {
            "seq": self.seq,
            "order": order or self.seq,
            "data": data,
            "state": "UNCLASSIFIED",
            "by": "",
        }

    def gap(self, name: str, data: bytes) -> None:
        self.seq += 1
        self.gaps[name] = {"seq": self.seq, "data": data, "state": "OPEN", "source": ""}

    # What the owner does: `submit` raises No, or changes what is kept

    def submit(self, command: str, document: dict[str, Any]) -> None:
        before = copy.deepcopy(self.__dict__)
        try:
            getattr(self, command.replace("-", "_"))(document)
        except No:
            self.__dict__ = before
            raise
        self.seq += 1

    def dispose_source(self, document: dict[str, Any]) -> None:
        found = self.sources.get(document["source"])
        need(found and found["state"] == "UNCLASSIFIED", "not pending")
        of = document.get("of")
        if document["reason"] == "DUPLICATE":
            need(of in self.sources and of != document["source"], "of what")
            need(self.sources[of]["state"] == "CLASSIFIED", "of what is not known")
        else:
            need(of is None, "no duplicate")
        found.update(state="DISPOSED", by=f"ev-{self.seq + 1}")

    def recover_source(self, document: dict[str, Any]) -> None:
        found = self.gaps.get(document["gap"])
        need(found, "no gap")
        need(found["state"] != "RECOVERED", "recovered before")
        need(not found["source"], "its bytes came before")
        need(document["text"].encode() == found["data"], "other bytes")
        if found["state"] == "OPEN":
            found["state"] = "RECOVERED"
        found["source"] = "yes"

    def dispose_gap(self, document: dict[str, Any]) -> None:
        found = self.gaps.get(document["gap"])
        need(found and found["state"] == "OPEN", "not open")
        found["state"] = "DISPOSED"

    def action_start(self, document: dict[str, Any]) -> None:
        need(not self.pending(), "a prompt waits")
        need(not self.open_gaps(), "a prompt is missing")
        need(document["contract"] == self.hash(), "stale")
        for name in document["serves"]:
            need(name in dict(self.ids()), "serves nothing in force")
        for name in document["depends"]:
            if name in self.actions:
                need(not self.is_open(self.actions[name]), "depends on an open action")
            else:
                need(name in self.sources or name in self.gaps, "depends on nothing")
        retried = document.get("retries")
        if retried is not None:
            need(retried in self.actions, "retries nothing")
            state = self.actions[retried]["state"]
            need(state in ("FAILED", "CANCELLED", "UNKNOWN_EFFECT"), "retries what")
        self.actions[f"act-{self.seq + 1}"] = {
            "state": "PENDING",
            "effect": None,
            "contract": document["contract"],
            "told": [],
        }

    def action_finish(self, document: dict[str, Any]) -> None:
        found = self.actions.get(document["action"])
        need(found and found["state"] == "PENDING", "not pending")
        pair = (document["result"], document["effect"])
        need(pair in GOOD_PAIRS, "no such pair")
        found["state"], found["effect"] = pair

    def reconcile_effect(self, document: dict[str, Any]) -> None:
        found = self.actions.get(document["action"])
        need(found and found["effect"] == "UNKNOWN", "nothing to reconcile")
        need(document["evidence"], "no evidence")
        found["told"].append(document["effect"])

    def progress(self, document: dict[str, Any]) -> None:
        need(self.status == "LIVE", "no contract")
        need(document["contract"] == self.hash(), "stale")
        if "scope" in document:
            given = document["scope"]
            need(self.proved(given), "scope unproven")
            self.scope = given
        for name, given in document.get("outcomes", {}).items():
            need(name in self.outcomes, "no outcome in force")
            held = self.outcomes[name]
            for item in given.get("evidence", []):
                need("text" in item or self.proved(item), "evidence unproven")
                key = sha(item["text"].encode()) if "text" in item else (
                    item["ref"], item["sha256"]
                )  # fmt: skip
                held["evidence"].add(key)
            if held["state"] == "DONE":
                need(given.get("state", "DONE") == "DONE", "done stays done")
            held["state"] = given.get("state", held["state"])
            need(held["state"] != "DONE" or held["evidence"], "done without evidence")
            held["blockers"] = given.get("blockers", held["blockers"])
        if "next_work" in document:
            need(not self.pending(), "a prompt waits")
            planned = document["next_work"]
            self.next = (self.hash(), planned) if planned else None

    # Classification

    def classify_source(self, document: dict[str, Any]) -> None:
        name = document["source"]
        need(name in self.sources, "no source")
        source = self.sources[name]
        need(self.reviewed(source, document), "settled before")
        for other in self.sources.values():
            waits = other["state"] == "UNCLASSIFIED" and other["seq"] < source["seq"]
            need(not waits, "not its turn")
        need(document["base_contract"] == self.hash(), "stale")
        later = {
            key
            for key, other in self.sources.items()
            if other["state"] == "CLASSIFIED" and other["order"] > source["order"]
        }
        need(set(document.get("considered", [])) == later, "not considered")
        made: list[str] = []
        touched: set[str] = set()
        for part in document["parts"]:
            need(part["span"][1] <= len(source["data"]), "part outside")
            self.apply_part(part, name, made, touched)
        self.next = None
        source.update(state="CLASSIFIED", by=f"ev-{self.seq + 1}")

    def reviewed(self, source: dict[str, Any], document: dict[str, Any]) -> bool:
        said = {
            key: document[key] for key in ("reclassifies", "reopens") if key in document
        }
        word = {"CLASSIFIED": "reclassifies", "DISPOSED": "reopens"}
        wanted = word.get(source["state"])
        if wanted is None:
            return not said
        return said == {wanted: source["by"]} and "note" in document

    def apply_part(
        self, part: dict[str, Any], source: str, made: list[str], touched: set[str]
    ) -> None:
        kind = part["disposition"]
        if kind == "INITIAL":
            need(self.status == "NO_CONTRACT", "had a contract")
        elif kind == "REPLACE":
            need(self.status in ("LIVE", "WITHDRAWN"), "no contract yet")
        else:
            need(self.status == "LIVE", "no contract")
        named: set[str] = set()
        heirs: list[tuple[str, str]] = []
        need(part["transitions"] or "all" in part, "nothing said")
        need("all" not in part or kind in NOTHING_UNNAMED, "all of what")
        for step in part["transitions"]:
            need(step["disposition"] == kind, "other disposition")
            need(step["op"] in MAY[kind].split(), "not allowed there")
            self.apply_step(step, part, source, made, touched, named, heirs)
        unnamed = [held["id"] for _, held in self.clauses if held["id"] not in named]
        retires = any(step["op"] == "retire" for step in part["transitions"])
        if "all" in part:
            for clause in unnamed:
                need(clause not in touched, "changed twice")
                touched.add(clause)
                self.end(clause, "RETIRED")
                retires = True
        elif kind in NOTHING_UNNAMED:
            need(not unnamed, "unnamed")
        need(kind != "WITHDRAW" or retires, "withdraws nothing")
        for old, _ in heirs:
            need(old in named and old in self.ended, "corrects what stays")
            self.ended[old]["state"] = "CORRECTED"
        need([field for field, _ in self.clauses].count("objective") <= 1, "two aims")
        self.apply_scope(part, kind)
        need(self.clauses or kind == "WITHDRAW", "leaves nothing")
        self.status = "LIVE" if self.clauses else "WITHDRAWN"

    def apply_scope(self, part: dict[str, Any], kind: str) -> None:
        if kind in NOTHING_UNNAMED and self.scope is not None:
            need(part.get("scope") in ("carry", "drop"), "scope unnamed")
            if part["scope"] == "drop":
                self.scope = None
        else:
            need("scope" not in part, "no scope to name")

    def apply_step(
        self,
        step: dict[str, Any],
        part: dict[str, Any],
        source: str,
        made: list[str],
        touched: set[str],
        named: set[str],
        heirs: list[tuple[str, str]],
    ) -> None:
        op = step["op"]
        old = step.get("corrects" if op == "correct" else "id") or step.get("reopens")
        if op == "add":
            correcting = step["disposition"] == "CORRECT"
            need(("corrects" in step) == correcting, "corrects or not")
            self.check_bindings(step, [], part, source)
            new = self.make(step["field"], step, made, named)
            self.clauses.append((step["field"], new))
            if correcting:
                heirs.append((step["corrects"], new["id"]))
            return
        need(("id" in step) + ("reopens" in step) == (op != "correct"), "one name")
        if op == "reopen":
            self.reopen(step, str(old), part, source, made, touched, named)
            return
        place = self.place(str(old))
        need(place is not None, "not in force")
        need(old not in named, "named twice")
        named.add(str(old))
        if op == "carry":
            return
        need(old not in touched, "changed twice")
        touched.add(str(old))
        field, clause = self.clauses[place]
        if op == "retire":
            self.end(str(old), "RETIRED")
            return
        need(step["text"] != clause["text"], "same words")
        self.check_bindings(step, clause["bindings"], part, source)
        if op == "clarify":
            changed = {"text": step["text"], "bindings": step["bindings"]}
            self.clauses[place] = (field, {**clause, **changed})
        else:
            new = self.make(field, step, made, named)
            self.end(str(old), "CORRECTED")
            self.clauses.insert(place, (field, new))

    def reopen(
        self,
        step: dict[str, Any],
        old: str,
        part: dict[str, Any],
        source: str,
        made: list[str],
        touched: set[str],
        named: set[str],
    ) -> None:
        need(old not in touched, "changed twice")
        touched.add(old)
        place = self.place(old)
        if place is not None:
            need("id" in step, "in force")
            done = self.outcomes.get(old, {}).get("state") == "DONE"
            need(done, "open as it is")
            need(old not in named, "named twice")
            field, clause = self.clauses.pop(place)
        else:
            need(self.ended.get(old, {}).get("state") == "RETIRED", "never returns")
            field, clause = self.ended[old]["field"], self.ended[old]["clause"]
            place = len(self.clauses)
        self.check_bindings(step, clause["bindings"], part, source)
        same = step["text"] == clause["text"]
        need(same == ("id" in step), "the id goes with the words")
        if same:
            named.add(old)
            self.ended.pop(old, None)
            new = {"id": old, "text": step["text"], "bindings": step["bindings"]}
            self.fresh(field, old)
        else:
            new = self.make(field, step, made, named)
            self.ended[old]["state"] = "CORRECTED"
        self.clauses.insert(place, (field, new))

    def make(
        self, field: str, step: dict[str, Any], made: list[str], named: set[str]
    ) -> dict[str, Any]:
        name = f"{field[:3]}-{self.seq + 1}.{len(made) + 1}"
        made.append(name)
        named.add(name)
        self.fresh(field, name)
        return {"id": name, "text": step["text"], "bindings": step["bindings"]}

    def fresh(self, field: str, name: str) -> None:
        if field == "outcomes":
            self.outcomes[name] = {"state": "OPEN", "evidence": set(), "blockers": []}

    def end(self, name: str, state: str) -> None:
        place = self.place(name)
        assert place is not None
        field, clause = self.clauses.pop(place)
        self.ended[name] = {"state": state, "field": field, "clause": clause}
        self.outcomes.pop(name, None)

    def check_bindings(
        self,
        step: dict[str, Any],
        inherited: list[Any],
        part: dict[str, Any],
        source: str,
    ) -> None:
        known = self.sources[source]
        mine = 0
        need(
            len({json.dumps(b) for b in step["bindings"]}) == len(step["bindings"]), ""
        )
        for binding in step["bindings"]:
            if binding in inherited and binding["source"] != source:
                continue
            need(binding["source"] == source, "another source")
            start, end = binding["span"]
            need(part["span"][0] <= start < end <= part["span"][1], "outside its part")
            need(end <= len(known["data"]), "outside its source")
            need(binding["event"] == f"ev-{known['seq']}", "another event")
            need(binding["sha256"] == sha(known["data"]), "another hash")
            need(binding["span_sha256"] == sha(known["data"][start:end]), "other bytes")
            mine += 1
        need(mine, "not bound to this source")

    # What is asked

    def place(self, name: str) -> int | None:
        found = [i for i, (_, held) in enumerate(self.clauses) if held["id"] == name]
        return found[0] if found else None

    def ids(self) -> list[tuple[str, str]]:
        return [(held["id"], field) for field, held in self.clauses]

    def pending(self) -> list[str]:
        return [
            name
            for name, held in self.sources.items()
            if held["state"] == "UNCLASSIFIED"
        ]

    def open_gaps(self) -> list[str]:
        return [name for name, held in self.gaps.items() if held["state"] == "OPEN"]

    def is_open(self, action: dict[str, Any]) -> bool:
        if action["state"] == "PENDING":
            return True
        known = [effect for effect in action["told"] if effect != "STILL_UNKNOWN"]
        return action["effect"] == "UNKNOWN" and not known

    def unknown(self) -> list[str]:
        return [
            name
            for name, held in self.actions.items()
            if held["state"] != "PENDING" and self.is_open(held)
        ]

    def proved(self, item: dict[str, Any]) -> bool:
        data = self.files.get(item["ref"])
        return data is not None and sha(data) == item["sha256"]

    def contract(self) -> dict[str, Any]:
        by_kind: dict[str, Any] = {
            kind: [held for field, held in self.clauses if field == kind]
            for kind in KINDS
        }
        by_kind["objective"] = next(iter(by_kind["objective"]), None)
        return by_kind

    def hash(self) -> str:
        text = json.dumps(self.contract(), sort_keys=True, separators=(",", ":"))
        return sha(text.encode())

    def picture(self) -> dict[str, Any]:
        """All that must agree with the program."""
        return {
            "seq": self.seq,
            "status": self.status,
            "contract": self.contract(),
            "hash": self.hash(),
            "outcomes": {
                name: (held["state"], held["evidence"], held["blockers"])
                for name, held in self.outcomes.items()
            },
            "pending": self.pending(),
            "gaps": self.open_gaps(),
            "under way": [
                name
                for name, held in self.actions.items()
                if held["state"] == "PENDING"
            ],
            "unknown": self.unknown(),
            "next": self.next,
            "scope": self.scope,
        }


def picture(view: dict[str, Any], outcomes: dict[str, Any]) -> dict[str, Any]:
    """The program's state in the oracle's words."""
    planned = view["next_work"]

    def keys(evidence: list[dict[str, Any]]) -> set[Any]:
        return {item.get("blob") or (item["ref"], item["sha256"]) for item in evidence}

    def ids(name: str) -> list[str]:
        return [record["id"] for record in view[name]]

    return {
        "seq": view["seq"],
        "status": view["status"],
        "contract": view["contract"],
        "hash": view["contract_hash"],
        "outcomes": {
            name: (held["state"], keys(held["evidence"]), held["blockers"])
            for name, held in outcomes.items()
        },
        "pending": ids("pending_sources"),
        "gaps": [gap["id"] for gap in view["gaps"] if gap["state"] == "OPEN"],
        "under way": ids("pending_actions"),
        "unknown": ids("unknown_effects"),
        "next": planned and (planned["contract"], planned["items"]),
        "scope": view["scope"],
    }
