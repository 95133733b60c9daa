"""Which command gets the prompt of a step, and whether its answer will do.

The first of these that names one: the step's `agent_command`, the agent that the step
names, the step's `host` block, the workflow's `host` or `container` block, the
environment variable CLOCHE_AGENT_COMMAND, `claude`. Arguments stand beside the command
(`agent_args`, an agent's `args`, words behind the command); the step's own `agent_args`
come before those.

A list with commas is a chain: the next command is tried where one cannot be found, says
nothing, reports an error or gives no result. Any result is final, as is what the last
one says; without a result that is `fail`. A step that declares no results needs none:
there an answer and exit code 0 are a `success`.

An agent that is known by its name gets the arguments by which it works unattended and
prints events; arguments of the workflow replace them, but for those that make `claude`
print events. Other commands get what is written and no more. All get the prompt on
stdin.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from git_intent.errors import IntentError
from git_intent.workflow.agent_output import Said
from git_intent.workflow.model import Step, Workflow
from git_intent.workflow.result_marker import Marked

VARIABLE = "CLOCHE_AGENT_COMMAND"
DEFAULT = "claude"
#: Arguments of agents that are known, where the workflow gives none.
ALONE = {
    "claude": ("--dangerously-skip-permissions", "--model", "sonnet"),
    "opencode": ("run", "--format", "json", "--dangerously-skip-permissions"),
}
#: Output tokens of one step, and of all steps of a workflow; -1 is without limit.
STEP_TOKENS, WORKFLOW_TOKENS = 500_000, 2_000_000
_DIGITS = 15  # of a limit that is ever reached


@dataclass(frozen=True, slots=True)
class AgentCommand:
    """`words` are started with the prompt on stdin; `name` is for people."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """How an answer ends the step; if it is not `final`, the next command is tried."""

    result: str
    reason: str = ""
    final: bool = True


def chain(
    workflow: Workflow, step: Step, variable: str = ""
) -> tuple[AgentCommand, ...]:
    """The commands of an agent step in the order they are tried; `variable` is what
    CLOCHE_AGENT_COMMAND holds. Raises IntentError for what is no command."""
    where, commands, args = _chosen(workflow, step, variable)
    own = step.get("agent_args")
    if own is not None:
        args = own.text
    try:
        given = None if args is None else shlex.split(args)
        found = tuple(_command(words, given) for words in _split(commands))
    except ValueError as error:
        raise IntentError(
            f"{where}: the agent's command cannot be split into words: {error}",
            "close every quote",
        ) from error
    if not found:
        raise IntentError(f"{where}: names no agent", "name a command")
    return found


def judge(
    step: Step, said: Said, marked: Marked, code: int, *, quiet: bool = False
) -> Judged:
    """What the answer of one command of the chain means. `marked` is what its text says
    of the result, `code` its exit code. With `quiet` the reason has no words of it."""
    if marked.result:
        return Judged(marked.result)
    if marked.seen:
        return Judged("fail", "; ".join(marked.problems))
    if said.error:
        words = "" if quiet else f": {said.error}"
        return Judged("fail", f"reported an error{words}", final=False)
    if not said.text.strip():
        return Judged("fail", f"said nothing (exit code {code})", final=False)
    if step.results is None and not code:
        return Judged("success")
    reason = "gave no result" if step.results is not None else "failed"
    why = "; ".join((f"{reason} (exit code {code})", *marked.problems))
    return Judged("fail", why, final=False)


def token_limit(place: Workflow | Step) -> int:
    """How many output tokens a step, or all steps of a workflow, may use; -1 is any
    number."""
    value = place.get("token-limit")
    if value is None:
        return STEP_TOKENS if isinstance(place, Step) else WORKFLOW_TOKENS
    return int(value.text) if len(value.text) <= _DIGITS else -1


def _chosen(
    workflow: Workflow, step: Step, variable: str
) -> tuple[str, str, str | None]:
    """Where the command comes from, the command, and the arguments beside it."""
    at = f"{workflow.path}:{step.at.line}: step '{step.name}'"
    if step.text("agent_command"):
        return at, step.text("agent_command"), None
    named = step.text("agent")
    for agent in workflow.agents:
        if agent.name == named:
            return f"{at}, agent '{named}'", agent.command, agent.args or None
    for block in ("host", "container"):
        if command := step.text(f"{block}.agent_command"):
            args = step.get(f"{block}.agent_args")
            return f"{at}, {block} block", command, args.text if args else None
    for found in workflow.blocks:
        fields = {field.key: field.value.text for field in found.fields}
        if found.name in ("host", "container") and fields.get("agent_command"):
            where = f"{workflow.path}:{found.at.line}: {found.name} block"
            return where, fields["agent_command"], fields.get("agent_args")
    if variable.strip():
        return VARIABLE, variable, None
    return "the default agent", DEFAULT, None


def _split(commands: str) -> Iterator[list[str]]:
    """The words of each command between commas; a comma in quotes is none."""
    lexer = shlex.shlex(commands, posix=True, punctuation_chars=",")
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    for word in lexer:
        if set(word) == {","}:
            if words:
                yield words
            words = []
        else:
            words.append(word)
    if words:
        yield words


def _command(words: list[str], args: list[str] | None) -> AgentCommand:
    program, *behind = words
    name = PurePath(program).name
    if args is None and not behind:
        args = list(ALONE.get(name, ()))
    words = [program, *behind, *(args or ())]
    if name == "claude":
        words += _printing_events(words)
    return AgentCommand(name, tuple(words))


def _printing_events(words: list[str]) -> Iterator[str]:
    if not {"-p", "--print"} & set(words):
        yield "-p"
    if not any(word.startswith("--output-format") for word in words):
        yield from ("--output-format", "stream-json", "--verbose")
