"""Write down what a scan had looked at, so that the next one can be quiet.

    watch = Watch.begin(repo, os.environ, time.time_ns(), doc_globs, repositories)
    report = …the scan…
    watch.end(report.commit)      # last of all, if nothing is left to do

Left to do is what a scan put off, or what it said a person must look at again. All but
the store must be as it was at the start, so a file that changes while the scan is at
work is never taken for read. `quiet` documents the record and reads it.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_intent.files import write_atomic
from git_intent.git import look, objects
from git_intent.git.config_files import config_files
from git_intent.git.repository import Repository
from git_intent.scan import quiet
from git_intent.scan.collect_documents import is_document
from git_intent.scan.run_folders import LOGS, RUNS
from git_intent.store.intent_dir import REQUIREMENTS, SCAN_STATE, STORE
from git_intent.store.malformed import MalformedFile
from git_intent.store.scan_state import parse_scan_state
from git_intent.workflow.catalog import is_workflow_file
from git_intent.workflow.run_names import PREFIX

QUEUE = "intent/queue"
#: A file that changed so shortly before it was looked at may change again unseen.
_TICK = 50_000_000  # nanoseconds
_PROJECT_FILES = (
    ".cloche",
    ".cloche/.gitignore",
    ".cloche/config.toml",
    ".gitattributes",
    ".gitignore",
    f"{STORE}/.gitattributes",
    f"{STORE}/.gitignore",
    f"{STORE}/domains.yaml",
    f"{STORE}/scan-state.yaml",
    REQUIREMENTS,
    RUNS,
    LOGS,
)
_COMMON_FILES = (
    "config",
    "info/exclude",
    QUEUE,
    "packed-refs",
    "refs/intent",
    "shallow",
)


@dataclass(frozen=True, slots=True)
class Observation:
    """`signs` maps each watched path to its line in the record."""

    head: str
    choosing: str
    signs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Watch:
    """A scan under way. `before` is None where a scan can never be quiet."""

    repo: Repository
    environ: Mapping[str, str]
    doc_globs: Sequence[str]
    begun_ns: int
    before: Observation | None

    @classmethod
    def begin(
        cls,
        repo: Repository,
        environ: Mapping[str, str],
        now_ns: int,
        doc_globs: Sequence[str] = (),
        repositories: Collection[str] = (),
    ) -> "Watch":
        """First of all, before anything is read. A project that lists `repositories`
        beside its own is never quiet: they are not watched."""
        before = None if repositories else observe(repo, environ, doc_globs)
        return cls(repo, environ, doc_globs, now_ns, before)

    def end(self, made: str = "") -> bool:
        """Write the record if the next scan would surely find nothing; say whether.

        `made` is the commit of this scan, if it made one.
        """
        if self.before is None:
            return False
        after = observe(self.repo, self.environ, self.doc_globs)
        if after is None or after.head not in (self.before.head, made):
            return False
        for path, line in _foreign(self.repo, after).items():
            if self.before.signs.get(path) != line or _fresh(line, self.begun_ns):
                return False
        root, common = str(self.repo.root), str(self.repo.common_dir)
        lines = [quiet.HEADER, root, after.head, after.choosing]
        lines += [*after.signs.values(), "end", ""]
        target = Path(quiet.record_path(common, root))
        write_atomic(target, os.fsencode("\n".join(lines)))
        return True


def observe(
    repo: Repository, environ: Mapping[str, str], doc_globs: Sequence[str] = ()
) -> Observation | None:
    """What there is now; None where a scan can never be quiet."""
    head = repo.head().oid
    if repo.worktree is None or not head or repo.exports:
        return None
    if _names(repo.common_dir / QUEUE):
        return None  # the next command has runs to scan
    paths = {
        *(str(repo.root / path) for path in _in_project(repo, head, doc_globs)),
        *(str(repo.root / path) for path in _unread_runs(repo.root)),
        *(str(repo.common_dir / path) for path in _COMMON_FILES),
        *_folders(repo.common_dir / PREFIX.rstrip("/")),
        *config_files(repo, environ),
    }
    if any("\n" in path for path in paths):
        return None
    signs = {path: look.sign(path) for path in sorted(paths)}
    return Observation(head, look.choosing(environ), signs)


def _foreign(repo: Repository, seen: Observation) -> dict[str, str]:
    """The signs of what a scan does not write itself."""
    own = (f"{repo.root}/.cloche", f"{repo.root}/{STORE}")
    return {
        path: line
        for path, line in seen.signs.items()
        if path not in own and not path.startswith(f"{own[1]}/")
    }


def _fresh(line: str, now_ns: int) -> bool:
    return not line.startswith("- ") and int(line.split(" ", 3)[2]) > now_ns - _TICK


def _in_project(repo: Repository, head: str, doc_globs: Sequence[str]) -> Iterator[str]:
    yield from _PROJECT_FILES
    for entry in objects.tree(repo, head):
        if is_document(entry.path, doc_globs):
            yield entry.path
    for folder, wanted in ((".cloche", is_workflow_file), (REQUIREMENTS, None)):
        for name in _names(repo.root / folder):
            if wanted is None or wanted(f"{folder}/{name}"):
                yield f"{folder}/{name}"


def _unread_runs(root: Path) -> Iterator[str]:
    """Folders in which a run may still appear."""
    scanned_runs = _scanned_runs(root)
    for name in _names(root / RUNS):
        if name not in scanned_runs:
            yield f"{RUNS}/{name}"
            yield f"{RUNS}/{name}/snapshots"
    for task in _names(root / LOGS):
        if task not in scanned_runs:
            yield f"{LOGS}/{task}"
            yield from (f"{LOGS}/{task}/{n}" for n in _names(root / LOGS / task))


def _scanned_runs(root: Path) -> tuple[str, ...]:
    try:
        data = (root / SCAN_STATE).read_bytes()
        return parse_scan_state(data, SCAN_STATE).get().scanned_runs
    except (OSError, MalformedFile):
        return ()


def _folders(top: Path) -> Iterator[str]:
    yield str(top)
    for name in _names(top):
        if (top / name).is_dir():
            yield from _folders(top / name)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
