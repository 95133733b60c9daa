"""A process of its own that scans the completed runs which wait.

    python -P -m git_intent.cli.drainer GUARD ROOT

Whoever ends a run starts it detached and leaves it GUARD, an open file that is locked
as long as this process holds it: so a burst of runs starts one. It looks into the queue
once more after it has let go, since whoever came before that started none.
"""

import os
import sys
from contextlib import suppress

#: How long a commit that somebody is writing the message of is waited for, in seconds.
PATIENCE = 1800.0


def main(arguments: list[str]) -> int:
    """Give 0. Somebody else who is at work looks into the queue at the end."""
    guard, root = arguments
    from git_intent.cli.project import open_project
    from git_intent.cli.queued import drainer
    from git_intent.lock import LockHeld

    work = drainer(open_project(root), patience=PATIENCE)
    with suppress(LockHeld):
        work.drain()
    os.close(int(guard))
    with suppress(LockHeld):
        work.drain()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
