"""What a run was asked to do: kept where Cloche keeps it, and on record.

`.cloche/runs/<run>/prompt.txt` holds every byte of it, for the steps, and belongs to
this machine. On record it has no secrets, and it is not there at all if the workflow is
opted out.
"""

from pathlib import Path

from git_intent.cli.project import Project
from git_intent.errors import IntentError
from git_intent.files import write_atomic
from git_intent.git import objects
from git_intent.workflow.runs import Record
from git_intent.workflow.step_log import path_part

_RUNS = ".cloche/runs"
_FILE = "prompt.txt"


def keep(project: Project, run: str, task: bytes) -> None:
    """Keep it for the steps of the run, in a folder that ignores itself."""
    if not task:
        return
    folder = _folder(project, run)
    ignored = folder.parent / ".gitignore"
    if not ignored.exists():
        write_atomic(ignored, b"*\n")
    write_atomic(folder / _FILE, task, 0o600)


def kept(project: Project, record: Record) -> bytes:
    """What a run that goes on was asked: as kept here, else as it is on record."""
    try:
        return (_folder(project, record.run) / _FILE).read_bytes()
    except OSError:
        found = objects.read_blobs(project.repo, filter(None, [record.prompt]))
        return found.get(record.prompt, b"")


def without_secrets(task: bytes) -> bytes:
    if not task:
        return task
    from git_intent.scan import recording

    return recording.without_secrets(task)


def _folder(project: Project, run: str) -> Path:
    above = project.root / _RUNS
    if above.is_symlink():
        raise IntentError(f"{above}: is a symbolic link", "replace it by a folder")
    return above / path_part(run)
