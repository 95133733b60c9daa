"""Real children: bounded, timed, and gone afterwards with all they started."""

import os
import re
import selectors
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.workflow import descendants
from git_intent.workflow.descendants import end_orphans
from git_intent.workflow.process import ERROR_CAP, Follower, run


def python(code: str, cwd: Path, stdin: bytes = b"", timeout: float = 30, **options):
    return run(
        [sys.executable, "-c", code], stdin=stdin, cwd=cwd, timeout=timeout, **options
    )


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def read_pid(file: Path) -> int:
    for _ in range(500):
        if file.exists() and file.read_text().endswith("\n"):
            return int(file.read_text())
        time.sleep(0.02)
    raise AssertionError(f"{file} was never written")


def test_input_output_errors_and_code_are_passed_on(tmp_path: Path):
    outcome = python(
        "import sys; print(sys.stdin.read().upper(), end='');"
        "print('oops', file=sys.stderr); sys.exit(3)",
        tmp_path,
        b"hello",
    )
    assert (outcome.code, outcome.out, outcome.err) == (3, b"HELLO", b"oops\n")
    assert not outcome.late
    assert not outcome.overflowed


def test_bytes_that_are_not_utf8_come_through(tmp_path: Path):
    code = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"
    assert python(code, tmp_path, b"\xff\x00\xfe").out == b"\xff\x00\xfe"


def test_large_input_to_a_child_that_writes_first_does_not_hang(tmp_path: Path):
    code = (
        "import sys; sys.stdout.write('x' * 3_000_000); sys.stdout.flush();"
        "print(len(sys.stdin.buffer.read()))"
    )
    outcome = python(code, tmp_path, b"y" * 3_000_000)
    assert outcome.out == b"x" * 3_000_000 + b"3000000\n"


def test_a_child_that_reads_nothing_is_no_error(tmp_path: Path):
    assert python("print('done')", tmp_path, b"y" * 3_000_000).out == b"done\n"


def test_it_runs_in_the_folder_and_a_session_of_its_own(tmp_path: Path):
    code = "import os; print(os.getcwd(), os.getsid(0) == os.getpid())"
    assert python(code, tmp_path).out.decode() == f"{tmp_path} True\n"


def test_the_repository_of_a_calling_hook_is_not_inherited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GIT_INDEX_FILE", "/somewhere/index")
    monkeypatch.setenv("KEPT", "yes")
    code = "import os; print(os.environ.get('GIT_INDEX_FILE'), os.environ['KEPT'])"
    assert python(code, tmp_path).out == b"None yes\n"


def test_what_a_nested_run_starts_keeps_the_mark_of_the_outer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GIT_INTENT_CHILD", "1-2:")
    found = run(["env"], stdin=b"", cwd=tmp_path, timeout=30).out.decode()
    assert re.search(r"^GIT_INTENT_CHILD=1-2:\d+-\d+:$", found, re.MULTILINE)


def test_a_program_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(IntentError, match="cannot start 'no-such-agent': No such file"):
        run(["no-such-agent"], stdin=b"", cwd=tmp_path, timeout=5)
    (tmp_path / "plain").write_text("x")
    with pytest.raises(IntentError, match=r"cannot start '\./plain': Permission"):
        run(["./plain"], stdin=b"", cwd=tmp_path, timeout=5)


def test_a_script_of_the_folder_is_found_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    script = tmp_path / "agent.sh"
    script.write_text("#!/bin/sh\necho here\n")
    script.chmod(0o755)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (elsewhere / "agent.sh").write_text("#!/bin/sh\necho there\n")
    (elsewhere / "agent.sh").chmod(0o755)
    assert run(["./agent.sh"], stdin=b"", cwd=tmp_path, timeout=30).out == b"here\n"


def test_too_much_output_ends_the_child_and_is_no_answer(tmp_path: Path):
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    outcome = python(code, tmp_path, output_cap=1 << 20)
    assert outcome.overflowed
    assert outcome.out == b""
    assert not outcome.late


def test_error_output_is_kept_to_a_bound_and_drained(tmp_path: Path):
    code = "import sys; sys.stderr.write('e' * 3_000_000); print('fine')"
    outcome = python(code, tmp_path)
    assert outcome.out == b"fine\n"
    assert len(outcome.err) == ERROR_CAP


STUBBORN = "trap '' TERM; echo $$ > {}; while :; do sleep 1; done"


def test_n106_time_over_ends_a_child_that_ignores_sigterm(tmp_path: Path):
    pid = tmp_path / "pid"
    command = ["sh", "-c", STUBBORN.format(pid)]
    outcome = run(command, stdin=b"", cwd=tmp_path, timeout=2, grace=0.1)
    assert outcome.late
    assert outcome.code == -9
    assert gone(read_pid(pid))


def test_n106_grandchildren_that_ignore_sigterm_die_too(tmp_path: Path):
    pid = tmp_path / "pid"
    grandchild = STUBBORN.format(pid)
    command = ["sh", "-c", f'sh -c "{grandchild}" & wait'.replace("$$", "\\$\\$")]
    outcome = run(command, stdin=b"", cwd=tmp_path, timeout=2, grace=0.1)
    assert outcome.late
    assert gone(read_pid(pid))


@pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="daemons are found in /proc"
)
@pytest.mark.parametrize("last", [None, 1, 1 << 30])
def test_n106_a_daemon_that_left_the_session_dies_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int | None
):
    if last:  # as if ids had begun anew, or many been given meanwhile
        monkeypatch.setattr(descendants, "_last_given", lambda: last)
    pid = tmp_path / "pid"
    code = (
        "import os, sys, time\n"
        "if os.fork():\n"
        f"    while not os.path.exists({str(pid)!r}): time.sleep(.01)\n"
        "    print('answer'); sys.exit(0)\n"
        "os.setsid()\n"
        "if os.fork(): os._exit(0)\n"
        f"print(os.getpid(), file=open({str(pid)!r}, 'w', buffering=1))\n"
        "time.sleep(600)\n"
    )
    outcome = python(code, tmp_path, grace=0.1)
    assert (outcome.code, outcome.out, outcome.late) == (0, b"answer\n", False)
    assert gone(read_pid(pid))


def test_a_child_whose_descendant_keeps_chattering_is_over(tmp_path: Path):
    code = (
        "import subprocess, sys\n"
        "subprocess.Popen(['sh', '-c', 'while :; do echo noise; sleep 0.01; done'])\n"
    )
    outcome = python(code, tmp_path, grace=0.1)
    assert (outcome.code, outcome.late) == (0, False)


def test_n072_an_answer_after_the_time_limit_is_no_answer(tmp_path: Path):
    code = (
        "import signal, sys, time\n"
        "def answer(*_):\n"
        "    print('too late', flush=True); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, answer)\n"
        "print('half', flush=True)\n"
        "time.sleep(600)"
    )
    outcome = python(code, tmp_path, timeout=1)
    assert outcome.late
    assert outcome.out == b""


def test_a_child_without_open_pipes_is_still_waited_for(tmp_path: Path):
    code = "import os, time\nfor fd in (0, 1, 2): os.close(fd)\ntime.sleep(.3)"
    assert python(code, tmp_path).code == 0


def test_no_file_descriptor_is_left(tmp_path: Path):
    before = len([*Path("/dev/fd").iterdir()])
    for _ in range(3):
        python("print('x')", tmp_path)
    assert len([*Path("/dev/fd").iterdir()]) == before


def test_an_interrupt_ends_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pid = tmp_path / "pid"
    real = selectors.DefaultSelector.select

    def select(self, timeout=None):
        if pid.exists() and pid.read_text().endswith("\n"):
            raise KeyboardInterrupt
        return real(self, timeout)

    monkeypatch.setattr(selectors.DefaultSelector, "select", select)
    with pytest.raises(KeyboardInterrupt):
        run(["sh", "-c", STUBBORN.format(pid)], stdin=b"", cwd=tmp_path, timeout=30)
    assert gone(read_pid(pid))


class Heard:
    """Follows a child; `stop` can be set."""

    def __init__(self) -> None:
        self.out, self.err, self.stop = b"", b"", False

    @property
    def follower(self) -> Follower:
        return Follower(self.on_out, self.on_err, lambda: None, lambda: self.stop)

    def on_out(self, data: bytes) -> None:
        self.out += data

    def on_err(self, data: bytes) -> None:
        self.err += data


def test_who_follows_a_child_hears_it_while_it_runs(tmp_path: Path):
    heard = Heard()
    code = (
        "import os, sys, time; print('one', flush=True); print('e', file=sys.stderr)\n"
        f"while not os.path.exists({str(tmp_path / 'go')!r}): time.sleep(.01)\n"
        "print('two')"
    )

    def out(data: bytes) -> None:
        heard.on_out(data)
        (tmp_path / "go").touch()

    follower = Follower(out, heard.on_err, lambda: None, lambda: False)
    outcome = python(code, tmp_path, follower=follower)
    assert (heard.out, heard.err, outcome.out) == (b"one\ntwo\n", b"e\n", b"one\ntwo\n")


def test_of_endless_output_that_is_followed_the_last_part_is_kept(tmp_path: Path):
    heard = Heard()
    code = "for n in range(200_000): print(f'line {n:06}')"
    outcome = python(code, tmp_path, follower=heard.follower, output_cap=10_000)
    assert len(heard.out) == 200_000 * 12
    assert 9_000 <= len(outcome.out) <= 20_000
    assert outcome.out.startswith(b"line ")
    assert heard.out.endswith(outcome.out)


def test_who_follows_a_child_may_stop_it(tmp_path: Path):
    heard, pid = Heard(), tmp_path / "pid"

    def idle() -> None:
        heard.stop = pid.exists()

    follower = Follower(heard.on_out, heard.on_err, idle, lambda: heard.stop)
    outcome = run(
        ["sh", "-c", STUBBORN.format(pid)],
        stdin=b"",
        cwd=tmp_path,
        timeout=60,
        grace=0.1,
        follower=follower,
    )
    assert (outcome.stopped, outcome.late, outcome.out) == (True, False, b"")
    assert gone(read_pid(pid))


def test_variables_are_put_over_those_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CLOCHE_RUN_ID", "outer")
    command = ["sh", "-c", "echo $CLOCHE_RUN_ID $MORE"]
    env = {"CLOCHE_RUN_ID": "inner", "MORE": "yes"}
    outcome = run(command, stdin=b"", cwd=tmp_path, timeout=30, env=env)
    assert outcome.out == b"inner yes\n"


@pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="daemons are found in /proc"
)
def test_what_a_killed_runner_left_is_found_by_its_mark(tmp_path: Path):
    pid = tmp_path / "pid"
    command = ["sh", "-c", STUBBORN.format(pid)]
    env = {**os.environ, "GIT_INTENT_CHILD": "9-9:1-2:"}
    child = subprocess.Popen(command, env=env, start_new_session=True)
    read_pid(pid)
    assert end_orphans("1-3", 0.1) == 0
    assert child.poll() is None
    assert end_orphans("1-2", 0.1) >= 1
    assert child.wait(10) == -9
