"""`git intent run`: scripts along wires, what is kept of them, and what is refused."""

import json
import os

import pytest

from git_intent.git.repository import Repository
from git_intent.workflow.run_journal import RunJournal
from tests.support.flows import (
    PATH,
    approve,
    flow,
    line,
    logs,
    record,
    recorded,
    run_json,
    step,
    visits,
    workflow,
)

TOKEN = "ghp_" + "k3J9xQ2mV7bT5nR8wL4cZ6yH1dF0sG" + "aP3eUq"


@pytest.fixture
def project(repo):
    repo.git("config", "intent.scanAfterTasks", "false")
    repo.commit("begin", **{"a.txt": "a\n"})
    return repo


def test_scripts_run_one_after_the_other_to_the_end(project, intent):
    flow(
        project,
        workflow(
            "main",
            step("one", "echo first > seen"),
            step("two", "echo second >> seen; pwd >> seen"),
            line("one", "two"),
        ),
    )
    done = intent("run", "main", "--run", "r1")
    assert (done.code, done.out) == (0, "r1: done\n")
    assert project.read("seen").decode() == f"first\nsecond\n{project.path}\n"
    assert visits(project) == [
        ("one", 1, "finished", "success"),
        ("two", 1, "finished", "success"),
    ]
    assert "main:two: success" in done.err


def test_a_run_gets_a_name_of_four_characters_and_the_workflow(project, intent):
    flow(project, workflow("main", step("one", "true"), line("one")))
    assert intent("run", "main").code == 0
    (run,) = recorded(project)
    attempt, _, name = run.partition("-")
    assert (len(attempt), name) == (4, "main")
    assert run_json(project)["attempt"] == attempt


def test_a_failing_script_aborts_with_exit_code_1(project, intent):
    flow(
        project,
        workflow(
            "main", step("one", "exit 7"), step("two", "touch no"), line("one", "two")
        ),
    )
    done = intent("run", "main", "--run", "r1", "--json")
    assert done.code == 1
    found = json.loads(done.out)
    assert (found["version"], found["run"], found["state"]) == (1, "r1", "aborted")
    assert found["reason"] == "step 'one' ended with 'fail'"
    (only,) = found["steps"]
    assert (only["step"], only["result"], only["code"]) == ("one", "fail", 7)
    assert only["reason"] == "exit code 7"
    assert not (project.path / "no").exists()
    assert json.loads(record(project)["meta.json"])["state"] == "aborted"


def test_a_marker_chooses_the_result_and_is_no_output(project, intent):
    say = 'echo before; echo "CLOCHE_RESULT:$CLOCHE_RESULT_NONCE:odd"; echo after'
    flow(
        project,
        workflow(
            "main",
            step("one", say, "success, odd, fail"),
            step("two", 'printf %s "$CLOCHE_PREV_OUTPUT" > seen'),
            "one:success -> abort\none:fail -> abort\none:odd -> two\n",
            line("two"),
        ),
    )
    assert intent("run", "main").code == 0
    assert project.read("seen") == b"before\nafter\n"


def test_mined_text_with_a_marker_changes_no_result(project, intent):
    project.write("doc.md", "CLOCHE_RESULT:fail\nCLOCHE_RESULT:00ff:fail\n")
    flow(project, workflow("main", step("one", "cat doc.md"), line("one")))
    assert intent("run", "main").code == 0
    assert visits(project) == [("one", 1, "finished", "success")]


def test_steps_find_out_where_they_are(project, intent):
    flow(project, workflow("main", step("one", "env > seen"), line("one")))
    env = {"GIT_INDEX_FILE": "/nowhere/index", "CLOCHE_RUN_ID": "outer"}
    assert intent("run", "main", "--run", "ab12-main", env=env).code == 0
    seen = dict(x.split("=", 1) for x in project.read("seen").decode().splitlines())
    assert {k: v for k, v in seen.items() if k.startswith("CLOCHE_")} == {
        "CLOCHE_PROJECT_DIR": str(project.path),
        "CLOCHE_RUN_ID": "ab12-main",
        "CLOCHE_TASK_ID": "ab12-main",
        "CLOCHE_ATTEMPT_ID": "ab12",
        "CLOCHE_PREV_OUTPUT": "",
        "CLOCHE_GIT_AUTHOR_NAME": "A Person",
        "CLOCHE_GIT_AUTHOR_EMAIL": "person@example.invalid",
        "CLOCHE_RESULT_NONCE": seen["CLOCHE_RESULT_NONCE"],
    }
    assert (seen["GIT_INTENT_WORKFLOW"], seen["GIT_INTENT_STEP"]) == ("main", "one")
    assert "GIT_INDEX_FILE" not in seen


def test_what_a_step_said_is_bounded_for_the_next(project, intent):
    flow(
        project,
        workflow(
            "main",
            step("one", "head -c 5000000 /dev/zero | tr '\\0' x; printf END"),
            step("two", 'printf %s "$CLOCHE_PREV_OUTPUT" | tail -c 5 > seen'),
            line("one", "two"),
        ),
    )
    assert intent("run", "main").code == 0
    assert project.read("seen") == b"xxEND"


def test_branches_run_side_by_side_and_meet(project, intent):
    meet = "touch {0}; while [ ! -e {1} ]; do sleep 0.02; done"
    flow(
        project,
        workflow(
            "main",
            step("one", "true"),
            step("a", meet.format("a", "b")),
            step("b", meet.format("b", "a")),
            step("both", "touch both"),
            "one:success -> a\none:success -> b\none:fail -> abort\n",
            "collect all (a:success, b:success) -> both\n",
            "a:fail -> abort\nb:fail -> abort\n",
            line("both"),
        ),
    )
    assert intent("run", "main").code == 0
    assert [v[0] for v in visits(project)].count("both") == 1


def test_when_a_branch_aborts_the_others_are_ended(project, intent):
    flow(
        project,
        workflow(
            "main",
            step("one", "true"),
            step("bad", "while [ ! -e pid ]; do sleep 0.02; done; exit 1"),
            step("long", "trap '' TERM; echo $$ > pid.new; mv pid.new pid; sleep 600"),
            "one:success -> bad\none:success -> long\none:fail -> abort\n",
            line("bad"),
            line("long"),
        ),
    )
    assert intent("run", "main").code == 1
    assert ("long", 1, "stopped", "") in visits(project)
    pid = int(project.read("pid"))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_step_out_of_time_has_the_result_timeout(project, intent):
    flow(
        project,
        workflow(
            "main",
            step("slow", "sleep 600", more='timeout = "300ms"'),
            step("after", "touch after"),
            "slow:timeout -> after\n",
            line("slow"),
            line("after"),
        ),
    )
    done = intent("run", "main")
    assert done.code == 0
    assert (project.path / "after").exists()
    assert visits(project)[0] == ("slow", 1, "finished", "timeout")
    assert "took longer than 0.3 s" in done.err


def test_a_loop_ends_when_no_attempt_is_left(project, intent):
    flow(
        project,
        workflow(
            "main",
            step(
                "try",
                "echo x >> seen; exit 1",
                "success, fail, give-up",
                "max_attempts = 3",
            ),
            "try:success -> done\ntry:fail -> try\ntry:give-up -> abort\n",
        ),
    )
    assert intent("run", "main").code == 1
    assert project.read("seen") == b"x\nx\nx\n"
    assert visits(project)[-1] == ("try", 4, "finished", "give-up")


def test_a_step_is_skipped_if_its_command_says_so(project, intent):
    flow(
        project,
        workflow(
            "main",
            step("one", "touch one", more='skip = "echo is there; true"'),
            step("two", "touch two", more='skip = "false"'),
            line("one", "two"),
        ),
    )
    assert intent("run", "main").code == 0
    assert not (project.path / "one").exists()
    assert (project.path / "two").exists()
    assert visits(project)[0] == ("one", 1, "skipped", "success")
    assert logs(project)["step.one.skip.log"] == b"is there\n"


def test_a_poll_asks_until_it_gets_an_answer(project, intent):
    ask = (
        "echo x >> asked; [ $(wc -l < asked) -lt 3 ] || "
        "echo CLOCHE_RESULT:$CLOCHE_RESULT_NONCE:ready"
    )
    flow(
        project,
        workflow(
            "main",
            f'step wait {{ poll = "{ask}" interval = "50ms"'
            " results = [ready, fail] }\n",
            "wait:ready -> done\nwait:fail -> abort\n",
        ),
    )
    assert intent("run", "main").code == 0
    assert project.read("asked") == b"x\nx\nx\n"


def test_a_poll_that_fails_or_takes_too_long_says_so(project, intent):
    for ask, result in (("exit 3", "fail"), ("true", "timeout")):
        flow(
            project,
            workflow(
                "main",
                f'step wait {{ poll = "{ask}" interval = "50ms" timeout = "300ms"'
                " results = [ready, fail] }\n",
                "wait:ready -> done\nwait:fail -> abort\n",
            ),
        )
        assert intent("run", "main", "--run", result).code == 1
        assert visits(project, result)[0][3] == result


def test_a_workflow_may_run_another_as_a_step(project, intent):
    flow(
        project,
        workflow(
            "main",
            'step inner { workflow_name = "part" results = [success, fail] }\n',
            step("after", 'printf %s "$CLOCHE_PREV_OUTPUT" > seen'),
            line("inner", "after"),
        )
        + workflow("part", step("say", "echo from the part"), line("say")),
    )
    done = intent("run", "main", "--json")
    assert done.code == 0
    assert project.read("seen") == b"from the part\n"
    found = {
        (v["level"], v["workflow"], v["step"]) for v in json.loads(done.out)["steps"]
    }
    assert ("inner#1", "part", "say") in found
    assert "inner/part-say.log" in logs(project)


def test_a_part_that_is_aborted_is_a_step_that_failed(project, intent):
    flow(
        project,
        workflow(
            "main",
            'step inner { workflow_name = "part" results = [success, fail] }\n',
            line("inner"),
        )
        + workflow("part", step("say", "false"), line("say")),
    )
    assert intent("run", "main").code == 1
    assert ("inner", 1, "finished", "fail") in visits(project)


def test_a_part_out_of_time_is_ended(project, intent):
    flow(
        project,
        workflow(
            "main",
            'step inner { workflow_name = "part" timeout = "300ms"'
            " results = [success, fail] }\n",
            line("inner"),
        )
        + workflow("part", step("say", "sleep 600"), line("say")),
    )
    assert intent("run", "main").code == 1
    assert ("inner", 1, "finished", "timeout") in visits(project)


def test_workflows_that_run_one_another_for_ever_come_to_an_end(project, intent):
    text = workflow(
        "main",
        'step inner { workflow_name = "main" results = [success, fail] }\n',
        line("inner"),
    )
    flow(project, text)
    done = intent("run", "main")
    assert done.code == 1
    assert "run one another 16 deep" in done.err


# What is kept


def test_the_record_holds_task_definition_and_results(project, intent):
    text = workflow("main", step("one", "true"), line("one"))
    flow(project, text)
    assert intent("run", "main", "--task", f"do it with {TOKEN}").code == 0
    found = record(project)
    assert found["prompt"] == b"do it with [secret removed]"
    assert found["definitions/%2ecloche%2fflows%2ecloche"] == text.encode()
    meta = json.loads(found["meta.json"])
    assert (meta["state"], meta["workflow"]) == ("done", "main")
    assert meta["start"] == meta["end"] == project.head()
    assert not [*(project.path / ".git/intent/running").iterdir()]


def test_nothing_of_a_run_shows_in_git_status(project, intent):
    flow(project, workflow("main", step("one", "echo x"), line("one")))
    project.commit("flow")
    assert intent("run", "main", "--task", "do it").code == 0
    assert project.status() == ""


def test_rows_that_parallel_workflows_set_are_all_kept(project, intent):
    names = [f"w{n}" for n in range(4)]
    parts = [
        f'step {n} {{ workflow_name = "{n}" results = [success, fail] }}\n'
        for n in names
    ]
    wires = "".join(f"go:success -> {n}\n{n}:fail -> abort\n" for n in names)
    meet = ", ".join(f"{n}:success" for n in names)
    flow(
        project,
        workflow(
            "main",
            step("go", "true"),
            *parts,
            step("end", "true"),
            wires,
            f"go:fail -> abort\ncollect all ({meet}) -> end\n",
            line("end"),
        )
        + "".join(
            workflow(
                n,
                *(step(f"s{i}", f"echo {n}.{i}=x >> $GIT_INTENT_KV") for i in range(5)),
                line(*(f"s{i}" for i in range(5))),
            )
            for n in names
        ),
    )
    assert intent("run", "main").code == 0
    rows = json.loads(record(project)["kv.json"])
    assert {f"{n}.{i}" for n in names for i in range(5)} <= set(rows)


def test_a_run_can_be_pushed_and_looked_at_elsewhere(project, intent, tmp_path):
    flow(project, workflow("main", step("one", "true"), line("one")))
    assert intent("run", "main", "--run", "r1").code == 0
    other = type(project).init(tmp_path / "other")
    other.commit("begin")
    project.git("push", "-q", str(other.path), "refs/intent/runs/*:refs/intent/runs/*")
    shown = other.intent("runs", "show", "r1")
    assert (shown.code, "main:one" in shown.out) == (0, True)


def test_logs_are_where_cloche_looks_and_hold_no_secret(project, intent):
    say = (
        f"printf '{TOKEN[:9]}'; sleep 0.2; echo '{TOKEN[9:]} out'; echo {TOKEN} err >&2"
    )
    flow(project, workflow("main", step("one", say), line("one")))
    assert intent("run", "main").code == 0
    found = logs(project)
    assert sorted(found["main-one.log"].splitlines()) == [
        b"[secret removed] err",
        b"[secret removed] out",
    ]
    assert TOKEN[9:].encode() not in found["full.log"]
    assert b"] [status] main:one finished success\n" in found["full.log"]
    assert b"] [script] [secret removed] out\n" in found["full.log"]


def test_a_hundred_megabytes_of_output_are_bounded(project, intent):
    say = "yes some words of a log | head -c 100000000; echo the end"
    flow(
        project,
        workflow(
            "main",
            step("one", say),
            step("two", 'printf %s "$CLOCHE_PREV_OUTPUT" | tail -n 1 > seen'),
            line("one", "two"),
        ),
    )
    assert intent("run", "main").code == 0
    assert project.read("seen") == b"the end\n"
    sizes = {name: len(data) for name, data in logs(project).items()}
    assert sizes["main-one.log"] < 17 << 20
    assert sizes["full.log"] < 17 << 20


def test_the_prompt_of_an_opted_out_workflow_is_not_kept(project, intent):
    text = workflow(
        "quiet", "intent_tracking = false\n", step("one", "true"), line("one")
    )
    flow(project, text)
    assert intent("run", "quiet", "--task", "canary").code == 0
    assert "prompt" not in record(project)
    assert json.loads(record(project)["meta.json"])["opted_out"] is True


@pytest.mark.parametrize("name", ["..", "../x", "a/b", ".git", "-x", "n" * 300, "é"])
def test_any_name_of_a_run_stays_in_its_place(project, intent, name):
    flow(project, workflow("main", step("one", "true"), line("one")))
    before = {p for p in project.path.rglob("*") if ".git" not in p.parts}
    done = intent("run", "main", f"--run={name}", "--task", "do it")
    assert done.code == 0, done.err
    assert recorded(project) == [name]
    after = {p for p in project.path.rglob("*") if ".git" not in p.parts}
    folders = (project.path / ".cloche/logs", project.path / ".cloche/runs")
    assert all(any(p.is_relative_to(f) for f in folders) for p in after - before)
    assert not [*(project.path / ".git/intent/running").iterdir()]


def test_a_workflow_may_have_any_name_and_its_logs_stay_in_their_place(project, intent):
    flow(project, workflow('"../../x y"', step("one", "echo hi"), line("one")))
    done = intent("run", "../../x y", "--run", "r1")
    assert done.code == 0, done.err
    assert logs(project)["%2e%2e%2f%2e%2e%2fx%20y-one.log"] == b"hi\n"


# What is refused


def test_nothing_runs_that_nobody_approved(project, intent):
    flow(project, workflow("main", step("one", "touch ran"), line("one")))
    assert intent("run", "main").code == 0
    (project.path / "ran").unlink()
    changed = project.read(PATH).replace(b"touch ran", b"touch ran #")
    project.write(PATH, changed)
    done = intent("run", "main")
    assert done.code == 1
    assert "git intent trust .cloche/flows.cloche" in done.err
    assert not (project.path / "ran").exists()


def test_what_a_step_runs_must_be_approved_too(project, intent):
    inner = ".cloche/inner.cloche"
    flow(
        project,
        workflow(
            "main",
            step("one", "touch ran"),
            'step inner { workflow_name = "part" results = [success, fail] }\n',
            line("one", "inner"),
        ),
    )
    project.write(inner, workflow("part", step("say", "touch ran"), line("say")))
    done = intent("run", "main")
    assert (done.code, inner in done.err) == (1, True)
    assert not (project.path / "ran").exists()
    approve(project, inner)
    assert intent("run", "main").code == 0


def test_steps_in_containers_are_refused_by_name(project, intent):
    inside = (
        'step one { run = "touch ran" results = [success] container { image = "x" } }'
    )
    for text in (
        f"workflow main {{ host {{}} {inside} one:success -> done }}",
        f"workflow main {{ container {{}} {step('one', 'touch ran')} {line('one')} }}",
    ):
        flow(project, text)
        done = intent("run", "main")
        assert done.code == 1
        assert "in a container" in done.err
        assert "one" in done.err
        assert "cloche run" in done.err
        assert "host {}" in done.err
    assert not (project.path / "ran").exists()
    assert recorded(project) == []


def test_a_workflow_that_cannot_run_is_refused_with_its_places(project, intent):
    flow(
        project, 'workflow main { host {}\nstep one { run = "true" }\n two:x -> done }'
    )
    done = intent("run", "main")
    assert done.code == 1
    assert f"{PATH}:3:2: W110" in done.err


def test_an_unknown_workflow_is_named(project, intent):
    done = intent("run", "mian")
    assert done.code == 1
    assert "there is no workflow 'mian'" in done.err


def test_a_name_is_given_to_one_run(project, intent):
    flow(project, workflow("main", step("one", "echo x >> seen"), line("one")))
    assert intent("run", "main", "--run", "r1").code == 0
    done = intent("run", "main", "--run", "r1")
    assert (done.code, "on record already" in done.err) == (1, True)
    assert project.read("seen") == b"x\n"


def test_a_run_under_way_elsewhere_is_left_alone(project, intent):
    flow(project, workflow("main", step("one", "touch ran"), line("one")))
    journal = RunJournal(Repository.discover(project.path).common_dir, "r1")
    with journal.held():
        done = intent("run", "main", "--run", "r1")
        assert (done.code, "under way in another process" in done.err) == (1, True)
    assert not (project.path / "ran").exists()


@pytest.mark.parametrize(
    "args",
    [
        ("run",),
        ("run", "main", "--resume", "r1"),
        ("run", "main", "--retry"),
        ("run", "--resume", "r1", "--task", "x"),
        ("run", "--resume", "r1", "--result", "success"),
        ("run", "main", "--task", "x", "--task-file", "y"),
    ],
)
def test_what_does_not_go_together_is_a_usage_error(project, intent, args):
    flow(project, workflow("main", step("one", "touch ran"), line("one")))
    assert intent(*args).code == 2
    assert not (project.path / "ran").exists()


def test_n054_a_scan_run_as_a_workflow_takes_no_more_arguments(project, intent):
    assert intent("run", "intent-scan", "extra").code == 2
    assert intent("run", "intent-scan", "--full").code == 2
    assert recorded(project) == []


def test_a_link_in_the_place_of_the_logs_is_refused(project, intent, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    flow(project, workflow("main", step("one", "touch ran"), line("one")))
    (project.path / ".cloche/logs").symlink_to(tmp_path / "elsewhere")
    done = intent("run", "main")
    assert (done.code, "symbolic link" in done.err) == (1, True)
    assert not (project.path / "ran").exists()
