"""Scan now, in a real browser: the run's id at once, its state live until it ends."""

import pytest

from tests.support.browser import WAIT, rows, until
from tests.support.console_store import documents, put, some

# The scan's own commit runs it, so that a scan stands still while a test looks.
HOOK = """\
#!/bin/sh
test -e "{gate}.fail" && exit 1
count=0
while ! test -e "{gate}"; do
  sleep 0.1
  count=$((count + 1))
  test "$count" -gt 3000 && exit 1
done
exit 0
"""
RULE = "\n- Always write {what} to the log before a deletion.\n"


@pytest.fixture(scope="module")
def gate(tmp_path_factory):
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def project(gate):
    def make(repo):
        documents(repo)
        put(repo, some())
        repo.commit("intent: what was said")
        hook = repo.path / ".git/hooks/pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(HOOK.format(gate=gate))
        hook.chmod(0o755)

    return make


@pytest.fixture
def material(console, gate, request):
    """Something that a scan finds; the gate is shut."""
    gate.unlink(missing_ok=True)
    text = console.repo.read("CLAUDE.md").decode()
    more = RULE.format(what=f"a line for {request.node.name.split('_', 2)[2]}")
    console.repo.write("CLAUDE.md", text + more)
    console.repo.git("commit", "-qm", "a rule", "--no-verify", "--", "CLAUDE.md")
    yield
    gate.touch()


def test_n171_the_run_is_told_at_once_and_live_until_done(console, gate, material):
    page = console.open("requirements")
    page.wait_for_selector(".tbody .tr")
    page.keyboard.press("s")
    page.wait_for_selector("#scan-link")
    run = page.locator("#scan-run").inner_text()
    assert run
    assert page.locator("#scan-state").inner_text() == "running"
    page.wait_for_selector(".scan .steps li[data-result=success]")

    other = console.open("requirements")
    other.click("#scan")
    other.wait_for_selector(".toast:has-text('running already')")
    assert other.locator("#scan-run").inner_text() == run
    other.close()

    closed = console.open("requirements")
    closed.wait_for_selector(f"#scan-run:has-text('{run}')")
    assert closed.locator("#scan-state").inner_text() == "running"
    closed.close()

    page.bring_to_front()
    before = rows(page)
    gate.touch()
    page.wait_for_selector(".scan:not([data-state=running])", timeout=3 * WAIT)
    assert page.get_attribute(".scan", "data-state") == "done", page.inner_text(".scan")
    assert page.locator("#scan-run").inner_text() == run
    until(page, "n => document.querySelectorAll('.tbody .tr').length > n", len(before))
    page.click("#scan-link")
    page.wait_for_selector("dialog .steps li")
    assert page.evaluate("location.hash") == f"#/scans/{run}"
    steps = page.locator("dialog .steps li").all_inner_texts()
    assert any("extract" in step for step in steps)


def test_n171_a_scan_that_fails_says_so(console, gate, material):
    gate.with_name("open.fail").touch()
    page = console.open("runs")
    page.click("#scan")
    page.wait_for_selector(".scan[data-state=failed]")
    assert page.locator("#scan-state").inner_text() == "failed"
    assert page.locator(".scan .error").inner_text()
    page.click("#scan-link")
    page.wait_for_selector("dialog .facts")
    page.keyboard.press("Escape")
    gate.with_name("open.fail").unlink()
