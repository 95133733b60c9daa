"""Whether a workflow can run: step kinds, results, wires, reachability.

The entry is the first step written. Every declared result has a wire (several wires for
one result fan out), every step can be reached, wires and collects name only declared
results and known steps. `timeout` and `token-limit` are results of every step and go to
`abort` unless they are wired. A step without `results` may succeed or fail.
"""

from collections.abc import Iterator

from git_intent.workflow.duration import seconds
from git_intent.workflow.model import (
    IMPLICIT_RESULTS,
    TERMINALS,
    Collect,
    Finding,
    Form,
    GlobalWire,
    Place,
    Ref,
    Step,
    StepKind,
    Wire,
    Workflow,
)

#: The result that `max_attempts` adds, in both spellings that are met.
GIVE_UP = ("give-up", "give_up")
RESERVED_RESULT = "parked"
DEFAULT_RESULTS = ("success", "fail")


def judge(workflow: Workflow) -> list[Finding]:
    """Everything that keeps the workflow from running, in the order of the file."""
    found = [
        *_steps(workflow),
        *_blocks(workflow),
        *_ends(workflow),
        *_unwired(workflow),
        *_unreachable(workflow),
    ]
    return sorted(
        Finding(workflow.path, at.line, at.col, code, message, error=True)
        for at, code, message in found
    )


Problem = tuple[Place, str, str]


def _steps(workflow: Workflow) -> Iterator[Problem]:
    if not workflow.steps:
        yield workflow.at, "W100", f"workflow '{workflow.name}' has no step"
    seen: dict[str, Step] = {}
    for step in workflow.steps:
        first = seen.setdefault(step.name, step)
        if first is not step:
            line = first.at.line
            yield step.at, "W101", f"step '{step.name}' stands in line {line} already"
        if step.name in TERMINALS:
            yield step.at, "W102", f"'{step.name}' is the name of an end, not of a step"
        yield from _step(step, workflow)


def _step(step: Step, workflow: Workflow) -> Iterator[Problem]:
    kinds = step.kinds
    if len(kinds) != 1:
        wanted = ", ".join(kind.value for kind in StepKind)
        had = " and ".join(kind.value for kind in kinds) or "none"
        message = f"step '{step.name}' needs exactly one of {wanted}; it has {had}"
        yield step.at, "W103", message
    if kinds == (StepKind.POLL,) and step.get("interval") is None:
        yield step.at, "W104", f"step '{step.name}' polls and needs an interval"
    for key in ("interval", "timeout"):
        value = step.get(key)
        if value and (value.form is Form.LIST or seconds(value.text) is None):
            yield value.at, "W105", f"expected a duration like \"30s\" for '{key}'"
    agent = step.get("agent")
    if agent and kinds != (StepKind.AGENT,):
        yield agent.at, "W106", "'agent' belongs to steps with a prompt"
    elif agent and agent.text not in {known.name for known in workflow.agents}:
        yield agent.at, "W106", f"there is no agent '{agent.text}' in this workflow"
    results = step.results or ()
    if RESERVED_RESULT in results:
        yield step.at, "W107", f"the result '{RESERVED_RESULT}' is reserved"
    if step.get("max_attempts") and not set(GIVE_UP) & set(results):
        message = f"step '{step.name}' has max_attempts and must declare '{GIVE_UP[0]}'"
        yield step.at, "W108", message


def _blocks(workflow: Workflow) -> Iterator[Problem]:
    places = {block.name: block.at for block in workflow.blocks}
    if "host" in places and "container" in places:
        at = max(places["host"], places["container"])
        yield at, "W109", "a workflow runs on the host or in a container, not both"


def _ends(workflow: Workflow) -> Iterator[Problem]:
    """Wires and collects that start or end nowhere."""
    steps = {step.name: step for step in workflow.steps}
    targets = steps.keys() | set(TERMINALS)
    for ref in _sources(workflow):
        step = steps.get(ref.step)
        if step is None:
            yield ref.at, "W110", f"there is no step '{ref.step}'"
        elif ref.result not in _possible(step):
            message = f"step '{ref.step}' does not declare the result '{ref.result}'"
            yield ref.at, "W111", message
    ends: list[Wire | GlobalWire | Collect] = [*workflow.wires]
    ends += [*workflow.global_wires, *workflow.collects]
    for end in ends:
        if end.target not in targets:
            yield end.at, "W112", f"there is no step '{end.target}'"


def _unwired(workflow: Workflow) -> Iterator[Problem]:
    wired = {(ref.step, ref.result) for ref in _sources(workflow)}
    for step in workflow.steps:
        for result in step.results or ():
            if (step.name, result) not in wired and result not in IMPLICIT_RESULTS:
                message = f"the result '{result}' of step '{step.name}' leads nowhere"
                yield step.at, "W113", message


def _unreachable(workflow: Workflow) -> Iterator[Problem]:
    following: dict[str, set[str]] = {}
    for wire in workflow.wires:
        following.setdefault(wire.source.step, set()).add(wire.target)
    for collect in workflow.collects:
        for ref in collect.refs:
            following.setdefault(ref.step, set()).add(collect.target)
    everywhere = {wire.target for wire in workflow.global_wires}
    reached: set[str] = set()
    waiting = [step.name for step in workflow.steps[:1]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += following.get(name, set()) | everywhere
    for step in workflow.steps:
        if step.name not in reached:
            yield step.at, "W114", f"no wire leads to step '{step.name}'"


def _sources(workflow: Workflow) -> Iterator[Ref]:
    yield from (wire.source for wire in workflow.wires)
    for collect in workflow.collects:
        yield from collect.refs


def _possible(step: Step) -> frozenset[str]:
    declared = DEFAULT_RESULTS if step.results is None else step.results
    return frozenset(declared) | frozenset(IMPLICIT_RESULTS)
