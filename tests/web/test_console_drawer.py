"""The drawer: a requirement is changed as a person would change its file."""

import pytest

from git_intent.store.requirement import Level, Requirement, Scope, Status
from tests.support.browser import rows, until
from tests.support.console_store import FOUND, documents, put, some
from tests.support.repo import STORE

FRESH = [f"req-1{number:03x}" for number in range(12)]


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        put(repo, some())
        scope = Scope(Level.DOMAIN, ("cli",))
        for id in FRESH:
            text = f"Keep rule {id} as it is."
            put(
                repo, [Requirement(id, text, scope=scope, created=FOUND, updated=FOUND)]
            )
        repo.commit("intent: what was said")

    return make


@pytest.fixture
def fresh(request, console):
    """A requirement that no other test has changed, open in the drawer."""
    id = FRESH.pop()
    page = console.open(f"requirements/{id}")
    page.wait_for_selector("dialog.drawer textarea[name=statement]")
    return id, page


def path(id):
    return f"{STORE}/requirements/{id}.md"


def changed(repo):
    """Lines of the diff against HEAD, and what is staged."""
    lines = repo.git("diff", "-U0").splitlines()
    return [
        line
        for line in lines
        if line[:1] in "+-" and not line.startswith(("+++", "---"))
    ], repo.git("diff", "--cached", "--name-only")


def restore(repo, id):
    repo.git("checkout", "-q", "--", path(id))


def save(page):
    page.wait_for_selector("dialog footer .primary:not([disabled])")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".toast:has-text('Saved')")


def test_n169_a_statement_is_saved_as_by_a_person(fresh, console):
    id, page = fresh
    head = console.repo.head()
    page.fill("textarea[name=statement]", "Keep it otherwise.")
    page.wait_for_selector("dialog .diff .added:has-text('Keep it otherwise.')")
    diff = page.locator("dialog .diff").inner_text()
    assert f"-Keep rule {id} as it is." in diff
    assert "+user_edited: true" in diff
    assert changed(console.repo)[0] == []
    save(page)
    lines, staged = changed(console.repo)
    assert staged == ""
    assert console.repo.head() == head
    assert "+Keep it otherwise." in lines
    assert [line for line in lines if line.startswith("-")] == [
        line
        for line in lines
        if line.startswith(("-user_edited", "-updated", "-Keep rule"))
    ]
    assert "user_edited: true" in console.repo.read(path(id)).decode()
    page.wait_for_selector("dialog .facts:has-text('by a person')")
    restore(console.repo, id)


def test_n169_scope_is_saved_with_the_flag(fresh, console):
    id, page = fresh
    tokens = page.locator("dialog .tokens").first
    tokens.locator("input").fill("versioning")
    tokens.locator("input").press("Enter")
    page.click("dialog button:has-text('Add a path')")
    page.fill("dialog .glob input", "src/**")
    page.wait_for_selector("dialog .glob .files:has-text('3 files')")
    page.wait_for_selector("dialog .diff .added:has-text('versioning')")
    save(page)
    text = console.repo.read(path(id)).decode()
    assert "user_edited: true" in text
    assert "versioning" in text
    assert "src/**" in text
    restore(console.repo, id)


def test_n169_status_or_hints_alone_leave_the_flag(fresh, console):
    id, page = fresh
    page.select_option("dialog select >> nth=1", "disabled")
    page.get_by_label("Hints").fill("when to keep it\nhow it is kept")
    save(page)
    text = console.repo.read(path(id)).decode()
    assert "status: disabled" in text
    assert "when to keep it" in text
    assert "how it is kept" in text
    assert "user_edited: true" not in text
    restore(console.repo, id)


def test_n169_changed_on_disk_meanwhile_is_refused_with_both_versions(fresh, console):
    id, page = fresh
    page.fill("textarea[name=statement]", "Mine is another rule.")
    page.wait_for_selector("dialog footer .primary:not([disabled])")
    old = console.repo.read(path(id)).decode()
    theirs = old.replace("as it is", "as they say")
    console.repo.write(path(id), theirs)
    page.click("dialog footer .primary")
    page.wait_for_selector("dialog .versions")
    mine, disk = page.locator("dialog .version pre").all_inner_texts()
    assert "Mine is another rule." in mine
    assert "as they say" not in mine
    assert "as they say" in disk
    assert "Mine" not in disk
    assert console.repo.read(path(id)).decode() == theirs
    assert page.input_value("textarea[name=statement]") == "Mine is another rule."
    page.click("text=Put my change on top of it")
    page.wait_for_selector("dialog .diff .removed:has-text('as they say')")
    save(page)
    assert "Mine is another rule." in console.repo.read(path(id)).decode()
    restore(console.repo, id)


def test_n169_the_version_on_disk_can_be_taken(fresh, console):
    id, page = fresh
    page.get_by_label("Why").fill("Because I say so.")
    page.wait_for_selector("dialog footer .primary:not([disabled])")
    old = console.repo.read(path(id)).decode()
    theirs = old.replace("as it is", "as they say")
    console.repo.write(path(id), theirs)
    page.keyboard.press("Control+Enter")
    page.click("text=Take the version on disk")
    until(
        page,
        "document.querySelector('[name=statement]')?.value.includes('as they say')",
    )
    assert page.get_by_label("Why").input_value() == ""
    assert console.repo.read(path(id)).decode() == theirs
    restore(console.repo, id)


def test_the_rule_that_forbids_a_change_is_shown_and_nothing_can_be_saved(console):
    page = console.open("requirements/req-0004")
    page.wait_for_selector("dialog.drawer textarea[name=statement]")
    before = console.repo.read(path("req-0004"))
    page.select_option("dialog select >> nth=1", "active")
    page.wait_for_selector("dialog .review .notice.error")
    assert page.is_disabled("dialog footer .primary")
    page.keyboard.press("Control+Enter")
    assert console.repo.read(path("req-0004")) == before


def test_an_empty_statement_cannot_be_saved(fresh, console):
    _, page = fresh
    page.fill("textarea[name=statement]", "")
    page.wait_for_selector("dialog .review .notice.error")
    assert page.is_disabled("dialog footer .primary")


def test_esc_asks_before_it_throws_changes_away(fresh, console):
    id, page = fresh
    page.fill("textarea[name=statement]", "Never mind.")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog .discard")
    page.click("text=Go on editing")
    assert page.input_value("textarea[name=statement]") == "Never mind."
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")
    assert changed(console.repo)[0] == []
    FRESH.append(id)


def test_tab_stays_in_the_drawer_and_focus_comes_back(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    page.focus(".table")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.drawer textarea")
    for key in ("Tab", "Shift+Tab"):
        for _ in range(30):
            page.keyboard.press(key)
            inside = "document.activeElement.closest('dialog') !== null"
            assert page.evaluate(inside)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.className") == "table"


def test_the_history_of_a_requirement(fresh, console):
    id, page = fresh
    text = console.repo.read(path(id)).decode()
    console.repo.write(path(id), text.replace("as it is", "as it was"))
    console.repo.git("commit", "-qm", "intent: say it better", "--", path(id))
    page.click("dialog .history summary")
    page.wait_for_selector("dialog .commits li")
    subjects = page.locator("dialog .commits strong").all_inner_texts()
    assert subjects == ["intent: say it better", "intent: what was said"]
    page.locator("dialog .commits button").first.click()
    page.wait_for_selector("dialog.centre .message")
    assert "say it better" in page.locator("dialog.centre .message").inner_text()


def test_a_new_requirement_is_one_file_and_opens(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    before = set((console.repo.store / "requirements").iterdir())
    page.keyboard.press("n")
    page.wait_for_selector("dialog.drawer textarea[name=statement]")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("dialog .field .error:has-text('Say what holds')")
    page.keyboard.type("Release notes are written by hand.")
    page.get_by_label("Why").fill("Readers are people.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("dialog.drawer .history")
    (made,) = set((console.repo.store / "requirements").iterdir()) - before
    assert "Release notes are written by hand." in made.read_text()
    assert "Readers are people." in made.read_text()
    assert page.evaluate("location.hash") == f"#/requirements/{made.stem}"
    assert made.stem in rows(page)
    made.unlink()


def test_disabled_ones_are_drawn_as_such(console):
    page = console.open("requirements/req-0003")
    page.wait_for_selector(f".status[data-status={Status.DISABLED}]")


def test_the_browsers_back_asks_too(console):
    id = FRESH[-1]
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    page.evaluate("id => { location.hash = `#/requirements/${id}`; }", id)
    page.wait_for_selector("dialog.drawer textarea[name=statement]")
    page.fill("textarea[name=statement]", "Never mind.")
    page.evaluate("history.back()")
    page.wait_for_selector("dialog .discard")
    assert page.evaluate("location.hash") == f"#/requirements/{id}"
    assert page.input_value("textarea[name=statement]") == "Never mind."
    page.click("text=Discard")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("location.hash") == "#/requirements"
