"""What is known of the work that a prompt is for: task, paths, workflow, step.

Paths are those given, else those that differ from where the branch left the default
branch, uncommitted and untracked ones included; None is "not known", which narrows
nothing. They are relative to the project's root, a folder ends in `/`.
"""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from git_intent.config import CONFIG
from git_intent.git import changes
from git_intent.git.repository import Repository
from git_intent.inject.asked import STORE, given_paths, query, worked_at
from git_intent.workflow import catalog
from git_intent.workflow.opt_out import OptOuts, opt_outs
from git_intent.workflow.parser import parse


@dataclass(frozen=True, slots=True)
class Context:
    """`repos` are names of declared repositories with their paths from the root.

    `declared` says who named the domains, `origin` where the paths come from.
    """

    task: str = ""
    paths: tuple[str, ...] | None = None
    workflow: str = ""
    step: str = ""
    domains: tuple[str, ...] = ()
    repos: tuple[tuple[str, str], ...] = ()
    prompt_name: str = ""
    declared: str = ""
    origin: str = ""

    @property
    def query(self) -> str:
        """What is compared with the requirements; empty without a task."""
        return query(self.task, self.prompt_name, self.step, self.workflow)


@dataclass(frozen=True, slots=True)
class Gathered:
    """`off` says why this step gets no block; empty if it gets one."""

    context: Context
    off: str = ""
    warnings: tuple[str, ...] = ()


def gather(
    repo: Repository | None,
    root: Path,
    *,
    task: str = "",
    paths: Sequence[str] = (),
    cwd: Path | None = None,
    workflow: str = "",
    step: str = "",
) -> Gathered:
    """Find out what can be known; nothing that is wrong here stops a prompt.

    `paths` are given relative to `cwd`.
    """
    warnings: list[str] = []
    context = Context(task, workflow=workflow, step=step)
    if paths:
        start = str(cwd or root)
        known = tuple(given_paths(paths, start, str(root), warnings))
        context = replace(context, paths=known or None, origin="given")
    elif repo is not None and not repo.bare:
        context = _changed(context, repo)
    if not workflow:
        return Gathered(context, "", tuple(warnings))
    files = catalog.read_files(root)
    state = opt_outs(files)
    warnings += state.broken
    warnings += _outdated(files, state, workflow)
    context = _declared(context, state, root, warnings)
    return Gathered(context, _off(state, workflow, step), tuple(warnings))


def _changed(context: Context, repo: Repository) -> Context:
    found = changes.since_default_branch(repo, STORE)
    paths = tuple(worked_at(found.paths))
    if not paths:
        return context
    return replace(context, paths=paths, origin=f"changed since {found.base}")


def _outdated(files: dict[str, bytes], state: OptOuts, workflow: str) -> Iterator[str]:
    """What is to be said about the file of this workflow: the old opt-out key."""
    found = state.workflows.get(workflow)
    if found is None or found.builtin:
        return
    for finding in parse(files[found.path], found.path).findings:
        if finding.code == "W001":
            yield f"{finding}"


def _declared(
    context: Context, state: OptOuts, root: Path, warnings: list[str]
) -> Context:
    found = state.workflows.get(context.workflow)
    if found is None:
        warnings.append(state.unknown(f"workflow '{context.workflow}'"))
        return context
    step = found.step(context.step)
    name = ""
    by = f"workflow '{found.name}'"
    if context.step and step is None:
        what = f"step '{context.step}' of workflow '{found.name}'"
        warnings.append(state.unknown(what))
    elif step is not None:
        name = _prompt_name(step.text("prompt"))
        by = f"step '{step.name}'" if step.domains is not None else by
    repositories = _repositories(root)
    repos = []
    for repo in found.repos or ():
        if repo in repositories:
            repos.append((repo, repositories[repo]))
        else:
            warnings.append(f"{found.source}: no repository '{repo}' in {CONFIG}")
    return replace(
        context,
        domains=found.domains(context.step),
        repos=tuple(repos),
        prompt_name=name,
        declared=by,
    )


def _prompt_name(prompt: str) -> str:
    """`implement` of `file(".cloche/prompts/implement.md")`; none of a text."""
    if not prompt.startswith("file("):
        return ""
    name = posixpath.basename(prompt.removeprefix("file(").strip("()\"' "))
    return name.rpartition(".")[0] or name


def _repositories(root: Path) -> dict[str, str]:
    """`[[repositories]]` of the project's configuration: name → path from the root.

    A file that is no TOML has been named when the settings were read.
    """
    import tomllib

    try:
        table: Any = tomllib.loads((root / CONFIG).read_text("utf-8-sig"))
    except (OSError, ValueError):
        return {}
    rows = table.get("repositories", [])
    found = {}
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("name"), str):
            path = row.get("path")
            inner = path if isinstance(path, str) and path else row["name"]
            found[row["name"]] = posixpath.normpath(inner.replace("\\", "/"))
    return found


def _off(state: OptOuts, workflow: str, step: str) -> str:
    """An opt-out that somebody wrote down; a name that nobody defines is none."""
    if workflow != catalog.SCAN and workflow not in state.workflows:
        return ""
    known = (workflow, step) in state.steps
    return state.reason(workflow, step if known else "")
