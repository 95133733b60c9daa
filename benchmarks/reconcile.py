"""Does the reconciler decide right? changes of documents, each a real repository.

    python -m benchmarks reconcile
    python -m benchmarks.reconcile [--agent COMMAND] [--verbose]

Every case of `reconcile.yaml` is lived through: a document is scanned, it changes as
the case says, and it is scanned again. Each item of a list is a candidate, so that only
the reconciler is judged. Printed is, by kind and in all, how often the decision about
the new sentence was a right one; and how often a rule that still holds was retired.
With `--agent` that command decides in place of the built-in reconciler.
"""

import argparse
import os
import shlex
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.figure import Figure
from benchmarks.process import INTENT, environment
from benchmarks.reconcile_cases import Case, Verdict, another, cases, page
from git_intent.cli.scanning import similarity
from git_intent.config import Config
from git_intent.git.repository import Repository
from git_intent.scan.agent_reconcile import reconcile
from git_intent.scan.artifacts import Candidate, Decision, Sources, decisions_from_json
from git_intent.scan.document import statements
from git_intent.scan.job import Decide, Options, Tools
from git_intent.scan.known import Known
from git_intent.scan.pipeline import Scanner
from git_intent.scan.run import DECISIONS, all_runs
from git_intent.store import mutate
from git_intent.store.domains import Domain
from git_intent.store.intent_dir import Store, load_store, read_snapshot
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Provenance,
    Requirement,
    Status,
)
from git_intent.store.requirement_file import normalise
from git_intent.store.stamps import stamp

BAR = 0.95
NOW = datetime(2026, 9, 13, 10, 0, 0, tzinfo=UTC)
RULES, OTHER, MOVED = "docs/rules.md", "CONTRIBUTING.md", "docs/guide.md"


@dataclass(frozen=True, slots=True)
class World:
    """The repository that a case is lived through in, and who decides there."""

    root: Path
    decide: Decide | None = None

    def git(self, *args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=self.root, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def commit(self, words: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", words)

    def write(self, text: str, path: str = RULES) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def scan(self, day: int) -> Mapping[str, str]:
        """Scan on a day; what was decided about each sentence, normalised."""
        repo = Repository.discover(self.root)
        now = NOW + timedelta(days=day)
        tools = Tools(partial(_items, now), similarity, self.decide)
        Scanner(repo, Config(), tools, now, Options()).scan()
        run = all_runs(repo.common_dir)[-1]
        if not run.has(DECISIONS):
            return {}
        decided = decisions_from_json(run.read(DECISIONS))
        return {normalise(d.candidate.statement): d.action.value for d in decided}

    def store(self) -> Store:
        return load_store(read_snapshot(self.root))

    def edit(self, statement: str, change: Callable[[bytes], bytes]) -> None:
        """A person edits the requirement that says `statement`, and commits it."""
        store = self.store()
        name = _saying(store, statement)[0].id
        (self.root / store.paths[name]).write_bytes(change(store.bytes[name]))
        self.commit("edit a requirement")


def _saying(store: Store, statement: str) -> list[Requirement]:
    wanted = normalise(statement)
    known = store.requirements.values()
    return [r for r in known if normalise(r.statement) == wanted]


def _items(now: datetime, sources: Sources, domains: Sequence[Domain]) -> Any:
    """Every statement of every document as a candidate, word for word."""
    del domains
    made = [
        Candidate(
            statement=item.text,
            provenance=Provenance(source.kind, source.ref, stamp(now), "intent-scan"),
            confidence=Confidence.HIGH,
            path=source.path,
            line=item.line,
            end_line=item.end_line,
            headings=item.headings,
        )
        for source in sources.items
        if source.kind is Kind.DOC
        for item in statements(source.text, source.path, "doc")
    ]
    return SimpleNamespace(candidates=tuple(made), skipped=0)


def live(case: Case, root: Path, decide: Decide | None = None) -> Verdict:
    """Live through a case in a new repository at `root`."""
    root.mkdir(parents=True)
    world = World(root, decide)
    world.git("init", "-q", "-b", "main")
    world.commit("begin")
    world.write(page(() if case.place == "added" else case.old))
    world.commit("rules")
    world.scan(0)
    _PLACES[case.place](world, case)
    world.commit("change")
    decided = world.scan(5)
    said = tuple(decided.get(normalise(text), "none") for text in case.asked)
    store = world.store()
    retired = [
        text
        for text in case.old
        if case.keep
        and not any(r.status is Status.ACTIVE for r in _saying(store, text))
    ]
    return Verdict(case, said, tuple(retired))


def _replace(world: World, case: Case) -> None:
    world.write(page(case.new))


def _elsewhere(world: World, case: Case) -> None:
    world.write(another(case.new), OTHER)


def _section(world: World, case: Case) -> None:
    world.write(page((), case.new))


def _document(world: World, case: Case) -> None:
    world.write(page(()))
    _elsewhere(world, case)


def _rename(world: World, case: Case) -> None:
    (world.root / RULES).unlink()
    world.write(page(case.new), MOVED)


def _reorder(world: World, case: Case) -> None:
    world.write(page(case.new, turned=True))


def _rewrite(world: World, case: Case) -> None:
    """The commit that was scanned is gone; its store stands on another one."""
    scanned = world.git("rev-parse", "HEAD")
    world.git("reset", "-q", "--hard", "HEAD~2")
    world.write(page(case.new))
    world.git("checkout", "-q", scanned, "--", ".cloche")


def _disabled(world: World, case: Case) -> None:
    now = NOW + timedelta(days=1)
    for text in case.old:
        world.edit(text, lambda data: mutate.disable(data, now))
    _elsewhere(world, case)


def _comeback(world: World, case: Case) -> None:
    world.write(page(case.new))
    world.commit("replace")
    world.scan(1)
    world.write(another(case.old), OTHER)


def _edited(world: World, case: Case) -> None:
    now = NOW + timedelta(days=1)
    for text in case.old:
        world.edit(text, lambda data: mutate.mark_edited(data, now))
    world.write(page(case.new))


def _added(world: World, case: Case) -> None:
    for text in case.old:
        command = [*INTENT, "add", text]
        subprocess.run(command, cwd=world.root, check=True, capture_output=True)
    world.commit("add by hand")
    _elsewhere(world, case)


def _delete(world: World, case: Case) -> None:
    world.write(page(()))


_PLACES: Mapping[str, Callable[[World, Case], None]] = {
    "replace": _replace,
    "elsewhere": _elsewhere,
    "section": _section,
    "document": _document,
    "rename": _rename,
    "reorder": _reorder,
    "rewrite": _rewrite,
    "disabled": _disabled,
    "comeback": _comeback,
    "edited": _edited,
    "added": _added,
    "delete": _delete,
}


def agent(command: str, folder: Path) -> Decide:
    """The reconciler that asks an agent, as a scan does."""

    def decide(
        candidates: Sequence[Candidate], known: Mapping[str, Known]
    ) -> Sequence[Decision]:
        return reconcile(
            candidates,
            known,
            command=shlex.split(command),
            cwd=folder,
            log_dir=folder / "log",
            timeout=600,
            nonce="0" * 32,
        )

    return decide


def verdicts(decide: Decide | None, folder: Path) -> Iterator[Verdict]:
    for number, case in enumerate(cases()):
        yield live(case, folder / str(number), decide)


def report(found: Sequence[Verdict], *, verbose: bool) -> str:
    """A table by kind, the total, and the wrong ones if wanted."""
    kinds: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in found:
        kinds[verdict.case.kind].append(verdict)
    rows = [*kinds.items(), ("all", list(found))]
    lines = ["| change | cases | right | retired |", "|---|---|---|---|"]
    for kind, some in rows:
        right = sum(verdict.right for verdict in some)
        retired = sum(bool(verdict.retired) for verdict in some)
        lines.append(f"| {kind} | {len(some)} | {right / len(some):.2f} | {retired} |")
    if verbose:
        wrong = [verdict for verdict in found if not verdict.right]
        lines += [f"{v.case.name}: {', '.join(v.decided)}" for v in wrong]
    return "\n".join(lines)


def judged(command: str = "") -> list[Verdict]:
    """All verdicts, in repositories that are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as name:
        folder = Path(name)
        who = "GIT_AUTHOR_", "GIT_COMMITTER_"
        identity = {f"{one}NAME": "A Person" for one in who}
        identity |= {f"{one}EMAIL": "person@example.invalid" for one in who}
        before = dict(os.environ)
        os.environ.update(environment(folder) | identity)
        try:
            decide = agent(command, folder) if command else None
            return list(verdicts(decide, folder / "cases"))
        finally:
            os.environ.clear()
            os.environ.update(before)


def figures() -> Iterator[Figure]:
    found = judged()
    right = sum(verdict.right for verdict in found)
    yield Figure(
        "decisions of the built-in reconciler that are right",
        right / len(found),
        f"of {len(found)} changes",
        BAR,
        at_least=True,
    )
    retired = sum(bool(verdict.retired) for verdict in found)
    yield Figure("rules that still hold and were retired", retired, "rules", 0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reconcile")
    parser.add_argument("--agent", metavar="COMMAND", default="")
    parser.add_argument("--verbose", action="store_true", help="name the wrong ones")
    options = parser.parse_args()
    found = judged(options.agent)
    print(report(found, verbose=options.verbose))
    right = sum(verdict.right for verdict in found) / len(found)
    return int(right < BAR or any(verdict.retired for verdict in found))


if __name__ == "__main__":
    raise SystemExit(main())
