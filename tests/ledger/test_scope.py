"""The one reference to work that spans many steps."""

import pytest

from git_intent.files import canonical_json
from tests.support.chat import Chat, settled, sha

PLAN = b"1. lexer\n2. parser\n"


@pytest.fixture
def chat() -> Chat:
    chat = settled()
    chat.world.files["file:PLAN.md"] = PLAN
    return chat


def scope(**more):
    return {
        "ref": "file:PLAN.md",
        "sha256": sha(PLAN),
        "phase": "2 of 3",
        "remaining": ["wire the lexer to the parser"],
        **more,
    }


def progress(chat: Chat, **brings):
    return {"contract": chat.state.contract_hash, **brings}


def test_l129_evidence_and_next_work_carry_the_scope(chat):
    done = {"state": "DONE", "evidence": [{"text": "ran"}]}
    chat.do(
        "progress",
        progress(
            chat, scope=scope(), next_work=["the lexer"], outcomes={"out-3.5": done}
        ),
    )
    mark = {"ref": "file:PLAN.md", "sha256": sha(PLAN)}
    assert chat.view()["scope"] == scope()
    assert chat.state.next_work["scope"] == mark
    assert chat.state.outcomes["out-3.5"]["evidence"][0]["scope"] == mark


@pytest.mark.parametrize(
    ("wrong", "code", "pointer"),
    [
        ({"sha256": sha(b"")}, "evidence-unproven", "/scope/sha256"),
        ({"ref": "file:NONE.md"}, "evidence-unproven", "/scope/ref"),
        ({"ref": "PLAN.md"}, "invalid-document", "/scope/ref"),
        ({"ref": "file:../PLAN.md"}, "invalid-document", "/scope/ref"),
        ({"ref": "file:/PLAN.md"}, "invalid-document", "/scope/ref"),
        ({"ref": "git:HEAD"}, "invalid-document", "/scope/ref"),
        ({"matrix": []}, "invalid-document", "/scope/matrix"),
        ({"phase": "x" * 201}, "invalid-document", "/scope/phase"),
        ({"phase": None}, "invalid-document", "/scope/phase"),
    ],
)
def test_l129_a_scope_that_is_wrong_is_refused(chat, wrong, code, pointer):
    refusal = chat.refused("progress", progress(chat, scope=scope(**wrong)))
    assert (refusal.code, refusal.pointer) == (code, pointer)


def test_l129_a_scope_is_given_whole_or_not_at_all(chat):
    for name in scope():
        given = {key: held for key, held in scope().items() if key != name}
        refusal = chat.refused("progress", progress(chat, scope=given))
        assert refusal.pointer == f"/scope/{name}"
    assert chat.refused("progress", progress(chat, scope=None)).pointer == "/scope"


def test_l130_one_scope_through_everything_that_does_not_replace(chat):
    chat.do("progress", progress(chat, scope=scope()))
    before = canonical_json(chat.view()["scope"])
    source = chat.say("more")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "more"))
    done = {"state": "DONE", "evidence": [{"text": "ran"}]}
    chat.do("progress", progress(chat, outcomes={"out-3.5": done}, next_work=["x"]))
    source = chat.say("hm")
    chat.do(
        "dispose-source", {"source": source, "reason": "IRRELEVANT", "note": "a sigh"}
    )
    source = chat.say("less")
    clause = chat.ids("outcomes")[-1]
    chat.classify(source, "CORRECT", {"op": "retire", "id": clause})
    source = chat.say("I mean")
    words = chat.worded(source, "other words")
    chat.classify(
        source, "CLARIFY", {"op": "clarify", "id": chat.ids("policies")[0], **words}
    )
    assert canonical_json(chat.view()["scope"]) == before


def test_l130_ten_changes_leave_one_scope_and_ten_events(chat):
    for step in range(10):
        chat.do("progress", progress(chat, scope=scope(phase=f"step {step}")))
    assert chat.view()["scope"] == scope(phase="step 9")
    assert sum(b'"scope":' in line for line in chat.lines) == 10
    assert canonical_json(chat.view()).count(b"PLAN.md") == 1


@pytest.mark.parametrize("disposition", ["REPLACE", "WITHDRAW"])
def test_l131_replace_and_withdraw_say_what_becomes_of_it(chat, disposition):
    chat.do("progress", progress(chat, scope=scope()))
    source = chat.say("all new")
    transitions = (
        [chat.add(source, "objective", "new")] if disposition == "REPLACE" else []
    )
    document = chat.classification(source, (disposition, transitions), all="retire")
    assert chat.refused("classify-source", document).pointer == "/parts/0/scope"
    for wrong in ("keep", None, True):
        document["parts"][0]["scope"] = wrong
        assert chat.refused("classify-source", document).pointer == "/parts/0/scope"
    document["parts"][0]["scope"] = "carry"
    chat.do("classify-source", document)
    assert chat.state.scope == scope()
    later = chat.say("once more")
    new = chat.add(later, "objective", "newer")
    chat.classify(later, "REPLACE", new, all="retire", scope="drop")
    assert chat.state.scope is None


def test_l131_the_scope_is_named_where_there_is_one_to_name(chat):
    source = chat.say("all new")
    new = chat.add(source, "objective", "new")
    document = chat.classification(
        source, ("REPLACE", [new]), all="retire", scope="drop"
    )
    assert chat.refused("classify-source", document).pointer == "/parts/0/scope"
    chat.do("progress", progress(chat, scope=scope()))
    more = chat.add(source, "outcomes", "more")
    document = chat.classification(source, ("ADD", [more]), scope="carry")
    assert chat.refused("classify-source", document).pointer == "/parts/0/scope"


def test_l132_the_scope_is_a_few_lines(chat):
    for remaining, pointer in (
        ([f"line {number}" for number in range(500)], "/scope/remaining"),
        ([f"line {number}" for number in range(21)], "/scope/remaining"),
        (["x" * 201], "/scope/remaining/0"),
        (["ö" * 101], "/scope/remaining/0"),
        (["a | b\nc | d"], "/scope/remaining/0"),
        (["a\u2028b"], "/scope/remaining/0"),
        ("a\nb", "/scope/remaining"),
        ([["a"]], "/scope/remaining/0"),
    ):
        given = scope(remaining=remaining)
        refusal = chat.refused("progress", progress(chat, scope=given))
        assert refusal.pointer == pointer
    assert (
        "20"
        in chat.refused(
            "progress", progress(chat, scope=scope(remaining=["x"] * 500))
        ).message
    )
    chat.do("progress", progress(chat, scope=scope(remaining=["ö" * 100] * 20)))


def test_l133_nothing_completes_a_scope(chat):
    chat.do("progress", progress(chat, scope=scope()))
    done = {
        name: {"state": "DONE", "evidence": [{"text": "all-done"}]}
        for name in chat.ids("outcomes")
    }
    given = scope(remaining=[])
    chat.do("progress", progress(chat, outcomes=done, scope=given))
    view = canonical_json(chat.view()).lower()
    assert chat.view()["scope"] == given
    assert chat.state.scope["phase"] == "2 of 3"
    assert b"complete" not in view
    assert b"covered" not in view
    assert chat.state.status == "LIVE"


def test_l134_a_phase_is_a_word_that_is_copied(chat):
    chat.do("progress", progress(chat, scope=scope(phase="DONE", remaining=[])))
    assert chat.state.scope["phase"] == "DONE"
    assert {held["state"] for held in chat.state.outcomes.values()} == {"OPEN"}
    for command in ("action-start", "classify-source", "action-finish"):
        assert chat.refused(command, {"phase": "3 of 3"}).pointer == "/phase"
