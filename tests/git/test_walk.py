"""A walk reads in a quick order and gives that of `commits`, whatever the dates."""

import random
import subprocess

import pytest

from git_intent.git.history import commit_of, commits
from git_intent.git.repository import Repository
from git_intent.git.walk import Walk


def history(repo, parents_of, times):
    """Commits by number, each with these parents and time; a branch at the last."""
    stream = []
    for number, (parents, time) in enumerate(zip(parents_of, times, strict=True)):
        text = f"commit {number}"
        stream += [
            "commit refs/heads/main\n" if parents else "reset refs/heads/main\n\n",
            "" if parents else "commit refs/heads/main\n",
            f"mark :{number + 1}\ncommitter A <a@x> {time} +0000\n",
            f"data {len(text)}\n{text}\n",
            *(
                f"{'merge' if at else 'from'} :{parent + 1}\n"
                for at, parent in enumerate(parents)
            ),
        ]
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"],
        cwd=repo.path,
        input="".join(stream).encode(),
        check=True,
    )
    return Repository.discover(repo.path)


def ordered(opened, spec, **more):
    walk = Walk(opened, spec, **more)
    found = {row[0]: commit_of(*row) for row in walk}
    return walk.oldest_first(found)


def random_history(seed, count=60):
    """Forks, merges of up to four and several roots; dates that agree, tie or lie."""
    chance = random.Random(seed)
    slope, spread = [(1, 0), (8, 9), (1, 1), (0, 0), (1, 40), (-3, 5)][seed % 6]
    parents_of, times = [], []
    for number in range(count):
        reach = range(max(0, number - chance.choice([1, 1, 3, 8])), number)
        many = chance.choice([1, 1, 1, 2, 2, 3, 4])
        parents = chance.sample(reach, min(many, len(reach)))
        parents_of.append(parents if number and chance.random() > 0.03 else [])
        times.append(10**9 + slope * number + chance.randint(0, spread))
    parents_of[-1] = sorted({*range(count - 4, count - 1), *parents_of[-1]})
    return parents_of, times


@pytest.mark.parametrize("seed", range(24))
def test_n060_a_walk_gives_the_order_of_commits(repo, seed):
    opened = history(repo, *random_history(seed))
    if seed % 2:  # git walks otherwise with it
        repo.git("commit-graph", "write", "--reachable")
    assert ordered(opened, ["HEAD"]) == list(commits(opened, ["HEAD"]))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 400))
def test_n060_a_walk_gives_the_order_of_commits_in_many_histories(repo, seed):
    opened = history(repo, *random_history(seed))
    assert ordered(opened, ["HEAD"]) == list(commits(opened, ["HEAD"]))


@pytest.mark.parametrize("seed", range(100, 106))
def test_n060_a_walk_with_a_bound_or_a_border_gives_the_order_of_commits(repo, seed):
    opened = history(repo, *random_history(seed))
    oids = [c.oid for c in commits(opened, ["HEAD"])]
    for count in (1, 7, 30):
        assert ordered(opened, ["HEAD"], max_count=count) == list(
            commits(opened, ["HEAD"], count)
        )
    spec = ["HEAD", f"^{oids[10]}", f"^{oids[30]}"]
    assert ordered(opened, spec) == list(commits(opened, spec))


FORK = [[], [0], [0], [1], [2], [3, 4]]


@pytest.mark.parametrize(
    ("parents_of", "times"),
    [
        ([[], [0], [1]], [3, 2, 1]),  # a line, whatever its dates
        ([[], [0], [1]], [1, 1, 1]),
        (FORK, [1, 2, 3, 4, 5, 6]),
        (FORK, [1, 3, 2, 3, 4, 5]),  # parent and child of one second
        (FORK, [1, 2, 2, 4, 5, 6]),  # side by side in one second
        (FORK, [7, 2, 3, 4, 5, 6]),  # the root younger than its children
        (FORK, [1, 2, 3, 0, 5, 6]),  # a time that git may not take for one
        (FORK, [1, 2, 3, 2**40, 2**41, 6]),
    ],
)
def test_n060_a_walk_gives_the_order_of_commits_in_doubt(repo, parents_of, times):
    opened = history(repo, parents_of, times)
    assert ordered(opened, ["HEAD"]) == list(commits(opened, ["HEAD"]))


def test_a_walk_gives_what_was_found_and_nothing_else(repo):
    assert ordered(Repository.discover(repo.path), []) == []
    opened = history(repo, FORK, [1, 2, 2, 2, 2, 2])
    walk = Walk(opened, ["HEAD"])
    oids = [row[0] for row in walk]
    assert walk.oldest_first({}) == []
    kept = {oid: number for number, oid in enumerate(oids) if number % 2}
    assert sorted(walk.oldest_first(kept)) == sorted(kept.values())


def test_n066_a_graft_and_a_shallow_border_end_a_walk(repo, tmp_path):
    opened = history(repo, FORK, [1, 2, 2, 4, 5, 6])
    oids = [c.oid for c in commits(opened, ["HEAD"])]
    repo.git("replace", "--graft", oids[-1], oids[-2])
    assert ordered(opened, ["HEAD"]) == list(commits(opened, ["HEAD"]))
    repo.git("clone", "-q", "--depth=2", f"file://{repo.path}", str(tmp_path / "s"))
    shallow = Repository.discover(tmp_path / "s")
    read = ordered(shallow, ["HEAD"])
    assert read == list(commits(shallow, ["HEAD"]))
    assert len(read) == 3


def test_a_commit_without_a_time_is_read(repo):
    tree = repo.git("write-tree")
    raw = f"tree {tree}\nauthor A <a@x>\ncommitter A <a@x>\n\ntext\n"
    oid = repo.git(
        "hash-object", "-t", "commit", "-w", "--literally", "--stdin", input=raw
    )
    repo.git("update-ref", "HEAD", oid)
    opened = Repository.discover(repo.path)
    (read,) = ordered(opened, ["HEAD"])
    assert (read.oid, read.subject, read.time) == (oid, "text", 0)
