"""The project's requirements in a hook's answer."""

import json
import os
import time

import pytest

from git_intent.hosts import cold
from git_intent.hosts.reply import LONGEST
from git_intent.hosts.standing import Standing
from git_intent.inject import hot_record
from git_intent.ledger.context import END
from git_intent.store.marks import HEADING
from git_intent.store.requirement import Level, Scope
from tests.support.session import Session, listing
from tests.support.snapshots import requirement, store
from tests.support.wording import HOSTS

DOMAINS = "  - name: api\n    description: x\n    paths: [src/api/**]\n"
API = Scope(Level.DOMAIN, ("api",))


@pytest.fixture(autouse=True)
def _no_tick(monkeypatch):
    monkeypatch.setattr(hot_record, "_TICK", 0)
    monkeypatch.setattr(cold, "WAIT", 60.0)


@pytest.fixture
def project(repo):
    found = store(
        requirement("req-0001", statement="Keep the café's promise."),
        requirement(
            "req-0002",
            statement="Retry a failed invoice three times.",
            scope=API,
        ),
        requirement("req-0003", statement="Never mix colours.", scope=API),
        domains=DOMAINS,
    )
    for path, data in found.items():
        repo.write(path, data)
    repo.commit("One", a="1")
    return repo


def known(project):
    """The record that hooks answer from."""
    done = project.intent("preview", "--task", "anything")
    assert done.code == 0


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("ledger", [True, False])
def test_n141_a_prompt_gets_the_block_in_the_hosts_form(project, host, ledger):
    chat = Session(project, host=host)
    if ledger:
        chat.configure()
    known(project)
    task = "retry the invoice that failed"
    expected = project.intent("preview", "--task", task).out
    answer = chat.prompt(task)
    context = answer.context
    assert context.endswith(expected)
    assert "[req-0001]" in context
    assert len(context) <= LONGEST
    if ledger:
        assert context.splitlines()[0] == chat.place.objective
        assert context.index(chat.pending()[0]) < context.index(HEADING)
    else:
        assert context == expected
        assert ["intent.ledgerHome" in note for note in answer.notes] == [True]


@pytest.mark.parametrize("host", HOSTS)
def test_n141_the_start_of_a_session_gets_what_holds_everywhere(project, host):
    chat = Session(project, host=host)
    known(project)
    if host == "gemini":  # with the first prompt, see its module
        assert chat.hook("SessionStart", source="startup").out == b""
        assert "[req-0001]" in chat.prompt("anything").context
        return
    for source in ("startup", "compact"):
        answer = chat.hook("SessionStart", source=source)
        assert "[req-0001]" in answer.context
        assert "[req-0002]" not in answer.context
        assert answer.notes == []
    chat.configure()
    chat.prompt("one")
    context = chat.hook("SessionStart", source="compact").context
    assert context.splitlines()[0] == chat.place.objective
    assert context.index(END) < context.index("[req-0001]")


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_n141_a_store_that_changed_is_read_again(project, event):
    chat = Session(project)
    answer = chat.hook(event, prompt="the words", prompt_id="1")
    assert "[req-0001]" in answer.context
    assert answer.context == chat.hook(event, prompt="the words", prompt_id="2").context
    changed = store(requirement("req-0001", statement="Something else."))
    for path, data in changed.items():
        project.write(path, data)
    assert "Something else." in chat.hook(event, prompt="the words").context


def test_n141_what_takes_too_long_is_there_for_the_next_prompt(project, monkeypatch):
    chat = Session(project).configure()
    started, start = [], cold.start_with
    monkeypatch.setattr(
        cold, "start_with", lambda *args: started.append(start(*args)) or started[0]
    )
    monkeypatch.setattr(cold, "WAIT", 0.0)
    time.sleep(0.1)  # what changed a moment ago is not recorded
    answer = chat.prompt("the words")
    assert HEADING not in answer.context
    assert answer.context.splitlines()[0] == chat.place.objective
    assert any("for the next prompt" in note for note in answer.notes)
    os.waitpid(started[0], 0)
    assert "[req-0001]" in chat.prompt("the words").context


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(
    "broken", [".cloche/intent/domains.yaml", ".cloche/intent/requirements/req-0001.md"]
)
def test_n141_a_broken_store_is_a_valid_reply_and_a_fault(project, host, broken):
    chat = Session(project, host=host).configure()
    for name in ("req-0002", "req-0003"):
        (project.path / f".cloche/intent/requirements/{name}.md").unlink()
    project.write(".cloche/intent/requirements/req-0001.md", "broken")
    project.write(broken, "broken: [")
    answer = chat.prompt("the words")
    assert HEADING not in answer.context
    assert answer.context.splitlines()[0] == chat.place.objective
    assert any(broken in note for note in answer.notes)


def test_n138_where_injection_is_off_the_ledger_speaks_alone(project):
    project.write(".cloche/config.toml", '[intent]\ninject = "off"\n')
    chat = Session(project).configure()
    for _ in range(2):
        assert HEADING not in chat.prompt("the words").context
        assert HEADING not in chat.hook("SessionStart", source="compact").context
    assert Session(project, "s-9", namespace="").hook("SessionStart").out == b""


def test_without_a_store_nothing_is_read(repo, monkeypatch):
    def refused(*_):
        raise AssertionError

    monkeypatch.setattr(Standing, "_block", refused)
    chat = Session(repo)
    assert chat.prompt("the words").out == b""
    assert len(chat.prompt("the words").notes) == 1


def test_l017_n141_our_whole_answer_as_a_prompt_says_nothing(project, home):
    chat = Session(project).configure()
    known(project)
    chat.prompt("one")
    for event in ("SessionStart", "UserPromptSubmit"):
        said = chat.hook(event, source="compact", prompt="two", prompt_id="2").context
        assert HEADING in said
        assert END in said
        before = listing(home, project.path / ".git/intent")
        assert chat.prompt(said).out == b""
        assert listing(home, project.path / ".git/intent") == before


def test_our_text_in_a_prompt_takes_no_part_in_the_choice(project):
    chat = Session(project).configure()
    known(project)
    said = chat.prompt("words").context
    expected = project.intent("preview", "--task", "mix no colours").out
    assert chat.prompt(f"{said}\nmix no colours").context.endswith(expected)


@pytest.mark.parametrize("ready", [True, False])
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_n141_much_is_cut_to_what_hosts_take_whole(repo, ready, event, monkeypatch):
    many = [
        requirement(f"req-{n:04x}", statement=f"Keep promise {n}: {'漢字é ' * 40}.")
        for n in range(60)
    ]
    for path, data in store(*many).items():
        repo.write(path, data)
    repo.write(".cloche/config.toml", "[intent]\ntoken_budget = 100000\n")
    chat = Session(repo).configure()
    repo.git("config", "intent.ledger.contextBytes", "100000")
    for number in range(30):
        chat.prompt(f"p{number}")
    if not ready:
        monkeypatch.setattr(Standing, "_hot", lambda *_: None)
    context = chat.hook(event, source="compact", prompt="x", prompt_id="y").context
    assert LONGEST - 700 < len(context.encode()) <= LONGEST
    assert context.splitlines()[0] == chat.place.objective
    assert context.count("- [req-") > 1
    left = 60 - context.count("- [req-")
    assert context.rstrip().endswith(
        f"({left} more requirements omitted; run git intent list)"
    )


@pytest.mark.parametrize("step", ["_begin", "_block"])
def test_a_fault_of_ours_costs_the_requirements_alone(project, monkeypatch, step):
    def broken(*_):
        raise ZeroDivisionError("ours")

    chat = Session(project).configure()
    monkeypatch.setattr(Standing, step, broken)
    answer = chat.prompt("one")
    assert answer.context.splitlines()[0] == chat.place.objective
    assert "our own fault: ZeroDivisionError: ours" in answer.notes
    assert chat.sources() == [b"one"]


def test_a_subagents_prompt_gets_nothing(project):
    known(project)
    assert Session(project).prompt("one", agent_id="a").out == b""


def test_the_program_answers_too(project):
    known(project)
    chat = Session(project)
    done = chat.run(
        "UserPromptSubmit", chat.payload("UserPromptSubmit", prompt="words")
    )
    found = json.loads(done.out)["hookSpecificOutput"]
    assert "[req-0001]" in found["additionalContext"]
    assert done.out.isascii()
    assert "intent.ledgerHome" in done.err
