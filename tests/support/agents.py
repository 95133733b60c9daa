"""Agents of our own in tests: real programs that keep what they were asked.

Each is a shell script outside of the project that writes its prompt and nonce to files
and its name to a list, and then does what its body says.
"""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from tests.support.repo import Repo


@dataclass(frozen=True)
class Agents:
    """`folder` holds the programs, `kept` what they were asked."""

    folder: Path
    kept: Path

    @classmethod
    def at(cls, path: Path) -> "Agents":
        found = cls(path / "agents", path / "kept")
        found.folder.mkdir()
        found.kept.mkdir()
        return found

    def make(self, name: str, body: str = "") -> str:
        """A new agent; gives the command that starts it."""
        kept = shlex.quote(str(self.kept))
        program = self.folder / name
        program.write_text(
            f"#!/bin/sh\nsay() {{ {SAY}; }}\n"
            f"cat > {kept}/{name}.prompt\n"
            f'printf %s "$CLOCHE_RESULT_NONCE" > {kept}/{name}.nonce\n'
            f"echo {name} >> {kept}/started\n"
            f"{body}\n"
        )
        program.chmod(0o755)
        return str(program)

    def streams(self, name: str, *events: dict, then: str = "") -> str:
        """An agent that prints events; NONCE in them stands for the run's."""
        rows = [{"type": "system", "subtype": "init"}, *events]
        file = self.folder / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        body = f'sed "s/NONCE/$CLOCHE_RESULT_NONCE/" {shlex.quote(str(file))}'
        return self.make(name, f"{body}\n{then}")

    @property
    def started(self) -> list[str]:
        """The agents that were started, in order."""
        found = self.kept / "started"
        return found.read_text().split() if found.exists() else []

    def prompt(self, name: str) -> bytes:
        """What an agent was asked last."""
        return (self.kept / f"{name}.prompt").read_bytes()

    def nonce(self, name: str) -> str:
        return (self.kept / f"{name}.nonce").read_text()


def event(text: str, role: str = "assistant") -> dict:
    """What an agent's stream says of words of its own, or of its user's side."""
    content = [{"type": "text", "text": text}]
    return {"type": role, "message": {"role": role, "content": content}}


#: `say success` in the body of an agent prints the line that means it.
SAY = 'echo "CLOCHE_RESULT:$CLOCHE_RESULT_NONCE:$1"'


def agent_step(
    name: str, prompt: str, command: str, results: str = "success, fail", more: str = ""
) -> str:
    """A step with a prompt: a path in `file:PATH`, else the words themselves."""
    path = prompt.removeprefix("file:")
    text = prompt.replace("\\", "\\\\").replace('"', '\\"')
    given = f'file("{path}")' if path != prompt else f'"{text}"'
    declared = f"results = [{results}]" if results else ""
    return (
        f'step {name} {{ prompt = {given} agent_command = "{command}" {declared} '
        f"{more} }}\n"
    )


def everything(repo: Repo) -> bytes:
    """Every byte that a scan or a run can have left: the store, git's own folder with
    what its objects hold, whoever names them."""
    listed = repo.git("cat-file", "--batch-all-objects", "--batch-check").splitlines()
    objects = "".join(f"{line.split()[0]}\n" for line in listed)
    found = [repo.git("cat-file", "--batch", input=objects).encode("utf-8", "replace")]
    for folder in (repo.path / ".git", repo.store):
        files = (
            p for p in folder.rglob("*") if p.is_file() and "objects" not in p.parts
        )
        found += [file.read_bytes() for file in files]
    return b"\n".join(found)
