"""Where one sentence ends and the next begins."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.scan.sentences import split


def parts(text, **how):
    return [text[start:end] for start, end in split(text, **how)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Use tabs. Never spaces.", ["Use tabs.", "Never spaces."]),
        ("Really? Yes! Go on.", ["Really?", "Yes!", "Go on."]),
        ("Read `a. B` first. Then run it.", ["Read `a. B` first.", "Then run it."]),
        ("**Always restore.** Run it.", ["**Always restore.**", "Run it."]),
        ("(See above.) Then go.", ["(See above.)", "Then go."]),
        ("Call `f.close()`. `g` stays.", ["Call `f.close()`.", "`g` stays."]),
        ("Ask [name]. [Docs](x. Y) help.", ["Ask [name].", "[Docs](x. Y) help."]),
        ("Wait... Then go.", ["Wait...", "Then go."]),
    ],
)
def test_a_stop_before_something_new_ends_a_sentence(text, sentences):
    assert parts(text) == sentences


@pytest.mark.parametrize(
    "text",
    [
        "Avoid globals, e.g. Counter, in libraries.",
        "Use a linter, i.e. Ruff.",
        "We support v1.2 and Python 3.11 only.",
        "Edit config.toml and src/main.rs. never the lock file.",
        "J. Smith decides.",
        "See No. 5 of the list.",
        "Dr. Watson reviews.",
        "1. Fork it",
        "Tabs vs. Spaces is settled.",
        "The U.S. Office decides.",
    ],
)
def test_abbreviations_versions_and_files_do_not_end_a_sentence(text):
    assert parts(text) == [text]


def test_full_width_stops_end_a_sentence_without_a_space():
    assert parts("必ずテストを書く。直接pushしない。") == [
        "必ずテストを書く。",
        "直接pushしない。",
    ]


def test_casual_writers_begin_with_lower_case():
    text = "no. use postgres. e.g. for tests"
    assert parts(text) == [text]
    assert parts(text, casual=True) == ["no.", "use postgres.", "e.g. for tests"]


@given(st.text(max_size=200))
def test_nothing_but_white_space_is_lost(text):
    spans = split(text)
    assert "".join("".join(parts(text)).split()) == "".join(text.split())
    assert all(a < b for a, b in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
