"""What the hot path of the embeddings loads, and nothing more."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import lean_reader
from git_intent.embed.index import FILE, update
from git_intent.embed.model import Model

ROOT = Path(__file__).parents[2]
REPORT = "\nimport json; print(json.dumps(seen))"
CHILD = f"""
import sys
before = set(sys.modules)
{lean_reader.CHILD}
seen = sorted(set(sys.modules) - before)
{REPORT}
"""


def loaded(tmp_path, prompt):
    update(tmp_path, {"req-0001": ["log no secret"]}, Model.open())
    command = [sys.executable, "-c", CHILD, str(tmp_path / FILE), prompt]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    )
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("req-0001 ")
    return set(json.loads(last))


LEAN = {
    "git_intent",
    "git_intent.embed",
    "git_intent.embed.errors",
    "git_intent.embed.index_file",
    "git_intent.embed.model",
    "git_intent.embed.rank",
    "git_intent.embed.vocabulary",
    "git_intent.embed.wordpiece",
    "git_intent.errors",
    "math",
    "zlib",
}


def test_n150_a_plain_prompt_loads_only_the_lean_reader(tmp_path):
    assert loaded(tmp_path, "never log a secret") <= LEAN


@pytest.mark.parametrize("prompt", ["never log a sécret", "“quoted”"])
def test_n150_other_scripts_load_the_character_database_too(tmp_path, prompt):
    assert loaded(tmp_path, prompt) <= LEAN | {"unicodedata"}


def test_the_benchmark_reports_a_ratio():
    figures = lean_reader.measure(runs=1)
    assert figures["ratio"] == pytest.approx(
        figures["lean_ms"] / figures["bare_ms"], abs=0.2
    )
