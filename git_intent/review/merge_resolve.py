"""Finish what a merge left undone in the store: what the merge driver does, later.

For clones without the driver, and for what a driver of single files cannot do: give one
of two requirements that met under an id a new one. Nothing is written here; the caller
gets the files, and what is left for a person.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from git_intent.files import sha256
from git_intent.git.history import is_ancestor, paths_in_refs
from git_intent.git.objects import index_entries, read_blobs, snapshot
from git_intent.git.process import GitError
from git_intent.git.repository import Repository
from git_intent.review.merge import merge_file
from git_intent.review.merge_heads import (
    Heads,
    base_of,
    default_versions,
    find_heads,
)
from git_intent.review.merge_result import Merged, conflict
from git_intent.review.merge_split import Meeting, Side, Split, follow, naming, split
from git_intent.review.merge_unmerged import (
    Unmerged,
    begun,
    by_lines,
    find_unmerged,
    gathered,
    marker_line,
)
from git_intent.store.check import check
from git_intent.store.ids import ID
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    REQUIREMENTS,
    SCAN_STATE,
    STORE,
    is_requirement,
    requirement_path,
)
from git_intent.store.issue import Issue, Severity
from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.rules import Actor, judge
from git_intent.store.rules_view import Reader
from git_intent.store.scan_state import parse_scan_state

Snapshot = Mapping[str, bytes]

_STRAY = "a requirement's file has the name of its id; rename this one or `git rm` it"


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is to be written, and what it came from.

    `new` are the files that what moved gets. `undone` are the paths that were in
    conflict, `splits` the requirements that met, `linked` the files that name what
    moved, `conflicts` what a person has to decide.
    """

    heads: Heads
    new: Mapping[str, bytes] = field(default_factory=dict)
    changes: Mapping[str, bytes] = field(default_factory=dict)
    undone: tuple[str, ...] = ()
    splits: tuple[Split, ...] = ()
    linked: tuple[str, ...] = ()
    conflicts: tuple[Issue, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def touched(self) -> list[str]:
        """The paths that are decided, for `git add`."""
        open_ones = {issue.path for issue in self.conflicts}
        moved = {one.path for one in self.splits}
        decided = {*self.undone, *self.new, *self.changes, *self.linked, *moved}
        return sorted(decided - open_ones)

    def in_order(self) -> list[dict[str, bytes]]:
        """What is to be written, one after the other.

        Files with a conflict come last: killed before, all can be found out again.
        """
        others = {p: d for p, d in self.changes.items() if p not in self.undone}
        last = {p: d for p, d in self.changes.items() if p in self.undone}
        return [dict(self.new), others, last]


def resolve(
    repo: Repository, files: Snapshot, wanted: Callable[[str], bool]
) -> Resolution:
    """Merge what is undone among the `wanted` paths; `files` is the work tree's store.

    Links to a requirement that gets a new id are corrected in all files.
    """
    undone = [one for one in find_unmerged(repo, files) if wanted(one.path)]
    if not undone:
        return Resolution(Heads("", ""))
    work = _Work(repo, files, find_heads(repo))
    whole, strays = gathered(undone)
    for one in whole:
        if is_requirement(one.path) and not ID.fullmatch(_stem(one.path)):
            strays.append(one.path)
        else:
            work.merge(one)
    for path in strays:
        work.conflicts.append(Issue(path, 1, 1, Code.NAME.value, _STRAY))
    work.split_all()
    return Resolution(
        work.heads,
        work.new,
        {p: data for p, data in work.changes.items() if files.get(p) != data},
        tuple(one.path for one in undone),
        tuple(work.splits),
        tuple(work.linked),
        tuple(sorted(work.conflicts)),
        tuple(work.notes),
    )


def findings(
    repo: Repository, resolution: Resolution, result: Snapshot, actor: Actor
) -> list[Issue]:
    """What is wrong with the whole store as it is then: formats, rules, links.

    Files that still hold a conflict are left out: that is said already.
    """
    heads = resolution.heads
    # A rebase and its like make commits of one parent.
    both = repo.operation() in ("merge", "") and heads.theirs
    merged = heads.known if both else [oid for oid in [heads.ours] if oid]
    parents = [snapshot(repo, oid, STORE) for oid in merged]
    still = {issue.path for issue in resolution.conflicts}
    strays = {i.path for i in resolution.conflicts if i.code == Code.NAME}
    result = {path: data for path, data in result.items() if path not in strays}
    issues = [*check(result), *judge(parents, result, actor)]
    return sorted(
        {i for i in issues if i.severity is Severity.ERROR and i.path not in still}
    )


class _Work:
    """One resolution in the making."""

    def __init__(self, repo: Repository, files: Snapshot, heads: Heads) -> None:
        self.repo, self.files, self.heads = repo, files, heads
        self.new: dict[str, bytes] = {}
        self.changes: dict[str, bytes] = {}
        self.splits: list[Split] = []
        self.linked: list[str] = []
        self.conflicts: list[Issue] = []
        self.notes: list[str] = []
        self._meetings: list[tuple[Unmerged, Meeting]] = []

    def merge(self, one: Unmerged) -> None:
        """Decide about one file, but for requirements that met."""
        if one.ours is None or one.theirs is None:
            self._one_sided(one)
            return
        if one.path == ATTRIBUTES:
            self._keep(one, _all_lines(one.ours, one.theirs))
            return
        done = self._merged(one, one.base)
        if one.staged and self._by_hand(one):
            if _unix(one.current or b"") != _unix(done.data):  # and not by us before
                text = "was decided by hand, and stays as it is"
                self.notes.append(f"{one.path}: {text}")
            return
        begun = self._as_begun(one, done.data)
        if begun is not one:
            one = begun
            done = self._merged(one, one.base)
        if one.base is None and (done.met or not one.staged):
            base = base_of(self.repo, self.heads, one.path)
            one = replace(one, base=base)
            done = self._merged(one, base) if base is not None else done
        if done.met:
            assert one.ours is not None
            assert one.theirs is not None
            met = Meeting(_stem(one.path), one.path, one.base, one.ours, one.theirs)
            self._meetings.append((one, met))
            return
        self._keep(one, done.data)
        self.conflicts += done.conflicts
        self.notes += done.notes

    def _merged(self, one: Unmerged, base: bytes | None) -> Merged:
        assert one.ours is not None
        assert one.theirs is not None
        ours, theirs = one.ours, one.theirs

        def lines() -> bytes | None:
            data, clean = by_lines(base, ours, theirs, self.repo)
            return data if clean else None

        documents = self._documents(one) if one.path == SCAN_STATE else None
        return merge_file(
            one.path,
            base,
            ours,
            theirs,
            lines=lines,
            ancestor=self._ancestor,
            documents=documents,
        )

    def _one_sided(self, one: Unmerged) -> None:
        """Present stays present: what one side deleted, the other has changed."""
        data = next(iter(one.versions), None)
        if data is None:
            text = "the conflict markers are not whole; finish this file by hand"
            self.conflicts.append(conflict(one.path, one.line, text))
        elif one.current is None or marker_line(one.current, one.path):
            self._keep(one, data)
            self.notes.append(f"{one.path}: deleted on one side: stays")
        else:
            self.notes.append(f"{one.path}: deleted on one side: stays")

    def _by_hand(self, one: Unmerged) -> bool:
        """Whether the work tree's file is what a person made of the conflict."""
        if one.current is None or marker_line(one.current, one.path):
            return False
        now = _unix(one.current)
        return all(_unix(data) != now for data in one.versions)

    def _as_begun(self, one: Unmerged, ours: bytes) -> Unmerged:
        """With what a person has chosen already in a file that has markers.

        `ours` is the file that the merge driver leaves.
        """
        if not one.staged or one.current is None:
            return one
        if not marker_line(one.current, one.path):
            return one
        assert one.ours is not None
        assert one.theirs is not None
        git_s = by_lines(one.base, one.ours, one.theirs, self.repo)[0]
        found = begun(one.current, [git_s, ours])
        if found is None:
            return one
        return replace(one, ours=found.ours, theirs=found.theirs)

    def _keep(self, one: Unmerged, data: bytes) -> None:
        """Take `data`, with the line ends that the work tree's file has."""
        current = one.current or b""
        if b"\r\n" in current and not any(b"\r\n" in v for v in one.versions):
            data = data.replace(b"\n", b"\r\n")
        self.changes[one.path] = data

    def _ancestor(self, old: str, new: str) -> bool:
        try:
            return is_ancestor(self.repo, old, new)
        except GitError:  # one of them is not here
            return False

    def _documents(self, one: Unmerged) -> dict[str, str]:
        """The sha256 of each merged document that the cursors of a side name."""
        named: set[str] = set()
        for data in one.versions:
            try:
                named.update(parse_scan_state(data, one.path).get().scanned_docs)
            except MalformedFile:
                continue
        merged = {
            entry.path: entry.oid
            for entry in index_entries(self.repo)
            if entry.stage == 0 and entry.regular and entry.path in named
        }
        blobs = read_blobs(self.repo, merged.values())
        return {p: sha256(blobs[oid]) for p, oid in merged.items() if oid in blobs}

    def split_all(self) -> None:
        if not self._meetings:
            return
        seen = {p.rpartition("/")[2] for p in paths_in_refs(self.repo, REQUIREMENTS)}
        sides = {
            side: snapshot(self.repo, oid, STORE)
            for side, oid in (
                (Side.OURS, self.heads.ours),
                (Side.THEIRS, self.heads.theirs),
            )
            if oid
        }
        for store in (*sides.values(), self.files):
            seen.update(path.rpartition("/")[2] for path in store)

        def taken(id: str) -> bool:
            return f"{id}.md" in seen or requirement_path(id) in self.new

        reader = Reader()
        for one, met in self._meetings:
            known = default_versions(self.repo, one.path)
            store = {**self.files, **self.changes, **self.new}
            done = split(met, known, store, taken, reader)
            self.splits.append(done)
            self.conflicts += done.conflicts
            self._keep(one, done.kept)
            if done.is_new:
                self.new[done.path] = done.data
            else:
                self.changes[done.path] = done.data
        result = {**self.files, **self.changes, **self.new}
        for path, data in follow(self.splits, result, sides).items():
            target = self.new if path in self.new else self.changes
            target[path] = data
        result = {**self.files, **self.changes, **self.new}
        self.linked += naming([one.new for one in self.splits], result)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _all_lines(ours: bytes, theirs: bytes) -> bytes:
    """Each line of both sides once: attributes of one path do not exclude others."""
    lines = ours.splitlines()
    more = [line for line in theirs.splitlines() if line not in lines]
    if not more:
        return ours
    glue = b"\r\n" if b"\r\n" in ours else b"\n"
    return glue.join([*lines, *more]) + glue
