"""A thousand and ten thousand requirements, in a real browser."""

import pytest

from tests.support.browser import Console, Visitors, Watch, rows, serve, until
from tests.support.console_store import documents, many, put
from tests.support.repo import Repo

SCROLL = """async part => {
  const table = document.querySelector(".table");
  table.scrollTop = part * table.scrollHeight;
  for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame);
}"""
AT_THE_FOOT = """() => {
  const box = document.querySelector(".table").getBoundingClientRect();
  const found = document.elementFromPoint(box.x + 40, box.bottom - 20);
  return found.closest("[role=row]") !== null;
}"""


@pytest.fixture(scope="module", params=[1_000, 10_000])
def big(request, world, tmp_path_factory):
    repo = Repo.init(tmp_path_factory.mktemp("many") / "heron")
    documents(repo)
    put(repo, many(request.param))
    with serve(repo) as running:
        yield request.param, running


@pytest.fixture
def page(big, browser):
    _number, running = big
    opened = Console(Visitors(browser, running), Watch(running.origin))
    page = opened.open("requirements")
    page.wait_for_selector(".tbody .tr", timeout=60_000)
    yield page
    opened.close()
    assert opened.watch.faults == []


def test_only_the_rows_in_sight_are_elements(page, big):
    number, _ = big
    assert page.get_attribute(".table", "aria-rowcount") == str(number + 1)
    assert page.locator("#total").inner_text() == f"{number:,} of {number:,}"
    assert len(rows(page)) < 60
    assert page.evaluate("document.querySelectorAll('*').length") < 2_000


def test_rows_come_in_order_wherever_one_scrolls(page, big):
    number, _ = big
    seen = set()
    for part in (0, 0.25, 0.5, 0.75, 1, 0.5):
        page.evaluate(SCROLL, part)
        indexes = page.eval_on_selector_all(
            ".tbody .tr", "all => all.map(row => Number(row.ariaRowIndex))"
        )
        assert indexes == list(range(indexes[0], indexes[0] + len(indexes)))
        inside = page.evaluate(AT_THE_FOOT)
        assert inside
        seen.update(indexes)
    assert max(seen) == number + 1


def test_the_keyboard_reaches_both_ends(page, big):
    number, _ = big
    selected = "[role=row][aria-selected=true]"
    page.keyboard.press("G")
    assert page.get_attribute(selected, "aria-rowindex") == str(number + 1)
    assert page.locator(selected).is_visible()
    page.keyboard.press("k")
    assert page.get_attribute(selected, "aria-rowindex") == str(number)
    page.keyboard.press("g")
    assert page.get_attribute(selected, "aria-rowindex") == "2"


def test_one_of_many_is_found_and_opened(page, big):
    number, _ = big
    page.keyboard.press("/")
    page.keyboard.type(f"rule {number - 1}.")
    until(page, "document.querySelectorAll('.tbody .tr').length === 1")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog textarea[name=statement]")
    assert f"rule {number - 1}." in page.input_value("textarea[name=statement]")
