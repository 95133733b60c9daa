"""The hard rules, judged against git: which states are compared, and by whom.

`store.rules.judge` decides. Here it gets what differs between the commits that a change
starts from and what it leads to (`base`, `states`, `related`).
"""

from collections.abc import Callable, Collection
from datetime import UTC, datetime

from git_intent.git.objects import read_names
from git_intent.guard.base import Comparison, comparison
from git_intent.guard.related import complete
from git_intent.guard.request import Judgement, Request
from git_intent.guard.states import Delta, Place, read_delta
from git_intent.store.intent_dir import requirement_path
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.rules import Actor
from git_intent.store.rules import judge as judge_states
from git_intent.store.rules_view import Reader, view


def _utc_now() -> datetime:
    return datetime.now(UTC)


def judge(request: Request, clock: Callable[[], datetime] = _utc_now) -> Judgement:
    """Raises IntentError if the states cannot be compared."""
    place = Place.of(request.root)
    return judge_step(place, comparison(place.repo, request), request, clock)


def judge_step(
    place: Place,
    compared: Comparison,
    request: Request,
    clock: Callable[[], datetime] = _utc_now,
) -> Judgement:
    """Judge what is known to be compared.

    A hook, and `--fix`, set the mark of a person's change where it is missing.
    """
    delta = read_delta(place, compared.sides)
    # What a run of CI is about is worth a line; what a commit is about, goes without.
    notes = (f"compared {compared.note}",) if compared.span else ()
    if delta.empty:
        return Judgement((), request.actor, request.actor_reason, notes)
    reader = Reader()
    delta = complete(delta, reader)
    if compared.span:
        from git_intent.guard.span import judge_span

        return judge_span(place, request, compared, delta, reader)
    issues = _coming(place, request.actor, compared, delta, reader)
    repaired: list[str] = []
    if (request.hook or request.fix) and any(i.code == "I105" for i in issues):
        from git_intent.guard.repair import repair

        repaired = repair(place, delta.after, issues, clock())
        issues = [i for i in issues if i.code != "I105" or i.path not in repaired]
    actor, reason = request.actor, request.actor_reason
    return Judgement(tuple(issues), actor, reason, notes, tuple(repaired))


def _coming(
    place: Place,
    actor: Actor,
    compared: Comparison,
    delta: Delta,
    reader: Reader,
) -> list[Issue]:
    """The rules for a commit that is still to be made."""
    issues = judge_states(delta.before, delta.after, actor, reader=reader)
    gone = _gone(actor, delta, reader) if compared.sides.parents else []
    if not gone or not any(found.code == "I101" for found in issues):
        return issues
    free = _unpublished(place, compared.sides.parents, gone)
    return judge_states(delta.before, delta.after, actor, deletable=free, reader=reader)


def _gone(actor: Actor, delta: Delta, reader: Reader) -> list[str]:
    """Requirements that are no longer there, but for what an agent has to leave alone:
    deleted and added again, it would be enabled or reworded."""
    kept = view(delta.after, reader).ids
    found = []
    for side in delta.before:
        for name, entry in view(side, reader).entries.items():
            known = entry.requirement
            guarded = known.user_edited or known.status is not Status.ACTIVE
            if name not in kept and not (guarded and actor is Actor.AGENT):
                found.append(name)
    return found


def _unpublished(
    place: Place, parents: Collection[str], names: Collection[str]
) -> set[str]:
    """Those of `names` that HEAD has and nobody else: neither its parents, nor what it
    is merged with, nor any remote-tracking branch. An amended commit may drop them."""
    head, *merged = parents
    out = place.repo.git("for-each-ref", "--format=%(objectname)", "refs/remotes")
    older = place.repo.git("rev-parse", f"{head}^@")
    others = {*out.decode().split(), *older.decode().split(), *merged}
    asked = [
        (name, f"{commit}:{place.prefix}{requirement_path(name)}")
        for name in names
        for commit in others
    ]
    found = read_names(place.repo, [spelt for _, spelt in asked])
    held = {
        name for (name, _), data in zip(asked, found, strict=True) if data is not None
    }
    return set(names) - held
