"""scan, scan-step, extract, init: what a user sees of them."""

import json
import os
import subprocess
import sys

import pytest

from git_intent.cli.report import print_report
from git_intent.scan.summary import ScanReport
from tests.support.repo import _SOURCE

RULES = """\
# Rules

## Versioning

- Never bump the major version unless explicitly told to.
- Always run the tests before you push to the main branch.

## Layout

The code lies in `src`, the tests lie in `tests`.
"""


@pytest.fixture
def rules(repo):
    repo.commit("rules", **{"CLAUDE.md": RULES, "src/a.py": "", "tests/b.py": ""})
    return repo


def everything(repo):
    """All that a dry run must leave alone, refs and configuration included."""
    return {
        str(path): path.read_bytes()
        for path in repo.path.rglob("*")
        if path.is_file() and "/.git/intent/" not in str(path)
    }


def test_n180_from_scan_to_commit_without_a_setting(rules, intent):
    """With uncommitted work all over."""
    rules.write("src/a.py", "staged")
    rules.git("add", "src/a.py")
    rules.write("tests/b.py", "modified")
    rules.write("new file", "untracked")
    before = rules.status()

    done = intent("scan", "--full")
    assert (done.code, done.err) == (0, "")
    assert "  CLAUDE.md\n" in done.out
    assert "Never bump the major version unless explicitly told to." in done.out
    assert "Look at them with `git intent review`, or with `git show`." in done.out
    assert rules.status() == before

    listed = json.loads(intent("list", "--json").out)["requirements"]
    assert listed
    id = listed[0]["id"]
    assert intent("show", id).code == 0
    assert intent("disable", id).code == 0
    rules.git("commit", "-qm", "not this one", ".cloche/intent")
    assert rules.status() == before
    assert id in intent("list", "--status", "disabled").out
    assert intent("scan").out.startswith("Nothing new to keep. Commit ")
    assert intent("scan").out == "Nothing new.\n"
    assert rules.status() == before


def test_n091_a_dry_run_prints_the_decisions_of_the_scan_and_writes_nothing(
    rules, intent
):
    before = everything(rules)
    dry = intent("scan", "--dry-run")
    assert dry.code == 0
    assert "Dry run: nothing was written." in dry.out
    assert "Review" not in dry.out
    assert everything(rules) == before
    wet = intent("scan")
    head = dry.out.partition("\n\n")[0]
    assert wet.out.startswith(head)
    assert "req-" in head


def test_n091_without_commit_the_files_are_there_for_review(rules, intent):
    head = rules.head()
    done = intent("scan", "--no-commit")
    assert done.code == 0
    assert "Nothing was committed." in done.out
    assert "Look at them with `git intent review`, or with `git diff`." in done.out
    assert rules.head() == head
    assert "?? " in rules.git("status", "--short")


def test_a_scan_prints_one_json_document(rules, intent):
    found = json.loads(intent("scan", "--json").out)
    assert found["version"] == 1
    assert [step["step"] for step in found["steps"]] == [
        "discover-domains",
        "collect-sources",
        "extract",
        "reconcile",
        "apply-reconcile",
        "commit",
    ]
    assert found["created"]
    assert found["commit"] == rules.head()
    again = json.loads(intent("scan", "--json").out)
    assert (again["created"], again["commit"]) == ([], "")


def test_scan_quiet_prints_nothing_of_what_went_well(rules, intent):
    done = intent("scan", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert intent("list").out.count("req-") >= 2


FAILING = "#!/bin/sh\necho the hook says no >&2\nexit 1\n"


def refuse_commits(repo, refusing=True):
    hook = repo.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(FAILING if refusing else "#!/bin/sh\n", encoding="utf-8")
    hook.chmod(0o755)


def test_n092_a_step_that_fails_is_named_with_its_log_and_the_way_on(rules, intent):
    refuse_commits(rules)
    done = intent("scan")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("git intent: commit: ")
    assert "the hook says no" in done.err
    assert f"  log: {rules.path}/.git/intent/runs/" in done.err
    assert "`git intent scan --resume` goes on where it stopped" in done.err
    assert rules.status() == ""
    assert "git intent scan --resume" in intent("status").out
    refuse_commits(rules, refusing=False)
    assert "created" in intent("scan", "--resume").out


def test_n092_json_is_valid_when_a_step_fails(rules, intent):
    refuse_commits(rules)
    done = intent("scan", "--json")
    found = json.loads(done.out)
    assert done.code == 1
    assert (found["version"], found["step"]) == (1, "commit")
    assert "the hook says no" in found["error"]
    assert found["log"].startswith(f"{rules.path}/.git/intent/runs/")
    assert done.err.startswith("git intent: commit: ")


def test_n092_json_is_valid_when_a_scan_cannot_begin(rules, intent):
    rules.git("checkout", "-q", "--detach")
    rules.git("bisect", "start")
    done = intent("scan", "--json")
    assert done.code == 1
    assert "bisect" in json.loads(done.out)["error"]
    assert "bisect" in done.err


def test_n092_a_scan_into_a_closed_pipe_is_a_whole_scan(rules, intent):
    with subprocess.Popen(
        [sys.executable, "-m", "git_intent", "scan"],
        cwd=rules.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() in (0, 1)
    assert rules.status() == ""
    assert rules.git("log", "-1", "--format=%s").startswith("intent scan: created ")
    assert intent("scan").out == "Nothing new.\n"


def test_n056_the_steps_are_commands_that_end_as_a_scan(rules, intent):
    for step in (
        "discover-domains",
        "collect-sources",
        "extract",
        "reconcile",
        "apply-reconcile",
        "commit",
    ):
        done = intent("scan-step", step)
        assert (done.code, done.out) == (0, "CLOCHE_RESULT:success\n"), done.err
    assert rules.git("log", "-1", "--format=%s").startswith("intent scan: created ")
    assert intent("scan").out == "Nothing new.\n"
    first = json.loads(intent("scan-step", "discover-domains", "--json").out)
    assert first == {"version": 1, "step": "discover-domains", "result": "none"}


def test_n056_a_step_out_of_order_says_which_comes_first(rules, intent):
    done = intent("scan-step", "extract")
    assert (done.code, done.out) == (1, "")
    assert "`git intent scan-step discover-domains`" in done.err


def test_extract_prints_every_tier_and_writes_nothing(rules, intent):
    before = everything(rules)
    done = intent("extract", "CLAUDE.md")
    assert done.code == 0
    assert "CLAUDE.md:5: " in done.out
    assert "Never bump the major version unless explicitly told to." in done.out
    found = json.loads(intent("extract", "--json", "CLAUDE.md").out)
    assert found["version"] == 1
    for candidate in found["candidates"]:
        assert list(candidate) == [
            "path",
            "line",
            "end_line",
            "statement",
            "why",
            "level",
            "domains",
            "hints",
            "confidence",
        ]
    assert found["candidates"][0]["line"] == 5
    assert everything(rules) == before


def test_extract_reads_commit_messages_and_prompts_more_strictly(rules, intent):
    rules.write("message", "Fix the build\n\nNever bump the major version by hand.\n")
    for mode in ("commit", "prompt"):
        assert intent("extract", "--as", mode, "message").code == 0
    assert intent("extract", "--as=chat", "message").code == 2


def test_extract_works_outside_of_a_repository(intent, tmp_path):
    (tmp_path / "CLAUDE.md").write_text(RULES, encoding="utf-8")
    done = intent("extract", "CLAUDE.md", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "Never bump the major version unless explicitly told to." in done.out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nofile", "nofile: No such file or directory"),
        (".", ": Is a directory"),
        ("latin", "latin: byte 1 is not UTF-8\n  convert the file first"),
    ],
)
def test_extract_names_what_it_cannot_read(rules, intent, name, said):
    rules.write("latin", b"a\xe4b")
    done = intent("extract", "CLAUDE.md", name)
    assert (done.code, done.out) == (1, "")
    assert said in done.err


def test_n179_init_makes_no_store_and_changes_no_file(repo, intent):
    repo.commit("x", **{".gitignore": "*.o\n"})
    done = intent("init")
    assert done.code == 0
    assert f"Wrote {repo.path}/.cloche/config.toml\n" in done.out
    assert "git intent scan" in done.out
    assert repo.status() == "? .cloche/config.toml"
    assert not repo.store.exists()
    assert intent("config").err == ""

    repo.write(".cloche/config.toml", "# mine\n")
    again = intent("init")
    assert (again.code, repo.read(".cloche/config.toml")) == (0, b"# mine\n")
    assert "is there already, unchanged" in again.out


def test_init_here_makes_a_project_of_a_folder(repo, intent):
    (repo.path / "svc").mkdir()
    assert intent("init", "--here", cwd=repo.path / "svc").code == 0
    assert intent("-v", "list", cwd=repo.path / "svc").err == (
        f"project: {repo.path}/svc\n"
    )
    assert repo.status() == "? svc/.cloche/config.toml"


def test_n096_a_scan_in_a_monorepo_commits_to_the_nearest_project(repo, intent):
    repo.commit("x", **{".cloche/a": "", "svc/.cloche/a": "", "svc/CLAUDE.md": RULES})
    done = intent("scan", cwd=repo.path / "svc")
    assert done.code == 0
    paths = repo.git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert paths
    assert all(path.startswith("svc/.cloche/intent/") for path in paths)


def test_n108_a_workflow_of_the_project_is_named_and_not_replaced(rules, intent):
    path = ".cloche/scan.cloche"
    rules.write(
        path,
        'workflow "intent-scan" {\n  step s {\n    run = "touch ran"\n'
        "    results = [success]\n  }\n  s:success -> done\n}\n",
    )
    done = intent("scan")
    assert done.code == 1
    assert f"{path}:1" in done.err
    assert not rules.store.exists()
    assert not (rules.path / "ran").exists()
    assert path in intent("status").out


def test_trying_a_scan_shows_what_it_would_commit_and_leaves_the_source(rules):
    before = everything(rules)
    command = [sys.executable, f"{_SOURCE}/tools/try_scan.py"]
    env = {**os.environ, "PYTHONPATH": _SOURCE}

    def run(place):
        return subprocess.run(
            [*command, str(place)], capture_output=True, text=True, env=env, check=False
        )

    done = run(rules.path)
    assert done.returncode == 0, done.stderr
    assert "Never bump the major version unless explicitly told to." in done.stdout
    assert "Intent-Scan: " in done.stdout
    assert everything(rules) == before
    assert run(rules.path / "src").returncode != 0


@pytest.mark.parametrize(
    ("domains", "said"), [(("web",), "1 domain added"), (("a", "b"), "2 domains added")]
)
def test_one_domain_is_counted_as_one(domains, said, capsys):
    print_report(ScanReport("a-run", domains=domains, written=("x",)))
    assert said in capsys.readouterr().out
