"""The rules for commits that exist: a pull request, a push, a range.

The difference as a whole is judged as a person's, so what is broken and repaired on the
way is nobody's fault. What agents changed in it is judged as theirs (`authors`). A
person may allow a break of I101 or I102 in the message of a commit (`allow`).
"""

from collections.abc import Iterator, Sequence

from git_intent.config import load
from git_intent.git.history import commits
from git_intent.guard.allow import Allowance, allowances, allowed
from git_intent.guard.authors import (
    Authors,
    State,
    agents_breaks,
    marks_missing,
    read_authors,
)
from git_intent.guard.base import Comparison
from git_intent.guard.request import Judgement, Request
from git_intent.guard.states import Delta, Place
from git_intent.store.commit_actor import maker
from git_intent.store.issue import Issue
from git_intent.store.rules import Actor, judge
from git_intent.store.rules_view import Reader


def judge_span(
    place: Place, request: Request, compared: Comparison, delta: Delta, reader: Reader
) -> Judgement:
    """Whoever is named by --actor made all of it, else each commit says who made it."""
    sides = compared.sides
    patterns: Sequence[str] = ()
    if request.told:
        actor, reason = request.actor, request.actor_reason
        issues = judge(delta.before, delta.after, actor, reader=reader)
    else:
        settings = load(place.repo, place.root, request.environ, {}).config
        patterns = settings.git.agent_authors
        base = "".join(sides.parents)
        found = read_authors(place, base, sides.target, patterns)
        actor, reason = found.claim()
        issues = list(_by_authors(delta, found, reader))
    notes = [f"compared {compared.note}"]
    if any(issue.code in ("I101", "I102") for issue in issues):
        told = request.actor if request.told else None
        ways_out = _allowances(place, compared, patterns, told)
        used = {issue: allowed(issue, ways_out) for issue in issues}
        issues = [issue for issue in issues if not used[issue]]
        notes += dict.fromkeys(str(one) for one in used.values() if one)
    return Judgement(tuple(sorted(set(issues))), actor, reason, tuple(notes))


def _by_authors(delta: Delta, found: Authors, reader: Reader) -> Iterator[Issue]:
    for issue in judge(delta.before, delta.after, Actor.PERSON, reader=reader):
        steps = found.steps.get(issue.path)
        if issue.code != "I105" or steps is None or marks_missing(steps, reader):
            yield issue
    before = delta.before[0] if delta.before else {}
    for path, steps in found.steps.items():
        if path in delta.rest.differing:
            old, new = _only(path, before), _only(path, delta.after)
            yield from agents_breaks(path, old, new, steps, reader)


def _only(path: str, state: State) -> State:
    return {path: state[path]} if path in state else {}


def _allowances(
    place: Place, compared: Comparison, patterns: Sequence[str], told: Actor | None
) -> list[Allowance]:
    """What persons' commits on the way allow."""
    sides = compared.sides
    spec = [sides.target, *(f"^{parent}" for parent in sides.parents)]
    messages = [
        one.message
        for one in commits(place.repo, spec)
        if (told or maker(one.message, one.author, one.author_email, patterns).actor)
        is Actor.PERSON
    ]
    return allowances(messages)
