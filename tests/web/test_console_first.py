"""What stands in the page before a script has run, in a real browser."""

import pytest

from git_intent.store.requirement import Kind, Level, Provenance, Requirement, Scope
from tests.support.browser import PHONE, rows, until
from tests.support.console_store import FOUND, documents, put, some
from tests.support.repo import STORE

ACTIVE = ["req-0001", "req-0002", "req-0006", "req-0007", "req-0008", "req-0005"]
SAME = """async () => {
  let sent;
  do {
    const text = await (await fetch("/")).text();
    sent = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  } while (!sent.hasAttribute("inert"));
  const main = document.querySelector("main").cloneNode(true);
  main.querySelector(".notices ul")?.remove();
  for (const node of main.querySelectorAll("[style]")) node.removeAttribute("style");
  for (const one of [main, sent]) {
    one.removeAttribute("inert");
    one.querySelector(".tbody").removeAttribute("data-rows");
    one.normalize();
  }
  if (main.isEqualNode(sent)) return [];
  const which = ".toolbar, .notices, .thead, .tbody .tr";
  const parts = one => [...one.querySelectorAll(which)];
  const theirs = parts(main);
  return parts(sent)
    .filter((node, at) => !theirs[at]?.isEqualNode(node))
    .map(node => node.outerHTML);
}"""

BOXES = """async () => {
  for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
  const which = ".bar, #project, .tabs a, .toolbar > *, .notices, .thead, .tr, .td > *";
  return [...document.querySelectorAll(which)].map(node => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [node.className, x, y, width, height];
  });
}"""


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        commit = repo.commit("cli: name the line in every error")
        wide = Scope(Level.DOMAIN, ("a", "b <i>"), ("x/**", "y/&"), ("rust", "c"))
        said = Provenance(Kind.COMMIT, f"{commit} and others", FOUND, "intent-scan")
        put(
            repo,
            [
                *some(),
                Requirement(
                    "req-0006",
                    "Long: " + "never & ever <b>bold</b> " * 40,
                    scope=wide,
                    provenance=said,
                    created=FOUND,
                    updated="2026-03-04T09:00:00Z",
                ),
                Requirement(
                    "req-0007",
                    'Say "quoted".',
                    scope=Scope(Level.DOMAIN, ("a",), ("x/**", "y/**"), ("rust",)),
                    provenance=Provenance(Kind.COMMIT, commit, FOUND, "intent-scan"),
                    created=FOUND,
                    updated="2026-03-04T08:00:00Z",
                ),
                Requirement(
                    "req-0008",
                    "Two.",
                    provenance=Provenance(Kind.TRANSCRIPT, "task-é 1", FOUND, "x"),
                    created=FOUND,
                    updated="2026-03-04T08:00:00Z",
                ),
            ],
        )
        repo.write(f"{STORE}/requirements/req-0bad.md", "---\nid: [\n---\n\nNo.\n")
        repo.commit("intent: what was said")

    return make


def with_rows(page, url):
    """Open it; a server that is busy sends the page without rows."""
    page.goto(url)
    until(page, "document.querySelector('.tabs [aria-current]')")
    while not page.evaluate("document.querySelector('main').inert"):
        page.reload()
        until(page, "document.querySelector('.tabs [aria-current]')")


@pytest.fixture
def bare(console):
    """Pages whose scripts never come, but the one that runs before the first paint."""

    def opened(place="", **options):
        page = console.visitors.of(options, fresh=True).new_page()
        console.pages.append(page)
        page.route("**/app.js", lambda route: route.abort())
        with_rows(page, f"{console.served.origin}/#/{place}")
        return page

    return opened


def test_the_rows_that_come_with_the_page_are_those_that_the_scripts_make(console):
    page = console.open("requirements")
    assert rows(page) == ACTIVE
    assert page.evaluate(SAME) == []


@pytest.mark.parametrize("options", [{}, {"viewport": PHONE}], ids=["desktop", "phone"])
def test_nothing_moves_when_the_scripts_draw_the_rows_anew(console, bare, options):
    first = bare(**options)
    assert rows(first) == ACTIVE
    later = console.open(**options)
    assert first.evaluate(BOXES) == later.evaluate(BOXES)


def test_they_cannot_be_used_before_they_can_answer(bare):
    page = bare()
    page.keyboard.press("Tab")
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate("document.activeElement.closest('main')")


def test_they_are_not_shown_where_another_view_is_asked_for(bare):
    for place in ("requirements/req-0001", "doc/CLAUDE.md", "toString"):
        page = bare(place)
        assert rows(page) == ACTIVE
    for place in ("domains", "runs/task-12", "scans/1", "requirements?domain=cli"):
        page.evaluate("place => { location.hash = `#/${place}`; }", place)
        page.reload()
        until(page, "document.querySelector('.tabs [aria-current]')")
        assert rows(page) == []
        assert not page.evaluate("document.querySelector('main').inert")


def test_a_table_that_was_scrolled_meanwhile_stays_where_it_is(console):
    page = console.visitors.of({}, fresh=False).new_page()
    console.pages.append(page)
    held = []
    page.route("**/app.js", lambda route: held.append(route))
    page.set_viewport_size({"width": 1280, "height": 300})
    with_rows(page, console.served.origin)
    table = "document.querySelector('.table')"
    until(page, f"({table}.scrollTop = 70) && {table}.scrollTop === 70")
    while not held:
        page.wait_for_timeout(30)
    held[-1].continue_()
    until(page, "!document.querySelector('main').inert")
    assert page.evaluate(f"{table}.scrollTop") == 70


def test_an_answer_that_does_not_come_is_said_in_the_place_of_the_rows(console):
    page = console.visitors.of({}, fresh=True).new_page()
    console.pages.append(page)
    page.route("**/api/requirements", lambda route: route.abort())
    page.goto(console.served.origin)
    page.wait_for_selector("main:not([inert]) .notice.error")
    assert "does not answer" in page.locator("main").inner_text()
    assert rows(page) == []


def test_rows_keep_their_places_when_the_window_gets_narrow(console):
    page = console.open("requirements", fresh=True)
    page.set_viewport_size(PHONE)
    until(
        page,
        "[...document.querySelectorAll('.tbody .tr')].every((row, at, all) => !at ||"
        " Math.abs(row.getBoundingClientRect().y - 90"
        " - all[at - 1].getBoundingClientRect().y) < 1)",
    )
