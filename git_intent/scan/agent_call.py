"""One question to an agent: a command that gets a prompt and prints an answer.

The prompt goes to stdin, the answer comes from stdout and is read strictly
(`agent_reply`). A wrong one goes back once with the list of complaints; the second
wrong one is an IntentError, as is an agent that fails or takes too long. What the agent
said is kept in logs without its secrets; nothing else is written.

Agents obey what they find around them (hooks, settings, instructions of the project),
and nobody approved those. So an agent starts in an empty folder, unless a word of its
command begins with `./`: such a script expects to be at the project's root. No weaker
sign will do, since a repository may hold files named like any other word.
"""

import re
import shlex
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, TypeVar

from git_intent import files, secrets
from git_intent.errors import IntentError
from git_intent.scan.agent_reply import Complaints, read
from git_intent.workflow.process import OUTPUT_CAP, Outcome, run

T = TypeVar("T")

#: Each reads the prompt from stdin and prints the answer; none may act unasked.
PRESETS = {
    "claude": ("claude", "-p", "--output-format", "text"),
    "codex": ("codex", "exec", "--sandbox", "read-only", "--skip-git-repo-check", "-"),
    "gemini": ("gemini", "--skip-trust"),  # of the empty folder it is started in
    "llm": ("llm", "--no-stream"),
}
_PROMPTS = Path(__file__).parent / "prompts"
_QUOTED_ANSWER = 4000
#: What a reader may take for a line break, or cannot see at all.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


def parse_command(setting: str) -> list[str]:
    """The command behind the setting `intent.git.agent`: a preset or any command."""
    if setting in PRESETS:
        return list(PRESETS[setting])
    try:
        words = shlex.split(setting)
    except ValueError as error:
        raise IntentError(
            f"intent.git.agent: {setting!r} cannot be split into words: {error}",
            "close every quote",
        ) from error
    if not words:
        raise IntentError(
            "intent.git.agent: names no command", f"use {', '.join(PRESETS)} or one"
        )
    return words


@dataclass(frozen=True, slots=True)
class Agent:
    """A command to ask. `nonce` must be fresh and unguessable; logs go to `log_dir`;
    `cwd` is the project's root."""

    command: Sequence[str]
    cwd: Path
    log_dir: Path
    timeout: float
    nonce: str

    def ask(self, name: str, prompt: str, shape: Callable[[Any, Complaints], T]) -> T:
        """The answer to `prompt`, after one repair at most; `name` is for the logs."""
        asked = prompt
        complaints: list[str] = []
        for turn in (1, 2):
            outcome = self._run(f"{name}-{turn}", asked)
            if outcome.overflowed:
                complaints = [f"/: the answer is longer than {OUTPUT_CAP} bytes"]
            else:
                found, complaints = read(outcome.out, self.nonce, shape)
                if found is not None:
                    return found
            asked = self._repair(prompt, outcome.out, complaints)
        raise IntentError(
            f"the agent {self.command[0]!r} gave no usable answer ({name}): "
            + "; ".join(complaints[:5]),
            f"nothing was changed; its words are in {self.log_dir}",
        )

    def _run(self, name: str, prompt: str) -> Outcome:
        at_root = any(re.match(r"(?:-[^=]*=)?\./", word) for word in self.command)
        with tempfile.TemporaryDirectory(prefix="git-intent-") as empty:
            outcome = run(
                self.command,
                stdin=prompt.encode("utf-8", "replace"),
                cwd=self.cwd if at_root else Path(empty),
                timeout=self.timeout,
            )
        self._log(f"{name}.err.log", outcome.err)
        self._log(f"{name}.out.log", outcome.out)
        if outcome.late:
            raise IntentError(
                f"the agent {self.command[0]!r} took longer than {self.timeout:g} s",
                "nothing was changed; raise intent.git.agentTimeout",
            )
        if outcome.code and not outcome.overflowed:
            raise IntentError(
                f"the agent {self.command[0]!r} failed with code {outcome.code}: "
                f"{_last_line(outcome.err or outcome.out)}",
                f"nothing was changed; its words are in {self.log_dir}",
            )
        return outcome

    def _log(self, name: str, data: bytes) -> None:
        if data:
            text = secrets.scrub(data.decode("utf-8", "replace"))
            files.write_atomic(self.log_dir / name, text.encode(), 0o600)

    def _repair(self, prompt: str, answer: bytes, complaints: Sequence[str]) -> str:
        start = answer[:_QUOTED_ANSWER].decode("utf-8", "replace")
        return render(
            "repair",
            prompt=prompt,
            answer="\n".join(f"| {plain(line)}" for line in start.split("\n")),
            errors="\n".join(f"- {plain(complaint)}" for complaint in complaints),
            nonce=self.nonce,
        )


def render(template: str, **parts: str) -> str:
    """A prompt template of ours with its parts put in; parts are not read again."""
    text = (_PROMPTS / f"{template}.md").read_text(encoding="utf-8")
    return Template(text).substitute(parts)


def plain(text: str) -> str:
    """`text` on one line, whatever a reader may take for a line break."""
    return _CONTROL.sub(" ", text)


def _last_line(data: bytes) -> str:
    lines = secrets.scrub(data.decode("utf-8", "replace")).strip().splitlines()
    return plain(lines[-1])[:300] if lines else "it printed nothing"
