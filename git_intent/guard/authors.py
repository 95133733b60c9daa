"""Who changed what between two commits, and what agents may not have changed.

What a person did and what an agent did lie side by side in the difference between two
commits. So each commit that touches a file is a step of its own, made by somebody. What
counts is what is left in the end: a rule that an agent broke, and that is kept again at
the end or was decided anew by a person, is no finding.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_intent.git.history import Commit, Version, read_commits, versions
from git_intent.git.objects import read_names
from git_intent.guard.states import Place
from git_intent.store.commit_actor import Maker, maker
from git_intent.store.intent_dir import DOMAINS, REQUIREMENTS
from git_intent.store.issue import Issue
from git_intent.store.rules import Actor, judge
from git_intent.store.rules_view import Entry, Reader
from git_intent.store.rules_words import changed_words

#: What only agents are kept from.
_GUARDED = ("I103", "I104", "I106")

#: Files whose names git can be asked for, line by line.
_NAMED = re.compile(
    rf"{re.escape(DOMAINS)}|{re.escape(REQUIREMENTS)}/req-[0-9a-f]{{4}}\.md"
)

State = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Step:
    """What one commit made of one file: the file in each parent, and after it."""

    maker: Maker
    before: tuple[State, ...]
    after: State

    @property
    def by_agent(self) -> bool:
        return self.maker.actor is Actor.AGENT


@dataclass(frozen=True, slots=True)
class Authors:
    """The steps between two commits by path, oldest first, and each commit's maker."""

    makers: Mapping[str, Maker]
    steps: Mapping[str, Sequence[Step]]

    def claim(self) -> tuple[Actor, str]:
        """Who the whole is said to be by, and why."""
        agents = [oid for oid, one in self.makers.items() if one.actor is Actor.AGENT]
        if not agents:
            return Actor.PERSON, "no commit says that an agent made it"
        why = f"{agents[0][:12]}: {self.makers[agents[0]].reason}"
        if len(agents) == len(self.makers):
            return Actor.AGENT, f"every commit is an agent's ({why})"
        count = f"{len(agents)} of {len(self.makers)} commits"
        return Actor.PERSON, f"but {count} judged as an agent's ({why})"


def read_authors(
    place: Place, base: str, target: str, patterns: Sequence[str]
) -> Authors:
    """From history, all of it where `base` is empty. `patterns` name agents among
    authors. Only files that an agent touched have steps."""
    span = f"{base}..{target}" if base else target
    found = {
        path.removeprefix(place.prefix): some[::-1]
        for path, some in versions(place.repo, place.store, span).items()
    }
    commits = read_commits(
        place.repo, {one.commit for some in found.values() for one in some}
    )
    makers = {
        oid: maker(one.message, one.author, one.author_email, patterns)
        for oid, one in commits.items()
    }
    mixed = {
        path: some
        for path, some in found.items()
        if _NAMED.fullmatch(path)
        and any(makers[one.commit].actor is Actor.AGENT for one in some)
    }
    return Authors(makers, _steps(place, mixed, commits, makers))


def _steps(
    place: Place,
    found: Mapping[str, Sequence[Version]],
    commits: Mapping[str, Commit],
    makers: Mapping[str, Maker],
) -> dict[str, list[Step]]:
    asked = [
        f"{name}:{place.prefix}{path}"
        for path, some in found.items()
        for one in some
        for name in (*commits[one.commit].parents, one.commit)
    ]
    contents = dict(zip(asked, read_names(place.repo, asked), strict=True))

    def state(commit: str, path: str) -> State:
        data = contents[f"{commit}:{place.prefix}{path}"]
        return {} if data is None else {path: data}

    return {
        path: [
            Step(
                makers[one.commit],
                tuple(state(name, path) for name in commits[one.commit].parents),
                state(one.commit, path),
            )
            for one in some
        ]
        for path, some in found.items()
    }


def agents_breaks(
    path: str, before: State, after: State, steps: Sequence[Step], reader: Reader
) -> list[Issue]:
    """What agents broke in one file, and what of that is left from before to after.

    Judged is the way to the end from where it began, or from the last state that a
    person decided on after an agent broke a rule. So nothing is gained by taking two
    steps that are harmless each, or by letting somebody else touch the file.
    """
    broken = [
        number
        for number, step in enumerate(steps)
        if step.by_agent and _breaks(step, reader)
    ]
    if not broken and not all(step.by_agent for step in steps):
        return []
    start = [before]
    if broken and path not in before:
        start = list(steps[broken[0]].before)
    for step in steps[broken[-1] + 1 :] if broken else ():
        if not step.by_agent and _decides(path, step, reader):
            start = [step.after]
    issues = judge(start, after, Actor.AGENT, reader=reader)
    return [found for found in issues if found.code in _GUARDED]


def marks_missing(steps: Sequence[Step], reader: Reader) -> bool:
    """Whether a person left out the mark of a person's change (I105); an agent that
    rewords what nobody marked has nothing to mark."""
    return any(
        found.code == "I105"
        for step in steps
        if not step.by_agent
        for found in judge(step.before, step.after, Actor.PERSON, reader=reader)
    )


def _breaks(step: Step, reader: Reader) -> bool:
    """Other files are not looked at, so nothing is said about links (I102)."""
    issues = judge(step.before, step.after, Actor.AGENT, reader=reader)
    return any(found.code not in ("I102", "I107") for found in issues)


def _decides(path: str, step: Step, reader: Reader) -> bool:
    """Whether somebody gave status, words or mark a value that no parent has."""
    if path == DOMAINS:
        return True
    olds = [_entry(path, state, reader) for state in step.before if path in state]
    new = _entry(path, step.after, reader)
    known = [old for old in olds if old is not None]
    if new is None or not known:
        return new is not None
    now = new.requirement
    return (
        bool(changed_words(known, new, exact=True))
        or all(old.requirement.status is not now.status for old in known)
        or all(old.requirement.user_edited is not now.user_edited for old in known)
    )


def _entry(path: str, state: State, reader: Reader) -> Entry | None:
    found = reader.read(path, state[path]) if path in state else None
    return found if isinstance(found, Entry) else None
