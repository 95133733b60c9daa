"""Where the home's git directory lies, without asking git."""

import pytest

from git_intent.errors import IntentError
from git_intent.ledger.home import open_home, state_dir
from tests.support.repo import Repo


def real(repo: Repo) -> str:
    return repo.git("rev-parse", "--path-format=absolute", "--git-common-dir")


def test_a_work_tree_and_what_is_linked_to_it_are_one_home(repo, home):
    repo.commit("x")
    repo.git("worktree", "add", "-q", "../linked")
    (repo.path.parent / "link").symlink_to(repo.path)
    places = [repo.path, repo.path.parent / "linked", repo.path.parent / "link"]
    found = {open_home(str(place), str(home)) for place in places}
    assert {one.common_dir for one in found} == {real(repo)}


def test_a_submodule_has_a_home_of_its_own(repo, home):
    inner = Repo.init(repo.path.parent / "inner")
    inner.commit("x")
    repo.git("submodule", "add", "-q", str(inner.path), "sub")
    found = open_home(str(repo.path / "sub"), str(home))
    assert found.common_dir == real(Repo(repo.path / "sub"))
    assert found.common_dir.endswith(".git/modules/sub")


def test_a_bare_repository_below_the_users_folder(home):
    bare = Repo.init(home / "my chats.git", "--bare")
    assert open_home("~/my chats.git", str(home)).common_dir == str(bare.path)


@pytest.mark.parametrize("path", ["", "relative", "/nonexistent", "~"])
def test_what_is_no_repository_is_named(path, home):
    with pytest.raises(IntentError, match=r"intent\.ledgerHome"):
        open_home(path, str(home))


def test_a_folder_that_only_looks_like_a_repository(tmp_path, home):
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    with pytest.raises(IntentError, match="not a git repository"):
        open_home(str(tmp_path), str(home))


def test_projections_lie_in_the_common_directory(repo, home):
    found = open_home(str(repo.path), str(home))
    assert found.folder("Team", "a/b") == f"{real(repo)}/intent/ledger/%54eam/a%2fb"
    assert not (repo.path / ".git/intent").exists()


def test_the_users_state_folder():
    assert state_dir({"HOME": "/h"}) == "/h/.local/state/git-intent"
    assert state_dir({"HOME": "/h", "XDG_STATE_HOME": "/s"}) == "/s/git-intent"
    assert state_dir({"HOME": "/h", "XDG_STATE_HOME": "rel"}).startswith("/h/")
