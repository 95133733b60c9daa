"""A reason is taken off where the statement still says the same without it."""

import pytest

from git_intent.scan.reasons import explains, parted


@pytest.mark.parametrize(
    ("text", "rule", "reason"),
    [
        (
            "Pin the compiler since the old one miscounts lines",
            "Pin the compiler",
            "the old one miscounts lines",
        ),
        (
            "Sort the keys of each file so that changes stay small",
            "Sort the keys of each file",
            "so that changes stay small",
        ),
        (
            "Close every file; otherwise the server runs out of handles",
            "Close every file",
            "otherwise the server runs out of handles",
        ),
        (
            "Keep the helper outside of the loop to avoid needless work",
            "Keep the helper outside of the loop",
            "to avoid needless work",
        ),
        (
            "Freeze the clock in tests. This keeps failures repeatable.",
            "Freeze the clock in tests.",
            "This keeps failures repeatable.",
        ),
        (
            "Ask before you rename a table because of the nightly reports",
            "Ask before you rename a table",
            "because of the nightly reports",
        ),
    ],
)
def test_a_clause_or_a_last_sentence_becomes_the_reason(text, rule, reason):
    assert parted(text) == (rule, reason)


@pytest.mark.parametrize(
    "text",
    [
        "If the build fails because the cache is stale, clear it first",
        "Never skip a check just because it is slow today",
        "Support every browser released since the last major version",
        "Try hard to avoid long names in the public part",
        "Use locks to avoid races in here",
        "Sign the tag; otherwise use a checksum file",
        "Run it twice (because the first run only warms the cache)",
        "The installer must do everything in its power to avoid conflicts",
        "Name the group after your package so as to avoid collisions",
        "Catch errors in a callback, especially since the caller cannot handle them",
        "Explain what to do and how to prevent the mistake next time",
    ],
)
def test_what_the_rule_needs_is_no_reason(text):
    assert parted(text) == (text, "")


@pytest.mark.parametrize(
    ("sentence", "apart", "answer"),
    [
        ("It keeps the diff small.", False, True),
        ("It keeps the diff small.", True, False),
        ("This keeps the diff small.", True, True),
        ("Otherwise the cache grows.", False, True),
        ("Why: the cache grows.", True, True),
        ("Without this the cache grows.", False, True),
        ("It would be nice to have pictures.", False, False),
        ("They are written in Rust by volunteers.", False, False),
        ("Maybe this helps some people here.", False, False),
        ("This must help everybody who reads.", False, False),
        ("Otherwise use the other folder.", False, False),
    ],
)
def test_a_sentence_explains_only_if_it_tells_an_effect(sentence, apart, answer):
    assert explains(sentence, apart=apart) is answer
