"""The hosts' hooks: are they there and trusted, have they run, how long they take."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_intent import __version__
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.hosts.doctor import trial as trials
from git_intent.hosts.doctor.finding import Finding, broken, look, off, ok
from git_intent.hosts.doctor.fired import Fired, fired
from git_intent.hosts.doctor.trial import Trial
from git_intent.hosts.doctor.trust import Trust, trust
from git_intent.hosts.install import settings_file
from git_intent.hosts.install.agent_host import HOSTS, PROGRAM, PROJECT, USER, AgentHost
from git_intent.hosts.install.installing import Request
from git_intent.hosts.install.plan import present

_UNTRUSTED = {
    Trust.NO: "not trusted here, so that they do not run",
    Trust.PARTLY: "some are not trusted here, so that these do not run",
}


@dataclass(frozen=True, slots=True)
class Installed:
    """The hooks of one host in one scope, and all that is known of them.

    `missing` are events that `git intent install` would register besides, `disabled`
    says by which setting the host runs no hook at all.
    """

    host: AgentHost
    scope: str
    path: Path
    events: tuple[str, ...]
    missing: tuple[str, ...]
    trusted: Trust
    fired: Fired
    trial: Trial
    disabled: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "host": self.host.name,
            "scope": self.scope,
            "path": str(self.path),
            "events": list(self.events),
            "missing": list(self.missing),
            "trusted": self.trusted.value,
            "fired": self.fired.as_json(),
            "millis": dict(self.trial.millis),
        }

    @property
    def about(self) -> str:
        return f"{self.host.name} ({self.scope})"

    def findings(self) -> Iterator[Finding]:
        """What to say of it, and what to do."""
        again = f"git intent install {self.host.name} --scope {self.scope}"
        yield ok(self.about, f"{', '.join(self.events)} in {self.path}")
        if self.missing:
            yield look(self.about, f"not registered: {', '.join(self.missing)}", again)
        if self.disabled:
            yield look(self.about, f"{self.disabled} switches all hooks off")
        if self.trusted in _UNTRUSTED:
            yield look(self.about, _UNTRUSTED[self.trusted], self.host.trust)
        yield self._ran()
        yield self._tried()

    def _ran(self) -> Finding:
        found = self.fired
        if found.ever:
            since = f", the last {found.last}" if found.last else ""
            said = f"{found.captures} sessions captured{since}"
            if found.runs:
                said += f"; {found.runs} runs on record"
            if found.seen:
                said += f"; seen in {found.seen} of the newest transcripts"
            return ok(f"{self.about} fired", said)
        says = "no sign yet that a hook has run"
        if found.chats:
            says += f", in {found.chats} chats of this project"
        return look(f"{self.about} fired", says, self.host.trust)

    def _tried(self) -> Finding:
        about = f"{self.about} trial"
        if self.trial.problem:
            return broken(about, self.trial.problem, f"{PROGRAM} hook -h")
        took = (f"{name} {millis} ms" for name, millis in self.trial.millis.items())
        return ok(about, ", ".join(took))


@dataclass(frozen=True, slots=True)
class Hosts:
    """All hosts, for a project or, without one, for the user alone."""

    repo: Repository | None
    folder: Path
    environ: Mapping[str, str]
    preflight: frozenset[str] = frozenset()  # hosts with tools classed as mutation

    def look(self) -> tuple[list[Installed], list[Finding]]:
        """What is installed, and what there is to say."""
        path = trials.program(self.environ)
        installed: list[Installed] = []
        found: list[Finding] = []
        for host in HOSTS.values():
            for scope in (PROJECT, USER) if self.repo else (USER,):
                try:
                    one = self._installed(host, scope, path)
                except IntentError as error:
                    name = f"{host.name} ({scope})"
                    found.append(broken(name, error.message, error.hint))
                    continue
                if one is not None:
                    installed.append(one)
                    found += one.findings()
        found += _twice(installed)
        if not installed and not found:
            todo = f"git intent install {'|'.join(HOSTS)}"
            return [], [off("agent hosts", "no hook of ours registered", todo)]
        program = _program(path) if installed else ()
        return installed, [*program, *found]

    def _installed(self, host: AgentHost, scope: str, path: str) -> Installed | None:
        root = self.repo.root if self.repo else self.folder
        request = Request(host, scope, root, self.environ)
        data = present(request.hooks)
        natives = request.registered(data)
        if not natives:
            return None
        wanted = host.events(preflight=host.name in self.preflight)
        known = [native for native in host.events(preflight=True) if native in natives]
        problem = f"{PROGRAM} is not on the PATH"
        tried = trials.trial(host, known, path) if path else Trial({}, problem)
        return Installed(
            host,
            scope,
            request.hooks,
            tuple(natives),
            tuple(native for native in wanted if native not in natives),
            trust(host, scope, root, self.environ, _groups(data, host, request)),
            fired(host.name, self.repo, self.environ),
            tried,
            _disabled(data, host, request),
        )


def _groups(
    data: bytes | None, host: AgentHost, request: Request
) -> list[tuple[str, int]]:
    if not host.hooks or data is None:
        return []
    return settings_file.groups(data, host, str(request.hooks))


def _disabled(data: bytes | None, host: AgentHost, request: Request) -> str:
    if not host.hooks or data is None:
        return ""
    return settings_file.disabled(data, host, str(request.hooks))


def _program(path: str) -> Iterator[Finding]:
    if not path:
        yield broken(
            "program",
            f"{PROGRAM} is not on the PATH, so no host can start it",
            "put its folder there, or link it into one that is",
        )
        return
    version = trials.version(path)
    if version == __version__:
        yield ok("program", f"{path}, version {version}")
    else:
        says = f"{path} is version {version or 'unknown'}, this is {__version__}"
        yield look("program", says, "install one version, or put this one first")


def _twice(installed: list[Installed]) -> Iterator[Finding]:
    """A host that has hooks in both scopes runs each of them."""
    for name in {one.host.name for one in installed}:
        scopes = [one.scope for one in installed if one.host.name == name]
        if len(scopes) > 1:
            yield look(
                name,
                "registered for the project and for the user: each hook runs twice, "
                "and a prompt is kept once",
                f"git intent install {name} --scope user --uninstall",
            )
