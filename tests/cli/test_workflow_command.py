"""`git intent workflow`: what there is, where it comes from, and what is wrong."""

import json

import pytest

from git_intent.workflow.catalog import builtins
from git_intent.workflow.parser import parse

OWN = """\
workflow {name} {{
  step only {{ run = "true" results = [success] timeout = "5m" }}
  only:success -> done
}}
"""


def rows(repo):
    done = repo.intent("workflow", "list", "--json")
    assert done.code == 0, done.err
    return {row["name"]: row for row in json.loads(done.out)["workflows"]}


def test_n104_without_a_file_the_builtin_is_listed(repo):
    done = repo.intent("workflow", "list")
    assert done.code == 0
    assert "intent-scan  (built-in)  6" in done.out
    assert rows(repo)["intent-scan"]["approved"]


@pytest.mark.parametrize("name", ["intent-scan", '"intent-scan"'])
@pytest.mark.parametrize("file", ["team", "00-odd name"])
def test_n104_an_own_scan_is_marked_with_its_file(repo, name, file):
    repo.write(f".cloche/{file}.cloche", "\n" + OWN.format(name=name))
    done = repo.intent("workflow", "list")
    (line,) = [line for line in done.out.splitlines() if "intent-scan" in line]
    assert f".cloche/{file}.cloche:2" in line
    assert "replaces the built-in" in line
    row = rows(repo)["intent-scan"]
    assert (row["replaces_builtin"], row["builtin"], row["steps"]) == (True, False, 1)


def test_n108_what_is_not_approved_is_told(repo):
    repo.write(".cloche/team.cloche", OWN.format(name="main"))
    assert "not approved (git intent trust)" in repo.intent("workflow", "list").out
    assert repo.intent("trust", "--yes").code == 0
    assert rows(repo)["main"]["approved"]
    repo.write(".cloche/team.cloche", "// changed\n" + OWN.format(name="main"))
    assert not rows(repo)["main"]["approved"]


@pytest.mark.parametrize("command", [["list"], ["show", "intent-scan"]])
def test_n105_a_file_that_cannot_be_read_stops_with_its_place(repo, command):
    repo.write(".cloche/a.cloche", OWN.format(name="main"))
    repo.write(".cloche/b.cloche", "workflow good { }\nworkflow bad [")
    done = repo.intent("workflow", *command)
    assert (done.code, done.out) == (1, "")
    assert ".cloche/b.cloche:2:14: expected '{', found '['" in done.err


@pytest.mark.parametrize("name", ["intent-scan", "main"])
def test_what_is_shown_is_a_workflow_file_again(repo, name):
    repo.write(".cloche/team.cloche", OWN.format(name="main"))
    done = repo.intent("workflow", "show", name)
    assert done.code == 0
    (shown,) = parse(done.out.encode(), "shown").workflows
    if name == "main":
        assert done.out.startswith("// .cloche/team.cloche:1, not approved")
        assert shown.step("only").results == ("success",)
    else:
        assert done.out.startswith("// (built-in), no intent tracking\n")
        assert shown == builtins()["intent-scan"]


def test_an_unknown_workflow_says_what_is_known(repo):
    done = repo.intent("workflow", "show", "nope")
    assert done.code == 1
    assert "there is no workflow 'nope'" in done.err
    assert "known are: intent-scan" in done.err


def test_steps_are_told_with_what_their_workflow_says(repo):
    repo.write(
        ".cloche/team.cloche",
        'workflow w { domains = [a] step s { prompt = "x" domains = [b, c] }\n'
        'step t { run = "x" intent_tracking = false } }',
    )
    found = json.loads(repo.intent("workflow", "show", "w", "--json").out)
    first, second = found["workflow"]["steps"]
    assert (first["domains"], first["intent_tracking"]) == (["b", "c"], True)
    assert (second["domains"], second["intent_tracking"]) == (["a"], False)
    assert (second["line"], second["kind"]) == (2, "run")


def test_a_bare_repository_lists_what_its_head_holds(repo, tmp_path):
    repo.commit_files({".cloche/team.cloche": OWN.format(name="main")})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    done = repo.intent("workflow", "list", cwd=tmp_path / "bare.git")
    assert done.code == 0, done.err
    assert "main         .cloche/team.cloche:1" in done.out
    assert repo.intent("workflow", "check", cwd=tmp_path / "bare.git").code == 0


# check


def test_a_check_goes_on_after_a_file_that_cannot_be_read(repo):
    repo.write(".cloche/a.cloche", "workflow w [")
    repo.write(".cloche/b.cloche", 'workflow v { step s { run = "x" results = [r] } }')
    done = repo.intent("workflow", "check")
    assert done.code == 1
    assert done.out.splitlines() == [
        ".cloche/a.cloche:1:12: W115 expected '{', found '['",
        ".cloche/b.cloche:1:19: W113 the result 'r' of step 's' leads nowhere",
    ]


def test_n105_a_check_names_both_places_of_a_name(repo):
    repo.write(".cloche/a.cloche", OWN.format(name="main"))
    repo.write(".cloche/b.cloche", OWN.format(name='"main"') + OWN.format(name="Main"))
    done = repo.intent("workflow", "check")
    assert done.code == 1
    assert done.out == (
        ".cloche/b.cloche:1:1: W116 workflow 'main' is defined twice, "
        "first at .cloche/a.cloche:1\n"
    )


@pytest.mark.parametrize("level", ["{}", 'step s {{ run = "x" {} }}'])
@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("intent_tracking = maybe", 1, "W115 expected true or false for"),
        ("intent_tracking = true intent_tracking = false", 1, "already stands in"),
        ('intent = "off"', 0, "W001 'intent' is the old spelling"),
    ],
)
def test_n113_an_unclear_opt_out_is_an_error_and_the_old_one_a_warning(
    repo, level, body, code, said
):
    tail = "" if "step" in level else ' step s { run = "x" }'
    repo.write(".cloche/a.cloche", f"workflow w {{ {level.format(body)}{tail} }}")
    done = repo.intent("workflow", "check")
    assert done.code == code
    assert said in done.out


def test_a_file_is_checked_among_the_projects(repo, tmp_path):
    repo.write(".cloche/a.cloche", OWN.format(name="test") + "workflow v { }")
    aside = tmp_path / "new.cloche"
    aside.write_text('workflow w { step s { workflow_name = "test" } }')
    assert repo.intent("workflow", "check", str(aside)).code == 0
    aside.write_text('workflow w { step s { workflow_name = "toast" } }')
    done = repo.intent("workflow", "check", str(aside))
    assert done.code == 1
    assert f"{aside}:1:39: W117 step 's' runs 'toast'" in done.out
    assert "a.cloche" not in done.out


def test_a_file_of_the_project_is_named_from_its_root(repo):
    repo.write(".cloche/a.cloche", "workflow v { }")
    done = repo.intent("workflow", "check", "a.cloche", cwd=repo.path / ".cloche")
    assert done.out == ".cloche/a.cloche:1:1: W100 workflow 'v' has no step\n"
    done = repo.intent("workflow", "check", "nope.cloche")
    assert done.code == 1
    assert "nope.cloche: No such file" in done.err


def test_workflows_that_run_one_another_are_told(repo):
    repo.write(
        ".cloche/a.cloche",
        "workflow a { step s { workflow_name = b } }\n"
        "workflow b { step s { workflow_name = c } }\n"
        "workflow c { step s { workflow_name = a } }\n",
    )
    done = repo.intent("workflow", "check")
    assert done.code == 0
    assert ".cloche/a.cloche:1:39: W006 'a' may run itself: a -> b -> c -> a" in (
        done.out
    )


def test_every_form_carries_the_finding(repo):
    repo.write(".cloche/a.cloche", "workflow v { }")
    found = json.loads(repo.intent("workflow", "check", "--json").out)["findings"]
    assert [(f["code"], f["severity"], f["repair"]) for f in found] == [
        ("W100", "error", "add a step")
    ]
    sarif = json.loads(repo.intent("workflow", "check", "--format", "sarif").out)
    assert sarif["runs"][0]["results"][0]["ruleId"] == "W100"
    github = repo.intent("workflow", "check", "--format", "github").out
    assert github.startswith("::error file=.cloche/a.cloche,line=1,col=1,title=W100::")


def test_a_prompt_that_is_not_there_is_a_warning(repo):
    repo.write(".cloche/a.cloche", 'workflow v { step s { prompt = file("p\\0.md") } }')
    repo.write(".cloche/b.cloche", 'workflow w { step s { prompt = file("p.md") } }')
    done = repo.intent("workflow", "check")
    assert done.code == 0
    assert done.out.count("W005") == 2
    repo.write("p.md", "Plan.")
    assert repo.intent("workflow", "check").out.count("W005") == 1
