"""A scan whose steps are called by a workflow: one lock, one run, one commit."""

from contextlib import suppress
from dataclasses import replace

import pytest

from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.lock import LockHeld, ProjectLock
from git_intent.scan import orders
from git_intent.scan import run as runs
from git_intent.scan.by_workflow import Ended, WorkflowScan
from git_intent.scan.pipeline import STEPS, StepFailed
from git_intent.scan.steps import Result
from git_intent.store.intent_dir import read_snapshot
from git_intent.store.requirement import Status
from git_intent.workflow.model import Field, Form, Step, Value, Workflow
from tests.scan.test_scan_rules import SPACES, TABS, by_words, edit
from tests.support.repo import STORE
from tests.support.scanning import TOOLS, drain, queue_up, scan, scanner

ALL = list(STEPS)


def workflow(steps):
    """One with a step for each; what is no name is a script of the project's."""
    made = [
        Step(
            f"s{number}",
            (Field("run", Value(Form.TEXT, f"git intent scan-step {step}")),),
        )
        for number, step in enumerate(steps)
        if isinstance(step, str)
    ]
    return Workflow("intent-scan", steps=tuple(made), path=".cloche/team.cloche")


def by(repo, steps, *, tools=TOOLS, **options):
    """A scan by these steps in turn, up to the first that fails."""
    one = workflow(steps)
    made = scanner(repo.path, tools=tools, **options)

    def perform(env):
        lent = orders.lent(Repository.discover(repo.path), env)
        for step in steps:
            try:
                if callable(step):
                    step(repo)
                elif made.step(step, lent) is Result.NONE and step == "collect-sources":
                    return perform_last(made, lent)
            except IntentError:
                return Ended(False, str(step), f"step '{step}' ended with 'fail'")
        return Ended(True)

    return WorkflowScan(made, one, [one], perform)


def perform_last(made, lent):
    made.step("commit", lent)
    return Ended(True)


def replaced(script):
    return [script if step == "apply-reconcile" else step for step in ALL]


@pytest.fixture
def begun(repo):
    """A store with an active and a disabled requirement, and something new to read."""
    repo.commit("start", **{"CLAUDE.md": TABS})
    scan(repo.path)
    (kind,) = by_words(repo, "Rule: be kind.")
    edit(repo, kind.id, "status: active", "status: disabled")
    repo.commit("spaces", **{"CLAUDE.md": SPACES})
    return repo


def unchanged(repo):
    return read_snapshot(repo.path), repo.head(), repo.status()


def test_the_steps_of_a_workflow_make_the_commit_of_a_scan(repo, tmp_path):
    repo.commit("start", **{"CLAUDE.md": TABS})
    repo.git("clone", "-q", ".", str(tmp_path / "other"))
    other = type(repo)(tmp_path / "other")
    report, plain = by(repo, ALL).scan(), scan(other.path)
    assert repo.git("rev-parse", "HEAD^{tree}") == other.git("rev-parse", "HEAD^{tree}")
    assert report.workflow == ".cloche/team.cloche:0"
    assert plain.workflow == "built-in"
    assert replace(report, run="", commit="", workflow="") == replace(
        plain, run="", commit="", workflow=""
    )
    assert repo.status() == ""
    assert by(repo, ALL).scan().quiet


def test_nothing_comes_in_between_two_steps(begun):
    """Neither another scan nor the runs that wait."""
    queue_up(begun.path, "R")
    seen = []

    def intrude(repo):
        lock = ProjectLock(repo.path / ".git")
        with pytest.raises(LockHeld, match="scan"), lock.acquire("other"):
            pass
        with pytest.raises(LockHeld):
            drain(repo.path)
        with pytest.raises(LockHeld):
            scanner(repo.path).step("commit")
        seen.append(repo.head())

    steps = [one for name in ALL for one in (intrude, name)]
    report = by(begun, steps).scan()
    assert len(set(seen)) == 1
    assert report.commit == begun.head()


def test_steps_find_the_options_of_their_scan(begun):
    report = by(begun, ALL, no_commit=True).scan()
    assert (report.commit, bool(report.written)) == ("", True)
    assert begun.status()
    made = by(begun, ALL, max_commits=7, resume=False, full=True)
    found = {}

    def look(repo):
        run = runs.all_runs(repo.path / ".git")[-1]
        found["job"] = made.scanner.job(run).options

    by(begun, [look, *ALL], max_commits=7, full=True).scan()
    assert (found["job"].max_commits, found["job"].full) == (7, True)


def test_a_step_belongs_to_the_scan_that_holds_the_lock(begun):
    repo = Repository.discover(begun.path)
    assert orders.lent(repo, {}) is None
    run = scanner(begun.path).begin_by_steps()
    lent = orders.lent(repo, orders.environment(run, "another"))
    with pytest.raises(IntentError, match="is not held by the process"):
        scanner(begun.path).step("discover-domains", lent)
    with (
        ProjectLock(repo.common_dir).acquire("scan"),
        pytest.raises(IntentError, match="is not held by the process"),
    ):
        scanner(begun.path).step("discover-domains", lent)
    gone = {orders.LOCK_VARIABLE: "n", "GIT_INTENT_SCAN": "../etc"}
    with pytest.raises(IntentError, match="there is no scan"):
        orders.lent(repo, gone)


# What an apply step of the project's own may do


def delete_and_enable(repo):
    (tabs,) = by_words(repo, "Rule: use tabs.")
    (kind,) = by_words(repo, "Rule: be kind.")
    (repo.store / f"requirements/{tabs.id}.md").unlink()
    edit(repo, kind.id, "status: disabled", "status: active")


def staged(repo):
    delete_and_enable(repo)
    repo.git("add", "-A")


@pytest.mark.parametrize("script", [delete_and_enable, staged])
def test_n107_what_an_own_apply_step_may_not_do_is_refused_and_put_back(begun, script):
    before = unchanged(begun)
    with pytest.raises(StepFailed) as caught:
        by(begun, replaced(script)).scan()
    assert caught.value.step == "commit"
    assert {"I101", "I103"} <= set(caught.value.message.split())
    assert unchanged(begun) == before
    assert scan(begun.path).created  # the material is still ahead


def test_n107_the_same_for_steps_that_are_called_one_by_one(begun):
    before = unchanged(begun)
    for step in replaced(delete_and_enable)[:-1]:
        step(begun) if callable(step) else scanner(begun.path).step(step)
    with pytest.raises(StepFailed, match="I103"):
        scanner(begun.path).step("commit")
    assert unchanged(begun) == before


def commits(repo):
    repo.commit("by the script", **{"new.txt": "x"})


@pytest.mark.parametrize("place", range(len(ALL) + 1))
def test_n107_a_step_that_commits_by_itself_is_reported(begun, place):
    steps = [*ALL[:place], commits, *ALL[place:]]
    with pytest.raises(StepFailed, match="HEAD moved while the scan ran") as caught:
        by(begun, steps).scan()
    assert begun.status() == ""
    assert "by the script" in begun.git("log", "--format=%s")
    made = "intent scan: " in begun.git("log", "-2", "--format=%s")
    assert made == ("'s commit" in caught.value.hint) == (not caught.value.resumable)
    if made:
        with pytest.raises(IntentError, match="there is no failed scan to resume"):
            by(begun, ALL, resume=True).scan()


def add_one(repo):
    (tabs,) = by_words(repo, "Rule: use tabs.")
    data = repo.read(f"{STORE}/requirements/{tabs.id}.md").decode()
    new = data.replace(tabs.id, "req-abcd").replace("use tabs", "use blanks")
    repo.write(f"{STORE}/requirements/req-abcd.md", new)


def test_what_an_own_apply_step_may_do_is_committed_with_the_cursor(begun):
    report = by(begun, replaced(add_one)).scan()
    assert [item.id for item in report.created] == ["req-abcd"]
    assert begun.git("log", "-1", "--format=%s").startswith("intent scan: created 1,")
    assert begun.status() == ""
    assert scan(begun.path).quiet


def test_what_an_own_apply_step_wrote_is_put_back_if_the_scan_fails(begun):
    before = unchanged(begun)

    def fail(repo):
        raise IntentError("no")

    steps = replaced(add_one)
    with pytest.raises(StepFailed):
        by(begun, [*steps[:-1], fail]).scan()
    assert unchanged(begun) == before


def test_a_file_that_is_no_requirement_is_not_committed(begun):
    before = unchanged(begun)

    def scribble(repo):
        repo.write(f"{STORE}/requirements/req-abcd.md", "no frontmatter")

    with pytest.raises(StepFailed, match="I002"):
        by(begun, replaced(scribble)).scan()
    assert unchanged(begun) == before


# What is a person's stays a person's


def persons(repo):
    (tabs,) = by_words(repo, "Rule: use tabs.")
    edit(repo, tabs.id, "Rule: use tabs.", "Rule: use tabs, please.")


@pytest.mark.parametrize("place", [0, 2, 4])
def test_an_edit_meanwhile_is_neither_committed_nor_lost(begun, place):
    steps = [*ALL[:place], persons, *ALL[place:]]
    with suppress(StepFailed):  # apply-reconcile defers or refuses what moved
        by(begun, steps).scan()
    (tabs,) = by_words(begun, "Rule: use tabs, please.")
    assert tabs.status is Status.ACTIVE
    assert "please" not in begun.git(
        "show", "HEAD:" + f"{STORE}/requirements/{tabs.id}.md"
    )


def test_an_edit_during_a_scan_that_fails_stays(begun):
    def fail(repo):
        raise IntentError("no")

    with pytest.raises(StepFailed):
        by(begun, [*ALL[:3], persons, fail, *ALL[3:]]).scan()
    assert by_words(begun, "Rule: use tabs, please.")


# Ends


def test_what_stops_the_workflow_leaves_the_store_as_it_was(begun):
    before = unchanged(begun)

    def stop(repo):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        by(begun, [*ALL[:5], stop]).scan()
    assert unchanged(begun) == before
    assert ProjectLock(begun.path / ".git").holder() is None


def test_n092_a_failed_scan_goes_on_with_what_it_has(begun):
    asked = []

    def extract(sources, domains):
        asked.append(len(sources.items))
        return TOOLS.extract(sources, domains)

    counting = replace(TOOLS, extract=extract)

    def fail(repo):
        raise IntentError("no")

    with pytest.raises(StepFailed):
        by(begun, [*ALL[:4], fail], tools=counting).scan()
    report = by(begun, ALL, tools=counting, resume=True).scan()
    assert len(asked) == 1
    assert report.created
    assert report.commit == begun.head()


def test_a_failure_that_the_workflow_deals_with_is_none(begun):
    failing = [True]

    def extract(sources, domains):
        if failing.pop():
            raise IntentError("try again")
        return TOOLS.extract(sources, domains)

    tools = replace(TOOLS, extract=extract)
    made = scanner(begun.path, tools=tools)
    one = workflow(ALL)

    def perform(env):
        lent = orders.lent(Repository.discover(begun.path), env)
        for name in ALL:
            with suppress(StepFailed):
                made.step(name, lent)
            if name == "extract":
                failing.append(False)
                made.step(name, lent)
        return Ended(True)

    report = WorkflowScan(made, one, [one], perform).scan()
    assert report.created


def test_a_scan_that_chooses_to_commit_nothing_leaves_the_store_written(begun):
    head = begun.head()
    report = by(begun, ALL[:-1]).scan()
    assert begun.head() == head
    assert report.commit == ""
    assert begun.status()
