"""The console's table of requirements, in a real browser."""

import pytest

from tests.support.browser import rows, until
from tests.support.console_store import documents, put, some
from tests.support.repo import STORE

ACTIVE = ["req-0001", "req-0002", "req-0005"]


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        commit = repo.commit("cli: name the line in every error")
        entries = some()
        put(repo, entries)
        said = repo.read(f"{STORE}/requirements/req-0005.md").decode()
        said = said.replace("kind: user", f"kind: commit\n  ref: {commit}")
        repo.write(f"{STORE}/requirements/req-0005.md", said)
        repo.write(f"{STORE}/requirements/req-0bad.md", "---\nid: [\n---\n\nNo.\n")
        repo.commit("intent: what was said")

    return make


@pytest.fixture
def page(console):
    opened = console.open("requirements")
    opened.wait_for_selector(".tbody .tr")
    return opened


def row(page, id):
    return page.locator(f".tbody .tr[data-id={id}]")


def test_n168_the_key_and_the_button_open_the_table_of_the_project(console):
    for act in (
        lambda page: page.keyboard.press("i"),
        lambda page: page.click("#intent"),
    ):
        page = console.open("domains")
        page.wait_for_selector("article.domain")
        assert not page.locator(".table").count()
        act(page)
        page.wait_for_selector(".tbody .tr")
        assert page.locator("#project").inner_text() == "heron"
        assert page.locator("#branch").inner_text() == "main"
        assert rows(page) == ACTIVE
        first = row(page, "req-0001")
        assert "Never bump the major version" in first.inner_text()
        assert first.locator(".chip").all_inner_texts() == [
            "versioning",
            "src/version/**",
            "python",
        ]
        assert first.locator(".status").inner_text() == "active"
        assert first.locator(".confidence").inner_text() == "high"
        assert "CLAUDE.md#versioning" in first.locator(".source").inner_text()


def test_n168_a_letter_typed_in_a_field_is_a_letter(page):
    page.focus("#filter")
    page.keyboard.type("idlpo?jks/nxt")
    assert page.input_value("#filter") == "idlpo?jks/nxt"
    assert page.evaluate("location.hash") == "#/requirements"
    assert not page.locator("dialog").count()
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.wait_for_selector("article.domain")


def test_a_key_with_a_modifier_is_left_to_the_browser(page):
    page.keyboard.press("Alt+d")
    page.keyboard.press("Control+i")
    assert page.evaluate("location.hash") == "#/requirements"


def test_the_source_leads_to_the_line_of_the_document(page):
    row(page, "req-0001").locator(".source").click()
    marked = page.locator("dialog .marked")
    assert marked.inner_text().strip() in (
        "## Versioning",
        "- Never bump the major version unless explicitly told to.",
    )
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert rows(page) == ACTIVE


def test_the_source_leads_to_the_commit(page):
    row(page, "req-0005").locator(".source").click()
    text = page.locator("dialog .message")
    assert text.inner_text().startswith("cli: name the line in every error")
    assert "CLAUDE.md" in page.locator("dialog .paths").inner_text()


def test_superseded_and_disabled_ones_are_hidden_until_asked(page):
    assert rows(page) == ACTIVE
    page.check("#show-disabled")
    row(page, "req-0003").wait_for()
    assert "req-0004" not in rows(page)
    page.check("#show-superseded")
    row(page, "req-0004").wait_for()
    assert "req-0005" in row(page, "req-0004").locator(".td.col-status").inner_text()
    page.keyboard.press("x")
    row(page, "req-0003").wait_for(state="detached")
    assert rows(page) == ACTIVE


def test_words_filter_statement_id_scope_and_source(page):
    for words, found in {
        "MAJOR never": ["req-0001"],
        "req-0002": ["req-0002"],
        "python": ["req-0001"],
        "claude.md": ["req-0001"],
        "no such thing": [],
    }.items():
        page.fill("#filter", words)
        until(
            page,
            "ids => document.querySelectorAll('.tbody .tr').length === ids.length"
            " && ids.every(id => document.querySelector(`[data-id=${id}]`))",
            found,
        )
        assert rows(page) == found
        assert page.locator("#total").inner_text() == f"{len(found)} of 5"
    assert "Clear the filter" in page.locator(".empty").inner_text()


def test_a_search_by_meaning_ranks_as_preview_does(page, console):
    page.check("#by-meaning")
    page.fill("#filter", "which version number comes next")
    page.wait_for_selector(".tbody .score")
    assert rows(page)[0] == "req-0001"
    page.uncheck("#by-meaning")
    page.fill("#filter", "")
    page.wait_for_selector(".tbody .score", state="detached")


def test_columns_sort_and_tell_so(page):
    head = page.locator(".th.col-statement")
    head.locator("button").click()
    page.wait_for_selector(".th.col-statement[aria-sort=ascending]")
    assert rows(page) == ["req-0005", "req-0002", "req-0001"]
    head.locator("button").click()
    page.wait_for_selector(".th.col-statement[aria-sort=descending]")
    assert rows(page) == ["req-0001", "req-0002", "req-0005"]
    page.locator(".th.col-confidence button").click()
    page.wait_for_selector(".th.col-confidence[aria-sort=ascending]")
    assert rows(page) == ["req-0001", "req-0005", "req-0002"]
    assert page.locator("[role=columnheader][aria-sort=ascending]").count() == 1


def test_the_domain_can_be_chosen(page):
    page.select_option("#domain-filter", "cli")
    until(page, "document.querySelectorAll('.tbody .tr').length === 1")
    assert rows(page) == ["req-0002"]


def test_the_keyboard_walks_opens_and_comes_back(page):
    selected = "[role=row][aria-selected=true]"
    page.keyboard.press("j")
    assert page.get_attribute(selected, "data-id") == "req-0001"
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    assert page.get_attribute(selected, "data-id") == "req-0005"
    page.keyboard.press("k")
    assert page.get_attribute(selected, "data-id") == "req-0002"
    page.keyboard.press("G")
    assert page.get_attribute(selected, "data-id") == "req-0005"
    page.keyboard.press("g")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.drawer textarea")
    assert page.evaluate("location.hash") == "#/requirements/req-0001"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("location.hash") == "#/requirements"
    page.keyboard.press("j")
    assert page.get_attribute(selected, "data-id") == "req-0002"


def test_the_grid_names_its_current_row(page):
    page.focus(".table")
    page.keyboard.press("ArrowDown")
    active = page.get_attribute(".table", "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-selected") == "true"
    assert page.get_attribute(".table", "aria-rowcount") == "4"
    assert page.get_attribute(f"#{active}", "aria-rowindex") == "3"


def test_slash_searches_and_question_mark_lists_the_keys(page):
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "filter"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    keys = page.locator("dialog dt").all_inner_texts()
    assert {"i", "d", "l", "p", "o", "/", "s", "?"} <= set(keys)
    page.keyboard.press("i")
    assert page.locator("dialog").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_a_link_from_elsewhere_opens_the_requirement(console):
    page = console.open("requirements/req-0004")
    page.wait_for_selector("dialog.drawer .status[data-status=superseded]")
    assert "req-0005" in page.locator("dialog .facts").inner_text()
    page.go_back()
    page.wait_for_selector("dialog", state="detached")


def test_an_unknown_requirement_is_said_to_be_unknown(console):
    page = console.open("requirements/req-ffff")
    page.wait_for_selector("dialog .notice.error")
    assert "req-ffff" in page.locator("dialog .notice.error").inner_text()


def test_a_broken_file_is_named_and_costs_only_itself(page):
    notice = page.locator(".notices summary")
    assert "1 problem" in notice.inner_text()
    notice.click()
    assert "req-0bad.md" in page.locator(".notices li").first.inner_text()
    assert rows(page) == ACTIVE
