"""Random pairs of branches: the driver and `resolve` agree, and nothing is lost."""

from dataclasses import replace
from random import Random

import pytest

from git_intent.git.objects import snapshot
from git_intent.git.repository import Repository
from git_intent.review.merge_markers import sides
from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.requirement import Provenance, Scope, Status
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules import Actor, judge
from git_intent.store.wording import normalise
from tests.support.merging import branches, merge, put, register
from tests.support.repo import Repo
from tests.support.snapshots import T1, T2, requirement

IDS = [f"req-000{number}" for number in range(6)]


def change(roll, one, who):
    """What somebody may do to a requirement on a branch."""
    kind = roll.choice(["words", "why", "hint", "off", "end", "paths", "flag", "no"])
    changed = {
        "words": {
            "statement": f"{who} words {roll.randrange(2)}.",
            "user_edited": True,
        },
        "why": {"rationale": f"Because of {roll.randrange(2)}."},
        "hint": {"hints": (*one.hints, f"hint {roll.randrange(4)}")},
        "off": {"status": Status.DISABLED},
        "end": {
            "status": Status.SUPERSEDED,
            "superseded_by": roll.choice(["req-0008", "req-0009"]),
        },
        "paths": {"scope": Scope(paths=(f"{roll.choice('ab')}/**",))},
        "flag": {"user_edited": True},
        "no": {},
    }[kind]
    if changed:
        changed["updated"] = T1 if who == "Ours" else T2
    return replace(one, **changed)


def added(roll, id, who):
    """A requirement that a branch adds under an id that the other may add as well."""
    stamp = T1 if who == "Ours" else T2
    said = roll.choice(["Found by both.", f"Found by {who}, {id}."])
    origin = Provenance("doc", f"{who}.md", stamp, "intent-scan")
    return requirement(
        id, statement=f"{said} {id}", provenance=origin, created=stamp, updated=stamp
    )


def trial(repo: Repo, seed: int) -> None:
    roll = Random(seed)
    fixed = [requirement("req-0008"), requirement("req-0009")]
    base = [requirement(id, hints=("a hint",), rationale="Once.") for id in IDS[:4]]
    said = {
        who: [
            *(change(roll, change(roll, one, who), who) for one in base),
            *(added(roll, id, who) for id in IDS[4:] if roll.random() < 0.8),
        ]
        for who in ("Ours", "Theirs")
    }
    branches(
        repo,
        lambda: put(repo, *fixed, *base),
        lambda: put(repo, *said["Ours"]),
        lambda: put(repo, *said["Theirs"]),
    )
    left = []
    for driver in (False, True):
        if driver:
            register(repo)
        clean, _ = merge(repo)
        done = repo.intent("resolve")
        assert done.code in (0, 1), done.err
        result = read_snapshot(repo.path)
        undecided = {p for p, data in result.items() if b"\n<<<<<<< " in data}
        assert (done.code == 1) >= bool(undecided), done.out
        kept_all(said, base, result)
        keeps_rules(repo, result, undecided)
        left.append(result)
        repo.git("merge", "--abort", check=False)
        repo.git("reset", "-q", "--hard", "main~0" if not clean else "main~1")
        repo.git("clean", "-qfd")
    by_git, by_driver = (
        {p: meaning(p, data) for p, data in files.items()} for files in left
    )
    assert by_git == by_driver


def meaning(path, data):
    both = sides(data)
    versions = (both.ours, both.theirs) if both else (data,)
    return [parse_requirement(v, path) for v in versions if path.endswith(".md")]


def kept_all(said, base, result):
    """Every statement that a side made stands somewhere."""
    text = normalise(b"\n".join(result.values()).decode())
    before = {one.statement for one in base}
    for one in (*said["Ours"], *said["Theirs"]):
        if one.statement not in before:
            assert normalise(one.statement) in text


def keeps_rules(repo, result, undecided):
    known = Repository.discover(repo.path)
    parents = [snapshot(known, rev, ".cloche") for rev in ("main", "topic")]
    for side in (*parents, result):
        for path in undecided:
            side.pop(path, None)
    assert not load_store(result).issues
    assert [i for i in judge(parents, result, Actor.PERSON) if i.code != "I031"] == []


@pytest.mark.parametrize("seed", range(2))
def test_driver_and_resolve_agree_and_nothing_is_lost(repo, seed):
    trial(repo, seed)


@pytest.mark.soak
def test_driver_and_resolve_agree_in_many_trials(tmp_path):
    for seed in range(100, 200):
        trial(Repo.init(tmp_path / str(seed)), seed)
