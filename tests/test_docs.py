"""The pages say what the program does: names, links, and examples that are read."""

import ast
import itertools
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from git_intent import config
from git_intent.cli.actor import AGENT_VARIABLES
from git_intent.cli.main import COMMANDS, root
from git_intent.store.codes import CODES
from git_intent.store.requirement_file import KEYS
from git_intent.workflow import codes as workflow_codes
from tests.support import findings
from tests.support.markdown import Page

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    path.name: Page(path) for path in (ROOT / "README.md", *ROOT.glob("docs/*.md"))
}
FORMATS, CHECKS = PAGES["formats.md"], PAGES["checks.md"]
WRITTEN = "".join(page.text for page in PAGES.values())


def test_every_command_is_described():
    missing = [name for name in COMMANDS if f"git intent {name}" not in WRITTEN]
    assert not missing


def test_every_setting_has_its_three_spellings_in_one_row():
    rows = FORMATS.text.splitlines()
    for key in config.KEYS.values():
        spelled = f"| `{key.name}` | `{key.git}` | `{key.env}` |"
        assert any(row.startswith(spelled) for row in rows), spelled


def environment_variables() -> set[str]:
    """Names that the package asks the environment for."""
    found = {*AGENT_VARIABLES, *(key.env for key in config.KEYS.values())}
    for path in (ROOT / "git_intent").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'"(_?GIT_INTENT_[A-Z]+)"', source))
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get"),
                    args=[ast.Constant(value=str(name)), *_],
                ):
                    found.add(name)
                case ast.Subscript(
                    value=ast.Attribute(attr="environ"),
                    slice=ast.Constant(value=str(name)),
                ):
                    found.add(name)
                case ast.Assign(
                    targets=[ast.Name(id="_HONOURED")], value=ast.Tuple(elts=names)
                ):
                    found |= {n.value for n in names if isinstance(n, ast.Constant)}
    return found


def test_every_environment_variable_is_described():
    wanted = environment_variables()
    assert {"SOURCE_DATE_EPOCH", "GIT_DIR", "GIT_INTENT_CLASSIFIER"} <= wanted
    missing = sorted(name for name in wanted if f"`{name}`" not in FORMATS.text)
    assert not missing


def test_every_key_of_a_requirement_has_its_row_in_order():
    names = []
    for key in KEYS[()]:
        names.append(key)
        names += [f"{key}.{inner}" for inner in KEYS.get((key,), ())]
    at = FORMATS.text.index("### Keys")
    for name in names:
        at = FORMATS.text.index(f"\n| `{name}` |", at)


# Codes


@pytest.mark.parametrize("code", CODES)
def test_the_table_of_codes_is_that_of_the_program(code):
    known = CODES[code]
    row = f"| {code} | {known.severity} | {known.title} | {known.repair} |"
    assert row in CHECKS.text


@pytest.mark.parametrize("code", workflow_codes.CODES)
def test_the_table_of_workflow_codes_is_that_of_the_program(code):
    severity = "error" if code.startswith("W1") else "warning"
    title, repair = workflow_codes.CODES[code]
    assert f"| {code} | {severity} | {title} | {repair} |" in CHECKS.text


def test_no_code_is_described_that_does_not_exist():
    rows = re.findall(r"^\| ([IWC]\d{3}) \|", CHECKS.text, re.MULTILINE)
    known = [*CODES, *findings.WORKFLOWS, *findings.SETTINGS]
    assert sorted(rows) == sorted(known)


def test_every_code_that_the_program_prints_is_described():
    package = (ROOT / "git_intent").rglob("*.py")
    source = "".join(path.read_text(encoding="utf-8") for path in package)
    printed = set(re.findall(r'"([IWC][01]\d\d)"', source))
    missing = [code for code in printed if f"| {code} |" not in CHECKS.text]
    assert len(printed) > 40
    assert not missing


@pytest.mark.parametrize("code", [*CODES, *findings.WORKFLOWS, *findings.SETTINGS])
def test_the_example_of_a_code_is_what_is_printed(code, tmp_path):
    lines = findings.findings(code, tmp_path)
    assert lines
    for line in lines:
        assert f"{line}\n" in CHECKS.text


@pytest.mark.parametrize("code", [*CODES, *findings.WORKFLOWS, *findings.SETTINGS])
def test_a_code_has_a_section_with_an_example_and_its_repair(code):
    (section,) = re.findall(rf"^### {code}\n(.*?)(?=^##|\Z)", CHECKS.text, re.S | re.M)
    assert f" {code} " in section.split("```text\n")[1].split("```")[0]
    repair = re.search(r"^Repair: \S", section, re.M)
    assert repair
    if code in CODES:
        said = " ".join(section[repair.start() :].split())
        assert said.startswith(f"Repair: {CODES[code].repair}.")


# Links


@pytest.mark.parametrize("name", PAGES)
def test_every_relative_link_leads_somewhere(name):
    page = PAGES[name]
    for link in page.links:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.path.parent / path).resolve() if path else page.path
        assert target.exists(), f"{name}: {link}"
        if anchor:
            assert anchor in PAGES[target.name].anchors, f"{name}: {link}"


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), ["README.md"]
    while waiting:
        name = waiting.pop()
        if name in reached or name not in PAGES:
            continue
        reached.add(name)
        waiting += [
            link.partition("#")[0].rpartition("/")[2] for link in PAGES[name].links
        ]
    assert reached == set(PAGES)


# Examples


def console_commands() -> Iterator[tuple[str, str]]:
    for page in PAGES.values():
        for block in page.blocks:
            if block.language != "console":
                continue
            for number, line in enumerate(block.text.split("\n"), block.line + 1):
                if line.startswith("$ git intent"):
                    yield (
                        f"{page.path.name}:{number}",
                        line.removeprefix("$ git intent"),
                    )


def test_every_console_example_names_commands_and_options_that_exist():
    found = dict(console_commands())
    assert len(found) > 20
    for where, words in found.items():
        try:
            parse(shell_words(words))
        except click.UsageError as error:
            raise AssertionError(f"{where}: {error.format_message()}") from error


def shell_words(line: str) -> list[str]:
    """The words up to the end of the command."""
    words = shlex.split(line.partition("; ")[0], comments=True)
    ends = ("|", ">", ">>", "<")
    return list(itertools.takewhile(lambda word: word not in ends, words))


def parse(words: list[str]) -> None:
    """Read a command line without running anything."""
    command: click.Command = root
    context = click.Context(command, info_name="git intent")
    while isinstance(command, click.Group):
        _, rest, _ = command.make_parser(context).parse_args(list(words))
        if not rest:
            return
        name, found, words = command.resolve_command(context, rest)
        assert found is not None, name
        command = found
        context = click.Context(command, info_name=name, parent=context)
    command.make_context("git intent", list(words))


def test_the_table_of_scan_options_is_whole():
    context = click.Context(root)
    scan = root.get_command(context, "scan")
    options = {name for p in scan.params for name in p.opts if name.startswith("--")}
    rows = re.findall(r"^\| `(--[a-z-]+)", PAGES["scan.md"].text, re.MULTILINE)
    assert set(rows) == options


@pytest.mark.parametrize("name", PAGES)
def test_every_toml_example_is_sound(name, tmp_path):
    for block in PAGES[name].blocks:
        if block.language == "toml":
            tomllib.loads(block.text)
            place = tmp_path / config.CONFIG
            place.parent.mkdir(exist_ok=True)
            place.write_text(block.text)
            assert not config.load(None, tmp_path, {}, {}).issues
