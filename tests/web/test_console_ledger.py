"""The ledger of a chat, in a real browser."""

import pytest

from tests.support.browser import PHONE, until
from tests.support.console_store import documents
from tests.support.desk import Desk


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        repo.commit("begin")
        desk = Desk(repo).configure().initial()
        desk.do("progress", {"contract": desk.hash(), "next_work": ["Read the parser"]})
        desk.unknown()
        for number in range(16):
            desk.finish(desk.start(what=f"step {number}"))
        desk.say("And <b>keep</b> it fast.")

    return make


@pytest.fixture
def page(console):
    opened = console.open("requirements")
    opened.keyboard.press("o")
    opened.wait_for_selector(".event")
    return opened


def test_the_objective_outcomes_effects_and_work_are_shown(page):
    text = page.locator(".state-of-chat").inner_text()
    for told in (
        "outcomes of old",
        "another outcome",
        "Read the parser",
        "policies of old",
    ):
        assert told in text
    effects = page.locator(".section:has(h3:text('Unsettled effects')) li")
    assert effects.count() == 1
    waiting = page.locator(".section:has(h3:text('Prompts that wait')) li")
    assert waiting.count() == 1
    assert "open outcome" in page.locator(".chats").inner_text()
    page.click("summary:has-text('objective.txt')")
    assert "outcomes of old" in page.locator("pre.block").inner_text()


def test_the_journal_is_a_timeline_with_paging(page):
    first = [int(n) for n in page.locator(".event .seq").all_inner_texts()]
    assert first == sorted(first, reverse=True)
    page.click("button.older")
    until(page, "n => document.querySelectorAll('.event').length > n", len(first))
    page.wait_for_selector("button.older", state="detached")
    seen = [int(n) for n in page.locator(".event .seq").all_inner_texts()]
    assert seen == list(range(first[0], 0, -1))
    types = page.locator(".event").evaluate_all("all => all.map(e => e.dataset.type)")
    assert types[-1] == "ledger-created"
    assert {"source-captured", "progress", "action-started"} <= set(types)


def test_a_chat_can_be_linked_to_and_read_on_a_phone(console, page):
    link = page.locator(".chats a").first.get_attribute("href")
    phone = console.open(link.removeprefix("#/"), viewport=PHONE)
    phone.wait_for_selector(".event")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
