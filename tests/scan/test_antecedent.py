"""What a sentence leaves to the one before it."""

import pytest

from git_intent.scan.antecedent import resolved


@pytest.mark.parametrize(
    ("text", "previous", "done"),
    [
        (
            "It must name the module.",
            "The first line should fit on a screen.",
            "The first line must name the module.",
        ),
        (
            "They must be signed.",
            "Public tags are made by maintainers.",
            "Public tags must be signed.",
        ),
        (
            "These should also be short.",
            "Branch names are lower case.",
            "Branch names should also be short.",
        ),
        (
            "This must never change.",
            "Each public name has an owner.",
            "Each public name must never change.",
        ),
    ],
)
def test_a_pronoun_gets_the_subject_of_the_sentence_before(text, previous, done):
    assert resolved(text, previous, ()) == done


@pytest.mark.parametrize(
    ("text", "previous"),
    [
        ("They must be signed.", "The tag is made by a maintainer."),
        ("It must be short.", "Release tags are made by maintainers."),
        ("It must be short.", "Write a summary."),
        ("It must be short.", "If you are new, the guide is for you."),
        ("It is important that tests pass.", "The suite is large."),
        ("This is why we freeze it.", "The clock is shared."),
        ("These files must stay.", "Fixtures are old."),
        ("It must be short.", ""),
    ],
)
def test_a_pronoun_without_a_plain_antecedent_is_left(text, previous):
    assert resolved(text, previous, ()) == text


def test_the_sentence_before_goes_in_front_without_its_own_first_word():
    done = resolved("Instead, ask.", "In particular, branches must not live long.", ())
    assert done == "Branches must not live long. Instead, ask."


def test_they_may_be_what_the_heading_names():
    assert (
        resolved("They must be small.", "", ("Pull requests",))
        == "Pull requests must be small."
    )
    assert resolved("They must be small.", "", ("Style",)) == "They must be small."


@pytest.mark.parametrize(
    "text",
    [
        "Instead, link to the wiki.",
        "Do this before every release.",
        "If so, ask in the channel.",
        "In that case, add a test.",
        "The same goes for examples.",
    ],
)
def test_what_continues_a_sentence_is_read_with_it(text):
    before = "Do not paste long logs."
    assert resolved(text, before, ()) == f"{before} {text}"
    assert resolved(text, "Read this first:", ()) == text
    assert resolved(text, "", ()) == text


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("Also, keep the log short.", "Keep the log short."),
        ("Please note that tags are final here.", "Tags are final here."),
        ("However, never edit a tag.", "Never edit a tag."),
        ("For example, every loop has a bound.", "Every loop has a bound."),
        ("Note: tags are final here.", "Tags are final here."),
        ("Next, go.", "Next, go."),
        ("So be it for now.", "So be it for now."),
    ],
)
def test_a_first_word_that_only_connects_goes(text, done):
    assert resolved(text, "Something else.", ()) == done


def test_a_bracketed_sentence_belongs_to_the_one_before():
    before = "Sort the imports of a module."
    assert (
        resolved("(Not in generated files.)", before, ())
        == "Sort the imports of a module (Not in generated files)."
    )
    assert resolved("(Not in generated files.)", "", ()) == "Not in generated files."
    assert resolved("(Keep it short.", before, ()) == "Keep it short."
    assert resolved("Keep it short.)", before, ()) == "Keep it short."
