"""The merge driver at work: what git calls for each file that both sides changed.

It loads without the command line, since a merge calls it once for every such file.
Whatever goes wrong here, git is left with a file that holds both sides: what the rules
of the store cannot merge is merged by lines.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.process import spawn_git
from git_intent.review.merge import is_mergeable, merge_file
from git_intent.review.merge_result import Merged

_STORE = ".cloche/intent/"
_HERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")


def main(arguments: Sequence[str]) -> int | None:
    """The driver's answer to git, None if these are not the arguments of git."""
    if len(arguments) != 5 or not arguments[3].isdecimal():
        return None
    base, ours, theirs, size, path = arguments
    try:
        return drive(base, ours, theirs, int(size), path)
    except IntentError as error:
        _say([f"{path}: {error.message}"])
    except OSError as failure:
        _say([f"{path}: {failure.strerror}"])
    return 1


def drive(base: str, ours: str, theirs: str, size: int, path: str) -> int:
    """Merge the files at `base`, `ours` and `theirs` into the one at `ours`.

    `path` is where the result belongs, from the top of the work tree. Gives 0 if the
    merge is clean, 1 if a person has to decide; the file then holds markers.
    """
    outer, store, inner = path.rpartition(_STORE)
    if not is_mergeable(store + inner):
        return _by_lines(base, ours, theirs, size)
    done: Merged | None = None
    try:
        done = _merge(base, ours, theirs, size, store + inner)
    finally:
        if done is None:
            _by_lines(base, ours, theirs, size)
    Path(ours).write_bytes(done.data)  # a temporary file of git's, which reads it next
    _say(f"note: {note}" for note in done.notes)
    _say(f"{outer}{found}" for found in done.conflicts)
    return 1 if done.conflicts else 0


def _merge(base: str, ours: str, theirs: str, size: int, path: str) -> Merged:
    def lines() -> bytes | None:
        code, out = _git("merge-file", "-p", "-q", ours, base, theirs)
        return None if code else out

    return merge_file(
        path,
        Path(base).read_bytes() or None,
        Path(ours).read_bytes(),
        Path(theirs).read_bytes(),
        lines=lines,
        ancestor=lambda old, new: not _git("merge-base", "--is-ancestor", old, new)[0],
        size=size,
    )


def _by_lines(base: str, ours: str, theirs: str, size: int) -> int:
    names = ("-L", "ours", "-L", "base", "-L", "theirs")
    options = ("-q", f"--marker-size={size}", *names)
    code, _ = _git("merge-file", *options, ours, base, theirs)
    return 1 if code else 0


def _git(*args: str) -> tuple[int, bytes]:
    """git in the repository that called us."""
    here = {name: os.environ[name] for name in _HERE if name in os.environ}
    return spawn_git(args, Path.cwd(), here)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        from git_intent.cli import output

        output.note(line)
