"""Light and dark, desktop and phone, and no serious finding of axe in any view."""

from functools import cache
from pathlib import Path

import pytest

from tests.support.browser import DESKTOP, PHONE
from tests.support.console_store import documents, put, some
from tests.support.desk import Desk
from tests.support.repo import STORE


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        put(repo, some())
        repo.write(f"{STORE}/requirements/req-0bad.md", "---\nid: [\n---\n\nNo.\n")
        repo.commit("intent: what was said")
        desk = Desk(repo).configure().initial()
        desk.unknown()
        step = ("--workflow", "develop", "--step", "plan")
        done = repo.intent("inject", "--run", "task-12", *step, input="Do it.")
        assert done.code == 0, done.err

    return make


@cache
def axe():
    package = pytest.importorskip("axe_playwright_python")
    (found,) = Path(package.__file__).parent.rglob("axe.min.js")
    return found.read_text(encoding="utf-8")


def table(page):
    page.wait_for_selector(".tbody .tr")
    page.keyboard.press("x")
    page.wait_for_selector(".tbody .tr[data-status=superseded]")
    page.keyboard.press("j")


def drawer(page):
    page.wait_for_selector("dialog textarea[name=statement]")
    page.fill("textarea[name=statement]", "Never bump the major version.")
    page.wait_for_selector("dialog .diff")
    page.click("dialog .history summary")
    page.wait_for_selector("dialog .commits li")


def editor(page):
    page.locator("article.domain .edit").first.click()
    page.locator(".glob input").first.fill("src/[x")
    page.wait_for_selector(".glob [aria-invalid]")


def keys(page):
    page.wait_for_selector(".tbody .tr")
    page.keyboard.press("?")
    page.wait_for_selector("dialog kbd")


def run(page):
    page.wait_for_selector("dialog .facts")


def preview(page):
    page.fill("textarea[name=task]", "bump the version")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".lines")


def ledger(page):
    page.wait_for_selector(".chats a")
    page.locator(".chats a").first.click()
    page.wait_for_selector(".event")


VIEWS = {
    "requirements": table,
    "requirements/req-0001": drawer,
    "requirements/new": lambda page: page.wait_for_selector("dialog textarea"),
    "doc/CLAUDE.md?line=5": lambda page: page.wait_for_selector("dialog .marked"),
    "domains": editor,
    "runs": lambda page: page.wait_for_selector("svg.chart"),
    "runs/task-12": run,
    "preview": preview,
    "ledger": ledger,
    "": keys,
}
LOOKS = [("light", DESKTOP), ("dark", PHONE)]


@pytest.mark.parametrize(("scheme", "size"), LOOKS, ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_page(
    console, view, scheme, size
):
    page = console.open(view, viewport=size, color_scheme=scheme, bypass_csp=True)
    VIEWS[view](page)
    page.evaluate(axe())
    found = page.evaluate("axe.run()")
    serious = [
        (one["id"], [node["html"] for node in one["nodes"]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    wide = page.evaluate(
        "[...document.querySelectorAll('main, dialog > .body')]"
        ".filter(box => box.scrollWidth > box.clientWidth).map(box => box.outerHTML)"
    )
    assert wide == []


def background(page):
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def test_the_theme_follows_the_system_until_it_is_chosen_and_is_kept(console):
    page = console.open(color_scheme="light", fresh=True)
    light = background(page)
    page.emulate_media(color_scheme="dark")
    dark = background(page)
    assert dark != light
    page.keyboard.press("t")
    assert background(page) == light
    page.keyboard.press("t")
    page.emulate_media(color_scheme="light")
    assert background(page) == dark
    page.reload()
    page.wait_for_selector(".tbody .tr")
    assert background(page) == dark
    page.click("#theme")
    assert background(page) == light


def test_motion_is_reduced_for_those_who_ask(console):
    page = console.open("requirements/req-0001", reduced_motion="reduce")
    page.wait_for_selector("dialog textarea")
    name = "getComputedStyle(document.querySelector('dialog')).animationName"
    assert page.evaluate(name) == "none"


def test_focus_is_visible(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    for _ in range(6):
        page.keyboard.press("Tab")
        style = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(style) == "solid"


def test_status_and_confidence_are_words_and_shapes(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    page.keyboard.press("x")
    page.wait_for_selector(".tbody .tr[data-status=superseded]")
    shapes = page.eval_on_selector_all(
        ".tbody .status",
        "all => all.map(one => getComputedStyle(one, '::before').content)",
    )
    words = page.locator(".tbody .status").all_inner_texts()
    assert len(set(shapes)) == len(set(words)) == 3


def test_nothing_of_the_page_comes_from_elsewhere(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    page.wait_for_load_state("load")
    assert console.watch.requests
    origin = console.served.origin
    assert all(url.startswith(origin) for url in console.watch.requests)
