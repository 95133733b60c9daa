"""Reads the bytes of one `.cloche` file into workflows.

    file      := { workflow }
    workflow  := 'workflow' (IDENT | STRING) '{' { member } '}'
    member    := agent | step | collect | block | field | wire | gwire
    agent     := 'agent' IDENT '{' { ('command' | 'args') '=' STRING } '}'
    step      := 'step' IDENT '{' { sfield } '}'
    sfield    := IDENT ( '=' (value | list) | '{' { sfield } '}' )
    field     := IDENT '=' (value | list)
    block     := IDENT '{' { IDENT '=' value } '}'
    collect   := 'collect' ('all' | 'any') '(' ref { [','] ref } ')' '->' IDENT
    ref       := IDENT ':' IDENT
    wire      := ref '->' IDENT
    gwire     := 'token-limit' '->' IDENT
    value     := STRING | INT | IDENT [ '(' args ')' ] { '.' IDENT }
    list      := '[' { (IDENT | STRING) [','] } ']'

Keywords are contextual: what follows a word decides what it is, so a step may be called
`step`. Spellings of both eras are read; what Cloche no longer means is a warning.

Total: every byte string gives a `WorkflowFile` or raises one IntentError whose message
is `path:line:col: what was expected`. How the steps are wired is `wiring`'s matter.
"""

from collections.abc import Iterator

from git_intent.errors import IntentError
from git_intent.workflow.keys import checked_step_field, checked_workflow_field
from git_intent.workflow.lexer import (
    ARROW,
    END,
    NAME,
    NUMBER,
    TEXT,
    Malformed,
    Token,
    quote,
    tokens,
)
from git_intent.workflow.model import (
    Agent,
    Block,
    Collect,
    Field,
    Finding,
    Form,
    GlobalWire,
    Ref,
    Step,
    Value,
    Wire,
    Workflow,
    WorkflowFile,
)

#: Deeper nesting of blocks in a step is refused rather than recursed into.
DEEPEST = 16


def parse(data: bytes, path: str) -> WorkflowFile:
    """All workflows of the file; raises IntentError at the first thing not expected."""
    return _Parser(tokens(data, path), path).file()


class _Parser:
    def __init__(self, found: Iterator[Token], path: str) -> None:
        self.coming = found
        self.path = path
        self.here = next(found)
        self.ahead = next(found, self.here)
        self.findings: list[Finding] = []

    # Reading tokens

    def advance(self) -> None:
        """To the next token; the last one comes again and again."""
        self.here = self.ahead
        self.ahead = next(self.coming, self.here)

    def take(self, kind: str, expected: str = "") -> Token:
        token = self.here
        if token.kind != kind:
            raise self.wrong(expected or f"'{kind}'")
        self.advance()
        return token

    def skip(self, kind: str) -> bool:
        if self.here.kind != kind:
            return False
        self.advance()
        return True

    def wrong(self, expected: str, token: Token | None = None) -> IntentError:
        token = token or self.here
        return Malformed(self.path, token.at, f"expected {expected}, found {token}")

    def warn(self, token: Token, code: str, message: str) -> None:
        at = token.at
        self.findings.append(Finding(self.path, at.line, at.col, code, message))

    # File and workflow

    def file(self) -> WorkflowFile:
        workflows = []
        while self.here.kind != END:
            if self.here.kind != NAME or self.here.text != "workflow":
                raise self.wrong("'workflow'")
            workflows.append(self.workflow())
        return WorkflowFile(self.path, tuple(workflows), tuple(self.findings))

    def workflow(self) -> Workflow:
        start = self.take(NAME)
        name = self.here
        if name.kind not in (NAME, TEXT) or not name.text.strip():
            raise self.wrong("a workflow name")
        self.advance()
        self.take("{")
        found = _Members()
        while not self.skip("}"):
            self.member(found)
        self.judge_repeated(found.fields)
        return Workflow(
            name=name.text,
            fields=tuple(found.fields),
            blocks=tuple(found.blocks),
            agents=tuple(found.agents),
            steps=tuple(found.steps),
            collects=tuple(found.collects),
            wires=tuple(found.wires),
            global_wires=tuple(found.global_wires),
            path=self.path,
            at=start.at,
        )

    def member(self, found: "_Members") -> None:
        word = self.here
        if word.kind != NAME:
            raise self.wrong("a member of the workflow or '}'")
        following = self.ahead.kind
        if following == ":":
            found.wires.append(self.wire())
        elif following == ARROW:
            found.global_wires.append(self.global_wire())
        elif following == "=":
            found.fields.append(self.workflow_field())
        elif word.text == "step":
            found.steps.append(self.step())
        elif word.text == "agent":
            found.agents.append(self.agent(found.agents))
        elif word.text == "collect":
            found.collects.append(self.collect())
        elif following == "{":
            found.blocks.append(self.block())
        else:
            self.advance()
            raise self.wrong(f"'=', ':', '->' or '{{' after '{word.text}'")

    def workflow_field(self) -> Field:
        key = self.take(NAME)
        self.take("=")
        found = Field(key.text, self.value(key.text, lists=True), key.at)
        self.findings += checked_workflow_field(found, self.path)
        return found

    def block(self) -> Block:
        name = self.take(NAME)
        self.take("{")
        fields = []
        while not self.skip("}"):
            key = self.take(NAME, "a key or '}'")
            self.take("=")
            fields.append(Field(key.text, self.value(key.text, lists=False), key.at))
        self.judge_repeated(fields)
        return Block(name.text, tuple(fields), name.at)

    # Agents and steps

    def agent(self, known: list[Agent]) -> Agent:
        self.take(NAME)
        name = self.take(NAME, "the agent's name")
        if any(agent.name == name.text for agent in known):
            raise self.wrong("another name (this agent is defined twice)", name)
        self.take("{")
        given: dict[str, str] = {}
        while self.here.kind != "}":
            key = self.take(NAME, "'command', 'args' or '}'")
            if key.text not in ("command", "args") or key.text in given:
                raise self.wrong("'command' and 'args', each at most once", key)
            self.take("=")
            given[key.text] = self.take(TEXT, "a string").text
        if "command" not in given:
            raise self.wrong("'command' (an agent must have one)")
        self.take("}")
        return Agent(name.text, given["command"], given.get("args", ""), name.at)

    def step(self) -> Step:
        self.take(NAME)
        name = self.take(NAME, "the step's name")
        self.take("{")
        fields = self.step_fields("", 1)
        self.judge_repeated(fields)
        return Step(name.text, tuple(fields), name.at)

    def step_fields(self, prefix: str, depth: int) -> list[Field]:
        """The fields up to the closing brace, which is taken too."""
        fields: list[Field] = []
        while not self.skip("}"):
            key = self.take(NAME, "a key or '}'")
            name = prefix + key.text
            if self.skip("="):
                found = Field(name, self.value(key.text, lists=True), key.at)
                self.findings += checked_step_field(found, self.path)
                fields.append(found)
            elif self.here.kind == "{" and depth < DEEPEST:
                self.advance()
                fields += self.step_fields(f"{name}.", depth + 1)
            elif self.here.kind == "{":
                raise self.wrong(f"at most {DEEPEST} nested blocks")
            else:
                raise self.wrong(f"'=' or '{{' after '{key.text}'")
        return fields

    def judge_repeated(self, fields: list[Field]) -> None:
        seen: dict[str, Field] = {}
        for one in fields:
            first = seen.setdefault(one.key, one)
            if first is one:
                continue
            if one.key in ("intent_tracking", "intent"):
                raise Malformed(
                    self.path,
                    one.at,
                    f"expected '{one.key}' once, it already stands in line "
                    f"{first.at.line}",
                )
            message = f"'{one.key}' stands in line {first.at.line} too; this one counts"
            at = one.at
            self.findings.append(Finding(self.path, at.line, at.col, "W003", message))

    # Wires

    def ref(self) -> Ref:
        step = self.take(NAME, "a step's name")
        self.take(":")
        return Ref(step.text, self.take(NAME, "a result's name").text, step.at)

    def wire(self) -> Wire:
        source = self.ref()
        self.take(ARROW)
        target = self.take(NAME, "a step, 'done' or 'abort'")
        if self.here.kind == "[":
            self.output_mapping()
        return Wire(source, target.text, target.at)

    def output_mapping(self) -> None:
        """`[ X = output.f ]` after a wire: Cloche dropped it in 3.14; read over it."""
        self.warn(self.here, "W004", "output mappings on wires have no effect any more")
        self.take("[")
        while not self.skip("]"):
            key = self.take(NAME, "a name or ']'")
            self.take("=")
            self.value(key.text, lists=False)
            self.skip(",")

    def global_wire(self) -> GlobalWire:
        result = self.take(NAME)
        if result.text != "token-limit":
            raise self.wrong("'step:result' or 'token-limit' before '->'", result)
        self.take(ARROW)
        target = self.take(NAME, "a step, 'done' or 'abort'")
        return GlobalWire(result.text, target.text, target.at)

    def collect(self) -> Collect:
        start = self.take(NAME)
        mode = self.take(NAME, "'all' or 'any'")
        if mode.text not in ("all", "any"):
            raise self.wrong("'all' or 'any'", mode)
        self.take("(")
        refs = [self.ref()]
        while not self.skip(")"):
            self.skip(",")
            refs.append(self.ref())
        self.take(ARROW)
        target = self.take(NAME, "a step, 'done' or 'abort'")
        return Collect(mode.text, tuple(refs), target.text, start.at)

    # Values

    def value(self, key: str, *, lists: bool) -> Value:
        token = self.here
        if token.kind == TEXT:
            self.advance()
            return Value(Form.TEXT, token.text, at=token.at)
        if token.kind == NUMBER:
            return self.number(key)
        if token.kind == NAME:
            return self.name_or_call()
        if token.kind == "[" and lists:
            return self.list()
        allowed = "a string, a number, a name or a list" if lists else "a single value"
        raise self.wrong(f"{allowed} for '{key}'")

    def number(self, key: str) -> Value:
        token = self.take(NUMBER)
        if token.text.startswith("-") and key != "token-limit":
            raise self.wrong(f"no sign before the number of '{key}'", token)
        return Value(Form.NUMBER, token.text, at=token.at)

    def name_or_call(self) -> Value:
        token = self.take(NAME)
        text, form = token.text, Form.NAME
        items: list[Value] = []
        if self.skip("("):
            form = Form.CALL
            while not self.skip(")"):
                items.append(self.argument("an argument or ')'"))
                self.skip(",")
            shown = (quote(i.text) if i.form is Form.TEXT else i.text for i in items)
            text += f"({', '.join(shown)})"
        while self.skip("."):
            text += "." + self.take(NAME, "a name after '.'").text
        return Value(form, text, tuple(items), token.at)

    def list(self) -> Value:
        start = self.take("[")
        items: list[Value] = []
        while not self.skip("]"):
            if self.here.kind == NUMBER:
                raise self.wrong("a name, a string or ']'")
            items.append(self.argument("a name, a string or ']'"))
            self.skip(",")
        return Value(Form.LIST, ",".join(i.text for i in items), tuple(items), start.at)

    def argument(self, expected: str) -> Value:
        token = self.here
        form = {TEXT: Form.TEXT, NAME: Form.NAME, NUMBER: Form.NUMBER}.get(token.kind)
        if form is None or (form is Form.NUMBER and token.text.startswith("-")):
            raise self.wrong(expected)
        self.advance()
        return Value(form, token.text, at=token.at)


class _Members:
    """What a workflow holds, while it is read."""

    def __init__(self) -> None:
        self.fields: list[Field] = []
        self.blocks: list[Block] = []
        self.agents: list[Agent] = []
        self.steps: list[Step] = []
        self.collects: list[Collect] = []
        self.wires: list[Wire] = []
        self.global_wires: list[GlobalWire] = []
