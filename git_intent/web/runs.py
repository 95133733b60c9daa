"""Recorded runs: which requirements each was given, and the other way round.

Both ways are folded from the same records, `refs/intent/runs`, so they cannot disagree.
"""

import json
from collections import defaultdict
from typing import Any

from git_intent.git import objects
from git_intent.store.requirement import Status
from git_intent.web.console import Console
from git_intent.web.rows import one_line
from git_intent.web.served import Answer, Asked, Refused
from git_intent.web.stored import Held
from git_intent.workflow import runs
from git_intent.workflow.runs import Meta, Record

_MISSING = "missing"


def listed(console: Console, asked: Asked) -> Answer:
    """All runs, the newest first, and the requirements that any of them was given."""
    rows, issues = [], []
    for run, meta, broken, kv in runs.summaries(console.repo):
        if broken:
            issues.append({"path": run, "line": None, "message": broken})
        steps = [
            {"workflow": workflow, "step": step, "ids": list(ids)}
            for workflow, step, ids in runs.given(kv)
        ]
        rows.append({**_facts(run, meta), "steps": steps})
    rows.sort(key=lambda row: (row["started_at"], row["run"]), reverse=True)
    told = _requirements(console.stored.now(), rows)
    return Answer({"runs": rows, "requirements": told, "issues": issues})


def one(console: Console, asked: Asked) -> Answer:
    """What a run was asked, and the exact text that each of its steps was given."""
    run = asked.path["run"]
    record = _record(console, run)
    kv = runs.kv(console.repo, record)
    blobs = objects.read_blobs(console.repo, record.files.values())
    blocks = []
    for workflow, step in record.steps:
        data = blobs.get(record.files[runs.block_path(workflow, step)], b"")
        ids = list(runs.ids_of(kv, workflow, step))
        text = data.decode("utf-8", "replace")
        blocks.append({"workflow": workflow, "step": step, "ids": ids, "text": text})
    prompt = blobs.get(record.prompt, b"").decode("utf-8", "replace")
    steps = [{k: b[k] for k in ("workflow", "step", "ids")} for b in blocks]
    return Answer(
        {
            **_facts(run, record.meta),
            "steps": steps,
            "prompt": prompt,
            "transcripts": len(record.transcripts),
            "blocks": blocks,
        }
    )


def _record(console: Console, run: str) -> Record:
    known = runs.run_refs(console.repo)
    if run not in known:
        raise Refused(404, f"no run {json.dumps(run[:200])} is on record")
    return runs.read(console.repo, run, known[run])


def _facts(run: str, meta: Meta) -> dict[str, Any]:
    return {
        "run": run,
        "state": meta.state,
        "started_at": meta.started_at,
        "ended_at": meta.ended_at,
        "opted_out": meta.opted_out,
        "start": meta.start,
        "end": meta.end,
    }


def _requirements(held: Held, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each that was given to a step, the most often given one first."""
    times: dict[str, int] = defaultdict(int)
    given: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        for step in row["steps"]:
            for id in step["ids"]:
                times[id] += 1
                given[id][row["run"]] = None
    found = []
    for id, count in sorted(times.items(), key=lambda item: (-item[1], item[0])):
        r = held.store.requirements.get(id)
        status: Status | str = r.status if r else _MISSING
        found.append(
            {
                "id": id,
                "statement": one_line(r.statement) if r else "",
                "status": str(status),
                "count": count,
                "runs": list(given[id]),
            }
        )
    return found
