"""Which steps and workflows stay out of intent tracking, and which logs that concerns.

`intent_tracking = false` on a workflow or a step keeps its logs from being mined; a
step inside an opted-out workflow cannot opt back in. Log files carry names of three
generations, relative to the folder of an attempt (`.cloche/logs/<task>/<attempt>/`):

    <step>.log, llm-<step>.log                         1st
    <workflow>-<step>.log, <workflow>-llm-<step>.log   2nd
    <workflow>/<step>.prompt.md                        3rd, the exact prompt
    step.<step>.skip.log                               output of a skip command
    <step>/…                                           the logs of a sub-workflow
    full.log, container.log                            every step of the attempt

Names are ambiguous (`a-b.log`), so every reading counts, and when in doubt a log stays
out: one is mined only if some reading names a step that is known, and no reading names
one that is out. A log of a workflow or step that nobody defines any more is out and
named, since what it opted for cannot be told; so is every mixed log of an attempt in
which anything is out, and every log of an attempt that is known to have run a workflow
that is out. The scan's own logs are always out.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from git_intent.errors import IntentError
from git_intent.workflow.catalog import SCAN, builtins, is_workflow_file
from git_intent.workflow.model import Workflow
from git_intent.workflow.parser import parse

#: Logs that mix the words of all steps.
MIXED = ("full.log", "container.log")
_LLM = "llm-"
_PROMPT = ".prompt.md"


@dataclass(frozen=True, slots=True)
class OptOuts:
    """What one state of the workflow files says: those of today, or of a run's start.

    `broken` are the messages about files that could not be read; a workflow that is not
    in `workflows` may stand in one of them. `steps` tells for each pair of workflow and
    step whether it is out.
    """

    workflows: Mapping[str, Workflow]
    steps: Mapping[tuple[str, str], bool]
    broken: tuple[str, ...] = ()

    def reason(self, workflow: str, step: str = "") -> str:
        """Why nothing of this workflow, or of this step of it, may be read; or ''."""
        if workflow == SCAN:
            return f"workflow '{SCAN}' is the scan itself"
        found = self.workflows.get(workflow)
        if found is None:
            return self.unknown(f"workflow '{workflow}'")
        if found.opted_out:
            return f"workflow '{workflow}' opted out ({found.source})"
        if not step:
            return ""
        if (workflow, step) not in self.steps:
            return self.unknown(f"step '{step}' of workflow '{workflow}'")
        if self.steps[workflow, step]:
            return f"step '{step}' of workflow '{workflow}' opted out ({found.source})"
        return ""

    def mixed_reason(self, workflows: Iterable[str]) -> str:
        """Why a log with the words of all steps of these workflows may not be read."""
        for name in sorted(self._with_children(workflows)):
            steps = self.workflows[name].steps if name in self.workflows else ()
            for step in ("", *(step.name for step in steps)):
                if reason := self.reason(name, step):
                    return reason
        return ""

    def _with_children(self, workflows: Iterable[str]) -> set[str]:
        reached: set[str] = set()
        waiting = list(workflows)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                found = self.workflows.get(name)
                waiting += found.children.values() if found else ()
        return reached

    def unknown(self, what: str) -> str:
        """Why `what`, which stands in no file that could be read, is out."""
        if self.broken:
            return f"{what} is not defined, but {self.broken[0]}"
        return f"{what} is not defined any more"


def opt_outs(snapshot: Mapping[str, bytes]) -> OptOuts:
    """What the workflow files say; a file that cannot be read is kept as a message.

    A name that stands twice is out if any of its definitions is.
    """
    found: dict[str, Workflow] = dict(builtins())
    broken: list[str] = []
    for path in sorted(filter(is_workflow_file, snapshot)):
        try:
            workflows = parse(snapshot[path], path).workflows
        except IntentError as error:
            broken.append(error.message)
            continue
        for workflow in workflows:
            known = found.get(workflow.name)
            if known is None or known.builtin:
                found[workflow.name] = workflow
            else:
                found[workflow.name] = _both(known, workflow)
    return OptOuts(found, dict(_steps(found.values())), tuple(broken))


def judge_logs(
    paths: Collection[str], states: Sequence[OptOuts], workflow: str = ""
) -> dict[str, str]:
    """For each log of one attempt why it may not be read; '' if it may.

    `paths` are all files of the attempt, from its folder; `workflow` is what the
    attempt ran, if that is known. A log is out if it is so in any of the `states`.
    """
    found = dict.fromkeys(paths, "")
    for state in states:
        for path, reason in _Attempt(state, paths, workflow).judge().items():
            found[path] = found[path] or reason
    return found


def _steps(workflows: Iterable[Workflow]) -> Iterator[tuple[tuple[str, str], bool]]:
    for workflow in workflows:
        out = {step.name for step in workflow.steps if step.opted_out}
        for step in workflow.steps:
            pair = (workflow.name, step.name)
            yield pair, workflow.opted_out or step.name in out


def _both(first: Workflow, second: Workflow) -> Workflow:
    """Two definitions of one name, as one that leaves out what either leaves out."""
    return replace(
        second,
        fields=(*first.fields, *second.fields),
        steps=(*first.steps, *second.steps),
    )


class _Attempt:
    """The logs of one attempt under one state of the workflow files.

    `ran` are the workflows it ran as far as that is known: what the caller says, else
    what qualified names in the listing speak of. Empty: it may have been any.
    """

    def __init__(self, state: OptOuts, paths: Collection[str], workflow: str) -> None:
        self.state = state
        self.paths = paths
        self.ran = {workflow} if workflow else set(self._evident())
        self.whole = state.reason(workflow) if workflow else ""

    def judge(self) -> dict[str, str]:
        found = {path: self._single(path) for path in self.paths}
        mixed = self._mixed(found)
        return {p: r or (mixed if _is_mixed(p) else "") for p, r in found.items()}

    def _evident(self) -> Iterator[str]:
        for path in self.paths:
            *folders, name = path.split("/")
            yield from (f for f in folders if f in self.state.workflows)
            yield from (w for w, step in _qualified(name) if self._knows(w, step))

    def _mixed(self, found: Mapping[str, str]) -> str:
        out = next((r for p, r in found.items() if r and _is_log(p)), "")
        out = out or self.state.mixed_reason(self._candidates(self.ran))
        return f"it mixes all steps, and {out}" if out else ""

    def _single(self, path: str) -> str:
        if not _is_log(path):
            return "it is no log of a step"
        if self.whole:
            return self.whole
        *folders, name = path.split("/")
        current = self.ran
        for folder in folders:
            current, reason = self._enter(folder, current)
            if reason:
                return reason
        return "" if _is_mixed(path) else self._read(name, current)

    def _enter(self, folder: str, current: set[str]) -> tuple[set[str], str]:
        """The workflows whose names may stand inside `folder`, or why it is out."""
        inside: set[str] = set()
        for owner in self._candidates(current):
            if not self._knows(owner, folder):
                continue
            if reason := self.state.reason(owner, folder):
                return inside, reason
            inside.add(self.state.workflows[owner].children.get(folder, owner))
        if folder in self.state.workflows or not inside:
            inside.add(folder)
            return inside, self.state.reason(folder)
        return inside, ""

    def _read(self, name: str, current: set[str]) -> str:
        """Why the log of that name is out, by all its readings."""
        owners = self._candidates(current)
        readings = {(owner, step) for owner in owners for step in _plain(name)}
        readings |= set(_qualified(name))
        known = sorted(reading for reading in readings if self._knows(*reading))
        reasons = [self.state.reason(*reading) for reading in known]
        if not known:
            reasons = [self.state.reason(owner) for owner in sorted(current)]
            reasons.append(self.state.unknown(f"the step that wrote '{name}'"))
        elif not current and self.state.broken:
            # What ran may be defined in the very file that cannot be read.
            reasons.append(self.state.unknown("the workflow that ran"))
        return next(filter(None, reasons), "")

    def _knows(self, workflow: str, step: str) -> bool:
        return (workflow, step) in self.state.steps

    def _candidates(self, known: set[str]) -> set[str]:
        return known or set(self.state.workflows) - {SCAN}


def _is_log(path: str) -> bool:
    return path.endswith((".log", _PROMPT))


def _is_mixed(path: str) -> bool:
    return path.rpartition("/")[2] in MIXED


def _plain(name: str) -> Iterator[str]:
    """The steps that a log's name may mean if it names no workflow."""
    if name.startswith("step.") and name.endswith(".skip.log"):
        yield name[len("step.") : -len(".skip.log")]
    stem = name.removesuffix(_PROMPT).removesuffix(".log")
    yield stem
    if stem.startswith(_LLM):
        yield stem[len(_LLM) :]


def _qualified(name: str) -> Iterator[tuple[str, str]]:
    """The pairs of workflow and step that a log's name may mean: it may be cut at
    any of its dashes."""
    stem = name.removesuffix(_PROMPT).removesuffix(".log")
    parts = stem.split("-")
    for cut in range(1, len(parts)):
        workflow, step = "-".join(parts[:cut]), "-".join(parts[cut:])
        yield workflow, step
        if step.startswith(_LLM):
            yield workflow, step[len(_LLM) :]
