"""Lead back from a requirement to the place that said so.

A document may have moved, a heading may have been renamed, a commit may have been
squashed away: none of that is an error. What can still be found is said.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from git_intent.git.diff import patch_ids
from git_intent.git.history import commits, is_ancestor, read_commits
from git_intent.git.objects import snapshot
from git_intent.git.repository import Repository
from git_intent.scan.document import statements
from git_intent.scan.reference import anchor
from git_intent.store.requirement import Kind, Requirement
from git_intent.store.requirement_file import normalise

# How many commits are searched for one whose change equals that of a lost commit.
_SEARCHED = 2000


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a statement comes from, in words; `line` is 0 when no line is known."""

    text: str
    path: str = ""
    line: int = 0
    commit: str = ""
    reachable: bool = True


def origin(repo: Repository, requirement: Requirement) -> Origin:
    """The place that `requirement.provenance` names, as far as it still exists."""
    source = requirement.provenance
    if source.kind is Kind.DOC:
        return _document(repo, requirement)
    if source.kind is Kind.COMMIT:
        return _commit(repo, source.ref, source.patch_id)
    if source.kind is Kind.USER:
        return Origin("written by hand")
    return Origin(f"{source.kind} {source.ref}".strip())


def _document(repo: Repository, requirement: Requirement) -> Origin:
    path, _, fragment = requirement.provenance.ref.partition("#")
    text = _read(repo, path)
    if text is None:
        return Origin(f"{path} (no longer there)", path, reachable=False)
    said = read_said(text, path)
    if line := said.words_of(requirement):
        return Origin(f"{path}:{line}", path, line)
    if line := said.headings.get(fragment, 0):
        return Origin(f"{path}:{line}, under #{fragment}", path, line)
    lost = f" (heading #{fragment} is no longer there)" if fragment else ""
    return Origin(f"{path}{lost}", path)


@dataclass(frozen=True, slots=True)
class Said:
    """What a document says: normalised sentence → line, and the anchor of a heading →
    the first line below it."""

    sentences: Mapping[str, int]
    headings: Mapping[str, int]

    def words_of(self, requirement: Requirement) -> int:
        """The line that says it in its words; 0 if none does."""
        wanted = normalise(requirement.statement)
        lines = map(self.sentences.get, (wanted, wanted.rpartition(": ")[2]))
        return min((line for line in lines if line), default=0)

    def line(self, requirement: Requirement) -> int:
        """That line, or the one below the heading that it was found under; 0 if the
        document has neither."""
        fragment = requirement.provenance.ref.partition("#")[2]
        return self.words_of(requirement) or self.headings.get(fragment, 0)


def read_said(text: str, path: str) -> Said:
    """Read a document once, for all that refers to it."""
    sentences: dict[str, int] = {}
    headings: dict[str, int] = {}
    for statement in statements(text, path, "doc"):
        sentences.setdefault(normalise(statement.text), statement.line)
        if name := anchor(statement.heading):
            headings.setdefault(name, statement.line)
    return Said(sentences, headings)


def _read(repo: Repository, path: str) -> str | None:
    if repo.worktree is not None:
        place = repo.root / path
        if not place.is_file() or place.is_symlink():
            return None
        return place.read_text(encoding="utf-8", errors="replace")
    found = snapshot(repo, "HEAD", path).get(path)
    return None if found is None else found.decode(errors="replace")


def _commit(repo: Repository, ref: str, patch_id: str) -> Origin:
    oid = repo.resolve(ref)
    if oid and is_ancestor(repo, oid, "HEAD"):
        subject = read_commits(repo, [oid])[oid].subject
        return Origin(f"commit {oid[:12]} {subject}", commit=oid)
    again = _same_change(repo, patch_id)
    found = f", the same change is in {again[:12]}" if again else ""
    return Origin(
        f"commit {ref[:12]} (unreachable{found})", commit=again, reachable=False
    )


def _same_change(repo: Repository, patch_id: str) -> str:
    if not patch_id or not repo.resolve("HEAD"):
        return ""
    recent = [c.oid for c in commits(repo, ["HEAD"], max_count=_SEARCHED)]
    for oid, found in patch_ids(repo, recent).items():
        if found == patch_id:
            return oid
    return ""
