"""Two texts word by word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.review.words import Op, Segment, compare


def paper(old, new):
    marks = {Op.SAME: "{}", Op.DELETED: "[-{}-]", Op.INSERTED: "{{+{}+}}"}
    return "".join(marks[s.op].format(s.text) for s in compare(old, new))


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("Never push.", "Never push.", "Never push."),
        ("Never push now.", "Never pull now.", "Never [-push-]{+pull+} now."),
        ("Run it now.", "Run it.", "Run it[- now-]."),
        ("a b c d e", "a x y d e", "a [-b c-]{+x y+} d e"),
        ("All tests pass.", "使用中文。", "[-All tests pass.-]{+使用中文。+}"),
        ("请使用中文写注释", "请使用英文写注释", "请使用[-中-]{+英+}文写注释"),
        ("use `a`.", "use `b`.", "use `[-a-]{+b+}`."),
        ("", "new", "{+new+}"),
        ("old", "", "[-old-]"),
    ],
)
def test_what_differs_is_told_in_words(old, new, wanted):
    assert paper(old, new) == wanted


def test_an_empty_text_has_no_segments():
    assert compare("", "") == ()


def test_texts_too_long_to_compare_stand_one_after_the_other():
    old, new = "word " * 3000, "word " * 3000 + "more"
    assert compare(old, new) == (Segment(Op.DELETED, old), Segment(Op.INSERTED, new))


texts = st.lists(st.sampled_from("a b . \n 中 ü word".split(" ")), max_size=12)


@given(texts, texts)
def test_segments_give_both_texts_back(one, other):
    old, new = " ".join(one), " ".join(other)
    found = compare(old, new)
    assert "".join(s.text for s in found if s.op is not Op.INSERTED) == old
    assert "".join(s.text for s in found if s.op is not Op.DELETED) == new
    assert all(segment.text for segment in found)
