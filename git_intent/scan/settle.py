"""The last two steps: put the decisions into the store, and commit exactly that.

`apply-reconcile` plans everything first (`scan.apply`), moves the cursors as far as the
material was used, judges the whole once more, and renames all files into place as one
change set. `commit` commits these files and no other; it also settles a scan that found
nothing to decide, whose cursors or domains may have moved. Whatever fails leaves the
store as it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.git import commit as git_commit
from git_intent.git import history, objects
from git_intent.git.committing import committing
from git_intent.git.repository import Repository
from git_intent.scan import changeset, orders, written
from git_intent.scan import run as runs
from git_intent.scan.apply import (
    LISTS,
    Circumstances,
    Item,
    Outcome,
    Plan,
    plan,
    refuse,
)
from git_intent.scan.artifacts import Decision, Sources, candidates_from_json
from git_intent.scan.authorship import Authorship
from git_intent.scan.bookkeeping import advance
from git_intent.scan.changeset import Change
from git_intent.scan.deferral import History, hold_back
from git_intent.scan.discovered import Discovered
from git_intent.scan.job import Ground, Job
from git_intent.scan.repair import PLAN, TRAILER, stored_ids, undo
from git_intent.scan.run import Stage
from git_intent.scan.steps import Result, read_decisions, read_reports, read_sources
from git_intent.scan.written import Made
from git_intent.store.commit_actor import SCAN_VARIABLE
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    DOMAINS,
    REQUIREMENTS,
    SCAN_STATE,
    load_store,
    read_snapshot,
    with_drivers,
)
from git_intent.store.rules import Actor, judge
from git_intent.store.scan_state import render_scan_state

NOTHING = "intent scan: nothing new to keep"


@dataclass(frozen=True, slots=True)
class Settled:
    """What apply-reconcile made of the decisions; the commit step reports it."""

    outcome: Outcome = field(default_factory=Outcome)
    deferred: tuple[Item, ...] = ()
    reported: tuple[Item, ...] = ()
    domains: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        lists = {name: getattr(self.outcome, name) for name in LISTS}
        return {
            "version": 1,
            **{name: _items(items) for name, items in lists.items()},
            "deferred": _items(self.deferred),
            "reported": _items(self.reported),
            "domains": list(self.domains),
            "remarks": list(self.remarks),
            "paths": list(self.paths),
        }

    @classmethod
    def from_json(cls, value: Any) -> "Settled":
        lists = {name: _from_items(value[name]) for name in LISTS}
        return cls(
            Outcome(**lists),
            _from_items(value["deferred"]),
            _from_items(value["reported"]),
            tuple(value["domains"]),
            tuple(value["remarks"]),
            tuple(value["paths"]),
        )


def apply_reconcile(job: Job) -> Result:
    """Write the decisions into the store; all of them or none."""
    _write(job, read_decisions(job))
    return Result.SUCCESS


def commit(job: Job) -> Result:
    """Commit the files that the scan wrote, and no other."""
    if not job.run.has(PLAN):
        written_by_steps = _made_by_steps(job)
        decisions = () if written_by_steps else _undecided(job)
        _write(job, decisions, written_by_steps)
    changes = changeset.read(job.run)
    if not changes or job.options.no_commit:
        changeset.clear(job.run)
        return Result.NONE
    state = job.run.state()
    if state.task and committing(job.repo, job.now.timestamp()):
        raise IntentError("a commit is under way", "the branch must not move now")
    made = git_commit.commit_paths(
        job.repo,
        _as_stored(job.repo, changes),
        message(job, [c.path for c in changes], read_settled(job).outcome),
        base=state.head,
        branch=state.branch,
        judge=lambda before, after: judge([before], after, Actor.AGENT),
        hooks_env={SCAN_VARIABLE: job.run.id},
    )
    job.run.save(replace(state, commit=made))
    changeset.clear(job.run)
    return Result.SUCCESS


def _as_stored(repo: Repository, changes: Sequence[Change]) -> dict[str, bytes | None]:
    """The files as git would store them; one question finds the few that a filter or
    a rule for line ends changes. Raises IntentError if one is not ours any more."""
    oids = stored_ids(repo, [change.path for change in changes if change.after])
    found: dict[str, bytes | None] = {}
    for change in changes:
        path = change.path
        target = repo.root / path
        data = target.read_bytes() if target.is_file() else None
        if ("" if data is None else sha256(data)) != change.after:
            raise IntentError(
                f"{path}: changed since the scan wrote it",
                "your version stays; run `git intent scan` again",
            )
        if data is None:
            found[path] = None
            continue
        plain = objects.blob_id(data, repo.object_format)
        found[path] = data if oids[path] == plain else objects.filtered(repo, path)[1]
    return found


def read_settled(job: Job) -> Settled:
    return Settled.from_json(job.run.read(PLAN))


def _undecided(job: Job) -> tuple[Decision, ...]:
    """No decisions, if it is true that there was nothing to decide."""
    sources = read_sources(job)
    if not sources.items:
        return ()
    if not candidates_from_json(job.run.read(runs.CANDIDATES)):
        return ()
    if read_decisions(job):
        raise IntentError(
            f"{job.run.folder / PLAN}: no such artifact",
            "run `git intent scan-step apply-reconcile` first",
        )
    return ()


def _made_by_steps(job: Job) -> Made | None:
    """What the workflow's own apply step wrote; None if there was nothing to apply, or
    it is ours that should have."""
    if not job.run.has(written.NAME) or not read_sources(job).items:
        return None
    made = written.made(job.run, read_snapshot(job.repo.root))
    told = orders.read(job.run)
    if told:
        return made if told.writer else None
    decided = job.run.has(runs.DECISIONS) and bool(read_decisions(job))
    return made if decided and made.files else None


def _write(job: Job, decisions: Sequence[Decision], made: Made | None = None) -> None:
    """Plan, judge, lay down, rename into place; `made` stands there already."""
    if job.run.has(changeset.NAME):  # the step is done once more
        undo(job.repo, job.run)
    ground = job.ground()
    settled, changes = settle(job, ground, decisions)
    if made:
        paths = tuple(sorted({*settled.paths, *made.files}))
        settled = replace(settled, outcome=made.outcome(), paths=paths)
    job.run.write(PLAN, settled.to_json())
    if job.options.dry_run or not settled.paths:
        return
    sides = made.sides if made else ()
    staged = changeset.stage(job.run, ground.work, changes, sides)
    state = job.run.state()
    job.run.save(replace(state, stage=Stage.APPLIED))
    if made:
        _accept(job, made)
    changeset.put(job.run, job.repo.root, staged[: len(changes)])


def _accept(job: Job, made: Made) -> None:
    """Refuse, also from the index, what the rules forbid."""
    try:
        made.refuse()
    except IntentError:
        written.unstage(job.run, job.repo, made.files)
        raise


def settle(
    job: Job, ground: Ground, decisions: Sequence[Decision]
) -> tuple[Settled, dict[str, bytes]]:
    """What to report, and the new bytes of every file of the store that changes."""
    sources = read_sources(job)
    taken = {path.rpartition("/")[2] for path in _names(job.repo)}
    authorship = Authorship(job.repo)
    around = Circumstances(
        now=job.now,
        taken=lambda name: f"{name}.md" in taken,
        held=ground.held,
        by_person=authorship.person,
    )
    made = plan(decisions, ground.files, around)
    changes = dict(made.changes)
    remarks: list[str] = []
    names: tuple[str, ...] = ()
    discovered = Discovered.from_json(job.run.read(runs.DOMAINS))
    if not discovered.empty:
        names = _add_domains(discovered, ground, changes, remarks)
    _advance(job, sources, made, ground, changes, remarks)
    _name_drivers(ground, changes)
    if DOMAINS in changes:  # the requirements are judged by the plan
        before = {p: d for p, d in ground.files.items() if p == DOMAINS}
        refuse(judge([before], {DOMAINS: changes[DOMAINS]}, Actor.AGENT))
    settled = Settled(
        made.outcome,
        made.deferred_items,
        _reported(job, ground),
        names,
        tuple(remarks),
        tuple(sorted(changes)),
    )
    return settled, changes


def _reported(job: Job, ground: Ground) -> tuple[Item, ...]:
    pairs = read_reports(job) if job.run.has(runs.DECISIONS) else ()
    known = load_store(ground.files).requirements if pairs else {}
    return tuple(
        Item(name, known[name].statement if name in known else "", text)
        for name, text in pairs
    )


def _names(repo: Repository) -> set[str]:
    return history.paths_in_refs(repo, REQUIREMENTS) | {
        f"{REQUIREMENTS}/{path.name}"
        for path in (repo.root / REQUIREMENTS).glob("req-*.md")
    }


def _add_domains(
    discovered: Discovered,
    ground: Ground,
    changes: dict[str, bytes],
    remarks: list[str],
) -> tuple[str, ...]:
    data = ground.files.get(DOMAINS)
    if DOMAINS in ground.held:
        remarks.append(f"{DOMAINS} has uncommitted changes: no domain was added")
        return ()
    if discovered.base != (sha256(data) if data is not None else ""):
        remarks.append(f"{DOMAINS}: base moved, no domain was added")
        return ()
    new = discovered.applied(data)
    if new is None or new == data:
        return ()
    changes[DOMAINS] = new
    if discovered.marked:
        names = ", ".join(discovered.marked)
        remarks.append(f"{DOMAINS}: a person changed {names}; marked user_edited")
    return tuple(domain.name for domain in discovered.added)


def _advance(
    job: Job,
    sources: Sources,
    made: Plan,
    ground: Ground,
    changes: dict[str, bytes],
    remarks: list[str],
) -> None:
    """Move the cursors past the material that was used."""
    states = job.states()
    waiting = [decision.candidate for decision, _ in made.deferred]
    if waiting:
        asked = {"": _history(job.repo)}
        for name, folder in job.options.repositories.items():
            asked[name] = _history(Repository.discover(folder))
        sources = hold_back(sources, waiting, states, asked)
    new = advance(states, sources, job.now)
    if new == states:
        return
    if SCAN_STATE in ground.held:
        remarks.append(
            f"{SCAN_STATE} has uncommitted changes: the cursors stay where they are"
        )
        return
    data = render_scan_state(new)
    if data != ground.files.get(SCAN_STATE):
        changes[SCAN_STATE] = data


def _name_drivers(ground: Ground, changes: dict[str, bytes]) -> None:
    if not changes or ATTRIBUTES in ground.held:
        return
    attributes = with_drivers(ground.files.get(ATTRIBUTES))
    if attributes is not None:
        changes[ATTRIBUTES] = attributes


def _history(repo: Repository) -> History:
    return History(
        parent=lambda oid: repo.resolve(f"{oid}^") or "",
        contains=lambda old, new: history.is_ancestor(repo, old, new),
    )


def message(job: Job, paths: Sequence[str], made: Outcome) -> str:
    """Subject with the counts, and the trailer that names the run."""
    subject = NOTHING
    if any(path not in (SCAN_STATE, ATTRIBUTES) for path in paths):
        subject = job.config.git.commit_subject.format(
            created=len(made.created),
            superseded=len(made.superseded),
            merged=len(made.merged),
            dropped=len(made.dropped),
        )
    return f"{subject}\n\n{TRAILER}: {job.run.id}\n"


def _items(items: Sequence[Item]) -> list[dict[str, str]]:
    return [{"id": i.id, "statement": i.statement, "detail": i.detail} for i in items]


def _from_items(value: Any) -> tuple[Item, ...]:
    return tuple(Item(i["id"], i["statement"], i["detail"]) for i in value)
