"""Every benchmark, each against a floor or a peer in the same run.

    python -m benchmarks [NAME…] [--write]

Prints one table; exit 1 if a bar is missed. `--write` puts the table into
docs/performance.md. Extraction and retrieval quality are measured apart (`make cv`):
they need labelled data.
"""

import argparse
import platform
import re
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import (
    check_peers,
    check_store,
    cold_inject,
    collect_commits,
    first_scan,
    host_hooks,
    index_build,
    lean_reader,
    ledger_append,
    ledger_capture,
    ledger_context,
    ledger_disk,
    ledger_read,
    ledger_verify,
    quiet_scan,
    reconcile,
    rules_range,
    startup,
    throughput,
    web_api,
    web_console,
    workflow_parse,
    workflow_run,
)
from benchmarks.figure import Figure, table
from benchmarks.process import ROOT, Cost, environment, medians, run

BENCHMARKS: dict[str, Callable[[], Iterator[Figure]]] = {
    "lean_reader": lean_reader.figures,
    "index_build": index_build.figures,
    "quiet_scan": quiet_scan.figures,
    "cold_inject": cold_inject.figures,
    "check_store": check_store.figures,
    "check_peers": check_peers.figures,
    "startup": startup.figures,
    "host_hooks": host_hooks.figures,
    "ledger_capture": ledger_capture.figures,
    "ledger_context": ledger_context.figures,
    "ledger_append": ledger_append.figures,
    "ledger_read": ledger_read.figures,
    "ledger_verify": ledger_verify.figures,
    "ledger_disk": ledger_disk.figures,
    "collect_commits": collect_commits.figures,
    "throughput": throughput.figures,
    "workflow_parse": workflow_parse.figures,
    "workflow_run": workflow_run.figures,
    "first_scan": first_scan.figures,
    "rules_range": rules_range.figures,
    "reconcile": reconcile.figures,
    "web_api": web_api.figures,
    "web_console": web_console.figures,
}
PAGE = ROOT / "docs/performance.md"
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in BENCHMARKS]:
        parser.error(f"no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    if options.write and options.names:
        parser.error("--write takes all benchmarks, so that the table is of one run")
    found: list[Figure] = []
    for name in options.names or BENCHMARKS:
        print(f"{name} …", file=sys.stderr, flush=True)
        found += BENCHMARKS[name]()
    result = f"{_machine()}\n\n{table(found)}"
    print(result)
    if options.write:
        _write(PAGE, result)
    return 0 if all(figure.ok for figure in found) else 1


def _machine() -> str:
    """Where and when, and what a bare start costs with and without the packages."""
    pairs = [(_start("-I", "-S"), _start()) for _ in range(9)]
    naked, bare = (medians(costs) for costs in zip(*pairs, strict=True))
    return (
        f"Python {platform.python_version()} on {platform.system()} "
        f"{platform.machine()}, {datetime.now(UTC):%Y-%m-%d}. In this environment "
        f"`python -c pass` takes {1000 * bare.wall:.1f} ms, with `-I -S` "
        f"{1000 * naked.wall:.1f} ms."
    )


def _start(*options: str) -> Cost:
    command = (sys.executable, *options, "-c", "pass")
    return run(command, ROOT, environment(Path.home()))


def _write(page: Path, result: str) -> None:
    text = page.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    block = f"{BEGIN}\n{result}\n{END}"
    page.write_text(pattern.sub(lambda _: block, text), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
