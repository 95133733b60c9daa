"""Hints are 2 to 5 distinct phrases, none of them the statement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.scan.hints import hints, hints_of_all
from git_intent.store.requirement_file import normalise


def test_n069_hints_ask_what_the_requirement_answers():
    found = hints("Never push to main without a review.", ("Contributing", "Branches"))
    assert "is it ok to push to main without a review" in found
    assert "review a change" in found


@pytest.mark.parametrize(
    ("statement", "situation"),
    [
        (
            "Every user-visible change gets a changelog entry.",
            "describe a user-visible",
        ),
        ("Flaky tests are fixed or removed within a week.", "fix a flaky test"),
        (
            "Public functions must stay backward compatible.",
            "add a parameter to a public function",
        ),
    ],
)
def test_n069_hints_say_what_a_developer_is_about_to_do(statement, situation):
    assert any(hint.startswith(situation) for hint in hints(statement, ()))


def test_a_place_is_a_hint_where_the_statement_gives_none():
    assert "contributing branches" in hints(
        "Names are short.", ("Contributing", "Branches")
    )


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("Use tabs in Makefiles.", "how should I use tabs in Makefiles"),
        ("Add the `new` tag. It must stay.", "how should I add the `new` tag"),
        ("Edit setup.cfg first.", "how should I edit setup.cfg first"),
        ("We should add a test (a fast one).", "how should I add a test"),
        ("For each release, use the latest patch.", ""),
        ("Names are short in this project.", ""),
    ],
)
def test_only_an_order_makes_a_question(statement, question):
    asked = [h for h in hints(statement, ()) if h.startswith("how should I")]
    assert asked == [question] * bool(question)


def test_spare_hints_only_make_two():
    assert hints("☃", ()) == ("project convention", "project rule")
    assert not any("rule" in h for h in hints("Never use tabs in a Makefile.", ("A",)))


@pytest.mark.parametrize(
    ("statement", "asked"),
    [
        ("All drivers must be signed.", ["what must all drivers do"]),
        ("The name must be short.", ["what must the name do"]),
        ("The file a.toml must be sorted.", ["what must the file a.toml do"]),
        ("Update the tests. There must be one.", []),
        ("You must sign drivers.", []),
        ("For the build to pass, coverage must be full.", []),
        ("Drivers, old ones too, must be signed.", []),
    ],
)
def test_only_a_plain_subject_is_asked_about(statement, asked):
    assert [h for h in hints(statement, ()) if h.startswith("what must")] == asked


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("Never edit a.lock by hand.", "is it ok to edit a.lock by hand"),
        ("You must not push, ever.", "is it ok to push"),
        ("Avoid using global state.", "what about using global state"),
        ("No new dependencies.", "what about new dependencies"),
    ],
)
def test_what_is_unwanted_is_asked_about(statement, question):
    assert question in hints(statement, ())


def test_condition_is_a_hint():
    found = hints("When adding a flag, document it in the man page.", ("Flags",))
    assert "when adding a flag" in found


@given(
    st.text(min_size=1, max_size=200).filter(lambda t: normalise(t) != ""),
    st.lists(st.text(max_size=20), max_size=4),
)
def test_n069_any_statement_gets_two_to_five_distinct_hints(statement, headings):
    found = hints(statement, tuple(headings))
    keys = [normalise(h) for h in found]
    assert 2 <= len(found) <= 5
    assert len(set(keys)) == len(keys)
    assert normalise(statement) not in keys


def test_hints_are_the_same_together_as_one_by_one():
    places = [
        ("Never push to main without a review.", ("Contributing", "Branches")),
        ("☃", ()),
        ("Public functions must stay backward compatible.", ()),
    ]
    assert hints_of_all(places) == [hints(*place) for place in places]
    assert hints_of_all([]) == []
