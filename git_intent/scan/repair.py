"""What a killed scan left behind: bring it to one of its two ends.

Either its commit was made, and only the index and the run's own state lag behind; or it
was not, and the store files that it had renamed into place are put back. Files that
somebody changed since are left as they are. Only the holder of the lock may do this.
"""

from dataclasses import replace

from git_intent import files
from git_intent.git import history, pending
from git_intent.git.repository import Repository
from git_intent.scan import changeset
from git_intent.scan import run as runs
from git_intent.scan.run import Run, Stage, State

TRAILER = "Intent-Scan"
PLAN = "plan.json"


def repair(repo: Repository) -> None:
    """Finish or undo every unfinished run of this project."""
    pending.settle(repo)
    for run, state in runs.unfinished(repo.common_dir, repo.root):
        if not run.has(changeset.NAME):
            continue
        commit = committed(repo, run, state)
        if commit:
            changeset.clear(run)
            run.save(replace(state, stage=Stage.DONE, commit=commit))
        else:
            undo(repo, run)
            run.save(replace(state, stage=Stage.FAILED, error="was interrupted"))


def undo(repo: Repository, run: Run) -> list[str]:
    """Put the store back; gives the paths that somebody else changed since."""
    foreign = changeset.put_back(run, repo.root, changeset.read(run))
    files.effect("forget plan")
    (run.folder / PLAN).unlink(missing_ok=True)
    changeset.clear(run)
    return foreign


def committed(repo: Repository, run: Run, state: State) -> str:
    """The commit that this run made, or nothing."""
    head = repo.head().oid
    if not head or head == state.head:
        return ""
    begun = [f"^{state.head}"] if repo.resolve(state.head) else []
    for commit in history.commits(repo, [head, *begun]):
        if f"{TRAILER}: {run.id}" in commit.body.splitlines():
            return commit.oid
    return ""
