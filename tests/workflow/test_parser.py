"""What the grammar accepts, what it means, and how a refusal reads."""

import pytest

from git_intent.errors import IntentError
from git_intent.workflow.model import Form, Place
from git_intent.workflow.opt_out import opt_outs
from git_intent.workflow.parser import DEEPEST, parse

PATH = ".cloche/team.cloche"


def read(text: str):
    return parse(text.encode(), PATH)


def only(body: str):
    (workflow,) = read(f"workflow w {{\n{body}\n}}").workflows
    return workflow


def step(body: str):
    return only(f"step s {{\n{body}\n}}").steps[0]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", []),
        ("// nothing", []),
        ("workflow develop { }", ["develop"]),
        ('workflow "develop" { }', ["develop"]),
        ('workflow "two words" {}', ["two words"]),
        ("workflow workflow {}", ["workflow"]),
        ("workflow a {} workflow b {}", ["a", "b"]),
        ("workflow a {} workflow A {}", ["a", "A"]),
    ],
)
def test_workflow_names_are_read_in_both_spellings(text: str, names: list[str]):
    assert [w.name for w in read(text).workflows] == names


def test_places_and_source_are_kept():
    workflow = read('\n  workflow "x" {\n    step a { run = "r" }\n  }').workflows[0]
    assert workflow.source == f"{PATH}:2"
    assert workflow.at == Place(2, 3)
    assert workflow.steps[0].at == Place(3, 10)
    assert workflow.steps[0].fields[0].at == Place(3, 14)
    assert workflow.steps[0].fields[0].value.at == Place(3, 20)


@pytest.mark.parametrize(
    ("written", "form", "text"),
    [
        ('"text"', Form.TEXT, "text"),
        ("12", Form.NUMBER, "12"),
        ("9" * 5000, Form.NUMBER, "9" * 5000),
        ("name", Form.NAME, "name"),
        ("step.code.output", Form.NAME, "step.code.output"),
        ('file("p.md")', Form.CALL, 'file("p.md")'),
        ('file( "a" b, 3 ).x', Form.CALL, 'file("a", b, 3).x'),
        ("file()", Form.CALL, "file()"),
        ('["a", b c]', Form.LIST, "a,b,c"),
        ("[]", Form.LIST, ""),
        ("[a,]", Form.LIST, "a"),
    ],
)
def test_values_keep_their_form_and_text(written: str, form: Form, text: str):
    value = step(f"prompt = {written}").get("prompt")
    assert (value.form, value.text) == (form, text)


@pytest.mark.parametrize(
    "key",
    ["workflow", "step", "agent", "collect", "all", "any", "host", "container", "true"],
)
def test_keywords_are_names_where_a_name_is_expected(key: str):
    workflow = only(
        f'step {key} {{ run = "r" results = [{key}] }}\n{key}:{key} -> {key}\n'
        f"collect all({key}:{key}) -> {key}\n{key} {{ {key} = {key} }}"
        if key not in ("step", "agent", "collect")
        else f'step {key} {{ run = "r" results = [{key}] }}\n{key}:{key} -> {key}'
    )
    assert workflow.steps[0].name == key
    assert workflow.wires[0].source.result == key


def test_nested_step_keys_are_joined_by_dots():
    found = step('container { image = "i" a { b = c } }\nhost { }')
    assert [(f.key, f.value.text) for f in found.fields] == [
        ("container.image", "i"),
        ("container.a.b", "c"),
    ]


def test_members_of_every_kind():
    workflow = only(
        """
        repos = ["api", web]
        token-limit = -1
        domains = [versioning]
        agent fast { command = "claude" args = "--quick" }
        host { agent_command = "claude" }
        step a { prompt = file("a.md") agent = fast results = [ok] }
        step b { run = "x" }
        a:ok -> b
        a:ok -> done
        collect any(a:ok b:success, b:fail) -> abort
        token-limit -> b
        """
    )
    assert workflow.repos == ("api", "web")
    assert workflow.get("token-limit").text == "-1"
    assert workflow.agents[0].args == "--quick"
    assert workflow.blocks[0].fields[0].key == "agent_command"
    assert [w.target for w in workflow.wires] == ["b", "done"]
    assert [r.result for r in workflow.collects[0].refs] == ["ok", "success", "fail"]
    assert workflow.global_wires[0].target == "b"


@pytest.mark.parametrize(
    ("workflow", "steps", "expected"),
    [
        ("domains = [a]", "", ("a",)),
        ("", "domains = [b]", ("b",)),
        ("domains = [a]", "domains = [b, c]", ("b", "c")),
        ("domains = [a]", "domains = []", ()),
        ("domains = [a]", 'domains = "b, c"', ("b", "c")),
        ("", "", ()),
    ],
)
def test_n115_domains_of_a_step_replace_those_of_the_workflow(
    workflow: str, steps: str, expected: tuple[str, ...]
):
    found = only(f'{workflow}\nstep s {{ run = "r"\n{steps} }}')
    assert found.domains("s") == expected


def test_domains_of_the_workflow_hold_for_unknown_steps():
    assert only("domains = [a]").domains() == ("a",)


@pytest.mark.parametrize(
    ("workflow", "steps", "out"),
    [
        ("", "", False),
        ("intent_tracking = false", "", True),
        ("intent_tracking = false", "intent_tracking = true", True),
        ("intent_tracking = true", "intent_tracking = false", True),
        ("", "intent_tracking = false", True),
        ("", 'intent_tracking = "false"', True),
        ('intent = "off"', "", True),
        ("", "intent = off", True),
        ("", 'intent = "on"', False),
        ("", 'intent = "off" intent_tracking = true', True),
    ],
)
def test_a_step_is_out_if_it_or_its_workflow_says_so(
    workflow: str, steps: str, out: bool
):
    text = f'{workflow}\nstep s {{ run = "r"\n{steps} }}\nstep t {{ run = "r" }}'
    found = opt_outs({PATH: f"workflow w {{ {text} }}".encode()})
    assert found.steps["w", "s"] is out
    assert found.steps["w", "t"] is only(text).opted_out


@pytest.mark.parametrize("level", ["{}", 'step s {{ run = "r" {} }}'])
@pytest.mark.parametrize("value", ["maybe", '"no"', "1", "[false]", "true.x", "off"])
def test_n113_an_unclear_opt_out_is_refused_at_its_value(level: str, value: str):
    body = level.format(f"intent_tracking = {value}")
    column = body.rindex("= ") + 3
    with pytest.raises(IntentError, match=f":2:{column}: expected true or false for"):
        only(body)


@pytest.mark.parametrize("level", ["{}", 'step s {{ run = "r" {} }}'])
def test_n113_the_old_spelling_is_honoured_with_a_warning(level: str):
    body = level.format('intent = "off"')
    parsed = read(f"workflow w {{\n{body}\n}}")
    (workflow,) = parsed.workflows
    assert workflow.opted_out or workflow.steps[0].opted_out
    (finding,) = parsed.findings
    assert (finding.code, finding.line, finding.error) == ("W001", 2, False)
    assert "intent_tracking = false" in finding.message


def test_n113_another_value_of_the_old_spelling_is_refused():
    with pytest.raises(IntentError, match=':2:10: expected "on" or "off"'):
        only('intent = "maybe"')


@pytest.mark.parametrize("level", ["{}", 'step s {{ run = "r"\n{} }}'])
@pytest.mark.parametrize(
    "twice",
    ["intent_tracking = true\nintent_tracking = false", "intent = off\nintent = on"],
)
def test_n113_an_opt_out_written_twice_is_refused(level: str, twice: str):
    with pytest.raises(IntentError, match="once, it already stands in line"):
        only(level.format(twice))


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ('step s { run = "r" tempo = 3 }', ["W002"]),
        ('step s { run = "r" feedback = "x" }', ["W002"]),
        ('step s { run = "r" run = "q" }', ["W003"]),
        ("token-limit = 1 token-limit = 2", ["W003"]),
        ("step s { container { memory = 4 } host { agent_args = x } }", []),
        ("step s { cellar { memory = 4 } }", ["W002"]),
        ("a:b -> c [ X = output.f, Y = z ]", ["W004"]),
        ("host { a = b a = c }", ["W003"]),
    ],
)
def test_doubtful_spellings_are_warnings(body: str, codes: list[str]):
    parsed = read(f"workflow w {{ {body} }}")
    assert [f.code for f in parsed.findings] == codes
    assert not any(f.error for f in parsed.findings)


def test_the_last_of_two_equal_keys_counts():
    assert step('run = "a" run = "b"').text("run") == "b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("flow x {}", "1:1: expected 'workflow', found 'flow'"),
        ("workflow {", "1:10: expected a workflow name, found '{'"),
        ('workflow "" {}', "1:10: expected a workflow name, found a string"),
        ("workflow 3 {}", "1:10: expected a workflow name, found '3'"),
        ("workflow a", "1:11: expected '{', found end of file"),
        ("workflow a {", "1:13: expected a member of the workflow or '}', found end"),
        ("workflow a { } }", "1:16: expected 'workflow', found '}'"),
        ("workflow a { step { } }", "1:19: expected the step's name, found '{'"),
        ('workflow a { step "s" { } }', "1:19: expected the step's name, found a str"),
        ("workflow a { step s [", "1:21: expected '{', found '['"),
        ("workflow a { step s { x }", "1:25: expected '=' or '{' after 'x', found"),
        ("workflow a { step s { x = }", "1:27: expected a string, a number, a name"),
        ("workflow a { step s { x = 1", "1:28: expected a key or '}', found end of"),
        ("workflow a { step s { x = [a", "1:29: expected a name, a string or ']'"),
        ("workflow a { step s { x = [1] } }", "1:28: expected a name, a string or"),
        ("workflow a { step s { x = -1 } }", "1:27: expected no sign before the num"),
        ("workflow a { step s { x = f(-1) } }", "1:29: expected an argument or ')'"),
        ("workflow a { step s { x = y. } }", "1:30: expected a name after '.'"),
        ("workflow a { speed = 3 }", "1:14: unknown workflow field 'speed'"),
        ("workflow a { feedback = x }", "1:14: unknown workflow field 'feedback'"),
        ('workflow a { repos = "api" }', "1:22: expected a list of names for 'repos'"),
        ("workflow a { token-limit = -2 }", "1:28: expected a whole number from -1"),
        ('workflow a { token-limit = "3" }', "1:28: expected a whole number from -1"),
        ("workflow a { step s { max_attempts = x } }", "1:38: expected a whole numb"),
        ("workflow a { host { x = [a] } }", "1:25: expected a single value for 'x'"),
        ("workflow a { host { x { } } }", "1:23: expected '=', found '{'"),
        ("workflow a { b : -> c }", "1:18: expected a result's name, found '->'"),
        ("workflow a { b:c d }", "1:18: expected '->', found 'd'"),
        ("workflow a { b:c -> }", "1:21: expected a step, 'done' or 'abort'"),
        ("workflow a { b -> c }", "1:14: expected 'step:result' or 'token-limit'"),
        ("workflow a { b c }", "1:16: expected '=', ':', '->' or '{' after 'b'"),
        ("workflow a { collect some(b:c) -> d }", "1:22: expected 'all' or 'any', f"),
        ("workflow a { collect all() -> d }", "1:26: expected a step's name, found"),
        ("workflow a { collect all(b) -> d }", "1:27: expected ':', found ')'"),
        ("workflow a { agent x { } }", "1:24: expected 'command' (an agent must"),
        ('workflow a { agent x { args = "y" } }', "1:35: expected 'command' (an ag"),
        ("workflow a { agent x { command = y } }", "1:34: expected a string, found"),
        ('workflow a { agent x { model = "y" } }', "1:24: expected 'command' and 'ar"),
        (
            'workflow a { agent x { command = "y" command = "z" } }',
            "1:38: expected 'command' and 'args', each at most once",
        ),
        (
            'workflow a { agent x { command = "y" } agent x { command = "z" } }',
            "1:46: expected another name (this agent is defined twice)",
        ),
        ("workflow a { b:c -> d [ X }", "1:27: expected '=', found '}'"),
    ],
)
def test_a_refusal_names_the_place_and_what_was_expected(text: str, message: str):
    with pytest.raises(IntentError) as raised:
        read(text)
    assert raised.value.message.startswith(f"{PATH}:{message}")


def test_nesting_is_bounded():
    deep = "b { " * DEEPEST + "x = 1" + " }" * DEEPEST
    with pytest.raises(IntentError, match=f"at most {DEEPEST} nested blocks"):
        step(deep)
    with pytest.raises(IntentError, match="nested blocks"):
        read("workflow a { step s { " + "b { " * 100_000)


def test_an_error_late_in_a_file_hides_no_earlier_workflow_silently():
    with pytest.raises(IntentError, match="2:12"):
        read("workflow good { intent_tracking = false }\nworkflow b [")
