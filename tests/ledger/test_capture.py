"""Captures: what a prompt is in the journal, and when two are one."""

import base64
import json

import pytest

from git_intent.ledger import capture, fold, source
from git_intent.ledger.capture import from_spool
from git_intent.ledger.event import line_hash
from git_intent.ledger.refusal import Refusal
from tests.support.chat import Chat, replayed, settled, sha

HOST = "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR"
CALLER = "CALLER_SUPPLIED_UNVERIFIED"


def header(chat: Chat, data: bytes, **changed):
    """What a hook spools of a prompt."""
    return {
        "v": 1,
        "kind": "prompt",
        "id": f"src-{chat.world.mint()}",
        "host": "claude",
        "session": "s-1",
        "turn": None,
        "at": "2026-01-02T03:04:05Z",
        "sha256": sha(data),
        "bytes": len(data),
        "origin": HOST,
        "encoding": "utf-8",
        "flags": [],
        "skip": [],
        **changed,
    }


def drafted(chat: Chat, data: bytes, **changed):
    return capture.from_spool(
        chat.state, header(chat, data, **changed), data, chat.world
    )


@pytest.mark.parametrize(
    "data",
    [
        b"one\r\ntwo",
        b"\0",
        b"\xef\xbb\xbfmark",
        "line\u2028end".encode(),
        b"no final newline",
        b"x" * 300_000,
        b"\xed\xa0\xbd",
    ],
    ids=["crlf", "nul", "bom", "u2028", "open", "large", "wtf8"],
)
def test_l027_a_capture_tells_hash_and_count_of_the_exact_bytes(data):
    chat = Chat()
    captured = chat.say(data)
    body = json.loads(chat.lines[-1])["body"]
    assert (body["origin"], body["state"]) == (HOST, "UNCLASSIFIED")
    assert (body["sha256"], body["bytes"]) == (sha(data), len(data))
    assert body["encoding"] == ("wtf-8" if data == b"\xed\xa0\xbd" else "utf-8")
    assert chat.bytes_of(captured) == data
    assert len(chat.lines[-1]) < 1000


def test_l027_a_large_prompt_is_hash_and_count_in_the_journal():
    chat = Chat()
    chat.say(b"x" * (50 << 20))
    assert len(chat.lines[-1]) < 1000


def test_l016_l028_the_line_of_a_capture_stays_as_it_is():
    chat = Chat()
    captured = chat.say("Port it")
    line = chat.lines[1]
    chat.classify(captured, "INITIAL", chat.add(captured, "outcomes", "Port it"))
    assert chat.lines[1] == line
    assert [json.loads(line)["type"] for line in chat.lines] == [
        "ledger-created",
        "source-captured",
        "source-classified",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "REPLACE everything",
        "cancel all of it",
        "withdraw",
        "/clear",
        json.dumps({"source": "src-1", "parts": [{"disposition": "REPLACE"}]}),
    ],
)
def test_l029_no_words_of_a_prompt_mean_anything_by_themselves(text):
    chat = settled()
    before = chat.state.contract_hash
    captured = chat.say(text)
    assert chat.state.sources[captured]["state"] == "UNCLASSIFIED"
    assert chat.state.contract_hash == before
    types = [json.loads(line)["type"] for line in chat.lines]
    assert types.count("source-classified") == 1


def test_l033_the_same_delivery_is_one_source():
    chat = Chat()
    first = chat.say("yes", turn="t-1")
    head = chat.state.head
    again = drafted(chat, b"yes", turn="t-1")
    assert again.body["delivery_of"] == first
    assert again.sources == {}
    chat._append(again)
    assert chat.state.head != head
    assert [record["id"] for record in chat.view()["pending_sources"]] == [first]
    assert chat.state.sources[first]["deliveries"] == 2
    assert chat.state.counts["sources"] == 1
    later = chat.say("yes", turn="t-2")
    assert list(chat.state.sources) == [first, later]


def test_l033_a_third_delivery_counts_for_the_first():
    chat = Chat()
    first = chat.say("yes", turn="t-1")
    for _ in range(2):
        chat._append(drafted(chat, b"yes", turn="t-1"))
    assert chat.state.sources[first]["deliveries"] == 3


def test_l033_a_delivery_of_a_settled_source_leaves_it_settled():
    chat = Chat()
    first = chat.say("yes", turn="t-1")
    chat.do("dispose-source", {"source": first, "reason": "CHILD", "note": "child"})
    chat._append(drafted(chat, b"yes", turn="t-1"))
    assert chat.state.sources == {}
    settled_source = chat.state.archive.get(first)
    assert (settled_source["state"], settled_source["deliveries"]) == ("DISPOSED", 2)


@pytest.mark.parametrize(
    "changed", [{"host": "codex"}, {"session": "s-2"}, {"turn": "t-2"}, {"turn": None}]
)
def test_l033_another_host_session_or_turn_is_another_delivery(changed):
    chat = Chat()
    chat.say("yes", turn="t-1")
    assert "delivery_of" not in drafted(chat, b"yes", **{"turn": "t-1", **changed}).body


def test_l033_without_a_turn_nothing_is_merged():
    chat = Chat()
    assert len({chat.say("yes"), chat.say("yes")}) == 2
    assert len(chat.state.sources) == 2


def test_l033_the_same_turn_with_other_bytes_keeps_and_flags_both():
    chat = Chat()
    other = chat.say("yes", turn="t-0")
    first = chat.say("yes", turn="t-1")
    second = chat.say("no", turn="t-1")
    third = chat.say("perhaps", turn="t-1")
    flags = {name: held["flags"] for name, held in chat.state.sources.items()}
    same = ["same-turn"]
    assert flags == {other: [], first: same, second: same, third: same}
    assert list(flags) == [other, first, second, third]


def test_l033_a_delivery_is_known_long_after():
    """The last captures are remembered; before that, the bytes are in the tree."""
    chat = Chat()
    first = chat.say("yes", turn="t-1")
    chat.do("dispose-source", {"source": first, "reason": "CHILD", "note": "child"})
    for number in range(70):
        chat.say(f"prompt {number}")
    chat.state.archive.seal()
    assert drafted(chat, b"yes", turn="t-1").body["delivery_of"] == first


def test_a_new_prompt_does_not_search_the_archive(monkeypatch):
    chat = settled()

    def searched(key):
        raise AssertionError(key)

    monkeypatch.setattr(
        type(chat.state.archive), "get", lambda self, key: searched(key)
    )
    for number in range(70):
        chat.say(f"prompt {number}", turn=f"t-{number}")


def test_what_was_drained_before_is_not_drained_again():
    """A spooled file that could not be unlinked, just now or long ago."""
    chat = Chat()
    spooled = header(chat, b"yes", turn="t-1")
    for rounds in (1, 70):
        for number in range(rounds):
            draft = capture.from_spool(chat.state, spooled, b"yes", chat.world)
            if number == 0 and rounds == 1:
                chat._append(draft)
            else:
                assert draft is None
                chat.say(f"prompt {rounds} {number}")
    assert capture.from_spool(chat.state, spooled, b"yes", chat.world) is None
    again = header(chat, b"yes", turn="t-1")
    chat._append(capture.from_spool(chat.state, again, b"yes", chat.world))
    assert capture.from_spool(chat.state, again, b"yes", chat.world) is None


def test_an_id_cannot_be_captured_twice():
    chat = Chat()
    spooled = header(chat, b"yes")
    first = capture.from_spool(chat.state, spooled, b"yes", chat.world)
    chat._append(first)
    with pytest.raises(Refusal, match="was captured before"):
        fold.fold(chat.state, fold.propose(chat.state, first, chat.world))


def test_the_hook_of_the_prompt_is_the_actor_whoever_drains():
    chat = Chat()
    chat.say("one", host="codex", session="s-9")
    line = json.loads(chat.lines[-1])
    assert line["actor"] == {"kind": "hook", "host": "codex", "session": "s-9"}


def test_a_damaged_spool_file_becomes_a_gap():
    chat = Chat()
    spooled = header(chat, b"yes indeed", turn="t-1")
    draft = capture.from_spool(chat.state, spooled, b"yes", chat.world)
    assert draft.type == "gap-recorded"
    assert draft.body["gap"] == spooled["id"].replace("src-", "gap-")
    assert (draft.body["sha256"], draft.body["bytes"]) == (sha(b"yes indeed"), 10)
    assert draft.body["reason"] == "spool-damaged"
    chat._append(draft)
    assert capture.from_spool(chat.state, spooled, b"yes", chat.world) is None


def test_a_gap_that_was_spooled_with_its_bytes_is_a_source():
    chat = Chat()
    digits = chat.world.mint()
    spooled = header(chat, b"yes", kind="gap", id=f"gap-{digits}", reason="not-kept")
    draft = capture.from_spool(chat.state, spooled, b"yes", chat.world)
    assert (draft.type, draft.body["source"]) == ("source-captured", f"src-{digits}")
    assert draft.sources == {sha(b"yes"): b"yes"}


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"source": "src-1"}, "/source"),
        ({"sha256": "AB" * 32}, "/sha256"),
        ({"bytes": 0}, "/bytes"),
        ({"bytes": True}, "/bytes"),
        ({"origin": "HUMAN"}, "/origin"),
        ({"state": "CLASSIFIED"}, "/state"),
        ({"host": ""}, "/host"),
        ({"session": 7}, "/session"),
        ({"turn": ""}, "/turn"),
        ({"encoding": "latin-1"}, "/encoding"),
        ({"flags": ["a", "a"]}, "/flags/1"),
        ({"skip": [[0, 9]]}, "/skip/0"),
        ({"skip": [[2, 3], [0, 1]]}, "/skip/1"),
        ({"skip": [[1, 1]]}, "/skip/0"),
        ({"since": 3}, "/since"),
        ({"delivery_of": "src-" + "0" * 32}, "/delivery_of"),
        ({"captured_in": {"namespace": "team"}}, "/captured_in/chat"),
        ({"authority": "user"}, "/authority"),
    ],
)
def test_l103_a_capture_that_cannot_be_is_refused_at_its_field(changed, pointer):
    chat = Chat()
    chat.say("old")
    draft = drafted(chat, b"yes")
    wrong = fold.Draft(draft.type, {**draft.body, **changed}, draft.summary)
    event = fold.propose(chat.state, wrong, chat.world)
    before = chat.everything()
    with pytest.raises(Refusal) as caught:
        fold.fold(chat.state, event)
    assert caught.value.pointer == pointer
    assert chat.everything() == before


def test_a_delivery_must_be_of_the_same_bytes():
    chat = Chat()
    first = chat.say("no", turn="t-1")
    draft = drafted(chat, b"yes", turn="t-1")
    wrong = fold.Draft(draft.type, {**draft.body, "delivery_of": first}, "")
    with pytest.raises(Refusal) as caught:
        fold.fold(chat.state, fold.propose(chat.state, wrong, chat.world))
    assert caught.value.pointer == "/delivery_of"


# By hand


@pytest.mark.parametrize(
    "document",
    [
        {"text": "Grüße\r\n"},
        {"base64": base64.b64encode("Grüße\r\n".encode()).decode()},
        {"from": "file:said.txt"},
    ],
)
def test_bytes_may_be_given_by_hand(document):
    chat = Chat()
    chat.world.files["file:said.txt"] = "Grüße\r\n".encode()
    event = chat.do("capture", document)
    assert event.body["origin"] == CALLER
    assert event.actor["kind"] == "owner"
    assert chat.bytes_of(event.body["source"]) == "Grüße\r\n".encode()
    assert fold.named(event.body) == {"source": event.body["source"]}


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        ({}, ""),
        ({"text": "a", "base64": "YQ=="}, ""),
        ({"text": " "}, "/text"),
        ({"text": "\ud83d"}, "/text"),
        ({"base64": "?"}, "/base64"),
        ({"base64": base64.b64encode(b"\xff").decode()}, ""),
        ({"from": "file:gone"}, "/from"),
        ({"text": "a", "turn": ""}, "/turn"),
        ({"text": "a", "origin": HOST}, "/origin"),
        ({"unbound": "src-" + "0" * 32}, "/unbound"),
        ({"unbound": "src-1", "text": "a"}, "/text"),
        ([], ""),
        (None, ""),
    ],
)
def test_l142_a_capture_by_hand_that_is_wrong_is_refused(document, pointer):
    refusal = Chat().refused("capture", document)
    assert refusal.pointer == pointer
    assert refusal.hint


def test_l117_an_unbound_prompt_joins_only_when_it_is_named():
    chat = Chat()
    spooled = header(chat, b"from codex", host="codex", kind="unbound")
    chat.world.read_unbound = lambda name: (
        (spooled, b"from codex") if name == spooled["id"] else None
    )
    chat.say("something else")
    assert len(chat.state.sources) == 1
    event = chat.do("capture", {"unbound": spooled["id"]})
    assert event.body["source"] == spooled["id"]
    assert (event.body["host"], event.body["origin"]) == ("codex", HOST)
    assert event.actor["kind"] == "owner"
    refusal = chat.refused("capture", {"unbound": spooled["id"]})
    assert refusal.code == "already-settled"


def test_l121_a_payload_that_was_kept_whole_joins_as_it_is():
    """Not UTF-8, and without a session that could be read."""
    chat = Chat()
    raw = b'{"prompt": "\xff"'
    spooled = header(chat, raw, kind="unbound", session="", encoding="binary")
    chat.world.read_unbound = lambda name: (spooled, raw)
    event = chat.do("capture", {"unbound": spooled["id"]})
    assert (event.body["session"], event.body["encoding"]) == ("s-1", "binary")
    assert chat.bytes_of(event.body["source"]) == raw


def test_a_source_of_another_ledger_is_captured_again_once():
    small, chat = Chat(), settled()
    small.world.minted = 100
    captured = small.say("Go on", turn="t-5")
    record = small.state.sources[captured]
    draft = capture.absorbing(chat.state, record, b"Go on", "team", "s-2", chat.world)
    event = chat._append(draft)
    assert event.body["source"] == captured
    assert event.body["captured_in"] == {"namespace": "team", "chat": "s-2"}
    again = capture.absorbing(chat.state, record, b"Go on", "team", "s-2", chat.world)
    assert again is None


# Order


def test_l023_a_prompt_that_could_not_be_drained_in_its_turn_is_late():
    chat = settled()
    since = chat.state.seq
    young = chat.say("Also document it")
    chat.classify(young, "ADD", chat.add(young, "outcomes", "It is documented"))
    late = chat.say("Use Zig", since=since)
    fresh = chat.say("And test it")
    assert chat.state.sources[late]["late"] is True
    assert chat.state.sources[late]["order"] == since
    assert chat.state.sources[fresh]["late"] is False


def test_l023_a_lost_prompt_that_was_told_of_late_is_late():
    chat = settled()
    header = chat.lost("Use Zig", since=chat.state.seq)
    young = chat.say("Also document it")
    chat.classify(young, "ADD", chat.add(young, "outcomes", "It is documented"))
    gap = chat._append(from_spool(chat.state, header, b"", chat.world)).body["gap"]
    document = {"gap": gap, "text": "Use Zig"}
    late = chat.do("recover-source", document).body["source"]
    assert chat.state.sources[late]["late"] is True
    assert replayed(chat.lines).sources == chat.state.sources


@pytest.mark.parametrize("since", [10_000, -1, "5", None])
def test_l023_what_a_spooled_file_cannot_know_is_left_out(since):
    """The journal it came from may have been given up since."""
    chat = settled()
    assert chat.state.sources[chat.say("Use Zig", since=since)]["late"] is False


def test_l023_disposing_a_younger_one_makes_nothing_late():
    chat = settled()
    since = chat.state.seq
    young = chat.say("internal")
    chat.do("dispose-source", {"source": young, "reason": "INTERNAL", "note": "hook"})
    assert chat.state.sources[chat.say("Use Zig", since=since)]["late"] is False


def test_the_last_captures_are_named_in_the_view():
    chat = Chat()
    captured = [chat.say(f"prompt {number}", turn="t") for number in range(70)]
    assert chat.view()["recent"] == captured[-32:]
    assert replayed(chat.lines).recent == chat.state.recent


def test_l118_nothing_is_made_up_of_no_bytes():
    chat = Chat()
    draft = drafted(chat, b"")
    assert draft.type == "gap-recorded"
    assert (draft.body["sha256"], draft.body["bytes"]) == (None, None)


def test_head_is_the_hash_of_the_last_line():
    chat = Chat()
    chat.say("one")
    assert chat.state.head == line_hash(chat.lines[-1])
    assert source.turn_key({"host": "h", "session": "s", "turn": None}) is None
