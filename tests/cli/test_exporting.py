"""`git intent export`: the files of hosts, and that a scan learns nothing from them."""

import pytest

from git_intent.inject.export import TARGETS
from git_intent.store import marks
from git_intent.store.requirement import Level, Scope
from tests.support.snapshots import disabled, requirement


@pytest.fixture
def project(repo, holds):
    holds(
        requirement("req-0001", statement="Never push to main."),
        requirement(
            "req-0002",
            statement="Answer in JSON.",
            scope=Scope(Level.DOMAIN, ("api",)),
        ),
        disabled("req-0003", statement="Always shout."),
        domains="  - name: api\n    description: x\n",
    )
    return repo


@pytest.mark.parametrize("name", TARGETS)
def test_a_file_is_made_kept_and_removed(project, intent, name):
    path = TARGETS[name].path
    before = project.status()
    assert intent("export", "--to", name, "--check").code == 1
    assert project.status() == before
    assert intent("export", "--to", name).code == 0
    data = project.read(path)
    assert b"- [req-0001] Never push to main.\n" in data
    assert b"### api\n\n- [req-0002] (api) Answer in JSON.\n" in data
    assert b"shout" not in data
    assert intent("export", "--to", name, "--check").code == 0
    found = intent("export", "--to", name)
    assert (found.code, found.out) == (0, f"{path}: current\n")
    assert project.read(path) == data
    assert intent("export", "--to", name, "--remove").code == 0
    assert project.status() == before


def test_the_rule_file_of_cursor_applies_always(project, intent):
    intent("export", "--to", ".cursor/rules")
    text = project.read(".cursor/rules/git-intent.mdc").decode()
    assert text.startswith("---\ndescription: Standing project requirements\n")
    assert "\nalwaysApply: true\n---\n" in text


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfMine\r\nno end", b"Mine\n", b""])
def test_the_users_bytes_come_back(project, intent, data):
    project.write("AGENTS.md", data)
    intent("export", "--to", "AGENTS.md", "--to", "CLAUDE.md")
    assert project.read("AGENTS.md").startswith(data)
    assert (project.path / "CLAUDE.md").exists()
    intent("export", "--to", "AGENTS.md", "--to", "CLAUDE.md", "--remove")
    assert project.read("AGENTS.md") == data
    assert not (project.path / "CLAUDE.md").exists()


def test_a_changed_requirement_makes_the_section_stale(project, intent):
    intent("export", "--to", "AGENTS.md")
    intent("disable", "req-0002")
    found = intent("export", "--to", "AGENTS.md", "--to", "CLAUDE.md", "--check")
    assert found.code == 1
    assert found.out == "AGENTS.md: not current\nCLAUDE.md: not current\n"
    intent("export", "--to", "AGENTS.md")
    assert b"req-0002" not in project.read("AGENTS.md")


def test_without_active_requirements_there_is_no_section(project, intent):
    project.write("AGENTS.md", b"Mine.\n")
    intent("export", "--to", "AGENTS.md")
    intent("disable", "req-0001", "req-0002")
    assert intent("export", "--to", "AGENTS.md").code == 0
    assert project.read("AGENTS.md") == b"Mine.\n"
    assert (
        intent("export", "--to", "AGENTS.md", "--to", "CLAUDE.md", "--check").code == 0
    )
    assert not (project.path / "CLAUDE.md").exists()


def test_our_own_section_is_never_mined(project, intent):
    project.commit_files({"AGENTS.md": "# Rules\n\nNever edit generated files.\n"})
    for name in TARGETS:
        intent("export", "--to", name)
    project.commit("export")
    assert intent("scan").code == 0
    statements = [
        line
        for path in (project.store / "requirements").iterdir()
        for line in path.read_text("utf-8").splitlines()
    ]
    assert "Never edit generated files." in statements
    assert statements.count("Never push to main.") == 1
    assert len(list((project.store / "requirements").iterdir())) == 4
    intent("export", "--to", "AGENTS.md")
    project.commit("export again")
    assert intent("scan").code == 0
    assert len(list((project.store / "requirements").iterdir())) == 4


def test_a_broken_file_in_the_store_stops_an_export(project, intent):
    project.write(".cloche/intent/requirements/req-0009.md", "x")
    found = intent("export", "--to", "AGENTS.md")
    assert found.code == 1
    assert "would lack something" in found.err
    assert not (project.path / "AGENTS.md").exists()


def test_files_that_are_not_ours_to_write_are_refused(project, intent):
    project.write("AGENTS.md", "Mine\n")
    (project.path / "CLAUDE.md").symlink_to("AGENTS.md")
    found = intent("export", "--to", "CLAUDE.md")
    assert found.code == 1
    assert "CLAUDE.md: is a symbolic link to AGENTS.md" in found.err
    project.write("AGENTS.md", "Mine\n".encode("utf-16"))
    assert "is no text in UTF-8" in intent("export", "--to", "AGENTS.md").err
    project.write("AGENTS.md", f"{marks.EXPORT_BEGINS} -->\n")
    found = intent("export", "--to", "AGENTS.md")
    assert found.code == 1
    assert "AGENTS.md:1:1: this mark of the exported section is not closed" in found.err


def test_more_than_the_budget_is_said(project, intent):
    found = intent("export", "--to", "AGENTS.md", env={"GIT_INTENT_TOKEN_BUDGET": "5"})
    assert found.code == 0
    assert "2 requirements take about" in found.err


@pytest.mark.parametrize("args", [(), ("--to", "README.md"), ("--check", "--remove")])
def test_the_command_line_says_where_to_and_one_thing_at_a_time(project, intent, args):
    to = ("--to", "AGENTS.md") if "--check" in args else ()
    assert intent("export", *to, *args).code == 2
