"""Markdown to candidates, in one process: how fast, and whether the time stays linear.

The bars: 2 MB in 500 files at no less than 0.5 MB/s on one core, and the time per file
at 5,000 files no more than 1.3 times that at 500. The text is made up: headings, rules,
descriptions, tables and code in the mix of an ordinary project's documents.
"""

import json
import random
import resource
import time
from datetime import UTC, datetime

from git_intent.scan.artifacts import Source
from git_intent.scan.builtin import Extractor
from git_intent.scan.classify import Classifier
from git_intent.scan.topics import TOPICS
from git_intent.store.domains import Domain
from git_intent.store.requirement import Kind

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


def measure(files: int = FILES, many: int = MANY) -> dict[str, float]:
    """CPU seconds, megabytes a second, and time per file at `many` against `files`."""
    domains = [Domain(t.name, t.description, t.globs) for t in TOPICS]
    extractor = Extractor(Classifier.load(), domains, datetime(2026, 1, 1, tzinfo=UTC))
    few = [_source(number) for number in range(files)]
    megabytes = sum(len(s.text.encode()) for s in few) / 1e6
    for source in few[:20]:  # compiled patterns and loaded weights are not what we time
        extractor.read(source)
    first = _seconds(extractor, few)
    second = _seconds(extractor, [_source(number) for number in range(many)])
    return {
        "megabytes": round(megabytes, 2),
        "seconds": round(first, 2),
        "mb_per_s": round(megabytes / first, 3),
        "per_file_ratio": round((second / many) / (first / files), 3),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def _source(number: int) -> Source:
    path = f"docs/{number // 100}/page-{number}.md"
    return Source(Kind.DOC, path, document(number), path)


def _seconds(extractor: Extractor, sources: list[Source]) -> float:
    start = time.process_time()
    for source in sources:
        extractor.read(source)
    return time.process_time() - start


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
