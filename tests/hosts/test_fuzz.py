"""Whatever a host sends: exit code 0, and no output that it would misread."""

import json
import os
import random
import shutil

import pytest

from git_intent.hosts import draining, ending, lane
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.strict_json import payload as strictly
from tests.support import wording
from tests.support.repo import run_intent
from tests.support.session import Session
from tests.support.wording import HOSTS

EVENTS = (*wording.NATIVE, "PostToolUse", "Notification", "made-up", "")
VALUES = (None, True, 0, -1.5, 10**400, "", " ", "x" * 70_000, "\ud800", "漢\0", [], {})
TEXTS = ("words", "<hook_context>a</hook_context>\n\nwords", '{"a":', "\u2028", "")
NAMES = (
    *("session_id", "sessionId", "sessionID", "conversation_id", "prompt", "input"),
    *("output", "parts", "properties", "info", "parentID", "agent_id", "timestamp"),
    *("workspace_roots", "cwd", "hook_event_name", "tool_input", "toolArgs", "source"),
)


class Fuzz:
    """Payloads of all hosts, each with something wrong; the same ones for a seed."""

    def __init__(self, seed):
        self.pick = random.Random(seed)

    def trial(self):
        """Host, event as the command line has it, and the bytes."""
        pick = self.pick
        host, event = pick.choice(HOSTS), pick.choice(EVENTS)
        members = {
            "prompt": pick.choice(TEXTS),
            "tool_name": pick.choice(("edit", "Bash", 7)),
            "tool_input": {"command": "git intent ledger show"},
            "source": pick.choice(("startup", "compact", 3)),
            wording.TURN[host]: pick.choice(("t", 5, None)),
        }
        session = pick.choice(("s-1", "s-2", "", None, 5, ["s-1"]))
        sent = json.loads(wording.payload(host, event, session, members))
        for _ in range(pick.choice((0, 1, 1, 2, 4))):
            self.change(sent)
        raw = self.spoil(json.dumps(sent, ensure_ascii=pick.random() < 0.5))
        shown = pick.choice((wording.native(host, event), event, pick.choice(EVENTS)))
        return host, shown, raw

    def change(self, value):
        """Drop, replace or add a member somewhere."""
        pick = self.pick
        while isinstance(value, dict) and value:
            name = pick.choice(sorted(value))
            inner = value[name]
            if isinstance(inner, list) and inner and pick.random() < 0.5:
                inner = inner[0]
            if isinstance(inner, dict) and pick.random() < 0.7:
                value = inner
                continue
            if pick.random() < 0.3:
                del value[name]
            elif pick.random() < 0.3:
                value[pick.choice(NAMES)] = pick.choice(VALUES)
            else:
                value[name] = pick.choice(VALUES)
            return

    def spoil(self, text):
        raw = text.encode("utf-8", "surrogatepass")
        pick = self.pick
        kind = pick.randrange(12)
        at = pick.randrange(len(raw) + 1)
        if kind == 0:
            return raw[:at]
        if kind == 1:
            return raw[:at] + bytes([pick.randrange(256)]) + raw[at + 1 :]
        if kind == 2:
            return b"\xef\xbb\xbf" + raw
        if kind == 3:
            return b"[" * 5000 + raw
        if kind == 4:
            return raw + raw
        if kind == 5:
            return pick.randbytes(at)
        return raw


def well_formed(host, out):
    """Whether a host would read this as an answer of its own form."""
    if not out:
        return True
    strictly(out)
    assert out.isascii()
    assert out.endswith(b"\n")
    assert out.count(b"\n") == 1
    denies = b'"deny"' in out
    text = (wording.denied if denies else wording.context)(host, out)
    return 0 < len(text) <= 9500


def sent(repo, home, monkeypatch, seed, count):
    monkeypatch.setattr(draining, "detached", lambda *_: None)
    monkeypatch.setattr(draining, "at_once", lambda *_: [])
    monkeypatch.setattr(ending, "detached", lambda *_: None)
    Session(repo).configure()
    for host in HOSTS:
        repo.git("config", f"intent.ledger.tools.{host}.mutation", "edit")
    said = {}
    monkeypatch.setattr(lane, "_say", lambda data: said.update(out=data))
    monkeypatch.setattr(lane, "_note", lambda text: said["notes"].append(text))
    fuzz = Fuzz(seed)
    for number in range(count):
        if number % 40 == 0:
            for folder in (repo.path / ".git/intent", home / ".local"):
                shutil.rmtree(folder, ignore_errors=True)
        host, event, raw = fuzz.trial()
        said |= {"out": b"", "notes": []}
        monkeypatch.setattr(lane, "_input", lambda raw=raw: raw)
        words = ["--host", host, "--event", event]
        assert lane.run(words, os.environ, str(repo.path)) == 0
        where = (seed, number, host, event, raw[:2000])
        try:
            assert well_formed(host, said["out"]), (where, said)
        except (Refusal, ValueError, KeyError) as error:
            raise AssertionError((where, said)) from error
        assert not [n for n in said["notes"] if "own fault" in n], (where, said)


@pytest.mark.parametrize("seed", range(2))
def test_l121_anything_is_answered_as_the_host_reads_it(repo, home, monkeypatch, seed):
    sent(repo, home, monkeypatch, seed, 150)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_l121_twenty_thousand_payloads(repo, home, monkeypatch, seed):
    sent(repo, home, monkeypatch, seed, 1000)


@pytest.mark.parametrize("host", HOSTS)
def test_l121_a_payload_of_a_mebibyte_of_rubbish(repo, host):
    Session(repo, host=host).configure()
    for raw in (b"\0" * (1 << 20), b'{"a":"' + b"x" * (1 << 20)):
        done = run_intent(["hook", "--host", host], repo.path, raw)
        assert (done.code, done.out) == (0, "")
        assert "own fault" not in done.err
