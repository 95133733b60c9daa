"""A journal told in words, and the history of one id."""

import pytest

from git_intent.ledger import created, fold
from git_intent.ledger.event import decode
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.story import _TELL, History, tell
from tests.support.chat import settled

EVIDENCE = [{"text": "it is\nthere"}]


@pytest.fixture(scope="module")
def chat():
    """A chat in which everything happened at least once."""
    chat = settled()
    first = chat.say("one", turn="t-1")
    chat.say("one", turn="t-1")
    chat.do("dispose-source", {"source": first, "reason": "CHILD", "note": "a child"})
    for text, command, more in (
        ("lost", "recover-source", {"text": "lost"}),
        ("gone", "dispose-gap", {"note": "it will not come"}),
    ):
        chat.do(command, {"gap": chat.lose(text), **more})
    recovered = next(iter(chat.state.sources))
    chat.do("dispose-source", {"source": recovered, **disposal()})
    source = chat.say("Not so. Anew.")
    words = {"op": "correct", "corrects": "out-3.5", **chat.worded(source, "anew")}
    chat.classify(source, "CORRECT", words)
    start = {"tool": "Bash", "what": "publish", "contract": chat.state.contract_hash}
    action = chat.do("action-start", start).body["action"]
    finish = {"action": action, "result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"}
    chat.do("action-finish", {**finish, "note": "the session broke off"})
    told = {"action": action, "effect": "APPLIED", "evidence": EVIDENCE}
    chat.do("reconcile-effect", told)
    chat.do("action-start", {**start, "retries": action, "serves": ["out-3.6"]})
    outcome = {"out-3.6": {"state": "BLOCKED", "blockers": ["a key"]}}
    work = {"contract": chat.state.contract_hash, "next_work": ["wait"]}
    chat.do("progress", {**work, "outcomes": outcome})
    chat._append(created.preserving("tail-1", "0" * 64, 7))
    return chat


def disposal():
    return {"reason": "IRRELEVANT", "note": "by the way"}


def told(chat, kind: str) -> str:
    """All that is told of the events of a type."""
    parts = []
    for event in events(chat):
        if event.type == kind:
            line, below = tell(event, chat.world.read_evidence)
            parts += [line, *below]
    return "\n".join(parts)


def events(chat):
    return [decode(line, seq) for seq, line in enumerate(chat.lines, 1)]


def test_every_type_of_event_can_be_told(chat):
    assert set(_TELL) == set(fold.TYPES)
    happened = {event.type for event in events(chat)}
    assert set(fold.TYPES) - happened == {"ledger-closed"}
    for event in events(chat):
        line, below = tell(event, chat.world.read_evidence)
        assert line
        assert all(below)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("ledger-created", "by session s-1 of claude, default binding"),
        ("source-captured", "was delivered once more"),
        ("source-disposed", "disposed as CHILD\na child"),
        ("gap-recorded", "a prompt of 4 bytes is missing, disk full"),
        ("source-recovered", "recovered as src-"),
        ("gap-disposed", "given up\nit will not come"),
        ("source-classified", "correct out-3.5 as out-"),
        ("action-started", "act-14 started: Bash\npublish"),
        ("action-started", ", a retry of act-14\npublish\nserves out-3.6"),
        ("action-finished", "UNKNOWN_EFFECT, effect UNKNOWN\nthe session broke off"),
        ("effect-reconciled", "reconciled: APPLIED\nevidence: it is (+6 bytes)"),
        ("progress", "out-3.6 BLOCKED, blocked: a key\nnext: wait"),
        ("tail-preserved", "a torn tail of 7 bytes was kept as tail-1"),
    ],
)
def test_an_event_says_what_it_did(chat, kind, words):
    assert words in told(chat, kind)


def test_evidence_that_is_gone_is_said_to_be(chat):
    (event,) = [each for each in events(chat) if each.type == "effect-reconciled"]
    _, below = tell(event, lambda digest: None)
    assert below[-1].endswith("is missing or altered")


def test_l049_a_clause_has_its_ancestors_and_heirs(chat):
    history = History(events(chat))
    line = history.descent("out-3.5")
    assert (len(line), line[0]) == (2, "out-3.5")
    assert history.descent(line[1]) == line
    assert history.descent("out-3.6") == ["out-3.6"]


def test_l058_of_an_action_there_is_all_that_was_said(chat):
    history = History(events(chat))
    assert [each.type for each in history.concerning(["act-14"])] == [
        *("action-started", "action-finished", "effect-reconciled"),
        "action-started",
    ]


def test_an_id_may_be_cut_short_where_it_stays_unique(chat):
    history = History(events(chat))
    source = next(e.body["source"] for e in events(chat) if "source" in e.body)
    assert history.whole(source) == source
    assert history.whole("ev-3") == "ev-3"
    for wanted, code in (
        ("src-0000", "ambiguous-id"),
        ("src-", "unknown-id"),
        ("out-3", "unknown-id"),
        ("OUT-3.5", "unknown-id"),
    ):
        with pytest.raises(Refusal) as refused:
            history.whole(wanted)
        assert refused.value.code == code
