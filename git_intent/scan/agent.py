"""The agent extractor: a configured command finds the candidates.

What was mined stands in the prompt as numbered, quoted lines between two lines with a
nonce, so that no text of the project can pose as an instruction, an end of the quote,
or an answer. An agent points at a source and its lines; kind, reference and stamps of a
candidate come from the source and from us.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from git_intent.scan.agent_call import Agent, plain, render
from git_intent.scan.agent_reply import Complaints, Part
from git_intent.scan.artifacts import Candidate, Source, Sources
from git_intent.scan.document import statements
from git_intent.scan.reference import reference
from git_intent.scan.statement import Statement
from git_intent.store import globs
from git_intent.store.requirement import Confidence, Kind, Level, Provenance, Scope
from git_intent.store.requirement_file import normalise
from git_intent.store.stamps import stamp

EXTRACTED_BY = "intent-scan"
#: Bytes of quoted material in one prompt; more is asked for in several.
BATCH = 100_000
MOST_CANDIDATES = 400
_LANGUAGE = re.compile(r"[a-z0-9][a-z0-9+#.-]{0,30}")


def extract(
    sources: Sources,
    *,
    command: Sequence[str],
    cwd: Path,
    log_dir: Path,
    timeout: float,
    nonce: str,
    now: datetime,
    known_domains: Collection[str],
) -> tuple[Candidate, ...]:
    """The candidates that the agent finds, in the order of its answers.

    Raises IntentError if it gives no usable answer; without sources it is not asked.
    """
    agent = Agent(command, cwd, log_dir, timeout, nonce)
    domains = json.dumps(sorted(known_domains)) if known_domains else "none, so far"
    found: list[Candidate] = []
    for number, batch in enumerate(batches(sources.items), start=1):
        prompt = render(
            "extract", nonce=nonce, domains=domains, material="\n".join(_quoted(batch))
        )
        reader = _Reader(batch, known_domains, stamp(now))
        found += agent.ask(f"extract-{number}", prompt, reader.candidates)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one source that fit into a prompt, counted from `first`."""

    source: Source
    first: int
    lines: tuple[str, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.lines) - 1


def batches(items: Sequence[Source], size: int = BATCH) -> Iterator[list[Piece]]:
    """The sources cut into pieces, and these into prompts of about `size` bytes.

    Nothing is left out; a single line that is longer makes a prompt of its own.
    """
    batch: list[Piece] = []
    filled = 0
    for item in items:
        if not item.text.strip():
            continue
        start, taken = 0, 0
        lines = [plain(line) for line in item.text.removesuffix("\n").split("\n")]
        for index, line in enumerate(lines):
            weight = len(line.encode("utf-8", "replace")) + 10
            if filled and filled + weight > size:
                if taken:
                    batch.append(Piece(item, start + 1, tuple(lines[start:index])))
                yield batch
                batch, filled, start, taken = [], 0, index, 0
            filled += weight
            taken += 1
        batch.append(Piece(item, start + 1, tuple(lines[start:])))
    if batch:
        yield batch


def _quoted(batch: Sequence[Piece]) -> Iterator[str]:
    for number, piece in enumerate(batch, start=1):
        about = {"kind": piece.source.kind.value, "ref": piece.source.ref}
        if piece.source.path and piece.source.path != piece.source.ref:
            about["path"] = piece.source.path
        yield f"source {number} {json.dumps(about)}"
        for at, line in enumerate(piece.lines, start=piece.first):
            yield f"{at}| {line}"


class _Reader:
    """The shape of an extractor's answer, and what it means."""

    def __init__(
        self, batch: Sequence[Piece], domains: Collection[str], at: str
    ) -> None:
        self.batch = batch
        self.domains = frozenset(domains)
        self.at = at

    def candidates(self, value: Any, complaints: Complaints) -> list[Candidate]:
        whole = Part(value, "", ("candidates",), complaints)
        return [
            self._candidate(item, f"/candidates/{index}", complaints)
            for index, item in enumerate(whole.items("candidates", MOST_CANDIDATES))
        ]

    def _candidate(self, value: Any, pointer: str, complaints: Complaints) -> Candidate:
        part = Part(value, pointer, _CANDIDATE_KEYS, complaints)
        statement = part.text("statement", 1000, required=True)
        number = part.number("source", 1, len(self.batch))
        piece = self.batch[number - 1]
        line = part.number("line", piece.first, piece.last)
        end = line
        if "end_line" in part.value:
            end = part.number("end_line", line, piece.last)
        headings = _headings(piece.source, line)
        ref = reference(piece.source, headings[-1] if headings else "")
        return Candidate(
            statement=statement,
            rationale=part.text("rationale", 2000),
            scope=self._scope(part),
            hints=_hints(part, statement),
            confidence=part.word("confidence", Confidence),
            provenance=Provenance(piece.source.kind, ref, self.at, EXTRACTED_BY),
            path=piece.source.path,
            line=line,
            end_line=end,
            headings=headings,
        )

    def _scope(self, part: Part) -> Scope:
        scope = Part(
            part.value.get("scope"),
            f"{part.pointer}/scope",
            ("level", "domains", "paths", "languages"),
            part.complaints,
        )
        level = scope.word("level", Level)
        domains = scope.texts("domains", 100, 20)
        for name in domains:
            if name not in self.domains:
                known = ", ".join(sorted(self.domains)) or "none"
                scope.wrong("domains", f"unknown domain {name[:60]!a}; known: {known}")
        if level is Level.DOMAIN and not domains:
            scope.wrong("domains", "expected at least one at level domain")
        if level is Level.PROJECT and domains:
            scope.wrong("domains", "expected none at level project")
        paths = scope.texts("paths", 300, 20)
        for index, pattern in enumerate(paths):
            if problem := globs.valid(pattern):
                scope.wrong(f"paths/{index}", f"the pattern {problem}")
        languages = scope.texts("languages", 31, 20)
        for index, name in enumerate(languages):
            if not _LANGUAGE.fullmatch(name):
                scope.wrong(f"languages/{index}", 'expected a name like "go"')
        return Scope(level, domains, paths, languages)


def _headings(source: Source, line: int) -> tuple[str, ...]:
    """The heading path of a line; only documents have one."""
    if source.kind is not Kind.DOC:
        return ()
    above = [s for s in _statements(source.text, source.path) if s.line <= line]
    return above[-1].headings if above else ()


@lru_cache(maxsize=4)
def _statements(text: str, path: str) -> list[Statement]:
    return statements(text, path)


_CANDIDATE_KEYS = (
    "statement",
    "rationale",
    "scope",
    "hints",
    "confidence",
    "source",
    "line",
    "end_line",
)


def _hints(part: Part, statement: str) -> tuple[str, ...]:
    """Two to five, no two alike, none the statement itself."""
    hints = part.texts("hints", 200, 5)
    if len(hints) < 2:
        part.wrong("hints", f"expected 2 to 5 hints, found {len(hints)}")
    seen = {normalise(statement): "the statement"}
    for index, hint in enumerate(hints):
        if same := seen.get(normalise(hint)):
            part.wrong(f"hints/{index}", f"says the same as {same}")
        seen.setdefault(normalise(hint), f"hints/{index}")
    return hints
