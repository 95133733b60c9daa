"""Nothing from the work tree starts before a person approved its bytes."""

import pytest

from git_intent.config import CONFIG, Layer, Origin
from git_intent.errors import IntentError
from git_intent.workflow.catalog import builtins, find
from git_intent.workflow.trust import (
    KEY,
    Subject,
    agent_subjects,
    approve,
    missing,
    require,
    runs_command,
    workflow_subjects,
)
from tests.support.repo import Repo

FROM_FILE = Origin(Layer.FILE, f"{CONFIG}:2")
A = Subject(".cloche/a.cloche", b"one", "it defines the workflow 'a'")


class GitConfig:
    """The local git configuration, through real git."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo

    def read(self, key: str) -> list[str]:
        found = self.repo.git("config", "--local", "-z", "--get-all", key, check=False)
        return found.split("\0")[:-1]

    def add(self, key: str, value: str) -> None:
        self.repo.git("config", "--local", "--add", key, value)


@pytest.fixture
def config(repo: Repo) -> GitConfig:
    return GitConfig(repo)


def test_n108_what_is_not_approved_is_refused_with_the_command_to_approve(config):
    with pytest.raises(IntentError) as raised:
        require([A], config.read)
    assert raised.value.message == (
        "not approved on this machine: .cloche/a.cloche: it defines the workflow 'a'"
    )
    assert raised.value.hint.endswith("git intent trust .cloche/a.cloche")


def test_n108_approved_bytes_may_run_until_they_change(config):
    assert approve([A], config.read, config.add) == [A]
    require([A], config.read)
    assert approve([A], config.read, config.add) == []
    assert config.read(KEY) == [A.entry]
    pulled = Subject(A.path, b"two", A.why)
    with pytest.raises(IntentError):
        require([A, pulled], config.read)
    assert missing([A, pulled], config.read) == [pulled]


def test_n108_the_same_bytes_elsewhere_are_not_approved(config):
    approve([A], config.read, config.add)
    assert missing([Subject(".cloche/b.cloche", A.data, "")], config.read)


def test_approvals_survive_odd_paths(config):
    odd = Subject('.cloche/a "b"\n#;\\c é.cloche', b"x", "")
    approve([odd], config.read, config.add)
    require([odd], config.read)


def test_several_refused_files_are_all_named(config):
    with pytest.raises(IntentError) as raised:
        require([A, Subject("tools/my agent", b"", "it is used")], config.read)
    assert "; tools/my agent: it is used" in raised.value.message
    assert raised.value.hint.endswith("trust .cloche/a.cloche 'tools/my agent'")


def test_the_builtin_needs_no_approval(repo: Repo):
    assert workflow_subjects(repo.path, builtins()["intent-scan"]) == []


def test_n108_a_workflow_needs_its_file_and_prompts_that_run_commands(repo: Repo):
    repo.write(
        ".cloche/team.cloche",
        "workflow w {\n"
        'step a { prompt = file("p/runs.md") }\n'
        'step b { prompt = file("p/plain.md") }\n'
        'step c { prompt = file("p/gone.md") }\n'
        'step d { prompt = "{{! inline }}" }\n'
        'step e { prompt = file("p/runs.md") }\n'
        "}",
    )
    repo.write("p/runs.md", "Today: {{! date }}")
    repo.write("p/plain.md", "Hello {{ $intent }} ! {{@ file }}")
    found = workflow_subjects(repo.path, find(repo.path, "w"))
    assert [s.path for s in found] == [".cloche/team.cloche", "p/runs.md"]
    assert found[1].why == "step 'a' runs the commands in it"


@pytest.mark.parametrize(
    ("prompt", "runs"),
    [
        (b"{{! date }}", True),
        (b"{{  !date}}", True),
        (b"{{\n! x }}", True),
        (b"\xff{{!x}}", True),
        (b"{{ $name }} !", False),
        (b"{ {! x }}", False),
        (b"", False),
    ],
)
def test_prompts_that_run_commands_are_recognised(prompt: bytes, runs: bool):
    assert runs_command(prompt) is runs


@pytest.mark.parametrize("layer", [x for x in Layer if x is not Layer.FILE])
def test_an_agent_that_the_person_set_needs_no_approval(repo: Repo, layer: Layer):
    repo.write(CONFIG, "x")
    assert agent_subjects(repo.path, "claude", Origin(layer, "somewhere")) == []


def test_n108_an_agent_from_the_work_tree_needs_its_file_and_scripts(repo: Repo):
    repo.write(CONFIG, '[intent.git]\nagent = "sh tools/agent.sh --fast"')
    repo.write("tools/agent.sh", "echo hi")
    command = "sh ./tools/agent.sh --fast"
    found = agent_subjects(repo.path, command, FROM_FILE)
    assert [s.path for s in found] == [CONFIG, "tools/agent.sh"]
    assert found == agent_subjects(repo.path, command, FROM_FILE)
    option = agent_subjects(repo.path, "x --run=tools/agent.sh", FROM_FILE)
    assert [s.path for s in option] == [CONFIG, "tools/agent.sh"]
    assert found[0].why == "it sets the agent to `sh ./tools/agent.sh --fast`"
    (found,) = agent_subjects(repo.path, "claude /etc/passwd '", FROM_FILE)
    assert found.path == CONFIG


def test_words_that_are_no_paths_do_no_harm(repo: Repo):
    repo.write(CONFIG, "x")
    command = "agent " + "x" * 5000 + " 'a\0b'"
    assert len(agent_subjects(repo.path, command, FROM_FILE)) == 1


def test_a_file_that_vanished_is_named(repo: Repo):
    with pytest.raises(IntentError, match=r"config\.toml: No such file"):
        agent_subjects(repo.path, "claude", FROM_FILE)


def test_n108_of_a_workflow_that_runs_unasked_its_programs_count_too(repo, config):
    repo.write(
        ".cloche/team.cloche",
        'workflow intent-scan {\n  host { agent_command = "./bin/agent --fast" }\n'
        '  agent other { command = "tools/other" }\n'
        '  step a { run = "set -e; (python tools/a.py <data.txt) && $X ../b.sh" }\n'
        '  step b { run = "cat notes.md" skip = "sh skip" }\n}',
    )
    for path in ("tools/a.py", "tools/other", "notes.md", "data.txt", "skip", "bin/x"):
        repo.write(path, "#!/bin/sh\n" if path == "skip" else "x")
    for path in ("tools/other", "bin/agent"):
        repo.write(path, "x").chmod(0o755)
    workflow = find(repo.path, "intent-scan")
    asked = [s.path for s in workflow_subjects(repo.path, workflow)]
    assert asked == [".cloche/team.cloche"]
    unasked = [s.path for s in workflow_subjects(repo.path, workflow, unasked=True)]
    assert sorted(unasked) == sorted(
        [".cloche/team.cloche", "bin/agent", "skip", "tools/a.py", "tools/other"]
    )
