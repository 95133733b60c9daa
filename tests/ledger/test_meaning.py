"""The rules of classification and progress on disk: what is refused leaves no trace but
its evidence, and what is recorded is what everybody reads."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from git_intent.ledger.state import State
from tests.support import ledgers
from tests.support.chat import Documents, sha

PLAN = b"1. lexer\n2. parser\n"
CLI = ("--host", "claude", "--session", "s-1")


class Chat(Documents):
    """A chat on disk whose documents are made from what a reader sees."""

    def __init__(self, path: Path) -> None:
        self.disk = ledgers.Chat.init(path)
        self.disk.repo.git("config", "intent.ledgerHome", str(path))
        self.disk.repo.git("config", "intent.namespace", ledgers.NAMESPACE)
        self.said: dict[str, bytes] = {}

    @property
    def state(self) -> State:
        return self.disk.ledger.read().state

    def say(self, text: str) -> str:
        source = self.disk.say(text)
        self.said[source] = text.encode()
        return source

    def bytes_of(self, source: str) -> bytes:
        return self.said[source]

    def do(self, command: str, document: Any) -> str:
        answer = self.disk.do(command, document)
        assert answer.exit_code == 0, answer.as_json()
        return str(answer.event)

    def classify(self, source: str, disposition: str, *transitions, **more) -> str:
        document = self.classification(source, (disposition, transitions), **more)
        return self.do("classify-source", document)

    def refused(self, command: str, document: Any) -> dict[str, Any]:
        before = self.disk.everything()
        kept = len(self.disk.evidence("rejection"))
        answer = self.disk.do(command, document)
        assert answer.exit_code == 1
        assert not answer.recorded
        assert self.disk.everything() == before
        assert len(self.disk.evidence("rejection")) == kept + 1
        return answer.as_json()["refusal"]

    def current(self) -> dict[str, Any]:
        return json.loads((self.disk.folder / "current.json").read_bytes())

    def objective(self) -> str:
        return (self.disk.folder / "objective.txt").read_text("utf-8")


@pytest.fixture
def chat(memory: Path) -> Chat:
    """A contract, of which out-5.1 rests on the second prompt alone."""
    chat = Chat(memory / "home")
    source = chat.say("Port the parser. Never push.")
    chat.classify(
        source,
        "INITIAL",
        chat.add(source, "objective", "Port the parser"),
        chat.add(source, "prohibitions", "Never push"),
        chat.add(source, "outcomes", "The parser passes its tests"),
    )
    source = chat.say("And document it.")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "It is documented"))
    chat.disk.repo.write("PLAN.md", PLAN)
    chat.disk.repo.write("log.txt", b"ran")
    return chat


def progress(chat: Chat, **brings: Any) -> dict[str, Any]:
    return {"contract": chat.state.contract_hash, **brings}


def start(chat: Chat, *serves: str) -> dict[str, Any]:
    return {
        "tool": "Edit",
        "contract": chat.state.contract_hash,
        "serves": list(serves),
    }


def scope(**more: Any) -> dict[str, Any]:
    plan = {"ref": "file:PLAN.md", "sha256": sha(PLAN)}
    return {**plan, "phase": "2 of 3", "remaining": ["wire it"], **more}


def test_l037_what_is_refused_leaves_no_trace(chat):
    """A wrong document of each of L30, L36 to L44, L49, L50 and L82."""
    outcome, prohibition = "out-3.3", "pro-3.2"
    source = chat.say("And more of it. Less of that.")
    add = chat.add(source, "outcomes", "more")
    words = chat.worded(source, "other words")
    correct = {"op": "correct", "corrects": outcome, **words}
    older = chat.binding(next(iter(chat.said)))

    def bound(**wrong: Any) -> dict[str, Any]:
        return {**add, "bindings": [{**add["bindings"][0], **wrong}]}

    step = "/parts/0/transitions"
    for disposition, transitions, pointer in (
        ("DELETE", [add], "/parts/0/disposition"),
        ("INITIAL", [add], "/parts/0/disposition"),
        ("ADD", [bound(event="ev-1")], f"{step}/0/bindings/0/event"),
        ("ADD", [bound(sha256=sha(b""))], f"{step}/0/bindings/0/sha256"),
        ("ADD", [bound(span=[4, 2])], f"{step}/0/bindings/0/span"),
        ("ADD", [bound(span=[0, 999])], f"{step}/0/bindings/0/span"),
        ("ADD", [bound(span_sha256=sha(b""))], f"{step}/0/bindings/0/span_sha256"),
        ("ADD", [{**add, "bindings": [older]}], f"{step}/0/bindings/0/source"),
        ("ADD", [{**add, "bindings": []}], f"{step}/0/bindings"),
        ("ADD", [{**add, "colour": 1}], f"{step}/0/colour"),
        ("ADD", [{**words, "op": "clarify", "id": prohibition}], f"{step}/0/op"),
        ("CLARIFY", [], step),
        ("CORRECT", [{**correct, "id": outcome}], f"{step}/0/id"),
        ("CORRECT", [correct, correct], f"{step}/1/corrects"),
        ("REPLACE", [add], step),
        ("WITHDRAW", [{"op": "retire", "id": outcome}], step),
        ("WITHDRAW", [add], f"{step}/0/op"),
        ("ADD", [{"op": "reopen", "id": outcome, **words}], f"{step}/0/id"),
        (
            "ADD",
            [add, add, add, add, bound(span=[0, 999])],
            f"{step}/4/bindings/0/span",
        ),
    ):
        document = chat.classification(source, (disposition, transitions))
        assert chat.refused("classify-source", document)["pointer"] == pointer
    document = chat.classification(source, ("ADD", [add]), ("CORRECT", [correct]))
    document["parts"][1]["span"] = [0, 999]
    assert chat.refused("classify-source", document)["pointer"] == "/parts/1/span"


def test_l046_refused_progress_leaves_no_trace(chat):
    for brings, pointer in (
        ({"contract": sha(b"")}, "/contract"),
        ({"policies": []}, "/policies"),
        ({"outcomes_new": ["x"]}, "/outcomes_new"),
        ({"outcomes": {"out-9.9": {"state": "OPEN"}}}, "/outcomes/out-9.9"),
        ({"outcomes": {"out-3.3": {"text": "x"}}}, "/outcomes/out-3.3/text"),
        ({"outcomes": {"out-3.3": {"state": "WON"}}}, "/outcomes/out-3.3/state"),
        ({"next_work": [{"retire": "out-3.3"}]}, "/next_work/0"),
        ({"scope": scope(sha256=sha(b""))}, "/scope/sha256"),
        ({"scope": scope(remaining=["x"] * 500)}, "/scope/remaining"),
        ({"scope": scope(remaining=["x" * 9_000])}, "/scope/remaining/0"),
    ):
        document = {"next_work": ["x"], **progress(chat), **brings}
        assert chat.refused("progress", document)["pointer"] == pointer


def test_l024_l048_l051_what_everybody_reads_after_a_transition(chat):
    chat.do("action-start", start(chat))
    action = chat.do("action-start", start(chat)).replace("ev", "act")
    finish = {"action": action, "result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"}
    chat.do("action-finish", finish)
    chat.do("progress", progress(chat, next_work=["größer, 日本"]))
    assert "größer, 日本" in chat.objective()
    before = chat.current()
    source = chat.say("größer, 日本")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "größer, 日本"))
    after = chat.current()
    for name in ("pending_actions", "unknown_effects"):
        assert after[name] == before[name] != []
    added = after["contract"]["outcomes"].pop()
    assert after["contract"] == before["contract"]
    assert after["next_work"] is None
    disposed = chat.disk.events()[-1]["body"]
    assert disposed["disposes"] == before["next_work"]
    after["contract"]["outcomes"].append(added)
    text = json.dumps(after["contract"], sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == after["contract_hash"] == disposed["contract"]
    chat.disk.whole()


def lose(chat: Chat, text: bytes) -> None:
    """Take the blob of a source out of the home."""
    name = sha(text)
    git = chat.disk.repo.path / ".git"
    oid = chat.disk.repo.git("rev-parse", f"{chat.disk.ref}:sources/{name[:2]}/{name}")
    (git / "objects" / oid[:2] / oid[2:]).unlink()


@pytest.mark.parametrize("sealed", [False, True])
def test_l109_l111_a_lost_source_holds_what_rests_on_it_and_no_more(chat, sealed):
    if sealed:  # and behind a checkpoint, that is
        for number in range(70):
            chat.disk.spool(f"hm {number}")
        chat.disk.ledger.drain()
        for source in list(chat.state.sources):
            chat.disk.dispose(source)
        assert chat.disk.repo.git("ls-tree", chat.disk.ref, "checkpoint")
    assert chat.disk.do("action-start", start(chat, "out-5.1")).recorded
    lose(chat, b"And document it.")  # the next command notices
    refusal = chat.refused("action-start", start(chat, "out-5.1"))
    assert refusal["code"] == "source-unproven"
    assert refusal["ids"] == [list(chat.said)[1]]
    chat.do("action-start", start(chat, "out-3.3"))
    chat.do("action-start", start(chat))
    assert "out-5.1 OPEN UNPROVEN" in chat.objective()
    assert "out-3.3 OPEN\n" in chat.objective()


def test_l109_an_unproven_prohibition_is_still_shown(chat):
    lose(chat, b"Port the parser. Never push.")
    chat.do("action-start", start(chat, "out-5.1"))
    assert "pro-3.2 UNPROVEN" in chat.objective()
    assert "Never push" in chat.objective()


def test_l123_an_altered_file_holds_what_named_it(chat):
    log = chat.disk.repo.path / "log.txt"
    given = {"evidence": [{"ref": "file:log.txt", "sha256": sha(b"ran")}]}
    chat.do("progress", progress(chat, outcomes={"out-3.3": given}))
    chat.do("action-start", start(chat, "out-3.3"))
    kept = log.rename(log.with_name("kept.txt"))
    log.symlink_to(kept)  # the same bytes, by another way
    refusal = chat.refused("action-start", start(chat, "out-3.3"))
    assert refusal["code"] == "evidence-unproven"
    chat.do("action-start", start(chat, "out-5.1"))
    log.unlink()
    kept.rename(log)
    chat.do("action-start", start(chat, "out-3.3"))


def test_evidence_may_be_any_object_of_the_home(chat):
    head = chat.disk.repo.commit("all of it")
    commit = chat.disk.repo.git("cat-file", "commit", "HEAD") + "\n"
    given = {"evidence": [{"ref": f"git:{head}", "sha256": sha(commit.encode())}]}
    chat.do("progress", progress(chat, outcomes={"out-3.3": given}))
    given["evidence"][0]["ref"] = f"git:{'0' * 40}"
    refusal = chat.refused("progress", progress(chat, outcomes={"out-3.3": given}))
    assert refusal["code"] == "evidence-unproven"


def test_l129_l130_l131_l133_l134_one_scope_in_the_card(chat):
    chat.do("progress", progress(chat, scope=scope(), next_work=["the lexer"]))
    for number in range(3):
        chat.do("progress", progress(chat, scope=scope(phase=f"DONE {number}")))
    source = chat.say("more")
    chat.classify(source, "ADD", chat.add(source, "outcomes", "more"))
    done = {"state": "DONE", "evidence": [{"text": "all-done"}]}
    outcomes = dict.fromkeys(chat.ids("outcomes"), done)
    chat.do("progress", progress(chat, outcomes=outcomes, scope=scope(remaining=[])))
    card = chat.objective()
    assert card.count("file:PLAN.md") == 1
    assert '"2 of 3"' in card
    assert "DONE 2" not in card
    assert "complete" not in card.lower()
    assert "covered" not in card.lower()
    told = [
        event["body"] for event in chat.disk.events() if event["type"] == "progress"
    ]
    assert sum("scope" in body for body in told) == 5
    chat.disk.repo.write("PLAN.md", b"other")
    source = chat.say("all new")
    new = chat.add(source, "objective", "new")
    document = chat.classification(source, ("REPLACE", [new]), all="retire")
    assert chat.refused("classify-source", document)["pointer"] == "/parts/0/scope"
    document["parts"][0]["scope"] = "carry"
    chat.do("classify-source", document)
    assert "file:PLAN.md UNPROVEN" in chat.objective()


def test_l030_l035_the_commands_say_the_same_as_the_rules(chat):
    """Exit codes and JSON of the real program, of one right and one wrong document."""
    source = chat.say("And more of it.")
    document = chat.classification(source, ("ADD", [chat.add(source, "outcomes", "x")]))
    repo, before = chat.disk.repo, chat.disk.everything()
    wrong = {**document, "parts": [{**document["parts"][0], "disposition": None}]}
    for given, pointer in (
        (json.dumps(wrong), "/parts/0/disposition"),
        (json.dumps({**document, "policies": []}), "/policies"),
        (json.dumps(document)[:-1], ""),
    ):
        done = repo.intent("ledger", "classify-source", *CLI, input=given)
        assert done.code == 1, done.err
        assert json.loads(done.out)["refusal"]["pointer"] == pointer
        assert chat.disk.everything() == before
    done = repo.intent("ledger", "classify-source", *CLI, input=json.dumps(document))
    assert done.code == 0, done.err
    assert json.loads(done.out)["source"] == source
    given = {"contract": chat.current()["contract_hash"], "policies": []}
    done = repo.intent("ledger", "progress", *CLI, input=json.dumps(given))
    assert json.loads(done.out)["refusal"]["pointer"] == "/policies"


def intent(chat: Chat, *args: str, document: str = "", code: int = 0) -> str:
    """What `git intent ledger` prints."""
    done = chat.disk.repo.intent("ledger", *args, *CLI, input=document)
    assert done.code == code, (args, done.out, done.err)
    return done.out


def test_l049_the_log_tells_the_line_of_descent(chat):
    source = chat.say("leave the documents")
    chat.classify(source, "CORRECT", {"op": "retire", "id": "out-5.1"})
    source = chat.say("no, write some")
    words = chat.worded(source, "Some documents")
    chat.classify(source, "ADD", {"op": "reopen", "reopens": "out-5.1", **words})
    (reopened,) = set(chat.ids("outcomes")) - {"out-3.3"}
    source = chat.say("short ones")
    words = chat.worded(source, "Short documents")
    correct = {"op": "correct", "corrects": reopened, **words}
    chat.classify(source, "CORRECT", correct)
    (corrected,) = set(chat.ids("outcomes")) - {"out-3.3"}
    told = intent(chat, "log", reopened)
    assert f"out-5.1 -> {reopened} -> {corrected}" in told
    for words in ("It is documented", "Some documents", "Short documents"):
        assert words in told
    assert "Port the parser" not in told


def test_l134_no_command_chooses_a_phase(chat):
    chat.do("progress", progress(chat, scope=scope(phase="DONE", remaining=[])))
    assert 'phase as last given: "DONE"' in chat.objective()
    page = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
    ledger = page.read_text("utf-8").partition("## git intent ledger")[2]
    assert "--phase" not in ledger
    assert "advance" not in ledger


def test_l142_examples_are_accepted_by_the_commands_that_print_them(chat):
    gap = {"kind": "gap", "reason": "disk full", "sha256": sha(b"lost"), "bytes": 4}
    chat.disk.repo.write("prompt.txt", b"lost")
    for command in (
        "progress",
        "action-start",
        "action-finish",
        "capture",
        "classify-source",
        "capture",
        "dispose-source",
        "recover-source",
        "dispose-gap",
        "reconcile-effect",
    ):
        if command in ("recover-source", "dispose-gap"):
            chat.disk.spool(b"", **gap)
        elif command == "reconcile-effect":
            for source in list(chat.state.sources):
                chat.disk.dispose(source)
            action = chat.do("action-start", start(chat)).replace("ev", "act")
            finish = {"result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"}
            chat.do("action-finish", {"action": action, **finish})
        example = intent(chat, command, "--example")
        told = json.loads(intent(chat, command, document=example))
        assert told["recorded"], told
        assert told["event"] == f"ev-{chat.state.seq}"
