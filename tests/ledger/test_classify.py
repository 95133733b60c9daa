"""Classification: which document changes the contract, and how."""

import copy

import pytest

from tests.support.chat import Chat, settled, sha

DISPOSITIONS = ("INITIAL", "ADD", "CLARIFY", "CORRECT", "REPLACE", "WITHDRAW")


@pytest.fixture
def chat() -> Chat:
    return settled()


def clarify(chat: Chat, source: str, clause: str, text: str, **more):
    return {"op": "clarify", "id": clause, **chat.worded(source, text), **more}


def correct(chat: Chat, source: str, clause: str, text: str, **more):
    return {"op": "correct", "corrects": clause, **chat.worded(source, text), **more}


def retire(clause: str):
    return {"op": "retire", "id": clause}


def carry(clause: str):
    return {"op": "carry", "id": clause}


def legal(chat: Chat, disposition: str, source: str):
    """A legal document of this disposition for a settled chat."""
    outcome = chat.ids("outcomes")[0] if chat.ids("outcomes") else ""
    transitions = {
        "INITIAL": [chat.add(source, "objective", "Go")],
        "ADD": [chat.add(source, "outcomes", "Documented")],
        "CLARIFY": [clarify(chat, source, outcome, "All its tests")],
        "CORRECT": [correct(chat, source, outcome, "Most of its tests")],
        "REPLACE": [chat.add(source, "objective", "Start again")],
        "WITHDRAW": [retire(outcome)],
    }[disposition]
    more = {"all": "retire"} if disposition in ("REPLACE", "WITHDRAW") else {}
    return chat.classification(source, (disposition, transitions), **more)


@pytest.mark.parametrize("disposition", DISPOSITIONS)
def test_l030_each_disposition_in_a_legal_state(disposition):
    chat = Chat() if disposition == "INITIAL" else settled()
    source = chat.say("whatever it says")
    event = chat.do("classify-source", legal(chat, disposition, source))
    assert event.type == "source-classified"
    assert event.body["parts"][0]["disposition"] == disposition
    assert source not in chat.state.sources
    assert chat.state.archive.get(source)["classified"] == event.id


@pytest.mark.parametrize(
    "wrong", ["add", "DELETE", ["ADD"], None, "", "ADD ", 1, True, {"ADD": 1}]
)
def test_l030_anything_else_is_no_disposition(chat, wrong):
    source = chat.say("and document it")
    document = legal(chat, "ADD", source)
    document["parts"][0]["disposition"] = wrong
    refusal = chat.refused("classify-source", document)
    assert (refusal.code, refusal.pointer) == (
        "invalid-document",
        "/parts/0/disposition",
    )


def test_l036_a_ledger_is_begun_once(chat):
    source = chat.say("start")
    refusal = chat.refused("classify-source", legal(chat, "INITIAL", source))
    assert (refusal.code, refusal.pointer) == ("not-allowed", "/parts/0/disposition")
    chat.classify(source, "WITHDRAW", all="retire")
    assert chat.state.status == "WITHDRAWN"
    again = chat.say("start again")
    refusal = chat.refused("classify-source", legal(chat, "INITIAL", again))
    assert refusal.pointer == "/parts/0/disposition"


@pytest.mark.parametrize("disposition", DISPOSITIONS[1:])
def test_l036_without_a_contract_only_initial_is_possible(disposition):
    chat = Chat()
    source = chat.say("go")
    transition = chat.add(source, "outcomes", "Gone")
    refusal = chat.refused(
        "classify-source", chat.classification(source, (disposition, [transition]))
    )
    assert refusal.pointer == "/parts/0/disposition"
    assert "INITIAL" in refusal.message


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"event": "ev-1"}, "event"),
        ({"event": "ev-999"}, "event"),
        ({"source": "src-" + "f" * 32}, "source"),
        ({"sha256": sha(b"another")}, "sha256"),
        ({"sha256": sha(b"another").upper()}, "sha256"),
        ({"span": [9, 4]}, "span"),
        ({"span": [4, 4]}, "span"),
        ({"span": [0, 10_000]}, "span"),
        ({"span": [-1, 4]}, "span/0"),
        ({"span": [0, 4.0]}, "span/1"),
        ({"span": [0, True]}, "span/1"),
        ({"span": [0]}, "span"),
        ({"span_sha256": sha(b"another")}, "span_sha256"),
    ],
)
def test_l037_a_binding_that_is_wrong_is_refused_at_its_place(chat, wrong, pointer):
    source = chat.say("and document it")
    document = legal(chat, "ADD", source)
    bindings = document["parts"][0]["transitions"][0]["bindings"]
    bindings.append({**chat.binding(source, 0, 3), **wrong})
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == f"/parts/0/transitions/0/bindings/1/{pointer}"


def test_l037_another_source_is_refused_even_if_it_is_right(chat):
    first = chat.state.contract["objective"]["bindings"][0]["source"]
    source = chat.say("and document it")
    document = legal(chat, "ADD", source)
    bindings = document["parts"][0]["transitions"][0]["bindings"]
    bindings.append(chat.binding(first))
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/0/bindings/1/source"


def test_l037_a_source_of_another_chat_is_unknown(chat):
    other = Chat()
    other.world.minted = 500
    foreign = other.say("and document it")
    source = chat.say("and document it")
    document = legal(chat, "ADD", source)
    transition = document["parts"][0]["transitions"][0]
    transition["bindings"] = [other.binding(foreign)]
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/0/bindings/0/source"
    document["source"] = foreign
    assert chat.refused("classify-source", document).code == "unknown-id"


def test_l037_the_bytes_are_read_before_they_are_believed(chat):
    source = chat.say("and document it")
    document = legal(chat, "ADD", source)
    digest = chat.binding(source)["sha256"]
    for bytes_there in (None, b"AND document it"):
        kept = chat.world.sources.pop(digest)
        if bytes_there:
            chat.world.sources[digest] = bytes_there
        refusal = chat.refused("classify-source", document)
        assert refusal.code == "source-unproven"
        assert refusal.ids == (source,)
        chat.world.sources[digest] = kept
    chat.do("classify-source", document)


def test_l037_a_span_does_not_cut_a_character(chat):
    source = chat.say("größer, 日本")
    document = legal(chat, "ADD", source)
    transition = document["parts"][0]["transitions"][0]
    for start, end in ((3, 5), (0, 3)):
        transition["bindings"] = [chat.binding(source, start, end)]
        refusal = chat.refused("classify-source", document)
        assert refusal.pointer == "/parts/0/transitions/0/bindings/0/span"
    transition["bindings"] = [chat.binding(source, 2, 4)]
    chat.do("classify-source", document)


def test_l037_half_a_surrogate_pair_is_not_cut_either(chat):
    data = b"a \xed\xa0\xbd b"  # WTF-8 of a lone high half
    source = chat.say(data)
    document = legal(chat, "ADD", source)
    transition = document["parts"][0]["transitions"][0]
    transition["bindings"] = [chat.binding(source, 0, 3)]
    assert chat.refused("classify-source", document).pointer.endswith("/span")
    transition["bindings"] = [chat.binding(source, 2, 5)]
    chat.do("classify-source", document)


def test_our_own_block_is_nothing_that_the_user_said(chat):
    source = chat.say("[block] do it", skip=[[0, 7]])
    document = legal(chat, "ADD", source)
    transition = document["parts"][0]["transitions"][0]
    transition["bindings"] = [chat.binding(source, 0, 6)]
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/0/bindings/0/span"
    transition["bindings"] = [chat.binding(source, 0, 9)]
    chat.do("classify-source", document)


def test_l038_a_clause_needs_a_binding_and_nothing_unknown(chat):
    words = "Never touch the public API"
    source = chat.say(words)
    document = legal(chat, "ADD", source)
    transition = document["parts"][0]["transitions"][0]
    transition["text"] = words
    for change, pointer in (
        ({"bindings": []}, "/bindings"),
        ({"colour": "red"}, "/colour"),
        ({"id": "out-9.1"}, "/id"),
        ({"bindings": [{}]}, "/bindings/0/event"),
        ({"bindings": None}, "/bindings"),
        ({"text": " \n"}, "/text"),
        ({"field": "wishes"}, "/field"),
    ):
        wrong = copy.deepcopy(document)
        wrong["parts"][0]["transitions"][0].update(change)
        refusal = chat.refused("classify-source", wrong)
        assert refusal.pointer == f"/parts/0/transitions/0{pointer}"
    del transition["bindings"]
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/0/bindings"


@pytest.mark.parametrize("reworded", ["Never  push", "Never push\u0301", "Never push "])
def test_l040_add_neither_rewords_nor_drops(chat, reworded):
    clause = chat.ids("prohibitions")[0]
    source = chat.say("never push")
    for transition in (
        clarify(chat, source, clause, reworded),
        correct(chat, source, clause, reworded),
        retire(clause),
        carry(clause),
    ):
        document = chat.classification(source, ("ADD", [transition]))
        refusal = chat.refused("classify-source", document)
        assert refusal.pointer == "/parts/0/transitions/0/op"
    reopened = {"op": "reopen", "id": clause, **chat.worded(source, reworded)}
    document = chat.classification(source, ("ADD", [reopened]))
    assert chat.refused("classify-source", document).code == "not-allowed"


def test_l040_add_rests_on_the_source_it_classifies(chat):
    older = chat.state.contract["objective"]["bindings"][0]["source"]
    source = chat.say("more")
    document = chat.classification(source, ("ADD", [chat.add(older, "outcomes", "x")]))
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/0/bindings/0/source"


def test_l041_clarify_keeps_the_id_and_remembers_the_words(chat):
    outcome = chat.ids("outcomes")[0]
    before = chat.state.contract["outcomes"][0]
    source = chat.say("all of its tests, I mean")
    transition = clarify(chat, source, outcome, "The parser passes all its tests")
    labelled = {**transition, "disposition": "CORRECT"}
    refusal = chat.refused(
        "classify-source", chat.classification(source, ("CLARIFY", [labelled]))
    )
    assert refusal.pointer == "/parts/0/transitions/0/disposition"
    refusal = chat.refused(
        "classify-source", chat.classification(source, ("CLARIFY", []))
    )
    assert refusal.pointer == "/parts/0/transitions"
    older = {**transition, "bindings": before["bindings"]}
    refusal = chat.refused(
        "classify-source", chat.classification(source, ("CLARIFY", [older]))
    )
    assert refusal.pointer == "/parts/0/transitions/0/bindings"
    event = chat.classify(source, "CLARIFY", transition)
    after = chat.state.contract["outcomes"][0]
    assert after["id"] == outcome
    assert after["text"] == "The parser passes all its tests"
    assert event.body["parts"][0]["transitions"][0]["was"] == {
        "text": before["text"],
        "bindings": before["bindings"],
    }


def test_l041_clarify_may_go_on_resting_on_what_it_rested_on(chat):
    outcome = chat.ids("outcomes")[0]
    before = chat.state.contract["outcomes"][0]["bindings"]
    source = chat.say("all of them")
    transition = clarify(chat, source, outcome, "All tests of the parser pass")
    transition["bindings"] += before
    chat.classify(source, "CLARIFY", transition)
    assert chat.state.contract["outcomes"][0]["bindings"][1:] == before


def test_l042_a_corrected_outcome_starts_anew(chat):
    outcome, other = chat.ids("outcomes")
    chat.do(
        "progress",
        {
            "contract": chat.state.contract_hash,
            "outcomes": {outcome: {"state": "DONE", "evidence": [{"text": "ran"}]}},
        },
    )
    source = chat.say("no, in Go")
    event = chat.classify(source, "CORRECT", correct(chat, source, outcome, "In Go"))
    new = f"out-{event.seq}.1"
    assert chat.ids("outcomes") == [new, other]
    assert chat.state.outcomes[new] == {"state": "OPEN", "evidence": [], "blockers": []}
    assert outcome not in chat.state.outcomes
    gone = chat.state.archive.get(outcome)
    assert (gone["state"], gone["heirs"]) == ("CORRECTED", [new])
    assert gone["outcome"]["state"] == "DONE"


def test_l042_a_corrected_id_never_returns(chat):
    outcome, other = chat.ids("outcomes")
    text = chat.state.contract["outcomes"][0]["text"]
    source = chat.say("no, in Go")
    kept = {**correct(chat, source, outcome, "In Go"), "id": outcome}
    refusal = chat.refused(
        "classify-source", chat.classification(source, ("CORRECT", [kept]))
    )
    assert refusal.pointer == "/parts/0/transitions/0/id"
    twice = [correct(chat, source, outcome, text) for text in ("In Go", "In C")]
    refusal = chat.refused(
        "classify-source", chat.classification(source, ("CORRECT", twice))
    )
    assert refusal.pointer == "/parts/0/transitions/1/corrects"
    refusal = chat.refused(
        "classify-source",
        chat.classification(source, ("CORRECT", twice[:1]), ("CORRECT", twice[1:])),
    )
    assert refusal.pointer == "/parts/1/transitions/0/corrects"
    chat.classify(source, "CORRECT", twice[0])
    later = chat.say("back to what it was")
    for transition in (
        {"op": "reopen", "id": outcome, **chat.worded(later, text)},
        {"op": "reopen", "reopens": outcome, **chat.worded(later, "C")},
        correct(chat, later, outcome, "In C"),
        retire(outcome),
    ):
        document = chat.classification(later, ("CORRECT", [transition]))
        refusal = chat.refused("classify-source", document)
        assert refusal.code == "unknown-id"
        assert "corrected by ev-" in refusal.message
    assert other in chat.ids("outcomes")


def test_l042_one_meaning_can_be_corrected_into_two(chat):
    outcome = chat.ids("outcomes")[0]
    source = chat.say("no: first the lexer, then the parser, and keep it small")
    half = chat.add(source, "constraints", "Keep it small")
    document = chat.classification(source, ("CORRECT", [half]))
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/0/corrects"
    document = chat.classification(source, ("CORRECT", [{**half, "corrects": outcome}]))
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/0/corrects"
    event = chat.classify(
        source,
        "CORRECT",
        {**half, "corrects": outcome},
        correct(chat, source, outcome, "The lexer, then the parser"),
    )
    heirs = [f"out-{event.seq}.2", f"con-{event.seq}.1"]
    assert chat.state.archive.get(outcome)["heirs"] == heirs


def test_l042_what_is_reopened_is_not_corrected_by_an_add(chat):
    outcome = chat.ids("outcomes")[1]
    text = chat.contract()["outcomes"][1]["text"]
    chat.classify(chat.say("leave it"), "CORRECT", retire(outcome))
    source = chat.say("and back, and more")
    reopen = {"op": "reopen", "id": outcome, **chat.worded(source, text)}
    add = chat.add(source, "outcomes", "more", corrects=outcome)
    document = chat.classification(source, ("CORRECT", [reopen, add]))
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/0/transitions/1/corrects"


def test_l042_a_clause_is_changed_once_in_a_document(chat):
    outcome = chat.ids("outcomes")[0]
    source = chat.say("this, no, that")
    document = chat.classification(
        source,
        ("CLARIFY", [clarify(chat, source, outcome, "this")]),
        ("CORRECT", [correct(chat, source, outcome, "that")]),
    )
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/1/transitions/0/corrects"
    assert "twice" in refusal.message


def test_l042_an_add_elsewhere_corrects_nothing(chat):
    source = chat.say("more")
    for disposition in ("ADD", "REPLACE"):
        transition = chat.add(source, "outcomes", "x", corrects=chat.ids("outcomes")[0])
        document = chat.classification(source, (disposition, [transition]))
        refusal = chat.refused("classify-source", document)
        assert refusal.pointer == "/parts/0/transitions/0/corrects"


def test_l043_replace_names_every_clause(chat):
    everything = [clause for field in chat.contract() for clause in chat.ids(field)]
    carried, retired = everything[::2], everything[1::2]
    contract, outcomes = chat.contract(), chat.state.outcomes
    source = chat.say("all new")
    transitions = [carry(clause) for clause in carried]
    transitions += [retire(clause) for clause in retired]
    for place, transition in enumerate(transitions):
        rest = transitions[:place] + transitions[place + 1 :]
        document = chat.classification(source, ("REPLACE", rest))
        refusal = chat.refused("classify-source", document)
        assert refusal.ids == (transition["id"],)
        assert refusal.pointer == "/parts/0/transitions"
    chat.classify(source, "REPLACE", *transitions)
    after = {
        clause["id"]: clause
        for field in ("policies", "constraints", "prohibitions", "outcomes")
        for clause in chat.contract()[field]
    }
    if chat.contract()["objective"]:
        after[chat.contract()["objective"]["id"]] = chat.contract()["objective"]
    assert set(after) == set(carried)
    for field, held in contract.items():
        for clause in [held] if field == "objective" else held:
            if clause["id"] in carried:
                assert after[clause["id"]] == clause
    assert chat.state.outcomes == {
        name: outcomes[name] for name in outcomes if name in carried
    }


def test_l043_replace_puts_another_objective_in_the_old_ones_place(chat):
    source = chat.say("all new")
    new = chat.add(source, "objective", "Something else")
    document = chat.classification(source, ("REPLACE", [new]))
    kept = [carry(clause) for field in chat.contract() for clause in chat.ids(field)]
    two = chat.classification(source, ("REPLACE", [*kept, new]))
    assert "two objectives" in chat.refused("classify-source", two).message
    document["parts"][0]["all"] = "retire"
    event = chat.do("classify-source", document)
    ops = [transition["op"] for transition in event.body["parts"][0]["transitions"]]
    assert ops == ["add", *["retire"] * 6]
    assert chat.ids("objective") == [f"obj-{event.seq}.1"]
    assert not chat.state.outcomes


def test_l043_all_stands_for_retire_in_replace_and_withdraw_only(chat):
    source = chat.say("more")
    for disposition in ("ADD", "CLARIFY", "CORRECT"):
        document = legal(chat, disposition, source)
        document["parts"][0]["all"] = "retire"
        assert chat.refused("classify-source", document).pointer == "/parts/0/all"
    document = legal(chat, "REPLACE", source)
    document["parts"][0]["all"] = "carry"
    assert chat.refused("classify-source", document).pointer == "/parts/0/all"


def test_l044_withdraw_in_part(chat):
    everything = [clause for field in chat.contract() for clause in chat.ids(field)]
    outcome = chat.ids("outcomes")[1]
    source = chat.say("leave the old parser")
    kept = [carry(clause) for clause in everything if clause != outcome]
    document = chat.classification(source, ("WITHDRAW", [retire(outcome)]))
    refusal = chat.refused("classify-source", document)
    assert set(refusal.ids) == set(everything) - {outcome}
    nothing = chat.classification(source, ("WITHDRAW", [*kept, carry(outcome)]))
    assert chat.refused("classify-source", nothing).pointer == "/parts/0/transitions"
    chat.classify(source, "WITHDRAW", retire(outcome), *kept)
    assert chat.state.status == "LIVE"
    assert chat.ids("outcomes") == chat.ids("outcomes")[:1] != [outcome]


def test_l044_withdraw_in_full(chat):
    source = chat.say("drop it all")
    chat.classify(source, "WITHDRAW", all="retire")
    assert chat.state.status == "WITHDRAWN"
    assert chat.contract() == {
        "objective": None,
        "policies": [],
        "constraints": [],
        "prohibitions": [],
        "outcomes": [],
    }
    again = chat.say("something else")
    for disposition in ("INITIAL", "ADD", "CORRECT", "WITHDRAW"):
        transition = chat.add(again, "outcomes", "x")
        document = chat.classification(again, (disposition, [transition]))
        refusal = chat.refused("classify-source", document)
        assert refusal.pointer == "/parts/0/disposition"
        assert disposition == "INITIAL" or "the next is REPLACE" in refusal.message
    chat.classify(again, "REPLACE", chat.add(again, "objective", "Something else"))
    assert chat.state.status == "LIVE"


def test_l044_withdraw_changes_nothing_and_adds_nothing(chat):
    outcome = chat.ids("outcomes")[0]
    source = chat.say("drop it")
    for transition in (
        chat.add(source, "outcomes", "x"),
        clarify(chat, source, outcome, "x"),
        correct(chat, source, outcome, "x"),
        {"op": "reopen", "id": outcome, **chat.worded(source, "x")},
    ):
        document = chat.classification(source, ("WITHDRAW", [transition]), all="retire")
        refusal = chat.refused("classify-source", document)
        assert refusal.pointer == "/parts/0/transitions/0/op"


def test_only_withdraw_leaves_nothing(chat):
    everything = [clause for field in chat.contract() for clause in chat.ids(field)]
    source = chat.say("nothing of it")
    for disposition in ("CORRECT", "REPLACE"):
        document = chat.classification(
            source, (disposition, [retire(clause) for clause in everything])
        )
        refusal = chat.refused("classify-source", document)
        assert "WITHDRAW" in refusal.message


def test_l049_retire_and_reopen_by_source(chat):
    outcome = chat.ids("outcomes")[1]
    text = chat.contract()["outcomes"][1]["text"]
    source = chat.say("leave the old parser")
    chat.classify(source, "CORRECT", retire(outcome))
    gone = chat.state.archive.get(outcome)
    assert gone["state"] == "RETIRED"
    later = chat.say("remove it after all")
    reopen = {"op": "reopen", "id": outcome, **chat.worded(later, text)}
    for wrong, pointer in (
        ({**reopen, "bindings": []}, "bindings"),
        ({**reopen, "bindings": [chat.binding(source)]}, "bindings/0/source"),
        ({**reopen, "text": text + "!"}, "text"),
        ({**reopen, "reopens": outcome}, "id"),
        ({name: reopen[name] for name in ("op", "text", "bindings")}, "id"),
    ):
        document = chat.classification(later, ("ADD", [wrong]))
        refusal = chat.refused("classify-source", document)
        assert refusal.pointer == f"/parts/0/transitions/0/{pointer}"
    event = chat.classify(later, "ADD", reopen)
    assert chat.ids("outcomes")[-1] == outcome
    assert chat.state.outcomes[outcome]["state"] == "OPEN"
    assert chat.state.archive.get(outcome)["event"] == event.id
    # and out of force again, by a later source
    last = chat.say("no, leave it")
    chat.classify(last, "CORRECT", retire(outcome))
    assert chat.state.archive.get(outcome)["state"] == "RETIRED"


def test_l049_a_reopened_clause_in_other_words_is_a_new_one(chat):
    outcome = chat.ids("outcomes")[1]
    text = chat.contract()["outcomes"][1]["text"]
    source = chat.say("leave the old parser")
    chat.classify(source, "CORRECT", retire(outcome))
    later = chat.say("remove most of it after all")
    reworded = {"op": "reopen", "reopens": outcome, **chat.worded(later, text)}
    refusal = chat.refused(
        "classify-source", chat.classification(later, ("ADD", [reworded]))
    )
    assert refusal.pointer == "/parts/0/transitions/0/text"
    event = chat.classify(later, "ADD", {**reworded, "text": "Most of it is removed"})
    new = f"out-{event.seq}.1"
    assert chat.ids("outcomes")[-1] == new
    transition = event.body["parts"][0]["transitions"][0]
    assert (transition["id"], transition["reopens"]) == (new, outcome)
    last = chat.say("all of it")
    again = {"op": "reopen", "id": outcome, **chat.worded(last, text)}
    refusal = chat.refused(
        "classify-source", chat.classification(last, ("ADD", [again]))
    )
    assert refusal.code == "unknown-id"


def test_l049_reopening_what_was_done_asks_for_evidence_anew(chat):
    outcome = chat.ids("outcomes")[0]
    text = chat.contract()["outcomes"][0]["text"]
    done = {"state": "DONE", "evidence": [{"text": "ran"}]}
    chat.do(
        "progress",
        {"contract": chat.state.contract_hash, "outcomes": {outcome: done}},
    )
    source = chat.say("it does not")
    reopen = {"op": "reopen", "id": outcome, **chat.worded(source, text)}
    chat.classify(source, "ADD", reopen)
    assert chat.state.outcomes[outcome] == {
        "state": "OPEN",
        "evidence": [],
        "blockers": [],
    }
    refusal = chat.refused(
        "progress",
        {
            "contract": chat.state.contract_hash,
            "outcomes": {outcome: {"state": "DONE"}},
        },
    )
    assert refusal.pointer == f"/outcomes/{outcome}/state"


def test_l049_what_is_in_force_is_not_reopened(chat):
    source = chat.say("again")
    for clause, text in (
        (chat.ids("outcomes")[0], chat.contract()["outcomes"][0]["text"]),
        (chat.ids("policies")[0], chat.contract()["policies"][0]["text"]),
    ):
        for key in ("id", "reopens"):
            reopen = {"op": "reopen", key: clause, **chat.worded(source, text)}
            document = chat.classification(source, ("ADD", [reopen]))
            refusal = chat.refused("classify-source", document)
            assert refusal.pointer == f"/parts/0/transitions/0/{key}"
            assert refusal.code == "not-allowed"


def test_l050_a_mixed_prompt_is_one_event(chat):
    outcome = chat.ids("outcomes")[0]
    source = chat.say("Document it. And only most tests.")
    document = chat.classification(
        source,
        ("ADD", [chat.add(source, "outcomes", "Documented")]),
        ("CORRECT", [correct(chat, source, outcome, "Most tests pass")]),
    )
    broken = copy.deepcopy(document)
    broken["parts"][1]["transitions"][0]["bindings"][0]["span_sha256"] = sha(b"")
    refusal = chat.refused("classify-source", broken)
    assert refusal.pointer == "/parts/1/transitions/0/bindings/0/span_sha256"
    lines = len(chat.lines)
    event = chat.do("classify-source", document)
    assert len(chat.lines) == lines + 1
    assert [part["disposition"] for part in event.body["parts"]] == ["ADD", "CORRECT"]
    assert chat.ids("outcomes") == [
        f"out-{event.seq}.2",
        "out-3.6",
        f"out-{event.seq}.1",
    ]


def test_l050_spans_of_parts_may_overlap_but_not_leave_the_source(chat):
    outcome = chat.ids("outcomes")[0]
    source = chat.say("0123456789")
    document = chat.classification(
        source,
        ("ADD", [chat.add(source, "outcomes", "x")]),
        ("CORRECT", [correct(chat, source, outcome, "y")]),
    )
    first, second = document["parts"]
    first["span"], second["span"] = [0, 6], [4, 11]
    first["transitions"][0]["bindings"] = [chat.binding(source, 0, 6)]
    second["transitions"][0]["bindings"] = [chat.binding(source, 4, 10)]
    assert chat.refused("classify-source", document).pointer == "/parts/1/span"
    second["span"] = [4, 10]
    second["transitions"][0]["bindings"] = [chat.binding(source, 0, 10)]
    refusal = chat.refused("classify-source", document)
    assert refusal.pointer == "/parts/1/transitions/0/bindings/0/span"
    second["transitions"][0]["bindings"] = [chat.binding(source, 5, 9)]
    chat.do("classify-source", document)


def test_l050_parts_apply_in_order():
    chat = Chat()
    source = chat.say("Do it. Forget it. Do something else.")
    chat.do(
        "classify-source",
        {
            **chat.classification(
                source,
                ("INITIAL", [chat.add(source, "objective", "It")]),
                ("WITHDRAW", [retire("obj-3.1")]),
                ("REPLACE", [chat.add(source, "objective", "Something else")]),
                ("ADD", [chat.add(source, "outcomes", "Done")]),
            )
        },
    )
    assert chat.contract()["objective"]["text"] == "Something else"
    assert chat.contract()["objective"]["id"] == "obj-3.2"
    assert chat.ids("outcomes") == ["out-3.3"]


def test_l082_nothing_of_a_document_with_a_wrong_end_is_applied(chat):
    outcome = chat.ids("outcomes")[0]
    source = chat.say("a lot")
    adds = [chat.add(source, "outcomes", f"thing {number}") for number in range(5)]
    document = chat.classification(
        source, ("ADD", adds), ("CORRECT", [correct(chat, source, outcome, "other")])
    )
    for place in ((0, 4), (1, 0)):
        wrong = copy.deepcopy(document)
        part, number = place
        wrong["parts"][part]["transitions"][number]["text"] = (
            "key AKIAIOSFODNN7EXAMPL" + "Q"
        )
        refusal = chat.refused("classify-source", wrong)
        assert refusal.code == "secret-found"
        assert refusal.pointer == f"/parts/{part}/transitions/{number}/text"


def test_a_clause_with_a_secret_is_refused_without_repeating_it(chat):
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"
    source = chat.say("use it")
    document = chat.classification(
        source, ("ADD", [chat.add(source, "policies", f"Push with {token}")])
    )
    refusal = chat.refused("classify-source", document)
    assert refusal.code == "secret-found"
    assert token not in str(refusal.as_json())


def test_l022_a_classification_planned_against_another_contract(chat):
    source = chat.say("more")
    document = legal(chat, "ADD", source)
    document["base_contract"] = sha(b"another")
    refusal = chat.refused("classify-source", document)
    assert (refusal.code, refusal.pointer) == ("stale-contract", "/base_contract")
    assert chat.state.contract_hash in refusal.message


def test_l023_sources_are_classified_in_the_journals_order(chat):
    first, second = chat.say("one"), chat.say("two")
    refusal = chat.refused("classify-source", legal(chat, "ADD", second))
    assert refusal.code == "unclassified-source"
    assert refusal.ids == (first,)
    chat.do(
        "dispose-source",
        {"source": first, "reason": "IRRELEVANT", "note": "small talk"},
    )
    chat.do("classify-source", legal(chat, "ADD", second))


def test_a_late_source_is_classified_with_the_later_ones_considered(chat):
    gap = chat.lose("first of all, in Go")
    second, third = chat.say("two"), chat.say("three")
    for source in (second, third):
        chat.do("classify-source", legal(chat, "ADD", source))
    event = chat.do("recover-source", {"gap": gap, "text": "first of all, in Go"})
    late = event.body["source"]
    assert chat.state.sources[late]["late"]
    document = legal(chat, "ADD", late)
    for considered in (None, [], [third], [second, third, late], [second, second]):
        wrong = {**document, "considered": considered}
        if considered is None:
            del wrong["considered"]
        refusal = chat.refused("classify-source", wrong)
        assert refusal.pointer.startswith("/considered")
    assert refusal.code == "invalid-document"
    event = chat.do("classify-source", {**document, "considered": [third, second]})
    assert event.body["considered"] == [second, third]


def test_considered_is_for_late_sources_only(chat):
    first = chat.contract()["objective"]["bindings"][0]["source"]
    source = chat.say("more")
    document = {**legal(chat, "ADD", source), "considered": [first]}
    assert chat.refused("classify-source", document).pointer == "/considered"
    chat.do("classify-source", {**document, "considered": []})


def test_a_wrong_classification_is_answered_by_another(chat):
    source = chat.say("not in Rust")
    first = chat.do("classify-source", legal(chat, "ADD", source))
    clause = chat.ids("outcomes")[-1]
    document = chat.classification(source, ("CORRECT", [retire(clause)]))
    refusal = chat.refused("classify-source", document)
    assert (refusal.code, refusal.pointer) == ("already-settled", "/reclassifies")
    document["reclassifies"] = first.id
    assert chat.refused("classify-source", document).pointer == "/note"
    document["note"] = "it was a correction"
    wrong = {**document, "reclassifies": "ev-3"}
    assert chat.refused("classify-source", wrong).pointer == "/reclassifies"
    wrong = {**document, "reopens": first.id}
    assert chat.refused("classify-source", wrong).pointer == "/reopens"
    second = chat.do("classify-source", document)
    assert chat.state.archive.get(source)["classified"] == second.id
    assert clause not in chat.ids("outcomes")
    document["base_contract"] = chat.state.contract_hash
    assert chat.refused("classify-source", document).pointer == "/reclassifies"


def test_a_classified_source_is_answered_in_the_light_of_later_ones(chat):
    first, second = chat.say("one"), chat.say("two")
    events = [
        chat.do("classify-source", legal(chat, "ADD", s)) for s in (first, second)
    ]
    document = legal(chat, "ADD", first)
    document |= {"reclassifies": events[0].id, "note": "there was more in it"}
    assert chat.refused("classify-source", document).ids == (second,)
    chat.do("classify-source", {**document, "considered": [second]})


def test_l034_a_wrong_disposal_is_answered_by_a_classification(chat):
    source = chat.say("more")
    disposal = chat.do(
        "dispose-source", {"source": source, "reason": "INTERNAL", "note": "by a hook"}
    )
    document = legal(chat, "ADD", source)
    refusal = chat.refused("classify-source", document)
    assert (refusal.code, refusal.pointer) == ("already-settled", "/reopens")
    document["reopens"] = disposal.id
    assert chat.refused("classify-source", document).pointer == "/note"
    event = chat.do("classify-source", {**document, "note": "it was the user"})
    assert event.body["reopens"] == disposal.id
    assert chat.state.archive.get(source)["state"] == "CLASSIFIED"


def test_a_review_is_for_settled_sources_only(chat):
    source = chat.say("more")
    for name in ("reclassifies", "reopens"):
        document = {**legal(chat, "ADD", source), name: "ev-2", "note": "why"}
        assert chat.refused("classify-source", document).pointer == f"/{name}"


def test_a_unique_beginning_of_a_sources_id_will_do(chat):
    chat.world.minted = 0x77 << 120
    source = chat.say("more")
    document = legal(chat, "ADD", source)
    document["source"] = source[:8]
    assert chat.do("classify-source", document).body["source"] == source


def test_the_event_reads_like_a_log_line(chat):
    from git_intent.ledger import fold

    source = chat.say("more")
    outcome = chat.ids("outcomes")[0]
    document = chat.classification(
        source,
        (
            "ADD",
            [
                chat.add(source, "outcomes", "x"),
                chat.add(source, "outcomes", "y"),
                chat.add(source, "prohibitions", "z"),
            ],
        ),
        ("CORRECT", [correct(chat, source, outcome, "w")]),
    )
    draft = fold.compose("classify-source", chat.state, document, chat.world)
    assert draft.summary == (
        f"classify ADD+CORRECT {source}: 2 outcomes, 1 prohibition, 1 corrected"
    )
