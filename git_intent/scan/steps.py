"""The first four steps of a scan, each from the previous artifact to its own.

`discover-domains`, `collect-sources`, `extract`, `reconcile` read the repository and
write nothing but the run directory; what they decide is put into the store by the two
steps of `scan.settle`. Every step reads its artifact from the run directory even when
all of them run in one process, so that a step of a project's own workflow may have
written it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from git_intent.errors import IntentError
from git_intent.git import objects
from git_intent.git.diff import patch_ids
from git_intent.scan import run as runs
from git_intent.scan import wordings
from git_intent.scan.artifacts import (
    Action,
    Candidate,
    Decision,
    Sources,
    candidates_from_json,
    candidates_to_json,
    decisions_from_json,
    decisions_to_json,
    sources_from_json,
    sources_to_json,
)
from git_intent.scan.authorship import Authorship
from git_intent.scan.discovered import Discovered
from git_intent.scan.hostile import suspicion
from git_intent.scan.job import Job
from git_intent.scan.known import Known, know
from git_intent.scan.reconcile import reconcile
from git_intent.scan.revisions import Documents
from git_intent.scan.succession import Standing, Succession, succeed
from git_intent.store.intent_dir import load_store
from git_intent.store.requirement import Kind
from git_intent.workflow.runs import read as read_record

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Result(StrEnum):
    """How a step ended. `none` means that it found nothing to do."""

    SUCCESS = "success"
    NONE = "none"
    FAIL = "fail"


def discover_domains(job: Job) -> Result:
    """Propose domains; writes `domains.json`."""
    from git_intent.scan.survey import survey

    found = survey(job)
    job.run.write(runs.DOMAINS, found.to_json())
    return Result.NONE if found.empty else Result.SUCCESS


def collect_sources(job: Job) -> Result:
    """Gather what is new; writes `sources.json`."""
    job.run.read(runs.DOMAINS)
    sources = _collect(job)
    job.run.write(runs.SOURCES, sources_to_json(sources))
    return Result.NONE if sources.nothing_new else Result.SUCCESS


def extract(job: Job) -> Result:
    """Write down candidates; writes `candidates.json`."""
    sources = read_sources(job)
    discovered = Discovered.from_json(job.run.read(runs.DOMAINS))
    domains = (*job.domains().domains, *discovered.added)
    found = job.tools.extract(sources, domains)
    value = candidates_to_json(_doubted(c) for c in found.candidates)
    job.run.write(runs.CANDIDATES, {**value, "skipped": found.skipped})
    return Result.SUCCESS if found.candidates else Result.NONE


def _doubted(candidate: Candidate) -> Candidate:
    """Whoever extracted it: text that may steer a model waits for a person.

    Hints are never shown to one, and may well ask "is it ok to push to main".
    """
    said = f"{candidate.statement}\n{candidate.rationale}"
    return replace(candidate, suspect=candidate.suspect or suspicion(said))


def reconcile_candidates(job: Job) -> Result:
    """Decide about each candidate; writes `decisions.json`."""
    sources = read_sources(job)
    candidates = candidates_from_json(job.run.read(runs.CANDIDATES))
    store = load_store(job.ground().files)
    earlier = wordings.former(job.repo, keep=not job.options.dry_run)
    authorship = Authorship(job.repo)
    if job.tools.decide:
        known = know(store, earlier, authorship.person)
        decided = tuple(_based(job.tools.decide(candidates, known), known))
        done, repeated = Succession(decided), 0
    else:
        known = know(store, earlier)
        documents = Documents(job.repo, sources, store.scan_state.get())
        standing = Standing(documents.now, job.tools.cut)
        first = reconcile(
            candidates,
            known,
            backed=lambda one: not one.from_document or standing.holds(one),
            similarity=job.tools.similarity,
        )
        done = succeed(
            first.decisions,
            known,
            documents.revisions(),
            cut=job.tools.cut,
            still_stands=standing.holds,
            by_person=lambda one: (
                one.requirement.user_edited or authorship.person(one.id)
            ),
            descends=documents.descends,
        )
        repeated = first.repeated
    decisions = _with_patch_ids(job, done.decisions)
    value = decisions_to_json(decisions)
    reports = [list(report) for report in done.reports]
    job.run.write(runs.DECISIONS, {**value, "reports": reports, "repeated": repeated})
    return Result.SUCCESS if decisions or reports else Result.NONE


def read_sources(job: Job) -> Sources:
    return sources_from_json(job.run.read(runs.SOURCES))


def read_decisions(job: Job) -> tuple[Decision, ...]:
    return decisions_from_json(job.run.read(runs.DECISIONS))


def read_reports(job: Job) -> tuple[tuple[str, str], ...]:
    """What the reconcile step wants told: pairs of a requirement's id and words."""
    value = job.run.read(runs.DECISIONS)
    found = value.get("reports", []) if isinstance(value, dict) else []
    if not isinstance(found, list) or not all(map(_is_pair, found)):
        raise IntentError(
            "decisions.json: /reports: expected pairs of texts",
            "the step that wrote this file does not follow docs/formats.md",
        )
    return tuple((name, text) for name, text in found)


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(text, str) for text in value)
    )


def _collect(job: Job) -> Sources:
    from git_intent.scan import collect

    git = job.config.git
    limit = job.options.max_commits
    options = collect.Options(
        full=job.options.full,
        max_commits=git.max_commits if limit is None else limit,
        doc_globs=git.doc_globs,
        transcripts=git.transcripts,
        repositories=job.options.repositories,
    )
    if not job.options.run:
        return collect.collect(job.repo, job.states(), options)
    meta = read_record(job.repo, job.options.run).meta
    only = collect.Limit(job.options.run, meta.start, meta.end)
    return collect.collect_limited(job.repo, job.states(), only, options)


def _based(
    decisions: Iterable[Decision], known: Mapping[str, Known]
) -> Iterable[Decision]:
    """Each decision with the hash of the bytes that it is about."""
    for decision in decisions:
        if decision.action == Action.CREATE or decision.base:
            yield decision
        elif decision.existing_id in known:
            yield replace(decision, base=known[decision.existing_id].base)
        else:
            raise IntentError(
                f"decision about {decision.existing_id or 'no id'}: "
                "there is no such requirement",
                "a merge, supersede or drop names one that exists",
            )


def _with_patch_ids(job: Job, decisions: Sequence[Decision]) -> list[Decision]:
    """Commits get their patch id, by which they are found after a rebase."""
    wanted = {d.candidate.provenance.ref for d in decisions if _own_commit(d.candidate)}
    found = patch_ids(job.repo, objects.sizes(job.repo, sorted(wanted)))
    return [
        replace(
            d,
            candidate=replace(
                d.candidate,
                provenance=replace(
                    d.candidate.provenance, patch_id=found[d.candidate.provenance.ref]
                ),
            ),
        )
        if _own_commit(d.candidate) and d.candidate.provenance.ref in found
        else d
        for d in decisions
    ]


def _own_commit(candidate: Candidate) -> bool:
    origin = candidate.provenance
    return origin.kind == Kind.COMMIT and bool(_COMMIT.fullmatch(origin.ref))
