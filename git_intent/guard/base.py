"""With what is compared: the commits that a change starts from, and its other end.

| asked | commits | other end |
|---|---|---|
| nothing | HEAD, and those being merged | the work tree |
| `--staged` | HEAD, and those being merged | the index |
| `--from-ref A --to-ref B` | the merge base of A and B | B |
| `--rules`, pre-commit has a range | the merge base of its ends | its end |
| `--rules`, a commit is being made | as `--staged` | the index |
| `--rules` otherwise | the merge base with CI's target, else with the default | HEAD |
| | branch, else HEAD's first parent | |

In CI a base that is out of reach is an error which names the setting to change: a clone
of depth 1 must never pass because there is nothing to compare with.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from git_intent.errors import IntentError
from git_intent.git.history import merge_base, shallow_border
from git_intent.git.process import git_result
from git_intent.git.repository import Repository
from git_intent.guard import ci
from git_intent.guard.request import Request
from git_intent.guard.states import INDEX, WORK_TREE, Sides

_DEFAULT = "refs/remotes/origin/HEAD"
_MERGED = "GITHEAD_"


@dataclass(frozen=True, slots=True)
class Comparison:
    """`note` says in words what is compared. In a `span`, from one commit to another,
    there may be several authors."""

    sides: Sides
    note: str
    span: bool = False


def comparison(repo: Repository, request: Request) -> Comparison:
    """Raises IntentError if there is no base, or none within reach."""
    start, end = request.from_ref, request.to_ref or "HEAD"
    if request.hook and not start:
        start = request.environ.get("PRE_COMMIT_FROM_REF", "")
        end = request.environ.get("PRE_COMMIT_TO_REF") or end
    span = _Span(repo, request)
    if start:
        # A branch that is new was at no commit before.
        return span.between(start, end) if start.strip("0") else span.reaching(end)
    if request.hook and not _committing(repo, request):
        return span.reaching("HEAD")
    target = INDEX if request.staged or request.hook else WORK_TREE
    return _coming(repo, request, target)


def _coming(repo: Repository, request: Request, target: str) -> Comparison:
    """The commit that would be made now."""
    head = repo.resolve("HEAD")
    merged = [oid for oid in _merged(repo, request) if oid != head]
    parents = (head, *merged) if head else ()
    names = ["HEAD" if head else "nothing", *(oid[:12] for oid in merged)]
    return Comparison(Sides(parents, target), f"{' and '.join(names)} to {target}")


def _merged(repo: Repository, request: Request) -> list[str]:
    """The commits that are being merged into HEAD.

    When git asks the pre-merge-commit hook there is no MERGE_HEAD yet; there are
    variables that carry the ids in their names.
    """
    try:
        found = (repo.git_dir / "MERGE_HEAD").read_text("ascii").split()
    except FileNotFoundError:
        found = []
        if "GIT_INDEX_FILE" in request.environ:
            named = sorted(n for n in request.environ if n.startswith(_MERGED))
            found = [name.removeprefix(_MERGED) for name in named]
    resolved = [repo.resolve(oid) for oid in found]
    return list(dict.fromkeys(oid for oid in resolved if oid))


def _committing(repo: Repository, request: Request) -> bool:
    """Whether there is something to commit, or git is about to commit nothing new
    (`--amend` of a message, `--allow-empty`): then it names the index to its hooks."""
    head = repo.resolve("HEAD")
    if head is None or _merged(repo, request):
        return True
    if "GIT_INDEX_FILE" in request.environ and not ci.in_ci(request.environ):
        return True
    args = ["diff-index", "--cached", "--quiet", "--ita-invisible-in-index", head]
    code, _, _ = git_result(args, cwd=repo.root, env=repo.exports)
    return code != 0


@dataclass(frozen=True, slots=True)
class _Span:
    """Looks for the commit at which the way to another one starts."""

    repo: Repository
    request: Request

    def between(self, start: str, end: str) -> Comparison:
        """From where the two parted to `end`."""
        target, source = self._commit(end), self._commit(start)
        base = merge_base(self.repo, source, target)
        if base is None:
            if self.repo.shallow:
                raise self._out_of_reach(f"where {start} and {end} parted")
            base = source
        return _span(base, target, f"the merge base with {start}")

    def reaching(self, end: str) -> Comparison:
        """From whatever the environment or the repository gives as the start."""
        target = self._commit(end)
        gone = ""
        for hint in ci.hints(self.request.environ):
            known = self._known(hint.names)
            if known is None and (hint.exactly or self.repo.shallow):
                raise self._missing(hint)
            if known is None:
                gone = hint.names[0]  # somebody rewrote the branch
            elif base := self._parted(known, target, hint.source):
                return _span(base, target, hint.source)
        for hint in ci.default_branches(self.request.environ):
            known = self._known(hint.names)
            if known and (base := self._parted(known, target, hint.source)):
                return _span(base, target, hint.source)
        known = self.repo.resolve(_DEFAULT)
        if known and (base := self._parted(known, target, "origin/HEAD")):
            return _span(base, target, "the merge base with origin/HEAD")
        if gone:
            raise IntentError(
                f"{gone[:12]}, where the branch stood before, is gone: a forced push?",
                f"git fetch origin {gone}, or name another base with --from-ref",
            )
        return self._last_commit(target)

    def _last_commit(self, target: str) -> Comparison:
        parent = self.repo.resolve(f"{target}^1")
        if parent:
            return _span(parent, target, "the first parent")
        if target not in shallow_border(self.repo):
            return Comparison(Sides((), target), f"nothing to {target[:12]}", span=True)
        if ci.in_ci(self.request.environ):
            raise self._out_of_reach(f"the commit before {target[:12]}")
        note = "this clone has no older commit to compare with"
        return Comparison(Sides((target,), target), note, span=True)

    def _parted(self, known: str, target: str, source: str) -> str | None:
        """The merge base with `known`; None if that has all of `target` already."""
        base = merge_base(self.repo, known, target)
        if base is None and self.repo.shallow:
            raise self._out_of_reach(f"the merge base with {source}")
        return None if base == target else base

    def _known(self, names: Iterable[str]) -> str | None:
        return next(filter(None, map(self.repo.resolve, names)), None)

    def _commit(self, name: str) -> str:
        found = self._known((name, *ci.branch(name)))
        if found is None and self.repo.shallow:
            raise self._out_of_reach(name)
        if found is None:
            raise IntentError(
                f"{name}: there is no such commit in this clone",
                f"git fetch origin {name}, or name another one",
            )
        return found

    def _missing(self, hint: ci.Hint) -> IntentError:
        name = hint.names[0].removeprefix("refs/remotes/origin/")
        if self.repo.shallow:
            return self._out_of_reach(f"{name} ({hint.source})")
        return IntentError(
            f"{name} ({hint.source}) is not in this clone, so there is nothing to "
            "compare with",
            f"git fetch origin +{name}:{hint.names[0]}"
            if hint.names[0] != name
            else f"git fetch origin {name}",
        )

    def _out_of_reach(self, what: str) -> IntentError:
        return IntentError(
            f"the history of this clone is cut off before {what}, so there is nothing "
            "to compare with",
            ci.more_history(self.request.environ),
        )


def _span(base: str, target: str, source: str) -> Comparison:
    note = f"{base[:12]} ({source}) to {target[:12]}"
    return Comparison(Sides((base,), target), note, span=True)
