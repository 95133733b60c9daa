"""Which workflows a project has, and what stops a scan from guessing."""

import os
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.workflow.catalog import (
    LARGEST,
    builtins,
    find,
    is_workflow_file,
    load,
    read_files,
)

STEPS = [
    "discover-domains",
    "collect-sources",
    "extract",
    "reconcile",
    "apply-reconcile",
    "commit",
]


def write(root: Path, **files: str) -> Path:
    folder = root / ".cloche"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.cloche").write_text(text, encoding="utf-8")
    return root


def test_n104_without_a_file_the_builtin_is_found(tmp_path: Path):
    workflow = find(tmp_path, "intent-scan")
    assert workflow.builtin
    assert workflow.source == "(built-in)"
    assert [step.name for step in workflow.steps] == STEPS
    assert [step.text("run") for step in workflow.steps] == [
        f"git intent scan-step {name}" for name in STEPS
    ]


def test_the_builtin_takes_the_short_cuts_on_none():
    wires = {
        (w.source.step, w.source.result): w.target
        for w in builtins()["intent-scan"].wires
    }
    assert wires["discover-domains", "none"] == "collect-sources"
    assert wires["collect-sources", "none"] == "commit"
    assert wires["extract", "none"] == "commit"
    assert wires["reconcile", "none"] == "commit"
    assert wires["commit", "none"] == "done"
    assert {wires[step, "fail"] for step in STEPS} == {"abort"}


@pytest.mark.parametrize("name", ['"intent-scan"', "intent-scan"])
def test_n104_the_projects_definition_wins_whole_and_names_its_file(
    tmp_path: Path, name: str
):
    write(tmp_path, team=f'\nworkflow {name} {{ step only {{ run = "x" }} }}')
    workflow = find(tmp_path, "intent-scan")
    assert not workflow.builtin
    assert [step.name for step in workflow.steps] == ["only"]
    assert workflow.source == ".cloche/team.cloche:2"


def test_n104_the_listing_marks_what_replaces_the_builtin(tmp_path: Path):
    write(tmp_path, a="workflow main {}")
    before = load(read_files(tmp_path))
    assert [(w.name, w.source) for w in before.listed()] == [
        ("intent-scan", "(built-in)"),
        ("main", ".cloche/a.cloche:1"),
    ]
    write(tmp_path, b="workflow intent-scan {}")
    after = load(read_files(tmp_path))
    assert [w.name for w in after.listed() if after.replaces_builtin(w)] == [
        "intent-scan"
    ]


def test_n105_a_syntax_error_stops_with_its_place(tmp_path: Path):
    write(tmp_path, team="workflow intent-scan {\n  step {}\n}")
    with pytest.raises(IntentError, match=r"^\.cloche/team\.cloche:2:8: expected the"):
        find(tmp_path, "intent-scan")


def test_n105_an_error_in_another_workflow_of_the_file_stops_too(tmp_path: Path):
    write(tmp_path, team="workflow intent-scan {}\nworkflow other [")
    with pytest.raises(IntentError, match=r"^\.cloche/team\.cloche:2:16: "):
        find(tmp_path, "intent-scan")


def test_n105_an_error_in_a_file_without_the_name_stops_too(tmp_path: Path):
    write(tmp_path, team="workflow main {", other="workflow develop {}")
    with pytest.raises(IntentError, match=r"^\.cloche/team\.cloche:1:16: "):
        find(tmp_path, "intent-scan")


def test_n105_a_name_twice_in_one_file_is_refused_with_both_places(tmp_path: Path):
    write(tmp_path, team='workflow a {}\n\nworkflow "a" {}')
    with pytest.raises(IntentError) as raised:
        find(tmp_path, "intent-scan")
    assert raised.value.message == (
        ".cloche/team.cloche:3: workflow 'a' is defined twice, "
        "first at .cloche/team.cloche:1"
    )


def test_n105_a_name_in_two_files_is_refused_with_both_places(tmp_path: Path):
    write(tmp_path, b="workflow intent-scan {}", a="\nworkflow intent-scan {}")
    with pytest.raises(IntentError) as raised:
        find(tmp_path, "intent-scan")
    assert ".cloche/b.cloche:1: " in raised.value.message
    assert "first at .cloche/a.cloche:2" in raised.value.message


def test_n105_names_that_differ_in_case_are_two_workflows(tmp_path: Path):
    write(tmp_path, team="workflow Intent-Scan {}\nworkflow INTENT-SCAN {}")
    assert find(tmp_path, "intent-scan").builtin
    assert find(tmp_path, "Intent-Scan").source == ".cloche/team.cloche:1"


def test_an_unknown_name_says_what_is_known(tmp_path: Path):
    write(tmp_path, team="workflow main {}")
    with pytest.raises(IntentError) as raised:
        find(tmp_path, "nope")
    assert raised.value.hint == "known are: intent-scan, main"


@pytest.mark.parametrize(
    ("path", "read"),
    [
        (".cloche/a.cloche", True),
        (".cloche/deep/a.cloche", False),
        (".cloche/.cloche", False),
        (".cloche/a.cloche.bak", False),
        ("a.cloche", False),
        ("sub/.cloche/a.cloche", False),
    ],
)
def test_only_files_right_below_the_folder_are_read(path: str, read: bool):
    assert is_workflow_file(path) is read
    assert len(load({path: b"workflow a {}"}).own) == read


def test_folders_and_other_files_are_passed_over(tmp_path: Path):
    write(tmp_path, a="workflow a {}")
    (tmp_path / ".cloche/b.cloche").mkdir()
    (tmp_path / ".cloche/config.toml").write_text("x")
    (tmp_path / ".cloche/c").mkdir()
    (tmp_path / ".cloche/c/d.cloche").write_text("broken")
    assert list(read_files(tmp_path)) == [".cloche/a.cloche"]


def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path):
    write(tmp_path)
    os.mkfifo(tmp_path / ".cloche/pipe.cloche")
    with pytest.raises(IntentError, match=r"pipe\.cloche: is not a regular file"):
        read_files(tmp_path)
    (tmp_path / ".cloche/pipe.cloche").unlink()
    (tmp_path / ".cloche/gone.cloche").symlink_to("nowhere")
    with pytest.raises(IntentError, match=r"gone\.cloche: No such file"):
        read_files(tmp_path)
    (tmp_path / ".cloche/gone.cloche").unlink()
    (tmp_path / ".cloche/big.cloche").write_bytes(b" " * (LARGEST + 1))
    with pytest.raises(IntentError, match=r"big\.cloche: is larger than"):
        read_files(tmp_path)


def test_a_cloche_that_is_a_file_holds_no_workflows(tmp_path: Path):
    (tmp_path / ".cloche").write_text("x")
    assert read_files(tmp_path) == {}


def test_warnings_of_all_files_are_kept():
    catalog = load(
        {
            ".cloche/a.cloche": b"workflow a { intent = off }",
            ".cloche/b.cloche": b"workflow b { step s { odd = 1 } }",
        }
    )
    assert [(f.path, f.code) for f in catalog.findings] == [
        (".cloche/a.cloche", "W001"),
        (".cloche/b.cloche", "W002"),
    ]
