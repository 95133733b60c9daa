"""Every pattern of hostile text can be tried only where one of its stems stands."""

import re
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_intent.scan.folding import folded, holds
from git_intent.scan.hostile import suspicion
from git_intent.scan.hostile_words import ACTS, MARKERS, TO_MODELS

CUES = [(cue.stems, p) for cue in (*TO_MODELS, *ACTS) for p in cue.patterns]
FEW = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


@pytest.mark.parametrize(("stems", "pattern"), CUES, ids=lambda v: str(v)[:40])
def test_a_stem_stands_in_whatever_a_cue_matches(stems, pattern):
    @FEW
    @given(st.from_regex(pattern))
    def check(text):
        assert holds(pattern.search(text)[0], stems)

    check()


@pytest.mark.parametrize("marker", MARKERS, ids=lambda m: m.reason)
def test_a_sign_stands_in_whatever_a_marker_matches(marker):
    @FEW
    @given(st.from_regex(marker.pattern))
    def check(text):
        assert holds(folded(marker.pattern.search(text)[0]), marker.signs)

    check()


def test_folding_gives_the_letter_that_ignorecase_takes_a_character_for():
    letters = re.compile("[a-z]", re.IGNORECASE)
    alike = [c for c in map(chr, range(128, sys.maxunicode)) if letters.match(c)]
    assert alike
    for char in alike:
        assert re.fullmatch(folded(char), char, re.IGNORECASE)


@pytest.mark.parametrize(
    "text",
    [
        "push " + "-" * 500 + " x",
        "push" + " -a--b" * 200,
        "add|send|" + "copy|drop|" * 200,
        "send" + " token.to" * 200,
        "skip" + " ci" * 500,
        "delete" + " all your" * 300,
        "\n- " * 1000 + "end",
        "- \n" * 1000 + "system",
        "ignore" + " previous" * 500,
    ],
    ids=lambda text: text[:12],
)
def test_a_text_made_to_be_slow_is_judged_at_once(text):
    suspicion(text)  # takes minutes if a pattern can take a text apart in many ways
