"""What a run of CI is compared with, from its variables and its clone."""

import json
import os

import pytest

from git_intent.errors import IntentError
from git_intent.store.intent_dir import requirement_path
from tests.support.guarding import codes, judged, published, put
from tests.support.repo import Repo
from tests.support.snapshots import requirement, superseded

ONE = requirement("req-0001")
PATH = requirement_path("req-0001")
ZERO = "0" * 40


@pytest.fixture
def origin(repo: Repo) -> Repo:
    """`main`, and a branch `topic` that deletes a requirement in the first of two."""
    published(repo, ONE, requirement("req-0002"))
    repo.git("checkout", "-qb", "topic")
    repo.git("rm", "-q", PATH)
    repo.commit("delete")
    repo.commit("work", code="x")
    repo.git("checkout", "-q", "main")
    repo.commit("main goes on", notes="two")
    return repo


def clone(origin: Repo, tmp_path, *options: str, ref: str = "topic") -> Repo:
    """What CI works in: a clone with a detached HEAD."""
    place = tmp_path / "clone"
    origin.git("clone", "-q", *options, f"file://{origin.path}", str(place))
    found = Repo(place)
    if "--depth" not in options:
        found.git("fetch", "-q", "origin")
    found.git("checkout", "-q", "--detach", f"origin/{ref}")
    return found


def merged(origin: Repo) -> None:
    """The merge commit that GitHub makes of a pull request."""
    origin.git("checkout", "-qb", "pull", "main")
    origin.git("merge", "-q", "--no-edit", "topic")
    origin.git("checkout", "-q", "main")


def event(tmp_path, **content) -> dict[str, str]:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return {"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_EVENT_PATH": str(file)}


def hooked(repo: Repo, **environ: str):
    return judged(repo, hook=True, environ=environ)


GITHUB = {"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_BASE_REF": "main"}
GITLAB = {
    "CI": "true",
    "GITLAB_CI": "true",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
}


@pytest.mark.parametrize(
    "environ",
    [
        GITHUB,
        GITLAB,
        {"CI": "true", "CHANGE_TARGET": "main"},
        {"TF_BUILD": "True", "SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main"},
        {"CI": "true"},  # the default branch
        {},
    ],
)
def test_n154_all_files_of_a_pull_request_are_compared_with_its_target(
    origin, tmp_path, environ
):
    work = clone(origin, tmp_path)
    found = hooked(work, **environ)
    assert [f.code for f in found.issues] == ["I101"]
    assert found.notes


def test_n154_the_merge_commit_that_a_service_makes(origin, tmp_path):
    merged(origin)
    work = clone(origin, tmp_path, ref="pull")
    assert [f.code for f in hooked(work, **GITHUB).issues] == ["I101"]


def test_n154_gitlab_names_the_commit_itself(origin, tmp_path):
    base = origin.git("merge-base", "main", "topic")
    work = clone(origin, tmp_path, "--single-branch", "--branch", "topic")
    environ = {"CI": "true", "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    assert [f.code for f in hooked(work, **environ).issues] == ["I101"]


def test_n154_a_target_that_was_not_fetched_is_no_pass(origin, tmp_path):
    work = clone(origin, tmp_path, "--single-branch", "--branch", "topic")
    with pytest.raises(IntentError) as caught:
        hooked(work, **GITHUB)
    assert "main (GITHUB_BASE_REF) is not in this clone" in caught.value.message
    assert "git fetch origin" in caught.value.hint


def test_n154_pre_commit_passes_the_range_on(origin, tmp_path):
    work = clone(origin, tmp_path)
    environ = {"PRE_COMMIT_FROM_REF": "origin/main", "PRE_COMMIT_TO_REF": "HEAD"}
    assert [f.code for f in hooked(work, **environ).issues] == ["I101"]


def test_n154_without_remote_and_variables_the_last_commit_counts(origin):
    assert codes(origin, hook=True) == []
    origin.git("checkout", "-q", "topic")
    assert codes(origin, hook=True) == []
    origin.git("checkout", "-q", "topic~1")
    assert codes(origin, hook=True) == ["I101"]


def test_n154_something_staged_is_judged_before_all_else(origin, tmp_path):
    work = clone(origin, tmp_path)
    put(work, superseded("req-0003", "req-00ff"))
    work.git("add", "-A")
    assert [f.code for f in hooked(work).issues] == ["I102"]


def test_n155_a_range_starts_where_the_two_parted(origin):
    origin.git("checkout", "-qb", "other", "main")
    put(origin, requirement("req-0003"))
    origin.commit("main has more")
    assert codes(origin, from_ref="other", to_ref="topic") == ["I101"]
    origin.git("checkout", "-q", "main")
    assert codes(origin, from_ref="other", to_ref="main") == []


def test_n155_what_is_broken_and_repaired_inside_passes(origin):
    origin.git("checkout", "-q", "topic")
    put(origin, ONE)
    origin.commit("back again")
    assert codes(origin, from_ref="main", to_ref="topic") == []


def test_n155_a_base_that_was_rewritten(origin):
    old = origin.head()
    origin.git("commit", "-q", "--amend", "-m", "other words")
    assert codes(origin, from_ref=old, to_ref="main") == []
    assert codes(origin, from_ref=old, to_ref="topic") == ["I101"]


def test_n155_a_push_onto_a_base_that_is_gone_is_compared_with_the_default_branch(
    origin, tmp_path
):
    work = clone(origin, tmp_path)
    environ = event(tmp_path, before="1" * 40)
    assert [f.code for f in hooked(work, **environ).issues] == ["I101"]


def test_n155_a_default_branch_whose_base_is_gone_is_no_pass(origin, tmp_path):
    work = clone(origin, tmp_path, ref="main")
    with pytest.raises(IntentError) as caught:
        hooked(work, **event(tmp_path, before="1" * 40))
    assert "forced push" in caught.value.message
    assert "git fetch origin 1111" in caught.value.hint


def test_n155_a_push_is_compared_with_what_the_branch_was(origin, tmp_path):
    before = origin.git("rev-parse", "topic~1")
    work = clone(origin, tmp_path)
    assert hooked(work, **event(tmp_path, before=before)).issues == ()
    gitlab = {"CI": "true", "CI_COMMIT_BEFORE_SHA": before}
    assert hooked(work, **gitlab).issues == ()


def test_n155_names_that_nobody_knows(origin):
    with pytest.raises(IntentError) as caught:
        codes(origin, from_ref="nowhere")
    assert "nowhere: there is no such commit" in caught.value.message


def test_n155_histories_that_have_nothing_in_common(origin):
    origin.git("checkout", "-q", "--orphan", "new")
    origin.git("rm", "-qrf", ".")
    put(origin, requirement("req-0002"))
    origin.commit("new")
    assert codes(origin, from_ref="main", to_ref="new") == ["I101"]


DEPTHS = [
    (GITHUB, "fetch-depth: 0"),
    (GITLAB, 'GIT_DEPTH: "0"'),
    ({"CI": "true"}, "git fetch --unshallow"),
    ({"CI": "true", "GITHUB_ACTIONS": "true"}, "fetch-depth: 0"),
    ({"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_REF_TYPE": "tag"}, "fetch-depth"),
    ({"CI": "true", "GITLAB_CI": "true", "CI_COMMIT_BEFORE_SHA": ZERO}, "GIT_DEPTH"),
    ({"CI": "true", "CI_COMMIT_BEFORE_SHA": "1" * 40}, "fetch more history"),
    ({"PRE_COMMIT_FROM_REF": "origin/main", "CI": "1"}, "fetch more history"),
]


@pytest.mark.parametrize(("environ", "setting"), DEPTHS)
def test_n156_a_clone_of_depth_1_fails_and_names_the_setting(
    origin, tmp_path, environ, setting
):
    work = clone(origin, tmp_path, "--depth", "1", "--branch", "topic")
    done = work.intent("check", "--rules", env=environ)
    assert done.code == 1
    assert "fetch more history" in done.err
    assert setting in done.err


def test_n156_formats_are_checked_in_a_clone_of_depth_1(origin, tmp_path):
    work = clone(origin, tmp_path, "--depth", "1", "--branch", "topic")
    path = requirement_path("req-0002")
    assert work.intent("check", path, env={"CI": "true"}).code == 0
    work.write(path, work.read(path).replace(b"status: active", b"status: on"))
    assert "I008" in work.intent("check", path, env={"CI": "true"}).out


def test_n156_a_clone_of_depth_1_outside_of_ci_says_that_nothing_was_compared(
    origin, tmp_path
):
    work = clone(origin, tmp_path, "--depth", "1", "--branch", "topic")
    found = hooked(work)
    assert found.issues == ()
    assert "no older commit" in found.notes[0]


def test_n156_a_new_branch_is_compared_with_the_default_branch(origin, tmp_path):
    work = clone(origin, tmp_path)
    work.git("remote", "set-head", "origin", "--delete")
    default = {"repository": {"default_branch": "main"}}
    environ = event(tmp_path, before=ZERO, **default)
    assert [f.code for f in hooked(work, **environ).issues] == ["I101"]
    assert codes(work, from_ref=ZERO, environ=environ) == ["I101"]
    gitlab = {"CI": "true", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_BEFORE_SHA": ZERO}
    assert [f.code for f in hooked(work, **gitlab).issues] == ["I101"]


def test_n156_a_tag_is_compared_with_the_commit_before(origin, tmp_path):
    origin.git("checkout", "-q", "main")
    origin.git("rm", "-q", PATH)
    origin.commit("a bad release")
    origin.git("tag", "v1")
    work = clone(origin, tmp_path, ref="main")
    work.git("checkout", "-q", "v1")
    environ = event(tmp_path, before=ZERO)
    assert [f.code for f in hooked(work, **environ).issues] == ["I101"]


def test_n156_the_first_commit_of_all(repo, tmp_path):
    put(repo, ONE)
    repo.commit("first")
    assert hooked(repo, **event(tmp_path, before=ZERO)).issues == ()


def test_a_merge_queue_names_its_base(origin, tmp_path):
    base = origin.git("rev-parse", "main")
    merged(origin)
    work = clone(origin, tmp_path, ref="pull")
    environ = event(tmp_path, merge_group={"base_sha": base})
    assert [f.code for f in hooked(work, **environ).issues] == ["I101"]


def test_an_event_that_cannot_be_read_says_nothing(origin, tmp_path):
    work = clone(origin, tmp_path)
    (tmp_path / "event.json").write_text("[", encoding="utf-8")
    environ = {"CI": "true", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")}
    assert [f.code for f in hooked(work, **environ).issues] == ["I101"]


def test_a_partial_clone_without_the_files_is_no_pass(origin, tmp_path):
    origin.git("config", "uploadpack.allowFilter", "true")
    work = clone(origin, tmp_path, "--filter=blob:none", "--no-checkout")
    os.environ["GIT_NO_LAZY_FETCH"] = "1"
    with pytest.raises(IntentError) as caught:
        codes(work, from_ref="origin/main")
    assert "partial" in caught.value.message
