"""What is kept of earlier checks changes their cost and never what they find."""

import random
import shutil

import pytest

from git_intent import secrets
from git_intent.git.repository import Repository
from git_intent.guard import known, stored
from git_intent.guard.projects import Side, State, store_at
from git_intent.guard.request import Request
from git_intent.guard.whole import check_all
from git_intent.store.intent_dir import DOMAINS, REQUIREMENTS
from git_intent.store.requirement import Level, Scope, Status
from tests.support.snapshots import content, requirement, superseded

IDS = [f"req-000{digit:x}" for digit in range(10)]
INDEX = Side(State.INDEX)


@pytest.fixture(autouse=True)
def always_kept(monkeypatch):
    monkeypatch.setattr(known, "_WORTH", 0)


@pytest.fixture
def read(monkeypatch):
    """The names of the files whose bytes were asked for."""
    paths: list[str] = []
    load = stored.Stored.load

    def noted(self, asked):
        names = list(asked)
        paths.extend(name.rpartition("/")[2] for name in names)
        return load(self, names)

    monkeypatch.setattr(stored.Stored, "load", noted)
    return paths


def cache_of(repo):
    return repo.path / ".git/intent/cache/check"


def checked(repo, **asked):
    request = Request(repo.path, **asked)
    return check_all(Repository.discover(repo.path), request).issues


def change(repo, rng: random.Random) -> None:
    """Write, break or remove some files."""
    for id in rng.sample(IDS, rng.randint(1, 3)):
        path = f"{REQUIREMENTS}/{rng.choice(IDS) if rng.random() < 0.1 else id}.md"
        (repo.path / path).unlink(missing_ok=True)
        scope = Scope(Level.DOMAIN, (rng.choice("ab"),), (rng.choice(["*.py", "x/"]),))
        words = rng.choice(["Do it.", "do it", "Leave it."])
        good = requirement(id, statement=words, scope=rng.choice([Scope(), scope]))
        data = {
            "good": content(good),
            "other": content(good).replace(b"\nstatus: ", b"\n# said\nstatus:  "),
            "link": content(superseded(id, rng.choice(IDS))),
            "off": content(requirement(id, status=Status.DISABLED)),
            "broken": b"---\nstatus: superseded\n",
            "gone": None,
        }[rng.choice(["good", "good", "other", "link", "off", "broken", "gone"])]
        if data is not None:
            repo.write(path, data)
    names = "".join(
        f"  - name: {n}\n    description: x\n" for n in rng.choice(["a", "ab"])
    )
    repo.write(DOMAINS, f"version: 1\ndomains:\n{names}")


@pytest.mark.parametrize("seed", range(2))
def test_with_without_and_beside_a_stale_or_damaged_cache_the_same_is_found(repo, seed):
    rng = random.Random(seed)
    repo.commit("start", **{"a.py": "x"})
    stale = b""
    for _ in range(4):
        change(repo, rng)
        repo.git("add", "-A")
        for asked in ({"hook": True}, {"staged": True}):
            found = checked(repo, **asked)
            shutil.rmtree(repo.path / ".git/intent")
            assert checked(repo, **asked) == found
            assert checked(repo, **asked) == found
            fresh = cache_of(repo).read_bytes()
            bad = (fresh[:-9], b"\0" + fresh[1:], fresh[:-1] + b"!", b"")
            for data in (stale, rng.choice(bad)):
                cache_of(repo).write_bytes(data)
                assert checked(repo, **asked) == found
        stale = fresh


def test_n162_only_what_changed_is_read(repo, read):
    for id in IDS:
        words = f"Keep {id}."
        repo.write(f"{REQUIREMENTS}/{id}.md", content(requirement(id, statement=words)))
    repo.commit("store")
    checked(repo, staged=True)
    read.clear()
    assert checked(repo, staged=True) == ()
    assert read == []
    repo.write(
        f"{REQUIREMENTS}/{IDS[3]}.md", content(requirement(IDS[3], statement="X."))
    )
    repo.git("add", "-A")
    checked(repo, staged=True)
    assert read == [f"{IDS[3]}.md"]
    read.clear()
    checked(repo, hook=True)
    assert read == []


def test_what_the_hook_kept_does_not_count_as_sound(repo, read):
    secret = "gh" + "p_" + "AbCdEfGh1234567890iJkLmNoPqRsTuVwXyZ"
    path = f"{REQUIREMENTS}/{IDS[0]}.md"
    repo.write(path, content(requirement(IDS[0], statement=f"Use {secret}.")))
    repo.git("add", "-A")
    assert checked(repo, hook=True) == ()
    for _ in range(2):
        assert [found.code for found in checked(repo, staged=True)] == ["I041"]


def test_a_changed_program_believes_nothing(repo, read, monkeypatch):
    repo.write(f"{REQUIREMENTS}/{IDS[0]}.md", content(requirement(IDS[0])))
    repo.git("add", "-A")
    checked(repo, staged=True)
    monkeypatch.setattr(known, "_modules", lambda: [secrets.__file__])
    read.clear()
    checked(repo, staged=True)
    assert read == [f"{IDS[0]}.md"]


def test_a_git_directory_that_cannot_be_written_stops_nothing(repo):
    repo.write(f"{REQUIREMENTS}/{IDS[0]}.md", content(requirement(IDS[0])))
    repo.git("add", "-A")
    (repo.path / ".git/intent").write_text("in the way", encoding="utf-8")
    assert checked(repo, staged=True) == ()


def test_a_store_reads_single_files_and_closes_its_git(repo):
    path = f"{REQUIREMENTS}/{IDS[0]}.md"
    repo.write(path, content(requirement(IDS[0])))
    repo.git("add", "-A")
    found = store_at(Repository.discover(repo.path), INDEX)
    with found:
        assert found[path] == content(requirement(IDS[0]))
    assert (len(found), path in found, found.get("other")) == (1, True, None)
