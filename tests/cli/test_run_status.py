"""How far a run is, on a terminal and elsewhere."""

import io
import re
from types import SimpleNamespace

import pytest

from git_intent.cli import output, run_status
from git_intent.cli.run_status import RunStatus
from git_intent.cli.run_steps import took
from git_intent.workflow.run_state import Seen, Visited


def visit(step, state=Seen.STARTED, result="", number=1, level="", reason=""):
    return Visited(
        level, "main", step, number, "run", state.value, result, reason=reason
    )


class Screen(io.StringIO):
    """What stands on a terminal that got these bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.buffer = self

    def write(self, data) -> int:
        return super().write(data.decode() if isinstance(data, bytes) else data)

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        shown: list[str] = []
        for up, line in re.findall(
            r"(?:\x1b\[(\d+)A\x1b\[J)|([^\n\x1b]*)\n", self.getvalue()
        ):
            if up:
                del shown[-int(up) :]
            else:
                shown.append(line)
        return shown


@pytest.fixture
def screen(monkeypatch):
    found = Screen()
    for module in (output, run_status):
        monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=found))
    return found


def status(now, **options):
    return RunStatus(clock=lambda: now[0], **options)


def test_running_steps_have_a_line_at_the_foot_of_a_terminal(screen):
    now = [0.0]
    with status(now) as shown:
        shown.tell(visit("a"))
        shown.tell(visit("b"))
        assert screen.lines == ["main:a: running 0.0 s", "main:b: running 0.0 s"]
        now[0] = 3.0
        output.note("note: something")
        assert screen.lines == [
            "note: something",
            "main:a: running 3.0 s",
            "main:b: running 3.0 s",
        ]
        now[0] = 75.0
        shown.tell(visit("a", Seen.FINISHED, "fail", reason="exit code 2"))
        assert screen.lines == [
            "note: something",
            "main:a: fail (1 m 15 s, exit code 2)",
            "main:b: running 1 m 15 s",
        ]
    assert screen.lines == ["note: something", "main:a: fail (1 m 15 s, exit code 2)"]


def test_elsewhere_each_start_and_each_end_is_a_line(capsys):
    with status([0.0]) as shown:
        shown.tell(visit("a", number=2, level="deploy#1"))
        shown.tell(visit("a", Seen.SKIPPED, "success", number=2, level="deploy#1"))
        shown.tell(visit("b", Seen.UNKNOWN))
    assert capsys.readouterr().err.splitlines() == [
        "deploy#1/main:a #2: started",
        "deploy#1/main:a #2: skipped success (0.0 s)",
        "main:b: nobody saw its end; it runs again",
    ]


def test_quiet_says_nothing(screen):
    with status([0.0], quiet=True) as shown:
        shown.tell(visit("a"))
        shown.tell(visit("a", Seen.FINISHED, "success"))
    assert screen.lines == []


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (12.3, "12 s"), (61, "1 m 01 s"), (7384, "2 h 03 m")],
)
def test_times_are_told_as_a_person_reads_them(seconds, words):
    assert took(seconds) == words
