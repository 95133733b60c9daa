"""Approval of commands that come from the work tree.

A clone of a stranger's repository must not start anything by itself: workflow files,
the agent setting of `.cloche/config.toml`, scripts in the work tree that it names, and
prompts with `{{! command }}` run only if a person approved exactly these bytes. The
approvals lie in the local git configuration, one value of `intent.git.trusted` each:

    <sha256 of the bytes> <path from the project root>

so that they are never committed, and a pulled change needs a new approval. Reading and
writing the configuration is the caller's: `read` gives all values of a key, `add` puts
one more value under it.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_intent.config import CONFIG, Layer, Origin
from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.workflow.model import Form, Value, Workflow

KEY = "intent.git.trusted"

#: Keys whose values are commands.
_COMMANDS = ("run", "poll", "skip", "agent_command", "agent_args")
_PUNCTUATION = ";&|()<>`$"
_SOURCES = frozenset({".bash", ".js", ".mjs", ".pl", ".py", ".rb", ".sh", ".ts"})

_RUNS_COMMAND = re.compile(rb"\{\{\s*!")

Read = Callable[[str], Sequence[str]]
Add = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class Subject:
    """A file whose bytes decide what is run; `why` says how, for the person asked."""

    path: str
    data: bytes
    why: str

    @property
    def entry(self) -> str:
        """The value of its approval."""
        return f"{sha256(self.data)} {self.path}"


def workflow_subjects(
    root: Path, workflow: Workflow, *, unasked: bool = False
) -> list[Subject]:
    """What must be approved before `workflow` may run; nothing for a built-in.

    One that runs `unasked`, after a task or a hook, is more: also the programs of the
    work tree that its steps name, for nobody decides each time that they may run.
    """
    if workflow.builtin:
        return []
    why = f"it defines the workflow '{workflow.name}'"
    found = [_subject(root, workflow.path, why)]
    if unasked:
        found += _programs(root, workflow)
    for step in workflow.steps:
        path = prompt_file(step.get("prompt"))
        if not path or not (root / path).is_file():
            continue
        prompt = _subject(root, path, f"step '{step.name}' runs the commands in it")
        if runs_command(prompt.data):
            found.append(prompt)
    return _once(found)


def _programs(root: Path, workflow: Workflow) -> Iterator[Subject]:
    commands = [agent.command for agent in workflow.agents]
    fields = [field for block in workflow.blocks for field in block.fields]
    fields += [field for step in workflow.steps for field in step.fields]
    commands += [f.value.text for f in fields if f.key.endswith(_COMMANDS)]
    for command in commands:
        for word in _words(command):
            path = _inside(root, word.strip(_PUNCTUATION))
            if path and _is_program(root / path):
                yield _subject(root, path, f"'{workflow.name}' runs it")


def _is_program(file: Path) -> bool:
    """Whether a file is run where it is named, and not only read."""
    if file.suffix in _SOURCES or os.access(file, os.X_OK):
        return True
    with file.open("rb") as stream:
        return stream.read(2) == b"#!"


def agent_subjects(root: Path, command: str, origin: Origin) -> list[Subject]:
    """What must be approved before the agent `command` may start.

    `origin` is where the setting came from: one that does not stand in the work tree
    (git config, the environment, a flag) was made by the person and needs nothing.
    """
    if origin.layer is not Layer.FILE:
        return []
    found = [_subject(root, CONFIG, f"it sets the agent to `{command}`")]
    for word in _words(command):
        for part in (word, word.partition("=")[2]):
            if part and (path := _inside(root, part)):
                found.append(_subject(root, path, f"the agent `{command}` uses it"))
    return _once(found)


def runs_command(prompt: bytes) -> bool:
    """Whether rendering this prompt template would start a command."""
    return _RUNS_COMMAND.search(prompt) is not None


def missing(subjects: Iterable[Subject], read: Read) -> list[Subject]:
    """Those of `subjects` whose bytes nobody approved."""
    approved = set(read(KEY))
    return [subject for subject in subjects if subject.entry not in approved]


def approve(subjects: Iterable[Subject], read: Read, add: Add) -> list[Subject]:
    """Approve the bytes of `subjects`; gives those that were not approved before."""
    fresh = missing(subjects, read)
    for subject in fresh:
        add(KEY, subject.entry)
    return fresh


def require(subjects: Iterable[Subject], read: Read) -> None:
    """Raises IntentError, with the command that approves, unless all are approved."""
    refused = missing(subjects, read)
    if not refused:
        return
    named = "; ".join(f"{subject.path}: {subject.why}" for subject in refused)
    paths = " ".join(shlex.quote(subject.path) for subject in refused)
    raise IntentError(
        f"not approved on this machine: {named}",
        f"read what it does, then run: git intent trust {paths}",
    )


def prompt_file(value: Value | None) -> str:
    """The path in `prompt = file("path")`."""
    if value is None or value.form is not Form.CALL or len(value.items) != 1:
        return ""
    return value.items[0].text if value.text.startswith("file(") else ""


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _inside(root: Path, word: str) -> str:
    """The path from `root` of the file that a word names, empty if it names none."""
    try:
        file, folder = (root / word).resolve(), root.resolve()
        if file.is_file() and file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    except (OSError, ValueError):  # a word may be no path at all
        pass
    return ""


def _subject(root: Path, path: str, why: str) -> Subject:
    try:
        return Subject(path, (root / path).read_bytes(), why)
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "make it readable") from error


def _once(subjects: Iterable[Subject]) -> list[Subject]:
    return list({subject.path: subject for subject in reversed([*subjects])}.values())[
        ::-1
    ]
