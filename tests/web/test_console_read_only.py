"""`git intent web --read-only` in a real browser: all can be seen, nothing changed."""

import pytest

from tests.support.api import everything
from tests.support.browser import Console, Visitors, Watch, serve, until
from tests.support.console_store import documents, put, some
from tests.support.repo import Repo

WRITE = """([method, path, body]) => fetch(path, {
  method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
}).then(async answer => [answer.status, (await answer.json()).error])"""


@pytest.fixture(scope="module")
def served(world, tmp_path_factory):
    repo = Repo.init(tmp_path_factory.mktemp("read-only") / "heron")
    documents(repo)
    put(repo, some())
    repo.commit("intent: what was said")
    with serve(repo, "--read-only") as running:
        yield running


@pytest.fixture
def console(browser, served):
    opened = Console(Visitors(browser, served), Watch(served.origin))
    before = everything(served.repo)
    yield opened
    opened.close()
    assert opened.watch.faults == []
    assert everything(served.repo) == before


def test_the_page_says_that_it_is_read_only(console):
    page = console.open()
    assert page.locator("#read-only").inner_text() == "read-only"
    assert page.locator("#read-only").is_visible()


def test_no_control_that_writes_is_there(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    assert not page.locator("#scan").is_visible()
    assert not page.locator("#new").is_visible()
    for key in ("n", "s", "S"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert not page.locator("dialog").count()
    assert page.evaluate("location.hash") == "#/requirements"
    page = console.open("domains")
    page.wait_for_selector("article.domain")
    for control in page.locator(".edit, #add-domain").all():
        assert not control.is_visible()
    page.keyboard.press("n")
    assert not page.locator(".domain.editing").count()


def test_a_requirement_is_shown_and_cannot_be_edited(console):
    page = console.open("requirements/req-0001")
    page.wait_for_selector("dialog textarea[name=statement]")
    fields = page.locator("dialog .form :is(input, select, textarea, button)").all()
    assert fields
    assert all(field.is_disabled() for field in fields)
    assert not page.locator("dialog footer button").count()
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(300)
    assert page.locator("dialog").count() == 1


def test_a_form_for_a_new_one_cannot_be_saved(console):
    page = console.open("requirements/new")
    page.wait_for_selector("dialog textarea")
    page.wait_for_timeout(300)
    assert not page.locator("dialog footer button:not(:disabled)").count()
    assert not page.locator("dialog textarea:not(:disabled)").count()


def test_a_save_is_refused_whatever_the_page_shows(console):
    page = console.open("requirements")
    until(page, "document.querySelector('.tbody .tr')")
    one = "/api/requirements/req-0001"
    etag = page.evaluate(f"fetch('{one}').then(a => a.json()).then(a => a.etag)")
    change = {"etag": etag, "changes": {"statement": "Anything goes."}}
    for method, path, body in (
        ("PATCH", one, change),
        ("POST", "/api/requirements", {"statement": "Anything.", "scope": {}}),
        ("POST", "/api/domains", {"etag": "", "name": "web", "paths": []}),
        ("POST", "/api/scan", {}),
    ):
        status, error = page.evaluate(WRITE, [method, path, body])
        assert status == 403
        assert "read-only" in error
