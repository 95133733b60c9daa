"""A process of its own that puts a chat on record which has ended, and has it scanned.

    python -P -m git_intent.cli.chat_end HOST SESSION FOLDER...

A hook starts it detached, as its host does not wait. The chat is one of the first
folder's project that it began in. Nothing is printed, for nobody reads it; what cannot
be recorded is there for `git intent transcripts` to tell.
"""

import os
import sys

from git_intent.errors import IntentError


def main(arguments: list[str]) -> int:
    """Give 0, or 1 if the chat could not be put on record."""
    host, session, *folders = arguments
    from git_intent.scan.after_tasks import within

    if within(os.environ):  # an agent of a scan or a run: that has its own record
        return 0
    try:
        any(_recorded(host, session, folder) for folder in folders)
    except (IntentError, OSError):
        return 1
    return 0


def _recorded(host: str, session: str, folder: str) -> bool:
    from git_intent.cli import queued
    from git_intent.cli.project import open_project
    from git_intent.hosts.transcripts.ended import Ending

    project = open_project(folder)
    if project.repo.worktree is None or not project.loaded.config.git.transcripts:
        return False

    def expect(run: str) -> None:
        queued.expect(project, run)

    run = Ending(project.repo, host, session, os.environ, expect).record()
    if run:
        queued.completed(project, run)
    return bool(run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
