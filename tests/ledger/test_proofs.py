"""What cannot be proved is shown, and holds what rests on it and nothing else."""

import pytest

from git_intent.ledger import fold, proofs
from git_intent.ledger.archive import Archive
from tests.support.chat import Chat, settled, sha


@pytest.fixture
def chat() -> Chat:
    """A chat whose outcome out-5.1 rests on a source of its own."""
    chat = settled()
    source = chat.say("and document it")
    chat.classify(
        source,
        "ADD",
        chat.add(source, "outcomes", "Documented"),
        chat.add(source, "prohibitions", "No HTML in the documents"),
    )
    return chat


def proved(chat: Chat, only=None) -> proofs.Proofs:
    world = chat.world
    return proofs.prove(
        chat.view(),
        world.read_source,
        world.read_evidence,
        world.read_reference,
        only,
    )


def start(chat: Chat, *serves: str, **more):
    return {
        "tool": "Edit",
        "contract": chat.state.contract_hash,
        "serves": list(serves),
        **more,
    }


def digest_of(chat: Chat, clause: str) -> str:
    found = next(
        held
        for field in ("prohibitions", "outcomes")
        for held in chat.contract()[field]
        if held["id"] == clause
    )
    return found["bindings"][0]["sha256"]


def test_what_is_whole_is_proved(chat):
    assert proved(chat).doubts == []
    assert proved(Chat()).doubts == []


@pytest.mark.parametrize("there", [None, b"and DOCUMENT it"])
def test_l109_l110_a_lost_source_holds_what_rests_on_it(chat, there):
    digest = digest_of(chat, "out-5.1")
    source = chat.contract()["outcomes"][-1]["bindings"][0]["source"]
    del chat.world.sources[digest]
    if there is not None:
        chat.world.sources[digest] = there
    found = proved(chat)
    reason = "missing" if there is None else "altered"
    assert [str(doubt) for doubt in found.doubts] == [f"source {source} is {reason}"]
    assert found.unproven() == {source, "out-5.1", "pro-5.2"}
    assert found.holding(["out-5.1"])
    assert not found.holding(["out-3.5", "act-1"])
    refusal = chat.refused("action-start", start(chat, "out-5.1"))
    assert (refusal.code, refusal.pointer) == ("source-unproven", "/serves/0")
    assert refusal.ids == (source,)
    chat.do("action-start", start(chat, "out-3.5"))
    chat.do("action-start", start(chat))


def test_l109_an_unproven_prohibition_stays_in_force(chat):
    del chat.world.sources[digest_of(chat, "pro-5.2")]
    assert "pro-5.2" in proved(chat).unproven()
    assert "pro-5.2" in [held["id"] for held in chat.view()["contract"]["prohibitions"]]


def test_l111_a_checkpoint_vouches_for_nothing(chat):
    part = chat.state.archive.seal()
    chat.state = fold.load(fold.dump(chat.state), Archive([part]))
    del chat.world.sources[digest_of(chat, "out-5.1")]
    assert "out-5.1" in proved(chat).unproven()
    assert (
        chat.refused("action-start", start(chat, "out-5.1")).code == "source-unproven"
    )


def test_l111_each_command_reads_anew(chat):
    chat.do("action-start", start(chat, "out-5.1"))
    del chat.world.sources[digest_of(chat, "out-5.1")]
    chat.refused("action-start", start(chat, "out-5.1"))


def test_a_forged_span_is_no_proof(chat):
    view = chat.view()
    view["contract"]["outcomes"][-1]["bindings"][0]["span_sha256"] = sha(b"else")
    world = chat.world
    found = proofs.prove(
        view, world.read_source, world.read_evidence, world.read_reference
    )
    assert "out-5.1" in found.unproven()


def evidence(chat: Chat, outcome: str, *items) -> None:
    given = {outcome: {"evidence": list(items)}}
    chat.do("progress", {"contract": chat.state.contract_hash, "outcomes": given})


def test_l123_an_altered_file_holds_what_named_it(chat):
    chat.world.files["file:log.txt"] = b"ran"
    log = {"ref": "file:log.txt", "sha256": sha(b"ran")}
    evidence(chat, "out-3.5", log)
    evidence(chat, "out-3.6", {"text": "seen"})
    assert proved(chat).doubts == []
    chat.world.files["file:log.txt"] = b"Ran"
    (doubt,) = proved(chat).doubts
    assert (doubt.kind, doubt.name, doubt.reason) == (
        "evidence",
        "file:log.txt",
        "altered",
    )
    assert doubt.claims == ["out-3.5"]
    assert chat.refused("action-start", start(chat, "out-3.5")).code == (
        "evidence-unproven"
    )
    chat.do("action-start", start(chat, "out-3.6"))
    del chat.world.evidence[sha(b"seen")]
    assert proved(chat).unproven() == {"out-3.5", "out-3.6"}
    # what was said of the file last is what counts
    evidence(chat, "out-3.5", {**log, "sha256": sha(b"Ran")})
    assert len(chat.state.outcomes["out-3.5"]["evidence"]) == 2
    chat.do("action-start", start(chat, "out-3.5"))


def test_l123_evidence_of_an_action(chat):
    chat.world.files["file:log.txt"] = b"ran"
    log = {"ref": "file:log.txt", "sha256": sha(b"ran")}
    action = chat.do("action-start", start(chat)).body["action"]
    chat.do(
        "action-finish",
        {
            "action": action,
            "result": "UNKNOWN_EFFECT",
            "effect": "UNKNOWN",
            "evidence": [log],
        },
    )
    assert not proved(chat).of(action)
    del chat.world.files["file:log.txt"]
    (doubt,) = proved(chat).of(action)
    assert (doubt.name, doubt.reason) == ("file:log.txt", "missing")
    told = {"action": action, "effect": "APPLIED", "evidence": [{"text": "looked"}]}
    chat.do("reconcile-effect", told)
    refusal = chat.refused("action-start", start(chat, depends=[action]))
    assert refusal.code == "evidence-unproven"
    chat.do("action-start", start(chat))


def test_l131_an_altered_scope_holds_what_was_given_under_it(chat):
    chat.world.files["file:PLAN.md"] = b"plan"
    scope = {
        "ref": "file:PLAN.md",
        "sha256": sha(b"plan"),
        "phase": "1",
        "remaining": [],
    }
    under = {"out-3.5": {"evidence": [{"text": "under the scope"}]}}
    contract = chat.state.contract_hash
    evidence(chat, "out-3.6", {"text": "before it"})
    chat.do(
        "progress",
        {"contract": contract, "scope": scope, "outcomes": under, "next_work": ["x"]},
    )
    assert proved(chat).doubts == []
    chat.world.files["file:PLAN.md"] = b"other plan"
    (doubt,) = proved(chat).doubts
    assert doubt.kind == "scope"
    assert set(doubt.claims) == {proofs.THE_SCOPE, proofs.NEXT_WORK, "out-3.5"}
    refusal = chat.refused("action-start", start(chat, "out-3.5"))
    assert refusal.code == "evidence-unproven"
    assert "PLAN.md" in refusal.message
    chat.do("action-start", start(chat, "out-3.6"))
    again = {**scope, "sha256": sha(b"other plan")}
    chat.do("progress", {"contract": contract, "scope": again})
    assert proved(chat).doubts == []
    chat.do("action-start", start(chat, "out-3.5"))


def test_pending_sources_and_recovered_gaps_are_proved(chat):
    source, gap = chat.say("more"), chat.lose("lost")
    recovered = chat.do("recover-source", {"gap": gap, "text": "lost"}).body["source"]
    assert proved(chat).doubts == []
    del chat.world.sources[sha(b"more")]
    chat.world.sources[sha(b"lost")] = b"LOST"
    found = proved(chat)
    assert [(doubt.kind, doubt.reason) for doubt in found.doubts] == [
        ("source", "missing"),
        ("source", "altered"),
        ("gap", "altered"),
    ]
    assert found.unproven() == {source, recovered, gap}


def test_only_what_is_asked_for_is_read(chat):
    asked = []

    def read(digest):
        asked.append(digest)
        return chat.world.read_source(digest)

    chat.say("pending")
    world = chat.world
    view = chat.view()
    proofs.prove(view, read, world.read_evidence, world.read_reference, {"out-5.1"})
    assert asked == [digest_of(chat, "out-5.1")]
    asked.clear()
    proofs.prove(view, read, world.read_evidence, world.read_reference)
    assert len(asked) == len(set(asked)) == 3
