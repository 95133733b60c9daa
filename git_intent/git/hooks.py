"""The user's commit hooks, run as `git commit` runs them.

A hook runs where its files are: at the top of the user's work tree if the tracked files
there are exactly those of the new commit, else in a work tree aside. So a hook that
puts unstaged changes out of the way (pre-commit does) never finds any.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.aside import Aside
from git_intent.git.identity import identities
from git_intent.git.process import git_result, run_git, run_hook
from git_intent.git.repository import Repository


class HookRefusedError(IntentError):
    """A hook said no; `output` holds its words."""

    def __init__(self, hook: str, output: str, hint: str) -> None:
        words = output.strip() or "it printed nothing"
        super().__init__(f"the {hook} hook refused the commit:\n{words}", hint)
        self.hook = hook
        self.output = output


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of one commit and where they run; `index` is the user's own."""

    folder: Path
    index: Path
    worktree: Path
    in_place: bool
    env: Mapping[str, str] = field(default_factory=dict)

    def run(self, name: str, *args: str) -> None:
        """Run a hook, if there is one; raises HookRefusedError."""
        code, output = self._run(name, args, {})
        if code:
            raise HookRefusedError(name, output, self._hint())

    def tell(self, name: str) -> None:
        """Run a hook that can no longer refuse, after the commit."""
        index = {"GIT_INDEX_FILE": str(self.index)} if self.in_place else {}
        self._run(name, (), index)

    def _run(
        self, name: str, args: Sequence[str], more: Mapping[str, str]
    ) -> tuple[int, str]:
        script = self.folder / name
        if not _runs(script):
            return 0, ""
        env = {**self.env, **more}
        return run_hook([str(script), *args], cwd=self.worktree, env=env)

    def _hint(self) -> str:
        if self.in_place:
            return "nothing was committed; make the hook pass and run this again"
        return (
            "nothing was committed; the hook ran on a copy, since there are other "
            "uncommitted changes: without them it runs in the work tree itself"
        )


def hooks_folder(repo: Repository) -> Path:
    """Where git looks for hooks; `core.hooksPath` counts."""
    out = run_git(
        ["rev-parse", "--path-format=absolute", "--git-path", "hooks"],
        cwd=repo.worktree or repo.git_dir,
        env=repo.exports,
    )
    return Path(os.fsdecode(out).removesuffix("\n"))


def prepare_hooks(
    place: Aside, tree: str, names: Sequence[str], told: Mapping[str, str] = {}
) -> Hooks:
    """Decide where the hooks of a commit of `tree` run, and make the place ready.

    `told` are variables for them, besides those that git sets.
    """
    repo = place.repo
    top = repo.worktree
    assert top is not None
    folder = hooks_folder(repo)
    if not any(_runs(folder / name) for name in names):
        return Hooks(folder, repo.index_file, top, in_place=True)
    place.adopt_index(tree)
    in_place = _holds_exactly(place, top)
    if not in_place:
        place.fill()
    worktree = top if in_place else place.worktree
    env = place.environment(worktree)
    if in_place and (top / ".git").is_dir() and not repo.exports:
        # as git does: hooks find the repository from where they run
        del env["GIT_DIR"], env["GIT_WORK_TREE"]
    env |= {"GIT_EDITOR": ":", "GIT_PREFIX": "", **identities(repo), **told}
    return Hooks(folder, repo.index_file, worktree, in_place, env)


def _runs(script: Path) -> bool:
    return script.is_file() and os.access(script, os.X_OK)


def _holds_exactly(place: Aside, top: Path) -> bool:
    """Whether the tracked files below `top` are those of the index aside."""
    env = place.environment(top)
    git_result(["update-index", "-q", "--refresh"], cwd=top, env=env)
    args = ["diff-files", "--quiet", "--ignore-submodules"]
    code, _, _ = git_result(args, cwd=top, env=env)
    return code == 0
