"""Refs are read, and moved only from where they were seen."""

import pytest

from git_intent.git.refs import RefMovedError, for_each_ref, read_ref, swap_ref
from git_intent.git.repository import Repository

NAME = "refs/intent/runs/r1"


@pytest.fixture
def two(repo):
    return repo.commit("one"), repo.commit("two")


def test_a_ref_is_made_moved_and_ended(repo, two):
    one, other = two
    here = Repository.discover(repo.path)
    assert read_ref(here, NAME) == ""
    swap_ref(here, NAME, one, "", "begin")
    assert read_ref(here, NAME) == one
    swap_ref(here, NAME, other, one)
    assert for_each_ref(here, "refs/intent/") == {NAME: other}
    swap_ref(here, NAME, "", other)
    assert read_ref(here, NAME) == ""
    assert for_each_ref(here, "refs/intent/") == {}


@pytest.mark.parametrize("case", ["make", "move", "end"])
def test_a_ref_that_moved_is_left_alone(repo, two, case):
    one, other = two
    here = Repository.discover(repo.path)
    swap_ref(here, NAME, other, "")
    new, old = {"make": (one, ""), "move": (one, one), "end": ("", one)}[case]
    with pytest.raises(RefMovedError, match=NAME):
        swap_ref(here, NAME, new, old)
    assert read_ref(here, NAME) == other


def test_head_moves_its_branch_and_the_reflog_tells_why(repo, two):
    one, other = two
    swap_ref(Repository.discover(repo.path), "HEAD", one, other, "back to one")
    assert repo.head() == one
    assert repo.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert repo.git("reflog", "-1", "--format=%gs", "main") == "back to one"
