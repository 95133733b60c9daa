"""What the web console costs in a real browser: the first paint, and long lists.

    python -m benchmarks web_console

The first paint of a store is the frame in which its first rows are drawn, from the
start of the navigation on. Its floor is a page of one word from the same kind of
server (starlette, uvicorn), painted by the same browser, in turns. Of 10,000
requirements the longest frame counts while they are scrolled by whole pages and
filtered letter by letter; it is the median of some passes, because a frame is measured
by the clock of a machine that does other things too.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figure import Figure
from benchmarks.process import INTENT, environment
from git_intent.store.requirement import Level, Requirement, Scope
from git_intent.store.requirement_file import render_requirement

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    *("--no-sandbox", "--headless", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update"),
    "--disable-sync",
]
RUNS = 9
PASSES = 7
PAINT_BAR = 4.0
FRAME_BAR = 100.0
DAY = "2026-01-02T00:00:00Z"
EMPTY = """\
import uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

page = "<!doctype html><html lang=en><title>Empty</title><p>Empty</p></html>"
app = Starlette(routes=[Route("/", lambda request: HTMLResponse(page))])
server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
config = server.config
config.load()
listener = config.bind_socket()
print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
server.run(sockets=[listener])
"""
# Milliseconds from the start of the navigation to the end of the frame that has
# `selector` in sight.
PAINTED = """selector => new Promise(done => {
  const inSight = () => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box?.height > 0 && box.top < innerHeight;
  };
  const look = () => requestAnimationFrame(() => {
    if (inSight()) setTimeout(() => done(performance.now()));
    else look();
  });
  look();
})"""
LONGEST = """async () => {
  const table = document.querySelector(".table");
  const field = document.querySelector("#filter");
  const frame = () => new Promise(requestAnimationFrame);
  const wait = time => new Promise(done => setTimeout(done, time));
  const longest = { scroll: 0, filter: 0 };
  let phase = "scroll", last = 0, over = false;
  const tick = now => {
    if (last) longest[phase] = Math.max(longest[phase], now - last);
    last = now;
    if (!over) requestAnimationFrame(tick);
  };
  await frame();
  requestAnimationFrame(tick);
  for (let step = 0; step < 60; step++) {
    table.scrollTop += step < 40 ? 700 : 20000;
    await frame();
  }
  phase = "filter";
  for (const words of ["r", "ru", "rul", "rule", "rule 9", "rule 99", "", "no such"]) {
    field.value = words;
    field.dispatchEvent(new Event("input"));
    await wait(120);
  }
  field.value = "";
  field.dispatchEvent(new Event("input"));
  await wait(120);
  table.scrollTop = 0;
  await frame();
  over = true;
  return longest;
}"""


def figures() -> Iterator[Figure]:
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder,
        sync_playwright() as driver,
    ):
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        home = Path(folder)
        yield from _paint(chromium, home)
        yield from _frames(chromium, home)
        chromium.close()


def _paint(chromium: Any, home: Path) -> Iterator[Figure]:
    environ = environment(home)
    empty, thousand = make_project(home, 0, environ), make_project(home, 1_000, environ)
    with (
        _server((sys.executable, "-c", EMPTY), home, environ) as floor,
        _server((*INTENT, *WEB), empty, environ) as bare,
        _server((*INTENT, *WEB), thousand, environ) as full,
    ):
        pages = (floor, "p"), (bare, ".empty"), (full, ".tbody .tr")
        times: list[list[float]] = [[] for _ in pages]
        for _ in range(RUNS):
            for kept, (url, selector) in zip(times, pages, strict=True):
                kept.append(_painted(chromium, url, selector))
    word, none, rows = (median(kept) for kept in times)
    detail = f"{rows:.0f} ms, an empty page {word:.0f} ms, an empty store {none:.0f} ms"
    name = "web console, first paint of 1000 requirements"
    yield Figure(name, rows / word, "times an empty page", PAINT_BAR, detail=detail)


def _frames(chromium: Any, home: Path) -> Iterator[Figure]:
    environ = environment(home)
    many = make_project(home, 10_000, environ)
    with _server((*INTENT, *WEB), many, environ) as url:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(url)
        page.wait_for_selector(".tbody .tr")
        page.evaluate(LONGEST)
        found = [page.evaluate(LONGEST) for _ in range(PASSES)]
        page.close()
    for phase, doing in (("scroll", "scrolling"), ("filter", "filtering")):
        times = sorted(one[phase] for one in found)
        yield Figure(
            f"web console, longest frame while {doing} 10000 requirements",
            median(times),
            "ms",
            FRAME_BAR,
            detail=f"{PASSES} passes, {times[0]:.0f} to {times[-1]:.0f} ms",
        )


WEB = ("web", "--no-open", "--port", "0")


@contextmanager
def _server(
    command: tuple[str, ...], cwd: Path, environ: dict[str, str]
) -> Iterator[str]:
    """The address that it prints first."""
    process = subprocess.Popen(
        command, cwd=cwd, env=environ, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        if not found:
            raise RuntimeError(f"{command[-1]} printed no address")
        yield found[0]
    finally:
        process.terminate()
        process.wait(10)


def _painted(chromium: Any, url: str, selector: str) -> float:
    """The second visit, as that of a user who has the console's files."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(selector)
    page.goto("about:blank")
    page.goto(url.partition("?")[0], wait_until="commit")
    time: float = page.evaluate(PAINTED, selector)
    context.close()
    return time


def make_project(home: Path, number: int, environ: dict[str, str]) -> Path:
    root = home / f"project-{number}"
    store = root / ".cloche/intent/requirements"
    store.mkdir(parents=True)
    for index in range(number):
        name = f"req-{index:04x}"
        text = f"Keep the interface of part {index} as it is, says rule {index}."
        scope = Scope(Level.DOMAIN, (f"part-{index % 40}",)) if index % 3 else Scope()
        rule = Requirement(name, text, scope=scope, created=DAY, updated=DAY)
        (store / f"{name}.md").write_bytes(render_requirement(rule))
    person = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    for args in (
        ("init", "-q"),
        ("add", "-A"),
        (*person, "commit", "-qm", "One", "--allow-empty"),
    ):
        subprocess.run(["git", *args], cwd=root, env=environ, check=True)
    return root
