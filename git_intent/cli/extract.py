"""`git intent extract`: what would be extracted from some files, all tiers."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import clock, open_project
from git_intent.errors import IntentError
from git_intent.git.repository import NotARepository
from git_intent.scan.artifacts import Candidate, Source
from git_intent.scan.builtin import Extractor
from git_intent.scan.classify import Classifier
from git_intent.scan.topics import usual_domains
from git_intent.store.domains import Domain
from git_intent.store.requirement import Kind

_KINDS = {"doc": Kind.DOC, "commit": Kind.COMMIT, "prompt": Kind.PROMPT}


@click.command(epilog=examples("extract CLAUDE.md", "extract --as commit message.txt"))
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path())
@click.option(
    "--as", "mode", type=click.Choice(list(_KINDS)), default="doc", help="What FILE is."
)
@json_option
@click.pass_obj
def command(directory: str, files: tuple[str, ...], mode: str, as_json: bool) -> None:
    """Print what the built-in extractor makes of FILE…; nothing is written.

    All tiers are shown: a scan writes high and medium ones and only counts the low.
    """
    texts = {name: _read(Path(directory) / name) for name in files}
    weights = os.environ.get("GIT_INTENT_CLASSIFIER")
    extractor = Extractor(
        Classifier.load(Path(weights) if weights else None),
        _domains(directory),
        clock(),
    )
    found: list[Candidate] = []
    skipped = 0
    for name, text in texts.items():
        source = Source(_KINDS[mode], ref=name, text=text, path=name)
        one = extractor.read(source)
        found += one.candidates
        skipped += one.skipped
    if as_json:
        output.document({"candidates": [_record(c) for c in found]})
        return
    for candidate in found:
        _print(candidate)
    if skipped:
        output.note(f"note: {skipped} statements in other languages skipped")


def _domains(directory: str) -> Sequence[Domain]:
    """Those of the project, if there is one; else the usual topics."""
    try:
        known = open_project(directory).store().domains.domains
    except NotARepository:
        known = ()
    if known:
        return known
    return usual_domains()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise IntentError(
            f"{path}: byte {error.start} is not UTF-8", "convert the file first"
        ) from error
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "name files to read") from error


def _record(c: Candidate) -> dict[str, Any]:
    return {
        "path": c.path,
        "line": c.line,
        "end_line": c.end_line,
        "statement": c.statement,
        "why": c.rationale,
        "level": c.scope.level.value,
        "domains": list(c.scope.domains),
        "hints": list(c.hints),
        "confidence": c.confidence.value,
    }


def _print(c: Candidate) -> None:
    scope = ", ".join(c.scope.domains) or c.scope.level.value
    place = f"{output.one_line(c.path)}:{c.line}"
    output.say(f"{place}: {c.confidence} ({scope}) {' '.join(c.statement.split())}")
    if c.rationale:
        output.say(f"    Why: {' '.join(c.rationale.split())}")
    if c.suspect:
        output.say(f"    Needs a person: {c.suspect}")
