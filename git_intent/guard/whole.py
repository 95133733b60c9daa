"""A check of everything: each project's store, its settings, and the hard rules.

The findings of several projects are told apart by their paths, which start at the top
of the work tree. If the states cannot be compared (a clone without the base), the files
are checked all the same, and the failure is told beside the findings.
"""

from collections.abc import Iterable
from dataclasses import replace

from git_intent import config, secrets
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.guard.base import Comparison, comparison
from git_intent.guard.fix import fix_formats
from git_intent.guard.known import Known, examine
from git_intent.guard.links import broken_links
from git_intent.guard.projects import (
    Side,
    State,
    from_top,
    projects,
    store_at,
    tracked,
)
from git_intent.guard.report import Report, setting
from git_intent.guard.request import Request
from git_intent.guard.rules import judge_step
from git_intent.guard.states import INDEX, WORK_TREE, Place
from git_intent.guard.stored import Stored
from git_intent.store.check import check_together
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.issue import Issue
from git_intent.store.rules_view import Reader, Snapshot


def check_all(repo: Repository, request: Request, *, thorough: bool = False) -> Report:
    """Check every project of the repository; the root of `request` does not matter.

    `thorough` lets detect-secrets look as well. Of a hook (`check --rules`) only what
    needs several files is looked at: the files themselves are another hook's.
    """
    whole = _Whole(repo, request, thorough)
    for project in whole.projects:
        whole.look_at(project)
    if repo.root not in {project.root for project in whole.projects}:
        whole.look_at_settings(repo)
    return Report(
        tuple(sorted(whole.issues)),
        whole.actor,
        whole.reason,
        tuple(whole.repaired),
        tuple(whole.notes),
        whole.failure,
    )


class _Whole:
    """What has been found so far."""

    def __init__(self, repo: Repository, request: Request, thorough: bool) -> None:
        self.request = request
        self.finder = secrets.thorough if thorough else secrets.find
        self.issues: set[Issue] = set()
        self.notes: dict[str, None] = {}
        self.repaired: list[str] = []
        self.failure: IntentError | None = None
        self.actor, self.reason = request.actor.value, request.actor_reason
        self.compared = compared = self._compared(repo)
        self.side = _side(compared) if compared else self._named_side(repo)
        parents = compared.sides.parents if compared else ()
        self.projects = projects(repo, self.side, parents)

    def _compared(self, repo: Repository) -> Comparison | None:
        """None where there is nothing to compare with, or no way to."""
        if repo.bare and not self.request.from_ref:
            if self.request.staged or self.request.hook:
                raise IntentError(
                    f"{repo.root}: is bare, so nothing is staged here",
                    "name the commits with --from-ref and --to-ref",
                )
            return None
        try:
            return comparison(repo, self.request)
        except IntentError as error:
            self.failure = error
            return None

    def _named_side(self, repo: Repository) -> Side:
        """What is to be checked where nothing can be compared."""
        asked = self.request
        if asked.staged or asked.hook:
            return Side(State.INDEX)
        if not asked.from_ref and not repo.bare:
            return Side(State.WORK_TREE)
        end = repo.resolve(asked.to_ref or "HEAD")
        if end is None:
            raise self.failure or IntentError(f"{repo.root}: has no commit yet")
        return Side(State.COMMIT, end)

    def look_at(self, project: Repository) -> None:
        """One that cannot be read, or judged, does not hide the others."""
        try:
            self._look_at(project)
        except IntentError as error:
            self.failure = self.failure or error

    def _look_at(self, project: Repository) -> None:
        if self.request.fix and self.side.state is State.WORK_TREE:
            fixed = fix_formats(project.root, store_at(project, self.side))
            self.repaired += (project.project + path for path in fixed)
        self._take(project, self._in_store(project))
        self.look_at_settings(project)
        if self.compared is None:
            return
        place = Place(from_top(project), project.project)
        judged = judge_step(place, self.compared, self.request)
        self._take(project, judged.issues)
        self.repaired += (project.project + path for path in judged.repaired)
        self.notes.update(dict.fromkeys(judged.notes))
        self.actor, self.reason = judged.actor.value, judged.reason

    def _take(self, project: Repository, issues: Iterable[Issue]) -> None:
        folder = project.project
        for found in issues:
            self.issues.add(
                replace(found, path=folder + found.path) if folder else found
            )

    def _in_store(self, project: Repository) -> list[Issue]:
        """Of what has been looked at before, only what is new is read."""
        store = store_at(project, self.side)
        if not isinstance(store, Stored):
            return self._examined(project, store, None)
        with store:
            known = Known(project.common_dir, project.project)
            return self._examined(project, store, known)

    def _examined(
        self, project: Repository, store: Snapshot, known: Known | None
    ) -> list[Issue]:
        finder = None if self.request.hook else self.finder
        reader = Reader()
        facts, issues = examine(store, finder, known, reader)
        globs = DOMAINS in store or any(one.paths for one in facts)
        paths = tracked(project, self.side) if globs else ()
        issues += check_together(facts, store, tracked=paths, reader=reader)
        return [*issues, *broken_links(facts, store, reader)]

    def look_at_settings(self, project: Repository) -> None:
        """Those outside of files count only where the work tree is checked."""
        if not (self.request.hook or project.bare) and project.root.is_dir():
            everywhere = self.side.state is State.WORK_TREE
            loaded = config.load(project, project.root, self.request.environ, {})
            self.issues.update(
                setting(project.project, found)
                for found in loaded.issues
                if found.line or everywhere
            )


def _side(compared: Comparison) -> Side:
    """The state that the comparison leads to."""
    target = compared.sides.target
    known = {INDEX: Side(State.INDEX), WORK_TREE: Side(State.WORK_TREE)}
    return known.get(target) or Side(State.COMMIT, target)
