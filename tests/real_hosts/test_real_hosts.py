"""What each real client does with the hooks that `git intent install` gives it."""

from dataclasses import replace

import pytest

from tests.real_hosts.client import CHILD_TASK, FULL
from tests.real_hosts.model import Say
from tests.real_hosts.world import BEARING, OTHER, STANDING, TASK, eventually

pytestmark = pytest.mark.real_hosts

_FORGOTTEN = "Saffron"
_CALLS = 4


@pytest.fixture
def ready(client):
    """A client with hooks that run."""
    client.install()
    client.trust()
    return client


def objective(client) -> str:
    return f"/.git/intent/ledger/team/{client.session}/objective.txt"


def test_capture(ready):
    """a prompt is kept, byte for byte, in the chat of the client's own session id"""
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
    read = turn.of("Then that.")[-1].all
    assert ready.ledger.pending()[0] in read
    assert "First this." in read, "the client has forgotten what the user said"


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
    """after compaction the model has the pointer back, at the latest with a prompt"""
    # much, but nothing that looks like a model caught in a loop
    long = f"{_FORGOTTEN} {' '.join(map(str, range(2000)))}"
    ready.say("First this.", lambda _: Say(long))
    ready.ledger.settle()
    talks = []

    def script(talk):
        if ready.summarises(talk):
            return Say("A summary.")
        talks.append(talk)
        if len(talks) > _CALLS:
            return Say()
        # some clients compact in the background, and drop that if the turn ends
        return replace(ready.harmless(), tokens=FULL if len(talks) == 1 else 20)

    last = ready.say("Then that.", script).talks[-1]
    if not ready.tells_after_compaction:
        last = ready.say("And now?").talks[-1]
    assert _FORGOTTEN in talks[0].all
    assert _FORGOTTEN not in last.all, "nothing was compacted"
    assert objective(ready) in last.all
    assert ready.ledger.pending()[-1] in last.all


def test_held(client):
    """a HOLD of preflight stops an edit: the file stays, the model is told why"""
    client.install("--with-preflight")
    client.trust()
    target = client.world.project / "new.txt"

    calls = client.edits(target, "edited")

    def script(talk):
        tried = len(talk.outputs)
        return calls[tried] if tried < len(calls) else Say()

    turn = client.say("Edit it.", script, *client.editing())
    assert not target.exists()
    answers = turn.of("Edit it.")[-1].outputs
    assert len(answers) == len(calls)
    waits = client.ledger.pending()[0]
    assert all(waits in answer for answer in answers)


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


def test_beside_claude(client):
    """with the hooks of Claude Code in the same project a prompt is kept once"""
    client.world.intent("install", "claude")
    client.install()
    client.trust()
    client.say("Say it once.")
    assert eventually(client.world.chats) == [client.session]
    assert client.ledger.prompts() == ["Say it once."]
    assert not client.world.unbound()


def test_recorded(ready):
    """at its end the chat is put on record with the user's words"""
    ready.world.git("config", "intent.scanAfterTasks", "false")
    ready.say("Never mix two palettes.")
    assert len(eventually(ready.world.runs)) == 1
