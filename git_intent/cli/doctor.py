"""`git intent doctor`: what works, what does not, and what to do about it."""

import os
from collections.abc import Iterator
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.actor import AGENT_VARIABLES, who
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import clock
from git_intent.errors import IntentError
from git_intent.git.repository import NotARepository, Repository
from git_intent.hosts.doctor.finding import Finding, State, broken, off, ok


@click.command(epilog=examples("doctor", "doctor --json"))
@json_option
@click.pass_obj
def command(directory: str, as_json: bool) -> int:
    """Say what works: store, index, refs, locks, git hooks, ledger, agents' hooks.

    Of each agent's host: whether hooks are registered, trusted, have run, and how long
    they take, which is tried in a home that is thrown away. Nothing is changed. Exit 1
    if something is broken; what is not set up, or should be looked at, is not.
    """
    from git_intent.guard.ci import in_ci
    from git_intent.hosts.doctor import ledger
    from git_intent.hosts.doctor.agent_hosts import Hosts
    from git_intent.hosts.doctor.project import Looking
    from git_intent.hosts.world import World

    folder = Path(directory).absolute()
    found: list[Finding] = []
    repo = _repository(folder, found)
    if repo is not None:
        found += Looking(repo, os.environ, in_ci(os.environ), clock()).findings()
    settings = World(os.environ, str(folder)).settings()
    found += ledger.findings(settings, os.environ)
    classed = frozenset(
        host for host, table in settings.tools.items() if table.get("mutation")
    )
    installed, said = Hosts(repo, folder, os.environ, classed).look()
    found += [*said, _actor()]
    failed = any(one.state is State.BROKEN for one in found)
    if as_json:
        output.document(
            {
                "ok": not failed,
                "findings": [one.as_json() for one in found],
                "hosts": [one.as_json() for one in installed],
            }
        )
        return int(failed)
    for line in _lines(found):
        output.say(line)
    return int(failed)


def _repository(folder: Path, found: list[Finding]) -> Repository | None:
    try:
        repo = Repository.discover(folder)
    except NotARepository as error:
        found.append(off("project", error.message, "run this in a repository"))
        return None
    except IntentError as error:
        found.append(broken("project", error.message, error.hint))
        return None
    found.append(ok("project", str(repo.root)))
    return repo


def _actor() -> Finding:
    """Whom we take the caller for, and each variable that says so."""
    claim = who(None, os.environ)
    seen = [f"{name}={os.environ[name]}" for name in AGENT_VARIABLES if _set(name)]
    more = f" ({', '.join(seen)})" if seen else ""
    return ok("actor", f"{claim.actor}, as {claim.reason}{more}")


def _set(name: str) -> bool:
    return bool(os.environ.get(name))


def _lines(found: list[Finding]) -> Iterator[str]:
    width = max(len(one.state.value) for one in found)
    for one in found:
        about = output.one_line(one.about)
        yield f"{one.state.value:{width}}  {about}: {output.one_line(one.says)}"
        if one.todo:
            yield f"{'':{width}}    {output.one_line(one.todo)}"
    counts = {state: sum(one.state is state for one in found) for state in State}
    if counts[State.BROKEN]:
        yield f"{counts[State.BROKEN]} broken, {counts[State.LOOK]} to look at."
    else:
        yield f"Nothing is broken; {counts[State.LOOK]} to look at."
