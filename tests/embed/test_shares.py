"""Shares of many texts are those of one by one."""

from hypothesis import given
from hypothesis import strategies as st

from git_intent.embed.keywords import prepare
from git_intent.embed.shares import Coverage

TEXTS = st.lists(st.sampled_from("add a test to the parser log 日本語 x".split()))


@given(
    st.lists(TEXTS.map(" ".join), min_size=1, max_size=6),
    st.lists(TEXTS.map(" ".join), max_size=5),
)
def test_shares_are_those_of_single_texts(documents, texts):
    words = prepare([text] for text in documents)
    found = Coverage(words).shares(texts)
    assert found.tolist() == [words.covered(text).shares() for text in texts]
