"""What is found in a difference is what is found in two whole stores."""

import random
from dataclasses import replace

import pytest

from git_intent.git.objects import index_snapshot, snapshot
from git_intent.git.repository import Repository
from git_intent.guard.related import complete
from git_intent.guard.states import INDEX, WORK_TREE, Place, Sides, read_delta
from git_intent.store.intent_dir import (
    DOMAINS,
    STORE,
    read_snapshot,
    requirement_path,
)
from git_intent.store.requirement import Status
from git_intent.store.rules import Actor, judge
from git_intent.store.rules_view import Reader
from tests.support.repo import Repo
from tests.support.snapshots import T0, T1, content, requirement, superseded

IDS = [f"req-000{digit:x}" for digit in range(9)]


def sound(rng: random.Random) -> dict[str, bytes]:
    """A store without a fault: links lead upwards, so there is no circle."""
    found = {}
    for number, id in enumerate(IDS[:-2]):
        status = rng.choice(list(Status))
        above = IDS[number + 1 : -2]
        if status is Status.SUPERSEDED and not above:
            status = Status.ACTIVE
        found[requirement_path(id)] = content(
            requirement(
                id,
                status=status,
                superseded_by=rng.choice(above) if status is Status.SUPERSEDED else "",
                user_edited=rng.random() < 0.3,
            )
        )
    found[DOMAINS] = b"version: 1\ndomains:\n  - name: core\n    user_edited: true\n"
    return found


def edit(rng: random.Random, store: dict[str, bytes], *, last=False):
    """Some files changed in a way that may break a rule; only in the `last` state a
    file may claim the id of another, which a check of that file alone finds (I011)."""
    after = dict(store)
    for _ in range(rng.randint(0, 4)):
        id, by = rng.choice(IDS), rng.choice(IDS)
        new = requirement(id, updated=rng.choice([T1, T0]))
        chosen = rng.choice(
            [
                None,
                content(new),
                content(replace(new, statement="Other words.")),
                content(superseded(id, by)),
                content(replace(new, status=Status.SUPERSEDED)),
                content(replace(new, id=by if last else id)),
                b"no requirement\n",
                _spelt(superseded(id, by)),
            ]
        )
        if chosen is None:
            after.pop(requirement_path(id), None)
        else:
            after[requirement_path(id)] = chosen
    if rng.random() < 0.1:
        after.pop(DOMAINS, None)
    return after


def _spelt(found) -> bytes:
    """With a link that no search for its bytes finds."""
    hidden = found.superseded_by.replace("req-", r"re\x71-")
    data = content(found).replace(b"superseded_by: req-", b'superseded_by: "req-')
    old = f'superseded_by: "{found.superseded_by}'.encode()
    return data.replace(old, f'superseded_by: "{hidden}"'.encode())


def lay(repo: Repo, store: dict[str, bytes]) -> None:
    """Make the work tree's store this one."""
    for path in set(read_snapshot(repo.path)) - set(store):
        (repo.path / path).unlink()
    for path, data in store.items():
        repo.write(path, data)


def incremental(repo: Repo, sides: Sides, actor: Actor):
    reader = Reader()
    delta = complete(read_delta(Place.of(repo.path), sides), reader)
    return judge(delta.before, delta.after, actor, reader=reader)


def trial(repo: Repo, seed: int) -> None:
    rng = random.Random(seed)
    here = Repository.discover(repo.path)
    lay(repo, sound(rng))
    first = repo.commit("base")
    parents = [first]
    for name in ("one", "two")[: rng.choice([0, 0, 2])]:
        repo.git("checkout", "-q", "-B", name, first)
        lay(repo, edit(rng, snapshot(here, first, STORE)))
        parents = [p for p in parents if p != first] + [repo.commit(name)]
    if rng.random() < 0.1:
        parents = []
    repo.git("checkout", "-q", "-B", "result", parents[-1] if parents else first)
    start = snapshot(here, rng.choice(parents or [first]), STORE)
    lay(repo, edit(rng, start, last=True))
    befores = [snapshot(here, parent, STORE) for parent in parents]
    known = {
        found
        for before in befores
        for found in judge([before], before, Actor.PERSON)  # what was unsound before
    }
    for actor in Actor:
        whole = judge(befores, read_snapshot(repo.path), actor)
        found = incremental(repo, Sides(tuple(parents), WORK_TREE), actor)
        assert set(found) <= set(whole), seed
        assert set(whole) - set(found) <= known, seed
    repo.git("add", "-A")
    assert index_snapshot(here, STORE) == read_snapshot(repo.path)
    index = incremental(repo, Sides(tuple(parents), INDEX), Actor.AGENT)
    commit = repo.commit("result")
    assert index == incremental(repo, Sides(tuple(parents), commit), Actor.AGENT)


@pytest.mark.parametrize("seed", range(6))
def test_a_difference_is_judged_as_the_whole_is(repo, seed):
    for number in range(4):
        trial(repo, seed * 4 + number)


@pytest.mark.soak
def test_a_difference_is_judged_as_the_whole_is_many_times(repo):
    for seed in range(1000, 1600):
        trial(repo, seed)


def test_only_what_differs_and_what_it_names_is_read(repo):
    for path, data in sound(random.Random(3)).items():
        repo.write(path, data)
    chain = [superseded(f"req-1{n}00", f"req-1{n + 1}00") for n in range(5)]
    for found in (*chain, requirement("req-1500")):
        repo.write(requirement_path(found.id), content(found))
    base = repo.commit("base")
    repo.write(
        requirement_path("req-2000"), content(superseded("req-2000", "req-1300"))
    )
    reader = Reader()
    sides = Sides((base,), WORK_TREE)
    delta = complete(read_delta(Place.of(repo.path), sides), reader)
    assert {path[-11:-3] for path in delta.after} == {
        "req-2000",
        "req-1300",
        "req-1400",
        "req-1500",
    }
