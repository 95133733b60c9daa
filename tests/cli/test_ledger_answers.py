"""What the commands of the ledger say: refusals, examples, characters, exit codes."""

import json
import os
import pty
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from git_intent.cli.ledger import COMMANDS
from git_intent.ledger import spool
from git_intent.ledger.refusal import CODES
from tests.cli.test_ledger_actions import lose
from tests.support.chat import sha
from tests.support.desk import WHO, WRITERS, Desk, here
from tests.support.ledgers import header
from tests.support.repo import _SOURCE

STRANGER = ("--host", "claude", "--session", "s-2")
READERS = ("show", "log", "sources", "verify")
ODD = "Grüße 你好 🦀 \u2028 \u202e \x1b[31m \u0000 end"


def second(desk: Desk) -> Desk:
    """Another session, which owns a chat of its own."""
    other = Desk(desk.repo, who=STRANGER)
    other.session.session = "s-2"
    return other


@pytest.mark.parametrize("owns", [False, True])
def test_l007_whoever_does_not_own_a_ledger_reads_it_only(desk, owns):
    desk.initial()
    if owns:
        second(desk).initial()
    who = (*STRANGER, "--chat", "s-1")
    for command in WRITERS:
        document = json.loads(desk.text(command, *WHO, "--example"))
        refusal = desk.refused(command, document, *who)
        assert refusal["code"] == "reference-only"
    for command, more in (
        ("recover-ref", ()),
        ("accept-head", ("--head", "0", "--note", "n")),
    ):
        done = desk.run(command, *who, *more)
        assert json.loads(done.out)["refusal"]["code"] == "reference-only"
    for reader in READERS:
        assert desk.run(reader, *who).code == 0, reader


def test_l007_a_session_bound_as_reader_reads_only(desk):
    desk.initial()
    note = ("--role", "reader", "--note", "looks on")
    assert desk.run("bind", *STRANGER, "--chat", "s-1", *note).code == 0
    for command in WRITERS:
        document = json.loads(desk.text(command, *WHO, "--example"))
        assert desk.refused(command, document, *STRANGER)["code"] == "reference-only"
    for reader in READERS:
        assert desk.run(reader, *STRANGER).code == 0, reader


def test_l007_l085_whether_a_session_owns_is_asked_again_under_the_lock(desk):
    desk.initial()
    desk.real = True
    answers = []

    def write() -> None:
        answers.append(desk.run("action-start", *WHO, document=start(desk)))

    with desk.busy():
        waiting = threading.Thread(target=write)
        waiting.start()
        time.sleep(1)  # it has found that it owns the ledger, and waits for the lock
        words = ("bind", *STRANGER, "--chat", "s-1", "--note", "takes over")
        assert json.loads(desk.text(*words))["recorded"]
    waiting.join()
    assert code_of(answers[0]) == "reference-only"
    assert desk.shown()["pending_actions"] == []


def test_l077_a_configured_child_writes_nothing_with_its_own_id(desk):
    desk.initial()
    child = ("--host", "claude", "--session", "child-1")
    note = ("--role", "child", "--note", "a subagent")
    assert desk.run("bind", *child, "--chat", "s-1", *note).code == 0
    for command in ("progress", "classify-source", "action-start"):
        document = json.loads(desk.text(command, *WHO, "--example"))
        assert desk.refused(command, document, *child)["code"] == "reference-only"
    document = json.loads(desk.text("progress", *WHO, "--example"))
    desk.do("progress", document)  # with the parent's id nothing tells it apart


def test_l011_a_bind_needs_a_note_and_moves_ownership(desk):
    desk.initial()
    words = ("bind", *STRANGER, "--chat", "s-1")
    done = desk.run(*words)
    assert (done.code, json.loads(done.out)["refusal"]["pointer"]) == (1, "/note")
    assert json.loads(desk.text(*words, "--note", "resumed"))["recorded"]
    other = second(desk)
    told = json.loads(other.text("owner-view", *STRANGER))
    assert (told["access"], told["chat"]) == ("OWNER", "s-1")
    assert json.loads(desk.text("owner-view", *WHO))["access"] == "REFERENCE_ONLY"
    other.session.prompt("goes on")
    assert b"goes on" in desk.session.sources()


def test_l012_what_is_excluded_is_captured_no_more(desk):
    desk.initial()
    done = desk.run("exclude", *WHO)
    assert json.loads(done.out)["refusal"]["pointer"] == "/note"
    desk.text("exclude", *WHO, "--note", "private from here on")
    before = desk.tip()
    desk.session.prompt("secret")
    desk.session.hook("SessionStart", source="compact")
    assert desk.tip() == before
    told = json.loads(desk.text("owner-view", *WHO))
    assert (told["role"], told["binding"]["note"]) == (
        "excluded",
        "private from here on",
    )


# Every refusal


def refuse_each(desk: Desk) -> dict[str, dict]:
    """Provoke the refusals that a document or a state can have; by code."""
    found: dict[str, dict] = {}

    def note(refusal: dict) -> None:
        found.setdefault(refusal["code"], refusal)

    hash_ = desk.hash()
    note(desk.refused("progress", b"{"))
    note(desk.refused("action-start", start(desk, serves=["out-9.9"])))
    note(desk.refused("action-start", {"tool": "E", "contract": "0" * 64}))
    note(
        desk.refused(
            "progress", {"contract": hash_, "next_work": []}, *STRANGER, "--chat", "s-1"
        )
    )
    action = desk.unknown()
    note(desk.refused("action-start", start(desk, depends=[action])))
    wrong = {"action": action, "result": "FAILED", "effect": "NONE"}
    note(desk.refused("action-finish", wrong))
    note(desk.refused("action-start", start(desk, retries=desk.start())))
    desk.do("action-start", start(desk, request="r"))
    note(desk.refused("action-start", start(desk, request="r", what="other")))
    gone = [{"ref": "file:gone", "sha256": "0" * 64}]
    wrong = {"action": action, "effect": "APPLIED", "evidence": gone}
    note(desk.refused("reconcile-effect", wrong))
    source = desk.say("The key is AKIAQ3EGRFQX7LMN2OPQ")
    add = desk.add(source, "outcomes", "use AKIAQ3EGRFQX7LMN2OPQ")
    document = desk.classification(source, ("ADD", [add]))
    note(desk.refused("classify-source", document))
    note(desk.refused("action-start", start(desk)))
    digest = sha(desk.bytes_of(source))
    name = desk.repo.git("rev-parse", f"{desk.ref}:sources/{digest[:2]}/{digest}")
    blob = desk.repo.path / f".git/objects/{name[:2]}/{name[2:]}"
    data = blob.read_bytes()
    blob.unlink()
    note(desk.refused("classify-source", document))
    blob.write_bytes(data)
    desk.dispose(source)
    gap = lose(desk)
    desk.session.ledger.drain()
    note(desk.refused("action-start", start(desk)))
    desk.do("dispose-gap", {"gap": gap, "note": "gone"})
    return found


def start(desk: Desk, **more) -> dict:
    return {"tool": "Edit", "contract": desk.hash(), **more}


def test_l079_each_refusal_leaves_everything_and_one_record(desk):
    desk.initial()
    found = refuse_each(desk)
    assert set(found) == {
        *("invalid-document", "unknown-id", "stale-contract", "reference-only"),
        *("dependency-held", "already-settled", "not-allowed", "request-reused"),
        *("evidence-unproven", "secret-found", "unclassified-source", "gap-open"),
        "source-unproven",
    }
    for code, refusal in found.items():
        assert refusal["hint"], code


def code_of(done) -> str:
    assert done.code == 1, done
    return json.loads(done.out)["refusal"]["code"]


def test_l079_refusals_of_a_ledger_that_cannot_be_written(desk, home):
    assert code_of(desk.run("progress", *STRANGER, document={})) == "no-ledger"
    desk.initial()
    document = start(desk)

    def tried() -> str:
        return code_of(desk.run("action-start", *WHO, document=document))

    with desk.busy():
        done = desk.session.ledger.write(
            "action-start", document, desk.session.owner, 0
        )
        assert done.refusal.code == "lock-busy"
        lock = (desk.folder / "lock").read_bytes()
        alive = desk.run("recover-lock", *WHO, "--sha256", sha(lock))
        assert code_of(alive) == "owner-alive"
    (desk.folder / "lock").write_bytes(b"{}\n")
    unknown = desk.run("recover-lock", *WHO, "--sha256", sha(b"{}\n"))
    assert code_of(unknown) == "owner-unknown"
    (desk.folder / "lock").unlink()
    path = desk.repo.path / ".git" / f"{desk.ref}.lock"
    path.write_bytes(b"")
    assert tried() == "ref-locked"
    path.unlink()
    tip = desk.tip()
    desk.repo.git("update-ref", desk.ref, f"{tip}~1")
    assert tried() == "ref-rewound"
    assert desk.run("recover-ref", *WHO).code == 0
    assert desk.tip() == tip
    blob = desk.repo.git("rev-parse", f"{desk.ref}:journal/000001.jsonl")
    loose = desk.repo.path / f".git/objects/{blob[:2]}/{blob[2:]}"
    data = loose.read_bytes()
    loose.unlink()
    assert tried() == "ledger-unproven"
    loose.write_bytes(data)
    desk.repo.git("config", "--unset", "intent.ledgerHome")
    pins = home / ".local" / "state" / "git-intent" / "pins"
    shutil.rmtree(pins)
    assert tried() == "no-home"


def test_l099_a_rewound_ref_is_put_back_though_no_pin_is_left(desk, home):
    desk.initial()
    tip = desk.tip()
    desk.repo.git("update-ref", desk.ref, f"{tip}~1")
    shutil.rmtree(home / ".local/state/git-intent/pins")
    assert code_of(desk.run("show", *WHO, "--json")) == "ref-rewound"
    stranger = desk.run("recover-ref", *STRANGER, "--chat", "s-1")
    assert code_of(stranger) == "reference-only"
    assert desk.run("recover-ref", *WHO).code == 0
    assert desk.tip() == tip
    desk.repo.git("update-ref", desk.ref, f"{tip}~1")
    told = json.loads(desk.run("verify", *WHO, "--json").out)
    assert [each["code"] for each in told["findings"]] == ["ref-rewound"]
    assert told["seq"] > 0
    assert told["head"] in desk.run("verify", *WHO).out
    refused = desk.run("accept-head", *WHO, "--head", "0" * 64, "--note", "seen")
    assert code_of(refused) == "not-allowed"
    assert told["head"] in json.loads(refused.out)["refusal"]["message"]
    accepted = ("accept-head", *WHO, "--head", told["head"], "--note", "seen")
    assert desk.run(*accepted).code == 0
    assert desk.run("verify", *WHO).code == 0


def test_l079_a_record_of_a_large_document_has_its_bound(desk):
    desk.initial()
    text = "x" * ((1 << 20) - 100)
    document = {"contract": desk.hash(), "next_work": [text]}
    desk.refused("progress", document)
    names = desk.session.ledger.evidence.names("rejection")
    assert (desk.folder / "faults" / names[-1]).stat().st_size <= 4096


def test_l079_refusals_of_journals_that_are_not_what_they_were(desk):
    desk.initial()
    document, tip = start(desk), desk.tip()

    def tried() -> str:
        return code_of(desk.run("action-start", *WHO, document=document))

    def rewritten(change) -> None:
        desk.rewrite("journal/000001.jsonl", change)

    rewritten(lambda data: data.replace(b"policies of old", b"policies of new"))
    assert tried() == "ledger-corrupt"
    desk.repo.git("update-ref", desk.ref, tip)
    later = b'{"v":2,"seq":4}\n'
    rewritten(lambda data: data + later.replace(b'"v":2,"seq":4', b'"seq":4,"v":2'))
    assert tried() == "newer-version"
    assert "written by a newer version" in desk.run("show", *WHO).err
    desk.repo.git("update-ref", desk.ref, tip)
    desk.start()


def test_l079_refusals_of_ids_and_of_chats_that_moved(desk):
    desk.initial()
    for last in "12":
        data = last.encode()
        told = {**header(data), "id": f"src-{'a' * 31}{last}"}
        spool.spool(str(desk.folder / "inbox"), told, data)
    desk.session.ledger.drain()
    document = {"source": "src-aaaa", "reason": "INTERNAL", "note": "n"}
    refusal = desk.refused("dispose-source", document)
    assert (refusal["code"], len(refusal["ids"])) == ("ambiguous-id", 2)
    second(desk).say("resumed")
    desk.text("bind", *STRANGER, "--chat", "s-1", "--note", "the same chat")
    third = ("--host", "claude", "--session", "s-3")
    moved = desk.run("bind", *third, "--chat", "s-2", "--note", "after it")
    assert code_of(moved) == "ledger-closed"


def test_l079_every_code_of_the_list_is_provoked_here():
    """Those of push and fetch are provoked in their own tests."""
    elsewhere = {"not-forward", "remote-failed"}
    text = Path(__file__).read_text("utf-8")
    missing = {code for code in CODES if f'"{code}"' not in text}
    assert missing <= elsewhere


# Characters


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_l119_json_is_ascii_and_says_exactly_what_was_said(desk, locale):
    source = desk.say(ODD)
    desk.classify(source, ("INITIAL", [desk.add(source, "outcomes", ODD)]))
    desk.do("progress", {"contract": desk.hash(), "next_work": ["Grüße 🦀"]})
    desk.start(what=ODD)
    env = {"LC_ALL": locale, "PYTHONIOENCODING": "cp1252"}
    for words in (
        ("show", "--json"),
        ("log", "--json"),
        ("sources", "--json"),
        ("read-source", source, "--json"),
        ("verify", "--json"),
        ("owner-view",),
    ):
        done = desk.repo.intent("ledger", *words, *WHO, env=env)
        assert done.code == 0, (words, done.err)
        assert max(done.out.rstrip("\n")) <= "~"
        assert "\n" not in done.out.rstrip("\n")
    told = json.loads(desk.text("read-source", source, *WHO, "--json"))
    assert told["text"] == ODD
    (outcome,) = desk.shown()["contract"]["outcomes"]
    assert outcome["text"] == ODD
    raw = desk.repo.intent("ledger", "read-source", source, *WHO, env=env)
    assert raw.out == ODD
    for words in (("show",), ("log",)):
        text = desk.repo.intent("ledger", *words, *WHO, env=env).out
        assert not {"\u2028", "\u202e", "\x1b", "\0"} & set(text)
        assert "你好" in text


def test_l119_halves_of_pairs_come_back_as_the_same_escape(desk):
    source = desk.say("a \ud800 b")
    printed = desk.text("read-source", source, *WHO, "--json")
    assert "\\ud800" in printed
    assert json.loads(printed)["text"] == "a \ud800 b"


def test_l119_on_a_terminal_as_well(desk):
    desk.say(ODD)
    parent, child = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "git_intent", "ledger", "sources", *WHO, "--json"],
        cwd=desk.repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE, "LC_ALL": "C"},
        stdout=child,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(child)
    out = os.read(parent, 1 << 16)
    os.close(parent)
    assert (done.returncode, out.isascii()) == (0, True)
    assert len(json.loads(out)["sources"]) == 1


# The card and its files


def test_l124_the_card_has_what_is_in_force_and_no_old_advice(desk):
    assert "no contract yet" in card_of(desk.say("one"), desk)
    desk.dispose(desk.sources()[0])
    desk.initial()
    scope = desk.repo.write("plan.md", "the plan")
    desk.do("progress", {"contract": desk.hash(), "next_work": ["old advice"]})
    source = desk.say("Also document it.")
    desk.classify(source, ("ADD", [desk.add(source, "outcomes", "documented")]))
    shown = {"ref": "file:plan.md", "sha256": sha(scope.read_bytes())}
    desk.do(
        "progress",
        {
            "contract": desk.hash(),
            "next_work": ["new advice"],
            "scope": {**shown, "phase": "building", "remaining": ["the rest"]},
        },
    )
    unknown, pending = desk.unknown(), desk.start()
    waiting, gap = desk.say("wait"), lose(desk)
    desk.session.ledger.drain()
    card = desk.card()
    for what in (
        *("policies of old", "constraints of old", "prohibitions of old"),
        *("documented", unknown, pending, waiting, gap, "new advice"),
        *("file:plan.md", "building", "the rest"),
        *(f"{desk.folder}/{name}" for name in ("current.json", "journal.jsonl")),
    ):
        assert what in card, what
    assert "old advice" not in card
    last = desk.say("Drop all of it.")
    desk.dispose(waiting)
    desk.classify(last, ("WITHDRAW", []), all="retire", scope="drop")
    assert "status WITHDRAWN" in desk.card()
    assert "of old" not in desk.card()


def card_of(source: str, desk: Desk) -> str:
    assert source in desk.card()
    return desk.card()


def test_l125_the_pointers_lead_to_files_of_the_same_head(tmp_path, home, monkeypatch):
    from tests.support.chat import replayed
    from tests.support.repo import Repo

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    desk = Desk(Repo.init(tmp_path / "a home with blanks")).configure().initial()
    head = desk.card().splitlines()[0].split()[-1]
    pointers = [line.strip() for line in desk.card().splitlines()[-2:]]
    assert [p.strip("'").rpartition("/")[2] for p in pointers] == [
        "current.json",
        "journal.jsonl",
    ]
    current = json.loads((desk.folder / "current.json").read_bytes())
    lines = (desk.folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    assert sha(lines[-1]) == current["head"] == head
    from git_intent.files import canonical_json
    from git_intent.ledger.view import view

    again = canonical_json(view(replayed(lines)))
    assert again == (desk.folder / "current.json").read_bytes()


def test_l126_a_long_history_leaves_the_card_as_it_is(desk):
    desk.initial()
    before = desk.card().splitlines()[1:]
    for number in range(20):
        desk.finish(desk.start(), note=f"n{number}")
    desk.dispose(desk.say("by the way"))
    after = desk.card().splitlines()[1:]
    assert after == before
    assert "{" not in "".join(after)
    done = {"out-3.5": {"state": "DONE", "evidence": [{"text": "x"}]}}
    desk.do("progress", {"contract": desk.hash(), "outcomes": done})
    assert "  done: 1" in desk.card()
    assert "out-3.5" not in desk.card()


def test_l107_the_log_is_in_the_order_of_the_numbers(desk):
    ledger = desk.session.ledger
    desk.initial()
    ledger.clock = lambda: 1_000_000.0  # long before
    document = {"tool": "Edit", "contract": desk.hash()}
    assert ledger.write("action-start", document, desk.session.owner).recorded
    desk.finish("act-4")
    numbers = [
        int(line[:5])
        for line in desk.text("log", *WHO).splitlines()
        if line[:5].strip()
    ]
    assert numbers == [1, 2, 3, 4, 5]
    assert desk.run("verify", *WHO).code == 0


# Documents


def test_l142_examples_are_accepted_as_they_are(desk):
    desk.repo.write("prompt.txt", "lost words")
    desk.say("one")
    gap = None
    for command in (
        *("classify-source", "capture", "classify-source", "progress"),
        *("action-start", "action-finish"),
    ):
        example = desk.text(command, *WHO, "--example")
        done = desk.run(command, *WHO, document=example.encode())
        assert done.code == 0, (command, done)
    desk.unknown()
    example = desk.text("reconcile-effect", *WHO, "--example")
    desk.do("reconcile-effect", json.loads(example))
    desk.say("two")
    desk.do(
        "dispose-source", json.loads(desk.text("dispose-source", *WHO, "--example"))
    )
    for command in ("recover-source", "dispose-gap"):
        gap = lose(desk)
        example = json.loads(desk.text(command, *WHO, "--example"))
        assert example["gap"] == gap
        desk.do(command, example)


WRONG = {
    "empty": b"",
    "text": b"no JSON",
    "cut": b'{"contract": ',
    "not a number": b'{"contract": NaN}',
    "infinite": b'{"contract": 1e999}',
    "twice": b'{"contract": "a", "contract": "b"}',
    "half a pair": b'{"contract": "\\ud800"}',
    "not UTF-8": b'{"contract": "\xff"}',
    "a mark": b'\xef\xbb\xbf{"contract": "a"}',
    "a list": b"[]",
    "null": b"null",
    "two": b"{} {}",
    "deep": b"[" * 10_000 + b"]" * 10_000,
    "large": b'{"contract": "' + b"x" * (2 << 20) + b'"}',
}


@pytest.mark.parametrize("command", ["progress", "classify-source"])
def test_l142_what_is_no_document_is_refused_without_a_traceback(desk, command):
    desk.initial()
    for name, data in WRONG.items():
        refusal = desk.refused(command, data)
        assert refusal["code"] == "invalid-document", name
    at = {"twice": "/contract", "half a pair": "/contract", "not a number": "/contract"}
    for name, pointer in at.items():
        assert desk.refused(command, WRONG[name])["pointer"] == pointer


def test_l142_a_wrong_type_is_named_at_its_field(desk):
    desk.initial()
    desk.unknown()
    desk.start()
    source = desk.say("one")
    before = desk.everything()
    for command in WRITERS:
        example = json.loads(desk.text(command, *WHO, "--example"))
        wrong = {f"/{name}": {**example, name: {"wrong": 1}} for name in example}
        wrong["/more"] = {**example, "more": 1}
        for pointer, document in wrong.items():
            done = desk.run(command, *WHO, document=document)
            refusal = json.loads(done.out)["refusal"]
            assert refusal["pointer"].startswith(pointer), (command, pointer)
    assert desk.everything() == before
    assert desk.listed("--pending")[0]["id"] == source


def test_l142_a_wrong_command_line_is_usage(desk, tmp_path):
    desk.say("one")
    for words in (
        ("progress",),
        ("progress", "--host", "claude"),
        ("progress", "--chat", "s-1"),
        ("progress", "--host", "", "--session", "", "--chat", "s-1"),
        ("progress", *WHO, "--file", str(tmp_path / "none")),
        ("show",),
        ("show", "--namespace", "team"),
        ("show", "--host", "claude"),
        ("show", "--chat", "x" * 300),
        ("no-command",),
        ("init",),
        ("init", "--namespace", ""),
        ("init", "--namespace", "a", "--global"),
        ("preflight", *WHO),
        ("bind", *WHO),
    ):
        done = desk.run(*words)
        assert (done.code, done.out) == (2, ""), words
        assert "Traceback" not in done.err


def test_the_chats_there_are_are_named_to_whoever_names_none(desk):
    desk.say("one")
    assert "there are 's-1'" in desk.run("show").err
    assert desk.run("show", "--chat", "s-1").code == 0
    assert desk.run("show", "--chat", "s-1", "--namespace", "team").code == 0


def test_a_refusal_of_a_text_command_is_said_on_stderr_alone(desk):
    for words in (("show",), ("log",), ("verify",), ("sources",)):
        done = desk.run(*words, "--chat", "nobody")
        assert (done.code, done.out) == (1, "")
        assert "has no ledger yet" in done.err
        done = desk.run(*words, "--chat", "nobody", "--json")
        assert json.loads(done.out)["refusal"]["code"] == "no-ledger"
    assert not (desk.folder.parent / "nobody").exists()


def test_verify_names_the_first_bad_event(desk):
    desk.initial()
    assert "is whole" in desk.text("verify", *WHO)
    blob = desk.repo.git("rev-parse", f"{desk.ref}:sources")
    (desk.repo.path / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    done = desk.run("verify", *WHO)
    assert (done.code, "NOT whole: the first bad event is 2" in done.out) == (1, True)
    told = json.loads(desk.run("verify", *WHO, "--json").out)
    assert (told["whole"], told["first_bad_seq"]) == (False, 2)


def test_a_capture_by_hand_begins_a_ledger(desk):
    done = desk.run("capture", *WHO, document={"text": " \n"})
    assert json.loads(done.out)["refusal"]["pointer"] == "/text"
    answer = desk.do("capture", {"text": "by hand"})
    (source,) = desk.listed()
    assert source["id"] == answer["source"]
    assert source["origin"] == "CALLER_SUPPLIED_UNVERIFIED"
    assert json.loads(desk.text("owner-view", *WHO))["pinned"]
    assert desk.run("verify", *WHO).code == 0


def test_a_prompt_of_no_chat_joins_one_when_it_is_named(desk):
    desk.say("one")
    desk.session.hook("UserPromptSubmit", session_id=7, prompt="lost")
    (unbound,) = json.loads(desk.text("owner-view", *WHO))["unbound"]
    desk.do("capture", {"unbound": unbound["id"]})
    assert desk.text("read-source", desk.sources()[-1], *WHO) == "lost"
    assert json.loads(desk.text("owner-view", *WHO))["unbound"] == []


def test_init_makes_a_bare_home_and_says_it_again(repo, home):
    path = home / "chats.git"
    words = ("ledger", "init", "--namespace", "me", "--home", str(path), "--global")
    done = here(repo, *words)
    assert done.code == 0, done
    assert "Made the bare repository" in done.out
    assert (path / "HEAD").exists()
    assert repo.git("config", "--global", "intent.ledgerHome") == str(path)
    again = here(repo, *words)
    assert (again.code, "Made" in again.out) == (0, False)
    plain = home / "folder"
    plain.mkdir()
    refused = here(repo, *words[:-2], str(plain))
    assert (refused.code, "not a git repository" in refused.err) == (1, True)


def test_every_command_of_the_group_is_in_its_overview(desk):
    told = desk.run("-h").out
    assert all(f"\n  {name} " in told for name in COMMANDS)
