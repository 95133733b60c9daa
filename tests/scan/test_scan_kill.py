"""A scan that is killed, starved of disk or raced: the next one ends as if it was not.

The normal run takes a share of the fault points; `make soak` takes all of them and 200
random pairs of kills.
"""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent.store.check import check
from git_intent.store.intent_dir import read_snapshot
from tests.support import kill
from tests.support.repo import STORE, Repo
from tests.support.scanning import scan

FIRST = "# Style\n\nRule: use tabs.\nRule: be kind.\n"
SECOND = "# Style\n\nRule: use spaces.\nRule: be kind.\nRule: sign tags.\n"
#: One more than any scan of these projects has effects.
MANY = 80


@pytest.fixture(scope="module")
def origins(tmp_path_factory):
    """Two projects before a scan, and what an undisturbed one makes of each."""
    made = {}
    home = tmp_path_factory.mktemp("origin")
    with pytest.MonkeyPatch.context() as patch:
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "A Person")
            patch.setenv(f"GIT_{role}_EMAIL", "person@example.invalid")
            patch.setenv(f"GIT_{role}_DATE", "2026-01-02T03:04:05Z")
        for name in ("fresh", "grown"):
            repo = Repo.init(home / name, "-b", "main")
            repo.commit("one", **{"CLAUDE.md": FIRST})
            if name == "grown":
                scan(repo.path)
                repo.commit("two\n\nRule: rebase.", **{"CLAUDE.md": SECOND})
            twin = copy(repo, home / f"{name}-done")
            scan(twin.path)
            made[name] = (repo, outcome(twin))
    return made


def copy(repo, target):
    shutil.copytree(repo.path, target, symlinks=True)
    return Repo(target)


def outcome(repo):
    """Everything that a kill must not change in the end."""
    count = repo.git("rev-list", "--count", "HEAD")
    stray = [p.name for p in repo.path.rglob(".*.tmp-*")]
    return (
        read_snapshot(repo.path),
        repo.git("ls-tree", "-r", "HEAD"),
        repo.git("ls-files", "-s"),
        repo.status(),
        count,
        stray,
    )


def survive(origin, tmp_path, number, again=None):
    """Kill a scan at one effect (and the next at another), then scan in peace."""
    repo, wanted = origin
    mine = copy(repo, tmp_path / f"at-{number}-{again}")
    done = kill.run("kill", number, mine.path)
    assert done.returncode in (0, -9), done.stderr
    if again is not None:
        assert kill.run("kill", again, mine.path).returncode in (0, -9)
    for path, data in read_snapshot(mine.path).items():
        assert data in (read_snapshot(repo.path).get(path), wanted[0].get(path)), path
    scan(mine.path)
    assert outcome(mine) == wanted
    assert [i for i in check(read_snapshot(mine.path)) if i.code != "I023"] == []
    assert scan(mine.path).quiet
    shutil.rmtree(mine.path)
    return done.returncode == 0


@pytest.mark.parametrize("number", [30, 39, 41, 43, 46, 47])
def test_n026_n088_killed_at_an_effect_the_next_scan_ends_the_same(
    origins, tmp_path, number
):
    survive(origins["grown"], tmp_path, number)


@pytest.mark.parametrize("number", [33])
def test_n088_killed_in_the_first_scan_of_a_project(origins, tmp_path, number):
    survive(origins["fresh"], tmp_path, number)


def test_n088_killed_while_repairing(origins, tmp_path):
    survive(origins["grown"], tmp_path, 43, 4)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["fresh", "grown"])
def test_n088_killed_at_every_effect(origins, tmp_path, name):
    for number in range(MANY):
        if survive(origins[name], tmp_path, number):
            return
    raise AssertionError("a scan has more effects than MANY")


@pytest.mark.soak
def test_n088_killed_at_two_hundred_random_pairs_of_effects(origins, tmp_path):
    chance = random.Random(88)
    for _ in range(200):
        name = chance.choice(["fresh", "grown"])
        survive(origins[name], tmp_path, chance.randrange(60), chance.randrange(60))


@pytest.mark.parametrize("number", [12, 14])
def test_n026_on_a_full_disk_the_store_stays_and_the_next_scan_ends_the_same(
    origins, tmp_path, number
):
    repo, wanted = origins["grown"]
    mine = copy(repo, tmp_path / "full")
    done = kill.run("full", number, mine.path)
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert read_snapshot(mine.path) == read_snapshot(repo.path)
    assert mine.status() == ""
    assert mine.head() == repo.head()
    scan(mine.path)
    assert outcome(mine) == wanted


def test_n089_of_two_scans_at_once_one_works_and_one_commit_is_made(origins, tmp_path):
    repo, wanted = origins["grown"]
    mine = copy(repo, tmp_path / "race")
    source = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "tests.support.kill", "count", "0", str(mine.path)]
    racers = [
        subprocess.Popen(
            command, cwd=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    told = [racer.communicate(timeout=120)[1].decode() for racer in racers]
    codes = [racer.returncode for racer in racers]
    assert 0 in codes
    assert all("held by" in err for err, code in zip(told, codes, strict=True) if code)
    assert outcome(mine) == wanted


def test_n088_a_lock_of_a_dead_process_does_not_stop_the_next_scan(origins, tmp_path):
    repo, wanted = origins["fresh"]
    mine = copy(repo, tmp_path / "dead")
    assert kill.run("kill", 4, mine.path).returncode == -9
    assert (mine.path / ".git" / "intent" / "lock").exists()
    scan(mine.path)
    assert outcome(mine) == wanted


def test_after_a_kill_a_persons_edit_of_a_written_file_is_kept(origins, tmp_path):
    repo, _ = origins["grown"]
    mine = copy(repo, tmp_path / "edited")
    names = kill.effects(copy(repo, tmp_path / "count").path)
    assert kill.run("kill", names.index("ref refs/heads/main"), mine.path).returncode
    new = sorted(read_snapshot(mine.path).keys() - read_snapshot(repo.path).keys())[0]
    mine.write(new, mine.read(new) + b"\nA remark of mine.\n")
    edited = mine.read(new)
    scan(mine.path)
    assert mine.read(new) == edited
    assert new not in mine.git("ls-tree", "-r", "--name-only", "HEAD", STORE)
