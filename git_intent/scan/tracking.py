"""What the workflow files say about opt-outs, today and when a run took place.

A run is out if it was so when it ran or is so now. Now is what lies in the work tree,
and what HEAD holds; then is what HEAD's history held at that time.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from git_intent.git import history, objects
from git_intent.git.repository import Repository
from git_intent.workflow.catalog import FOLDER, is_workflow_file, read_files
from git_intent.workflow.opt_out import OptOuts, opt_outs

#: Time of a run (seconds since 1970, 0: unknown) → every state that concerns it.
StatesAt = Callable[[int], Sequence[OptOuts]]


def states_at(repo: Repository) -> StatesAt:
    """Ask git once what the workflow files have been, and answer for any time."""
    head = repo.head().oid
    now = [opt_outs(read_files(repo.root))]
    if not head:
        return lambda time: now
    found = history.versions(repo, FOLDER, head)
    files = {path: vs for path, vs in found.items() if is_workflow_file(path)}
    commits = {version.commit for versions in files.values() for version in versions}
    times = {c.oid: c.time for c in history.read_commits(repo, commits).values()}
    now.append(opt_outs(_contents(repo, {p: vs[0].blob for p, vs in files.items()})))

    @lru_cache(maxsize=64)
    def held(chosen: tuple[tuple[str, str], ...]) -> OptOuts:
        return opt_outs(_contents(repo, dict(chosen)))

    def at(time: int) -> Sequence[OptOuts]:
        if not time:
            return now
        chosen = {
            path: next((v.blob for v in vs if times.get(v.commit, 0) <= time), "")
            for path, vs in files.items()
        }
        return (
            [*now, held(tuple(sorted(chosen.items())))] if any(chosen.values()) else now
        )

    return at


def _contents(repo: Repository, blobs: dict[str, str]) -> dict[str, bytes]:
    contents = objects.read_blobs(repo, (blob for blob in blobs.values() if blob))
    return {path: contents[blob] for path, blob in blobs.items() if blob in contents}
