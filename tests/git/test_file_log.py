"""The history of one file, against what git itself lists."""

from random import Random

import pytest

from git_intent.git.file_log import file_graph, file_log, merged_by
from git_intent.git.objects import read_names
from git_intent.git.repository import Repository
from tests.support.repo import Repo

PATH = "a/x.md"


def there(repo: Repo) -> Repository:
    return Repository.discover(repo.path)


def listed(repo: Repo, *options: str) -> list[str]:
    return repo.git("log", "--format=%H", *options, "--", PATH).split()


def random_history(repo: Repo, seed: int, commits: int = 14) -> None:
    """Commits and merges on three branches, some of which touch the file."""
    roll = Random(seed)
    repo.commit_files({PATH: "0\n", "other": "0\n"})
    for name in ("b", "c"):
        repo.git("branch", name)
    for number in range(commits):
        repo.git("switch", "-q", roll.choice(["main", "b", "c"]))
        if roll.random() < 0.3:
            other = roll.choice(["main", "b", "c"])
            repo.git("merge", "-q", "--no-ff", "--no-commit", other, check=False)
            if roll.random() < 0.6:
                repo.write(PATH, f"{roll.randrange(3)}\n")
        elif roll.random() < 0.5:
            repo.write(PATH, f"{roll.randrange(3)}\n")
        repo.write("other", f"{number}\n")
        repo.commit(f"c{number}")
    repo.git("switch", "-q", "main")


@pytest.mark.parametrize("seed", range(3))
def test_n166_the_commits_are_those_that_git_lists(repo, seed):
    random_history(repo, seed)
    for rev in ("HEAD", "b", "c"):
        steps = file_log(there(repo), PATH, rev)
        wanted = repo.git("log", "--format=%H", rev, "--", PATH).split()
        assert [step.commit for step in steps] == wanted
    parents = {o: repo.git("rev-parse", f"{o}^@").split() for o in wanted}
    for step in file_log(there(repo), PATH, "c"):
        names = [f"{oid}:{PATH}" for oid in (*parents[step.commit], step.commit)]
        blobs = repo.git("rev-parse", *names).split()
        assert [*step.before, step.after][-len(blobs) :] == blobs
        assert len(step.before) == max(len(parents[step.commit]), 1)


@pytest.mark.parametrize("seed", range(3))
def test_the_graph_has_every_commit_that_has_another_file_than_its_parents(repo, seed):
    random_history(repo, seed)
    graph = file_graph(there(repo), PATH)
    names = ["HEAD", *graph]
    contents = read_names(there(repo), [f"{name}:{PATH}" for name in names])
    assert contents[0] == contents[1]
    assert {older for some in graph.values() for older in some} <= set(graph)
    assert set(listed(repo, "--full-history")) <= set(graph)


def test_n166_a_commit_that_came_in_by_a_merge_names_it(repo):
    repo.commit_files({PATH: "0\n"})
    repo.git("switch", "-q", "-c", "topic")
    changed = repo.commit(**{PATH: "1\n"})
    repo.git("switch", "-q", "-c", "inner")
    deeper = repo.commit(**{PATH: "2\n"})
    repo.git("switch", "-q", "topic")
    repo.git("merge", "-q", "--no-ff", "-m", "inner", "inner")
    repo.git("switch", "-q", "main")
    repo.commit(other="x")
    repo.git("merge", "-q", "--no-ff", "-m", "topic", "topic")
    merge = repo.head()
    last = repo.commit(**{PATH: "3\n"})
    assert merged_by(there(repo), PATH) == {changed: merge, deeper: merge}
    first = listed(repo)[-1]
    assert [s.commit for s in file_log(there(repo), PATH)] == [
        last,
        deeper,
        changed,
        first,
    ]


def test_a_merge_that_made_something_of_its_own_has_both_parents(repo):
    repo.commit_files({PATH: "0\n"})
    repo.git("switch", "-q", "-c", "topic")
    repo.commit(**{PATH: "1\n"})
    repo.git("switch", "-q", "main")
    repo.commit(**{PATH: "2\n"})
    repo.git("merge", "-q", "topic", check=False)
    repo.write(PATH, "3\n")
    merge = repo.commit("merge")
    step = file_log(there(repo), PATH)[0]
    assert step.commit == merge
    assert len(step.before) == 2


def test_a_deleted_file_and_one_that_never_was(repo):
    repo.commit_files({PATH: "0\n", "b": ""})
    repo.git("rm", "-q", PATH)
    repo.commit()
    gone, made = file_log(there(repo), PATH)
    assert (gone.after, made.before) == ("", ("",))
    assert file_log(there(repo), "never") == []
    assert file_graph(there(repo), "never") == {}
