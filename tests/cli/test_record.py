"""`git intent record`: what a run brings in for a scan, and what is kept out of it."""

import json
import os
import subprocess

import pytest

from git_intent.git.repository import Repository
from git_intent.scan import queue
from git_intent.workflow import runs
from tests.support.repo import Repo
from tests.support.scanning import scan
from tests.support.snapshots import requirement

WORKFLOW = """
workflow "develop" {
  step plan { prompt = "plan" results = [success] }
  step implement { prompt = "do" results = [success] }
  plan:success -> implement
  implement:success -> done
}
"""
OUT = "intent_tracking = false"
TOKEN = "ghp_" + "k3J9xQ2mV7bT5nR8wL4cZ6yH1dF0sG" + "aP3eUq"
R = "refs/intent/runs/%52"


def said(text):
    content = [{"type": "text", "text": text}]
    event = {"type": "user", "message": {"role": "user", "content": content}}
    return json.dumps(event) + "\n"


@pytest.fixture
def project(repo, tmp_path):
    repo.git("config", "intent.scanAfterTasks", "false")
    repo.commit_files({".cloche/develop.cloche": WORKFLOW, "src/a.py": "x = 1\n"})
    (tmp_path / "task.md").write_text("Rule: always from the prompt.\n")
    (tmp_path / "chat.jsonl").write_text(said("Rule: always from the chat."))
    return repo


@pytest.fixture
def record(project, intent, tmp_path):
    """Run `git intent record --run R ARGS`; TASK and CHAT stand for two files."""
    names = {"TASK": tmp_path / "task.md", "CHAT": tmp_path / "chat.jsonl"}

    def run(*args, run="R"):
        found = [str(names.get(arg, arg)) for arg in args]
        return intent("record", "--run", run, *found)

    return run


def read(repo, run="R"):
    there = Repository.discover(repo.path)
    found = runs.read(there, run)
    blobs = runs.objects.read_blobs(there, found.files.values())
    return {path: blobs[oid].decode() for path, oid in found.files.items()}


def meta(repo, run="R"):
    return json.loads(read(repo, run)["meta.json"])


def canary(repo, word="canary"):
    """Whether any object that a ref reaches holds the word."""
    log = repo.git("log", "--all", "--root", "-p", "--format=%B")
    return word in log


def stored(repo):
    """Kind and run of each requirement that a scan took from a run."""
    folder = repo.path / ".cloche/intent/requirements"
    texts = [path.read_text() for path in sorted(folder.glob("*.md"))]
    return sorted(
        (
            text.split("kind: ")[1].split()[0],
            text.split("ref: ")[1].split()[0].strip('"'),
        )
        for text in texts
    )


def test_a_run_is_recorded_with_prompt_transcript_and_commits(project, record):
    first = project.head()
    done = record("--task-file", "TASK", "--transcript", "CHAT")
    assert done.code == 0, done.err
    assert done.out == "R: running, prompt, 1 transcript\n"
    last = project.commit("work", **{"src/a.py": "x = 2\n"})
    assert record("--complete").out == "R: done, prompt, 1 transcript\n"
    found = read(project)
    assert found["prompt"] == "Rule: always from the prompt.\n"
    assert found["transcript/000"] == said("Rule: always from the chat.")
    assert meta(project) == {
        "version": 1,
        "run": "R",
        "state": "done",
        "start": first,
        "end": last,
        "started_at": "2026-09-13T10:00:00Z",
        "ended_at": "2026-09-13T10:00:00Z",
        "opted_out": False,
    }


def test_the_start_can_be_told_late(project, record):
    record("--task-file", "TASK")
    first = project.head()
    project.commit("work")
    project.commit("more")
    record("--start", first, "--complete")
    assert (meta(project)["start"], meta(project)["end"]) == (first, project.head())
    done = record("--start", "nowhere")
    assert done.code == 1
    assert "--start nowhere" in done.err


def test_the_same_transcript_is_kept_once(project, record, tmp_path):
    (tmp_path / "other.jsonl").write_text(said("Something else."))
    record("--transcript", "CHAT", "--transcript", "CHAT")
    record("--transcript", "CHAT", "--transcript", str(tmp_path / "other.jsonl"))
    assert [p for p in read(project) if p.startswith("transcript")] == [
        "transcript/000",
        "transcript/001",
    ]


def test_a_task_from_standard_input(project):
    done = project.intent("record", "--run", "R", "--task-file", "-", input="Do it.\n")
    assert done.code == 0, done.err
    assert read(project)["prompt"] == "Do it.\n"


def test_a_file_that_is_not_there_records_nothing(project, record):
    done = record("--transcript", "missing.jsonl")
    assert done.code == 1
    assert "missing.jsonl: No such file" in done.err
    assert runs.run_refs(Repository.discover(project.path)) == {}


def test_standard_input_is_read_once(project, record):
    assert record("--task-file", "-", "--transcript", "-").code == 2


@pytest.mark.parametrize("args", [["--workflow", "develop"], ["--step", "plan"]])
def test_workflow_and_step_go_together(project, record, args):
    assert record(*args).code == 2


@pytest.mark.parametrize("run", ["", "x" * 2000])
def test_a_name_that_no_ref_can_hold_is_refused(project, record, run):
    done = record("--complete", run=run)
    assert done.code == 1
    assert "name" in done.err


def test_secrets_do_not_get_into_a_record(project, record, tmp_path):
    (tmp_path / "task.md").write_text(f"Use {TOKEN} to log in.\n")
    (tmp_path / "chat.jsonl").write_text(said(f"The token is {TOKEN}."))
    record("--task-file", "TASK", "--transcript", "CHAT", "--complete")
    found = read(project)
    assert found["prompt"] == "Use [secret removed] to log in.\n"
    assert "[secret removed]" in found["transcript/000"]
    assert not canary(project, TOKEN[:12])


def test_bytes_that_are_no_text_stay_as_they_are(project, record, tmp_path):
    (tmp_path / "task.md").write_bytes(b"\xff\xfe caf\xe9\r\n\0")
    record("--task-file", "TASK")
    oid = project.git("rev-parse", f"{R}:prompt")
    there = Repository.discover(project.path)
    assert runs.objects.read_blobs(there, [oid])[oid] == b"\xff\xfe caf\xe9\r\n\0"


def test_of_a_monstrous_transcript_the_beginning_is_kept(project, record, tmp_path):
    line = b"x" * 999 + b"\n"
    (tmp_path / "chat.jsonl").write_bytes(line * 5000)
    done = record("--transcript", "CHAT")
    assert "only the first 4 MiB" in done.err
    assert project.git("cat-file", "-s", f"{R}:transcript/000") == "4194000"


# What a scan makes of it


def test_n070_each_kind_of_source_leads_back_to_its_place(
    project, record, intent, tmp_path
):
    project.commit("Rule: always from the commit.", **{"README.md": "# Guide\n"})
    project.commit("docs", **{"CLAUDE.md": "# Rules\n\nRule: always from the page.\n"})
    intent("add", "Always added by hand.")
    project.commit("by hand")
    record("--task-file", "TASK", "--transcript", "CHAT", "--complete", run="chat:7")
    report = scan(project.path)
    assert len(report.created) == 4
    listed = json.loads(intent("list", "--json").out)["requirements"]
    origins = {}
    for found in listed:
        source = found["provenance"]
        assert source["extracted_at"]
        assert source["extracted_by"]
        shown = intent("show", found["id"])
        assert shown.code == 0
        origins[source["kind"]] = (source["ref"], shown.out.rpartition("From: ")[2])
    assert origins["prompt"] == ("chat:7", "prompt chat:7\n")
    assert origins["transcript"] == ("chat:7", "transcript chat:7\n")
    assert origins["doc"][1].startswith("CLAUDE.md:3")
    assert "Rule: always from the commit." in origins["commit"][1]
    assert origins["user"][1] == "written by hand\n"
    assert "chat:7" in project.read(".cloche/intent/scan-state.yaml").decode()
    assert scan(project.path).commit == ""


def test_n070_a_squashed_commit_and_a_renamed_heading_are_said(project, intent):
    base = project.head()
    project.commit("Rule: always from the commit.", **{"src/a.py": "x = 2\n"})
    page = "# Rules\n\nRule: always from the page.\n"
    project.commit("docs", **{"CLAUDE.md": page})
    scan(project.path)
    project.git("reset", "-q", "--soft", base)
    project.write("CLAUDE.md", page.replace("# Rules", "# Other"))
    project.commit("squashed")
    shown = {}
    for found in json.loads(intent("list", "--json").out)["requirements"]:
        done = intent("show", found["id"], "--json")
        assert done.code == 0
        shown[found["provenance"]["kind"]] = json.loads(done.out)["origin"]
    assert shown["commit"]["reachable"] is False
    assert "(unreachable" in shown["commit"]["text"]
    assert shown["doc"]["text"] == "CLAUDE.md:3"
    assert intent("check").code == 0


def test_n062_a_run_is_read_once_it_is_complete(project, record):
    record("--task-file", "TASK", "--transcript", "CHAT")
    scan(project.path)
    assert not (project.path / ".cloche/intent/requirements").exists()
    record("--complete")
    scan(project.path)
    assert stored(project) == [("prompt", "R"), ("transcript", "R")]
    assert scan(project.path).commit == ""


@pytest.mark.parametrize("when", ["first", "later", "afterwards"])
def test_n111_an_excluded_run_is_read_by_no_scan(project, record, tmp_path, when):
    (tmp_path / "task.md").write_text("Rule: always canary.\n")
    (tmp_path / "chat.jsonl").write_text(said("Rule: never canary."))
    content = ("--task-file", "TASK", "--transcript", "CHAT")
    steps = {
        "first": [("--exclude",), content],
        "later": [content, ("--exclude",)],
        "afterwards": [(*content, "--complete"), ("--exclude",)],
    }[when]
    for args in steps:
        done = record(*args)
    assert done.out == "R: excluded\n"
    record("--complete")
    scan(project.path)
    assert not canary(project)
    assert "canary" not in "".join(read(project).values())
    assert meta(project)["opted_out"] is True


def test_an_excluded_run_says_why_nothing_is_kept(project, record):
    record("--exclude")
    done = record("--task-file", "TASK")
    assert done.code == 0
    assert "the run is excluded" in done.err


def opted_out(repo, step):
    text = WORKFLOW.replace(f"step {step} {{", f"step {step} {{ {OUT}")
    if not step:
        text = WORKFLOW.replace('"develop" {', f'"develop" {{\n  {OUT}')
    repo.write(".cloche/develop.cloche", text)


def canaries(tmp_path):
    (tmp_path / "task.md").write_text("Rule: always canary.\n")
    (tmp_path / "chat.jsonl").write_text(said("Rule: never canary."))


STEP = ("--workflow", "develop", "--step")


def test_n111_what_an_opted_out_step_said_is_not_kept(project, record, tmp_path):
    opted_out(project, "implement")
    canaries(tmp_path)
    done = record(*STEP, "implement", "--transcript", "CHAT")
    assert done.code == 0
    assert "step 'implement' of workflow 'develop' opted out" in done.err
    (tmp_path / "chat.jsonl").write_text(said("Rule: always plan."))
    record(*STEP, "plan", "--transcript", "CHAT", "--complete")
    assert not canary(project)
    scan(project.path)
    assert stored(project) == [("transcript", "R")]


def test_n111_a_log_of_the_whole_run_is_out_if_any_of_its_steps_is(
    project, record, tmp_path
):
    opted_out(project, "implement")
    record(*STEP, "implement")
    canaries(tmp_path)
    done = record("--transcript", "CHAT", "--complete")
    assert "transcript/000 is not kept" in done.err
    assert not canary(project)


def test_n109_the_prompt_of_an_opted_out_workflow_is_not_kept(
    project, record, tmp_path
):
    opted_out(project, "")
    canaries(tmp_path)
    record(*STEP, "plan", "--task-file", "TASK", "--transcript", "CHAT", "--complete")
    assert not canary(project)
    scan(project.path)
    assert not canary(project)


@pytest.mark.parametrize("step", ["", "plan"])
def test_n112_opted_out_after_the_run(project, record, tmp_path, step):
    canaries(tmp_path)
    record(*STEP, "plan", "--transcript", "CHAT", "--complete")
    opted_out(project, step)
    scan(project.path)
    assert not (project.path / ".cloche/intent/requirements").exists()
    project.write(".cloche/develop.cloche", WORKFLOW)
    scan(project.path)
    assert not (project.path / ".cloche/intent/requirements").exists()


@pytest.mark.parametrize("text", [None, 'workflow "develop" {'])
def test_n112_a_run_whose_workflow_is_gone_is_skipped_and_named(
    project, record, tmp_path, text
):
    record(*STEP, "plan", "--task-file", "TASK", "--transcript", "CHAT", "--complete")
    (project.path / ".cloche/develop.cloche").unlink()
    if text:
        project.write(".cloche/develop.cloche", text)
    project.commit("gone")
    report = scan(project.path)
    assert not (project.path / ".cloche/intent/requirements").exists()
    assert {n.path for n in report.skipped} >= {
        f"{R}:prompt",
        f"{R}:transcript/develop/plan/000",
    }


def test_a_workflow_that_only_the_host_knows_is_read(project, record):
    """Nobody can have opted it out."""
    host = ("--workflow", "ci", "--step", "build")
    record(*host, "--task-file", "TASK", "--transcript", "CHAT", "--complete")
    scan(project.path)
    assert stored(project) == [("prompt", "R"), ("transcript", "R")]


def test_transcripts_that_are_turned_off_are_not_kept(project, record):
    project.git("config", "intent.git.transcripts", "off")
    done = record("--task-file", "TASK", "--transcript", "CHAT")
    assert "intent.git.transcripts" in done.err
    assert sorted(read(project)) == ["meta.json", "prompt"]


def test_a_name_full_of_oddities_goes_all_the_way(project, record):
    name = "A/a.lock: \u00f6\t\n.."
    record("--task-file", "TASK", "--complete", run=name)
    scan(project.path)
    found = (project.path / ".cloche/intent/requirements").glob("*.md")
    assert len(list(found)) == 1
    assert scan(project.path).commit == ""


def test_a_recorded_run_ends_the_quiet_of_scans(project, record):
    project.intent("scan")
    assert project.intent("scan").out == "Nothing new.\n"
    record("--task-file", "TASK", "--complete", run="x" * 300)
    assert project.intent("scan").out != "Nothing new.\n"
    assert project.intent("scan").out == "Nothing new.\n"


# Where it is run


def test_recording_shows_nowhere(project, record):
    project.write("dirty", "x")
    before = project.status(), project.git("log", "--oneline")
    record("--task-file", "TASK", "--complete")
    assert (project.status(), project.git("log", "--oneline")) == before


@pytest.mark.parametrize("kind", ["linked", "detached", "bare", "sha256", "unborn"])
def test_a_run_is_recorded_wherever_it_runs(repo, intent, tmp_path, kind, holds):
    there = repo.path
    if kind == "sha256":
        there = Repo.init(tmp_path / "other", "--object-format=sha256").path
    elif kind != "unborn":
        holds(requirement())
    if kind == "linked":
        repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
        there = tmp_path / "linked"
    elif kind == "detached":
        repo.git("checkout", "-q", "--detach")
    elif kind == "bare":
        repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
        there = tmp_path / "bare.git"
    (tmp_path / "task.md").write_text("Do it.\n")
    task = ("--task-file", str(tmp_path / "task.md"))
    done = intent("record", "--run", "R", *STEP, "plan", *task, "--complete", cwd=there)
    assert done.code == 0, done.err
    assert done.out == "R: done, prompt, 1 step\n"
    found = Repository.discover(there)
    record = runs.read(found, "R")
    assert record.meta.start == record.meta.end == (found.head().oid)
    ids = runs.all_ids(runs.kv(found, record))
    assert ids == (() if kind in ("sha256", "unborn") else ("req-0001",))


def test_ten_commands_at_once_lose_nothing(project, tmp_path):
    children = []
    for number in range(10):
        (tmp_path / f"{number}").write_text(said(f"Word {number}."))
        args = ["--run", "R", "--transcript", str(tmp_path / f"{number}")]
        children.append(start(project, "record", *args))
    for child in children:
        _, words = child.communicate()
        assert child.returncode == 0, words
    found = read(project)
    kept = {text for path, text in found.items() if path.startswith("transcript")}
    assert kept == {said(f"Word {number}.") for number in range(10)}


def start(repo, *args):
    from tests.support.repo import _SOURCE

    return subprocess.Popen(
        [os.sys.executable, "-m", "git_intent", *args],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_n101_a_stop_between_record_and_queue_forgets_no_run(repo, intent, monkeypatch):
    repo.commit()

    def die(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("git_intent.cli.queued.completed", die)
    assert intent("record", "--run", "R", "--complete").code == 130
    assert [one.run for one in queue.entries(repo.path / ".git")] == ["R"]
