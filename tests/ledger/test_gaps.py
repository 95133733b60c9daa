"""Prompts that are missing: recorded, recovered exactly, or given up."""

import base64

import pytest

from git_intent.ledger import fold, gaps
from git_intent.ledger.capture import from_spool
from git_intent.ledger.refusal import Refusal
from tests.support.chat import Chat, replayed, settled, sha

TEXT = "Never touch the lexer"


def open_now(chat: Chat) -> list[str]:
    proved = gaps.proved_by(chat.world)
    return [gap["id"] for gap in gaps.open_gaps(chat.state, proved)]


def start(chat: Chat):
    return {"tool": "Edit", "contract": chat.state.contract_hash}


def test_l112_a_gap_tells_what_is_missing():
    chat = settled()
    gap = chat.lose(TEXT)
    (record,) = chat.view()["gaps"]
    assert record["id"] == gap
    assert (record["sha256"], record["bytes"]) == (sha(TEXT.encode()), len(TEXT))
    assert (record["host"], record["session"]) == ("claude", "s-1")
    assert (record["state"], record["reason"]) == ("OPEN", "disk full")


@pytest.mark.parametrize(
    "given",
    [
        {"text": TEXT},
        {"base64": base64.b64encode(TEXT.encode()).decode()},
        {"from": "file:lost.txt"},
    ],
)
def test_l113_the_exact_bytes_bring_a_prompt_back(given):
    chat = settled()
    chat.world.files["file:lost.txt"] = TEXT.encode()
    gap = chat.lose(TEXT)
    event = chat.do("recover-source", {"gap": gap, **given})
    recovered = event.body["source"]
    record = chat.state.sources[recovered]
    assert record["state"] == "UNCLASSIFIED"
    assert record["origin"] == "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR"
    assert chat.bytes_of(recovered) == TEXT.encode()
    assert chat.state.gaps[gap]["state"] == "RECOVERED"
    assert open_now(chat) == []
    assert fold.named(event.body) == {"source": recovered, "gap": gap}


@pytest.mark.parametrize(
    "wrong", [TEXT + ".", TEXT[:-1], TEXT[:-1] + "R", TEXT + "\n", "x"]
)
def test_l113_any_other_bytes_are_refused(wrong):
    chat = settled()
    gap = chat.lose(TEXT)
    refusal = chat.refused("recover-source", {"gap": gap, "text": wrong})
    assert (refusal.code, refusal.pointer) == ("invalid-document", "/text")
    assert open_now(chat) == [gap]


def test_l113_the_right_bytes_of_another_gap_are_refused():
    chat = settled()
    first, second = chat.lose(TEXT), chat.lose("Use Zig")
    assert chat.refused("recover-source", {"gap": second, "text": TEXT}).pointer == (
        "/text"
    )
    chat.do("recover-source", {"gap": first, "text": TEXT})
    assert open_now(chat) == [second]


def test_l117_two_gaps_of_the_same_bytes_are_two():
    """Bytes are attached to the gap that is named, to no other."""
    chat = settled()
    first, second = chat.lose(TEXT), chat.lose(TEXT)
    one = chat.do("recover-source", {"gap": first, "text": TEXT}).body["source"]
    assert open_now(chat) == [second]
    two = chat.do("recover-source", {"gap": second, "text": TEXT}).body["source"]
    assert one != two
    assert list(chat.state.sources) == [one, two]


def test_l114_recovered_bytes_that_vanish_open_the_gap_again():
    chat = settled()
    gap = chat.lose(TEXT)
    recovered = chat.do("recover-source", {"gap": gap, "text": TEXT}).body["source"]
    chat.do("dispose-source", {"source": recovered, "reason": "CHILD", "note": "n"})
    chat.do("action-start", start(chat))
    del chat.world.sources[sha(TEXT.encode())]
    assert open_now(chat) == [gap]
    refusal = chat.refused("action-start", start(chat))
    assert (refusal.code, refusal.ids) == ("gap-open", (gap,))
    # recovered once more: the same source, nothing to classify again
    event = chat.do("recover-source", {"gap": gap, "text": TEXT})
    assert event.body["source"] == recovered
    assert chat.state.sources == {}
    assert open_now(chat) == []
    chat.do("action-start", start(chat))


def test_l114_other_bytes_of_the_same_length_are_no_proof():
    chat = settled()
    gap = chat.lose(TEXT)
    chat.do("recover-source", {"gap": gap, "text": TEXT})
    assert gaps.open_gaps(chat.state, lambda record: False) == [chat.state.gaps[gap]]


def test_a_gap_that_is_recovered_takes_nothing_more():
    chat = settled()
    gap = chat.lose(TEXT)
    chat.do("recover-source", {"gap": gap, "text": TEXT})
    for command, more in (
        ("recover-source", {"text": TEXT}),
        ("dispose-gap", {"note": "never mind"}),
    ):
        refusal = chat.refused(command, {"gap": gap, **more})
        assert (refusal.code, refusal.pointer) == ("already-settled", "/gap")


def test_l115_a_gap_is_given_up_with_a_review_note():
    chat = settled()
    gap = chat.lose(TEXT)
    for document in ({"gap": gap}, {"gap": gap, "note": " "}):
        assert chat.refused("dispose-gap", document).pointer == "/note"
    chat.do("dispose-gap", {"gap": gap, "note": "the user said it again", "links": []})
    assert chat.view()["gaps"] == []
    assert chat.state.archive.get(gap)["state"] == "DISPOSED"
    refusal = chat.refused("dispose-gap", {"gap": gap, "note": "again"})
    assert refusal.code == "already-settled"


def test_l115_bytes_that_turn_up_after_the_disposal():
    chat = settled()
    gap = chat.lose(TEXT)
    chat.do("dispose-gap", {"gap": gap, "note": "gone"})
    recovered = chat.do("recover-source", {"gap": gap, "text": TEXT}).body["source"]
    assert list(chat.state.sources) == [recovered]
    record = chat.state.archive.get(gap)
    assert (record["state"], record["source"]) == ("DISPOSED", recovered)
    assert record["disposal"]["note"] == "gone"
    del chat.world.sources[sha(TEXT.encode())]
    assert open_now(chat) == []
    assert replayed(chat.lines).gaps == {}


def test_l114_what_names_a_disposed_gap_rests_on_its_bytes_if_they_came():
    chat = settled()
    gap = chat.lose(TEXT)
    chat.do("dispose-gap", {"gap": gap, "note": "gone"})
    depending = {**start(chat), "depends": [gap]}
    assert chat.do("action-start", depending).body["depends"] == [gap]
    recovered = chat.do("recover-source", {"gap": gap, "text": TEXT}).body["source"]
    document = {"source": recovered, "reason": "IRRELEVANT", "note": "n"}
    chat.do("dispose-source", document)
    chat.do("action-start", depending)
    del chat.world.sources[sha(TEXT.encode())]
    refusal = chat.refused("action-start", depending)
    assert (refusal.code, refusal.pointer) == ("source-unproven", "/depends/0")
    chat.do("action-start", start(chat))


def test_l115_what_turned_up_after_the_disposal_is_not_taken_twice():
    chat = settled()
    gap = chat.lose(TEXT)
    chat.do("dispose-gap", {"gap": gap, "note": "gone"})
    document = {"gap": gap, "text": TEXT}
    recovered = chat.do("recover-source", document).body["source"]
    assert chat.refused("recover-source", document).code == "already-settled"
    del chat.world.sources[sha(TEXT.encode())]
    assert chat.do("recover-source", document).body["source"] == recovered
    assert list(chat.state.sources) == [recovered]


def test_a_disposed_gap_whose_bytes_went_and_came_back_stays_disposed():
    chat = settled()
    gap = chat.lose(TEXT)
    document = {"gap": gap, "text": TEXT}
    recovered = chat.do("recover-source", document).body["source"]
    del chat.world.sources[sha(TEXT.encode())]
    chat.do("dispose-gap", {"gap": gap, "note": "lost twice"})
    chat.do("recover-source", document)
    assert chat.refused("recover-source", document).code == "already-settled"
    assert chat.refused("dispose-gap", {"gap": gap, "note": "x"}).pointer == "/gap"
    assert chat.state.archive.get(gap)["state"] == "DISPOSED"
    assert list(chat.state.sources) == [recovered]
    assert chat.bytes_of(recovered) == TEXT.encode()
    assert replayed(chat.lines).gaps == {}


def test_l033_a_delivery_that_was_lost_after_another_was_kept_is_counted():
    chat = settled()
    kept = chat.say(TEXT, turn="t-1")
    header = chat.lost(TEXT, turn="t-1")
    draft = from_spool(chat.state, header, b"", chat.world)
    assert chat._append(draft).body["delivery_of"] == kept
    assert chat.state.sources[kept]["deliveries"] == 2
    assert open_now(chat) == []
    assert from_spool(chat.state, header, b"", chat.world) is None


def test_l033_a_delivery_that_is_kept_after_another_was_lost_recovers_it():
    chat = settled()
    header = chat.lost(TEXT, turn="t-1")
    gap = chat._append(from_spool(chat.state, header, b"", chat.world)).body["gap"]
    kept = chat.say(TEXT, turn="t-1")
    assert list(chat.state.sources) == [kept]
    assert chat.state.gaps[gap]["source"] == kept
    assert open_now(chat) == []
    assert chat.say(TEXT, turn="t-1") != kept
    assert chat.state.sources[kept]["deliveries"] == 2
    assert replayed(chat.lines).sources == chat.state.sources


@pytest.mark.parametrize(
    "other", [{"turn": "t-2"}, {"turn": None}, {"session": "s-2"}, {"host": "codex"}]
)
def test_l117_a_gap_of_another_delivery_is_not_filled_by_the_same_words(other):
    chat = settled()
    chat.say(TEXT, turn="t-1")
    header = chat.lost(TEXT, **{"turn": "t-1", **other})
    gap = chat._append(from_spool(chat.state, header, b"", chat.world)).body["gap"]
    chat.say(TEXT, turn="t-1")
    assert open_now(chat) == [gap]


def test_a_lost_delivery_whose_kept_one_is_gone_is_a_gap():
    chat = settled()
    chat.say(TEXT, turn="t-1")
    del chat.world.sources[sha(TEXT.encode())]
    header = chat.lost(TEXT, turn="t-1")
    draft = from_spool(chat.state, header, b"", chat.world)
    assert open_now(chat) == []
    assert draft.type == "gap-recorded"


def test_a_gap_whose_recovered_bytes_are_gone_can_be_given_up():
    chat = settled()
    gap = chat.lose(TEXT)
    chat.do("recover-source", {"gap": gap, "text": TEXT})
    del chat.world.sources[sha(TEXT.encode())]
    chat.do("dispose-gap", {"gap": gap, "note": "lost twice"})
    assert open_now(chat) == []


def test_l118_a_gap_without_a_hash_is_disposed_and_never_recovered():
    chat = settled()
    draft = gaps.recording(
        {"host": "claude", "session": "s-1", "turn": None, "at": chat.world.at},
        f"gap-{chat.world.mint()}",
        "the hook's input broke off",
    )
    gap = chat._append(draft).body["gap"]
    refusal = chat.refused("recover-source", {"gap": gap, "text": TEXT})
    assert (refusal.code, refusal.pointer) == ("not-allowed", "/gap")
    assert chat.refused("action-start", start(chat)).code == "gap-open"
    chat.do("dispose-gap", {"gap": gap, "note": "the user repeated it"})
    chat.do("action-start", start(chat))


def test_l023_what_is_recovered_has_its_place_where_the_gap_was():
    chat = settled()
    gap = chat.lose(TEXT)
    place = chat.state.seq
    young = chat.say("Also document it")
    chat.classify(young, "ADD", chat.add(young, "outcomes", "It is documented"))
    recovered = chat.do("recover-source", {"gap": gap, "text": TEXT}).body["source"]
    record = chat.state.sources[recovered]
    assert (record["order"], record["late"]) == (place, True)


@pytest.mark.parametrize("name", ["gap-" + "0" * 32, "gap-", "src-1", "nothing", "GAP"])
def test_a_gap_that_is_not_there(name):
    chat = settled()
    for command, more in (
        ("recover-source", {"text": TEXT}),
        ("dispose-gap", {"note": "n"}),
    ):
        refusal = chat.refused(command, {"gap": name, **more})
        assert (refusal.code, refusal.pointer) == ("unknown-id", "/gap")


def test_a_source_is_no_gap():
    chat = settled()
    source = chat.say("x")
    refusal = chat.refused("dispose-gap", {"gap": source, "note": "n"})
    assert refusal.code == "unknown-id"


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"source": "src-" + "f" * 32}, None),
        ({"bytes": 1}, "/sha256"),
        ({"sha256": "ab" * 32}, "/sha256"),
        ({"gap": "gap-" + "f" * 32}, "/gap"),
        ({"state": "CLASSIFIED"}, "/state"),
        ({"text": TEXT}, "/text"),
        ({"skip": [[0, 1000]]}, "/skip/0"),
    ],
)
def test_a_recovery_on_record_is_checked_again(changed, pointer):
    chat = settled()
    gap = chat.lose(TEXT)
    draft = fold.compose(
        "recover-source", chat.state, {"gap": gap, "text": TEXT}, chat.world
    )
    draft = fold.Draft(draft.type, {**draft.body, **changed}, "")
    event = fold.propose(chat.state, draft, chat.world)
    if pointer is None:
        fold.fold(chat.state, event)
        return
    with pytest.raises(Refusal) as caught:
        fold.fold(chat.state, event)
    assert caught.value.pointer == pointer


def test_a_gap_that_was_drained_is_known_by_its_id_afterwards():
    chat = settled()
    gap = chat.lose(TEXT)
    chat.do("dispose-gap", {"gap": gap, "note": "n"})
    assert gap in chat.view()["recent"]
    assert gaps.known(chat.state, gap)
    assert chat.say(TEXT) in chat.state.sources  # its hash is no capture of bytes


def test_a_gap_cannot_be_recorded_twice():
    chat = settled()
    gap = chat.lose(TEXT)
    header = {"host": "h", "session": "s", "turn": None, "at": chat.world.at}
    draft = gaps.recording(header, gap, "again")
    with pytest.raises(Refusal, match="was recorded before"):
        fold.fold(chat.state, fold.propose(chat.state, draft, chat.world))
