"""Run one visit of a step with a prompt: the commands of its chain, until one answers.

The prompt is put together when the step starts (`prompts`), and every command of the
chain gets the same one on stdin. What an agent prints is read by `agent_output`; its
own words alone may choose the result. All commands share the step's time, and the
limit of its output tokens; all steps of a workflow share that of the workflow.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic

from git_intent.errors import IntentError
from git_intent.workflow import agents, prompts
from git_intent.workflow.agent_output import Listener
from git_intent.workflow.agents import AgentCommand, Judged, judge, token_limit
from git_intent.workflow.executing import (
    Report,
    Setting,
    command,
    cut_off,
    marks,
)
from git_intent.workflow.model import Step, Workflow
from git_intent.workflow.step_log import Channel
from git_intent.workflow.stop import Stop
from git_intent.workflow.template import Template
from git_intent.workflow.trust import Subject

#: An agent is listened to as it speaks; its raw output is not kept besides.
_KEPT = 1 << 16
#: So much of what a command in a prompt prints is put in.
_PUT_IN = 4 << 20
#: Seconds that a command in a prompt may take.
COMMAND_TIME = 30.0

#: Puts the block of a step into its template's own text.
Place = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Asking:
    """What agents are asked with. `rows` gives the run's key-value store, `block` what
    puts a step's block in its place; `approved` raises IntentError for a file that
    nobody approved; `heard` gets what an agent said; `warn` is for a person."""

    run: str
    task: bytes | None
    variable: str
    rows: Callable[[], Mapping[str, str]]
    approved: Callable[[Subject], None]
    block: Callable[[Workflow, Step], Place]
    heard: Callable[[Workflow, Step, bytes], None]
    warn: Callable[[str], None]
    spent: "Spent" = field(default_factory=lambda: Spent())

    def run_step(
        self, workflow: Workflow, step: Step, setting: Setting, previous: bytes
    ) -> Report:
        commands = agents.chain(workflow, step, self.variable)
        prompt = self._prompt(workflow, step, setting, previous)
        setting.log.prompt(prompt)
        failed: list[str] = []
        own = Spent()
        for at, one in enumerate(commands, 1):
            asked = self._ask(workflow, step, setting, one, prompt, own)
            if isinstance(asked, Report):
                return asked
            judged, report = asked
            if judged.final or at == len(commands):
                reasons = (*failed, f"{one.name}: {judged.reason}")
                reason = "; ".join(reasons) if judged.reason else ""
                return replace(report, result=judged.result, reason=reason)
            failed.append(f"{one.name}: {judged.reason}")
        raise AssertionError("a chain has commands")

    def _ask(
        self,
        workflow: Workflow,
        step: Step,
        setting: Setting,
        one: AgentCommand,
        prompt: bytes,
        own: "Spent",
    ) -> Report | tuple[Judged, Report]:
        """What became of one command: how it was judged, or that it was cut off."""
        limits = (own.left(step), self.spent.left(workflow))
        limit = min((left for left in limits if left >= 0), default=-1)
        ear = _Ear(setting.log.agent(), limit, Stop(setting.stop))
        heard = replace(setting, stop=ear.stop)
        words, err = list(one.words), setting.log.script()
        try:
            ended = command(step, heard, words, prompt, ear, err, _KEPT)
        except IntentError as error:  # it is not there, or cannot be started
            return Judged("fail", error.message, final=False), Report("fail")
        said = ear.listener.said()
        for spent, place in ((own, step), (self.spent, workflow)):
            spent.add(place, said.output_tokens)
        marked = marks(step, setting, said.text)
        self.heard(workflow, step, marked.text)
        if ear.over:
            used = f"used {said.output_tokens} tokens of {ear.limit}"
            return Report("token-limit", output=marked.text, reason=used)
        if cut := cut_off(step, ended):
            return cut
        report = Report("", ended.code, marked.text)
        quiet = workflow.opted_out or step.opted_out
        return judge(step, said, marked, ended.code, quiet=quiet), report

    def _prompt(
        self, workflow: Workflow, step: Step, setting: Setting, previous: bytes
    ) -> bytes:
        read = prompts.files_of(setting.root)
        template = prompts.template_of(workflow, step, read, self.approved)
        for warning in template.warnings:
            self.warn(warning)
        values = prompts.variables(
            step,
            run=self.run,
            root=setting.root,
            nonce=setting.nonce,
            task=self.task,
            previous=previous,
            rows=self.rows(),
        )
        return prompts.assemble(
            step,
            template,
            values,
            nonce=setting.nonce,
            shell=lambda text, given: _shell(step, setting, template, text, given),
            read=read,
            # not before all else is put in: a step that cannot start is given nothing
            place=lambda own: self.block(workflow, step)(own),
        )


class Spent:
    """How many output tokens steps and workflows have used up, from any thread."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}
        self._turn = threading.Lock()

    def add(self, place: Workflow | Step, tokens: int) -> None:
        with self._turn:
            self._used[place.name] = self._used.get(place.name, 0) + tokens

    def left(self, place: Workflow | Step) -> int:
        """How many it may still use; -1 is any number."""
        limit = token_limit(place)
        return limit if limit < 0 else max(limit - self._used.get(place.name, 0), 0)


class _Ear:
    """Listens to an agent, keeps its log, and stops it at the limit of its tokens."""

    def __init__(self, log: Channel, limit: int, stop: Stop) -> None:
        self.log = log
        self.limit = limit
        self.stop = stop
        self.listener = Listener()

    @property
    def over(self) -> bool:
        return 0 <= self.limit < self.listener.output_tokens

    def feed(self, data: bytes) -> None:
        self.log.feed(data)
        self.listener.feed(data)
        if self.over:
            self.stop.set()

    def idle(self) -> None:
        self.log.idle()

    def close(self) -> None:
        self.log.close()


def _shell(
    step: Step,
    setting: Setting,
    template: Template,
    text: bytes,
    given: Mapping[str, bytes],
) -> bytes:
    """What a command in a prompt prints. Raises IntentError if it fails."""
    env = {key: row.decode("utf-8", "surrogateescape") for key, row in given.items()}
    short = replace(
        setting,
        env={**setting.env, **env},
        deadline=min(setting.deadline, monotonic() + COMMAND_TIME),
    )
    words = ["sh", "-c", text.decode("utf-8", "surrogateescape")]
    log = setting.log.script()
    ended = command(step, short, words, b"", log, log, _PUT_IN)
    if ended.late or ended.stopped or ended.code:
        why = "took too long" if ended.late else f"ended with code {ended.code}"
        shown = text.decode("utf-8", "replace")[:80]
        raise IntentError(
            f"{template.path}: the command `{shown}` {why}",
            "its words are in the log of the step",
        )
    return ended.out
