"""Actions: recorded before the deed, one result after it, effects never forgotten."""

import itertools
import json

import pytest

from git_intent.ledger import fold
from git_intent.ledger.actions import EFFECTS
from git_intent.ledger.fold import Already
from git_intent.ledger.refusal import Refusal
from tests.support.chat import Chat, settled, sha

RESULTS = ("SUCCEEDED", "FAILED", "CANCELLED", "UNKNOWN_EFFECT")
STATES = ("NONE", "APPLIED", "PARTIAL", "UNKNOWN")


def start(chat: Chat, **more) -> dict:
    return {"tool": "Edit", "contract": chat.state.contract_hash, **more}


def started(chat: Chat, **more) -> str:
    return chat.do("action-start", start(chat, **more)).body["action"]


def finished(chat: Chat, result: str, effect: str, **more) -> str:
    action = started(chat, **more)
    chat.do("action-finish", {"action": action, "result": result, "effect": effect})
    return action


def unknown(chat: Chat) -> str:
    return finished(chat, "UNKNOWN_EFFECT", "UNKNOWN")


def dispose(chat: Chat, source: str) -> None:
    chat.do("dispose-source", {"source": source, "reason": "CHILD", "note": "n"})


def test_an_action_is_on_record_before_it_is_done():
    chat = settled()
    serves = chat.ids("outcomes")[:1]
    action = started(chat, serves=serves, what="remove the old parser")
    (record,) = chat.view()["pending_actions"]
    assert record["id"] == action == f"act-{chat.state.seq}"
    assert (record["state"], record["effect"]) == ("PENDING", None)
    assert record["serves"] == serves
    assert record["contract"] == chat.state.contract_hash


def test_l052_a_waiting_prompt_holds_every_action():
    chat = settled()
    first, second = chat.say("one"), chat.say("two")
    refusal = chat.refused("action-start", start(chat))
    assert (refusal.code, refusal.ids) == ("unclassified-source", (first, second))
    dispose(chat, first)
    assert chat.refused("action-start", start(chat)).ids == (second,)
    dispose(chat, second)
    chat.do("action-start", start(chat))


def test_l053_an_open_gap_holds_every_action():
    chat = settled()
    gap = chat.lose("Never push")
    refusal = chat.refused("action-start", start(chat))
    assert (refusal.code, refusal.ids) == ("gap-open", (gap,))
    recovered = chat.do("recover-source", {"gap": gap, "text": "Never push"})
    dispose(chat, recovered.body["source"])
    chat.do("action-start", start(chat))
    chat.world.sources.clear()
    assert chat.refused("action-start", start(chat)).code == "gap-open"


def test_l022_a_start_is_planned_against_the_current_contract():
    chat = settled()
    old = start(chat)
    source = chat.say("Also document it")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "It is documented"))
    refusal = chat.refused("action-start", old)
    assert (refusal.code, refusal.pointer) == ("stale-contract", "/contract")
    assert chat.state.contract_hash in refusal.message
    chat.do("action-start", start(chat))


def test_l054_nothing_holds_what_is_under_way():
    """Several holds at once: results, reconciliations and settling all go on."""
    chat = settled()
    running, vague = started(chat), unknown(chat)
    source = chat.say("Also document it")
    internal, gap, given_up = chat.say("internal"), chat.lose("a"), chat.lose("b")
    chat.do(
        "action-finish", {"action": running, "result": "SUCCEEDED", "effect": "NONE"}
    )
    chat.do(
        "reconcile-effect",
        {"action": vague, "effect": "APPLIED", "evidence": [{"text": "looked"}]},
    )
    dispose(chat, internal)
    chat.do("dispose-gap", {"gap": given_up, "note": "n"})
    recovered = chat.do("recover-source", {"gap": gap, "text": "a"}).body["source"]
    chat.classify(source, "ADD", chat.add(source, "outcomes", "It is documented"))
    assert list(chat.state.sources) == [recovered]


@pytest.mark.parametrize(
    ("result", "effect"), list(itertools.product(RESULTS, STATES)), ids="-".join
)
def test_l055_each_pair_of_result_and_effect(result, effect):
    chat = settled()
    action = started(chat)
    document = {"action": action, "result": result, "effect": effect}
    if effect in EFFECTS[result]:
        chat.do("action-finish", document)
    else:
        refusal = chat.refused("action-finish", document)
        assert (refusal.code, refusal.pointer) == ("invalid-document", "/effect")


def test_l055_the_legal_pairs():
    legal = {(result, effect) for result in EFFECTS for effect in EFFECTS[result]}
    assert legal == {
        ("SUCCEEDED", "NONE"),
        ("SUCCEEDED", "APPLIED"),
        ("UNKNOWN_EFFECT", "UNKNOWN"),
        *itertools.product(("FAILED", "CANCELLED"), STATES),
    }


def test_l055_one_result_and_no_other():
    chat = settled()
    action = started(chat)
    document = {"action": action, "result": "SUCCEEDED"}
    assert chat.refused("action-finish", document).pointer == "/effect"
    chat.do("action-finish", {**document, "effect": "APPLIED"})
    for other in (
        {"effect": "NONE"},
        {"effect": "APPLIED", "note": "really"},
        {"effect": "APPLIED", "evidence": [{"text": "seen"}]},
        {"effect": "UNKNOWN", "result": "UNKNOWN_EFFECT"},
    ):
        refusal = chat.refused("action-finish", {**document, **other})
        assert (refusal.code, refusal.pointer) == ("already-settled", "/action")
    results = [line for line in chat.lines if b'"action-finished"' in line]
    assert len(results) == 1


def test_l056_the_same_finish_is_answered_by_the_recorded_one():
    chat = settled()
    action = started(chat)
    document = {
        "action": action,
        "result": "FAILED",
        "effect": "UNKNOWN",
        "evidence": [
            {"text": "the log ends"},
            {"ref": "file:log", "sha256": sha(b"log")},
        ],
        "note": "killed",
    }
    chat.world.files["file:log"] = b"log"
    recorded = chat.do("action-finish", document)
    chat.world.files.clear()  # what was proved once is on record
    before = chat.everything()
    again = fold.compose("action-finish", chat.state, document, chat.world)
    assert again == Already(recorded.seq, {"action": action})
    assert chat.everything() == before


def test_l056_a_request_is_recorded_once():
    chat = settled()
    document = start(chat, request="r-1")
    event = chat.do("action-start", document)
    again = fold.compose("action-start", chat.state, document, chat.world)
    assert again == Already(event.seq, {"action": f"act-{event.seq}"})
    # also after the contract has moved on
    source = chat.say("Also document it")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "It is documented"))
    again = fold.compose("action-start", chat.state, document, chat.world)
    assert again == Already(event.seq, {"action": f"act-{event.seq}"})


def test_l056_a_request_with_another_body_is_refused():
    chat = settled()
    event = chat.do("action-start", start(chat, request="r-1"))
    for command, document in (
        ("action-start", start(chat, request="r-1", what="else")),
        ("dispose-gap", {"gap": "gap-1", "note": "n", "request": "r-1"}),
    ):
        refusal = chat.refused(command, document)
        assert (refusal.code, refusal.pointer) == ("request-reused", "/request")
        assert refusal.ids == (event.id,)
    for wrong in ("", " ", 7, None, "a\nb", "x" * 201):
        refusal = chat.refused("action-start", start(chat, request=wrong))
        assert (refusal.code, refusal.pointer) == ("invalid-document", "/request")


def test_l056_a_refused_request_may_be_made_again():
    chat = settled()
    source = chat.say("x")
    document = start(chat, request="r-1")
    chat.refused("action-start", document)
    dispose(chat, source)
    chat.do("action-start", document)


def test_l056_a_request_of_long_ago_is_known(monkeypatch):
    chat = settled()
    document = start(chat, request="r-0")
    event = chat.do("action-start", document)
    for number in range(1, 70):
        chat.do("action-start", start(chat, request=f"r-{number}"))
    chat.state.archive.seal()
    again = fold.compose("action-start", chat.state, document, chat.world)
    assert again == Already(event.seq, {"action": f"act-{event.seq}"})
    # and a new one does not search for it
    monkeypatch.setattr(type(chat.state.archive), "get", lambda self, key: 1 / 0)
    chat.do("action-start", start(chat, request="r-new"))


def test_l056_a_request_used_twice_in_a_journal_breaks_a_rule():
    chat = settled()
    event = chat.do("action-start", start(chat, request="r-1"))
    request = event.body["request"]
    draft = fold.compose("action-start", chat.state, start(chat), chat.world)
    draft = fold.Draft(draft.type, {**draft.body, "request": request}, "")
    with pytest.raises(Refusal) as caught:
        fold.fold(chat.state, fold.propose(chat.state, draft, chat.world))
    assert caught.value.code == "request-reused"


@pytest.mark.parametrize(
    ("result", "effect"),
    [("FAILED", "NONE"), ("CANCELLED", "PARTIAL"), ("UNKNOWN_EFFECT", "UNKNOWN")],
)
def test_l057_a_retry_is_linked_and_clears_nothing(result, effect):
    chat = settled()
    first = finished(chat, result, effect)
    second = finished(chat, "SUCCEEDED", "APPLIED", retries=first)
    assert second != first
    assert chat.state.find("actions", second)["retries"] == first
    open_effects = [record["id"] for record in chat.view()["unknown_effects"]]
    assert open_effects == ([first] if effect == "UNKNOWN" else [])


def test_l057_what_cannot_be_retried():
    chat = settled()
    done, running = finished(chat, "SUCCEEDED", "APPLIED"), started(chat)
    itself = f"act-{chat.state.seq + 1}"
    for retries, code in (
        (done, "not-allowed"),
        (running, "not-allowed"),
        (itself, "unknown-id"),
        ("act-999", "unknown-id"),
        ("src-1", "unknown-id"),
    ):
        refusal = chat.refused("action-start", start(chat, retries=retries))
        assert (refusal.code, refusal.pointer) == (code, "/retries"), retries


def test_l058_the_first_answer_takes_an_effect_out_and_all_stay():
    chat = settled()
    action = unknown(chat)
    told = [
        ("STILL_UNKNOWN", 1),
        ("NOT_APPLIED", 0),
        ("APPLIED", 0),  # contradicts
        ("STILL_UNKNOWN", 0),
    ]
    for effect, still_open in told:
        document = {"action": action, "effect": effect, "evidence": [{"text": effect}]}
        chat.do("reconcile-effect", document)
        assert len(chat.view()["unknown_effects"]) == still_open
    record = chat.state.find("actions", action)
    assert [each["effect"] for each in record["reconciled"]] == [e for e, _ in told]
    assert (record["state"], record["effect"]) == ("UNKNOWN_EFFECT", "UNKNOWN")
    assert chat.world.evidence[sha(b"APPLIED")] == b"APPLIED"


def test_l058_a_failure_with_an_unknown_effect_is_reconciled_too():
    chat = settled()
    action = finished(chat, "FAILED", "UNKNOWN")
    assert [record["id"] for record in chat.view()["unknown_effects"]] == [action]
    document = {"action": action, "effect": "PARTIAL", "evidence": [{"text": "half"}]}
    chat.do("reconcile-effect", document)
    assert chat.view()["unknown_effects"] == []
    assert chat.state.find("actions", action)["state"] == "FAILED"


def test_l058_what_cannot_be_reconciled():
    chat = settled()
    action, known = unknown(chat), finished(chat, "SUCCEEDED", "APPLIED")
    running = started(chat)
    base = {"action": action, "effect": "APPLIED", "evidence": [{"text": "seen"}]}
    gone = [{"ref": "file:gone", "sha256": sha(b"")}]
    for changed, code, pointer in (
        ({"evidence": []}, "invalid-document", "/evidence"),
        ({"evidence": gone}, "evidence-unproven", "/evidence/0/ref"),
        ({"effect": "UNKNOWN"}, "invalid-document", "/effect"),
        ({"action": known}, "not-allowed", "/action"),
        ({"action": running}, "not-allowed", "/action"),
        ({"action": "act-999"}, "unknown-id", "/action"),
    ):
        refusal = chat.refused("reconcile-effect", {**base, **changed})
        assert (refusal.code, refusal.pointer) == (code, pointer), changed
    del base["evidence"]
    assert chat.refused("reconcile-effect", base).pointer == "/evidence"


def test_l059_an_action_outlives_the_outcome_that_it_serves():
    chat = settled()
    outcome = chat.ids("outcomes")[0]
    old = chat.state.contract_hash
    action = started(chat, serves=[outcome])
    source = chat.say("Forget all that. Write a manual.")
    added = chat.add(source, "outcomes", "There is a manual")
    chat.do(
        "classify-source",
        chat.classification(source, ("REPLACE", [added]), all="retire"),
    )
    (record,) = chat.view()["pending_actions"]
    assert (record["id"], record["contract"]) == (action, old)
    assert chat.state.next_work is None
    chat.do(
        "action-finish",
        {"action": action, "result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"},
    )
    (record,) = chat.view()["unknown_effects"]
    assert (record["id"], record["serves"]) == (action, [outcome])


def test_l060_a_pending_action_waits_for_whoever_comes_back():
    chat = settled()
    action = started(chat)
    resumed = fold.load(
        json.loads(json.dumps(fold.dump(chat.state))), chat.state.archive
    )
    assert list(resumed.actions) == [action]
    chat.state = resumed
    chat.do(
        "action-finish",
        {"action": action, "result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"},
    )
    assert chat.view()["pending_actions"] == []
    assert [record["id"] for record in chat.view()["unknown_effects"]] == [action]


def test_l061_what_an_action_names_must_be_there():
    chat = settled()
    outcome = chat.ids("outcomes")[0]
    source = chat.say("Drop the removal")
    chat.classify(source, "CORRECT", {"op": "retire", "id": outcome})
    other = chat.ids("outcomes")[0]
    action = finished(chat, "SUCCEEDED", "NONE")
    for changed, pointer in (
        ({"serves": [outcome]}, "/serves/0"),
        ({"serves": [other, "out-99.1"]}, "/serves/1"),
        ({"serves": [other.upper()]}, "/serves/0"),
        ({"serves": [action]}, "/serves/0"),
        ({"depends": ["act-999"]}, "/depends/0"),
        ({"depends": [action, action.upper()]}, "/depends/1"),
        ({"depends": [other]}, "/depends/0"),
        ({"depends": ["ev-1"]}, "/depends/0"),
        ({"depends": ["src-" + "0" * 32]}, "/depends/0"),
    ):
        refusal = chat.refused("action-start", start(chat, **changed))
        assert (refusal.code, refusal.pointer) == ("unknown-id", pointer), changed
    chat.do("action-start", start(chat, serves=[other], depends=[action]))


def test_an_action_waits_for_those_it_depends_on():
    chat = settled()
    action = started(chat)
    document = start(chat, depends=[action])
    refusal = chat.refused("action-start", document)
    assert (refusal.code, refusal.pointer) == ("dependency-held", "/depends/0")
    chat.do(
        "action-finish",
        {"action": action, "result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"},
    )
    assert "an unknown effect" in chat.refused("action-start", document).message
    chat.do("action-start", start(chat))  # what it does not name holds nothing
    chat.do(
        "reconcile-effect",
        {"action": action, "effect": "NOT_APPLIED", "evidence": [{"text": "looked"}]},
    )
    chat.do("action-start", document)


def test_an_action_may_depend_on_a_source_or_a_gap_that_is_settled():
    chat = settled()
    source, gap = chat.say("a"), chat.lose("b")
    dispose(chat, source)
    dispose(chat, chat.do("recover-source", {"gap": gap, "text": "b"}).body["source"])
    disposed = chat.lose("c")
    chat.do("dispose-gap", {"gap": disposed, "note": "n"})
    chat.do("action-start", start(chat, depends=[source, gap, disposed]))


def test_l109_lost_bytes_hold_what_rests_on_them_and_nothing_else():
    chat = settled()
    source = chat.say("Also document it")
    added = chat.add(source, "outcomes", "It is documented")
    chat.classify(source, "ADD", added)
    old, new = chat.ids("outcomes")[0], chat.ids("outcomes")[-1]
    del chat.world.sources[sha(b"Also document it")]
    refusal = chat.refused("action-start", start(chat, serves=[old, new]))
    assert (refusal.code, refusal.ids) == ("source-unproven", (source,))
    assert refusal.pointer.startswith("/serves/1")
    assert chat.refused("action-start", start(chat, depends=[source])).ids == (source,)
    chat.do("action-start", start(chat, serves=[old]))
    chat.do("action-start", start(chat))


def test_l123_altered_evidence_holds_what_rests_on_it_and_nothing_else():
    chat = settled()
    chat.world.files["file:report"] = b"green"
    evidence = [{"ref": "file:report", "sha256": sha(b"green")}]
    first, second = chat.ids("outcomes")
    chat.do(
        "progress",
        {
            "contract": chat.state.contract_hash,
            "outcomes": {first: {"state": "ACTIVE", "evidence": evidence}},
        },
    )
    action = started(chat)
    chat.do(
        "action-finish",
        {
            "action": action,
            "result": "SUCCEEDED",
            "effect": "APPLIED",
            "evidence": evidence,
        },
    )
    both = start(chat, serves=[first], depends=[action])
    chat.do("action-start", both)
    chat.world.files["file:report"] = b"grEEn"
    for changed, pointer in (
        ({"serves": [first]}, "/serves/0"),
        ({"depends": [action]}, "/depends/0"),
    ):
        refusal = chat.refused("action-start", start(chat, **changed))
        assert (refusal.code, refusal.pointer) == ("evidence-unproven", pointer)
    chat.do("action-start", start(chat, serves=[second]))


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"tool": ""}, "/tool"),
        ({"tool": "a\nb"}, "/tool"),
        ({"tool": None}, "/tool"),
        ({"contract": "ab"}, "/contract"),
        ({"serves": "out-3.5"}, "/serves"),
        ({"serves": [1]}, "/serves/0"),
        ({"serves": ["a", "a"]}, "/serves/1"),
        ({"depends": {}}, "/depends"),
        ({"retries": 7}, "/retries"),
        ({"what": ""}, "/what"),
        ({"action": "act-9"}, "/action"),
    ],
)
def test_l142_a_start_that_is_wrong_is_refused_at_its_field(changed, pointer):
    chat = settled()
    refusal = chat.refused("action-start", start(chat, **changed))
    assert (refusal.code, refusal.pointer) == ("invalid-document", pointer)


@pytest.mark.parametrize(
    ("type_", "changed", "pointer"),
    [
        ("action-started", {"action": "act-1"}, "/action"),
        ("action-started", {"serves": ["out-99.1"]}, "/serves/0"),
        ("action-started", {"contract": "ab" * 32}, "/contract"),
        ("action-started", {"depends": ["act-4"]}, "/depends/0"),
        ("action-started", {"depends": ["gap-1"]}, "/depends/0"),
        ("action-started", {"retries": "act-4"}, "/retries"),
        ("action-started", {"extra": 1}, "/extra"),
    ],
)
def test_l103_a_start_on_record_is_checked_again(type_, changed, pointer):
    chat = settled()
    assert started(chat) == "act-4"
    draft = fold.compose("action-start", chat.state, start(chat), chat.world)
    draft = fold.Draft(type_, {**draft.body, **changed}, "")
    with pytest.raises(Refusal) as caught:
        fold.fold(chat.state, fold.propose(chat.state, draft, chat.world))
    assert caught.value.pointer == pointer


def test_a_summary_is_one_plain_line():
    chat = settled()
    document = start(chat, what="push\x1b[31m\u202e it\nnow " + "x" * 100)
    draft = fold.compose("action-start", chat.state, document, chat.world)
    assert draft.summary.isprintable()
    assert draft.summary.startswith("start act-4: Edit push [31m  it now xxx")
    assert len(draft.summary) < 80
