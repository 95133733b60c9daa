"""A hostile store is text: nothing in it runs, nothing leaves the page's origin."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from git_intent.store.requirement import Kind, Level, Provenance, Requirement, Scope
from tests.support.console_store import FOUND, documents, put
from tests.support.repo import STORE

IMAGE = "<img src=x onerror=alert(1)>"
SCRIPT = "<script>alert(2)</script><svg onload=alert(3)>"
LINK = "[x](javascript:alert(4)) <a href='javascript:alert(5)'>y</a>"
PATH = 'a"b/<i>*.py'
DOMAINS = f"""\
version: 1
domains:
  - name: plain
    description: "{IMAGE} {{{{ 7*7 }}}}"
    paths: ["src/**", '{PATH}']
"""

# What only markup of the store could have made.
MARKUP = (
    "main img, dialog img, script:not([src]), b, i, u, iframe, object, embed, "
    "a[href^='javascript' i], [onerror], [onload]"
)


@pytest.fixture(scope="module")
def project():
    def make(repo):
        documents(repo)
        repo.write("docs/<b>bold.md", f"# {IMAGE}\n\n{SCRIPT}\n")
        repo.write(f"{STORE}/domains.yaml", DOMAINS)
        scope = Scope(Level.DOMAIN, ("plain",), (PATH,), ("<u>c",))
        source = Provenance(Kind.DOC, "docs/<b>bold.md#x", FOUND, f"{IMAGE}")
        strange = Provenance(Kind.DOC, "../../../../etc/passwd", FOUND, "intent-scan")
        Provenance(Kind.TRANSCRIPT, "javascript:alert(7)")
        put(
            repo,
            [
                Requirement(
                    "req-0001",
                    f"{IMAGE} {SCRIPT}",
                    LINK,
                    scope=scope,
                    hints=(IMAGE, SCRIPT),
                    provenance=source,
                    updated=FOUND,
                ),
                Requirement("req-0002", "x" * 1_000_000, updated=FOUND),
                Requirement("req-0003", "Bidi \u202egnp.exe", provenance=strange),
                Requirement(
                    "req-0004",
                    "javascript:alert(6)",
                    provenance=Provenance(Kind.TRANSCRIPT, "javascript:alert(7)"),
                ),
            ],
        )
        repo.commit(f"{IMAGE} {SCRIPT}")
        repo.write("task.md", f"{IMAGE} {SCRIPT}\n")
        step = ("--workflow", "develop", "--step", "<b>plan")
        done = repo.intent("inject", "--run", "<i>run", *step, input=IMAGE)
        assert done.code == 0, done.err
        done = repo.intent("record", "--run", "<i>run", "--task-file", "task.md")
        assert done.code == 0, done.err

    return make


def injected(page):
    return page.evaluate(
        "selector => [...document.querySelectorAll(selector)].map(e => e.outerHTML)",
        MARKUP,
    )


def test_n173_a_statement_is_shown_as_text(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    cell = page.locator(".tbody .tr[data-id=req-0001] .clamp")
    assert IMAGE in cell.inner_text()
    assert injected(page) == []
    page.goto(f"{console.served.origin}/#/requirements/req-0001")
    page.wait_for_selector("dialog textarea[name=statement]")
    assert page.input_value("textarea[name=statement]") == f"{IMAGE} {SCRIPT}"
    page.get_by_label("Why").fill(f"{IMAGE} and more")
    page.wait_for_selector("dialog .diff .added")
    assert IMAGE in page.locator("dialog .diff").inner_text()
    page.click("dialog .history summary")
    page.wait_for_selector("dialog .commits li")
    assert IMAGE in page.locator("dialog .commits").inner_text()
    assert injected(page) == []


def test_n173_every_view_shows_text(console):
    page = console.open("domains")
    page.wait_for_selector("article.domain")
    assert IMAGE in page.locator("article.domain").inner_text()
    assert "{{ 7*7 }}" in page.locator("article.domain").inner_text()
    assert injected(page) == []
    page.keyboard.press("l")
    page.wait_for_selector("li.run[data-run='<i>run']")
    assert injected(page) == []
    page.click("li.run[data-run='<i>run'] .item")
    page.wait_for_selector("dialog pre.block")
    assert IMAGE in page.locator("dialog pre.block").first.inner_text()
    assert injected(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.keyboard.press("p")
    page.fill("textarea[name=task]", IMAGE)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".lines")
    assert injected(page) == []


def test_n173_a_source_opens_as_text_and_never_outside_of_the_project(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    page.click(".tbody .tr[data-id=req-0001] a.source")
    page.wait_for_selector("dialog .document")
    assert SCRIPT in page.locator("dialog .document").inner_text()
    assert injected(page) == []
    page.goto(f"{console.served.origin}/#/requirements")
    for path in ("../../../../etc/passwd", "/etc/passwd", ".git/config"):
        quoted = path.replace("/", "%2F")
        page = console.open(f"doc/{quoted}?line=1")
        page.wait_for_selector("dialog .notice.error")
        assert "root:" not in page.content()
        assert page.locator("dialog .document").count() == 0


def test_a_statement_of_a_megabyte_can_be_looked_at(console):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    length = page.locator(".tbody .tr[data-id=req-0002] .clamp").evaluate(
        "cell => cell.textContent.length"
    )
    assert length < 1000
    page.goto(f"{console.served.origin}/#/requirements/req-0002")
    page.wait_for_selector("dialog textarea[name=statement]")
    value = page.locator("textarea[name=statement]").evaluate("box => box.value.length")
    assert value == 1_000_000


@pytest.mark.parametrize(
    "place",
    [
        "requirements/%",
        "requirements/%E0%A4%A",
        "nowhere",
        "runs/..%2F..%2Fx",
        "?=&",
        "ledger/<b>",
    ],
)
def test_any_address_shows_a_page(console, place):
    page = console.open(place)
    page.wait_for_selector("main > *")
    assert injected(page) == []


@pytest.fixture
def neighbour(tmp_path):
    """The address of a page on another port of this machine, which is the same site."""
    tmp_path.joinpath("index.html").write_text("<!doctype html><title>Other</title>")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_page_of_another_port_keeps_no_hold_of_the_console(console, neighbour):
    page = console.visitors.of({}, fresh=True).new_page()
    page.goto(neighbour)
    for address, cut in ((neighbour, False), (f"{console.served.origin}/", True)):
        with page.expect_popup() as opened:
            page.evaluate("address => { window.held = open(address); }", address)
        opened.value.wait_for_load_state()
        assert page.evaluate("held.closed") is cut
    opened.value.wait_for_selector(".tbody .tr")
    assert opened.value.evaluate("window.opener") is None
