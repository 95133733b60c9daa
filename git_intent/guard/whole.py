"""A check of everything: each project's store, its settings, and the hard rules.

Findings of several projects are told apart by their paths, which start at the top of
the work tree.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from git_intent import config, secrets
from git_intent.config_file import Finding
from git_intent.git.repository import Repository
from git_intent.guard.projects import Side, State, projects, store_at, tracked
from git_intent.guard.report import Report
from git_intent.guard.request import Judgement, Request
from git_intent.store.check import check, check_together
from git_intent.store.check_text import Finder
from git_intent.store.issue import Issue, Severity
from git_intent.store.rules import Actor

Judge = Callable[[Request], Judgement]


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be checked: a state, what it is compared with, and by whom.

    `hook` is `check --rules`: the files themselves are another hook's. `thorough` asks
    detect-secrets as well.
    """

    side: Side
    from_ref: str = ""
    hook: bool = False
    fix: bool = False
    thorough: bool = False
    actor: Actor = Actor.PERSON
    actor_reason: str = ""
    told: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The report, and what a person is told beside it."""

    report: Report
    notes: tuple[str, ...] = ()


def check_all(
    repo: Repository, question: Question, environ: Mapping[str, str], judge: Judge
) -> Answer:
    """Check every project of the repository; `judge` is `guard.rules.judge`."""
    compared = [question.from_ref] if question.from_ref else _head(repo)
    found: set[Issue] = set()
    notes: dict[str, None] = {}
    repaired: list[str] = []
    actor, reason = question.actor, question.actor_reason
    for project in projects(repo, question.side, compared):
        found.update(_prefixed(project, _in_store(project, question)))
        found.update(_settings(project, question, environ))
        if project.worktree is None:
            continue
        judged = _judge(project, question, environ, judge)
        found.update(_prefixed(project, judged.issues))
        repaired += (project.project + path for path in judged.repaired)
        notes.update(dict.fromkeys(judged.notes))
        actor, reason = judged.actor, judged.reason
    if not question.hook:
        found.update(_settings(repo, question, environ))
    report = Report(tuple(sorted(found)), actor.value, reason, tuple(repaired))
    return Answer(report, tuple(notes))


def _head(repo: Repository) -> list[str]:
    head = repo.head().oid
    return [head] if head else []


def _in_store(project: Repository, question: Question) -> Sequence[Issue]:
    side = question.side
    store = store_at(project, side)
    if question.hook:
        return check_together(store, tracked=tracked(project, side))
    finders: tuple[Finder, ...] = (secrets.find,)
    if question.thorough:
        finders = (secrets.find, secrets.second_opinion)
    return check(store, tracked=tracked(project, side), finders=finders)


def _judge(
    project: Repository, question: Question, environ: Mapping[str, str], judge: Judge
) -> Judgement:
    request = Request(
        project.root,
        staged=question.side.state is State.INDEX,
        from_ref=question.from_ref,
        to_ref=question.side.rev,
        hook=question.hook,
        actor=question.actor,
        actor_reason=question.actor_reason,
        told=question.told,
        fix=question.fix,
        environ=environ,
    )
    return judge(request)


def _prefixed(project: Repository, issues: Iterable[Issue]) -> Iterator[Issue]:
    folder = project.project
    for found in issues:
        yield replace(found, path=folder + found.path) if folder else found


def _settings(
    project: Repository, question: Question, environ: Mapping[str, str]
) -> Iterator[Issue]:
    """Findings about settings; those outside of files only where all is checked."""
    if question.hook or project.worktree is None:
        return
    everything = question.side.state is State.WORK_TREE
    for found in config.load(project, project.root, environ, {}).issues:
        if found.line or everything:
            yield setting(project, found)


def setting(project: Repository, found: Finding) -> Issue:
    """A finding about a setting as one among others."""
    path = project.project + found.path if found.line else found.path
    severity = Severity(found.severity)
    return Issue(path, found.line, found.col, found.code, found.message, severity)
