"""What follows a step's result: wires, fan-out, collects, attempts, ends, loops."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.files import canonical_json
from git_intent.workflow import machine, progress
from git_intent.workflow.machine import (
    MOST_VISITS,
    aborted,
    begin,
    finished,
    repeated,
    started,
)
from git_intent.workflow.model import Workflow
from git_intent.workflow.parser import parse
from git_intent.workflow.progress import Progress, State, Visit
from git_intent.workflow.wiring import judge


def workflow(body: str) -> Workflow:
    (found,) = parse(f"workflow w {{ {body} }}".encode(), "f.cloche").workflows
    return found


def steps(*names: str, results: str = "success, fail") -> str:
    return "\n".join(f'step {n} {{ run = "x" results = [{results}] }}' for n in names)


class Run:
    """A run that is told what its steps report."""

    def __init__(self, body: str) -> None:
        self.workflow = workflow(body)
        assert judge(self.workflow) == []
        self.now = begin(self.workflow)

    def start(self, *names: str) -> "Run":
        for name in names:
            self.now = started(self.workflow, self.now, name)
        return self

    def end(self, name: str, result: str = "success") -> "Run":
        self.now = finished(self.workflow, self.now, name, result)
        return self

    def do(self, *told: str) -> "Run":
        """`step` or `step:result`, one after another."""
        for one in told:
            name, _, result = one.partition(":")
            self.start(name).end(name, result or "success")
        return self

    @property
    def ready(self) -> list[str]:
        return list(self.now.ready)

    @property
    def state(self) -> str:
        return self.now.state.value


CHAIN = (
    steps("a", "b") + "a:success -> b a:fail -> abort b:success -> done b:fail -> abort"
)
FAN = (
    steps("a", "b", "c", "d") + "a:success -> b a:success -> c a:fail -> abort "
    "b:fail -> abort c:fail -> abort d:success -> done d:fail -> abort "
)
LOOP = (
    'step fix { run = "x" max_attempts = 2 results = [success, fail, give-up] }'
    "fix:success -> done fix:fail -> fix fix:give-up -> abort"
)


def test_the_first_step_written_is_the_entry():
    run = Run(CHAIN)
    assert run.ready == ["a"]
    assert run.state == "running"


def test_results_lead_along_the_wires_to_done():
    run = Run(CHAIN).do("a")
    assert run.ready == ["b"]
    run.do("b")
    assert (run.state, run.now.reason) == ("done", "")
    assert run.now.over


def test_a_wire_to_abort_ends_the_run_and_says_why():
    run = Run(CHAIN).do("a:fail")
    assert run.state == "aborted"
    assert run.now.reason == "step 'a' ended with 'fail'"


def test_several_wires_for_one_result_fan_out():
    run = Run(FAN + "collect all (b:success, c:success) -> d").do("a")
    assert run.ready == ["b", "c"]
    run.start("b", "c").end("c")
    assert run.ready == []
    run.end("b")
    assert run.ready == ["d"]
    assert run.do("d").state == "done"


def test_a_wire_written_twice_enters_its_step_once():
    run = Run(CHAIN + " a:success -> b").do("a")
    assert [(v.step, v.number) for v in run.now.waiting] == [("b", 1)]


def test_collect_any_goes_on_at_the_first_and_swallows_the_rest():
    run = Run(FAN + "collect any (b:success, c:success) -> d").do("a").start("b", "c")
    run.end("c")
    assert run.ready == ["d"]
    run.do("d").end("b")
    assert run.now.visits["d"] == 1
    assert run.state == "done"


def test_a_collect_that_can_never_be_filled_aborts_and_names_what_is_missing():
    run = Run(
        steps("a", "b", "c", "d")
        + "a:success -> b a:success -> c a:fail -> abort b:fail -> abort"
        " c:success -> c2 c:fail -> abort d:success -> done d:fail -> abort"
        ' step c2 { run = "x" results = [success, other] } c2:other -> abort'
        " collect all (b:success, c2:success) -> d c2:timeout -> b b:timeout -> b"
    )
    run.do("a", "b", "c").do("c2:timeout").do("b:success")
    assert run.state == "aborted"
    assert run.now.reason == "nothing is left that could bring c2:success (for 'd')"


LOOPING = (
    steps("a", "b", "c")
    + "a:success -> b a:success -> c a:fail -> abort b:fail -> a c:fail -> a"
    ' step d { run = "x" results = [again, enough] } d:again -> a d:enough -> done '
)


def test_collect_all_of_a_loop_needs_every_branch_once_more():
    run = Run(LOOPING + "collect all (b:success c:success) -> d")
    run.do("a", "b", "c", "d:again", "a", "b")
    assert run.ready == ["c"]
    run.do("c", "d:enough")
    assert run.state == "done"
    assert run.now.visits == {"a": 2, "b": 2, "c": 2, "d": 2}


def test_a_result_of_a_step_that_is_entered_anew_joins_nothing():
    run = Run(LOOPING + "collect all (b:success c:success) -> d")
    run.do("a", "b", "c:fail")  # all over again; what b did counts no more
    run.do("a", "c")
    assert run.ready == ["b"]
    assert run.do("b").ready == ["d"]


def test_a_result_that_a_running_branch_may_replace_is_not_joined_yet():
    run = Run(
        steps("a", "b", "b2", "c", "d")
        + "a:success -> b a:success -> c a:fail -> abort b:success -> b2"
        " b:fail -> abort b2:fail -> abort c:fail -> a"
        " d:success -> done d:fail -> abort"
        " collect all (b2:success, c:success) -> d"
    )
    run.do("a", "b", "b2", "c:fail", "a", "c")
    assert run.ready == ["b"]  # on its way to b2 again
    assert run.do("b").ready == ["b2"]
    assert run.do("b2").ready == ["d"]


def test_a_branch_that_goes_another_way_brings_the_join_about():
    run = Run(
        steps("a", "b", "b2", "c", "d")
        + "a:success -> b a:success -> c a:fail -> abort b:success -> b2 b:fail -> done"
        " b2:fail -> abort c:fail -> a d:success -> done d:fail -> abort"
        " collect all (b2:success, c:success) -> d"
    )
    run.do("a", "b", "b2", "c:fail", "a", "c")
    assert run.do("b:fail").ready == ["d"]


def test_one_branch_may_be_tried_again_alone():
    run = Run(
        steps("a", "b", "c", "fix", "d")
        + "a:success -> b a:success -> c a:fail -> abort b:fail -> abort c:fail -> fix"
        " fix:success -> c fix:fail -> abort d:success -> done d:fail -> abort"
        " collect all (b:success, c:success) -> d"
    ).do("a", "b", "c:fail", "fix", "c")
    assert run.ready == ["d"]


def test_a_branch_beside_a_join_does_not_hold_it_up():
    run = Run(
        steps("a", "b", "c", "d", "x")
        + "a:success -> b a:success -> c a:success -> x a:fail -> abort b:fail -> abort"
        " c:fail -> abort d:success -> done d:fail -> abort x:success -> done"
        " x:fail -> a"
        " collect all (b:success, c:success) -> d"
    ).do("a", "b", "c")
    assert run.ready == ["x", "d"]


def test_collect_any_of_a_loop_opens_a_round_each_time():
    run = Run(LOOPING + "collect any (b:success c:success) -> d")
    run.do("a", "b", "d:again")
    run.do("c")  # of the first round, too late
    assert run.ready == ["a"]
    run.do("a", "c")
    assert run.ready == ["b", "d"]
    run.do("b", "d:enough")
    assert run.now.visits == {"a": 2, "b": 2, "c": 2, "d": 2}
    assert run.state == "done"


def test_collect_any_goes_on_after_a_round_in_which_a_branch_failed():
    run = Run(
        LOOPING.replace("b:fail -> a", "b:fail -> done")
        + "collect any (b:success c:success) -> d"
    )
    run.do("a", "b:fail", "c", "d:again", "a", "b")
    assert run.ready == ["c", "d"]


def test_a_collect_and_a_wire_of_one_result_both_count():
    run = Run(FAN + "collect any (b:success, c:success) -> d b:success -> a").do("a")
    run.start("b", "c").end("b")
    assert run.ready == ["a", "d"]


@pytest.mark.parametrize(
    ("more", "result", "then"),
    [
        ("", "timeout", "aborted"),
        ("", "token-limit", "aborted"),
        ("a:timeout -> b", "timeout", ["b"]),
        ("token-limit -> b", "token-limit", ["b"]),
        ("token-limit -> b", "timeout", "aborted"),
        ("token-limit -> b a:token-limit -> done", "token-limit", "done"),
    ],
)
def test_implicit_results_abort_unless_they_are_wired(more, result, then):
    run = Run(CHAIN + " " + more).do(f"a:{result}")
    assert (run.state if run.now.over else run.ready) == then


@pytest.mark.parametrize(
    ("result", "state"), [("success", "done"), ("fail", "aborted")]
)
def test_a_lone_step_without_results_and_wires_ends_the_run(result, state):
    assert Run('step a { run = "x" }').do(f"a:{result}").state == state


def test_a_result_that_is_not_declared_aborts_and_is_named():
    run = Run(CHAIN).do("a:maybe")
    assert run.state == "aborted"
    assert run.now.reason == "step 'a' ended with 'maybe', which it does not declare"


def test_after_abort_nothing_starts_and_running_steps_are_waited_for():
    run = Run(FAN + "collect all (b:success, c:success) -> d").do("a").start("b", "c")
    run.end("b", "fail")
    assert (run.state, run.ready) == ("aborting", [])
    run.end("c")
    assert run.state == "aborted"
    assert run.now.reason == "step 'b' ended with 'fail'"


def test_abort_drops_what_is_ready():
    run = Run(FAN + "collect all (b:success, c:success) -> d").do("a", "b:fail")
    assert (run.state, run.ready) == ("aborted", [])


def test_the_run_is_done_when_its_last_branch_is():
    run = Run(
        steps("a", "b", "c")
        + "a:success -> b a:success -> c a:fail -> abort b:success -> done"
        " b:fail -> abort c:success -> done c:fail -> abort"
    ).do("a", "b")
    assert (run.state, run.ready) == ("running", ["c"])
    assert Run.do(run, "c").state == "done"


def test_a_branch_that_aborts_after_another_was_done_aborts_the_run():
    run = Run(
        steps("a", "b")
        + "a:success -> b a:success -> done a:fail -> abort b:success -> done"
        " b:fail -> abort"
    ).do("a", "b:fail")
    assert run.state == "aborted"


def test_every_round_of_a_loop_is_a_visit_with_its_own_number():
    run = Run('step a { run = "x" results = [more, enough] } a:more->a a:enough->done')
    for number in (1, 2, 3):
        run.start("a")
        assert run.now.visit("a").number == number
        run.end("a", "more")


def test_one_step_never_runs_twice_at_a_time():
    run = Run(
        steps("a", "b", "c", "d")
        + "a:success -> b a:success -> c a:fail -> abort b:success -> d b:fail -> abort"
        " c:success -> d c:fail -> abort d:success -> done d:fail -> abort"
    ).do("a", "b")
    run.start("d", "c").end("c")
    assert [(v.step, v.number) for v in run.now.waiting] == [("d", 2)]
    assert run.ready == []
    with pytest.raises(ValueError, match="not ready"):
        run.start("d")
    run.end("d")
    assert run.ready == ["d"]
    assert run.do("d").state == "done"


@pytest.mark.parametrize("name", ["give-up", "give_up"])
def test_attempts_that_are_used_up_give_up_without_running(name):
    run = Run(LOOP.replace("give-up", name)).do("fix:fail", "fix:fail").start("fix")
    assert run.now.visit("fix") == Visit("fix", 3, name, 3)
    run.end("fix", name)
    assert run.state == "aborted"
    assert run.now.reason == f"step 'fix' ended with '{name}'"


def test_success_gives_all_attempts_back():
    run = Run(
        'step fix { run = "x" max_attempts = 1 results = [success, fail, give-up] }'
        "fix:success -> fix fix:fail -> fix fix:give-up -> done"
    ).do("fix", "fix", "fix:fail")
    assert run.start("fix").now.visit("fix").result == "give-up"


@pytest.mark.parametrize(
    ("written", "most"),
    [("3", 3), ("0", 0), ("007", 7), ("9" * 5000, 0), ("999999999", 999999999)],
)
def test_the_number_of_attempts(written, most):
    step = workflow(f'step a {{ run = "x" max_attempts = {written} }}').steps[0]
    assert machine.most_attempts(step) == most


def test_a_loop_without_end_is_ended():
    run = Run('step a { run = "x" results = [more, enough] } a:more->a a:enough->done')
    for _ in range(MOST_VISITS):
        run.do("a:more")
    assert run.state == "aborted"
    assert "may never end" in run.now.reason


def test_a_visit_whose_end_nobody_saw_is_repeated_as_a_new_one():
    run = Run(LOOP).start("fix")
    run.now = repeated(run.workflow, run.now, "fix")
    assert [(v.step, v.number) for v in run.now.waiting] == [("fix", 2)]
    run.do("fix:fail").start("fix")  # the lost one counts as an attempt
    assert run.now.visit("fix").result == "give-up"


def test_a_lost_visit_of_an_aborted_run_is_not_repeated():
    run = Run(FAN + "collect all (b:success, c:success) -> d").do("a").start("b", "c")
    run.end("b", "fail")
    run.now = repeated(run.workflow, run.now, "c")
    assert run.state == "aborted"


def test_a_run_can_be_aborted_from_outside_once():
    run = Run(FAN + "collect all (b:success, c:success) -> d").do("a").start("b")
    run.now = aborted(run.workflow, run.now, "interrupted")
    run.now = aborted(run.workflow, run.now, "again")
    assert (run.state, run.now.reason, run.ready) == ("aborting", "interrupted", [])
    assert run.end("b").state == "aborted"


def test_a_workflow_without_steps_cannot_begin():
    with pytest.raises(IntentError, match="has no step"):
        begin(workflow(""))


def test_misuse_is_told():
    run = Run(CHAIN)
    with pytest.raises(ValueError, match="not running"):
        run.end("a")
    with pytest.raises(ValueError, match="not ready"):
        run.start("b")


# Any workflow


@st.composite
def workflows(draw):
    """Workflows that are judged sound, with fan-out, loops, collects and attempts."""
    count = draw(st.integers(1, 6))
    names = [f"s{n}" for n in range(count)]
    results = {n: draw(st.sampled_from(["ok", "ok,no", "success,fail"])) for n in names}
    body, sources = [], []
    for name in names:
        most = draw(st.sampled_from(["", "", "max_attempts = 1", "max_attempts = 2"]))
        mine = results[name].split(",") + (["give-up"] if most else [])
        body.append(f'step {name} {{ run="x" results=[{",".join(mine)}] {most} }}')
        sources += [(name, result) for result in mine]
    targets = st.sampled_from([*names, "done", "done", "abort"])
    for name, result in sources:
        for target in draw(st.lists(targets, min_size=1, max_size=3)):
            body.append(f"{name}:{result} -> {target}")
    for before, after in pairwise(names):
        result = draw(st.sampled_from(results[before].split(",")))
        body.append(f"{before}:{result} -> {after}")
    for _ in range(draw(st.integers(0, 3))):
        refs = draw(st.lists(st.sampled_from(sources), min_size=1, max_size=4))
        mode = draw(st.sampled_from(["all", "any"]))
        shown = ", ".join(f"{name}:{result}" for name, result in refs)
        body.append(f"collect {mode} ({shown}) -> {draw(targets)}")
    if draw(st.booleans()):
        body.append(f"token-limit -> {draw(targets)}")
    found = workflow("\n".join(body))
    assert judge(found) == []
    return found


def checked(flow: Workflow, now: Progress, seen: set[Visit]) -> None:
    running = [visit.step for visit in now.running]
    assert len(running) == len(set(running))
    assert now.over == (not now.running and not now.waiting)
    assert now.over or now.running or now.ready
    assert (now.reason == "") == (now.state in (State.RUNNING, State.DONE))
    assert progress.from_json(flow, progress.to_json(now)) == now
    canonical_json(progress.to_json(now))
    assert len(seen) <= MOST_VISITS * len(flow.steps)


def drive(flow: Workflow, seed: int) -> None:
    """Run it with any results in any order, and bring it to an end."""
    dice = random.Random(seed)
    now = begin(flow)
    seen: set[Visit] = set()
    for _ in range(120):
        checked(flow, now, seen)
        if now.over:
            break
        if now.ready and (not now.running or dice.random() < 0.5):
            name = dice.choice(now.ready)
            now = started(flow, now, name)
            visit = Visit(name, now.visit(name).number)
            assert visit not in seen
            seen.add(visit)
            continue
        visit = dice.choice(now.running)
        allowed = machine.allowed_results(flow.step(visit.step))
        result = visit.result or dice.choice([*allowed, *allowed[:1] * 4])
        now = finished(flow, now, visit.step, result)
    # whatever still loops is brought to its end from outside
    now = aborted(flow, now, "enough")
    while now.running:
        now = finished(flow, now, now.running[0].step, "fail")
    assert now.over


@settings(max_examples=60, deadline=None)
@given(workflows(), st.integers(0, 2**32))
def test_any_run_goes_on_to_an_end_and_runs_no_visit_twice(flow, seed):
    drive(flow, seed)


@pytest.mark.soak
@settings(max_examples=5000, deadline=None)
@given(workflows(), st.integers(0, 2**32))
def test_very_many_runs_go_on_to_an_end(flow, seed):
    drive(flow, seed)


# The record


def test_progress_is_written_with_its_version():
    run = Run(LOOP).do("fix:fail").start("fix")
    assert progress.to_json(run.now) == {
        "version": 1,
        "state": "running",
        "reason": "",
        "waiting": [],
        "running": [
            {"step": "fix", "number": 2, "result": "", "entered": 2, "rounds": []}
        ],
        "visits": {"fix": 2},
        "attempts": {"fix": 2},
        "held": [],
        "fired": [],
        "branches_done": 0,
    }


VISIT = {"step": "fix", "number": 1, "result": "", "entered": 1, "rounds": []}


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"version": 2}, "/version"),
        ({"state": "lost"}, "/state"),
        ({"state": []}, "/state"),
        ({"state": "done"}, "/state"),
        ({"reason": 1}, "/reason"),
        ({"waiting": {}}, "/waiting"),
        ({"waiting": [["fix"]]}, "/waiting/0"),
        ({"waiting": [{**VISIT, "step": "fox"}]}, "/waiting/0/step"),
        ({"waiting": [{**VISIT, "number": True}]}, "/waiting/0/number"),
        ({"waiting": [{**VISIT, "entered": None}]}, "/waiting/0/entered"),
        ({"waiting": [{**VISIT, "rounds": [1]}]}, "/waiting/0/rounds"),
        ({"running": [{**VISIT, "result": 2}]}, "/running/0/result"),
        ({"running": []}, "/state"),
        ({"visits": {"fix": -1}}, "/visits/fix"),
        ({"visits": {"fox": 1}}, "/visits"),
        ({"attempts": None}, "/attempts"),
        ({"held": {}}, "/held"),
        ({"held": [1]}, "/held/0"),
        ({"held": [{"collect": 0}]}, "/held/0/collect"),
        ({"fired": [1]}, "/fired"),
        ({"branches_done": 1e3}, "/branches_done"),
        ({"branches_done": 1 << 40}, "/branches_done"),
    ],
)
def test_a_damaged_record_is_refused_with_the_place(change, pointer):
    run = Run(LOOP).start("fix")
    with pytest.raises(IntentError) as caught:
        progress.from_json(run.workflow, {**progress.to_json(run.now), **change})
    assert f"{pointer}:" in caught.value.message


@pytest.mark.parametrize("value", [None, [], 1, "x", {}])
def test_what_is_no_record_is_refused(value):
    with pytest.raises(IntentError):
        progress.from_json(workflow(LOOP), value)
