"""Prints workflows in one canonical way; what is printed reads back as the same values.

Members stand in a fixed order (fields, blocks, agents, steps, collects, wires), two
blanks a level; names are bare where they can be, all other text is quoted. Comments are
not part of a workflow and are lost: this is for showing, never for rewriting a file.
"""

from collections.abc import Iterable, Iterator

from git_intent.workflow.lexer import is_bare_name, quote
from git_intent.workflow.model import Agent, Block, Field, Form, Step, Value, Workflow


def render(workflows: Iterable[Workflow]) -> str:
    return "\n".join("\n".join(_workflow(one)) + "\n" for one in workflows)


def render_value(value: Value) -> str:
    if value.form is Form.TEXT:
        return quote(value.text)
    if value.form is Form.LIST:
        return f"[{', '.join(render_value(item) for item in value.items)}]"
    return value.text


def _workflow(workflow: Workflow) -> Iterator[str]:
    name = workflow.name
    yield f"workflow {name if is_bare_name(name) else quote(name)} {{"
    for field in workflow.fields:
        yield f"  {_field(field)}"
    for block in workflow.blocks:
        yield from _block(block)
    for agent in workflow.agents:
        yield from _agent(agent)
    for step in workflow.steps:
        yield from _step(step)
    for collect in workflow.collects:
        refs = ", ".join(f"{ref.step}:{ref.result}" for ref in collect.refs)
        yield f"  collect {collect.mode}({refs}) -> {collect.target}"
    for wire in workflow.wires:
        yield f"  {wire.source.step}:{wire.source.result} -> {wire.target}"
    for rest in workflow.global_wires:
        yield f"  {rest.result} -> {rest.target}"
    yield "}"


def _block(block: Block) -> Iterator[str]:
    yield f"  {block.name} {{"
    for field in block.fields:
        yield f"    {_field(field)}"
    yield "  }"


def _agent(agent: Agent) -> Iterator[str]:
    yield f"  agent {agent.name} {{"
    yield f"    command = {quote(agent.command)}"
    if agent.args:
        yield f"    args = {quote(agent.args)}"
    yield "  }"


def _step(step: Step) -> Iterator[str]:
    yield f"  step {step.name} {{"
    for field in step.fields:
        *outer, key = field.key.split(".")
        opened = "".join(f"{name} {{ " for name in outer)
        yield f"    {opened}{key} = {render_value(field.value)}{' }' * len(outer)}"
    yield "  }"


def _field(field: Field) -> str:
    return f"{field.key} = {render_value(field.value)}"
