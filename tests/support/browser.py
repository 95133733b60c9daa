"""The console in a real Chromium, served by the real program.

A test module makes a `project`; `served` serves it once for the module, and `console`
opens pages on it. Each page is watched: an error in its console, an uncaught exception
or a request to another origin fails the test. Playwright holds an event loop of its
own, so a browser lives no longer than its module.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.repo import _SOURCE, Repo
from tests.support.world import settle

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PHONE = {"width": 375, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
WAIT = 20_000


@dataclass(frozen=True)
class Served:
    """A running `git intent web`."""

    url: str
    repo: Repo
    process: subprocess.Popen[str]

    @property
    def origin(self) -> str:
        return self.url.partition("/?")[0]


@contextmanager
def serve(
    repo: Repo, *options: str, env: dict[str, str] | None = None
) -> Iterator[Served]:
    command = (sys.executable, "-m", "git_intent", "web", "--no-open", "--port", "0")
    process = subprocess.Popen(
        [*command, *options],
        cwd=repo.path,
        env={**os.environ, **(env or {}), "PYTHONPATH": _SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        first = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", first)
        if not found:
            process.kill()
            raise AssertionError(f"no address: {first}{process.communicate()[1]}")
        yield Served(found[0], repo, process)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


@dataclass
class Watch:
    """What a page did that it must not do."""

    origin: str
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def follow(self, page: Any) -> None:
        page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))
        page.on("console", self._printed)
        page.on("dialog", self._asked)
        page.on("request", self._requested)

    def _printed(self, message: Any) -> None:
        # Chromium itself tells of each answer that is no 2xx; the page handles those.
        refused = "the server responded with a status of 4" in message.text
        if message.type in ("error", "warning") and not refused:
            self.faults.append(f"console: {message.text}")

    def _asked(self, dialog: Any) -> None:
        self.faults.append(f"a dialog of the browser: {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Any) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((f"{self.origin}/", "data:")):
            self.faults.append(f"a request to {request.url}")


@dataclass
class Console:
    """Opens pages of one server; each in a context of its own."""

    browser: Any
    served: Served
    watch: Watch
    contexts: list[Any] = field(default_factory=list)

    @property
    def repo(self) -> Repo:
        return self.served.repo

    def open(self, place: str = "", **options: Any) -> Any:
        """A page at `#/PLACE`, past the first paint."""
        settings = {"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        context = self.browser.new_context(**settings)
        context.set_default_timeout(WAIT)
        self.contexts.append(context)
        page = context.new_page()
        self.watch.follow(page)
        page.goto(self.served.url)
        if place:
            page.goto(f"{self.served.origin}/#/{place}")
        page.wait_for_function("document.querySelector('main').childElementCount")
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists():
        pytest.skip(f"no {CHROMIUM}: the console's tests need Chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The hermetic world of a test, for a whole module."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        settle(home, patch)
        yield home


@pytest.fixture(scope="module")
def served(
    world: Path,
    tmp_path_factory: pytest.TempPathFactory,
    project: Callable[[Repo], None],
) -> Iterator[Served]:
    repo = Repo.init(tmp_path_factory.mktemp("served") / "heron")
    project(repo)
    with serve(repo) as running:
        yield running


@pytest.fixture
def console(browser: Any, served: Served) -> Iterator[Console]:
    opened = Console(browser, served, Watch(served.origin))
    yield opened
    opened.close()
    assert opened.watch.faults == []


def rows(page: Any) -> list[str]:
    """The ids of the rows in sight, in order."""
    return page.eval_on_selector_all(
        ".tbody .tr", "rows => rows.map(row => row.dataset.id)"
    )


def wait_for(page: Any, expression: str, argument: Any = None) -> None:
    page.wait_for_function(expression, arg=argument)
