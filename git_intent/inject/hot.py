"""The fast lane of `inject` and `preview`: answers from the record, or not at all.

Whenever it is not certain that the command line would print the very same bytes, the
answer is None and nothing has been read or written that the command line needs:
unusual options or variables, anything that changed since the record was written (see
`hot_file`), a step that is off, a model that cannot be read. Neither a parser nor the
reader of patterns is loaded, unless a context is met that was never seen with this
record. While git looks for changed files, the requirements are compared with the task.
"""

# pathlib costs the hot path:
# ruff: noqa: PTH109, PTH116

import gc
import os
import stat
import sys

from git_intent.errors import IntentError
from git_intent.git import look
from git_intent.git.differing import DEFAULT, Question
from git_intent.inject import asked, hot_file
from git_intent.inject.hot_rank import in_scope, order, scores
from git_intent.inject.hot_seen import Seen
from git_intent.inject.prompt import place
from git_intent.inject.render import block, fitting, fitting_bytes

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

STDIN = "-"
_OPTIONS = ("--task", "--task-file", "--path", "--workflow", "--step")


class Arguments:
    """A command line of the usual kind."""

    def __init__(self) -> None:
        self.source = ""
        self.paths: list[str] = []
        self.named: dict[str, str] = {}

    @property
    def step(self) -> tuple[str, str]:
        return self.named.get("--workflow", ""), self.named.get("--step", "")


def parse(words: list[str]) -> Arguments | None:
    """What stands behind `inject` or `preview`; None if that is unusual."""
    found, rest = Arguments(), iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _OPTIONS:
            value = value if equals else next(rest, "-")
            if value.startswith("-"):
                return None
            if name == "--path":
                found.paths.append(value)
            else:
                found.named[name] = value
        elif found.source or not word or (word.startswith("-") and word != STDIN):
            return None
        else:
            found.source = word
    if "--task" in found.named and "--task-file" in found.named:
        return None
    return found


class Answer:
    """What is to be printed, `notes` beside it; and what was learned on the way."""

    __slots__ = ("notes", "out", "seen")

    def __init__(self, out: bytes, notes: list[str], seen: Seen) -> None:
        self.out, self.notes, self.seen = out, notes, seen


def answer(words: list[str], environ: "Mapping[str, str]") -> Answer | None:
    """What `git intent WORDS` prints, or None if the command line must run."""
    gc.disable()  # a big record is thousands of objects, and no garbage
    try:
        return _answer(words, environ)
    finally:
        gc.freeze()  # nor is it any when the process ends, which looks once more
        gc.enable()


def _answer(words: list[str], environ: "Mapping[str, str]") -> Answer | None:
    found, preview = parse(words[1:]), words[0] == "preview"
    if (
        found is None
        or (preview and found.source)
        or look.led_elsewhere(environ)
        or "SOURCE_DATE_EPOCH" in environ
        or None in (sys.stdin, sys.stdout, sys.stderr)
    ):
        return None
    try:
        if found.source not in ("", STDIN) and not _is_file(found.source):
            return None
        made = made_for(found, environ)
        # An empty preview is put into words by the command line.
        if made is None or (preview and not made.out):
            return None
        if not preview:
            made.out = place(_prompt(found.source), made.out.decode())
    except (IntentError, OSError):
        return None
    return made


def _prompt(source: str) -> bytes:
    if source in ("", STDIN):
        return sys.stdin.buffer.read()
    with open(source, "rb") as stream:
        return stream.read()


def _is_file(path: str) -> bool:
    """A pipe can be read only once, so the command line has to do it."""
    return stat.S_ISREG(os.stat(path).st_mode)


def made_for(found: Arguments, environ: "Mapping[str, str]") -> Answer | None:
    """The block; None if it is not certain."""
    begun = begin(os.getcwd(), environ, found)
    task = _task(found)
    return None if begun is None or task is None else begun.end(task)


class Begun:
    """A block in the making: git is asked already for what is worked at."""

    __slots__ = ("_record", "_seen", "_step", "_worked_at")

    def __init__(
        self,
        record: hot_file.Record,
        seen: Seen,
        step: tuple[str, str],
        worked_at: "Callable[[], list[str] | None] | None",
    ) -> None:
        self._record, self._seen, self._step = record, seen, step
        self._worked_at = worked_at

    def end(self, task: str, room: int = 0) -> Answer | None:
        """The block for a task, with `room` of at most so many bytes; None if it is not
        certain. Raises IntentError or OSError."""
        known, seen = self._record.value, self._seen
        current = self._record.current()
        if self._worked_at is None:
            return Answer(b"", [], seen) if current else None
        workflow, step = self._step
        declared = seen.step(workflow, step) if current else None
        if declared is None:
            return None
        domains, prompt_name = declared
        query = asked.query(task, prompt_name, step, workflow)
        scored = scores(known, query) if query else {}
        paths = self._worked_at()
        if scored is None or paths is None:
            return None
        scope = in_scope(known, domains, paths, seen.matches(paths))
        text, notes = _block(known, order(known, scope, scored), query, room)
        return Answer(text.encode(), notes, seen)


def begin(folder: str, environ: "Mapping[str, str]", found: Arguments) -> Begun | None:
    """Begin to make a block in a folder; None if it will not be certain.

    Raises IntentError or OSError.
    """
    project = look.find_project(folder)
    if project is None:
        return None
    root, _, _, common = project
    record = hot_file.load(common, root, look.choosing(environ))
    if record is None:
        return None
    seen = Seen(record.value, common, hot_file.record_name(root))
    if record.value["nothing"]:
        usual = not found.step[0] and not found.paths
        return Begun(record, seen, found.step, None) if usual else None
    return Begun(record, seen, found.step, _places(found, project, seen, folder))


def made_of_all(
    environ: "Mapping[str, str]", folder: str, room: int = 0
) -> Answer | None:
    """The block of what holds in the whole project, whatever is done there."""
    project = look.find_project(folder)
    if project is None:
        return None
    root, _, _, common = project
    record = hot_file.load(common, root, look.choosing(environ))
    if record is None or not record.current():
        return None
    known = record.value
    seen = Seen(known, common, hot_file.record_name(root))
    if known["nothing"]:
        return Answer(b"", [], seen)
    text, notes = _block(known, known["project"], "", room)
    return Answer(text.encode(), notes, seen)


def _task(found: Arguments) -> str | None:
    """None if the command line has to read it."""
    path = found.named.get("--task-file")
    if path is None:
        return found.named.get("--task", "")
    if not _is_file(path):
        return None
    with open(path, "rb") as stream:
        return asked.task_of(stream.read())


def _places(
    found: Arguments, project: tuple[str, str, str, str], seen: Seen, folder: str
) -> "Callable[[], list[str] | None]":
    """Begin to look for the paths that are worked at; what is given back waits for
    them: none if they are not known, None if that is uncertain."""
    root, top, git_dir, common = project
    if found.paths:
        warnings: list[str] = []
        given = list(asked.given_paths(found.paths, folder, root, warnings))
        return lambda: None if warnings else given
    refs = look.refs(git_dir, common, DEFAULT)
    if not refs[1]:
        return lambda: None
    inner = root[len(top) :].strip("/")
    project_folder = f"{inner}/" if inner else ""
    question = Question(root, project_folder, seen.base(refs), asked.STORE)

    def changed() -> list[str] | None:
        differing = question.answer()
        return None if differing is None else asked.worked_at(differing)

    return changed


def _block(
    record: "Mapping[str, Any]", rows: list[int], query: str, room: int
) -> tuple[str, list[str]]:
    budget, lines = record["budget"], record["lines"]
    ends = memoryview(record["ends"]).cast("I")
    # A line costs one at least, so no more can fit.
    first = [
        lines[ends[row - 1] if row else 0 : ends[row]].decode()
        for row in rows[: budget + 1]
    ]
    shown = fitting(first, budget)
    notes = [] if query else [asked.NO_TASK]
    if record["project_cost"] > budget:
        notes.append(asked.over_budget(record["project_cost"], budget))
    if room:
        shown = fitting_bytes(first[:shown], len(rows), room)
    return block(first[:shown], len(rows) - shown), notes
