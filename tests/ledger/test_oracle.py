"""The program against an independent reading of its rules, over random chats."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_intent.files import canonical_json
from git_intent.ledger import fold
from git_intent.ledger.archive import Archive
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.view import view
from tests.ledger.oracle import KINDS, MAY, No, Oracle, picture, sha
from tests.support.chat import Chat, fresh

WORDS = ("Go on", "In Rust", "Größer, 日本", "Never push", "Keep it small 🐙")
NOWHERE = "out-9999.1"


class Chance:
    """The numbers of one step; when they are used up, zeros.

    In most steps the owner is careful, and nothing is wrong on purpose.
    """

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = list(numbers)
        self.careful = self.below(4) != 3

    def below(self, bound: int) -> int:
        return (self.numbers.pop(0) if self.numbers else 0) % bound

    def one_of(self, choices: Any) -> Any:
        listed = list(choices)
        return listed[self.below(len(listed))] if listed else None

    def seldom(self, bound: int = 8) -> bool:
        return self.below(bound) == bound - 1 and not self.careful


class Trial:
    """A chat and its oracle, step by step."""

    def __init__(self) -> None:
        self.chat, self.oracle = Chat(), Oracle()
        self.accepted: dict[str, int] = {}

    def step(self, numbers: tuple[int, ...]) -> None:
        chance = Chance(numbers)
        kind = chance.one_of(STEPS)
        if kind == "say" and chance.careful and len(self.oracle.pending()) > 1:
            return
        if kind == "say":
            data = f"{chance.one_of(WORDS)} {self.oracle.seq}".encode()
            self.oracle.source(self.chat.say(data), data)
        elif kind == "lose":
            text = f"lost {self.oracle.seq}"
            self.oracle.gap(self.chat.lose(text), text.encode())
        elif kind == "write":
            ref = f"file:{chance.below(2)}"
            self.chat.world.files[ref] = self.oracle.files[ref] = bytes(
                [chance.below(3)]
            )
        else:
            document = getattr(self, kind.replace("-", "_"))(chance)
            if document is not None:
                self.submit(kind, document, chance)
        self.compare()

    def submit(self, command: str, document: Any, chance: Chance) -> None:
        if chance.seldom() and chance.seldom():
            garbled = garble(document, chance)
            assert self.chat.refused(command, garbled).code
        before = self.oracle.contract(), set(self.oracle.unknown())
        try:
            self.oracle.submit(command, copy.deepcopy(document))
        except No:
            self.chat.refused(command, document)
            return
        event = self.chat.do(command, document)
        self.accepted[command] = self.accepted.get(command, 0) + 1
        if command == "recover-source":
            gap = self.oracle.gaps[document["gap"]]
            self.oracle.sources[event.body["source"]] = {
                "seq": event.seq,
                "order": gap["seq"],
                "data": gap["data"],
                "state": "UNCLASSIFIED",
                "by": "",
            }
        if command != "classify-source":
            assert self.chat.contract() == before[0]
        if command != "reconcile-effect":
            assert before[1] <= {
                held["id"] for held in self.chat.view()["unknown_effects"]
            }

    def compare(self) -> None:
        state = self.chat.state
        assert picture(view(state), state.outcomes) == self.oracle.picture()

    # Documents: mostly right, now and then wrong in what they mean

    def classify_source(self, chance: Chance) -> Any:
        name = next(iter(self.oracle.pending()), None)
        if chance.seldom(3) or (name is None and chance.below(4) == 0):
            name = chance.one_of(self.oracle.sources)
        if name is None:
            return None
        source = self.oracle.sources[name]
        parts = [self.part(name, chance) for _ in range(1 + (chance.below(3) == 2))]
        document = {"source": name, "base_contract": self.hash(chance), "parts": parts}
        later = [
            key
            for key, held in self.oracle.sources.items()
            if held["state"] == "CLASSIFIED" and held["order"] > source["order"]
        ]
        if later and not chance.seldom():
            document["considered"] = later
        word = {"CLASSIFIED": "reclassifies", "DISPOSED": "reopens"}
        if source["state"] in word and not chance.seldom():
            document[word[source["state"]]] = source["by"]
            document["note"] = "looked at again"
        return document

    def part(self, source: str, chance: Chance) -> dict[str, Any]:
        oracle = self.oracle
        status = {"NO_CONTRACT": ["INITIAL"], "WITHDRAWN": ["REPLACE"]}.get(
            oracle.status,
            ["ADD", "CORRECT"] * 4 + ["CLARIFY", "REPLACE"] * 2 + ["WITHDRAW"],
        )
        kind = chance.one_of(MAY if chance.seldom() else status)
        size = len(oracle.sources[source]["data"])
        part: dict[str, Any] = {
            "disposition": kind,
            "span": [0, size + chance.seldom()],
        }
        ops = MAY["REPLACE" if chance.seldom() else kind].split()
        if chance.careful and not oracle.clauses:
            ops = ["add"]
        steps: list[dict[str, Any]] = []
        for _ in range(1 + chance.below(3) + 2 * (kind == "INITIAL")):
            step = self.transition(chance.one_of(ops), kind, source, chance)
            named = {self.named(other) for other in steps}
            if step["op"] == "add" or self.named(step) not in named or chance.seldom(3):
                steps.append(step)
        if kind == "CORRECT" and chance.careful:
            ends = [s for s in steps if s["op"] in ("retire", "correct", "reopen")]
            for step in steps:
                if step["op"] == "add" and ends:
                    step["corrects"] = self.named(ends[0])
        if kind in ("REPLACE", "WITHDRAW"):
            if chance.below(4) == 0:
                part["all"] = "retire"
            elif not chance.seldom():
                named = {self.named(step) for step in steps}
                steps += [
                    {"op": "carry", "disposition": kind, "id": clause}
                    for clause, _ in oracle.ids()
                    if clause not in named
                ]
            if oracle.scope and not chance.seldom():
                part["scope"] = chance.one_of(("carry", "drop"))
        elif chance.seldom():
            part["scope"] = "carry"
        part["transitions"] = steps
        if chance.seldom(3):
            part["span"][1] = 2
        return part

    def transition(
        self, op: str, kind: str, source: str, chance: Chance
    ) -> dict[str, Any]:
        oracle = self.oracle
        live = [clause for clause, _ in oracle.ids()]
        can_reopen = any(held["state"] == "RETIRED" for held in oracle.ended.values())
        can_reopen |= any(held["state"] == "DONE" for held in oracle.outcomes.values())
        if op == "reopen" and chance.careful and not can_reopen:
            op = "add"
        clause = NOWHERE if chance.seldom() else chance.one_of(live) or NOWHERE
        kind = chance.one_of(MAY) if chance.seldom() and chance.seldom() else kind
        step: dict[str, Any] = {"op": op, "disposition": kind}
        if op in ("retire", "carry"):
            return {**step, "id": clause}
        step["text"] = chance.one_of(WORDS)
        step["bindings"] = [self.binding(source, chance)]
        if op == "add":
            step["field"] = chance.one_of((*KINDS, "outcomes", "outcomes"))
            if kind == "CORRECT" or chance.seldom():
                step["corrects"] = clause
        elif op == "clarify":
            step["id"] = clause
            old = oracle.place(clause)
            if old is not None and chance.below(2):
                step["bindings"] += oracle.clauses[old][1]["bindings"]
            if chance.seldom(3) and oracle.clauses:
                step["bindings"] += oracle.clauses[0][1]["bindings"]
        elif op == "correct":
            step["corrects"] = clause
        else:
            retired = [
                key for key, held in oracle.ended.items() if held["state"] == "RETIRED"
            ]
            gone = retired if chance.careful or chance.below(3) else oracle.ended
            ended = chance.one_of(gone) or clause
            done = [
                key for key, held in oracle.outcomes.items() if held["state"] == "DONE"
            ]
            wanted = chance.one_of(done) if done and chance.below(2) else ended
            step["id"] = wanted
            place = oracle.place(wanted)
            if place is not None:
                step["text"] = oracle.clauses[place][1]["text"]
            elif wanted in oracle.ended and chance.below(3):
                step["text"] = oracle.ended[wanted]["clause"]["text"]
            elif not chance.seldom(3):
                step["reopens"] = step.pop("id")
        return step

    @staticmethod
    def named(step: dict[str, Any]) -> Any:
        return step.get("id") or step.get("corrects") or step.get("reopens")

    def binding(self, source: str, chance: Chance) -> dict[str, Any]:
        if chance.seldom(5):
            source = chance.one_of(self.oracle.sources)
        known = self.oracle.sources[source]
        data = known["data"]
        span = [0, len(data)] if chance.below(2) else [0, 2]
        wrong = 0 if chance.careful else chance.below(40)
        if wrong == 39:
            span = [0, len(data) + 1]
        return {
            "event": f"ev-{known['seq'] + (wrong == 38)}",
            "source": source,
            "sha256": sha(data + b"!" * (wrong == 37)),
            "span": span,
            "span_sha256": sha(data[: span[1]] + b"!" * (wrong == 36)),
        }

    def progress(self, chance: Chance) -> Any:
        document: dict[str, Any] = {"contract": self.hash(chance)}
        if chance.below(4):
            name = chance.one_of(self.oracle.outcomes)
            if chance.seldom():
                name = NOWHERE
            elif name is None:
                return None
            given: dict[str, Any] = {
                "state": chance.one_of(("OPEN", "ACTIVE", "BLOCKED", "DONE", "DONE"))
            }
            if chance.below(2):
                given["evidence"] = [{"text": chance.one_of(WORDS)}, self.seen(chance)]
                del given["evidence"][chance.below(3) :]
            if chance.below(3) == 0:
                given["blockers"] = list(WORDS[: chance.below(3)])
            document["outcomes"] = {name: given}
        if chance.below(2):
            document["next_work"] = list(WORDS[: chance.below(3)])
        if chance.below(4) == 0 or len(document) == 1:
            document["scope"] = {
                **self.seen(chance),
                "phase": chance.one_of(WORDS),
                "remaining": list(WORDS[: chance.below(4)]),
            }
        return document

    def seen(self, chance: Chance) -> dict[str, Any]:
        ref = chance.one_of(self.oracle.files) or "file:0"
        data = self.oracle.files.get(ref, b"")
        return {"ref": ref, "sha256": sha(data + b"!" * chance.seldom())}

    def dispose_source(self, chance: Chance) -> Any:
        name = chance.one_of(self.oracle.pending())
        if chance.seldom(3):
            name = chance.one_of(self.oracle.sources) or "src-" + "f" * 32
        if name is None:
            return None
        document = {"source": name, "reason": "INTERNAL", "note": "why"}
        if chance.below(4) == 0:
            document["reason"] = "DUPLICATE"
            document["of"] = chance.one_of(self.oracle.sources) or name
        return document

    def recover_source(self, chance: Chance) -> Any:
        known = self.oracle.gaps.items()
        gaps = [name for name, held in known if not held["source"] or chance.seldom(3)]
        name = chance.one_of(gaps)
        if name is None:
            return None
        text = self.oracle.gaps[name]["data"].decode()
        return {"gap": name, "text": text + "!" * chance.seldom()}

    def dispose_gap(self, chance: Chance) -> Any:
        gaps = self.oracle.gaps if chance.seldom(3) else self.oracle.open_gaps()
        name = chance.one_of(gaps)
        return name and {"gap": name, "note": "why"}

    def action_start(self, chance: Chance) -> Any:
        oracle = self.oracle
        if chance.careful and (oracle.pending() or oracle.open_gaps()):
            return None
        # what it serves rests on files that change: proofs are tested elsewhere
        serves = [clause for clause, field in oracle.ids() if field != "outcomes"][
            : chance.below(3)
        ]
        if chance.seldom():
            serves.append(chance.one_of(oracle.ended) or NOWHERE)
        document = {
            "tool": "Edit",
            "contract": self.hash(chance),
            "serves": serves,
            "depends": [],
        }
        if chance.below(3) == 0 and (oracle.actions or oracle.sources):
            known = [*oracle.actions, *oracle.sources]
            document["depends"] = [chance.one_of(known)]
        if chance.below(3) == 0 and oracle.actions:
            document["retries"] = chance.one_of(oracle.actions)
        return document

    def action_finish(self, chance: Chance) -> Any:
        open_ = [
            name
            for name, held in self.oracle.actions.items()
            if held["state"] == "PENDING"
        ]
        name = chance.one_of(open_)
        if name is None:
            return None
        result = chance.one_of(("SUCCEEDED", "FAILED", "CANCELLED", "UNKNOWN_EFFECT"))
        effect = chance.one_of(("NONE", "APPLIED", "PARTIAL", "UNKNOWN"))
        if result == "UNKNOWN_EFFECT" and not chance.seldom():
            effect = "UNKNOWN"
        return {"action": name, "result": result, "effect": effect}

    def reconcile_effect(self, chance: Chance) -> Any:
        name = chance.one_of(self.oracle.unknown())
        if chance.seldom(3):
            name = chance.one_of(self.oracle.actions)
        effect = chance.one_of(("APPLIED", "NOT_APPLIED", "PARTIAL", "STILL_UNKNOWN"))
        return name and {
            "action": name,
            "effect": effect,
            "evidence": [{"text": "looked"}],
        }

    def hash(self, chance: Chance) -> str:
        return sha(b"stale") if chance.seldom() else self.oracle.hash()


STEPS = (
    *("say",) * 5,
    *("classify-source",) * 10,
    *("progress",) * 5,
    *("action-start", "action-start", "action-finish") * 3,
    *("reconcile-effect",) * 2,
    *("recover-source", "dispose-gap", "dispose-gap", "dispose-source", "write"),
    "lose",
)


def garble(document: Any, chance: Chance) -> Any:
    """The document with something in it that has no place there."""
    garbled = copy.deepcopy(document)
    places = [garbled]
    for held in places:
        members = held.values() if isinstance(held, dict) else held
        places += [member for member in members if isinstance(member, dict | list)]
    held = chance.one_of(places)
    if isinstance(held, dict):
        held["policies" if "policies" not in held else "x"] = chance.one_of(([], 1))
        if held is garbled.get("outcomes"):
            held["policies"] = 1
    else:
        held.append(None)
    return garbled


def run(steps: list[tuple[int, ...]]) -> Trial:
    trial = Trial()
    for numbers in steps:
        trial.step(numbers)
    replays(trial.chat)
    return trial


def replays(chat: Chat) -> None:
    """Replay equals the state that grew; two replays give the same bytes."""
    grown = bytes_of(chat.state)
    assert bytes_of(replay(chat.lines)) == grown == bytes_of(replay(chat.lines))
    half = len(chat.lines) // 2
    state = replay(chat.lines[:half])
    part = state.archive.seal()
    loaded = fold.load(fold.dump(state), Archive([part]))
    for line in chat.lines[half:]:
        fold.replay(loaded, line)
    assert bytes_of(loaded) == grown


def replay(lines: list[bytes]):
    state = fresh()
    for line in lines:
        fold.replay(state, line)
    return state


def bytes_of(state) -> bytes:
    keys = sorted(state.archive.all_keys())
    archive = {key: state.archive.get(key) for key in keys}
    return canonical_json([fold.dump(state), view(state), archive])


numbers = st.tuples(*[st.integers(0, 2**20)] * 24)
chats = st.lists(numbers, min_size=1, max_size=40)
quiet = list(HealthCheck)


@settings(
    max_examples=300, deadline=None, derandomize=True, suppress_health_check=quiet
)
@given(chats)
def test_the_program_agrees_with_the_oracle(steps):
    run(steps)


@pytest.mark.soak
@settings(max_examples=5_000, deadline=None, suppress_health_check=quiet)
@given(chats)
def test_the_program_agrees_with_the_oracle_for_long(steps):
    run(steps)


@pytest.mark.parametrize("seed", range(20))
def test_long_chats_agree(seed):
    run(random_steps(seed, 250))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_very_long_chats_agree(seed):
    run(random_steps(seed, 1_000))


def test_every_command_comes_through_in_such_chats():
    accepted: set[str] = set()
    for seed in range(4):
        accepted |= set(run(random_steps(seed, 250)).accepted)
    assert accepted == set(fold.COMMANDS) - {"capture"}


def random_steps(seed: int, length: int) -> list[tuple[int, ...]]:
    chance = random.Random(seed)
    return [tuple(chance.randrange(2**20) for _ in range(40)) for _ in range(length)]


def test_a_forged_line_is_found_by_replay():
    """What no command would make is no event either, chain or not."""
    trial = Trial()
    chat = trial.chat
    source = chat.say("go")
    chat.classify(source, "INITIAL", chat.add(source, "objective", "Go"))
    fields = json.loads(chat.lines[-1])
    for change in (
        lambda body: body["parts"][0]["transitions"][0].update(id="obj-9.9"),
        lambda body: body["parts"][0]["transitions"][0].update(text="Stop"),
        lambda body: body["parts"][0].update(disposition="REPLACE"),
        lambda body: body.update(contract="0" * 64),
        lambda body: body.update(considered=["src-" + "0" * 32]),
        lambda body: body.update(more=1),
    ):
        forged = copy.deepcopy(fields)
        change(forged["body"])
        with pytest.raises(Refusal) as caught:
            replay([*chat.lines[:-1], canonical_json(forged)])
        assert caught.value.code == "ledger-corrupt"
