"""The letters of a statement: the same sums for trainer and classifier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.scan import spelling
from git_intent.scan.spelling import Spelling, describe

WEIGHTS = [(bucket % 13 - 6) / 7 for bucket in range(1 << spelling.BITS)]


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_a_text_scores_what_its_buckets_weigh(text):
    scale, buckets = describe(text)
    score = 0.25 + scale * sum(WEIGHTS[bucket] for bucket in buckets)
    letters = Spelling(WEIGHTS, 0.25)
    assert letters.logit(text) == pytest.approx(score)
    assert letters.logit(text) == pytest.approx(score), "a word that is known"


def test_letters_are_counted_within_words_and_without_case():
    _, short = describe("Ab")
    assert len(short) == 3 + 2 + 1, "of ` ab `: pairs, triples, and the whole"
    assert describe("ab  AB")[1] == short * 2
    assert describe("") == (spelling.SCALE, [])


def test_relatives_of_a_word_share_buckets():
    met = set(describe("deprecated")[1])
    assert len(met & set(describe("deprecating")[1])) > len(met) / 2
    assert not met & set(describe("`if`")[1])


def test_a_huge_text_is_read_in_part_and_words_are_forgotten(monkeypatch):
    monkeypatch.setattr(spelling, "_KNOWN", 10)
    letters = Spelling(WEIGHTS, 0.0)
    assert len(describe("x" * 1_000_000)[1]) < 200
    for n in range(100):
        letters.logit(f"word{n}")
    assert len(letters.known) <= 10
    assert letters.logit("word7") == Spelling(WEIGHTS, 0.0).logit("word7")
