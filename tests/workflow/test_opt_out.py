"""Nothing of an opted-out step or workflow is read, under any name it may have."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.workflow.opt_out import judge_logs, opt_outs

WORKFLOWS = b"""
workflow develop {
  step implement { prompt = "x" intent_tracking = false }
  step test { run = "make test" }
  step ship { workflow_name = "release" }
  step talk { workflow_name = "secret" intent_tracking = false }
}
workflow review {
  step implement { prompt = "x" }
  step re-check { prompt = "x" }
}
workflow release { step tag { run = "x" } step notes { prompt = "y" } }
workflow secret { intent_tracking = false step a { prompt = "x" intent_tracking = true }
  step test { run = "y" } }
workflow nightly { step night-run { run = "x" } }
"""
STATE = opt_outs({".cloche/team.cloche": WORKFLOWS})


def out(*paths: str, workflow: str = "", state=STATE) -> dict[str, bool]:
    found = judge_logs(paths, [state], workflow)
    return {path: bool(reason) for path, reason in found.items()}


@pytest.mark.parametrize(
    "name",
    [
        "implement.log",
        "llm-implement.log",
        "develop-implement.log",
        "develop-llm-implement.log",
        "develop/implement.prompt.md",
        "develop/implement.log",
        "develop/llm-implement.log",
        "step.implement.skip.log",
        "talk/a.log",
        "talk/full.log",
        "talk/secret-a.log",
        "full.log",
        "container.log",
    ],
)
def test_n111_every_name_of_an_opted_out_step_is_out(name: str):
    assert out(name, workflow="develop") == {name: True}


@pytest.mark.parametrize(
    "name",
    [
        "test.log",
        "llm-test.log",
        "develop-test.log",
        "develop-llm-test.log",
        "develop/test.prompt.md",
        "step.test.skip.log",
        "ship/tag.log",
        "ship/release-tag.log",
        "ship/full.log",
        "release-notes.log",
        "release/notes.prompt.md",
    ],
)
def test_n110_logs_of_sibling_steps_are_in(name: str):
    if name == "ship/full.log":
        assert out(name, workflow="ship-only", state=SHIPPING) == {name: False}
    else:
        assert out(name, workflow="develop") == {name: False}


SHIPPING = opt_outs(
    {
        ".cloche/a.cloche": b"workflow ship-only { step ship { workflow_name = rel } }"
        b" workflow rel { step tag { run = x } }"
    }
)


def test_n110_a_step_of_the_same_name_elsewhere_is_in():
    names = ["implement.log", "full.log", "review-implement.log", "re-check.log"]
    assert out(*names, workflow="review") == dict.fromkeys(names, False)
    assert out("review-implement.log", "full.log") == {
        "review-implement.log": False,
        "full.log": False,
    }
    assert out("review/implement.prompt.md") == {"review/implement.prompt.md": False}


def test_a_bare_step_name_is_out_while_nothing_tells_which_workflow_ran():
    assert out("implement.log") == {"implement.log": True}
    assert out("tag.log", "full.log") == {"tag.log": False, "full.log": True}


def test_n111_a_mixed_log_is_out_if_any_step_of_its_attempt_is():
    assert out("full.log", "develop-test.log") == {
        "full.log": True,
        "develop-test.log": False,
    }
    assert out("full.log", "release-tag.log", "develop-implement.log") == {
        "full.log": True,
        "release-tag.log": False,
        "develop-implement.log": True,
    }
    assert out("full.log", workflow="release") == {"full.log": False}


def test_a_mixed_log_is_out_if_a_sub_workflow_holds_an_opt_out():
    state = opt_outs(
        {
            ".cloche/a.cloche": b"workflow main { step go { workflow_name = sub } }"
            b" workflow sub { step s { prompt = p intent_tracking = false } }"
        }
    )
    assert out("full.log", workflow="main", state=state) == {"full.log": True}
    assert out("full.log", "main-go.log", state=state)["full.log"]


def test_n109_a_step_cannot_opt_back_in():
    names = ["a.log", "secret-a.log", "secret/a.prompt.md", "secret-test.log"]
    names += ["release-tag.log", "release/notes.prompt.md"]  # what it ran in turn
    assert out(*names, workflow="secret") == dict.fromkeys(names, True)
    assert STATE.reason("secret", "a").startswith("workflow 'secret' opted out (.cl")


def test_n109_the_old_spelling_counts():
    state = opt_outs(
        {".cloche/a.cloche": b'workflow w { intent = "off" step s { run = "x" } }'}
    )
    assert out("w-s.log", state=state) == {"w-s.log": True}


def test_names_with_dashes_are_read_in_every_way():
    assert out("nightly-night-run.log", "nightly-llm-night-run.log") == {
        "nightly-night-run.log": False,
        "nightly-llm-night-run.log": False,
    }
    clash = opt_outs(
        {
            ".cloche/a.cloche": b"workflow a { step b-c { run = x intent_tracking"
            b" = false } } workflow a-b { step c { run = x } }"
        }
    )
    assert out("a-b-c.log", state=clash) == {"a-b-c.log": True}


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (b"workflow w { step s { run = x } }", None),
        (b"workflow w { step s { run = x intent_tracking = false } }", b"same"),
        (b"workflow w { intent_tracking = false step s { run = x } }", b"same"),
    ],
)
def test_n112_out_when_it_ran_or_out_now_is_out(before: bytes, now: bytes | None):
    then = opt_outs({".cloche/a.cloche": before})
    plain = opt_outs({".cloche/a.cloche": b"workflow w { step s { run = x } }"})
    gone = opt_outs({})
    for states in ([then, gone if now is None else plain], [gone, then]):
        found = judge_logs(["w-s.log", "full.log"], states, "w")
        assert all(found.values())
    assert not any(judge_logs(["w-s.log", "full.log"], [plain, plain], "w").values())


def test_n112_a_run_of_a_deleted_workflow_is_skipped_and_named():
    logs = ["gone-x.log", "x.log", "develop-test.log", "test.log", "release/full.log"]
    found = judge_logs(logs, [STATE], "gone")
    assert set(found.values()) == {"workflow 'gone' is not defined any more"}
    (reason,) = judge_logs(["gone-x.log"], [STATE]).values()
    assert reason == "the step that wrote 'gone-x.log' is not defined any more"


def test_n112_a_run_of_a_workflow_that_cannot_be_read_is_skipped_and_named():
    state = opt_outs(
        {".cloche/a.cloche": WORKFLOWS, ".cloche/b.cloche": b"workflow broken {"}
    )
    (reason,) = judge_logs(["broken-x.log"], [state], "broken").values()
    assert "workflow 'broken' is not defined, but .cloche/b.cloche:1:18: " in reason
    assert out("release-tag.log", state=state) == {"release-tag.log": False}
    # Nothing says that this is not a step of the broken file.
    assert out("tag.log", state=state) == {"tag.log": True}


def test_a_renamed_step_is_out_and_named():
    (reason,) = judge_logs(["release-old.log"], [STATE], "release").values()
    assert reason == "the step that wrote 'release-old.log' is not defined any more"
    assert STATE.reason("release", "old").startswith("step 'old' of workflow 'release'")


def test_the_scans_own_logs_are_out():
    names = ["extract.log", "intent-scan-extract.log", "full.log"]
    assert out(*names, workflow="intent-scan") == dict.fromkeys(names, True)
    own = opt_outs({".cloche/a.cloche": b"workflow intent-scan { step s { run = x } }"})
    assert out("intent-scan-s.log", state=own) == {"intent-scan-s.log": True}


def test_other_files_are_no_logs():
    found = judge_logs(["notes.txt", "full.log"], [STATE], "release")
    assert found == {"notes.txt": "it is no log of a step", "full.log": ""}


def test_a_name_defined_twice_is_out_if_either_says_so():
    state = opt_outs(
        {
            ".cloche/a.cloche": b"workflow w { step s { run = x } }"
            b" workflow w { intent_tracking = false step t { run = x } }"
        }
    )
    assert out("w-s.log", "w-t.log", state=state) == {"w-s.log": True, "w-t.log": True}


words = st.sampled_from(["a", "b", "a-b", "llm", "llm-a", "step", "full"])


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(words, st.dictionaries(words, st.booleans(), max_size=4)),
    st.data(),
)
def test_no_name_of_an_opted_out_step_is_ever_in(made: dict, data: st.DataObject):
    text = "".join(
        f"workflow {name} {{"
        + "".join(
            f" step {step} {{ run = x {'intent_tracking = false' * gone} }}"
            for step, gone in steps.items()
        )
        + " }"
        for name, steps in made.items()
    )
    state = opt_outs({".cloche/a.cloche": text.encode()})
    for workflow, steps in made.items():
        for step in [step for step, gone in steps.items() if gone]:
            names = [
                f"{step}.log",
                f"llm-{step}.log",
                f"{workflow}-{step}.log",
                f"{workflow}-llm-{step}.log",
                f"{workflow}/{step}.prompt.md",
                f"step.{step}.skip.log",
                "full.log",
            ]
            shown = data.draw(st.sets(st.sampled_from(names)))
            assert all(judge_logs(shown, [state], workflow).values())
            assert all(judge_logs(names, [state]).values())
