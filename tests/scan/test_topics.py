"""The short cut to the topics that a text may be about."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_intent import secret_contexts
from git_intent.scan import scope
from git_intent.scan.folding import folded, holds
from git_intent.scan.topics import TOPICS, _possible, topic_of

FEW = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda t: t.name)
def test_a_text_with_a_match_of_a_topics_cues_is_searched_for_them(topic):
    @FEW
    @given(st.from_regex(topic.cues))
    def check(text):
        assert TOPICS.index(topic) in set(_possible(text))

    check()


def test_words_that_open_no_cue_are_not_searched_for_any():
    assert not set(_possible("Prefer a process that commences; circle it."))


def test_every_topic_is_found_by_its_own_name_in_any_case():
    for topic in TOPICS:
        words = topic.name.replace("-", " ")
        if topic.cues.search(words):
            assert topic_of((), words.upper()) == topic_of((words,), "")


def test_a_near_heading_says_more_than_a_far_one():
    assert topic_of(("Testing", "Releases"), "Keep it short.").name == "release"
    assert topic_of(("Releases", "Testing"), "Keep it short.").name == "testing"


def test_the_title_of_an_agents_file_is_no_topic():
    assert topic_of(("AGENTS.md",), "Keep it short.") is None
    assert topic_of(("Copilot instructions", "Releases"), "Short.").name == "release"
    assert topic_of(("AI policy",), "Keep it short.").name == "ai-agents"


def test_the_earlier_topic_wins_a_tie():
    assert topic_of((), "Tests need a changelog").name == "testing"
    assert topic_of((), "A changelog for tests").name == "testing"


@FEW
@given(st.from_regex(scope._EVERYWHERE))
def test_a_stem_stands_in_whatever_concerns_everybody(text):
    match = scope._EVERYWHERE.search(text)
    assert holds(folded(match[0]), scope._EVERYWHERE_STEMS)


@FEW
@given(st.from_regex(secret_contexts._HINT))
def test_a_stem_stands_in_every_hint_at_a_secret(text):
    assert any(stem in text for stem in secret_contexts._STEMS)
