"""Completed runs that wait for their scan, as the commands see them."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from git_intent.cli import output
from git_intent.cli.project import Project, clock, open_project
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.guard.ci import in_ci
from git_intent.scan import after_tasks, queue
from git_intent.scan.after_tasks import Drainer, Fate, Outcome, Place
from git_intent.scan.job import Options
from git_intent.scan.summary import ScanReport


def expect(project: Project, run: str) -> None:
    """A run is about to end: see to it that nobody forgets to have it scanned."""
    after_tasks.expect(
        project.repo,
        run,
        wanted=project.loaded.config.scan_after_tasks,
        environ=os.environ,
        now=project.now,
    )


def completed(project: Project, run: str) -> None:
    """A run has ended: have it scanned, or say once why that waits."""
    reason = after_tasks.completed(
        project.repo,
        run,
        wanted=project.loaded.config.scan_after_tasks,
        environ=os.environ,
        ci=in_ci(os.environ),
        now=project.now,
    )
    if reason:
        name = output.one_line(run)
        output.note(
            f"note: {name} waits to be scanned: {reason}; `git intent status` shows it"
        )


def later(directory: str) -> bool:
    """Have a plain scan made when the lock is free; whether that will happen."""
    repo = Repository.discover(Path(directory))
    return after_tasks.later(
        repo, environ=os.environ, ci=in_ci(os.environ), now=clock()
    )


def forget(project: Project, run: str) -> None:
    """A run is excluded: it waits for nothing any more."""
    queue.forget(project.repo.common_dir, run)


def start_due(directory: str) -> None:
    """Have the runs scanned that wait, by a process of its own.

    A command that did what it was asked does not fail because of it: the runs stay
    queued, and `status` shows them.
    """
    with suppress(IntentError):
        repo = Repository.discover(Path(directory))
        after_tasks.start_due(repo, ci=in_ci(os.environ), now=clock())


def drainer(project: Project, *, patience: float = 0, by_hand: bool = False) -> Drainer:
    """Works off the queue of the project's repository."""
    return Drainer(
        project.repo, _place, in_ci(os.environ), clock, patience, by_hand=by_hand
    )


def _place(root: str) -> Place:
    project = open_project(root)

    def scan(run: str) -> ScanReport:
        from git_intent.cli.scanning import repositories
        from git_intent.cli.workflow_scan import scan_of

        listed = {} if run else repositories(project.root)
        options = Options(run=run, repositories=listed)
        return scan_of(project, options, quiet=True).scan_one()

    return Place(project.repo, project.loaded.config.scan_after_tasks, scan)


def drain(project: Project, *, as_json: bool, quiet: bool) -> int:
    """Scan by hand what waits, and print what became of it; 1 if a scan failed."""
    outcomes = drainer(project, by_hand=True).drain()
    if as_json:
        output.document({"queue": [_row(one) for one in outcomes]})
    else:
        for one in outcomes:
            if one.fate is Fate.FAILED or not quiet:
                output.say(_line(one))
        if not outcomes and not quiet:
            output.say("No run waits.")
    return int(any(one.fate is Fate.FAILED for one in outcomes))


def _row(one: Outcome) -> dict[str, Any]:
    return {
        "run": one.run,
        "fate": one.fate.value,
        "reason": one.reason,
        "created": len(one.report.created) if one.report else 0,
        "commit": one.report.commit if one.report else "",
    }


def _line(one: Outcome) -> str:
    name = _called(one.run)
    if one.report is None:
        verb = {Fate.WAITS: "waits", Fate.FAILED: "failed"}.get(one.fate, "not scanned")
        return f"{name}: {verb}: {output.one_line(one.reason)}"
    if not one.report.commit:
        return f"{name}: scanned, nothing new."
    made = len(one.report.created)
    return f"{name}: scanned, {made} created. Commit {one.report.commit[:12]}."


def _called(run: str) -> str:
    return output.one_line(run) if run else "a plain scan"


def waiting(project: Project) -> list[dict[str, Any]]:
    """The queue, for `status`: each run, and why it is not scanned yet."""
    found = queue.entries(project.repo.common_dir)
    here = after_tasks.obstacle(project.repo, in_ci(os.environ)) if found else ""
    return [
        {
            "run": one.run,
            "root": one.root or str(project.root),
            "queued_at": one.queued_at,
            "tries": one.tries,
            "retry_at": one.retry_at,
            "reason": one.reason or (here if _is_here(one, project) else ""),
        }
        for one in found
    ]


def _is_here(one: queue.Entry, project: Project) -> bool:
    return one.root in ("", str(project.root))


def waiting_lines(rows: list[Mapping[str, Any]]) -> list[str]:
    """The same for a person to read."""
    if not rows:
        return []
    what = "run" if all(row["run"] for row in rows) else "scan"
    many = f"{len(rows)} {what}s wait" if len(rows) > 1 else f"1 {what} waits"
    turn = " to be scanned" if what == "run" else ""
    lines = [f"Queue         {many}{turn}"]
    for row in rows:
        why = row["reason"] or "its turn comes"
        if row["tries"] == 1:
            why += " (tried once, again after the next command)"
        elif row["tries"]:
            why += f" (tried {row['tries']} times, again after {row['retry_at']})"
        lines.append(f"  {_called(row['run'])}: {output.one_line(why)}")
    return lines
