"""The project: settings, store, index, refs, locks, drivers, git hooks, queue."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from git_intent import config
from git_intent.embed.backends import KEYWORD, resolve
from git_intent.embed.index import FOLDER, covered
from git_intent.embed.relevance import embedded
from git_intent.errors import IntentError
from git_intent.git.refs import for_each_ref
from git_intent.git.repository import Repository
from git_intent.guard import drivers, hook_install
from git_intent.hosts.doctor.finding import Finding, broken, look, off, ok
from git_intent.inject.entry import entries
from git_intent.lock import ProjectLock
from git_intent.scan import after_tasks, queue
from git_intent.store.check import check
from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.issue import Severity
from git_intent.workflow.run_names import PREFIX

_REFS = "refs/intent/"
_SHOWN = 5  # findings of a store
_TRIES = 3  # scans of a run that failed before somebody should look


@dataclass(frozen=True, slots=True)
class Looking:
    """The project that is looked at, and what the outside gives: the environment,
    whether this is a CI job, and the time."""

    repo: Repository
    environ: Mapping[str, str]
    ci: bool
    now: datetime

    def findings(self) -> Iterator[Finding]:
        """Everything, in the order in which it matters."""
        loaded = config.load(self.repo, self.repo.root, self.environ, {})
        yield from _settings(loaded)
        if not self.repo.bare:
            yield from _store(self.repo, loaded, self.environ)
        yield _refs(self.repo)
        yield _lock(self.repo)
        if not self.repo.bare:
            yield _index_lock(self.repo, self.now)
            yield _drivers(self.repo)
            yield _git_hooks(self.repo)
        yield from self._queue(loaded)

    def _queue(self, loaded: config.Loaded) -> Iterator[Finding]:
        about = "queue"
        try:
            waiting = queue.entries(self.repo.common_dir)
        except IntentError as error:
            yield broken(about, error.message, error.hint)
            return
        if not waiting:
            on = loaded.config.scan_after_tasks
            yield ok(about, "empty" if on else "empty; scan_after_tasks is off")
            return
        stuck = [one for one in waiting if one.tries >= _TRIES and one.reason]
        for one in stuck[:_SHOWN]:
            yield look(
                about,
                f"{one.run} failed {one.tries} times: {one.reason}",
                f"git intent scan --run {one.run}",
            )
        if len(waiting) > len(stuck):
            reason = after_tasks.obstacle(self.repo, self.ci)
            why = f": {reason}" if reason else ""
            count = len(waiting) - len(stuck)
            yield look(about, f"{count} waiting to be scanned{why}", "git intent scan")


def _settings(loaded: config.Loaded) -> Iterator[Finding]:
    for found in loaded.issues:
        make = broken if found in loaded.errors else look
        yield make("settings", str(found), "git intent config")
    if not loaded.issues:
        yield ok("settings", "sound")


def _store(
    repo: Repository, loaded: config.Loaded, environ: Mapping[str, str]
) -> Iterator[Finding]:
    try:
        snapshot = read_snapshot(repo.root)
    except IntentError as error:
        yield broken("store", error.message, error.hint)
        return
    if not snapshot:
        yield off("store", "none yet", "git intent scan")
        return
    issues = check(snapshot)
    errors = [issue for issue in issues if issue.severity is Severity.ERROR]
    for issue in errors[:_SHOWN]:
        yield broken("store", f"{issue}", "git intent check")
    if len(errors) > _SHOWN:
        yield broken("store", f"{len(errors)} errors in all", "git intent check")
    elif not errors:
        known = load_store(snapshot).requirements
        counts = Counter(one.status.value for one in known.values())
        said = ", ".join(f"{n} {name}" for name, n in sorted(counts.items()))
        more = f"; {len(issues)} warnings, see git intent check" if issues else ""
        yield ok("store", f"{said or 'no requirement'}{more}")
    yield from _backends(repo, loaded, snapshot, environ)


def _backends(
    repo: Repository,
    loaded: config.Loaded,
    snapshot: Mapping[str, bytes],
    environ: Mapping[str, str],
) -> Iterator[Finding]:
    """What compares texts, and why each adapter is taken or not."""
    active = entries(load_store(snapshot).requirements)
    backend = resolve(
        active,
        None,  # in memory: nothing is written
        loaded.config.embedder,
        loaded.config.git.floor is config.Floor.STRICT,
        environ,
        str(repo.root),
    )
    for reason in backend.reasons:
        about = f"backend {reason.adapter}"
        if reason.taken:
            yield ok(about, f"taken, {reason.why}")
        elif backend.warning and reason.adapter != "keyword":
            yield look(about, f"not taken, {reason.why}", "git intent config embedder")
        else:
            yield off(about, f"not taken, {reason.why}")
    if backend.id == KEYWORD:
        return
    current = covered(repo.root / FOLDER, embedded(active), backend.id)
    said = f"{current} of {len(active)} requirements current"
    if current == len(active):
        yield ok("index", said)
    else:
        yield off("index", f"{said}; the next prompt brings it up to date")


def _refs(repo: Repository) -> Finding:
    """Whether git has what the refs of ours name."""
    refs = for_each_ref(repo, _REFS)
    asked = "".join(f"{oid}\n" for oid in refs.values()).encode()
    out = repo.git("cat-file", "--batch-check", input=asked)
    missing = [
        name
        for name, line in zip(refs, out.splitlines(), strict=True)
        if line.endswith(b" missing")
    ]
    if missing:
        more = f" and {len(missing) - 1} more" if missing[1:] else ""
        return broken(
            "refs",
            f"{missing[0]}{more}: git has no object for it",
            "git fsck; then fetch the ref again from where it was pushed to",
        )
    runs = sum(name.startswith(PREFIX) for name in refs)
    return ok("refs", f"{runs} of runs, {len(refs) - runs} others")


def _lock(repo: Repository) -> Finding:
    lock = ProjectLock(repo.common_dir)
    if not os.path.lexists(lock.path):
        return ok("lock", "free")
    owner = lock.holder()
    if owner is not None:
        return ok("lock", f"held by {owner}")
    return look(
        "lock",
        f"{lock.path}: its owner is dead, or cannot be read",
        "whoever needs it next takes a dead one's; an unreadable one may be deleted",
    )


def _index_lock(repo: Repository, now: datetime) -> Finding:
    path = repo.index_file.with_name(f"{repo.index_file.name}.lock")
    try:
        since = path.stat().st_mtime
    except OSError:
        return ok("git index", "free")
    minutes = max(0, int((now.timestamp() - since) / 60))
    return look(
        "git index",
        f"{path} is there since {minutes} minutes",
        "if no git is at work any more, delete it",
    )


def _drivers(repo: Repository) -> Finding:
    settings, remarks = drivers.plan_settings(repo, remove=False)
    if remarks:
        return look("drivers", remarks[0])
    if not settings:
        return ok("drivers", "diff and merge registered")
    return off(
        "drivers",
        "not registered: git diffs and merges requirements as text",
        "git intent install git",
    )


def _git_hooks(repo: Repository) -> Finding:
    about = "git hooks"
    if _in_pre_commit(repo.root):
        return ok(about, "named in .pre-commit-config.yaml")
    try:
        ours = hook_install.plan_uninstall(repo).steps
        planned = hook_install.plan_install(repo, sys.executable).steps
    except (IntentError, OSError) as error:
        hint = error.hint if isinstance(error, IntentError) else ""
        return look(about, str(error), hint)
    if not ours:
        return off(about, "none of ours", "git intent install git")
    if planned:
        return look(about, "not up to date", "git intent install git")
    return ok(about, "check each commit")


def _in_pre_commit(root: Path) -> bool:
    try:
        return b"git-intent-" in (root / ".pre-commit-config.yaml").read_bytes()
    except OSError:
        return False
