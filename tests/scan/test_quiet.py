"""The fast lane says "nothing new" only when that is certain, and loads no more."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_intent.git.repository import Repository
from git_intent.scan import quiet
from git_intent.scan.quiet_record import Watch

LATER = 10**10  # nanoseconds after now: nothing is suspected of changing unseen
SOURCE = str(Path(__file__).resolve().parents[2])


def watch(repo, later=LATER):
    opened = Repository.discover(repo.path)
    return Watch.begin(opened, os.environ, time.time_ns() + later)


def recorded(repo):
    """Write the record as a scan does that found nothing."""
    return watch(repo).end()


def is_quiet(repo, environ=None):
    return quiet.nothing_new(environ or os.environ, str(repo.path))


@pytest.fixture
def scanned(repo):
    """A project whose last scan found nothing."""
    repo.commit_files(
        {
            "CLAUDE.md": "Never push.\n",
            "docs/a.md": "# A\n",
            "src/a.py": "code\n",
            ".cloche/intent/domains.yaml": "version: 1\n",
            ".cloche/intent/scan-state.yaml": "scanned_runs: [done]\n",
            ".cloche/intent/requirements/req-a3f8.md": "---\nid: req-a3f8\n---\nX\n",
            ".cloche/develop.cloche": 'workflow "develop" {}\n',
        }
    )
    (repo.path / ".cloche/runs/done").mkdir(parents=True)
    (repo.path / ".cloche/logs/done").mkdir(parents=True)
    assert recorded(repo)
    return repo


def test_n064_a_quiet_project_is_recognised(scanned):
    assert is_quiet(scanned)
    assert quiet.nothing_new(os.environ, str(scanned.path / "src"))


def test_without_a_record_nothing_is_certain(repo, tmp_path):
    repo.commit("One", a="1")
    assert not is_quiet(repo)
    assert not quiet.nothing_new(os.environ, str(tmp_path))
    assert not quiet.nothing_new(os.environ, "/")


def append(path, text="more\n"):
    with open(path, "a") as stream:
        stream.write(text)


@pytest.mark.parametrize(
    "change",
    [
        lambda repo: append(repo.path / "CLAUDE.md"),
        lambda repo: os.utime(repo.path / "docs/a.md", (1, 1)),
        lambda repo: (repo.path / "CLAUDE.md").unlink(),
        lambda repo: repo.commit("Two", b="2"),
        lambda repo: append(repo.store / "requirements/req-a3f8.md"),
        lambda repo: append(repo.store / "scan-state.yaml"),
        lambda repo: append(repo.store / "domains.yaml"),
        lambda repo: repo.write(".cloche/intent/requirements/req-0001.md", "x"),
        lambda repo: repo.write(".cloche/config.toml", "[intent]\n"),
        lambda repo: append(repo.path / ".cloche/develop.cloche"),
        lambda repo: repo.write(".cloche/other.cloche", ""),
        lambda repo: (repo.path / ".cloche/runs/new").mkdir(),
        lambda repo: (repo.path / ".cloche/logs/new").mkdir(),
        lambda repo: repo.git("config", "intent.git.maxCommits", "5"),
        lambda repo: repo.git("config", "--global", "user.name", "Somebody"),
        lambda repo: repo.write(".gitignore", ".cloche/\n"),
        lambda repo: append(repo.path / ".git/info/exclude", ".cloche/\n"),
        lambda repo: repo.git("update-ref", "refs/intent/runs/r1", "HEAD"),
        lambda repo: repo.write(".git/MERGE_HEAD", "x"),
        lambda repo: repo.write(".git/rebase-merge/onto", "x"),
        lambda repo: repo.write(".git/BISECT_LOG", ""),
        lambda repo: repo.write(".git/intent/lock", "{}"),
        lambda repo: repo.write(".git/intent/queue/r1", ""),
        lambda repo: repo.git("checkout", "-q", "--orphan", "empty"),
    ],
)
def test_anything_that_could_matter_ends_the_quiet(scanned, change):
    change(scanned)
    assert not is_quiet(scanned)


def test_what_does_not_matter_does_not_end_it(scanned):
    scanned.write("src/a.py", "other code\n")
    scanned.write("docs/untracked.md", "Always.\n")
    scanned.write(".cloche/runs/done/attempt_count", "1")
    scanned.git("add", "-A")
    scanned.git("branch", "other")
    scanned.git("checkout", "-q", "-b", "same")
    assert is_quiet(scanned)


def test_variables_that_lead_elsewhere_end_it(scanned):
    for variables in (
        {"GIT_DIR": ".git"},
        {"GIT_INDEX_FILE": "x"},
        {"GIT_CONFIG_PARAMETERS": "'a.b'='c'"},
        {"GIT_INTENT_TOKEN_BUDGET": "5"},
        {"HOME": "/elsewhere"},
        {"GIT_CONFIG_GLOBAL": "/elsewhere"},
    ):
        assert not is_quiet(scanned, {**os.environ, **variables})
    assert is_quiet(scanned, {**os.environ, "GIT_EXEC_PATH": "/x", "EDITOR": "vi"})


def test_head_is_found_in_packed_refs_too(scanned):
    scanned.git("pack-refs", "--all")
    assert recorded(scanned)
    assert is_quiet(scanned)
    scanned.git("checkout", "-q", "--detach")
    assert is_quiet(scanned)


def test_a_linked_work_tree_has_its_own_record(scanned, tmp_path):
    scanned.git("worktree", "add", "-q", "-b", "other", tmp_path / "linked")
    linked = type(scanned)(tmp_path / "linked")
    assert not is_quiet(linked)
    assert recorded(linked)
    assert is_quiet(linked)
    linked.write("CLAUDE.md", "Other.\n")
    assert not is_quiet(linked)
    assert recorded(scanned)
    assert is_quiet(scanned)


def test_a_nested_project_has_its_own_record(scanned):
    scanned.commit_files({"svc/CLAUDE.md": "S.\n", "svc/.cloche/config.toml": ""})
    inside = type(scanned)(scanned.path / "svc")
    assert recorded(inside)
    assert is_quiet(inside)
    assert not is_quiet(scanned)


def test_a_record_that_was_cut_off_is_not_believed(scanned):
    found = Repository.discover(scanned.path)
    path = Path(quiet.record_path(str(found.common_dir), str(found.root)))
    data = path.read_bytes()
    for at in range(0, len(data), 97):
        path.write_bytes(data[:at])
        assert not is_quiet(scanned)
    path.write_bytes(data)
    assert is_quiet(scanned)


def test_nothing_is_recorded_if_something_changed_meanwhile(scanned):
    watched = watch(scanned)
    append(scanned.path / "CLAUDE.md")
    assert not watched.end()


def test_nothing_is_recorded_if_a_file_may_change_unseen(scanned):
    append(scanned.path / "CLAUDE.md")
    assert not watch(scanned, later=0).end()
    assert watch(scanned).end()


def test_the_scans_own_commit_may_lie_between(scanned):
    watched = watch(scanned)
    scanned.write(
        ".cloche/intent/scan-state.yaml", "scanned_runs: [done]\nlast_commit: y\n"
    )
    made = scanned.commit("intent scan: nothing new to keep")
    assert not watched.end()
    assert watched.end(made)
    assert is_quiet(scanned)


def test_a_run_that_this_scan_has_read_may_lie_between(scanned):
    scanned.write(".cloche/runs/new/prompt.txt", "Do.\n")
    watched = watch(scanned)
    scanned.write(".cloche/intent/scan-state.yaml", "scanned_runs: [done, new]\n")
    made = scanned.commit("intent scan: nothing new to keep")
    assert watched.end(made)
    assert is_quiet(scanned)


def test_unborn_bare_and_exported_repositories_are_never_quiet(
    repo, tmp_path, monkeypatch
):
    assert not recorded(repo)
    repo.commit("One", a="1")
    assert not recorded(type(repo).init(tmp_path / "bare", "--bare"))
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    assert not recorded(repo)


def test_waiting_runs_and_listed_repositories_are_never_quiet(scanned, tmp_path):
    opened = Repository.discover(scanned.path)
    listed = {"api": tmp_path}
    later = time.time_ns() + LATER
    assert not Watch.begin(opened, os.environ, later, (), listed).end()
    scanned.write(".git/intent/queue/r1", "")
    assert not recorded(scanned)


def run(repo, *options, args=("scan",), env=None):
    return subprocess.run(
        [sys.executable, *options, "-m", "git_intent", *args],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": SOURCE, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_n064_the_process_answers_alone(scanned):
    done = run(scanned)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Nothing new.\n", "")
    done = run(scanned, args=("scan", "--quiet"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_everything_else_goes_to_the_command_line(scanned):
    assert run(scanned, args=("--version",)).stdout.startswith("git-intent ")
    assert run(scanned, args=("scan", "--no-such-flag")).returncode == 2


def test_n092_a_reader_who_has_gone_away_gets_no_traceback(scanned):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "git_intent", "scan"],
            cwd=scanned.path,
            env={**os.environ, "PYTHONPATH": SOURCE},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")


def loaded(repo, *program):
    """The modules that a process imports, by `-X importtime`."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *program],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    rows = (line.rpartition("|")[2].strip() for line in done.stderr.splitlines())
    return set(rows) - {"imported package"}


def test_n064_the_lane_loads_five_modules_of_ours_and_nothing_else(scanned):
    program = (
        "import sys; sys.argv[1:] = ['scan']; from git_intent.__main__ import main"
    )
    floor = loaded(scanned, "-c", "pass")
    found = loaded(scanned, "-c", f"{program}; main()") - floor
    assert found - {"git_intent.__main__"} == {
        "git_intent",
        "git_intent.git",
        "git_intent.git.look",
        "git_intent.scan",
        "git_intent.scan.quiet",
    }
    floor = loaded(scanned, "-m", "keyword")
    found = loaded(scanned, "-m", "git_intent", "scan") - floor
    assert found == {
        "git_intent",
        "git_intent.git",
        "git_intent.git.look",
        "git_intent.scan",
        "git_intent.scan.quiet",
    }
