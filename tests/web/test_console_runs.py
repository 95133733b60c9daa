"""Runs and Preview, in a real browser, against the records themselves."""

import json

import pytest

from tests.support.browser import until
from tests.support.console_store import documents, put, some
from tests.support.repo import STORE

WORKFLOW = """
workflow "develop" {
  step plan { prompt = "plan" results = [success] }
  step build { prompt = "build" results = [success] }
  plan:success -> build
  build:success -> done
}
"""
PLAN = ("--workflow", "develop", "--step", "plan")
BUILD = ("--workflow", "develop", "--step", "build")


def told(repo, run, step, task):
    done = repo.intent("inject", "--run", run, *step, "--task", task, input="Do it.\n")
    assert done.code == 0, done.err


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        repo.write(".cloche/develop.cloche", WORKFLOW)
        put(repo, some())
        repo.commit("intent: what was said")
        repo.write("task.md", "Bump the major version number.\n")
        for run, steps in {"task-12": (PLAN, BUILD), "task-13": (BUILD,)}.items():
            for step in steps:
                told(repo, run, step, "bump the major version")
        for options in (("--run", "task-14"), ("--run", "task 12/é", "--exclude")):
            done = repo.intent("record", *options, "--task-file", "task.md")
            assert done.code == 0, done.err
        path = f"{STORE}/requirements/req-0001.md"
        later = repo.read(path).replace(
            b"status: active", b"status: superseded\nsuperseded_by: req-0005"
        )
        repo.write(path, later)

    return make


@pytest.fixture
def page(console):
    opened = console.open("requirements")
    opened.wait_for_selector(".tbody .tr")
    opened.keyboard.press("l")
    opened.wait_for_selector(".sections .section")
    return opened


def records(repo):
    """The ids that each run was told, as they stand under refs/intent/runs."""
    found = {}
    listing = repo.git("for-each-ref", "--format=%(refname)", "refs/intent/runs")
    for ref in listing.split():
        names = repo.git("ls-tree", "--name-only", ref).split()
        told = repo.git("show", f"{ref}:kv.json") if "kv.json" in names else "{}"
        kept = json.loads(told)
        ids = {id for value in kept.values() for id in value.split(",") if id}
        found[ref.rpartition("/")[2]] = ids
    return found


def test_n172_both_ways_are_equal_to_the_records(page, console):
    expected = records(console.repo)
    assert expected["task-12"] >= {"req-0001"}
    assert page.locator("#section-requirements").is_visible()
    backwards = {}
    for item in page.locator("li.told").all():
        for run in item.locator(".links a").all_inner_texts():
            backwards.setdefault(run, set()).add(item.get_attribute("data-id"))
    forwards = {
        item.get_attribute("data-run"): set(item.locator(".links a").all_inner_texts())
        for item in page.locator("li.run[data-run]").all()
    }
    assert forwards.pop("task-14") == set()
    assert forwards.pop("task 12/é") == set()
    assert forwards == backwards
    assert forwards == {run: ids for run, ids in expected.items() if ids}


def test_n172_one_superseded_since_says_so(page):
    item = page.locator("li.told[data-id=req-0001]")
    assert "superseded" in item.inner_text()
    item.locator(".item").click()
    page.wait_for_selector("dialog .status[data-status=superseded]")


def test_n172_a_run_without_requirements_is_listed_as_such(page):
    item = page.locator("li.run[data-run=task-14]")
    assert "no requirements" in item.inner_text()
    item.locator(".item").click()
    page.wait_for_selector("dialog .facts")
    text = page.locator("dialog .body").inner_text()
    assert "Bump the major version number." in text
    assert "No requirements." in text


def test_the_chart_tells_how_often(page, console):
    expected = {}
    for ref in ("task-12", "task-13"):
        kept = json.loads(console.repo.git("show", f"refs/intent/runs/{ref}:kv.json"))
        for value in kept.values():
            for id in value.split(","):
                expected[id] = expected.get(id, 0) + 1
    bars = page.locator("svg.chart a")
    names = bars.locator("tspan.mono").all_text_contents()
    counts = [int(text) for text in bars.locator(".count").all_text_contents()]
    assert dict(zip(names, counts, strict=True)) == expected
    assert counts == sorted(counts, reverse=True)
    bars.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.drawer")


def test_a_run_shows_what_each_step_was_told(page, console):
    page.click("li.run[data-run=task-12] .item")
    page.wait_for_selector("dialog details.step")
    page.click("dialog summary:has-text('develop:plan')")
    block = page.locator("dialog details[open] pre").inner_text()
    path = "refs/intent/runs/task-12:blocks/develop/plan"
    assert block.strip() == console.repo.git("show", path).strip()
    assert page.evaluate("location.hash") == "#/runs/task-12"


def test_a_name_that_is_no_path_is_opened(page):
    page.click("li.run[data-run='task 12/é'] .item")
    page.wait_for_selector("dialog .facts:has-text('opted out')")


def test_the_filter_goes_both_ways_and_the_keyboard_walks(page):
    page.keyboard.press("/")
    page.keyboard.type("req-0001")
    until(page, "document.querySelectorAll('li.told').length === 1")
    assert page.locator("li.run[data-run=task-14]").count() == 0
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "req-0001"
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "task-13"


def test_a_requirement_leads_to_its_tasks(console):
    page = console.open("requirements/req-0002")
    page.click("dialog .facts a:has-text('tasks and chats')")
    page.wait_for_selector(".sections .section")
    assert page.input_value("input[type=search]") == "req-0002"
    assert page.locator("li.told").count() <= 1


def test_preview_shows_the_bytes_of_the_command_and_why(console):
    page = console.open("requirements")
    page.keyboard.press("p")
    page.wait_for_selector("textarea[name=task]")
    page.keyboard.type("say what is wrong in the command line's errors")
    page.get_by_label("Paths").fill("src/cli/main.py")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("pre.block")
    task = "say what is wrong in the command line's errors"
    same = console.repo.intent("preview", "--task", task, "--path", "src/cli/main.py")
    assert page.locator("pre.block").inner_text().strip() == same.out.strip()
    inside = page.locator(".lines li.in")
    ids = [item.get_attribute("data-id") for item in inside.all()]
    assert "req-0002" in ids
    assert all(id in same.out for id in ids)
    assert all(page.locator(".lines li .reason").all_inner_texts())
    assert "tokens" in page.locator(".meter").inner_text()


def test_preview_keeps_what_was_asked_while_one_looks_elsewhere(console):
    page = console.open("preview")
    page.fill("textarea[name=task]", "bump the version")
    page.click("button:has-text('Preview')")
    page.wait_for_selector(".lines")
    page.keyboard.press("Escape")
    page.click("#intent")
    page.wait_for_selector(".tbody .tr")
    page.keyboard.press("p")
    page.wait_for_selector(".lines")
    assert page.input_value("textarea[name=task]") == "bump the version"
