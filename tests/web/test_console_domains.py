"""The editor of the domain map, in a real browser."""

import pytest

from tests.support.browser import until
from tests.support.console_store import DOMAINS, documents, put, some
from tests.support.repo import STORE

MAP = f"{STORE}/domains.yaml"


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        put(repo, some())
        repo.commit("intent: what was said")

    return make


@pytest.fixture
def page(console):
    console.repo.write(MAP, DOMAINS)
    opened = console.open("domains")
    opened.wait_for_selector("article.domain")
    return opened


def domain(page, name):
    return page.locator(f"article.domain[data-name={name}]")


def edit(page, name):
    domain(page, name).locator(".edit").click()
    return domain(page, name)


def test_the_map_tells_files_and_requirements(page):
    card = domain(page, "versioning")
    assert "Version strings, releases, the change log." in card.inner_text()
    assert "1 requirement" in card.inner_text()
    globs = card.locator(".globs li").all_inner_texts()
    assert [" ".join(text.split()) for text in globs] == [
        "src/version/** 2 files",
        "docs/*release* no file",
    ]
    assert "edited" in domain(page, "cli").inner_text()
    card.locator("header a").click()
    page.wait_for_selector(".tbody .tr[data-id=req-0001]")
    assert page.input_value("#domain-filter") == "versioning"
    assert page.locator(".tbody .tr").count() == 1


def test_n170_n028_a_domain_is_edited_without_a_byte_changed_elsewhere(page, console):
    card = edit(page, "versioning")
    card.get_by_label("Description").fill("Numbers of versions.")
    card.locator("text=Add a path").click()
    page.keyboard.type("src/cli/*.py")
    card.locator(".files:has-text('1 file')").wait_for()
    card.locator("button[type=submit]").click()
    page.wait_for_selector(".toast:has-text('Saved versioning')")
    text = console.repo.read(MAP).decode()
    entry, rest = text.split("  # Everything that people type.\n")
    assert rest == DOMAINS.split("  # Everything that people type.\n")[1]
    assert entry.startswith("# What belongs together.\nversion: 1\n\ndomains:\n")
    assert "Numbers of versions." in entry
    assert "src/cli/*.py" in entry
    assert "user_edited: true" in entry
    assert console.repo.git("diff", "--cached", "--name-only") == ""
    assert console.repo.git("diff", "--name-only") == MAP
    domain(page, "versioning").locator("text=edited").wait_for()


def test_n170_n028_a_domain_is_added(page, console):
    page.keyboard.press("n")
    card = page.locator("article.domain.editing")
    card.get_by_label("Name").fill("release-notes")
    card.get_by_label("Description").fill("What users are told.")
    card.locator(".glob input").fill("docs/**")
    page.keyboard.press("Control+Enter")
    domain(page, "release-notes").locator(".edit").wait_for()
    text = console.repo.read(MAP).decode()
    assert text.startswith(DOMAINS.rstrip("\n"))
    added = text.removeprefix(DOMAINS.rstrip("\n"))
    assert "name: release-notes" in added
    assert "user_edited: true" in added


@pytest.mark.parametrize("glob", ["src/[x", "../outside/**"])
def test_n170_an_invalid_glob_is_told_beside_the_field(page, console, glob):
    card = edit(page, "versioning")
    field = card.locator(".glob input").first
    field.fill(glob)
    error = card.locator(".globs .error").first
    until(page, "document.querySelector('.globs [aria-invalid]')")
    assert error.inner_text()
    described = field.get_attribute("aria-describedby")
    assert error.get_attribute("id") in described
    card.locator("button[type=submit]").click()
    page.wait_for_timeout(300)
    assert card.locator("[aria-invalid]").count() == 1
    assert console.repo.read(MAP).decode() == DOMAINS


@pytest.mark.parametrize("name", ["cli", "Not A Name", ""])
def test_n170_a_name_that_cannot_be_is_told_beside_the_field(page, console, name):
    page.click("#add-domain")
    card = page.locator("article.domain.editing")
    card.get_by_label("Name").fill(name)
    card.locator("button[type=submit]").click()
    page.wait_for_selector("[name=name][aria-invalid]")
    assert card.locator(".error").first.inner_text()
    assert console.repo.read(MAP).decode() == DOMAINS


def test_n170_changed_on_disk_meanwhile_is_refused(page, console):
    card = edit(page, "cli")
    card.get_by_label("Description").fill("What people type.")
    theirs = DOMAINS.replace("Commands and their output.", "All commands.")
    console.repo.write(MAP, theirs)
    card.locator("button[type=submit]").click()
    page.wait_for_selector(".trouble .versions")
    mine, disk = page.locator(".version pre").all_inner_texts()
    assert "What people type." in mine
    assert "All commands." in disk
    assert console.repo.read(MAP).decode() == theirs
    page.click("text=Put my change on top of it")
    card.locator("button[type=submit]").click()
    page.wait_for_selector(".toast:has-text('Saved cli')")
    assert "What people type." in console.repo.read(MAP).decode()


def test_esc_leaves_the_editor_and_focus_goes_back(page, console):
    card = edit(page, "cli")
    card.get_by_label("Description").fill("Never mind.")
    page.keyboard.press("Escape")
    page.wait_for_selector("article.domain.editing", state="detached")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == (
        "Edit cli"
    )
    assert console.repo.read(MAP).decode() == DOMAINS
