"""What hosts really send, where a collection of it is at hand."""

import json
from pathlib import Path

import pytest

from git_intent.hosts import event as events
from git_intent.hosts import handle
from tests.support.session import Session, listing

RECORDED = Path(__file__).resolve().parents[3] / "shared/data/hook_payloads"
CHILD_ROOT = "87908026-72ea-4d25-9b64-6b65b27e7aa9"


def payloads():
    return sorted(RECORDED.glob("*.json")) if RECORDED.is_dir() else []


def named(path, sent):
    """The host and its name of the event."""
    host, _, rest = path.stem.partition("-")
    name = rest.split(".", 3)[3].removeprefix("child.")
    if host == "opencode":
        given = sent.get("input", sent)
        name = given.get("type") or {
            "system.transform": "experimental.chat.system.transform",
            "session.compacting": "experimental.session.compacting",
        }.get(name, name)
        return host, name
    native = sent.get("hook_event_name", name)
    return host, native.removeprefix("from-dot-claude-settings.").partition(".")[0]


@pytest.mark.parametrize("path", payloads(), ids=lambda path: path.name)
def test_l072_l073_what_hosts_really_send(repo, home, path):
    """A root's prompt opens its chat; whatever else happens, nothing is written."""
    raw = path.read_bytes()
    sent = json.loads(raw)
    host, native = named(path, sent)
    module = handle.host_module(host)
    inner = sent.get("input", sent)
    session = next(
        inner[name]
        for name in ("session_id", "sessionId", "sessionID", "keys", "properties")
        if name in inner
    )
    chat = Session(repo, session, host=host).configure()
    if ".child." in path.name and host == "opencode":
        tell_parent(chat)
    before = listing(home, repo.path)
    answer = chat.hook(native, raw)
    child = ".child." in path.name
    ends = module.EVENTS.get(native) == events.SESSION_END and not child
    assert chat.ended == ([[host, session, str(repo.path)]] if ends else [])
    if module.EVENTS.get(native) == events.PROMPT and not child:
        text = sent.get("prompt") or sent["output"]["parts"][0]["text"]
        assert chat.sources() == [text.encode()]
        assert answer.context.splitlines()[0] == chat.place.objective
        assert len(chat.pending()) == 1
        return
    unknown = sent.get("source") == "compact"
    assert unknown == (b"no chat is known for this session" in answer.out)
    assert unknown or answer.out == b""
    assert answer.notes == []
    assert repo.git("for-each-ref") == ""
    kept = listing(home, repo.path)
    if native == "session.created" and child:
        kept = {name: found for name, found in kept.items() if "/.local" not in name}
        before = {n: found for n, found in before.items() if "/.local" not in n}
    assert kept == before


def tell_parent(chat):
    """As the host does before a subagent's first prompt."""
    path = RECORDED / "opencode-1.18.33.child.event.session.created.json"
    created = json.loads(path.read_bytes())
    info = created["properties"]["info"]
    if isinstance(chat.session, str):
        info["id"] = chat.session
    chat.hook("session.created", json.dumps(created).encode())


@pytest.mark.skipif(not payloads(), reason="no recorded payloads are at hand")
def test_l017_geminis_recorded_prompt_has_its_block_skipped(repo):
    raw = (RECORDED / "gemini-0.61.0.BeforeAgent.json").read_bytes()
    chat = Session(repo, json.loads(raw)["session_id"], host="gemini").configure()
    chat.hook("BeforeAgent", raw)
    (source,) = chat.view()["pending_sources"]
    ((start, end),) = source["skip"]
    data = chat.blob(source["sha256"])
    assert (start, data[end:]) == (0, b"\n\nhello USESHELL please")


@pytest.mark.skipif(not payloads(), reason="no recorded payloads are at hand")
def test_l076_copilots_recorded_child_asks_about_its_root(repo):
    raw = (RECORDED / "copilot-1.0.102.child.preToolUse.json").read_bytes()
    chat = Session(repo, CHILD_ROOT, host="copilot").configure()
    repo.git("config", "intent.ledger.tools.copilot.mutation", "bash")
    assert chat.hook("preToolUse", raw).out == b""
    chat.prompt("of the user")
    assert chat.pending()[0] in chat.hook("preToolUse", raw).denied
