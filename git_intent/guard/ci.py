"""What a CI service says about the commits of a run, in its environment.

GitHub, Gitea and Forgejo name the branch that a pull request is to go into
(`GITHUB_BASE_REF`), and keep the whole event in a file (`GITHUB_EVENT_PATH`), where a
push has its `before`. GitLab names the commit that a merge request starts from, and for
a push `CI_COMMIT_BEFORE_SHA`. Other services have variables of their own.

Whatever is set and names a commit is taken; the default branch comes after it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

#: Variables with the commit that a change starts from.
COMMITS = ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "BITBUCKET_PR_DESTINATION_COMMIT")
#: Variables with the name of the branch that a change is to go into.
BRANCHES = (
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",  # GitLab
    "CHANGE_TARGET",  # Jenkins
    "SYSTEM_PULLREQUEST_TARGETBRANCH",  # Azure Pipelines
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "CI_COMMIT_TARGET_BRANCH",  # Woodpecker
    "DRONE_TARGET_BRANCH",
)
#: Variables with the commit that the branch stood at before the push.
BEFORE = ("CI_COMMIT_BEFORE_SHA", "DRONE_COMMIT_BEFORE", "CI_PREV_COMMIT_SHA")
#: Variables with the name of the project's default branch.
DEFAULTS = ("CI_DEFAULT_BRANCH", "CI_REPO_DEFAULT_BRANCH", "DRONE_REPO_BRANCH")

#: Variable of a service → how its clones get all of the history.
DEPTHS = {
    "GITHUB_ACTIONS": "set `fetch-depth: 0` of actions/checkout",
    "GITLAB_CI": 'set the variable `GIT_DEPTH: "0"`',
    "TF_BUILD": "set `fetchDepth: 0` of the checkout step",
    "BITBUCKET_BUILD_NUMBER": "set `clone: depth: full`",
    "TRAVIS": "set `git: depth: false`",
    "DRONE": "set `clone: depth: 0`",
    "JENKINS_URL": "clear `Shallow clone` of the Git plugin",
}
_ANY_DEPTH = "let the clone have all of its history (`git fetch --unshallow`)"
_NO = ("", "0", "false")


@dataclass(frozen=True, slots=True)
class Hint:
    """A commit or branch to compare with, and which variable names it.

    A change starts `exactly` at such a commit; one that the branch stood at before may
    be gone, if somebody rewrote the branch.
    """

    names: tuple[str, ...]
    source: str
    exactly: bool = True


def in_ci(environ: Mapping[str, str]) -> bool:
    return any(environ.get(name, "").lower() not in _NO for name in ("CI", *DEPTHS))


def more_history(environ: Mapping[str, str]) -> str:
    """What to do in this service to get more than the last commits."""
    for name, setting in DEPTHS.items():
        if environ.get(name, "").lower() not in _NO:
            return f"fetch more history: {setting}"
    return f"fetch more history: {_ANY_DEPTH}"


def hints(environ: Mapping[str, str]) -> Iterator[Hint]:
    """What to compare with, the best first; all of it may be wrong or missing."""
    for name in COMMITS:
        if value := _commit(environ.get(name, "")):
            yield Hint((value,), name)
    for name in BRANCHES:
        if value := environ.get(name, ""):
            yield Hint(branch(value), name)
    event = _event(environ)
    merge_group = event.get("merge_group")
    if isinstance(merge_group, dict) and merge_group.get("base_sha"):
        yield Hint((str(merge_group["base_sha"]),), "merge_group of GITHUB_EVENT_PATH")
    if value := _commit(str(event.get("before") or "")):
        yield Hint((value,), "before of GITHUB_EVENT_PATH", exactly=False)
    for name in BEFORE:
        if value := _commit(environ.get(name, "")):
            yield Hint((value,), name, exactly=False)


def default_branches(environ: Mapping[str, str]) -> Iterator[Hint]:
    """The branch that everything goes into in the end."""
    for name in DEFAULTS:
        if value := environ.get(name, ""):
            yield Hint(branch(value), name)
    repository = _event(environ).get("repository")
    if isinstance(repository, dict) and repository.get("default_branch"):
        yield Hint(branch(str(repository["default_branch"])), "GITHUB_EVENT_PATH")


def branch(name: str) -> tuple[str, ...]:
    """How a clone may know a branch of the place that it was cloned from."""
    short = name.removeprefix("refs/heads/")
    return f"refs/remotes/origin/{short}", f"refs/heads/{short}"


def _commit(value: str) -> str:
    """A commit's id; the id of no commit stands for a branch that is new."""
    return value if value.strip("0") else ""


def _event(environ: Mapping[str, str]) -> Mapping[str, object]:
    """The event that started a run, as GitHub's runner leaves it in a file."""
    path = environ.get("GITHUB_EVENT_PATH", "")
    if not path:
        return {}
    try:
        found = json.loads(Path(path).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
