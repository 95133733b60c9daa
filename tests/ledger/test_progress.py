"""Progress: what became of outcomes and what is next, never what is wanted."""

import copy

import pytest

from tests.support.chat import Chat, settled, sha


@pytest.fixture
def chat() -> Chat:
    return settled()


def progress(chat: Chat, **brings):
    return {"contract": chat.state.contract_hash, **brings}


def test_l045_progress_is_bound_to_the_contract(chat):
    old = chat.state.contract_hash
    chat.do("progress", progress(chat, next_work=["this"]))
    source = chat.say("more")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "more"))
    refusal = chat.refused("progress", {"contract": old, "next_work": ["this"]})
    assert (refusal.code, refusal.pointer) == ("stale-contract", "/contract")
    chat.do("progress", progress(chat, next_work=["this"]))


def test_l045_clauses_in_another_order_are_another_contract(chat):
    from git_intent.ledger.contract import contract_hash

    other = copy.deepcopy(chat.contract())
    other["outcomes"].reverse()
    document = {"contract": contract_hash(other), "next_work": ["this"]}
    assert chat.refused("progress", document).code == "stale-contract"


@pytest.mark.parametrize(
    ("outcomes", "pointer"),
    [
        ({"out-9.1": {"state": "OPEN"}}, "/outcomes/out-9.1"),
        ({"OUT-3.5": {"state": "OPEN"}}, "/outcomes/OUT-3.5"),
        ({"pol-3.2": {"state": "DONE"}}, "/outcomes/pol-3.2"),
        ({"a/b~c": {"state": "OPEN"}}, "/outcomes/a~1b~0c"),
        ({"out-3.5": {"state": "RETIRED"}}, "/outcomes/out-3.5/state"),
        ({"out-3.5": {"state": "done"}}, "/outcomes/out-3.5/state"),
        ({"out-3.5": {"text": "other words"}}, "/outcomes/out-3.5/text"),
        ({"out-3.5": {}}, "/outcomes/out-3.5"),
        ({}, "/outcomes"),
        ([], "/outcomes"),
        ({"out-3.5": {"blockers": "none"}}, "/outcomes/out-3.5/blockers"),
        ({"out-3.5": {"blockers": [" "]}}, "/outcomes/out-3.5/blockers/0"),
        ({"out-3.5": {"state": "DONE"}}, "/outcomes/out-3.5/state"),
        ({"out-3.5": {"state": "DONE", "evidence": []}}, "/outcomes/out-3.5/state"),
    ],
)
def test_l046_progress_makes_ends_and_rewords_nothing(chat, outcomes, pointer):
    refusal = chat.refused("progress", progress(chat, outcomes=outcomes))
    assert refusal.pointer == pointer


@pytest.mark.parametrize("state", ["OPEN", "ACTIVE", "BLOCKED"])
def test_l046_what_is_done_stays_done(chat, state):
    done = {"state": "DONE", "evidence": [{"text": "all tests ran"}]}
    chat.do("progress", progress(chat, outcomes={"out-3.5": done}))
    back = progress(chat, outcomes={"out-3.5": {"state": state}})
    refusal = chat.refused("progress", back)
    assert (refusal.code, refusal.pointer) == (
        "not-allowed",
        "/outcomes/out-3.5/state",
    )
    assert "reopen" in refusal.hint
    more = {"state": "DONE", "evidence": [{"text": "and again"}]}
    chat.do("progress", progress(chat, outcomes={"out-3.5": more}))
    assert len(chat.state.outcomes["out-3.5"]["evidence"]) == 2


@pytest.mark.parametrize(
    ("brings", "pointer"),
    [
        ({"outcomes_new": ["x"]}, "/outcomes_new"),
        ({"policies": []}, "/policies"),
        ({"next_work": [{"add": "x"}]}, "/next_work/0"),
        ({"next_work": [["x"]]}, "/next_work/0"),
        ({"next_work": "x"}, "/next_work"),
        ({"next_work": ["two\nlines"]}, "/next_work/0"),
        (
            {"outcomes": {"out-3.5": {"evidence": [{"text": {"policies": []}}]}}},
            "/outcomes/out-3.5/evidence/0/text",
        ),
        (
            {"outcomes": {"out-3.5": {"evidence": [{"text": "x", "policies": []}]}}},
            "/outcomes/out-3.5/evidence/0/policies",
        ),
        (
            {"outcomes": {"out-3.5": {"evidence": [{"blob": sha(b""), "bytes": 1}]}}},
            "/outcomes/out-3.5/evidence/0/blob",
        ),
        (
            {"outcomes": {"out-3.5": {"blockers": [{"state": "DONE"}]}}},
            "/outcomes/out-3.5/blockers/0",
        ),
    ],
)
def test_l035_l046_nothing_else_is_carried_along(chat, brings, pointer):
    refusal = chat.refused("progress", progress(chat, **brings))
    assert (refusal.code, refusal.pointer) == ("invalid-document", pointer)


def test_progress_that_brings_nothing_is_refused(chat):
    assert chat.refused("progress", progress(chat)).code == "invalid-document"


def test_there_is_no_progress_without_a_contract():
    chat = Chat()
    refusal = chat.refused("progress", progress(chat, next_work=["x"]))
    assert (refusal.code, refusal.pointer) == ("not-allowed", "/contract")


def test_l035_no_command_but_classify_changes_the_contract(chat):
    before = chat.state.contract_hash
    source, gap = chat.say("hm"), chat.lose("lost")
    chat.do("capture", {"text": "by hand"})
    by_hand = list(chat.state.sources)[-1]
    for settled_ in (source, by_hand):
        chat.do(
            "dispose-source", {"source": settled_, "reason": "INTERNAL", "note": "why"}
        )
    event = chat.do("recover-source", {"gap": gap, "text": "lost"})
    recovered = event.body["source"]
    chat.do(
        "dispose-source", {"source": recovered, "reason": "INTERNAL", "note": "why"}
    )
    other = chat.lose("lost too")
    chat.do("dispose-gap", {"gap": other, "note": "the user said it again"})
    done = {"state": "DONE", "evidence": [{"text": "ran"}], "blockers": []}
    chat.do("progress", progress(chat, outcomes={"out-3.5": done}, next_work=["x"]))
    for result, effect in (("SUCCEEDED", "APPLIED"), ("UNKNOWN_EFFECT", "UNKNOWN")):
        start = {"tool": "Edit", "contract": before, "serves": ["out-3.6"]}
        action = chat.do("action-start", start).body["action"]
        chat.do("action-finish", {"action": action, "result": result, "effect": effect})
    told = {"action": action, "effect": "APPLIED", "evidence": [{"text": "looked"}]}
    chat.do("reconcile-effect", told)
    assert chat.state.contract_hash == before
    types = {line.split(b'"type":"')[1].split(b'"')[0] for line in chat.lines}
    assert len(types) == 11  # all but the closing and the tail


def test_l047_evidence_adds_up_blockers_and_next_work_do_not(chat):
    chat.world.files["file:log.txt"] = b"ran"
    log = {"ref": "file:log.txt", "sha256": sha(b"ran"), "note": "the first run"}
    first = {"state": "ACTIVE", "evidence": [{"text": "one"}, log], "blockers": ["a"]}
    second = {"evidence": [{"text": "two"}, {"text": "one"}], "blockers": ["b", "c"]}
    third = {"evidence": [{"text": "two"}]}
    for given, work in ((first, ["x"]), (second, ["y", "z"]), (third, None)):
        brings = {"outcomes": {"out-3.5": given}}
        if work:
            brings["next_work"] = work
        chat.do("progress", progress(chat, **brings))
    held = chat.state.outcomes["out-3.5"]
    assert held["state"] == "ACTIVE"
    assert held["blockers"] == ["b", "c"]
    kept = [item.get("blob") or item["ref"] for item in held["evidence"]]
    assert sorted(kept) == sorted([sha(b"one"), sha(b"two"), "file:log.txt"])
    assert chat.world.evidence[sha(b"two")] == b"two"
    assert chat.state.next_work == {
        "contract": chat.state.contract_hash,
        "items": ["y", "z"],
    }
    assert chat.state.outcomes["out-3.6"]["evidence"] == []
    chat.do("progress", progress(chat, outcomes={"out-3.5": {"blockers": []}}))
    assert chat.state.outcomes["out-3.5"]["blockers"] == []
    chat.do("progress", progress(chat, next_work=[]))
    assert chat.state.next_work is None


def test_evidence_is_read_when_it_is_given(chat):
    chat.world.files["file:log.txt"] = b"ran"
    for item, pointer in (
        ({"ref": "file:log.txt", "sha256": sha(b"RAN")}, "sha256"),
        ({"ref": "file:other.txt", "sha256": sha(b"ran")}, "ref"),
    ):
        given = {"out-3.5": {"evidence": [item]}}
        refusal = chat.refused("progress", progress(chat, outcomes=given))
        assert refusal.code == "evidence-unproven"
        assert refusal.pointer == f"/outcomes/out-3.5/evidence/0/{pointer}"


def test_done_is_not_said_of_what_cannot_be_proved(chat):
    chat.world.files["file:log.txt"] = b"ran"
    log = {"ref": "file:log.txt", "sha256": sha(b"ran")}
    chat.do("progress", progress(chat, outcomes={"out-3.5": {"evidence": [log]}}))
    done = progress(chat, outcomes={"out-3.5": {"state": "DONE"}})
    chat.world.files["file:log.txt"] = b"ran not"
    assert chat.refused("progress", done).code == "evidence-unproven"
    chat.world.files["file:log.txt"] = b"ran"
    digest = chat.contract()["outcomes"][0]["bindings"][0]["sha256"]
    source = chat.world.sources.pop(digest)
    refusal = chat.refused("progress", done)
    assert refusal.code == "source-unproven"
    blocked = {"state": "BLOCKED", "blockers": ["the prompt's bytes are gone"]}
    chat.do("progress", progress(chat, outcomes={"out-3.5": blocked}))
    chat.world.sources[digest] = source
    chat.do("progress", done)


def test_while_a_prompt_waits_there_is_no_next_work(chat):
    source = chat.say("wait")
    brings = {"outcomes": {"out-3.5": {"state": "ACTIVE"}}}
    refusal = chat.refused("progress", progress(chat, **brings, next_work=["x"]))
    assert (refusal.code, refusal.pointer) == ("unclassified-source", "/next_work")
    assert refusal.ids == (source,)
    chat.do("progress", progress(chat, **brings))
    assert chat.state.outcomes["out-3.5"]["state"] == "ACTIVE"
