"""Workflows in tests: written, approved, and looked at after they ran."""

import json

from git_intent.files import sha256
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.workflow import runs
from git_intent.workflow.run_names import run_of
from git_intent.workflow.run_state import FILE
from tests.support.repo import Repo

PATH = ".cloche/flows.cloche"


def approve(repo: Repo, *paths: str) -> None:
    for path in paths:
        entry = f"{sha256(repo.read(path))} {path}"
        repo.git("config", "--add", "intent.git.trusted", entry)


def flow(repo: Repo, text: str, path: str = PATH) -> None:
    """Write workflows, and approve them. Without a block they run on the host."""
    repo.write(path, text.replace("host\n", "host {}\n"))
    approve(repo, path)


def step(
    name: str, command: str, results: str = "success, fail", more: str = ""
) -> str:
    text = command.replace("\\", "\\\\").replace('"', '\\"')
    return f'step {name} {{ run = "{text}" results = [{results}] {more} }}\n'


def workflow(name: str, *parts: str) -> str:
    return f"workflow {name} {{ host {{}}\n{''.join(parts)}}}\n"


def line(*names: str) -> str:
    """Wires from step to step on success, to `done` at the end; `fail` aborts."""
    wires = ""
    for one, following in zip(names, (*names[1:], "done"), strict=True):
        wires += f"{one}:success -> {following}\n{one}:fail -> abort\n"
    return wires


def recorded(repo: Repo) -> list[str]:
    """The runs on record."""
    refs = repo.git("for-each-ref", "--format=%(refname)", "refs/intent/runs")
    return [run_of(ref) for ref in refs.split()]


def record(repo: Repo, run: str = "") -> dict[str, bytes]:
    """The files of a run's record, of the only one if none is named."""
    if not run:
        (run,) = recorded(repo)
    there = Repository.discover(repo.path)
    found = runs.read(there, run)
    blobs = read_blobs(there, found.files.values())
    return {path: blobs[oid] for path, oid in found.files.items()}


def run_json(repo: Repo, run: str = "") -> dict:
    return json.loads(record(repo, run)[FILE])


def visits(repo: Repo, run: str = "") -> list[tuple[str, int, str, str]]:
    """Step, number, state and result of each visit, in order."""
    return [
        (v["step"], v["number"], v["state"], v["result"])
        for v in run_json(repo, run)["visits"]
    ]


def logs(repo: Repo) -> dict[str, bytes]:
    """The logs of all runs, by their names in their attempt's folder."""
    folder = repo.path / ".cloche/logs"
    return {
        "/".join(path.relative_to(folder).parts[2:]): path.read_bytes()
        for path in folder.glob("*/*/**/*")
        if path.is_file()
    }
