"""The fast lane of `inject` says the same as the command line, byte for byte."""

import os
import random
import subprocess
import sys

import pytest

from git_intent.__main__ import main as program
from git_intent.cli.main import main as command_line
from git_intent.inject import hot, hot_file, hot_record
from git_intent.store.intent_dir import DOMAINS, REQUIREMENTS, requirement_path
from git_intent.store.requirement import Confidence, Level, Scope
from tests.support.repo import _SOURCE, Repo
from tests.support.snapshots import T0, T1, T2, content, disabled, requirement, store

WORDS = (
    "retry invoice archive storage driver flood log stop attempt report failed file"
    " message test config key team script release token header cache index schema queue"
    " worker deploy secret rotate audit export locale currency rounding button form"
).split()
AREAS = ("api", "web", "ops", "jobs")
MAP = "".join(
    f"  - name: {area}\n    description: x\n    paths: [{patterns}]\n"
    for area, patterns in (
        ("api", '"src/api/**"'),
        ("web", '"src/web/", "*.css", "!src/web/old/"'),
        ("ops", '"ops/*"'),
        ("jobs", ""),
    )
)
FLOW = """\
workflow "develop" {
  domains = ["ops"]
  step code {
    prompt = file(".cloche/prompts/implement.md")
    domains = ["api"]
    results = [success]
  }
  step silent {
    prompt = "x"
    intent_tracking = false
    results = [success]
  }
  code:success -> silent
  silent:success -> done
}
"""


@pytest.fixture(autouse=True)
def _no_tick(monkeypatch):
    """A test changes files faster than anybody types."""
    monkeypatch.setattr(hot_record, "_TICK", 0)


def made(pick, id):
    """A random requirement."""
    level = pick.choice([Level.PROJECT, Level.DOMAIN, Level.DOMAIN])
    areas = tuple(pick.sample(AREAS, pick.randint(1, 2)))
    paths = pick.choice([(), (), ("src/**",), ("*.py",), ("src/api/x.py", "ops/")])
    languages = pick.choice([(), (), ("python",), ("css", "go")])
    domains = areas if level is Level.DOMAIN else pick.choice([(), areas])
    return requirement(
        id,
        statement=f"Always {' '.join(pick.choices(WORDS, k=8))}.",
        rationale=" ".join(pick.choices(WORDS, k=pick.randint(0, 6))),
        hints=tuple(
            " ".join(pick.choices(WORDS, k=4)) for _ in range(pick.choice([0, 2]))
        ),
        scope=Scope(level, domains, paths, languages),
        confidence=pick.choice(list(Confidence)),
        updated=pick.choice([T0, T1, T2]),
    )


def new_store(pick, count):
    ids = [f"req-{number:04x}" for number in pick.sample(range(65536), count)]
    return store(*(made(pick, id) for id in ids), domains=MAP)


def query(pick, repo):
    """A random command line."""
    task = " ".join(pick.choices(WORDS, k=pick.randint(1, 9)))
    words = pick.choice([["inject", "prompt.md"], ["inject", "prompt.md"], ["preview"]])
    words = words + pick.choice(
        [[], ["--task", task], [f"--task={task}"], ["--task-file", "task.txt"]]
    )
    for path in pick.sample(["src/api/x.py", "src/web/", "a.css", "./ops"], 2):
        words += pick.choice([[], [], ["--path", path]])
    words += pick.choice([[], [], ["--workflow", "develop"]])
    if "--workflow" in words:
        words += pick.choice([[], ["--step", "code"], ["--step=silent"]])
    repo.write("task.txt", task)
    return words


@pytest.fixture
def both(repo, monkeypatch, capfdbinary):
    """Ask the fast lane, then the command line, then the fast lane again.

    Where the lane answers it says the same; gives whether it did, before and after.
    """
    monkeypatch.chdir(repo.path)

    def lane(words):
        found = hot.answer(words, os.environ)
        if found is None:
            return None
        found.seen.save()
        return found.out, "".join(f"{note}\n" for note in found.notes).encode()

    def ask(*words):
        words = list(words)
        before = lane(words)
        code = command_line(words)
        slow = tuple(capfdbinary.readouterr())
        after = lane(words)
        if code:
            slow = None
        assert before in (None, slow)
        assert after in (None, slow)
        return before is not None, after is not None

    return ask


@pytest.fixture
def project(repo):
    """Some random requirements, a workflow, and a prompt."""
    repo.commit_files(
        {
            **new_store(random.Random(7), 40),
            ".cloche/develop.cloche": FLOW,
            "prompt.md": "Do it.\n{{ $intent }}\nEnd.\n",
            "src/api/x.py": "x\n",
        }
    )
    return repo


TASK = ("inject", "prompt.md", "--task", "rotate the secret token")


def test_the_first_prompt_is_answered_slowly_and_the_next_one_fast(project, both):
    assert both(*TASK) == (False, True)
    assert both(*TASK) == (True, True)


def edit_unseen(repo):
    """Same size, same time of change: only ctime tells."""
    path = next((repo.path / REQUIREMENTS).iterdir())
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"Always", b"Rarely"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def any_file(repo):
    return sorted((repo.path / REQUIREMENTS).iterdir())[3]


CHANGES = {
    "edited unseen": edit_unseen,
    "touched": lambda repo: os.utime(any_file(repo)),
    "added": lambda repo: repo.write(
        requirement_path("req-0aaa"), content(requirement("req-0aaa"))
    ),
    "disabled": lambda repo: any_file(repo).write_bytes(
        content(disabled(any_file(repo).stem))
    ),
    "removed": lambda repo: any_file(repo).unlink(),
    "replaced by a link": lambda repo: (
        any_file(repo).rename(repo.path / "kept.md"),
        any_file(repo).with_name("req-0bbb.md").symlink_to(repo.path / "kept.md"),
    ),
    "domains": lambda repo: repo.write(
        DOMAINS, f"version: 1\ndomains:\n{MAP}".replace("ops/*", "src/**")
    ),
    "no domains": lambda repo: (repo.path / DOMAINS).unlink(),
    "cursors": lambda repo: repo.write(".cloche/intent/scan-state.yaml", "nonsense"),
    "settings": lambda repo: repo.write(
        ".cloche/config.toml", "[intent]\ntoken_budget = 60\n"
    ),
    "off": lambda repo: repo.write(".cloche/config.toml", '[intent]\ninject = "off"\n'),
    "git's settings": lambda repo: repo.git("config", "intent.tokenBudget", "70"),
    "a person's settings": lambda repo: repo.git(
        "config", "--global", "intent.git.floor", "strict"
    ),
    "words alone": lambda repo: repo.git("config", "intent.embedder", "keyword"),
    "workflow": lambda repo: repo.write(
        ".cloche/develop.cloche", FLOW.replace('"ops"', '"web"')
    ),
    "another workflow": lambda repo: repo.write(
        ".cloche/x.cloche", 'workflow "x" {\n  domains = ["web"]\n}\n'
    ),
    "index gone": lambda repo: (repo.path / ".cloche/intent-index/rows.bin").unlink(),
    "index cut off": lambda repo: repo.write(".cloche/intent-index/rows.bin", "x"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_n002_n116_whatever_changed_is_seen(project, both, name):
    assert both(*TASK) == (False, True)
    CHANGES[name](project)
    assert not both(*TASK)[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda repo: repo.write("src/web/new.css", "x"),
        lambda repo: repo.write("src/api/x.py", "changed\n"),
        lambda repo: repo.commit("other", **{"src/api/x.py": "y\n"}),
        lambda repo: repo.git("checkout", "-q", "-b", "topic"),
        lambda repo: repo.git("checkout", "-q", "--detach"),
        lambda repo: repo.git("pack-refs", "--all"),
        lambda repo: repo.write(".gitignore", "*\n"),
    ],
)
def test_what_only_the_context_depends_on_stays_fast(project, both, change):
    assert both(*TASK) == (False, True)
    change(project)
    assert both(*TASK) == (True, True)


def test_another_branch_has_its_own_store(project, both):
    both(*TASK)
    project.git("checkout", "-q", "-b", "topic")
    any_file(project).write_bytes(content(disabled(any_file(project).stem)))
    project.commit("topic")
    assert both(*TASK) == (False, True)
    project.git("checkout", "-q", "main")
    assert both(*TASK) == (False, True)


def change_at_random(pick, repo, pool):
    names = [*CHANGES, "file", "commit", "branch", "more"]
    name = pick.choice(names)
    try:
        if name == "file":
            repo.write(pick.choice(["src/web/a.css", "ops/run", "src/api/z.go"]), "x\n")
        elif name == "commit":
            repo.commit("more")
        elif name == "branch":
            repo.git("checkout", "-q", "-f", "-B", pick.choice(["main", "topic"]))
        elif name == "more":
            path, data = pick.choice(sorted(pool.items()))
            repo.write(path, data)
        else:
            CHANGES[name](repo)
    except (FileNotFoundError, FileExistsError, IndexError, StopIteration):
        return


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.soak)])
def test_n140_random_stores_and_queries_give_the_same_both_ways(project, both, seed):
    pick = random.Random(seed)
    fast = 0
    for _ in range(18):
        for _ in range(pick.randint(1, 3)):
            fast += both(*query(pick, project))[1]
        change_at_random(pick, project, new_store(pick, 5))
    assert fast


def run(repo, *words, **options):
    return subprocess.run(
        [sys.executable, "-m", "git_intent", *words],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
        **options,
    )


@pytest.fixture
def warm(project, both):
    assert both(*TASK) == (False, True)
    assert both(*TASK) == (True, True)
    return project


@pytest.mark.parametrize(
    "words",
    [
        ["inject", "prompt.md", "--run", "r"],
        ["inject", "prompt.md", "--store", "."],
        ["inject", "prompt.md", "--task"],
        ["inject", "prompt.md", "--task", "--path"],
        ["inject", "prompt.md", "other.md"],
        ["inject", "prompt.md", "-h"],
        ["inject", "prompt.md", "--task", "a", "--task-file", "b"],
        ["inject", "prompt.md", "--task-file", "-"],
        ["inject", "absent.md"],
        ["inject", "src"],
        ["inject", ""],
        ["inject", "prompt.md", "--path", "../outside"],
        ["inject", "prompt.md", "--workflow", "unknown"],
        ["inject", "prompt.md", "--workflow", "develop", "--step", "silent"],
        ["preview", "-"],
        ["preview", "--json"],
        ["preview", "--explain"],
    ],
)
def test_what_is_unusual_is_left_to_the_command_line(warm, words):
    assert hot.answer(words, os.environ) is None


@pytest.mark.parametrize(
    "variable",
    [
        {"GIT_DIR": ".git"},
        {"GIT_INDEX_FILE": "x"},
        {"GIT_INTENT_TOKEN_BUDGET": "5"},
        {"HOME": "/elsewhere"},
        {"SOURCE_DATE_EPOCH": "x"},
    ],
)
def test_variables_that_matter_are_left_to_the_command_line(warm, variable):
    assert hot.answer(list(TASK), {**os.environ, **variable}) is None


def test_from_a_folder_inside_and_not_from_gits_own(warm, monkeypatch, both):
    monkeypatch.chdir(warm.path / "src")
    assert both("preview", "--task", "rotate", "--path", "api/x.py") == (True, True)
    monkeypatch.chdir(warm.path / ".git")
    assert hot.answer(["preview", "--task", "rotate"], os.environ) is None


def test_a_project_inside_of_a_repository(repo, both, monkeypatch):
    files = new_store(random.Random(3), 12)
    repo.commit_files({f"svc/{path}": data for path, data in files.items()})
    repo.commit_files({"svc/prompt.md": "Do.\n", "src/api/out.py": "x\n"})
    monkeypatch.chdir(repo.path / "svc")
    assert both(*TASK) == (False, True)
    repo.write("svc/src/api/in.py", "x\n")
    repo.write("src/api/out.py", "y\n")
    assert both(*TASK) == (True, True)


def test_a_linked_work_tree_has_a_record_of_its_own(warm, both, monkeypatch, tmp_path):
    warm.git("worktree", "add", "-q", "-b", "other", tmp_path / "linked")
    linked = Repo(tmp_path / "linked")
    monkeypatch.chdir(linked.path)
    assert both(*TASK) == (False, True)
    linked.write("src/web/b.css", "x\n")
    assert both(*TASK) == (True, True)
    monkeypatch.chdir(warm.path)
    assert both(*TASK) == (True, True)


def test_a_store_with_something_to_complain_about_is_read_each_time(project, both):
    any_file(project).write_bytes(b"---\nid: x\n")
    assert both(*TASK) == (False, False)


def test_n151_a_cache_that_cannot_be_written_costs_time_only(project, both):
    project.write(".git/intent", "in the way")
    assert both(*TASK) == (False, False)
    assert both(*TASK) == (False, False)


def test_a_record_that_was_cut_off_is_not_believed(warm, both):
    name = hot_file.record_name(str(warm.path))
    for path in (name, f"{name}-seen"):
        whole = warm.path / ".git/intent/cache" / path
        data = whole.read_bytes()
        for at in range(0, len(data), len(data) // 5):
            whole.write_bytes(data[:at])
            both(*TASK)


def test_a_file_that_may_change_unseen_is_not_recorded(project, both, monkeypatch):
    monkeypatch.setattr(hot_record, "_TICK", 10**15)
    assert both(*TASK) == (False, False)


def test_n142_the_process_answers_alone(warm):
    expected = run(warm, *TASK, "--path=../project/src").stdout
    for words in (["inject", *TASK[2:]], ["inject", "-", *TASK[2:]]):
        done = run(warm, *words, "--path", "src", input=b"Do it.\n{{$intent}}\nEnd.\n")
        assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")


def test_n092_a_reader_who_has_gone_away_gets_no_traceback(warm):
    command = [sys.executable, "-m", "git_intent", *TASK]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"git intent: standard output: No space left on device\n"


def test_an_interrupted_prompt_is_no_traceback(warm, monkeypatch, capfdbinary):
    class Stdin:
        class buffer:  # noqa: N801 - the name that streams have
            @staticmethod
            def read():
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Stdin)
    monkeypatch.setattr(sys, "argv", ["git-intent", "inject", *TASK[2:]])
    assert program() == 130
    assert capfdbinary.readouterr().err == b"git intent: interrupted\n"
