"""What the agents of a run are asked with: their block, approvals, what they said."""

import os
import threading
from collections.abc import Callable, Mapping

from git_intent.cli import approvals, output
from git_intent.cli.injecting import context_of, rendered
from git_intent.cli.place import open_place
from git_intent.cli.project import Project, clock
from git_intent.cli.recording import beginning, block_text
from git_intent.errors import IntentError
from git_intent.hosts.transcripts.turn import Message, Role, lines, turns
from git_intent.inject.block import Block
from git_intent.inject.prompt import place as put
from git_intent.scan.recording import LARGEST, Recording, first_lines
from git_intent.workflow import agents, runs, trust
from git_intent.workflow.agent_step import Asking, Place
from git_intent.workflow.model import Step, Workflow


def asking_for(
    project: Project, run: str, task: bytes, rows: Callable[[], Mapping[str, str]]
) -> Asking:
    """What the agents of `run` are asked with; `rows` gives its key-value store."""
    turn = threading.Lock()  # steps that start together render one after the other

    def block(workflow: Workflow, step: Step) -> Place:
        with turn:
            return _block(project, run, task, workflow, step)

    return Asking(
        run=run,
        task=task or None,
        variable=os.environ.get(agents.VARIABLE, ""),
        rows=rows,
        approved=lambda subject: _approved(project, subject),
        block=block,
        heard=lambda workflow, step, text: _heard(project, run, workflow, step, text),
        warn=lambda words: output.note(f"note: {words}"),
    )


def _approved(project: Project, subject: trust.Subject) -> None:
    trust.require([subject], lambda key: approvals.read(project.repo, key))


def _block(
    project: Project, run: str, task: bytes, workflow: Workflow, step: Step
) -> Place:
    """Puts the block into a prompt, as `git intent inject --run` would.

    What is wrong with the store never keeps a prompt from its agent.
    """
    text = task.decode(errors="replace")

    def render() -> Block:
        place = open_place(str(project.root))
        return rendered(
            place,
            context_of(
                place, task=text, paths=(), workflow=workflow.name, step=step.name
            ),
        )

    block = ""
    if not (workflow.opted_out or step.opted_out):
        try:
            begin = beginning(project.repo, clock())
            key = (workflow.name, step.name)
            block = block_text(project.repo, run, key, begin, render)
        except IntentError as error:
            output.error(error.message, error.hint)
    if not project.loaded.config.inject:
        block = ""
    return lambda prompt: put(prompt, block)


def _heard(
    project: Project, run: str, workflow: Workflow, step: Step, text: bytes
) -> None:
    """Keep what an agent decided for a scan, unless its step stays out of them."""
    said = Message(Role.ASSISTANT, (text.decode(errors="replace"),))
    data = b"".join(lines(turns([said], ())))
    if not data or workflow.opted_out or step.opted_out:
        return
    recording = Recording(
        project.repo,
        runs.transcript_folder(workflow.name, step.name),
        transcripts=(data if len(data) <= LARGEST else first_lines(data),),
        mined=project.loaded.config.git.transcripts,
    )
    runs.update(project.repo, run, recording.change, runs.Meta())
    for words in recording.skipped:
        output.note(f"note: {words}")
