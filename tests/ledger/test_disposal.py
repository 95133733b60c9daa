"""Captures that change nothing, and the review that says so."""

import pytest

from tests.support.chat import Chat, settled

NOTE = {
    "note": "a stop hook continued by itself",
    "links": ["https://x.test/1", "ev-2"],
}


@pytest.mark.parametrize("reason", ["INTERNAL", "CHILD", "IRRELEVANT", "NON_USER"])
def test_l031_l032_a_disposed_source_changes_nothing_and_stays_readable(reason):
    chat = settled()
    source = chat.say("Stop hook feedback: continue")
    contract, outcomes = chat.state.contract_hash, chat.state.outcomes
    event = chat.do("dispose-source", {"source": source, "reason": reason, **NOTE})
    assert event.body["links"] == NOTE["links"]
    assert chat.state.contract_hash == contract
    assert chat.state.outcomes == outcomes
    assert chat.view()["pending_sources"] == []
    assert chat.bytes_of(source) == b"Stop hook feedback: continue"
    assert chat.state.archive.get(source)["disposed"] == event.id


def test_l032_a_duplicate_names_the_classified_source_it_repeats():
    chat = Chat()
    first = chat.say("Port it")
    chat.classify(first, "INITIAL", chat.add(first, "outcomes", "Port it"))
    source = chat.say("Port it, please")
    document = {"source": source, "reason": "DUPLICATE", "of": first, **NOTE}
    event = chat.do("dispose-source", document)
    assert event.body["of"] == first


def test_l032_what_a_duplicate_may_not_name():
    chat = settled()
    first, second = chat.say("one"), chat.say("two")
    base = {"source": second, "reason": "DUPLICATE", **NOTE}
    missing = "src-" + "0" * 32
    for of, code in (
        (None, "invalid-document"),
        (second, "invalid-document"),
        (first, "not-allowed"),
        (missing, "unknown-id"),
        ("out-3.1", "unknown-id"),
    ):
        refusal = chat.refused("dispose-source", {**base, "of": of})
        assert (refusal.code, refusal.pointer) == (code, "/of"), of
    assert chat.refused("dispose-source", base).pointer == "/of"
    # no cycle: what was disposed itself says nothing
    chat.do("dispose-source", {**base, "reason": "CHILD"})
    cycle = {**base, "source": first, "of": second}
    assert chat.refused("dispose-source", cycle).code == "not-allowed"


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"note": None}, "/note"),
        ({"note": ""}, "/note"),
        ({"note": "x" * 4001}, "/note"),
        ({"reason": "BORING"}, "/reason"),
        ({"reason": "internal"}, "/reason"),
        ({"reason": ["CHILD"]}, "/reason"),
        ({"links": "x"}, "/links"),
        ({"links": ["x", "x"]}, "/links/1"),
        ({"of": "src-" + "0" * 32}, "/of"),
        ({"source": 7}, "/source"),
        ({"policies": []}, "/policies"),
    ],
)
def test_l032_a_disposal_that_is_wrong_is_refused_at_its_field(changed, pointer):
    chat = settled()
    source = chat.say("x")
    document = {"source": source, "reason": "CHILD", "note": "a child", **changed}
    assert chat.refused("dispose-source", document).pointer == pointer


def test_l032_without_a_review_note_it_is_refused():
    chat = settled()
    source = chat.say("x")
    refusal = chat.refused("dispose-source", {"source": source, "reason": "CHILD"})
    assert (refusal.pointer, refusal.message) == ("/note", "missing")


def test_l032_what_is_settled_is_not_disposed():
    chat = Chat()
    classified = chat.say("Port it")
    chat.classify(classified, "INITIAL", chat.add(classified, "outcomes", "Port it"))
    disposed = chat.say("x")
    chat.do("dispose-source", {"source": disposed, "reason": "CHILD", "note": "n"})
    for source, hint in ((classified, "reclassifies"), (disposed, "reopens")):
        refusal = chat.refused(
            "dispose-source", {"source": source, "reason": "CHILD", "note": "n"}
        )
        assert refusal.code == "already-settled"
        assert hint in refusal.hint


def test_l023_sources_are_disposed_in_any_order():
    chat = settled()
    first, second, third = (chat.say(text) for text in "abc")
    for source in (second, third, first):
        chat.do("dispose-source", {"source": source, "reason": "CHILD", "note": "n"})
    assert chat.state.sources == {}


def test_l048_a_disposal_leaves_the_next_work_as_it_was():
    chat = settled()
    chat.do(
        "progress",
        {"contract": chat.state.contract_hash, "next_work": ["write the lexer"]},
    )
    planned = chat.state.next_work
    source = chat.say("x")
    assert chat.state.next_work == planned
    chat.do("dispose-source", {"source": source, "reason": "CHILD", "note": "n"})
    assert chat.state.next_work == planned
    assert planned["items"] == ["write the lexer"]


def test_l034_a_wrong_disposal_is_answered_by_a_classification():
    chat = settled()
    source = chat.say("Also document it")
    event = chat.do(
        "dispose-source", {"source": source, "reason": "CHILD", "note": "n"}
    )
    added = chat.add(source, "outcomes", "It is documented")
    plain = chat.classification(source, ("ADD", [added]))
    refusal = chat.refused("classify-source", plain)
    assert refusal.code == "already-settled"
    wrong = {**plain, "reopens": "ev-1", "note": "it was the user"}
    assert chat.refused("classify-source", wrong).pointer == "/reopens"
    unreviewed = {**plain, "reopens": event.id}
    assert chat.refused("classify-source", unreviewed).pointer == "/note"
    chat.do(
        "classify-source", {**plain, "reopens": event.id, "note": "it was the user"}
    )
    assert chat.state.archive.get(source)["state"] == "CLASSIFIED"
    assert chat.state.archive.get(source)["disposal"]["reason"] == "CHILD"


def test_a_short_id_is_enough_if_it_is_unique():
    chat = settled()
    source = chat.say("x")
    cut = source[: len("src-") + 31]
    assert chat.refused(
        "dispose-source", {"source": cut[:8], "reason": "CHILD", "note": "n"}
    ).code == ("ambiguous-id")
    for shorter in ("src-", "src-000", source.upper()):
        refusal = chat.refused(
            "dispose-source", {"source": shorter, "reason": "CHILD", "note": "n"}
        )
        assert refusal.code == "unknown-id"
    chat.world.minted = 0xABCDEF << 100
    other = chat.say("y")
    chat.do("dispose-source", {"source": other[:12], "reason": "CHILD", "note": "n"})
    assert list(chat.state.sources) == [source]
