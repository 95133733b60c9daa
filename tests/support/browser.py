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
import time
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


class Visitors:
    """Browser contexts that have been let in, one for each kind of screen."""

    def __init__(self, browser: Any, served: Served) -> None:
        self.browser, self.served = browser, served
        self._known: dict[str, Any] = {}

    def of(self, options: dict[str, Any], *, fresh: bool) -> Any:
        """`fresh`: another one, that shares no cookie, cache or storage."""
        settings = {"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        name = str(len(self._known)) if fresh else repr(sorted(settings.items()))
        if name not in self._known:
            context = self.browser.new_context(**settings)
            context.set_default_timeout(WAIT)
            context.request.get(self.served.url)
            self._known[name] = context
        return self._known[name]


@dataclass
class Console:
    """Opens pages of one server."""

    visitors: Visitors
    watch: Watch
    pages: list[Any] = field(default_factory=list)

    @property
    def served(self) -> Served:
        return self.visitors.served

    @property
    def repo(self) -> Repo:
        return self.served.repo

    def open(self, place: str = "", *, fresh: bool = False, **options: Any) -> Any:
        """A page at `#/PLACE`, once its view is there."""
        page = self.visitors.of(options, fresh=fresh).new_page()
        self.pages.append(page)
        self.watch.follow(page)
        page.goto(f"{self.served.origin}/{place and f'#/{place}'}")
        until(page, "document.querySelector('main:not([inert])')?.firstChild")
        return page

    def close(self) -> None:
        for page in self.pages:
            page.close()


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


@pytest.fixture(scope="module")
def visitors(browser: Any, served: Served) -> Visitors:
    return Visitors(browser, served)


@pytest.fixture
def console(visitors: Visitors) -> Iterator[Console]:
    opened = Console(visitors, Watch(visitors.served.origin))
    yield opened
    opened.close()
    assert opened.watch.faults == []


def until(page: Any, expression: str, argument: Any = None) -> None:
    """Wait until it is true; Playwright's own way needs a page with `unsafe-eval`."""
    end = time.monotonic() + WAIT / 1000
    while not page.evaluate(expression, argument):
        if time.monotonic() > end:
            raise AssertionError(f"never true: {expression} {argument}")
        page.wait_for_timeout(30)


def rows(page: Any) -> list[str]:
    """The ids of the rows in sight, in order."""
    return page.eval_on_selector_all(
        ".tbody .tr", "rows => rows.map(row => row.dataset.id)"
    )
