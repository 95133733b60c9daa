"""Markdown to candidates, in one process: how fast, and whether the time stays linear.

    python -m benchmarks throughput

The bars: 2 MB in 500 files at no less than 0.5 MB/s on one core, and the time per file
at 5,000 files no more than 1.3 times that at 500. The text is made up: headings, rules,
descriptions, tables and code in the mix of an ordinary project's documents.
"""

import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from benchmarks.figure import Figure
from git_intent.scan.artifacts import Source
from git_intent.scan.builtin import Extractor
from git_intent.scan.classify import Classifier
from git_intent.scan.topics import usual_domains
from git_intent.store.requirement import Kind

BAR = 0.5
LINEAR = 1.3
RUNS = 5
FILES = 500
MANY = 5000
SIZE = 4096  # bytes a file, about

_THINGS = (
    "the importer",
    "a migration",
    "every public function",
    "the cache",
    "a failing test",
    "the release branch",
    "an open handle",
    "the user's file",
)
_RULES = (
    "Never change {a} without a test that covers {b}.",
    "Always check {a} before {b} is touched.",
    "{a} must not depend on {b}.",
    "Prefer {a} to {b} when both would do.",
)
_FACTS = (
    "The server keeps {a} in memory and writes it out once {b} is done.",
    "In version 2.1 we moved {a} next to {b}, which made start-up faster.",
    "When {a} is missing, the call returns an error that names {b}.",
    "This page explains how {a} and {b} work together.",
)


def document(number: int, size: int = SIZE) -> str:
    """A made-up page of about `size` bytes; the same number gives the same page."""
    dice = random.Random(number)
    parts = [f"# Page {number}\n"]
    length = 0
    while length < size:
        part = _section(dice)
        parts.append(part)
        length += len(part)
    return "\n".join(parts)


def _section(dice: random.Random) -> str:
    lines = [f"## Working on {dice.choice(_THINGS)}\n"]
    lines.append(" ".join(_line(dice, _FACTS) for _ in range(3)) + "\n")
    lines += [f"- {_line(dice, _RULES)}" for _ in range(dice.randrange(2, 5))]
    lines += [f"- {_line(dice, _FACTS)}" for _ in range(dice.randrange(4))]
    lines.append("\n```sh\nmake test\n```\n")
    lines.append("| Key | Meaning |\n|---|---|\n| a | one |\n| b | two |\n")
    return "\n".join(lines)


def _line(dice: random.Random, forms: tuple[str, ...]) -> str:
    text = dice.choice(forms).format(a=dice.choice(_THINGS), b=dice.choice(_THINGS))
    return text[:1].upper() + text[1:]


def figures() -> Iterator[Figure]:
    """CPU time, so that what else the machine does counts for nothing."""
    extractor = Extractor(
        Classifier.load(), usual_domains(), datetime(2026, 1, 1, tzinfo=UTC)
    )
    few = [_source(number) for number in range(FILES)]
    megabytes = sum(len(s.text.encode()) for s in few) / 1e6
    for source in few[:20]:  # compiled patterns and loaded weights are not what we time
        extractor.read(source)
    first = min(_seconds(extractor, few) for _ in range(RUNS))
    yield Figure(
        "extraction",
        megabytes / first,
        "MB/s",
        BAR,
        at_least=True,
        detail=f"{megabytes:.2f} MB in {FILES} files, {first:.2f} s of CPU",
    )
    second = _seconds(extractor, [_source(number) for number in range(MANY)])
    yield Figure(
        "time a file, with ten times as many",
        (second / MANY) / (first / FILES),
        "times",
        LINEAR,
        detail=f"{MANY} files, {second:.1f} s of CPU",
    )


def _source(number: int) -> Source:
    path = f"docs/{number // 100}/page-{number}.md"
    return Source(Kind.DOC, path, document(number), path)


def _seconds(extractor: Extractor, sources: list[Source]) -> float:
    start = time.process_time()
    for source in sources:
        extractor.read(source)
    return time.process_time() - start
