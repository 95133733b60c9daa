"""What each real client does with the hooks that `git intent install` gives it."""

from dataclasses import replace

import pytest

from tests.real_hosts.client import CHILD_TASK, FULL
from tests.real_hosts.model import Say
from tests.real_hosts.world import BEARING, OTHER, STANDING, TASK, eventually

pytestmark = pytest.mark.real_hosts


@pytest.fixture
def ready(client):
    """A client with hooks that run."""
    client.install()
    client.trust()
    return client


def objective(client) -> str:
    return f"/.git/intent/ledger/team/{client.session}/objective.txt"


def test_capture(ready):
    """a prompt is captured, byte for byte, in the chat of the client's own session id"""
    said = "Say what the café's »palettes« are.\nThen stop."
    turn = ready.say(said)
    assert turn.code == 0, turn.err
    assert ready.session
    assert eventually(ready.world.chats, [ready.session]) == [ready.session]
    assert ready.ledger.prompts() == [said]
    assert not ready.world.unbound()


def test_requirements(ready):
    """the model reads the standing requirement, and the one that bears on the prompt"""
    read = ready.say(TASK).of(TASK)[-1].all
    assert f"[{STANDING}]" in read
    assert f"[{BEARING}]" in read
    assert f"[{OTHER}]" not in read


def test_pointer(ready):
    """the model reads the path of the chat's objective.txt, and what is pending"""
    read = ready.say(TASK).of(TASK)[-1].all
    assert objective(ready) in read
    assert ready.ledger.pending()[0] in read


def test_resumed(ready):
    """a session that is resumed goes on with its chat, and is told what waits"""
    ready.say("First this.")
    first = ready.session
    ready.ledger.settle()
    turn = ready.say("Then that.")
    assert ready.session == first
    wanted = ["First this.", "Then that."]
    assert eventually(ready.ledger.prompts, wanted) == wanted
    assert ready.world.chats() == [first]
    assert ready.ledger.pending()[0] in turn.of("Then that.")[-1].all


def test_subagent(ready):
    """a subagent's prompt is no source of the chat, and leaves its objective alone"""
    ready.say("First this.")
    ready.ledger.settle()
    contract = ready.ledger.view()["contract_hash"]
    root = ready.session

    def script(talk):
        return Say("Seen.") if CHILD_TASK in talk.user else ready.delegate(talk)

    turn = ready.say("Have somebody look.", script)
    asked = turn.of(CHILD_TASK)
    assert asked, "no subagent has asked the model"
    assert not any(objective(ready) in talk.all for talk in asked)
    assert ready.session == root
    wanted = ["First this.", "Have somebody look."]
    assert eventually(ready.ledger.prompts, wanted) == wanted
    assert ready.world.chats() == [root]
    assert not ready.world.unbound()
    assert ready.ledger.view()["contract_hash"] == contract


def test_compaction(ready):
    """after compaction the model has the pointer back"""
    ready.say("First this.")
    ready.ledger.settle()
    talks = []

    def script(talk):
        talks.append(talk)
        return replace(ready.harmless(), tokens=FULL) if len(talks) == 1 else Say()

    ready.say("Then that.", script, *ready.compacting())
    assert any(map(ready.summarises, talks)), "nothing was compacted"
    assert objective(ready) in talks[-1].all


def test_held(client):
    """a HOLD of preflight stops an edit: the file stays, the model is told why"""
    client.install("--with-preflight")
    client.trust()
    target = client.world.project / "new.txt"

    def script(talk):
        return Say() if talk.outputs else client.edit(target, "edited")

    turn = client.say("Edit it.", script, *client.editing())
    assert not target.exists()
    waits = client.ledger.pending()[0]
    assert waits in turn.of("Edit it.")[-1].outputs[0]


def test_not_held(client):
    """the same edit goes through when nothing waits"""
    client.install("--with-preflight")
    client.trust()
    client.say("First this.")
    client.ledger.settle()
    target = client.world.project / "new.txt"

    def script(talk):
        if not talk.outputs:
            client.ledger.settle()
            return client.edit(target, "edited")
        return Say()

    client.say("Edit it.", script, *client.editing())
    assert target.read_text().strip() == "edited"


def test_untrusted(client):
    """without trust no hook runs, and `git intent doctor` says so"""
    client.install()
    client.say("Is anybody there?")
    assert client.world.chats() == []
    known = client.world.doctor(client.host)
    assert known["trusted"] == "no"
    assert known["fired"]["captures"] == 0


def test_trusted(ready):
    """with trust `git intent doctor` says that hooks are trusted and have run"""
    ready.say("Is anybody there?")
    known = ready.world.doctor(ready.host)
    assert known["trusted"] == "yes"
    assert known["fired"]["captures"] == 1
    assert known["fired"]["seen"] == 1


def test_recorded(ready):
    """at its end the chat is put on record with the user's words"""
    ready.world.git("config", "intent.scanAfterTasks", "false")
    ready.say("Never mix two palettes.")
    assert len(eventually(ready.world.runs)) == 1
