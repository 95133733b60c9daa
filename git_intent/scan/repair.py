"""What a killed scan left behind: bring it to one of its two ends.

Either its commit was made, and only the index and the run's own state lag behind; or it
was not, and the store files that it had renamed into place are put back. Files that
somebody changed since are left as they are. Only the holder of the lock may do this.
"""

from collections.abc import Sequence
from dataclasses import replace

from git_intent import files
from git_intent.git import history, objects, pending
from git_intent.git.repository import Repository
from git_intent.scan import changeset
from git_intent.scan import run as runs
from git_intent.scan.run import Run, Stage, State
from git_intent.store.intent_dir import STORE

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
    """Put the store back; gives the paths that somebody else changed since.

    What the user committed or staged in the meantime stays.
    """
    changes = changeset.read(run)
    taken = _taken(repo, [change.path for change in changes])
    foreign = changeset.put_back(run, repo.root, changes, taken)
    files.effect("forget plan")
    (run.folder / PLAN).unlink(missing_ok=True)
    changeset.clear(run)
    return foreign


def _taken(repo: Repository, paths: Sequence[str]) -> set[str]:
    """Those of the paths that HEAD or the index holds as the work tree does."""
    present = [path for path in paths if (repo.root / path).is_file()]
    if not present:
        return set()
    held = {(e.path, e.oid) for e in objects.index_entries(repo, STORE)}
    head = repo.head()
    if not head.unborn:
        held |= {(e.path, e.oid) for e in objects.tree(repo, head.oid, STORE)}
    return {p for p, oid in stored_ids(repo, present).items() if (p, oid) in held}


def stored_ids(repo: Repository, paths: Sequence[str]) -> dict[str, str]:
    """The ids that git would give to files of the work tree, filters applied."""
    # git takes these paths from the top of the work tree, wherever it is started
    asked = "".join(f"{repo.to_top(path)}\n" for path in paths).encode()
    oids = repo.git("hash-object", "--stdin-paths", input=asked).decode().split()
    return dict(zip(paths, oids, strict=True))


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
