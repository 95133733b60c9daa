"""What a prompt means, settled through the commands."""

import json
import threading

import pytest

from git_intent.files import canonical_json
from tests.support.chat import sha
from tests.support.desk import WHO

REASONS = ("INTERNAL", "CHILD", "IRRELEVANT", "NON_USER", "DUPLICATE")


def test_l032_a_disposal_keeps_the_bytes_and_changes_nothing(desk):
    desk.initial()
    known, before = desk.sources()[0], desk.hash()
    for reason in REASONS:
        source = desk.say(f"said {reason}")
        of = {"of": known} if reason == "DUPLICATE" else {}
        desk.dispose(source, reason, links=["https://example.invalid/1"], **of)
        assert desk.text("read-source", source, *WHO) == f"said {reason}"
        body = desk.events()[-1]["body"]
        assert (body["reason"], body["links"]) == (
            reason,
            ["https://example.invalid/1"],
        )
    assert desk.hash() == before
    assert desk.listed("--pending") == []
    assert [each["state"] for each in desk.listed()[1:]] == ["DISPOSED"] * 5


def test_l032_a_disposal_without_reason_or_sense_is_refused(desk):
    desk.initial()
    classified = desk.sources()[0]
    source, other = desk.say("one"), desk.say("two")
    good = {"source": source, "reason": "DUPLICATE", "note": "n", "of": classified}
    for change, pointer in (
        ({"note": None}, "/note"),
        ({"of": source}, "/of"),
        ({"of": other}, "/of"),
        ({"of": None}, "/of"),
        ({"reason": "OTHER"}, "/reason"),
        ({"source": classified, "reason": "INTERNAL", "of": None}, "/source"),
    ):
        assert desk.refused("dispose-source", {**good, **change})["pointer"] == pointer
    without = {name: good[name] for name in good if name != "note"}
    assert desk.refused("dispose-source", without)["pointer"] == "/note"


def test_l033_one_delivery_twice_is_one_source(desk):
    first = desk.say("one", prompt_id="t-1")
    desk.session.prompt("one", prompt_id="t-1")
    assert desk.sources() == [first]
    assert desk.listed()[0]["deliveries"] == 2
    assert desk.say("one", prompt_id="t-2") != first
    other = desk.say("not one", prompt_id="t-1")
    flagged = {each["id"]: each["flags"] for each in desk.listed()}
    assert flagged[first] == flagged[other] == ["same-turn"]


def test_l034_a_wrong_disposal_is_answered_with_reopens(desk):
    desk.initial()
    source = desk.say("Also document it.")
    event = desk.dispose(source)["event"]
    document = desk.classification(
        source, ("ADD", [desk.add(source, "outcomes", "documented")])
    )
    refusal = desk.refused("classify-source", document)
    assert (refusal["code"], refusal["pointer"]) == ("already-settled", "/reopens")
    without = desk.refused("classify-source", {**document, "reopens": event})
    assert without["pointer"] == "/note"
    desk.do("classify-source", {**document, "reopens": event, "note": "I misread it"})
    types = [each["type"] for each in desk.events()]
    assert types[-2:] == ["source-disposed", "source-classified"]


def test_l035_only_a_classification_changes_the_contract(desk):
    desk.initial()
    before = desk.hash()
    action = desk.unknown()
    evidence = [{"text": "seen"}]
    desk.do(
        "reconcile-effect",
        {"action": action, "effect": "APPLIED", "evidence": evidence},
    )
    desk.finish(desk.start())
    outcomes = {"out-3.5": {"state": "DONE", "evidence": evidence}}
    desk.do("progress", {"contract": before, "outcomes": outcomes})
    captured = desk.do("capture", {"text": "REPLACE everything"})["source"]
    desk.dispose(captured)
    for reader in ("show", "log", "sources", "verify", "owner-view"):
        desk.text(reader, *WHO)
    assert desk.hash() == before
    for name in ("outcomes_new", "policies", "contract_new"):
        document = {"contract": before, "next_work": ["x"], name: []}
        assert desk.refused("progress", document)["pointer"] == f"/{name}"


def test_l036_a_ledger_begins_once(desk):
    desk.initial()
    source = desk.say("again")
    document = desk.classification(
        source, ("INITIAL", [desk.add(source, "outcomes", "o")])
    )
    assert desk.refused("classify-source", document)["code"] == "not-allowed"
    desk.classify(source, ("WITHDRAW", []), all="retire")
    later = desk.say("once more")
    document = desk.classification(
        later, ("INITIAL", [desk.add(later, "outcomes", "o")])
    )
    assert desk.refused("classify-source", document)["code"] == "not-allowed"


def test_l043_replace_names_every_clause_and_leaves_effects_alone(desk):
    desk.initial()
    unknown, pending = desk.unknown(serves=["out-3.5"]), desk.start(serves=["out-3.6"])
    source = desk.say("Something else.")
    old = desk.shown()
    ids = [c["id"] for name in old["contract"] for c in _listed(old, name)]
    changes = [{"op": "carry", "id": name} for name in ids[:-1]]
    changes.append(desk.add(source, "outcomes", "new"))
    document = desk.classification(source, ("REPLACE", changes))
    refusal = desk.refused("classify-source", document)
    assert refusal["ids"] == ids[-1:]
    changes.append({"op": "retire", "id": ids[-1]})
    desk.classify(source, ("REPLACE", changes))
    new = desk.shown()
    for name in old["contract"]:
        kept = [c for c in _listed(old, name) if c["id"] != ids[-1]]
        assert _listed(new, name)[: len(kept)] == kept
    assert [each["id"] for each in new["unknown_effects"]] == [unknown]
    assert [each["id"] for each in new["pending_actions"]] == [pending]


def _listed(shown, name):
    held = shown["contract"][name]
    return held if isinstance(held, list) else [held]


def test_l044_withdraw_in_part_and_in_full(desk):
    desk.initial()
    unknown = desk.unknown()
    source = desk.say("Drop the other outcome.")
    part = [{"op": "retire", "id": "out-3.6"}]
    refusal = desk.refused(
        "classify-source", desk.classification(source, ("WITHDRAW", part))
    )
    assert "out-3.5" in refusal["ids"]
    carried = ["obj-3.1", "pol-3.2", "con-3.3", "pro-3.4", "out-3.5"]
    part += [{"op": "carry", "id": name} for name in carried]
    smuggled = [*part, desk.add(source, "outcomes", "new")]
    wrong = desk.classification(source, ("WITHDRAW", smuggled))
    assert desk.refused("classify-source", wrong)["pointer"].endswith("/op")
    desk.classify(source, ("WITHDRAW", part))
    source = desk.say("Drop it all.")
    desk.classify(source, ("WITHDRAW", []), all="retire")
    shown = desk.shown()
    assert shown["status"] == "WITHDRAWN"
    assert not any(shown["contract"].values())
    assert [each["id"] for each in shown["unknown_effects"]] == [unknown]
    source = desk.say("Now this.")
    new = [desk.add(source, "outcomes", "this")]
    add = desk.classification(source, ("ADD", new))
    assert desk.refused("classify-source", add)["code"] == "not-allowed"
    desk.classify(source, ("REPLACE", new))


def test_l049_a_clause_that_left_and_came_back_has_a_line_of_descent(desk):
    desk.initial()
    source = desk.say("Forget the outcome.")
    desk.classify(source, ("CORRECT", [{"op": "retire", "id": "out-3.5"}]))
    source = desk.say("No, I want it.")
    again = {"op": "reopen", "id": "out-3.5", **desk.worded(source, "other words")}
    wrong = desk.classification(source, ("ADD", [again]))
    assert desk.refused("classify-source", wrong)["pointer"].endswith("/text")
    unbound = {**again, "text": "outcomes of old", "bindings": []}
    wrong = desk.classification(source, ("ADD", [unbound]))
    assert desk.refused("classify-source", wrong)["pointer"].endswith("/bindings")
    same = {"op": "reopen", "id": "out-3.5", **desk.worded(source, "outcomes of old")}
    event = desk.classify(source, ("ADD", [same]))["event"]
    told = desk.log("out-3.5")
    assert "retire out-3.5" in told
    assert "reopen out-3.5: outcomes of old" in told
    source = desk.say("Rather in Rust.")
    change = {"op": "correct", "corrects": "out-3.5", **desk.worded(source, "in Rust")}
    made = int(desk.classify(source, ("CORRECT", [change]))["event"][3:])
    for name in ("out-3.5", f"out-{made}.1"):
        assert f"Line of descent: out-3.5 -> out-{made}.1\n" in desk.log(name)
    assert (
        event
        in json.loads(desk.text("log", "out-3.5", *WHO, "--json"))["events"][2].values()
    )


def test_l050_two_parts_are_one_event_or_none(desk):
    desk.initial()
    source = desk.say("Add docs. Not Rust but C.")
    add = desk.add(source, "outcomes", "docs")
    change = {"op": "correct", "corrects": "out-3.5", **desk.worded(source, "C")}
    bad = {**change, "corrects": "out-3.9"}
    wrong = desk.classification(source, ("ADD", [add]), ("CORRECT", [bad]))
    refusal = desk.refused("classify-source", wrong)
    assert refusal["pointer"].startswith("/parts/1/transitions/0")
    outside = desk.classification(source, ("ADD", [add]), ("CORRECT", [change]))
    outside["parts"][1]["span"] = [0, 1000]
    assert desk.refused("classify-source", outside)["pointer"] == "/parts/1/span"
    count = len(desk.events())
    desk.classify(source, ("ADD", [add]), ("CORRECT", [change]))
    assert len(desk.events()) == count + 1
    texts = [each["text"] for each in desk.shown()["contract"]["outcomes"]]
    assert {"docs", "C"} <= set(texts)


def test_l051_the_hash_is_computed_again_from_current_json(desk):
    desk.initial()
    source = desk.say("Grüße, 你好")
    desk.classify(source, ("ADD", [desk.add(source, "outcomes", "Grüße, 你好")]))
    current = json.loads((desk.folder / "current.json").read_bytes())
    shuffled = json.loads(json.dumps(dict(reversed(current["contract"].items()))))
    computed = sha(canonical_json(shuffled)[:-1])
    assert computed == current["contract_hash"] == desk.hash()
    assert desk.events()[-1]["body"]["contract"] == computed


@pytest.mark.parametrize("kind", ["binding", "span"])
def test_a_binding_is_printed_ready_to_be_used(desk, kind):
    source = desk.say("Never push. Never, ever push.")
    printed = desk.text("read-source", source, *WHO, "--find", "Never")
    found = json.loads(printed)["bindings"]
    assert [each["span"] for each in found] == [[0, 5], [12, 17]]
    add = desk.add(source, "prohibitions", "Never push")
    add["bindings"] = found[:1] if kind == "binding" else found
    desk.classify(source, ("INITIAL", [add]))


def test_words_that_a_prompt_does_not_say_are_not_found(desk):
    source = desk.say("Never push.")
    done = desk.run("read-source", source, *WHO, "--find", "Always")
    assert (done.code, done.out) == (1, "")
    assert "does not say 'Always'" in done.err


def test_l033_two_hooks_at_once_are_one_delivery(desk):
    desk.say("first")
    raw = desk.session.payload("", prompt="again", prompt_id="t-9")
    threads = [
        threading.Thread(target=desk.session.run, args=("UserPromptSubmit", raw))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    desk.session.ledger.drain()
    assert [each["deliveries"] for each in desk.listed()] == [1, 2]


def test_l109_l110_altered_bytes_hold_what_rests_on_them_and_nothing_else(desk):
    desk.initial()
    source = desk.say("Also document it.")
    desk.classify(source, ("ADD", [desk.add(source, "outcomes", "documented")]))
    name = desk.shown()["contract"]["outcomes"][-1]["id"]
    digest = sha(b"Also document it.")
    path = f"sources/{digest[:2]}/{digest}"
    desk.rewrite(path, lambda data: b"Rather destroy it.\n"[: len(data) - 1])
    assert f"{name} OPEN UNPROVEN" in desk.text("show", *WHO)
    document = {"tool": "Edit", "contract": desk.hash(), "serves": [name]}
    refusal = desk.refused("action-start", document)
    assert (refusal["code"], refusal["ids"]) == ("source-unproven", [source])
    desk.do("action-start", {**document, "serves": ["out-3.5"]})
    assert desk.run("read-source", source, *WHO).code == 1
    assert desk.run("read-source", desk.sources()[0], *WHO).code == 0


def test_l120_a_span_cuts_no_half_of_a_pair(desk):
    source = desk.say("a \ud800 b")
    add = desk.add(source, "outcomes", "o")
    data = desk.bytes_of(source)
    cut = {"span": [0, 3], "span_sha256": sha(data[:3])}
    add["bindings"] = [{**add["bindings"][0], **cut}]
    wrong = desk.classification(source, ("INITIAL", [add]))
    pointer = desk.refused("classify-source", wrong)["pointer"]
    assert pointer == "/parts/0/transitions/0/bindings/0/span"
