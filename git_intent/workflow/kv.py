"""The key-value store of a run: small facts that its steps leave for later ones.

Rows are text by key. The runner sets some itself (`begun`, `ended`); a step sets rows
by lines `KEY=VALUE` in the file that the variable GIT_INTENT_KV names, the last one of
a key counts. A row that a step sets is at most 1,024 bytes and cannot replace one of
the runner's; what the runner sets may be longer. A key is made of letters, digits and
`_ - . :`, as templates name it.

A step's rows are `<workflow>:<step>:<what>`; a `:` or `%` in a name is escaped there,
so that no two steps share a row. On fan-out the last step that ended is `prev_step`.
"""

import re
from collections.abc import Mapping

VARIABLE = "GIT_INTENT_KV"
LARGEST_ROW = 1024
MOST_ROWS = 1000
#: Rows of the runner's own, and names that mean something else in a template.
OWN = frozenset(
    {"task_id", "attempt_id", "run_id", "workflow", "prev_step", "prev_step_exit"}
    | {"step_name", "workdir", "prev_output", "task_description", "result_nonce"}
    | {"intent"}
)
#: What follows a step's name in rows of the runner's own.
_OF_STEPS = ("result", "intent")
_KEY = re.compile(r"[A-Za-z_][\w:.-]{0,199}", re.ASCII)


def begun(run: str, workflow: str) -> dict[str, str]:
    """The rows of a run that starts. It is its own task and attempt."""
    return {"task_id": run, "attempt_id": run, "run_id": run, "workflow": workflow}


def ended(workflow: str, step: str, result: str, code: int | None) -> dict[str, str]:
    """The rows that tell how a step ended."""
    return {
        "prev_step": step,
        "prev_step_exit": "" if code is None else str(code),
        step_key(workflow, step, "result"): result,
    }


def step_key(workflow: str, step: str, what: str) -> str:
    names = (n.replace("%", "%25").replace(":", "%3a") for n in (workflow, step))
    return ":".join([*names, what])


def merged(rows: Mapping[str, str], data: bytes) -> tuple[dict[str, str], list[str]]:
    """`rows` with those that a step wrote into its file, and what is wrong with some
    of its lines, which are passed over."""
    found = dict(rows)
    problems: list[str] = []
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        key, value, problem = _row(line)
        if not problem and key not in found and len(found) >= MOST_ROWS:
            problem = f"there are {MOST_ROWS} rows already"
        if problem:
            problems.append(f"line {number}: {problem}")
        else:
            found[key] = value
    return found, problems


def _row(line: bytes) -> tuple[str, str, str]:
    """Key and value of a line, or what is wrong with it."""
    name, sign, value = line.partition(b"=")
    key = name.strip().decode("ascii", "replace")
    problem = ""
    if not sign:
        problem = "expected KEY=VALUE"
    elif not _KEY.fullmatch(key):
        problem = f"{key[:40]!a} is no key"
    elif key in OWN or (key.count(":") == 2 and key.endswith(_OF_STEPS)):
        problem = f"'{key}' is set by the runner"
    elif len(value) > LARGEST_ROW:
        problem = f"'{key}' is longer than {LARGEST_ROW} bytes"
    elif b"\0" in value:
        problem = f"'{key}' holds a NUL byte"
    try:
        return key, value.decode(), problem
    except UnicodeDecodeError:
        return key, "", problem or f"'{key}' is not UTF-8"
