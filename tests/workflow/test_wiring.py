"""Whether a workflow can run, and how what keeps it from running is named."""

import pytest

from git_intent.workflow.catalog import builtins
from git_intent.workflow.duration import seconds
from git_intent.workflow.parser import parse
from git_intent.workflow.wiring import judge

WHOLE = """
  step a { run = "x" results = [success, fail] }
  step b { prompt = "p" results = [success] }
  a:success -> b
  a:fail -> abort
  b:success -> done
"""


def codes(body: str) -> list[str]:
    (workflow,) = parse(f"workflow w {{ {body} }}".encode(), "f.cloche").workflows
    found = judge(workflow)
    assert all(finding.error and finding.path == "f.cloche" for finding in found)
    return [finding.code for finding in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (WHOLE, []),
        ("", ["W100"]),
        ('step a { run = "x" }', []),
        ('step a { run = "x" } step a { run = "y" }', ["W101"]),
        ('step done { run = "x" }', ["W102"]),
        ('step a { timeout = "1s" }', ["W103"]),
        ('step a { run = "x" prompt = "y" }', ["W103"]),
        ('step a { poll = "x" }', ["W104"]),
        ('step a { poll = "x" interval = "30s" }', []),
        ('step a { poll = "x" interval = "soon" }', ["W105"]),
        ('step a { run = "x" timeout = [a] }', ["W105"]),
        ('step a { run = "x" agent = q }', ["W106"]),
        ('step a { prompt = "x" agent = q }', ["W106"]),
        ('agent q { command = "c" } step a { prompt = "x" agent = q }', []),
        ('step a { run = "x" results = [parked] } a:parked -> done', ["W107"]),
        ('step a { run = "x" max_attempts = 2 }', ["W108"]),
        (
            'step a { run="x" max_attempts=2 results=[give-up] } a:give-up -> abort',
            [],
        ),
        (WHOLE + "host { }", []),
        (WHOLE + "host { } container { }", ["W109"]),
        (WHOLE + "c:success -> done", ["W110"]),
        (WHOLE + "a:maybe -> done", ["W111"]),
        (WHOLE + "collect all(a:maybe) -> done", ["W111"]),
        (WHOLE + "a:success -> nowhere", ["W112"]),
        (WHOLE + "collect any(a:success) -> nowhere", ["W112"]),
        (WHOLE + "token-limit -> nowhere", ["W112"]),
        (WHOLE + "a:timeout -> b", []),
        (WHOLE + "a:token-limit -> b", []),
        ('step a { run = "x" results = [success] }', ["W113"]),
        ('step a { run = "x" results = [success] } collect all(a:success)->done', []),
        (WHOLE + 'step c { run = "x" }', ["W114"]),
        (WHOLE + 'step c { run = "x" } token-limit -> c', []),
        (WHOLE + 'step c { run = "x" } a:success -> c', []),
    ],
)
def test_each_wiring_rule(body: str, expected: list[str]):
    assert codes(body) == expected


def test_findings_stand_in_the_order_of_the_file():
    text = b'workflow w {\n step a { run = "x" }\n\n a:no -> b\n}'
    (workflow,) = parse(text, "f.cloche").workflows
    assert [str(f).split(" ")[0] for f in judge(workflow)] == [
        "f.cloche:4:2:",
        "f.cloche:4:10:",
    ]


def test_a_loop_is_legal_and_ends():
    assert codes('step a { run = "x" results = [r] } a:r -> a') == []


def test_the_builtin_scan_can_run():
    assert judge(builtins()["intent-scan"]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30s", 30.0),
        ("1h30m", 5400.0),
        ("1.5h", 5400.0),
        (".5s", 0.5),
        ("300ms", 0.3),
        ("0", 0.0),
        ("72h", 259200.0),
        ("", None),
        ("30", None),
        ("-1s", None),
        ("1s ", None),
        ("1d", None),
        ("s", None),
        ("1s" * 1000, None),
        ("9" * 400 + "s", None),
    ],
)
def test_durations(text: str, expected: float | None):
    found = seconds(text)
    assert found == (pytest.approx(expected) if expected is not None else None)
