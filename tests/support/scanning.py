"""Scans in tests: the real pipeline with a tiny extractor that cannot surprise.

Every line that says `Rule: …` is a candidate, whole as it stands; `low` or `suspect`
before the colon make it so.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

from git_intent.config import Config
from git_intent.git.repository import Repository
from git_intent.scan import queue
from git_intent.scan.after_tasks import Drainer, Place
from git_intent.scan.artifacts import Candidate
from git_intent.scan.job import Options, Tools
from git_intent.scan.pipeline import Scanner
from git_intent.scan.statement import Statement
from git_intent.store.requirement import Confidence, Provenance
from git_intent.store.stamps import stamp

NOW = datetime(2026, 9, 13, 10, 0, 0, tzinfo=UTC)
_RULE = re.compile(r"Rule(?: (low|suspect))?: .+")


def toy_extract(sources, domains, now=NOW):
    found = []
    for source in sources.items:
        for number, line in enumerate(source.text.splitlines(), 1):
            match = _RULE.fullmatch(line.strip())
            if not match:
                continue
            text = line.strip()
            found.append(
                Candidate(
                    statement=text,
                    provenance=Provenance(
                        source.kind, source.ref, stamp(now), "intent-scan"
                    ),
                    hints=(f"about {text}", f"when {text}"),
                    confidence=Confidence.LOW if match[1] else Confidence.HIGH,
                    path=source.path,
                    line=number,
                    end_line=number,
                    suspect="speaks to the model" if match[1] == "suspect" else "",
                )
            )
    return SimpleNamespace(candidates=tuple(found), skipped=0)


def lines(text, path):
    """Each line a statement under the nearest `#` above."""
    found, headings = [], ()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            headings = (line.strip("# "),)
        elif line.strip():
            found.append(Statement(line.strip(), number, number, headings=headings))
    return found


def no_similarity(a, b):
    return [0.0] * len(b)


TOOLS = Tools(toy_extract, no_similarity, cut=lines)


def scanner(path, *, now=NOW, tools=TOOLS, config=None, **options):
    repo = Repository.discover(path)
    return Scanner(repo, config or Config(), tools, now, Options(**options))


def scan(path, **more):
    return scanner(path, **more).scan()


def drainer(path, *, wanted=True, ci=False, **more):
    """What works off the queue of completed runs, with the same tools."""

    def place(root):
        repo = Repository.discover(Path(root))
        return Place(repo, wanted, lambda run: scanner(repo.root, run=run).scan_one())

    return Drainer(Repository.discover(path), place, ci, lambda: NOW, **more)


def drain(path, **more):
    """Pairs of each run and what became of it."""
    return [(o.run, o.fate.value) for o in drainer(path, **more).drain()]


def queue_up(path, *runs):
    """Let completed runs wait, in this order."""
    repo = Repository.discover(path)
    for number, run in enumerate(runs):
        at = NOW + timedelta(microseconds=number)
        queue.put(repo.common_dir, queue.entry(run, repo.root, repo.project, at))


def queue_and_drain(path, *runs, **more):
    queue_up(path, *runs)
    return drain(path, **more)
