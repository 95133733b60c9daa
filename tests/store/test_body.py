"""Bodies: wrapped in the file, one line a paragraph in the model."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.store.body import WIDTH, cut, join, tidy, wrap

SOUND = settings(derandomize=True, deadline=None, max_examples=400, database=None)
PIECES = st.sampled_from(
    [
        *(
            "word",
            "longer-word",
            "naïve",
            "x" * 30,
            "x" * 100,
            "-",
            "- a",
            "1.",
            "12) b",
        ),
        *(
            "#",
            "# a",
            ">",
            "> a",
            "```",
            "~~~",
            "---",
            "===",
            "**Why:**",
            "|a|b|",
            "    c",
        ),
        *(
            "\n",
            "\n\n",
            " ",
            "  ",
            "\t",
            "\r\n",
            "<b>",
            "<<<<<<<",
            "[a]: b",
            "* * *",
            "+",
        ),
    ]
)
TEXT = st.lists(PIECES, max_size=30).map(" ".join) | st.lists(PIECES).map("".join)


@SOUND
@given(TEXT, TEXT)
def test_what_is_joined_is_cut_into_the_same(statement, rationale):
    if any(mark in statement + rationale for mark in ("**Why:**", "```", "~~~")):
        return  # may be refused
    assert cut(join(statement, rationale)) == (tidy(statement), tidy(rationale))


@SOUND
@given(TEXT, TEXT)
def test_what_would_be_read_differently_is_refused(statement, rationale):
    try:
        body = join(statement, rationale)
    except IntentError:
        body = ""
    assert not body or cut(body) == (tidy(statement), tidy(rationale))


@SOUND
@given(TEXT)
def test_tidying_twice_changes_nothing(text):
    assert tidy(tidy(text)) == tidy(text)
    assert tidy(wrap(text)) == tidy(text)


def test_a_paragraph_is_wrapped_like_the_example():
    text = " ".join(["Minor numbers are for new features and changes that break."] * 3)
    lines = wrap(text).split("\n")
    assert all(len(line) <= WIDTH for line in lines)
    assert all(len(a) + 1 + len(b.split()[0]) > WIDTH for a, b in pairwise(lines))
    assert tidy(wrap(text)) == text


@pytest.mark.parametrize(
    "word", ["-", "+", "*", "1.", "#", ">", "---", "```", "**Why:**"]
)
def test_wrapping_makes_no_list_heading_or_reason(word):
    text = " ".join(["x" * 84, word, "y" * 80, word, "z"])
    assert cut(wrap(text)) == (text, "")
    assert not any(line.startswith(word) for line in wrap(text).split("\n"))


def test_lists_tables_and_code_keep_their_lines():
    text = "Do not:\n\n- push\n- delete\n\n```\na  b\n\n\n**Why:** c\n```\n\n| a | b |"
    assert tidy(text) == text
    assert cut(join(text, "It hurts.")) == (text, "It hurts.")


def test_a_statement_may_not_hold_a_reason():
    with pytest.raises(IntentError, match="read differently"):
        join("Keep it.\n\n**Why:** because", "Other.")


def test_a_reason_that_is_a_list_stands_below_its_mark():
    assert join("Keep it.", "- a\n- b") == "Keep it.\n\n**Why:**\n\n- a\n- b\n"


def test_nothing_gives_nothing():
    assert join("", " ") == ""
    assert cut("") == ("", "")
    assert cut("**Why:** x") == ("", "x")
