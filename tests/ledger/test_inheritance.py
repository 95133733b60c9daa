"""What a classification does not name stays as it was, and what it must not touch."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.files import canonical_json
from tests.support.chat import Chat, settled

FIELDS = ("objective", "policies", "constraints", "prohibitions", "outcomes")


def with_effects(chat: Chat) -> Chat:
    """A chat with an action under way and one whose effect is unknown."""
    contract = chat.state.contract_hash
    for tool in ("Edit", "Deploy"):
        chat.do("action-start", {"tool": tool, "contract": contract})
    unknown = list(chat.state.actions)[1]
    chat.do(
        "action-finish",
        {"action": unknown, "result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"},
    )
    return chat


def change(chat: Chat, source: str, disposition: str, field: str):
    """A transition of this disposition that touches this field only."""
    clause = chat.ids(field)[0]
    words = chat.worded(source, f"other {field}")
    if disposition == "ADD":
        return {"op": "add", "field": field, **words}
    if disposition == "CLARIFY":
        return {"op": "clarify", "id": clause, **words}
    return {"op": "correct", "corrects": clause, **words}


@pytest.mark.parametrize("disposition", ["ADD", "CLARIFY", "CORRECT"])
@settings(deadline=None, max_examples=31)
@given(touched=st.sets(st.sampled_from(FIELDS), min_size=1))
def test_l039_fields_that_are_not_named_stay_byte_for_byte(disposition, touched):
    if disposition == "ADD":
        touched = touched - {"objective"} or {"outcomes"}
    chat = settled()
    before = copy.deepcopy(chat.contract())
    outcomes = copy.deepcopy(chat.state.outcomes)
    source = chat.say("a change")
    chat.classify(
        source,
        disposition,
        *(change(chat, source, disposition, field) for field in sorted(touched)),
    )
    for field in FIELDS:
        same = canonical_json(chat.contract()[field]) == canonical_json(before[field])
        assert same is (field not in touched)
    kept = {
        name: held for name, held in outcomes.items() if name in chat.state.outcomes
    }
    assert canonical_json(kept) == canonical_json(
        {name: chat.state.outcomes[name] for name in kept}
    )


def test_l039_an_empty_list_is_not_the_same_as_nothing():
    chat = settled()
    source = chat.say("a change")
    for disposition in ("ADD", "CLARIFY", "CORRECT"):
        document = chat.classification(source, (disposition, []))
        refusal = chat.refused("classify-source", document)
        assert refusal.pointer == "/parts/0/transitions"
        for field in FIELDS:
            document = chat.classification(
                source, (disposition, [change(chat, source, disposition, "outcomes")])
            )
            document["parts"][0][field] = []
            assert chat.refused("classify-source", document).pointer == (
                f"/parts/0/{field}"
            )


def test_l024_add_leaves_outcomes_constraints_and_effects():
    chat = settled()
    source = chat.say("two more")
    chat.classify(
        source, "ADD", *(chat.add(source, "outcomes", text) for text in ("a", "b"))
    )
    with_effects(chat)
    before = copy.deepcopy(chat.view())
    source = chat.say("one more")
    event = chat.classify(source, "ADD", chat.add(source, "outcomes", "c"))
    after = copy.deepcopy(chat.view())
    added = after["contract"]["outcomes"].pop()
    assert added["id"] == f"out-{event.seq}.1"
    assert after["outcomes"].pop(added["id"])["state"] == "OPEN"
    for name in ("contract", "outcomes", "pending_actions", "unknown_effects", "gaps"):
        assert canonical_json(after[name]) == canonical_json(before[name])


@pytest.mark.parametrize("disposition", ["CLARIFY", "CORRECT", "REPLACE", "WITHDRAW"])
def test_l024_effects_survive_every_other_disposition(disposition):
    chat = with_effects(settled())
    before = [chat.view()[name] for name in ("pending_actions", "unknown_effects")]
    assert all(before)
    source = chat.say("a change")
    if disposition == "REPLACE":
        new = chat.add(source, "objective", "other")
        chat.classify(source, "REPLACE", new, all="retire")
    elif disposition == "WITHDRAW":
        chat.classify(source, "WITHDRAW", all="retire")
    else:
        chat.classify(
            source, disposition, change(chat, source, disposition, "outcomes")
        )
    after = [chat.view()[name] for name in ("pending_actions", "unknown_effects")]
    assert canonical_json(after) == canonical_json(before)


def plan(chat: Chat) -> None:
    chat.do(
        "progress",
        {"contract": chat.state.contract_hash, "next_work": ["this", "then that"]},
    )


@pytest.mark.parametrize("disposition", ["ADD", "CLARIFY", "CORRECT", "REPLACE"])
def test_l048_a_transition_ends_the_advice_and_says_which(disposition):
    chat = settled()
    plan(chat)
    planned = chat.state.next_work
    assert planned == {
        "contract": chat.state.contract_hash,
        "items": ["this", "then that"],
    }
    source = chat.say("a change")
    assert chat.state.next_work == planned
    if disposition == "REPLACE":
        carried = [
            {"op": "carry", "id": clause}
            for field in FIELDS
            for clause in chat.ids(field)
        ]
        contract = chat.state.contract_hash
        event = chat.classify(source, "REPLACE", *carried)
        assert chat.state.contract_hash == contract  # and it ends all the same
    else:
        event = chat.classify(
            source, disposition, change(chat, source, disposition, "outcomes")
        )
    assert chat.state.next_work is None
    assert event.body["disposes"] == planned


def test_l048_a_disposal_leaves_the_advice():
    chat = settled()
    plan(chat)
    planned = chat.state.next_work
    source = chat.say("hm")
    chat.do(
        "dispose-source", {"source": source, "reason": "IRRELEVANT", "note": "a sigh"}
    )
    assert chat.state.next_work == planned


def test_l048_an_event_that_names_other_advice_is_no_event():
    from git_intent.ledger import fold
    from git_intent.ledger.refusal import Refusal

    chat = settled()
    plan(chat)
    source = chat.say("a change")
    document = chat.classification(
        source, ("ADD", [chat.add(source, "outcomes", "more")])
    )
    draft = fold.compose("classify-source", chat.state, document, chat.world)
    assert isinstance(draft, fold.Draft)
    for name, wrong in (
        ("disposes", None),
        ("contract", "0" * 64),
        ("base_contract", "0" * 64),
    ):
        forged = fold.Draft(draft.type, {**draft.body, name: wrong}, draft.summary)
        event = fold.propose(chat.state, forged, chat.world)
        before = chat.everything()
        with pytest.raises(Refusal) as caught:
            fold.fold(chat.state, event)
        assert caught.value.pointer == f"/{name}"
        assert chat.everything() == before


def test_l051_the_hash_is_that_of_the_contract_in_every_event():
    import hashlib
    import json

    from git_intent.ledger import fold
    from tests.support.chat import fresh

    chat = settled()
    source = chat.say("größer, 日本")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "größer, 日本 🐙"))
    plan(chat)
    source = chat.say("less")
    chat.classify(source, "CORRECT", change(chat, source, "CORRECT", "outcomes"))

    def hash_of(contract):
        shuffled = list(contract)
        random.Random(7).shuffle(shuffled)
        contract = {field: contract[field] for field in shuffled}
        text = json.dumps(contract, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    state = fresh()
    seen = 0
    for line in chat.lines:
        before = hash_of(state.contract)
        event = fold.replay(state, line)
        if event.type == "source-classified":
            assert event.body["base_contract"] == before
            assert event.body["contract"] == hash_of(state.contract)
            seen += 1
        elif event.type == "progress":
            assert event.body["contract"] == before
    assert seen == 3
    assert chat.view()["contract_hash"] == hash_of(chat.view()["contract"])
