"""The prompt of an agent step, from its template to the bytes that the agent reads.

In this order, a blank line between:

    the block, unless the template places it
    the template with everything put in
    `## User Request` and the task, unless the template has the task in it
    `## Result Selection` and the results to choose from, if the step declares any

The template's result is all but the block: with nothing to inject the prompt is the
same, byte for byte, as if there were no intent at all; and without a task and declared
results it is the resolved template and nothing else. What is appended leaves the bytes
before it as they are.

A template in a file is read when its step starts, so an edit in the middle of a run
counts; one that runs commands then needs to be approved as it is then. It may put in
files of the project alone: what it puts in leaves the machine.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.workflow.model import Step, Workflow
from git_intent.workflow.result_marker import line
from git_intent.workflow.template import (
    TASK,
    Read,
    Shell,
    Template,
    Variables,
    parse,
    resolve,
)
from git_intent.workflow.trust import Subject, prompt_file, runs_command
from git_intent.workflow.wiring import GIVE_UP

#: What is put into a prompt is not larger than this.
LARGEST_FILE = 4 << 20


def template_of(
    workflow: Workflow, step: Step, read: Read, approved: Callable[[Subject], None]
) -> Template:
    """The template of an agent step. Messages name its file, or the step's place.

    `approved` raises IntentError for a file with commands that nobody approved.
    """
    value = step.get("prompt")
    if path := prompt_file(value):
        data = read(path)
        if runs_command(data):
            approved(Subject(path, data, f"step '{step.name}' runs the commands in it"))
        return parse(data, path)
    text = value.text if value else ""
    where = f"{workflow.path}:{step.at.line}: prompt of step '{step.name}'"
    return parse(text.encode("utf-8", "surrogateescape"), where)


def prompt_name(step: Step) -> str:
    """What stands for the prompt in a search: the name of its file, or the step."""
    path = prompt_file(step.get("prompt"))
    return path.rpartition("/")[2] if path else step.name


def variables(
    step: Step,
    *,
    run: str,
    root: Path,
    nonce: str,
    task: bytes | None,
    previous: bytes,
    rows: Mapping[str, str],
) -> dict[str, bytes]:
    """What templates may name. `rows` are the run's; none of them hides what is built
    in. Without a task `task_description` has no value, which a template that asks for
    it is refused for."""
    built_in = {
        "task_id": run.encode("utf-8", "surrogateescape"),
        "run_id": run.encode("utf-8", "surrogateescape"),
        "step_name": step.name.encode(),
        "workdir": str(root).encode("utf-8", "surrogateescape"),
        "prev_output": previous,
        "result_nonce": nonce.encode(),
    }
    if task is not None:
        built_in[TASK] = task
    others = {key: row.encode("utf-8", "surrogateescape") for key, row in rows.items()}
    return {**others, **built_in}


def assemble(
    step: Step,
    template: Template,
    values: Variables,
    *,
    nonce: str,
    shell: Shell,
    read: Read,
    place: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """The whole prompt; `place` puts the block into the template's own text."""
    prompt = resolve(template, values, shell=shell, read=read, place=place)
    task = values.get(TASK)
    if task is not None and TASK not in template.names:
        prompt = _with(prompt, b"## User Request\n\n" + task)
    names = choices(step)
    if names:
        prompt = _with(prompt, _selection(names, nonce).encode())
    return prompt


def choices(step: Step) -> tuple[str, ...]:
    """The results that the agent may choose; giving up is not up to it."""
    given = GIVE_UP if step.get("max_attempts") else ()
    return tuple(name for name in step.results or () if name not in given)


def files_of(root: Path) -> Read:
    """Reads files of the project, by path from its root."""
    top = root.resolve()

    def read(path: str) -> bytes:
        try:
            file = (top / path).resolve()
            if not file.is_relative_to(top):
                raise IntentError(f"{path}: lies outside of the project", _INSIDE)
            if not file.is_file():
                raise IntentError(f"{path}: there is no such file", _INSIDE)
            if file.stat().st_size > LARGEST_FILE:
                raise IntentError(f"{path}: is larger than {LARGEST_FILE} bytes")
            return file.read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise IntentError(f"{path}: {reason}", _INSIDE) from error

    return read


_INSIDE = "name a file of the project, by its path from the project's root"


def _with(prompt: bytes, section: bytes) -> bytes:
    """`section` behind the prompt and a blank line."""
    if not prompt:
        return section
    gap = b"" if prompt.endswith(b"\n\n") else b"\n"
    return prompt + (gap if prompt.endswith(b"\n") else b"\n\n") + section


def _selection(names: tuple[str, ...], nonce: str) -> str:
    # The form stands inside of a sentence: a prompt read aloud chooses nothing.
    form = line(nonce, "NAME")
    listed = "\n".join(f"- {name}" for name in names)
    return (
        "## Result Selection\n\n"
        f"End your answer with a line of its own, written as {form} with one of these "
        f"names for NAME:\n\n{listed}\n"
    )
