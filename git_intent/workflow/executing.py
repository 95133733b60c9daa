"""Run one visit of a step: a script, an agent, a poll; skipped if its command says so.

What a step prints on stdout may choose its result by a marker (`result_marker`).
Without one a script that ends with code 0 is a `success`, with any other a `fail`; a
poll that ends with 0 is asked again after its interval. A step out of time has the
result `timeout`. Commands run by `sh -c` at the root of the project.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from git_intent.workflow.duration import seconds
from git_intent.workflow.machine import allowed_results
from git_intent.workflow.model import Step, StepKind
from git_intent.workflow.process import Follower, run
from git_intent.workflow.process import Outcome as Ended
from git_intent.workflow.result_marker import Marked
from git_intent.workflow.result_marker import read as read_marker
from git_intent.workflow.step_log import Channel, StepLog
from git_intent.workflow.stop import Stop

TIMEOUT = 30 * 60.0
POLL_TIMEOUT = 72 * 3600.0
SKIP_TIMEOUT = 90.0
#: So much of a script's last words is looked at for a marker and handed on.
KEPT = 4 << 20
_SHORTEST_INTERVAL = 0.05
NONCE_VARIABLE = "CLOCHE_RESULT_NONCE"


@dataclass(frozen=True, slots=True)
class Report:
    """How a visit ended. `output` is for the next step, less the marker; `reason` is
    for a person. A stopped one was cut off: nobody knows what it did. `rows` is what it
    wrote for the run's key-value store."""

    result: str
    code: int | None = None
    output: bytes = b""
    reason: str = ""
    skipped: bool = False
    stopped: bool = False
    rows: bytes = b""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a visit runs in. `nonce` is what its markers carry, `mark` what its
    processes are found by; `effect` is called before each of them starts."""

    root: Path
    env: Mapping[str, str]
    nonce: str
    mark: str
    log: StepLog
    stop: Stop
    effect: Callable[[str], None]
    deadline: float = field(default=0.0)

    @property
    def left(self) -> float:
        return max(self.deadline - time.monotonic(), 0.0)


def limit(step: Step) -> float:
    """How many seconds the step may take."""
    given = seconds(step.text("timeout"))
    if given is not None:
        return given
    return POLL_TIMEOUT if StepKind.POLL in step.kinds else TIMEOUT


class Sink(Protocol):
    """What gets a stream of output."""

    def feed(self, data: bytes) -> None: ...

    def idle(self) -> None: ...

    def close(self) -> None: ...


def shell(step: Step, setting: Setting, text: str, channel: Channel) -> Ended:
    """Run a command of the step to its end, into a log."""
    return command(step, setting, ["sh", "-c", text], b"", channel, channel)


def command(
    step: Step,
    setting: Setting,
    argv: list[str],
    stdin: bytes,
    out: Sink,
    err: Sink,
    kept: int = KEPT,
) -> Ended:
    """Run a command to its end, or to the end of the step's time, or until stopped."""

    def idle() -> None:
        out.idle()
        err.idle()

    setting.effect(f"start {step.name}")
    try:
        return run(
            argv,
            stdin=stdin,
            cwd=setting.root,
            timeout=setting.left,
            output_cap=kept,
            env={**setting.env, NONCE_VARIABLE: setting.nonce},
            mark=setting.mark,
            follower=Follower(out.feed, err.feed, idle, setting.stop.is_set),
        )
    finally:
        out.close()
        if err is not out:
            err.close()


def skipped(step: Step, setting: Setting) -> Report | None:
    """What a step's skip command says: None if the step is to be run."""
    text = step.text("skip")
    if not text:
        return None
    short = replace(
        setting, deadline=min(setting.deadline, time.monotonic() + SKIP_TIMEOUT)
    )
    ended = shell(step, short, text, setting.log.skip())
    if ended.stopped:
        return Report("", stopped=True)
    if ended.code or ended.late:
        return None
    marked = marks(step, setting, ended.out)
    return Report(
        marked.result or "success", 0, marked.text, _problems(marked), skipped=True
    )


def script(step: Step, setting: Setting) -> Report:
    ended = shell(step, setting, step.text(StepKind.SCRIPT), setting.log.script())
    if cut := cut_off(step, ended):
        return cut
    marked = marks(step, setting, ended.out)
    result = marked.result or ("fail" if ended.code else "success")
    reason = _problems(marked) or (code_words(ended.code) if ended.code else "")
    return Report(result, ended.code, marked.text, reason)


def poll(step: Step, setting: Setting) -> Report:
    """Ask again and again, until an answer has a marker or the question fails."""
    pause = max(seconds(step.text("interval")) or 0.0, _SHORTEST_INTERVAL)
    while True:
        ended = shell(step, setting, step.text(StepKind.POLL), setting.log.script())
        if cut := cut_off(step, ended):
            return cut
        marked = marks(step, setting, ended.out)
        if marked.result:
            return Report(marked.result, ended.code, marked.text)
        if ended.code:
            return Report("fail", ended.code, marked.text, code_words(ended.code))
        if setting.stop.wait(min(pause, setting.left)):
            return Report("", stopped=True)
        if not setting.left:
            return late(step)


def marks(step: Step, setting: Setting, out: bytes) -> Marked:
    return read_marker(out, setting.nonce, allowed_results(step))


def cut_off(step: Step, ended: Ended) -> Report | None:
    """The report of a command that had no chance to end by itself."""
    if ended.stopped:
        return Report("", stopped=True)
    return late(step) if ended.late else None


def late(step: Step) -> Report:
    return Report("timeout", reason=f"took longer than {limit(step):g} s")


def code_words(code: int) -> str:
    return f"ended by signal {-code}" if code < 0 else f"exit code {code}"


def _problems(marked: Marked) -> str:
    return "; ".join(marked.problems)
