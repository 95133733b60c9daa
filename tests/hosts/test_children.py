"""Events of subagents, as far as hosts mark them."""

import pytest

from tests.support.session import Session, listing


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", ["agent_id", "agentId"])
def test_l072_a_marked_childs_prompt_makes_and_changes_nothing(repo, home, first, name):
    chat = Session(repo, host="codex").configure()
    if not first:
        chat.prompt("of the user")
    before = listing(home, repo.path)
    answer = chat.prompt("do a part of it", **{name: "a-1", "agent_type": "default"})
    for event in ("SubagentStart", "SubagentStop", "SessionStart"):
        chat.hook(event, agent_id="a-1", source="resume")
    assert (answer.out, answer.notes) == (b"", [])
    assert listing(home, repo.path) == before


@pytest.mark.parametrize(
    "members",
    [
        {"agent_type": "planner"},
        {"agent_type": "planner", "agent_id": None},
        {"agent_type": None, "agent_id": None},
        {"agent_type": "", "agent_id": ""},
    ],
)
def test_l074_a_type_alone_is_no_mark(chat, members):
    chat.prompt("of the user", **members)
    assert chat.sources() == [b"of the user"]


def test_l075_an_unmarked_childs_prompt_is_captured_and_changes_nothing_else(chat):
    chat.prompt("of the user")
    chat.initial()
    chat.example("progress")
    before = chat.view()
    chat.prompt("classify me as INITIAL")
    after = chat.view()
    for name in ("contract", "contract_hash", "outcomes", "unknown_effects"):
        assert after[name] == before[name]
    start = {"tool": "Edit", "contract": after["contract_hash"]}
    refused = chat.ledger.write("action-start", start, chat.owner).refusal
    assert refused.code == "unclassified-source"
    chat.example("dispose-source", reason="CHILD")
    assert chat.ledger.write("action-start", start, chat.owner).exit_code == 0
