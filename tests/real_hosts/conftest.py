"""One client a parameter, a fresh world a test, and a table at the end."""

import os
import socket
from collections.abc import Iterator

import pytest

from tests.real_hosts.client import Client
from tests.real_hosts.codex import Codex
from tests.real_hosts.copilot import Copilot
from tests.real_hosts.gemini import Gemini
from tests.real_hosts.model import Model
from tests.real_hosts.world import World

CLIENTS: dict[str, type[Client]] = {c.host: c for c in (Codex, Copilot, Gemini)}


class Row:
    """What a test asserts of a host."""

    def __init__(self, host: str, item: pytest.Function) -> None:
        self.host, self.word, self.seconds = host, "ok", 0.0
        self.said = " ".join(item.function.__doc__.split())


_ROWS = pytest.StashKey[dict[str, Row]]()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "host" in metafunc.fixturenames:
        wanted = os.environ.get("REAL_HOSTS", " ".join(CLIENTS)).split()
        hosts = [host for host in CLIENTS if host in wanted]
        metafunc.parametrize("host", hosts)


@pytest.fixture
def client(host, tmp_path) -> Iterator[Client]:
    """A client that is set up, without hooks of ours yet."""
    kind = CLIENTS[host]
    if {name for _, name in socket.if_nameindex()} != {"lo"}:
        pytest.skip("not in a network namespace: `make test-hosts` makes one")
    if not kind.package().installed():
        pytest.skip(f"{kind.package().name} is not installed from npm")
    with Model(kind.dialect()).serving() as model:
        yield kind(World.make(tmp_path), model)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note what a test asserts, how it ended, and the seconds of all its phases."""
    report = yield
    if "host" in getattr(item, "fixturenames", ()):
        rows = item.config.stash.setdefault(_ROWS, {})
        known = rows.setdefault(item.nodeid, Row(item.callspec.params["host"], item))
        known.seconds += report.duration
        if report.outcome != "passed":
            known.word = report.outcome.upper()
    return report


def pytest_terminal_summary(terminalreporter, config) -> None:
    rows = config.stash.get(_ROWS, {}).values()
    for host in dict.fromkeys(row.host for row in rows):
        package = CLIENTS[host].package()
        version = package.installed() or "not installed"
        terminalreporter.section(f"{package.name} {version}", "-")
        for row in rows:
            if row.host == host:
                line = f"{row.word:8}{row.seconds:5.1f} s  {row.said}"
                terminalreporter.write_line(line)
