"""Where a run of a workflow stands, and what follows: a fold over what steps report.

Every function takes a `Progress` and gives the next one; nothing is started here. A
step that is entered is a *visit* with a number of its own, so a loop tells its rounds
apart; of one step one visit runs at a time, the others wait their turn.

What follows a result is all that is wired to it, each target once (fan-out). `timeout`
and `token-limit` go to `abort` where neither a wire nor a global wire says otherwise. A
step that declares no results and is not wired ends its branch: `success` as `done`, all
else as `abort`.

A collect joins branches. `all` holds each of its results until the others are there,
and lets go of one when its step is entered anew: then it waits for the new result. It
does not go on either while a branch runs that began after a result came and may still
lead to that result's step again. `any` goes on at the first result; branches that were
under way when it did bring it no more, those that come after it open a new round.

`done` ends a branch; the run is done when no branch is left. `abort` ends the run:
nothing new starts, and it is over once the running steps have ended. A run whose
branches all wait in collects is aborted too, as is one that enters a step for the
1,001st time.

`max_attempts` counts runs of a step, anew after `success`. Once they are used up, the
next visit has its result (`give-up`) as soon as it starts and is not to be run.
"""

from collections.abc import Iterator
from dataclasses import replace

from git_intent.errors import IntentError
from git_intent.workflow.model import IMPLICIT_RESULTS, TERMINALS, Ref, Step, Workflow
from git_intent.workflow.progress import Held, Progress, State, Visit
from git_intent.workflow.wiring import DEFAULT_RESULTS, GIVE_UP

DONE, ABORT = TERMINALS
#: How often a step is entered before the run counts as an endless loop.
MOST_VISITS = 1000
_DIGITS = 9  # of a max_attempts that is ever reached


def begin(workflow: Workflow) -> Progress:
    """A run at its start: the first step written is ready."""
    if not workflow.steps:
        raise IntentError(f"workflow '{workflow.name}' has no step", "add a step")
    none = (0,) * len(workflow.collects)
    start = Progress(fired=none)
    return _settled(workflow, _entered(workflow, start, workflow.steps[0].name, none))


def started(workflow: Workflow, progress: Progress, step: str) -> Progress:
    """The next visit of the ready `step` runs, unless `visit.result` is there already:
    then it is to be finished with that."""
    if step not in progress.ready:
        raise ValueError(f"step {step!r} is not ready")
    visit = next(v for v in progress.waiting if v.step == step)
    given = _given(workflow, progress, step)
    attempts = dict(progress.attempts)
    if not given:
        attempts[step] = attempts.get(step, 0) + 1
    return replace(
        progress,
        waiting=tuple(v for v in progress.waiting if v != visit),
        running=(*progress.running, replace(visit, result=given)),
        attempts=attempts,
        held=tuple(held for held in progress.held if held.step != step),
    )


def finished(
    workflow: Workflow, progress: Progress, step: str, result: str
) -> Progress:
    """The running visit of `step` ended with `result`; what follows is ready then."""
    visit = progress.visit(step)
    attempts = dict(progress.attempts)
    if result == "success":
        attempts.pop(step, None)
    left = tuple(v for v in progress.running if v != visit)
    now = replace(progress, running=left, attempts=attempts)
    if now.state is State.RUNNING:
        now = _followed(workflow, now, visit, result)
    return _settled(workflow, now)


def repeated(workflow: Workflow, progress: Progress, step: str) -> Progress:
    """A running visit whose end nobody saw is given up for a new one, as for a step
    that a killed run leaves behind; what came of the first is not known."""
    visit = progress.visit(step)
    left = tuple(v for v in progress.running if v != visit)
    now = replace(progress, running=left)
    if now.state is State.RUNNING:
        now = _entered(workflow, now, step, visit.rounds)
    return _settled(workflow, now)


def aborted(workflow: Workflow, progress: Progress, reason: str) -> Progress:
    """Nothing new is to start, whatever is still wired."""
    return _settled(workflow, _stopped(progress, reason))


def allowed_results(step: Step) -> tuple[str, ...]:
    """The results a step may end with: the declared ones, or success and fail, and
    those that every step has."""
    declared = DEFAULT_RESULTS if step.results is None else step.results
    return tuple(dict.fromkeys((*declared, *IMPLICIT_RESULTS)))


def most_attempts(step: Step) -> int:
    """How often the step may run without success; 0 is without limit."""
    text = step.text("max_attempts").lstrip("0")
    if not text.isdecimal() or not text.isascii() or len(text) > _DIGITS:
        return 0
    return int(text)


def _followed(
    workflow: Workflow, progress: Progress, visit: Visit, result: str
) -> Progress:
    """Enter what is wired to a result, after the collects that it completes."""
    step = workflow.step(visit.step)
    if step is None or result not in allowed_results(step):
        why = f"step '{visit.step}' ended with '{result}', which it does not declare"
        return _stopped(progress, why)
    why = f"step '{visit.step}' ended with '{result}'"
    for target in dict.fromkeys(_wired(workflow, visit.step, result)):
        progress = _led(workflow, progress, target, visit.rounds, why)
    for at, collect in enumerate(workflow.collects):
        if Ref(visit.step, result) not in collect.refs:
            continue
        if collect.mode == "all":
            since = progress.entries
            held = Held(at, visit.step, result, since, visit.rounds)
            progress = replace(progress, held=(*progress.held, held))
        elif visit.rounds[at] >= progress.fired[at]:
            progress = _fired(workflow, progress, at, visit.rounds, why)
    return progress


def _wired(workflow: Workflow, step: str, result: str) -> Iterator[str]:
    """The targets of a result; what a collect waits for needs no other."""
    source = Ref(step, result)
    targets = [w.target for w in workflow.wires if w.source == source]
    yield from targets
    if targets or any(source in collect.refs for collect in workflow.collects):
        return
    everywhere = [g.target for g in workflow.global_wires if g.result == result]
    if everywhere:
        yield from everywhere
    else:
        yield DONE if result == "success" else ABORT


def _led(
    workflow: Workflow,
    progress: Progress,
    target: str,
    rounds: tuple[int, ...],
    why: str,
) -> Progress:
    """A branch has come to `target`."""
    if progress.state is not State.RUNNING:
        return progress
    if target == ABORT:
        return _stopped(progress, why)
    if target == DONE:
        return replace(progress, branches_done=progress.branches_done + 1)
    return _entered(workflow, progress, target, rounds)


def _entered(
    workflow: Workflow, progress: Progress, name: str, rounds: tuple[int, ...]
) -> Progress:
    number = progress.visits.get(name, 0) + 1
    if number > MOST_VISITS:
        why = f"step '{name}' was entered {MOST_VISITS} times: this loop may never end"
        return _stopped(progress, why)
    visit = Visit(name, number, "", progress.entries + 1, rounds)
    return replace(
        progress,
        waiting=(*progress.waiting, visit),
        visits={**progress.visits, name: number},
        held=tuple(held for held in progress.held if held.step != name),
    )


# Collects


def _fired(
    workflow: Workflow, progress: Progress, at: int, rounds: tuple[int, ...], why: str
) -> Progress:
    """A collect goes on."""
    count = progress.fired[at] + 1
    now = replace(
        progress,
        fired=(*progress.fired[:at], count, *progress.fired[at + 1 :]),
        held=tuple(held for held in progress.held if held.collect != at),
    )
    rounds = (*rounds[:at], count, *rounds[at + 1 :])
    return _led(workflow, now, workflow.collects[at].target, rounds, why)


def _joined(workflow: Workflow, progress: Progress) -> Progress:
    """Let every collect go on that has all it waits for."""
    for at, collect in enumerate(workflow.collects):
        held = [one for one in progress.held if one.collect == at]
        there = {Ref(one.step, one.result) for one in held}
        if not held or not there.issuperset(collect.refs):
            continue
        if not any(_in_doubt(workflow, progress, one) for one in held):
            rounds = tuple(map(max, zip(*(one.rounds for one in held), strict=True)))
            why = f"'{collect.target}' follows when all of its branches have ended"
            progress = _fired(workflow, progress, at, rounds, why)
    return progress


def _in_doubt(workflow: Workflow, progress: Progress, held: Held) -> bool:
    """Whether a branch that began later may still enter the step of a held result."""
    later = {
        visit.step
        for visit in (*progress.running, *progress.waiting)
        if visit.entered > held.since
    }
    reached: set[str] = set()
    while later:
        name = later.pop()
        reached.add(name)
        following = {w.target for w in workflow.wires if w.source.step == name}
        for at, collect in enumerate(workflow.collects):
            if at != held.collect and any(ref.step == name for ref in collect.refs):
                following.add(collect.target)
        later |= following - reached
    return held.step in reached


def _given(workflow: Workflow, progress: Progress, name: str) -> str:
    """The result of a step that has no attempt left, empty if it has."""
    step = workflow.step(name)
    most = most_attempts(step) if step else 0
    if step is None or not most or progress.attempts.get(name, 0) < most:
        return ""
    declared = step.results or ()
    return next((result for result in GIVE_UP if result in declared), "fail")


def _stopped(progress: Progress, reason: str) -> Progress:
    if progress.state is not State.RUNNING:
        return progress
    return replace(progress, state=State.ABORTING, reason=reason, waiting=())


def _settled(workflow: Workflow, progress: Progress) -> Progress:
    """What collects let go on is ready; over, if nothing runs and nothing waits."""
    if progress.state is State.RUNNING:
        progress = _joined(workflow, progress)
    if progress.over or progress.running or progress.waiting:
        return progress
    if progress.state is State.ABORTING:
        return replace(progress, state=State.ABORTED)
    if progress.branches_done:
        return replace(progress, state=State.DONE)
    why = _stuck(workflow, progress)
    return replace(progress, state=State.ABORTED, reason=why)


def _stuck(workflow: Workflow, progress: Progress) -> str:
    """What the branches wait for that cannot come any more."""
    missing = [
        f"{ref.step}:{ref.result} (for '{collect.target}')"
        for at, collect in enumerate(workflow.collects)
        for ref in dict.fromkeys(collect.refs)
        if (there := {(h.step, h.result) for h in progress.held if h.collect == at})
        and (ref.step, ref.result) not in there
    ]
    if not missing:
        return "every branch ended before it came to 'done'"
    return "nothing is left that could bring " + ", ".join(missing[:5])
