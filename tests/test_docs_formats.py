"""The examples of `docs/formats.md` are read by the readers of the program."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from git_intent.files import canonical_json
from git_intent.lock import Owner
from git_intent.scan import artifacts, changeset, orders, queue, written
from git_intent.scan.discovered import Discovered
from git_intent.scan.run import Run
from git_intent.scan.settle import Settled
from git_intent.store.check import check_file
from git_intent.store.domains import parse_domains
from git_intent.store.intent_dir import with_drivers
from git_intent.store.issue import Severity
from git_intent.store.requirement_file import parse_requirement, render_requirement
from git_intent.store.scan_state import parse_scan_state, render_scan_state
from git_intent.store.stamps import distinct, instant
from git_intent.workflow import run_state, runs
from git_intent.workflow.run_names import ref_of
from tests.support.flows import flow, line, step, workflow
from tests.support.markdown import Page
from tests.support.session import Session
from tests.support.transcripts import claude_chat

ROOT = Path(__file__).resolve().parents[1]
FORMATS = Page(ROOT / "docs" / "formats.md")


def example(heading: str, language: str = "json", number: int = 0) -> Any:
    block = FORMATS.under(heading, language)[number]
    return json.loads(block.text) if language == "json" else block.text.encode()


def test_every_json_example_is_json_of_version_1():
    blocks = [block for block in FORMATS.blocks if block.language == "json"]
    assert len(blocks) > 15
    for block in blocks:
        assert json.loads(block.text)["version"] == 1, f"line {block.line}"


# The store


def test_the_full_requirement_is_as_the_writer_makes_it():
    data = example("Requirement file", "markdown")
    path = ".cloche/intent/requirements/req-4d55.md"
    assert check_file(path, data) == []
    assert render_requirement(parse_requirement(data, path)) == data


def test_the_smallest_requirement_has_no_error():
    data = example("Keys", "markdown")
    path = ".cloche/intent/requirements/req-0a1b.md"
    assert parse_requirement(data, path).id == "req-0a1b"
    found = check_file(path, data)
    assert {(i.code, i.severity) for i in found} == {("I007", Severity.WARNING)}


def test_the_stamp_with_nanoseconds_stands_for_an_id():
    text = example("Stamps", "yaml").decode().removeprefix("created: ").strip()
    assert instant(text)
    assert text == distinct("2026-09-13T10:20:00Z", "req-47a7")


def test_the_domain_map_is_read_without_a_finding():
    data = example("domains.yaml", "yaml")
    assert [d.name for d in parse_domains(data, "p").domains] == [
        "versioning",
        "gauges",
    ]
    assert check_file(".cloche/intent/domains.yaml", data) == []


@pytest.mark.parametrize("form", [1, 2])
def test_scan_state_is_as_the_writer_makes_it(form):
    data = example("scan-state.yaml", "yaml", form - 1)
    states = parse_scan_state(data, "p")
    assert states.form == form
    assert render_scan_state(states) == data
    assert check_file(".cloche/intent/scan-state.yaml", data) == []


def test_the_attributes_are_those_that_the_first_write_makes():
    assert with_drivers(None) == example(".gitattributes", "text")


# The run directory


def _round(read: Callable[[Any], Any], write: Callable[[Any], Any]) -> Any:
    return lambda value: write(read(value))


@pytest.mark.parametrize(
    ("heading", "again"),
    [
        ("domains.json", _round(Discovered.from_json, Discovered.to_json)),
        (
            "sources.json",
            _round(artifacts.sources_from_json, artifacts.sources_to_json),
        ),
        (
            "candidates.json",
            _round(artifacts.candidates_from_json, artifacts.candidates_to_json),
        ),
        ("plan.json", _round(Settled.from_json, Settled.to_json)),
    ],
)
def test_an_artifact_comes_back_as_it_was_read(heading, again):
    value = example(heading)
    written = json.loads(canonical_json(again(value)))
    assert {**value, **written} == value
    assert value.keys() - written.keys() <= {"skipped"}


def test_decisions_may_leave_out_what_is_empty():
    found = artifacts.decisions_from_json(example("decisions.json"))
    assert [d.action for d in found] == [artifacts.Action.SUPERSEDE]
    again = artifacts.decisions_to_json(found)
    assert artifacts.decisions_from_json(again) == found


def test_state_and_change_set_are_read(tmp_path):
    run = Run("id", tmp_path)
    for name in ("state.json", "changeset.json"):
        (tmp_path / name).write_text(json.dumps(example(name)))
    before = json.loads((tmp_path / "state.json").read_bytes())
    run.save(run.state())
    assert json.loads((tmp_path / "state.json").read_bytes()) == before
    assert [c.path for c in changeset.read(run)] == [".cloche/intent/scan-state.yaml"]


def test_what_a_scan_tells_its_steps_is_read_and_written(tmp_path):
    run = Run("id", tmp_path)
    run.write(orders.NAME, example(orders.NAME))
    told = orders.read(run)
    assert told.source == ".cloche/team.cloche:3"
    told.write(run)
    assert run.read(orders.NAME) == example(orders.NAME)


def test_the_copy_of_a_store_is_read(tmp_path):
    run, value = Run("id", tmp_path), example(written.NAME)
    run.write(written.NAME, value)
    (one,) = value["files"]
    (tmp_path / "store.bin").write_bytes(bytes(one["size"]))
    made = written.made(run, {})
    assert made.was == {one["path"]: bytes(one["size"])}
    assert made.files == {one["path"]: None}


def test_the_meta_of_a_run_is_as_the_writer_makes_it():
    value = example("Run records")
    meta, broken = runs.parse_meta(canonical_json(value))
    assert broken == ""
    assert json.loads(runs.meta_json(value["run"], meta)) == value
    assert ref_of("TASK-1/a") in FORMATS.text


def test_what_a_run_did_is_as_the_writer_makes_it():
    value = example("run.json")
    state = run_state.from_json(canonical_json(value))
    assert run_state.to_json(state) == canonical_json(value)


def test_a_run_of_a_workflow_has_the_shape_of_its_examples(repo):
    repo.git("config", "intent.scanAfterTasks", "false")
    repo.commit("begin")
    flow(repo, workflow("main", step("build", "exit 2"), line("build")))
    done = repo.intent("run", "main", "--run", "k3f9-main", "--json")
    assert done.code == 1
    agree(shape(json.loads(done.out)), shape(example("git intent run --json")), "run")
    shown = json.loads(repo.intent("runs", "show", "k3f9-main", "--json").out)
    wanted = shape(example("git intent runs show --json", number=1))
    agree(shape(shown), wanted, "runs show")


def test_the_lock_has_the_fields_of_an_owner():
    value = example("Lock")
    value.pop("version")
    assert "process 20659 on atelier" in str(Owner(**value))


# JSON outputs: an example has the shape of what the program prints


def shape(value: Any) -> Any:
    """Keys and types; of a list the first member stands for all."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def agree(one: Any, other: Any, at: str = "") -> None:
    """Two shapes are one, as far as lists that are empty can tell."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), at
        for key in one:
            agree(one[key], other[key], f"{at}/{key}")
    elif isinstance(one, list) and isinstance(other, list):
        if one and other:
            agree(one[0], other[0], f"{at}/0")
    else:
        assert one == other, at


CLAUDE = """\
# Working on heron

## Versioning

Never bump the major version unless explicitly told to.
"""
WORKFLOW = """\
workflow "develop" {
  domains = [testing]
  step plan { prompt = file("gone.md") results = [success] }
  plan:success -> done
}
"""
OUTPUTS = {
    "list": ["list", "--json"],
    "show": ["show", "{id}", "--json"],
    "log": ["log", "{id}", "--json"],
    "blame": ["blame", "{id}", "--json"],
    "check": ["check", "--json"],
    "resolve": ["resolve", "--json"],
    "scan": ["scan", "--dry-run", "--json"],
    "scan-step": ["scan-step", "discover-domains", "--json"],
    "review": ["review", "--json"],
    "extract": ["extract", "CLAUDE.md", "--json"],
    "preview": ["preview", "--task", "round a reading", "--json"],
    "index status": ["index", "status", "--json"],
    "index rebuild": ["index", "rebuild", "--json"],
    "runs list": ["runs", "list", "--json"],
    "runs show": ["runs", "show", "R", "--json"],
    "transcripts list": ["transcripts", "list", "--json"],
    "transcripts show": ["transcripts", "show", "1b2c", "--json"],
    "workflow list": ["workflow", "list", "--json"],
    "workflow show": ["workflow", "show", "develop", "--json"],
    "workflow check": ["workflow", "check", "--json"],
    "domains list": ["domains", "list", "--json"],
    "status": ["status", "--json"],
    "config": ["config", "token_budget", "--json"],
    "doctor": ["doctor", "--json"],
}

#: The same of a chat's ledger; its prompts' ids stand for themselves.
LEDGER = {
    "ledger sources": ["sources"],
    "ledger read-source": ["read-source", "{id}"],
    "ledger show": ["show"],
    "ledger log": ["log", "act-4"],
    "ledger verify": ["verify"],
}


@pytest.fixture
def heron(repo, home):
    repo.commit_files({"CLAUDE.md": CLAUDE, "tests/test_read.py": "", "readme": ""})
    made = repo.intent("add", "Readings are never rounded.", "--hint", "rounding")
    repo.intent("domains", "add", "testing", "--path", "tests/**")
    repo.write(".cloche/team.cloche", WORKFLOW)
    repo.intent("record", "--run", "R", "--workflow", "develop", "--step", "plan")
    claude_chat(home, repo.path, "1b2c", prompts=["Never round readings."])
    return repo, made.out.split()[0]


def test_json_outputs_have_the_shape_of_their_examples(heron):
    repo, id = heron
    for name, args in OUTPUTS.items():
        done = repo.intent(*(arg.format(id=id) for arg in args))
        assert done.code == 0, (name, done.err)
        printed = json.loads(done.out)
        agree(shape(printed), shape(example(f"git intent {name} --json")), name)


def test_json_outputs_of_a_ledger_have_the_shape_of_their_examples(repo):
    chat = Session(repo, "1b2c").configure()
    chat.prompt("Round readings to two places.")
    document = chat.document("classify-source")
    (part,) = document["parts"]
    part["transitions"] = part["transitions"][-1:]
    chat.write("classify-source", document)
    chat.example("action-start", what="round in read.py")
    chat.example(
        "action-finish",
        result="UNKNOWN_EFFECT",
        effect="UNKNOWN",
        evidence=[],
        note="x",
    )
    chat.prompt("Never round what is stored.")
    first = chat.ledger.read().state.recent[0]["id"]
    for name, args in LEDGER.items():
        words = [arg.format(id=first) for arg in args]
        done = repo.intent("ledger", *words, "--chat", "1b2c", "--json")
        assert done.code == 0, (name, done.err)
        wanted = shape(example(f"git intent {name} --json"))
        agree(shape(json.loads(done.out)), wanted, name)


def test_what_waits_and_what_became_of_it_have_the_shape_of_their_examples(heron):
    repo, _ = heron
    repo.write(".git/MERGE_HEAD", "")
    repo.intent("record", "--run", "chat-7", "--complete")
    status = json.loads(repo.intent("status", "--json").out)
    agree(shape(status), shape(example("git intent status --json")), "status")
    (repo.path / ".git/MERGE_HEAD").unlink()
    done = json.loads(repo.intent("scan", "--queued", "--json").out)
    agree(shape(done), shape(example("git intent scan --queued --json")), "scan")


def test_a_completed_run_in_the_queue_is_read(tmp_path):
    data = canonical_json(example("Queue"))
    queue.folder(tmp_path).mkdir(parents=True)
    (queue.folder(tmp_path) / "chat-7").write_bytes(data)
    (found,) = queue.entries(tmp_path)
    assert found.queued_at == example("Queue")["queued_at"]
    queue.put(tmp_path, found)
    assert (queue.folder(tmp_path) / "chat-7").read_bytes() == data


def test_a_failed_scan_has_the_shape_of_its_example(heron):
    repo, _ = heron
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n").chmod(0o755)
    done = repo.intent("scan", "--json")
    assert done.code == 1
    wanted = example("git intent scan --json", number=1)
    agree(shape(json.loads(done.out)), shape(wanted), "scan")


def test_every_command_with_json_output_has_an_example():
    import click

    from git_intent.cli.main import root
    from tools.gen_docs import walk

    found = [
        " ".join(trail[1:])
        for trail, context in walk(root)
        if not isinstance(context.command, click.Group)
        and any("--json" in p.opts for p in context.command.params)
    ]
    assert sorted(found) == sorted({**OUTPUTS, **LEDGER, "run": []})
