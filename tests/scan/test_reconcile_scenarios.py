"""The cases of benchmarks/reconcile.yaml: what becomes of a sentence that changes.

All of them are lived through by the soak; of each kind one in the normal run.
"""

import json
import sys

import pytest

from benchmarks.reconcile import BAR, agent, live
from benchmarks.reconcile_cases import cases

CASES = cases()
FIRST = {case.kind: case for case in reversed(CASES)}
#: What the built-in reconciler cannot see: words that share nothing.
UNSEEN = "moved to another document in other words"

ORACLE = """\
import json, re, sys
right = json.load(open(sys.argv[1]))
prompt = sys.stdin.read()
nonce = re.search("^Print the line `answer ([0-9a-f]+)`", prompt, re.M)[1]
known, asked = {}, []
for line in prompt.splitlines():
    if line.startswith('{"candidate": '):
        asked.append(json.loads(line))
    elif line.startswith('{"requirement": '):
        row = json.loads(line)
        known[row["statement"]] = row["requirement"]
decisions = []
for row in asked:
    action, about = right.get(row["statement"], ["merge", row["statement"]])
    if about not in known:
        action = "create"
    decided = {"candidate": row["candidate"], "action": action, "reason": "as told"}
    if action != "create":
        decided["existing_id"] = known[about]
    decisions.append(decided)
print(f"answer {nonce}")
print(json.dumps({"decisions": decisions}))
"""


def test_the_cases_cover_every_kind_of_change():
    assert len(CASES) >= 150
    for word in (
        *(
            "reworded",
            "narrowed",
            "widened",
            "contradicted",
            "moved",
            "split",
            "merged",
        ),
        *(
            "negated",
            "another scope",
            "same words",
            "renamed",
            "reordered",
            "rewritten",
        ),
    ):
        assert any(word in case.kind for case in CASES), word


@pytest.mark.parametrize("kind", [kind for kind in FIRST if kind != UNSEEN])
def test_a_case_of_each_kind_is_decided_right(kind, tmp_path):
    verdict = live(FIRST[kind], tmp_path / "case")
    assert verdict.right, (verdict.decided, verdict.retired)


@pytest.mark.soak
def test_nineteen_of_twenty_are_decided_right_and_no_true_rule_is_retired(tmp_path):
    found = [live(case, tmp_path / str(n)) for n, case in enumerate(CASES)]
    assert not [verdict.case.name for verdict in found if verdict.retired]
    assert sum(verdict.right for verdict in found) / len(found) >= BAR


@pytest.mark.parametrize(
    "kind", ["the same in other words elsewhere", "contradicted in place", UNSEEN]
)
def test_an_agent_is_judged_on_the_same_cases(kind, tmp_path):
    """One that knows the answers decides the hard ones right as well."""
    case = [case for case in CASES if case.kind == kind][-1]
    action = sorted(case.right)[0]
    answers = {text: [action, case.old[0]] for text in case.new}
    (tmp_path / "right.json").write_text(json.dumps(answers))
    (tmp_path / "oracle.py").write_text(ORACLE)
    command = f"{sys.executable} {tmp_path}/oracle.py {tmp_path}/right.json"
    verdict = live(case, tmp_path / "case", agent(command, tmp_path))
    assert verdict.right, verdict.decided
