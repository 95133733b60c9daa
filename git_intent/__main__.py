"""Where the program starts: `python -m git_intent` and the script `git-intent`.

A plain `scan` that has nothing to do, a prompt for a store that has not changed since
the last one, and a file that git wants merged are seen to here, before the command line
and all that hangs on it is imported. Everything else goes to `git_intent.cli.main`.
"""

import os
import sys

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.inject.hot import Answer

_QUIET = "--quiet"


def main() -> int:
    """Run the command line of this process; give its exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["scan"] and arguments[1:] in ([], [_QUIET]):
        from git_intent.scan import quiet

        if quiet.nothing_new(os.environ):
            return 0 if _QUIET in arguments else _say(quiet.NOTHING_NEW)
    if arguments[:1] == ["check"]:
        from git_intent.guard import quick

        if quick.all_well(arguments[1:], os.environ):
            return 0
    if arguments[:1] == ["hook"] and not {"-h", "--help"} & set(arguments):
        from git_intent.hosts import lane

        return lane.run(arguments[1:], os.environ)
    if arguments[:2] == ["ledger", "preflight"]:
        from git_intent.hosts import preflight_lane

        code = preflight_lane.answer(arguments[2:], os.environ)
        if code is not None:
            return code
    if arguments[:1] in (["inject"], ["preview"]):
        from git_intent.inject import hot

        try:
            answer = hot.answer(arguments, os.environ)
        except KeyboardInterrupt:
            return _failed("interrupted", 130)
        if answer is not None:
            return _print(answer)
    if arguments[:1] == ["merge-driver"]:
        from git_intent.cli import merging

        code = merging.main(arguments[1:])
        if code is not None:
            return code
    from git_intent.cli.main import main as command_line

    return command_line(arguments)


def _print(answer: "Answer") -> int:
    """As the command line would, but past the streams of Python."""
    for note in answer.notes:
        _say(note, 2)
    try:
        left = memoryview(answer.out)
        while left:
            left = left[os.write(1, left) :]
    except BrokenPipeError:
        return 1
    except OSError as error:
        return _failed(f"standard output: {error.strerror}", 1)
    answer.seen.save()
    return 0


def _failed(message: str, code: int) -> int:
    from git_intent.cli import output

    output.error(message)
    return code


def _say(line: str, to: int = 1) -> int:
    """Print one line; a reader who has gone away is no reason for a traceback."""
    try:
        os.write(to, f"{line}\n".encode())
    except OSError:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
