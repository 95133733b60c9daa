"""What a hook loads on its way: nothing that takes long to start."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.repo import _SOURCE

LIGHT = ["effective", "refusal", "strict_json", "wtf8"]
HEAVY = {
    *("collections", "dataclasses", "enum", "functools", "hashlib", "json"),
    *("pathlib", "re", "subprocess", "typing", "click", "tomllib"),
}
CHILD = """
import sys
before = set(sys.modules)
import git_intent.ledger.{name}
print(*sorted(set(sys.modules) - before))
"""


@pytest.mark.parametrize("name", LIGHT)
def test_a_light_module_loads_nothing_heavy(name):
    done = subprocess.run(
        [sys.executable, "-S", "-c", CHILD.format(name=name)],
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert not loaded & HEAVY
    ours = {each for each in loaded if each.startswith("git_intent")}
    assert ours <= {
        *("git_intent", "git_intent.errors", "git_intent.ledger"),
        "git_intent.ledger.refusal",
        f"git_intent.ledger.{name}",
    }


def test_reading_a_payload_loads_nothing_more():
    code = CHILD.format(name="strict_json").replace(
        "print", "git_intent.ledger.strict_json.payload(sys.argv[1].encode())\nprint"
    )
    payload = json.dumps({"prompt": "Grüße", "n": [1, 2.5, None, True]})
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, payload],
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not set(done.stdout.split()) & HEAVY
