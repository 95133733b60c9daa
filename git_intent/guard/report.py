"""One set of findings in four forms: text, JSON, SARIF 2.1.0, workflow commands.

Every form carries the same findings in the same order. Paths are from the top of the
work tree with `/`, as git, GitHub and code scanning name files. A finding about a
setting that stands in no file (git config, the environment) has line 0.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_from_bytes

from git_intent import __version__
from git_intent.config_file import Finding
from git_intent.errors import IntentError
from git_intent.store.codes import CODES
from git_intent.store.issue import Issue, Severity

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

#: Codes of settings, which are no part of the store.
_SETTINGS = {
    "C001": ("the file cannot be read, or is not TOML", "correct the line"),
    "C002": ("an unknown key", "correct the name; `git intent config` lists all"),
    "C003": (
        "a value of the wrong kind",
        "write what the message asks for; until then the layer below counts",
    ),
}


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found, who was taken for the author of the changes, and why.

    `actor` is empty where no hard rule was looked at. `repaired` are files that the
    check rewrote, whose old findings are no longer among `issues`. `notes` are lines
    for a person, `failure` is why the rules could not be judged.
    """

    issues: tuple[Issue, ...] = ()
    actor: str = ""
    reason: str = ""
    repaired: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failure: IntentError | None = None

    @property
    def ok(self) -> bool:
        """Whether a commit may go on: warnings stop nothing, a rewritten file does."""
        return not (self.errors or self.repaired or self.failure)

    @property
    def errors(self) -> int:
        return sum(found.severity is Severity.ERROR for found in self.issues)

    @property
    def codes(self) -> list[str]:
        """Every code that was found, once."""
        return sorted({found.code for found in self.issues})


def setting(prefix: str, found: Finding) -> Issue:
    """A finding about a setting as one among others; `prefix` is the project's."""
    path = prefix + found.path if found.line else found.path
    severity = Severity(found.severity)
    return Issue(path, found.line, found.col, found.code, found.message, severity)


def about(code: str) -> tuple[str, str]:
    """What a code means, and what to do about it."""
    known = CODES.get(code)
    if known:
        return known.title, known.repair
    if code in _SETTINGS:
        return _SETTINGS[code]
    from git_intent.workflow.codes import CODES as WORKFLOWS

    return WORKFLOWS[code]


def as_text(report: Report) -> str:
    """`path:line:col: CODE message`, one line a finding."""
    return "".join(f"{_line(found)}\n" for found in report.issues)


def _line(found: Issue) -> str:
    # Whoever reads lines must never get two for one finding.
    text = str(found) if found.line else f"{found.path}: {found.code} {found.message}"
    return text.replace("\n", "\\n").replace("\t", "\\t")


def as_json(report: Report) -> str:
    """The form that `docs/formats.md` describes."""
    document = {
        "version": 1,
        "actor": report.actor,
        "reason": report.reason,
        "errors": report.errors,
        "warnings": len(report.issues) - report.errors,
        "repaired": list(report.repaired),
        "failure": report.failure.message if report.failure else "",
        "findings": [_record(found) for found in report.issues],
    }
    return json.dumps(document, indent=2) + "\n"


def _record(found: Issue) -> dict[str, Any]:
    return {
        "path": found.path,
        "line": found.line,
        "col": found.col,
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        "repair": about(found.code)[1],
    }


def as_sarif(report: Report) -> str:
    """One run; each code that was found is one of its rules."""
    codes = report.codes
    driver = {
        "name": "git-intent",
        "version": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, codes.index(found.code)) for found in report.issues],
    }
    if report.actor:
        run["properties"] = {"actor": report.actor, "reason": report.reason}
    if report.failure:
        said = {"level": "error", "message": {"text": report.failure.message}}
        run["invocations"] = [
            {"executionSuccessful": False, "toolExecutionNotifications": [said]}
        ]
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    title, repair = about(code)
    return {
        "id": code,
        "shortDescription": {"text": title},
        "help": {"text": repair},
    }


def _result(found: Issue, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": found.severity.value,
        "message": {"text": found.message if found.line else _line(found)},
    }
    if found.line:
        place = {
            "artifactLocation": {"uri": _uri(found.path)},
            "region": {"startLine": found.line, "startColumn": found.col},
        }
        result["locations"] = [{"physicalLocation": place}]
    return result


def _uri(path: str) -> str:
    """A relative reference: its first part may hold no colon, so that is encoded."""
    return quote_from_bytes(os.fsencode(path), safe="/~")


def as_github(report: Report) -> str:
    """Workflow commands, which become notes at the lines of a pull request."""
    lines = [_command(found) for found in report.issues]
    if report.failure:
        lines.append(f"::error title=git-intent::{_escaped(report.failure.message)}")
    return "".join(f"{line}\n" for line in lines)


def _command(found: Issue) -> str:
    title = f"title={found.code}"
    place = f"file={_property(found.path)},line={found.line},col={found.col},"
    where = place if found.line else ""
    text = f"{found.code} {found.message}" if found.line else _line(found)
    return f"::{found.severity.value} {where}{title}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


FORMS: Mapping[str, Callable[[Report], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}


def hints(report: Report) -> Iterator[str]:
    """For a person: how each kind of finding is repaired, one line a code."""
    for code in report.codes:
        title, repair = about(code)
        yield f"{code} ({title}): {repair}"
