"""Run the hook as a host does, with a made-up payload, in a home that is thrown away.

So it is known that the program on the PATH starts, keeps a prompt and answers in the
form of the host, and how long that takes, while nothing of the user's is touched.
"""

import json
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from git_intent.errors import IntentError
from git_intent.git.process import run_git
from git_intent.hosts import event as events
from git_intent.hosts.handle import host_module
from git_intent.hosts.install.agent_host import PROGRAM, AgentHost
from git_intent.ledger.names import LEDGERS
from git_intent.workflow.process import run

PATIENCE = 20.0
_SESSION = "git-intent-doctor"
_PROMPT = "Readings are rounded to two places."


@dataclass(frozen=True, slots=True)
class Trial:
    """`millis` is how long each event took, `problem` what went wrong, if anything."""

    millis: Mapping[str, int]
    problem: str = ""


def program(environ: Mapping[str, str]) -> str:
    """The program that hosts would start; empty if there is none on the PATH."""
    return shutil.which(PROGRAM, path=environ.get("PATH")) or ""


def version(path: str) -> str:
    """What the program calls its version; empty if it does not run."""
    try:
        done = run([path, "--version"], stdin=b"", cwd=Path("/"), timeout=PATIENCE)
    except IntentError:
        return ""
    return done.out.decode(errors="replace").strip().rpartition(" ")[2]


def trial(host: AgentHost, natives: Sequence[str], path: str) -> Trial:
    """Try each of these events once; the prompt twice, and the second time counts."""
    millis: dict[str, int] = {}
    prompts = [n for n in natives if host.kind(n) == events.PROMPT]
    with TemporaryDirectory(
        prefix="git-intent-doctor-", ignore_cleanup_errors=True
    ) as scratch:
        folder = Path(scratch)
        try:
            _make_world(folder)
            for native in [*prompts, *natives]:
                millis[native] = _once(host, native, path, folder)
            if prompts and not _kept(folder):
                return Trial(millis, f"{prompts[0]}: the prompt was not kept")
        except IntentError as error:
            return Trial(millis, error.message)
    return Trial(millis)


def _make_world(folder: Path) -> None:
    """A repository that is a ledger's home, and a home folder beside it."""
    for name in ("home", "state", "project"):
        (folder / name).mkdir()
    project = folder / "project"
    config = folder / "home" / ".gitconfig"
    config.write_text(
        f'[intent]\n\tledgerHome = "{project}"\n\tnamespace = doctor\n'
        "[user]\n\tname = doctor\n\temail = doctor@localhost\n",
        encoding="utf-8",
    )
    run_git(["init", "-q", "."], cwd=project)


def _once(host: AgentHost, native: str, path: str, folder: Path) -> int:
    """Milliseconds that the event took. Raises IntentError if the answer is wrong."""
    words = ["hook", "--host", host.name, "--event", native]
    payload = json.dumps(_payload(host, native, str(folder / "project"))).encode()
    start = time.perf_counter()
    done = run(
        ["env", *_environment(folder), path, *words],
        stdin=payload,
        cwd=folder / "project",
        timeout=PATIENCE,
    )
    took = round(1000 * (time.perf_counter() - start))
    if done.late:
        raise IntentError(f"{native}: no answer within {PATIENCE:.0f} seconds")
    said = done.err.decode(errors="replace").strip()
    if done.code:
        raise IntentError(f"{native}: ended with {done.code}: {said}")
    if done.out.strip():
        try:
            json.loads(done.out)
        except ValueError as error:
            raise IntentError(f"{native}: the answer is not JSON") from error
    elif host.kind(native) == events.PROMPT and _speaks(host, native):
        raise IntentError(f"{native}: no answer to a prompt: {said}")
    return took


def _speaks(host: AgentHost, native: str) -> bool:
    return native in host_module(host.name).CONTEXT


def _environment(folder: Path) -> list[str]:
    """For env(1): nothing of the user's but the PATH and what Python needs."""
    unset = (
        "COPILOT_CLI",
        "CURSOR_VERSION",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
    )
    return [
        *(word for name in unset for word in ("-u", name)),
        f"HOME={folder / 'home'}",
        f"XDG_STATE_HOME={folder / 'state'}",
        f"XDG_CONFIG_HOME={folder / 'home' / '.config'}",
        f"XDG_CACHE_HOME={folder / 'home' / '.cache'}",
        f"GIT_CONFIG_GLOBAL={folder / 'home' / '.gitconfig'}",
        "GIT_CONFIG_NOSYSTEM=1",
    ]


def _kept(folder: Path) -> bool:
    out = run_git(["for-each-ref", LEDGERS], cwd=folder / "project")
    return bool(out.strip())


def _payload(host: AgentHost, native: str, project: str) -> dict[str, Any]:
    """What the host would say, as far as it matters."""
    if host.name == "opencode":
        part = {"type": "text", "text": _PROMPT}
        return {
            "input": {"sessionID": _SESSION, "tool": "edit"},
            "output": {"message": {"id": "msg_1"}, "parts": [part], "args": {}},
            "parentID": None,
        }
    if host.name == "copilot":
        return {
            "sessionId": _SESSION,
            "timestamp": 1,
            "cwd": project,
            "source": "new",
            "prompt": _PROMPT,
            "toolName": host.tools[0],
            "toolArgs": {},
        }
    session = "conversation_id" if host.name == "cursor" else "session_id"
    return {
        session: _SESSION,
        "hook_event_name": native,
        "cwd": project,
        "workspace_roots": [project],
        "source": "startup",
        "prompt": _PROMPT,
        "tool_name": host.tools[0],
        "tool_input": {},
    }
