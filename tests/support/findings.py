"""One fault for each code of `docs/checks.md`, and the findings that it yields.

The page shows what the program really prints: a test makes every fault and looks for
its line there.
"""

from pathlib import Path

from git_intent import config
from git_intent.cli.kin import kin
from git_intent.store.check import check
from git_intent.store.intent_dir import load_store
from git_intent.store.rules import Actor, judge
from git_intent.workflow.soundness import examine

STORE = ".cloche/intent"
FIRST = f"{STORE}/requirements/req-4d55.md"
SECOND = f"{STORE}/requirements/req-c711.md"
DOMAINS = f"{STORE}/domains.yaml"
STATE = f"{STORE}/scan-state.yaml"
WORKFLOW = ".cloche/team.cloche"

GOOD = """\
---
id: req-4d55
status: active
scope:
  level: domain
  domains: [versioning]
  paths: ["pyproject.toml"]
confidence: high
provenance:
  kind: doc
  ref: "CLAUDE.md#versioning"
  extracted_at: 2026-09-13T10:20:00Z
  extracted_by: intent-scan
created: 2026-09-13T10:20:00Z
updated: 2026-09-13T10:20:00Z
---

Never bump the major version unless explicitly told to.
"""
OTHER = GOOD.replace("req-4d55", "req-c711").replace(
    "Never bump the major version unless explicitly told to.",
    "Every bug fix comes with a test that fails without it.",
)
MAP = """\
version: 1
domains:
  - name: versioning
    description: Version numbers and compatibility promises.
    paths: ["pyproject.toml"]
"""
SIGNED = MAP + "    user_edited: true\n"
TRACKED = ("CLAUDE.md", "pyproject.toml")
SAID = "Never bump the major version unless explicitly told to."
LATER = "2026-09-14T10:00:00Z"
OURS = "<" * 7 + " ours\n"


def snapshot(**files: str | bytes | None) -> dict[str, bytes]:
    """The store with these files in place of the sound ones."""
    paths = {"first": FIRST, "second": SECOND, "domains": DOMAINS, "state": STATE}
    found: dict[str, str | bytes | None] = {"first": GOOD, "domains": MAP, **files}
    return {
        paths.get(name, name): data.encode() if isinstance(data, str) else data
        for name, data in found.items()
        if data is not None
    }


def swap(old: str, new: str, text: str = GOOD) -> str:
    assert old in text
    return text.replace(old, new, 1)


#: In two pieces, so that no one who looks for secrets finds this file.
_TOKEN = "ghp_" + "R9zT4mQ1vX7bN2kL8wYcP5sD3fG6hJ0aUeIo"

#: Code -> the store that has it.
FORMAT = {
    "I001": snapshot(first=GOOD.encode().replace(b"Never", b"N\xe9ver")),
    "I002": snapshot(first=SAID + "\n"),
    "I003": snapshot(first=swap("confidence: high", "confidence: *sure")),
    "I004": snapshot(
        first=swap("confidence: high", "confidence: high\nstatus: active")
    ),
    "I005": snapshot(
        first=GOOD + "\n---\nid: req-c711\nstatus: active\n---\n\nMore.\n"
    ),
    "I006": snapshot(first=swap("confidence: high", OURS + "confidence: high")),
    "I007": snapshot(first=swap("status: active\n", "")),
    "I008": snapshot(first=swap("confidence: high", "confidence: sure")),
    "I009": snapshot(domains=swap("version: 1", "version: 2", MAP)),
    "I010": snapshot(first=swap(SAID + "\n", "")),
    "I011": snapshot(first=None, second=GOOD),
    "I020": snapshot(first=swap("[versioning]", "[releases]")),
    "I021": snapshot(first=swap("  domains: [versioning]\n", "")),
    "I022": snapshot(first=swap('"pyproject.toml"', '"src/*.{py,pyi}"')),
    "I023": snapshot(first=swap('"pyproject.toml"', '"setup.py"')),
    "I024": snapshot(first=swap("active", "active\nsuperseded_by: req-c711")),
    "I025": snapshot(**{f"{STORE}/requirements/REQ-4D55.md": GOOD}),
    "I031": snapshot(second=swap("req-4d55", "req-c711")),
    "I032": snapshot(first=GOOD + "\n- Minor versions are free.\n"),
    "I033": snapshot(first=GOOD + f"\n```text\n{OURS}```\n"),
    "I040": snapshot(first=swap("major", "ma\u200bjor")),
    "I041": snapshot(first=swap("told to.", f"told to by {_TOKEN}.")),
    "I060": snapshot(state="last_commit: HEAD~1\n"),
    "I061": snapshot(state="scanned_docs:\n  CLAUDE.md: changed\n"),
}

_MOST_80 = swap(SAID, "A line has at most 80 characters.")
_TWO_PEOPLE = "Each PR must be reviewed by two people."
_MOST_100 = swap(SAID, "A line has at most 100 characters.")

#: Code -> the store in which `check --semantic` finds it.
KIN = {
    "I034": snapshot(
        first=swap(SAID, "Every pull request is reviewed by two people."),
        second=swap(
            "req-4d55",
            "req-c711",
            swap(SAID, "Each PR must be reviewed by two people."),
        ),
    ),
    "I035": snapshot(first=_MOST_80, second=swap("req-4d55", "req-c711", _MOST_100)),
}

_DISABLED = swap("active", "disabled")
_SUPERSEDED = swap("active", "superseded\nsuperseded_by: req-c711")
_EDITED = swap("confidence: high", "confidence: high\nuser_edited: true")
_REWORDED = ("unless explicitly told to", "without being told to")

#: Code -> store before, store after, who made the change.
RULES = {
    "I101": (snapshot(), snapshot(first=None), Actor.PERSON),
    "I102": (
        snapshot(first=_SUPERSEDED, second=OTHER),
        snapshot(second=OTHER),
        Actor.PERSON,
    ),
    "I103": (snapshot(first=_DISABLED), snapshot(), Actor.AGENT),
    "I104": (
        snapshot(first=_EDITED),
        snapshot(first=swap(*_REWORDED, _EDITED)),
        Actor.AGENT,
    ),
    "I105": (snapshot(), snapshot(first=swap(*_REWORDED)), Actor.PERSON),
    "I106": (
        snapshot(domains=SIGNED),
        snapshot(domains=swap("numbers and compatibility promises", "bumps", SIGNED)),
        Actor.AGENT,
    ),
    "I107": (
        snapshot(),
        snapshot(first=swap("created: 2026-09-13", "created: 2026-09-12")),
        Actor.PERSON,
    ),
}

_RUN = 'step build { run = "make" }'
#: Code -> what stands inside `workflow "develop" { … }`.
WORKFLOWS = {
    "W001": f'intent = "off"\n{_RUN}',
    "W002": 'step build { run = "make" tempo = 3 }',
    "W003": 'step build { run = "make" run = "make all" }',
    "W004": f"{_RUN}\nbuild:success -> done [ LOG = output.log ]",
    "W005": 'step plan { prompt = file("plan.md") }',
    "W006": "step again { workflow_name = develop }",
    "W100": "",
    "W101": f"{_RUN}\n{_RUN}",
    "W102": 'step done { run = "make" }',
    "W103": 'step build { run = "make" prompt = "Build it." }',
    "W104": 'step wait { poll = "test -e out" }',
    "W105": 'step build { run = "make" timeout = "soon" }',
    "W106": 'step build { run = "make" agent = writer }',
    "W107": 'step build { run = "make" results = [parked] }\nbuild:parked -> done',
    "W108": 'step build { run = "make" max_attempts = 3 }',
    "W109": f"host {{}}\ncontainer {{}}\n{_RUN}",
    "W110": f"{_RUN}\ntest:success -> done",
    "W111": 'step build { run = "make" results = [fail] }\nbuild:ok -> done',
    "W112": f"{_RUN}\nbuild:success -> test",
    "W113": 'step build { run = "make" results = [fail] }',
    "W114": f'{_RUN}\nstep test {{ run = "make test" }}\nbuild:success -> done',
    "W115": "step build {",
    "W116": f'{_RUN}\n}}\nworkflow "develop" {{\n{_RUN}',
    "W117": "step ship { workflow_name = release }",
}

#: Code -> `.cloche/config.toml`.
SETTINGS = {
    "C001": "[intent\n",
    "C002": "[intent.git]\nmax_comits = 500\n",
    "C003": '[intent]\ntoken_budget = "many"\n',
}


def findings(code: str, folder: Path) -> list[str]:
    """What is printed about the fault that stands for `code`."""
    if code in FORMAT:
        found = map(str, check(FORMAT[code], tracked=TRACKED))
    elif code in KIN:
        found = map(str, kin(load_store(KIN[code])).issues)
    elif code in RULES:
        before, after, actor = RULES[code]
        found = map(str, judge([before], after, actor))
    elif code in WORKFLOWS:
        found = iter(_workflow(WORKFLOWS[code]))
    else:
        (folder / ".cloche").mkdir(exist_ok=True)
        (folder / config.CONFIG).write_text(SETTINGS[code])
        found = map(str, config.load(None, folder, {}, {}).issues)
    return [line for line in found if f" {code} " in line]


def _workflow(inner: str) -> list[str]:
    text = f'workflow "develop" {{\n{inner}\n}}\n'
    return [str(found) for found in examine({WORKFLOW: text.encode()}, _nowhere)]


def _nowhere(path: str) -> bool:
    return False
