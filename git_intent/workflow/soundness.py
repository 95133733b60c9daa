"""Everything that is wrong with the workflow files of a project, told at once.

Where `catalog.load` stops at the first fault, this goes on: a file that does not parse
is one finding, and the others are judged all the same. Pure: bytes in, findings out.
"""

from collections.abc import Callable, Iterator, Mapping

from git_intent.workflow.catalog import builtins
from git_intent.workflow.lexer import Malformed
from git_intent.workflow.model import Finding, Form, Step, Workflow
from git_intent.workflow.parser import parse
from git_intent.workflow.wiring import judge

#: Whether there is a file at a path from the project's root.
Exists = Callable[[str], bool]


def examine(files: Mapping[str, bytes], exists: Exists) -> list[Finding]:
    """The findings about `files`, in the order of paths and places."""
    found: list[Finding] = []
    known: dict[str, Workflow] = {}
    for path in sorted(files):
        try:
            parsed = parse(files[path], path)
        except Malformed as error:
            at = error.at
            found.append(Finding(path, at.line, at.col, "W115", error.problem, True))
            continue
        found += parsed.findings
        for workflow in parsed.workflows:
            first = known.setdefault(workflow.name, workflow)
            if first is not workflow:
                found.append(_twice(workflow, first))
            found += judge(workflow)
            found += _prompts(workflow, exists)
    found += _calls(known)
    return sorted(found)


def _twice(workflow: Workflow, first: Workflow) -> Finding:
    return Finding(
        workflow.path,
        workflow.at.line,
        workflow.at.col,
        "W116",
        f"workflow '{workflow.name}' is defined twice, first at {first.source}",
        error=True,
    )


def _prompts(workflow: Workflow, exists: Exists) -> Iterator[Finding]:
    for step in workflow.steps:
        prompt = step.get("prompt")
        if prompt is None or prompt.form is not Form.CALL or len(prompt.items) != 1:
            continue
        path = prompt.items[0].text
        if prompt.text.startswith("file(") and not exists(path):
            at = prompt.items[0].at
            message = f"there is no file '{path}' for step '{step.name}'"
            yield Finding(workflow.path, at.line, at.col, "W005", message)


def _calls(own: Mapping[str, Workflow]) -> Iterator[Finding]:
    """Steps that run workflows which are unknown, or run this one in turn."""
    known = {**builtins(), **own}
    for workflow in own.values():
        for step in workflow.steps:
            name = step.text("workflow_name")
            if not name:
                continue
            if name not in known:
                message = f"step '{step.name}' runs '{name}', which does not exist"
                yield _at_call(workflow, step, "W117", message)
            elif circle := _circle(workflow.name, name, known):
                message = f"'{workflow.name}' may run itself: {' -> '.join(circle)}"
                yield _at_call(workflow, step, "W006", message)


def _at_call(workflow: Workflow, step: Step, code: str, message: str) -> Finding:
    value = step.get("workflow_name")
    at = value.at if value else step.at
    error = code.startswith("W1")
    return Finding(workflow.path, at.line, at.col, code, message, error)


def _circle(start: str, called: str, known: Mapping[str, Workflow]) -> list[str]:
    """The names from `start` back to `start`, by way of `called`; empty if none."""
    came_from = {called: start}
    waiting = [called]
    while waiting:
        name = waiting.pop()
        if name == start:
            break
        following = known[name].children.values() if name in known else ()
        for one in following:
            if one not in came_from:
                came_from[one] = name
                waiting.append(one)
    if start not in came_from:
        return []
    trail = [start, came_from[start]]
    while trail[-1] != start:
        trail.append(came_from[trail[-1]])
    return trail[::-1]
