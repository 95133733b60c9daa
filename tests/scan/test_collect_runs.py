"""Runs of Cloche and our own records: which are mined, and what stays out."""

import json
import os

import pytest

from git_intent.git.repository import Repository
from git_intent.scan.collect_runs import CAP, collect_runs
from git_intent.store.requirement import Kind

WORKFLOWS = """
workflow "develop" {
  step plan { prompt = "plan" results = [success] }
  step implement { prompt = "do" results = [success] }
  step build { run = "make" results = [success] }
  plan:success -> implement
  implement:success -> build
  build:success -> done
}
workflow "review" {
  step implement { prompt = "look" results = [success] }
  implement:success -> done
}
"""
OUT = "intent_tracking = false"


def collected(repo, read_before=(), **options):
    return collect_runs(Repository.discover(repo.path), read_before, **options)


def texts(material):
    return [item.text for item in material.items]


def everything(material):
    return "\n".join(texts(material))


def reasons(material):
    return {notice.path: notice.reason for notice in material.skipped}


def said(text, role="user"):
    content = [{"type": "text", "text": text}]
    return json.dumps({"type": role, "message": {"role": role, "content": content}})


@pytest.fixture
def project(repo):
    repo.commit_files(
        {".cloche/develop.cloche": WORKFLOWS, ".gitignore": "logs\nruns\n"}
    )
    return repo


def prompt(repo, run, text="Always test.\n", name="prompt.txt"):
    repo.write(f".cloche/runs/{run}/{name}", text)


def log(repo, path, *lines):
    repo.write(f".cloche/logs/{path}", "\n".join(lines) + "\n")


def test_n062_two_new_runs_one_stray_folder_and_one_old(project):
    prompt(project, "t1", "Always one.\n")
    prompt(project, "t2", "Always two.\n", "task_prompt.md")
    prompt(project, "t0", "Always old.\n")
    project.write(".cloche/runs/attempt_count/implement", "1")
    found = collected(project, ["t0"])
    assert found.ids == ("t1", "t2")
    assert found.present == ("t0", "t1", "t2")
    assert texts(found) == ["Always one.\n", "Always two.\n"]
    assert {item.kind for item in found.items} == {Kind.PROMPT}
    assert [item.ref for item in found.items] == ["t1", "t2"]
    assert found.items[0].path == ".cloche/runs/t1/prompt.txt"
    assert collected(project, ["t0", "t1", "t2"]).ids == ()


def test_n062_a_run_and_its_logs_are_found_under_either_name(project):
    prompt(project, "ab12-develop", "Always by run.\n")
    log(project, "TASK-1/ab12/develop-llm-plan.log", said("Always logged by task."))
    prompt(project, "TASK-2", "Always by task.\n")
    log(project, "TASK-2/cd34/llm-plan.log", said("Always paired."))
    found = collected(project)
    assert found.ids == ("TASK-2", "ab12-develop")
    assert texts(found) == [
        "Always by task.\n",
        "Always paired.\n",
        "Always by run.\n",
        "Always logged by task.\n",
    ]
    assert [i.kind.value for i in found.items] == ["prompt", "transcript"] * 2


def test_n062_logs_without_a_run_folder_are_a_run(project):
    log(project, "TASK-3/ab12/llm-plan.log", said("Always alone."))
    prompt(project, "ef56-develop", "Do.\n")
    log(project, "TASK-4/ef56/llm-plan.log", said("Always claimed."))
    log(project, "TASK-4/gh78/llm-plan.log", said("Always free."))
    found = collected(project)
    assert found.ids == ("TASK-3", "TASK-4:gh78", "ef56-develop")


def test_n062_a_log_cut_off_in_mid_line_is_read_as_far_as_it_goes(project):
    whole = said("Never push.")
    project.write(
        ".cloche/logs/t1/ab12/llm-plan.log", f"{whole}\n{said('Never merge.')[:-9]}"
    )
    assert texts(collected(project)) == ["Never push.\n"]


def test_n062_logs_of_older_versions_lie_in_the_tasks_folder(project):
    log(project, "t1/llm-plan.log", said("Always old style."))
    assert texts(collected(project)) == ["Always old style.\n"]


def test_n063_an_injected_block_and_build_chatter_say_nothing(project):
    block = (
        "## Standing project requirements\n\nThese are established constraints and "
        "decisions.\n\n- [req-a3f8] Never echo.\n"
    )
    log(
        project,
        "t1/ab12/llm-plan.log",
        said(block),
        said("I always run the tests before I commit.", "assistant"),
        "[INFO] Build passed",
        "npm WARN deprecated: you must never use this",
        "============ 12 passed in 3.2s ============",
        "make[1]: Entering directory",
        "src/a.c:12:3: warning: always initialise",
        "CLOCHE_RESULT:success",
    )
    found = collected(project)
    assert texts(found) == []
    assert found.ids == ("t1",)


def test_an_agents_decision_is_kept_and_its_tools_are_not(project):
    tool = {"type": "tool_result", "content": "Always from a tool."}
    log(
        project,
        "t1/ab12/llm-plan.log",
        said("Looking around.\nWe decided to keep SQLite.", "assistant"),
        json.dumps({"type": "user", "message": {"role": "user", "content": [tool]}}),
        json.dumps({"type": "system", "text": "Always from the system."}),
    )
    assert texts(collected(project)) == ["We decided to keep SQLite.\n"]


def test_a_run_gives_at_most_its_share(project):
    prompt(project, "t1", "Always.\n" * CAP)
    log(project, "t1/ab12/llm-plan.log", said("Never reached."))
    found = collected(project)
    assert len(everything(found)) <= CAP
    assert "Never reached" not in everything(found)
    assert reasons(found)[".cloche/runs/t1/prompt.txt"] == (
        "what lies beyond 64 KiB of its run"
    )


def canary_logs(repo, attempt="t1/ab12", word="canary"):
    """Every log name of three generations, of an opted-out step."""
    names = [
        "implement.log",
        "llm-implement.log",
        "develop-implement.log",
        "develop-llm-implement.log",
        "develop/implement.log",
        "develop/llm-implement.log",
        "develop/implement.prompt.md",
        "step.implement.skip.log",
        "full.log",
        "container.log",
    ]
    for name in names:
        line = f"[2026-01-01T00:00:00Z] [llm] Always {word}"
        log(repo, f"{attempt}/{name}", said(f"Always {word}"), line, f"Always {word}")
    return names


def opt_out(text, step="implement", workflow="develop"):
    head, name, rest = text.partition(f'workflow "{workflow}" {{')
    if not step:
        return f"{head}{name}\n  {OUT}{rest}"
    before, mark, after = rest.partition(f"step {step} {{")
    return f"{head}{name}{before}{mark} {OUT}{after}"


def test_n111_no_log_of_an_opted_out_step_is_opened(project):
    project.commit_files({".cloche/develop.cloche": opt_out(WORKFLOWS)})
    names = canary_logs(project)
    log(project, "t1/ab12/develop-llm-plan.log", said("Always plan."))
    found = collected(project)
    assert "canary" not in everything(found)
    assert texts(found) == ["Always plan.\n"]
    named = {path.removeprefix(".cloche/logs/t1/ab12/") for path in reasons(found)}
    assert named == set(names)


def test_n110_the_same_step_of_another_workflow_is_mined(project):
    project.commit_files({".cloche/develop.cloche": opt_out(WORKFLOWS)})
    log(project, "t1/ab12/review-llm-implement.log", said("Always review."))
    log(project, "t1/ab12/develop-llm-plan.log", said("Always plan."))
    log(project, "t1/ab12/develop-llm-implement.log", said("Always canary."))
    assert texts(collected(project)) == ["Always plan.\n", "Always review.\n"]


def test_n109_an_opted_out_workflow_is_out_with_its_prompt(project):
    project.commit_files({".cloche/develop.cloche": opt_out(WORKFLOWS, step="")})
    prompt(project, "ab12-develop", "Always canary.\n")
    canary_logs(project, "TASK/ab12")
    prompt(project, "cd34-review", "Always in.\n")
    found = collected(project)
    assert texts(found) == ["Always in.\n"]
    assert found.ids == ("ab12-develop", "cd34-review")


def test_n112_opted_out_after_the_run(project):
    canary_logs(project)
    prompt(project, "t1", "Task.\n")
    assert "canary" in everything(collected(project))
    project.write(".cloche/develop.cloche", opt_out(WORKFLOWS))  # not even committed
    found = collected(project)
    assert "canary" not in everything(found)
    assert found.ids == ("t1",)


def test_n112_an_opt_out_taken_back_brings_no_old_log_to_light(project):
    project.commit_files({".cloche/develop.cloche": opt_out(WORKFLOWS)})
    canary_logs(project)
    read = collected(project).ids
    project.commit_files({".cloche/develop.cloche": WORKFLOWS})
    assert collected(project, read).items == ()


def test_n112_what_was_out_when_it_ran_stays_out(project):
    project.commit_files({".cloche/develop.cloche": opt_out(WORKFLOWS)})
    ran = int(project.git("log", "-1", "--format=%ct"))
    for name in canary_logs(project):
        path = project.path / ".cloche/logs/t1/ab12" / name
        os.utime(path, (ran + 60, ran + 60))
    project.write(".cloche/develop.cloche", WORKFLOWS)
    project.git("add", "-A")
    later = {**os.environ, "GIT_COMMITTER_DATE": f"{ran + 3600} +0000"}
    project.git("commit", "-q", "-m", "opt in", env=later)
    assert "canary" not in everything(collected(project))
    for name in canary_logs(project, "t2/cd34", "later"):
        path = project.path / ".cloche/logs/t2/cd34" / name
        os.utime(path, (ran + 7200, ran + 7200))
    assert "later" in everything(collected(project))


@pytest.mark.parametrize("broken", [None, 'workflow "develop" {'])
def test_n112_without_a_readable_workflow_its_runs_are_skipped_and_named(
    project, broken
):
    (project.path / ".cloche/develop.cloche").unlink()
    if broken:
        project.write(".cloche/develop.cloche", broken)
    project.commit("gone")
    prompt(project, "ab12-develop", "Always canary.\n")
    canary_logs(project, "TASK/ab12")
    found = collected(project)
    assert found.items == ()
    assert ".cloche/runs/ab12-develop/prompt.txt" in reasons(found)
    assert ".cloche/logs/TASK/ab12/develop-llm-implement.log" in reasons(found)


def test_what_a_script_prints_is_not_mined_and_an_agents_plain_log_is(project):
    log(project, "t1/ab12/develop-build.log", "Always from make.")
    log(project, "t1/ab12/develop-plan.log", "Always from the agent.")
    assert texts(collected(project)) == ["Always from the agent.\n"]


def test_agents_words_in_the_full_log_count_if_nothing_else_is_there(project):
    log(
        project,
        "t1/ab12/full.log",
        "[2026-01-01T00:00:00Z] [status] Always started",
        "[2026-01-01T00:00:01Z] [script] Always built",
        "[2026-01-01T00:00:02Z] [llm] Always from the agent.",
    )
    assert texts(collected(project)) == ["Always from the agent.\n"]


def test_links_are_named_and_not_followed(project, tmp_path):
    (tmp_path / "secret.log").write_text(said("Always leak."), "utf-8")
    prompt(project, "t1", "Task.\n")
    folder = project.path / ".cloche/logs/t1/ab12"
    folder.mkdir(parents=True)
    (folder / "llm-plan.log").symlink_to(tmp_path / "secret.log")
    (project.path / ".cloche/runs/t2").symlink_to(tmp_path)
    found = collected(project)
    assert texts(found) == ["Task.\n"]
    assert reasons(found) == {
        ".cloche/logs/t1/ab12/llm-plan.log": "a symbolic link",
        ".cloche/runs/t2": "a symbolic link",
    }


def test_what_cannot_be_opened_is_named(project, monkeypatch):
    prompt(project, "t1", "Task.\n")
    log(project, "t1/ab12/llm-plan.log", said("Always."))
    real = os.open

    def refuse(path, *args, **options):
        if str(path).endswith("llm-plan.log"):
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **options)

    monkeypatch.setattr(os, "open", refuse)
    found = collected(project)
    assert texts(found) == ["Task.\n"]
    assert reasons(found) == {
        ".cloche/logs/t1/ab12/llm-plan.log": "cannot be read: Permission denied"
    }


def test_a_prompt_that_may_be_of_an_opted_out_workflow_is_not_read(project):
    project.commit_files({".cloche/develop.cloche": opt_out(WORKFLOWS, step="")})
    prompt(project, "TASK-9", "Always canary.\n")
    found = collected(project)
    assert found.items == ()
    assert "opted out" in reasons(found)[".cloche/runs/TASK-9/prompt.txt"]


def test_transcripts_can_be_turned_off(project):
    prompt(project, "t1", "Always the task.\n")
    log(project, "t1/ab12/llm-plan.log", said("Always said."))
    found = collected(project, transcripts=False)
    assert texts(found) == ["Always the task.\n"]


def test_only_the_run_that_is_asked_for(project):
    prompt(project, "t1", "Always one.\n")
    prompt(project, "t2", "Always two.\n")
    assert collected(project, only="t2").ids == ("t2",)


def record(repo, name, files):
    """Put a record under refs/intent/runs, as `git intent record` does."""
    rows = []
    for path, text in files.items():
        blob = repo.git("hash-object", "-w", "--stdin", input=text)
        rows.append((path, blob))
    index = {"GIT_INDEX_FILE": str(repo.path / ".git/record-index")}
    env = {**os.environ, **index}
    for path, blob in rows:
        info = f"100644,{blob},{path}"
        repo.git("update-index", "--add", "--cacheinfo", info, env=env)
    tree = repo.git("write-tree", env=env)
    (repo.path / ".git/record-index").unlink()
    repo.git("update-ref", f"refs/intent/runs/{name}", tree)


def meta(**values):
    return json.dumps({"state": "done", **values})


def test_our_own_records_are_mined_once_they_have_ended(project):
    record(
        project,
        "r%C3%B6%2F1",
        {
            "meta.json": meta(),
            "prompt": "Always asked.\n",
            "transcript/chat.jsonl": said("Always said.") + "\n",
            "transcript/develop/plan.log": said("Always planned.") + "\n",
            "blocks/develop/plan": "- [req-a3f8] Never echo.\n",
        },
    )
    record(project, "r2", {"meta.json": meta(state="running"), "prompt": "Not yet.\n"})
    found = collected(project)
    assert found.ids == ("rö/1",)
    assert texts(found) == ["Always asked.\n", "Always said.\n", "Always planned.\n"]
    assert found.items[0].path == "refs/intent/runs/r%C3%B6%2F1:prompt"


def test_an_opted_out_or_broken_record_is_not_opened(project):
    project.commit_files({".cloche/develop.cloche": opt_out(WORKFLOWS)})
    record(project, "r1", {"meta.json": meta(opted_out=True), "prompt": "canary\n"})
    record(project, "r2", {"meta.json": "{", "prompt": "canary\n"})
    record(
        project,
        "r3",
        {
            "meta.json": meta(),
            "prompt": "Always asked.\n",
            "transcript/develop/implement.log": "canary\n",
        },
    )
    record(project, "r4", {"meta.json": meta(workflow="gone"), "prompt": "canary\n"})
    found = collected(project)
    assert texts(found) == ["Always asked.\n"]
    assert found.ids == ("r1", "r2", "r3", "r4")
    assert len(found.skipped) == 4


def test_records_are_found_from_a_project_in_a_subfolder(project):
    project.commit_files({"svc/.cloche/config.toml": ""})
    record(project, "r1", {"meta.json": meta(), "prompt": "Always asked.\n"})
    inside = Repository.discover(project.path / "svc")
    assert texts(collect_runs(inside, ())) == ["Always asked.\n"]
