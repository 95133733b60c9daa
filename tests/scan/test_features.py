"""What the classifier looks at."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.scan.features import BITS, describe
from git_intent.scan.file_kind import file_kind
from git_intent.scan.lexicon import CLASSES, WORDS
from git_intent.scan.statement import Segment, Statement


def features(statement, path="CONTRIBUTING.md", mode="doc"):
    return next(describe([statement], path, mode))


def buckets(statement, **more):
    return {b for _, block in features(statement, **more) for b in block}


def sentence(text, **more):
    return Statement(text, 1, 1, **more)


@pytest.mark.parametrize(
    ("path", "mode", "kind"),
    [
        ("AGENTS.md", "doc", "agent"),
        (".cursor/rules/a.mdc", "doc", "agent"),
        (".github/instructions/go.instructions.md", "doc", "agent"),
        ("docs/agents.md", "doc", "howto"),
        ("docs/security.md", "doc", "howto"),
        ("docs/ships.md", "doc", "howto"),
        ("docs/howto/custom-template-tags.txt", "doc", "howto"),
        ("docs/ref/models/fields.txt", "doc", "howto"),
        ("docs/deprecated/commands.rst", "doc", "howto"),
        ("docs/html/user_guide/deprecations.md", "doc", "howto"),
        ("docs/ux-research-design/index.md", "doc", "howto"),
        ("docs/deprecation-policy.md", "doc", "policy"),
        ("docs/internals/release-process.txt", "doc", "policy"),
        (".github/PULL_REQUEST_TEMPLATE.md", "doc", "template"),
        ("CHANGELOG.md", "doc", "changelog"),
        ("README.rst", "doc", "readme"),
        ("docs/STYLE.md", "doc", "style"),
        ("CONTRIBUTING", "doc", "contributing"),
        ("SECURITY.md", "doc", "policy"),
        ("docs/adr/0001-use-git.md", "doc", "adr"),
        ("docs/start.md", "doc", "howto"),
        ("notes.txt", "doc", "other"),
        ("AGENTS.md", "commit", "commit"),
        ("AGENTS.md", "prompt", "prompt"),
    ],
)
def test_the_name_of_a_file_tells_its_kind(path, mode, kind):
    assert file_kind(path, mode) == kind


def test_names_of_files_numbers_and_spelling_of_quotes_do_not_matter():
    one = sentence("Don't edit `a.py` in src/a before 3.11.")
    two = sentence("Don’t edit `other.rs` in lib/x/y before 2.7.")
    assert features(one) == features(two)


def test_the_target_of_a_link_does_not_matter():
    assert buckets(sentence("See [the guide](a.md).")) == buckets(
        sentence("See [the guide](https://example.invalid/b).")
    )


def test_a_short_lead_in_is_read_before_the_item():
    item = {"segment": Segment.BULLET, "depth": 1}
    alone = sentence("Push to main", **item)
    led = sentence("Push to main", lead_in="Do not:", **item)
    long = sentence("Push to main", lead_in="Do not " + "x" * 80 + ":", **item)
    blocks = len(features(alone))
    assert len(features(led)) == blocks + 2  # the lead-in itself, and both together
    assert len(features(long)) == blocks + 1


def test_commits_and_prompts_have_features_of_their_own():
    one = sentence("Never push to main.")
    assert len(features(one, mode="commit")) == len(features(one)) + 3
    assert buckets(one, mode="commit") != buckets(one, mode="prompt")


def test_the_end_of_a_very_long_statement_is_not_read():
    start = "Never push to main. " * 60
    assert features(sentence(start + "a" * 10)) == features(sentence(start + "b" * 10))


def test_every_class_of_the_lexicon_is_one_bit():
    assert max(WORDS.values()).bit_length() <= len(CLASSES)
    assert WORDS["never"] & 1 << CLASSES.index("not")
    assert WORDS["never"] & 1 << CLASSES.index("never")
    assert "parser" not in WORDS


@settings(max_examples=60)
@given(
    st.text(min_size=1, max_size=80),
    st.text(max_size=40),
    st.sampled_from(["doc", "commit", "prompt"]),
)
def test_any_text_has_features_in_the_table(text, other, mode):
    statement = Statement(
        text, 1, 1, Segment.BULLET, (other, other), other, other, other, 1
    )
    found = features(statement, mode=mode)
    assert found
    assert all(scale > 0 for scale, _ in found)
    assert all(0 <= b < 1 << BITS for _, block in found for b in block)
