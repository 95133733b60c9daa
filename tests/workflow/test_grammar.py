"""The rules of the `.cloche` format, one test each, by section of its description."""

import pytest

from git_intent.errors import IntentError
from git_intent.workflow import catalog
from git_intent.workflow.model import Collect, Form, GlobalWire, Ref, Wire
from git_intent.workflow.parser import parse
from git_intent.workflow.soundness import examine

PATH = ".cloche/team.cloche"


def read(text: str):
    return parse(text.encode(), PATH)


def only(body: str):
    (workflow,) = read(f"workflow w {{ {body} }}").workflows
    return workflow


def field(written: str):
    (found,) = only(f"step s {{ {written} }}").steps[0].fields
    return found


def refused(text: str) -> str:
    with pytest.raises(IntentError) as raised:
        read(text)
    return raised.value.message


def codes(body: str, **files: bytes) -> list[str]:
    texts = {PATH: f"workflow w {{ {body} }}".encode()}
    return [found.code for found in examine(texts, lambda path: path in files)]


# 1.1 Words


@pytest.mark.parametrize("blank", [" ", "\t", "\r", "\n", "\r\n", "// x\n", " //\n\t"])
def test_blanks_newlines_and_comments_only_separate(blank):
    words = 'workflow w { step s { run = "x" results = [ a , b ] } s:a -> done }'
    assert read(words.replace(" ", blank)).workflows == read(words).workflows


@pytest.mark.parametrize("comment", ["# x", "/* x */", "-- x", "; x"])
def test_there_is_one_kind_of_comment(comment):
    assert refused(f"workflow w {{\n{comment}\n}}").startswith(f"{PATH}:2:1: ")


def test_a_comment_mark_inside_a_string_is_text():
    assert field('run = "http://x" // y\n').value.text == "http://x"


@pytest.mark.parametrize("text", ["a - b", "a- > b", "step s { x = - 1 }", "x-"])
def test_a_minus_stands_in_names_arrows_and_limits_only(text):
    assert f"{PATH}:1:" in refused(f"workflow w {{ {text} }}")


def test_an_arrow_needs_no_blanks_after_a_name_with_a_minus():
    assert only("a-b:c-d->e-f").wires == (Wire(Ref("a-b", "c-d"), "e-f"),)


@pytest.mark.parametrize("name", ["a", "_", "A9", "a-b", "a-1", "a_b-c_d", "é", "true"])
def test_names(name):
    assert only(f'step {name} {{ run = "x" }}').steps[0].name == name


@pytest.mark.parametrize("name", ["9a", "-a", "a.b", "a--b", '"a"', "a b"])
def test_no_names(name):
    refused(f'workflow w {{ step {name} {{ run = "x" }} }}')


def test_true_and_false_are_names_and_no_other_kind_of_value():
    assert field("tempo = true").value.form is Form.NAME
    assert only('step true { run = "x" } true:false -> done').steps[0].name == "true"


@pytest.mark.parametrize("value", ["1.5", ".5", "1e3", "0x10", "<<EOF", "'a'", "null?"])
def test_there_are_no_other_values(value):
    refused(f"workflow w {{ step s {{ tempo = {value} }} }}")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r'"\""', '"'),
        (r'"\\"', "\\"),
        (r'"\n\t"', "\n\t"),
        (r'"\r\0\x41\u0041\'"', r"\r\0\x41\u0041\'"),
        (r'"\\n"', r"\n"),
        ('"a\nb\r\nc"', "a\nb\r\nc"),
        ('""', ""),
    ],
)
def test_strings_and_their_escapes(written, text):
    assert field(f"run = {written}").value.text == text


@pytest.mark.parametrize("text", ['"', '"a\n}', '"a\\"', '"a\\'])
def test_a_string_that_is_never_closed_is_named_where_it_begins(text):
    said = refused(f"workflow w {{\n step s {{ run = {text}")
    assert said.startswith(f"{PATH}:2:17: this string is never closed")


@pytest.mark.parametrize(
    "word",
    [
        *("workflow", "step", "agent", "collect", "all", "any"),
        *("host", "container", "done", "abort", "token-limit"),
    ],
)
def test_a_keyword_is_a_name_elsewhere(word):
    found = only(
        f'step {word} {{ run = "x" results = [{word}] tempo = {word} }} '
        f"{word}:{word} -> {word} collect any({word}:{word}) -> {word}"
    )
    assert found.steps[0].text("tempo") == word
    assert found.wires == (Wire(Ref(word, word), word),)
    assert read(f"workflow {word} {{ }}").workflows[0].name == word


# 1.2 Grammar


@pytest.mark.parametrize("name", ["develop", '"develop"'])
def test_the_name_of_a_workflow_is_bare_or_quoted(name):
    assert read(f"workflow {name} {{}}").workflows[0].name == "develop"


def test_several_workflows_may_stand_in_one_file():
    assert [w.name for w in read("workflow b {} workflow a {}").workflows] == ["b", "a"]


@pytest.mark.parametrize(
    "files",
    [
        {"a": "workflow x {} workflow x {}"},
        {"a": "workflow x {}", "b": 'workflow "x" {}'},
    ],
)
def test_a_name_stands_once_over_all_files(files):
    snapshot = {f".cloche/{n}.cloche": text.encode() for n, text in files.items()}
    with pytest.raises(IntentError, match=r"defined twice, first at \.cloche/a\.cl"):
        catalog.load(snapshot)


def test_files_of_subfolders_are_not_looked_up():
    snapshot = {".cloche/sub/a.cloche": b"broken", ".cloche/b.cloche": b"workflow b {}"}
    assert set(catalog.load(snapshot).own) == {"b"}


def test_a_file_that_cannot_be_read_is_never_passed_over():
    snapshot = {".cloche/a.cloche": b"workflow a {", ".cloche/b.cloche": b""}
    with pytest.raises(IntentError, match=r"^\.cloche/a\.cloche:1:13: expected"):
        catalog.load(snapshot)


@pytest.mark.parametrize("import_", ['use "x" as y', "import x", 'include "x"'])
def test_there_are_no_imports(import_):
    assert "expected 'workflow', found" in refused(f"{import_}\nworkflow w {{}}")


def test_members_stand_in_any_order():
    parts = ["a:x -> done", 'step a { run = "x" results = [x] }', "host {}"]
    assert only(" ".join(parts)) == only(" ".join(reversed(parts)))


def test_an_agent_has_a_command_and_perhaps_arguments():
    found = only('agent a { args = "-q" command = "c, d" } agent b { command = "e" }')
    assert [(a.name, a.command, a.args) for a in found.agents] == [
        ("a", "c, d", "-q"),
        ("b", "e", ""),
    ]


@pytest.mark.parametrize(
    "agent",
    [
        "agent a { }",
        'agent a { args = "x" }',
        "agent a { command = x }",
        'agent a { command = "x" command = "y" }',
        'agent a { command = "x" model = "y" }',
        'agent "a" { command = "x" }',
        'agent a { command = "x" } agent a { command = "y" }',
    ],
)
def test_an_agent_says_nothing_else_and_nothing_twice(agent):
    refused(f"workflow w {{ {agent} }}")


def test_keys_of_nested_blocks_are_joined_by_dots():
    assert field('container { a { b = "c" } }').key == "container.a.b"


def test_blocks_of_a_workflow_hold_single_values():
    (block,) = only('container { image = "i" memory = 4 id = _default }').blocks
    assert [(f.key, f.value.text) for f in block.fields] == [
        ("image", "i"),
        ("memory", "4"),
        ("id", "_default"),
    ]
    assert "expected a single value for 'x'" in refused(
        "workflow w { host { x = [] } }"
    )
    refused("workflow w { host { inner { x = 1 } } }")


@pytest.mark.parametrize("mode", ["all", "any"])
@pytest.mark.parametrize("between", [", ", " ", ",\n"])
def test_the_commas_of_a_collect_are_optional(mode, between):
    refs = between.join(["a:x", "b:y", "c:z"])
    assert only(f"collect {mode} ({refs}) -> d").collects == (
        Collect(mode, (Ref("a", "x"), Ref("b", "y"), Ref("c", "z")), "d"),
    )


@pytest.mark.parametrize(
    "collect",
    ["one(a:b) -> c", "all() -> c", "all(a:b)", "all(a) -> c", "all a:b -> c"],
)
def test_no_collects(collect):
    refused(f"workflow w {{ collect {collect} }}")


def test_what_follows_a_limit_is_the_only_wire_without_a_step():
    assert only("token-limit -> a").global_wires == (GlobalWire("token-limit", "a"),)
    assert "'step:result' or 'token-limit'" in refused("workflow w { timeout -> a }")


@pytest.mark.parametrize(
    ("written", "form", "text"),
    [
        ('"s"', Form.TEXT, "s"),
        ("007", Form.NUMBER, "007"),
        ("a.b.c", Form.NAME, "a.b.c"),
        ('file("p")', Form.CALL, 'file("p")'),
        ('file("p", 2 x).y', Form.CALL, 'file("p", 2, x).y'),
        ('[a b, "c",]', Form.LIST, "a,b,c"),
    ],
)
def test_values(written, form, text):
    value = field(f"tempo = {written}").value
    assert (value.form, value.text) == (form, text)


@pytest.mark.parametrize("list_", ["[1]", "[a.b]", "[[a]]", "[a", "[,]"])
def test_a_list_holds_names_and_strings(list_):
    refused(f"workflow w {{ step s {{ tempo = {list_} }} }}")


def test_a_list_of_a_step_is_kept_as_one_text():
    assert field('domains = ["a", b]').value.text == "a,b"
    assert only('step s { domains = "a, b" }').domains("s") == ("a", "b")


def test_what_cloche_dropped_is_read_over_with_a_warning():
    step = 'step s { run = "x" feedback = "y" results = [a] }'
    assert codes(f"{step} s:a -> done [ X = output.f, Y = z ]") == ["W002", "W004"]


# 1.3 Keys


@pytest.mark.parametrize(
    "key",
    [
        *("repos = [a]", "token-limit = -1", "token-limit = 0", "domains = [a]"),
        *("intent_tracking = true", "intent_tracking = false"),
    ],
)
def test_the_keys_of_a_workflow(key):
    assert codes(f'{key} step s {{ run = "x" }}') == []


@pytest.mark.parametrize(
    "key",
    [
        *("timeout = 3", "repos = a", "token-limit = -2", "token-limit = x"),
        *("intent_tracking = yes", "intent_tracking = 1", 'description = "x"'),
    ],
)
def test_no_keys_of_a_workflow(key):
    assert f"{PATH}:1:" in refused(f"workflow w {{ {key} }}")


KEYS = """\
results = [a] timeout = "1m" max_attempts = 3 agent_command = "c" agent_args = "d"
prompt_step = p usage_command = "u" repository = r interval = "1s" skip = "x"
token-limit = 5 intent_tracking = true domains = [d] container { image = "i" }
host { agent_command = "c" }
"""


def test_the_keys_of_a_step():
    step = f'step s {{ prompt = "p" {KEYS} }}'
    assert [f.code for f in read(f"workflow w {{ {step} }}").findings] == []


def test_an_unknown_key_of_a_step_is_a_warning():
    assert codes('step s { run = "x" speed = 3 cellar { a = 1 } }') == ["W002", "W002"]


@pytest.mark.parametrize("value", ["x", '"3"', "[a]"])
def test_attempts_are_a_number(value):
    refused(f'workflow w {{ step s {{ run = "x" max_attempts = {value} }} }}')


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('prompt = "p"', []),
        ('prompt = file("p.md")', []),
        ('run = "r"', []),
        ("workflow_name = w2", ["W117"]),
        ('poll = "r" interval = "30s"', []),
        ('poll = "r"', ["W104"]),
        ('poll = "r" interval = soon', ["W105"]),
        ('timeout = "1m"', ["W103"]),
        ('prompt = "p" run = "r"', ["W103"]),
    ],
)
def test_exactly_one_key_decides_what_a_step_does(body, expected):
    assert codes(f"step s {{ {body} }}", **{"p.md": b""}) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('step s { prompt = "p" agent = a }', []),
        ('step s { run = "r" agent = a }', ["W106"]),
        ('step s { prompt = "p" agent = b }', ["W106"]),
    ],
)
def test_an_agent_is_named_by_steps_with_a_prompt(body, expected):
    assert codes(f'agent a {{ command = "c" }} {body}') == expected


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ("", []),
        ("host {}", []),
        ('host { agent_command = "c" agent_args = "d" }', []),
        ('container { id = x image = "i" network_allow = "n" memory = "4g" }', []),
        ("host {} container {}", ["W109"]),
    ],
)
def test_a_workflow_runs_in_one_place(blocks, expected):
    assert codes(f'{blocks} step s {{ run = "r" }}') == expected


# 1.4 Wires

A = 'step a { run = "x" results = [ok, no] }'
B = 'step b { run = "x" results = [ok] }'


def test_a_run_enters_at_the_step_written_first():
    assert codes(f"a:ok -> done a:no -> done {A} {B} b:ok -> a") == ["W114"]
    assert codes(f"a:ok -> done a:no -> done {B} {A} b:ok -> a") == []


@pytest.mark.parametrize(
    ("wires", "expected"),
    [
        ("a:ok -> done a:no -> abort", []),
        ("a:ok -> done", ["W113"]),
        ("a:ok -> done collect any(a:no) -> done", []),
    ],
)
def test_every_declared_result_leads_somewhere(wires, expected):
    assert codes(f"{A} {wires}") == expected


def test_every_step_can_be_reached():
    wires = "a:ok -> done a:no -> abort b:ok -> done"
    assert codes(f"{A} {B} {wires}") == ["W114"]
    assert codes(f"{A} {B} {wires} a:ok -> b") == []
    assert codes(f"{A} {B} {wires} collect all(a:ok, a:no) -> b") == []


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ("a:maybe -> done", ["W111"]),
        ("collect all(a:maybe) -> done", ["W111"]),
        ("c:ok -> done", ["W110"]),
        ("a:ok -> c", ["W112"]),
    ],
)
def test_wires_and_collects_name_what_is_declared(wire, expected):
    assert codes(f"{A} a:ok -> done a:no -> abort {wire}") == expected


def test_several_wires_for_one_result_are_kept():
    wires = "a:ok -> b a:ok -> c a:no -> abort"
    steps = 'step b { run = "x" } step c { run = "x" }'
    assert codes(f"{A} {steps} {wires}") == []
    assert [w.target for w in only(wires).wires] == ["b", "c", "abort"]


@pytest.mark.parametrize("name", ["done", "abort"])
def test_the_ends_are_no_steps(name):
    assert codes(f'step {name} {{ run = "x" }}') == ["W102"]


def test_one_result_is_reserved():
    step = 'step a { run = "x" results = [parked] }'
    assert codes(f"{step} a:parked -> done") == ["W107"]


@pytest.mark.parametrize("result", ["timeout", "token-limit"])
def test_every_step_may_run_out_of_time_or_tokens(result):
    whole = f"{A} a:ok -> done a:no -> abort"
    assert codes(whole) == []
    assert codes(f"{whole} a:{result} -> done") == []
    assert codes(f"{whole} collect any(a:{result}) -> done") == []


@pytest.mark.parametrize("result", ["give-up", "give_up"])
def test_bounded_attempts_have_a_result_that_is_wired(result):
    step = 'step a {{ run = "x" max_attempts = 2 results = [{}] }}'
    assert codes(step.format("ok") + " a:ok -> done") == ["W108"]
    assert codes(step.format(result) + f" a:{result} -> abort") == []
    assert codes(step.format(result)) == ["W113"]
