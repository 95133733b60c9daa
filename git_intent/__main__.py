"""Where the program starts: `python -m git_intent` and the script `git-intent`.

A plain `scan` that has nothing to do is answered here, before the command line and all
that hangs on it is imported. Everything else goes to `git_intent.cli.main`.
"""

import os
import sys

_QUIET = "--quiet"


def main() -> int:
    """Run the command line of this process; give its exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["scan"] and arguments[1:] in ([], [_QUIET]):
        from git_intent.scan import quiet

        if quiet.nothing_new(os.environ):
            return 0 if _QUIET in arguments else _say(quiet.NOTHING_NEW)
    from git_intent.cli.main import main as command_line

    return command_line(arguments)


def _say(line: str) -> int:
    """Print one line; a reader who has gone away is no reason for a traceback."""
    try:
        os.write(1, f"{line}\n".encode())
    except OSError:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
