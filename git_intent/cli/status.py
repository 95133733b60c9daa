"""`git intent status`: what the store holds, and what a scan would do."""

from collections import Counter
from functools import partial

import click

from git_intent.cli import approvals, output, queued
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.errors import IntentError
from git_intent.scan.noise import TRAILER
from git_intent.scan.run import current
from git_intent.store.intent_dir import Store
from git_intent.store.requirement import Status
from git_intent.workflow import catalog, trust


@click.command(epilog=examples("status", "status --json"))
@json_option
@click.pass_obj
def command(directory: str, as_json: bool) -> None:
    """Say what the store holds, how far it has read, what stands in a scan's way."""
    project = open_project(directory)
    store = project.store()
    facts = {
        "project": str(project.root),
        "requirements": _counts(store),
        "domains": len(store.domains.domains),
        "broken_files": sorted({issue.path for issue in store.issues}),
        "last_commit": store.scan_state.get().last_commit,
        "commits_since": _unread(project, store),
        "operation": project.repo.operation(),
        "unfinished_run": _unfinished(project),
        "queue": queued.waiting(project),
        **_workflow(project),
    }
    if as_json:
        output.document(facts)
        return
    for line in _lines(facts):
        output.say(line)


def _counts(store: Store) -> dict[str, int]:
    found = Counter(r.status for r in store.requirements.values())
    return {status.value: found[status] for status in Status}


def _unread(project: Project, store: Store) -> int | None:
    """Commits that the next scan would read; None if the cursor is lost."""
    head = project.repo.head()
    if head.unborn:
        return 0
    cursor = store.scan_state.get().last_commit
    if cursor and project.repo.resolve(cursor) is None:
        return None
    new = f"{cursor}..{head.oid}" if cursor else head.oid
    # what scans committed is no news
    others = ("--invert-grep", f"--grep=^{TRAILER}: ")
    return int(project.repo.git("rev-list", "--count", *others, new))


def _unfinished(project: Project) -> str:
    found = current(project.repo.common_dir, project.root)
    return found[0].id if found else ""


def _workflow(project: Project) -> dict[str, object]:
    """What a scan would run, what of it is not approved, or why nothing can run."""
    facts: dict[str, object] = {
        "workflow": "",
        "workflow_error": "",
        "not_approved": [],
    }
    if project.repo.bare:
        return facts
    try:
        found = catalog.find(project.root, catalog.SCAN)
        waiting = trust.missing(
            approvals.subjects(project), partial(approvals.read, project.repo)
        )
    except IntentError as error:
        return {**facts, "workflow_error": error.message}
    return {
        **facts,
        "workflow": "built-in" if found.builtin else found.source,
        "not_approved": [subject.path for subject in waiting],
    }


def _lines(facts: dict[str, object]) -> list[str]:
    counts = facts["requirements"]
    assert isinstance(counts, dict)
    total = sum(counts.values())
    shown = ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "none"
    lines = [
        f"Project       {facts['project']}",
        f"Requirements  {total} ({shown})" if total else "Requirements  none yet",
        f"Domains       {facts['domains']}",
        f"Read up to    {str(facts['last_commit'])[:12] or 'nothing yet'}",
        f"Unread        {_commits(facts['commits_since'])}",
        f"Scan          {facts['workflow'] or 'not possible here'}",
    ]
    notes = {
        "workflow_error": "A scan is stopped by {}",
        "broken_files": "Broken files: {}; `git intent check` names the lines",
        "operation": "A {} is in progress: a scan waits until it is over",
        "unfinished_run": "Run {} did not end: `git intent scan --resume` goes on",
        "not_approved": "Not approved: {}; `git intent trust` shows and approves",
    }
    for name, text in notes.items():
        value = facts[name]
        if value:
            lines.append(
                text.format(", ".join(value) if isinstance(value, list) else value)
            )
    rows = facts["queue"]
    assert isinstance(rows, list)
    return lines + queued.waiting_lines(rows)


def _commits(count: object) -> str:
    if count is None:
        return "the cursor is lost; the next scan falls back and says to where"
    return f"{count} commit{'s' * (count != 1)}"
