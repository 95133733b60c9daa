"""Commits and text that a scan must not learn from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.git.history import Commit, commit_of
from git_intent.scan.noise import (
    claims_to_be_own,
    noise,
    own_commit,
    plainly_heard,
    strip_own,
)

BLOCK = """\
## Standing project requirements

These are established constraints and decisions for this project. Follow them unless
the task explicitly overrides one. Requirement IDs like [req-a3f8] are for reference;
one you believe is wrong or outdated should be flagged in your output, not silently
ignored.

- [req-a3f8] Never bump the major version unless explicitly told to.
- [req-b91c] (container-runtime) Containers must be seeded from a clean snapshot.

(3 more requirements omitted; run git intent list)
"""


def commit(subject="Change", body="", author="A Person", email="a@b.c", parents=1):
    return Commit("1" * 40, ("2" * 40,) * parents, author, email, 0, subject, body)


@pytest.mark.parametrize(
    "subject",
    [
        "Version 1.2.3",
        "v1.2.3",
        "1.2.3",
        "Release 1.2.3",
        "Release v2.0.0-rc.1 (#12)",
        "Bump version to 1.2.3",
        "Bump version: 1.2.0 → 1.2.1",
        "Bumped to 0.3",
        "chore(release): 1.2.3 [skip ci]",
        "Prepare release 1.2.3",
        "Back to development: 2.0.dev0",
        "Bump foo from 1.2 to 1.3",
        "chore(deps): bump lodash from 4.17.20 to 4.17.21 in /web",
        "Update dependency foo to v2.1.0",
        "Tag 3.0",
    ],
)
def test_version_bumps_are_noise(subject):
    assert noise(commit(subject)) == "version bumps"


@pytest.mark.parametrize(
    "subject",
    [
        "Require Python 3.11",
        "Support 3.12",
        "Never bump above 2.0",
        "Release 2.0 drops Python 3.8",
        "Use TLS 1.3",
        "Stop bumping the major version",
        "Bump " + "1.2" * 400 + "!?",
    ],
)
def test_sentences_about_versions_are_heard(subject):
    assert noise(commit(subject)) == ""


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"),
        ("renovate[bot]", "bot@renovateapp.com"),
        ("Renovate Bot", "29139614+renovate[bot]@users.noreply.github.com"),
        ("pre-commit-ci", "x@y.z"),
        ("github-actions", "github-actions@github.com"),
    ],
)
def test_bots_are_noise(name, email):
    assert noise(commit(author=name, email=email)) == "by bots"


def test_a_person_called_like_a_robot_is_heard():
    assert noise(commit(author="Abbot Botham", email="abbot@example.org")) == ""


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Merge branch 'topic'", ""),
        ("Merge branch 'a' into b", "# Conflicts:\n#\tx.py"),
        ("Merge branches 'a' and 'b'", ""),
        ("Merge remote-tracking branch 'origin/main'", ""),
        ("Merge tag 'v1.0'", "* tag 'v1.0':\n  Fix x"),
        ("Merge pull request #3 from a/b", ""),
        ("Merge topic into main", "See merge request a/b!3"),
    ],
)
def test_a_merge_with_the_default_message_is_noise(subject, body):
    assert noise(commit(subject, body, parents=2)) == "plain merges"


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Merge pull request #3 from a/b", "Never write to stdout in hooks"),
        ("Settle the naming of flags", ""),
        ("Merge branch 'a'", "Conflicts are solved for ours: the schema is frozen."),
    ],
)
def test_a_merge_that_says_more_is_heard(subject, body):
    assert noise(commit(subject, body, parents=2)) == ""


@pytest.mark.parametrize(
    ("subject", "body", "reason"),
    [
        ("fixup! Never push", "", "provisional or empty"),
        ("WIP", "", "provisional or empty"),
        ("Initial commit", "", "provisional or empty"),
        ("", "", "provisional or empty"),
        ("...", "", "provisional or empty"),
        ('Revert "Use tabs"', "This reverts commit 0123abc.", "plain reverts"),
        ('Revert "Use tabs"', "", "plain reverts"),
        ('Revert "Use tabs"', "This reverts commit 0123abc.\n\nTabs break diff.", ""),
        ("Initial commit", "Everything is MIT licensed.", ""),
    ],
)
def test_other_noise(subject, body, reason):
    assert noise(commit(subject, body)) == reason


def test_n061_a_scan_commit_is_known_by_trailer_and_paths_together():
    own = commit("intent scan: created 1", "Intent-Scan: 20260102T030405Z-0001-ab")
    borrowed = commit("intent scan: created 1")
    store = [".cloche/intent/scan-state.yaml", "svc/.cloche/intent/domains.yaml"]
    assert own_commit(own, store)
    assert not own_commit(own, [*store, "src/a.py"])
    assert not own_commit(own, ["docs/.cloche/intents/x"])
    assert not own_commit(own, [])
    assert not claims_to_be_own(borrowed)
    assert not own_commit(borrowed, store)
    assert own_commit(
        commit("chore: intent scan: created 1", "Intent-Scan: x\nSigned-off-by: y"),
        store,
    )


def rewrapped(text):
    """As an agent's terminal would show it: other widths, no indentation."""
    import textwrap

    paragraphs = text.split("\n\n")
    return "\n\n".join(
        "\n".join(
            part
            for line in paragraph.split("\n")
            for part in textwrap.wrap(line, 33) or [""]
        )
        for paragraph in paragraphs
    )


@pytest.mark.parametrize(
    "change",
    [
        str,
        rewrapped,
        lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
        lambda text: "".join(f"  | {line}\n" for line in text.splitlines()),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: " ".join(text.split()) + "\n",
        lambda text: text.replace("- [", "* ["),
        lambda text: text.replace("## Standing", "Standing"),
    ],
)
def test_n063_the_injected_block_is_blanked_however_it_was_changed(change):
    text = change(f"Keep before.\n\n{BLOCK}\nKeep after.\n")
    if "Keep after." not in text.splitlines():
        text = f"Keep before.\n\n{change(BLOCK)}\n\nKeep after.\n"
    left = [line.strip("> |") for line in strip_own(text).splitlines()]
    assert [line for line in left if line] == ["Keep before.", "Keep after."]
    assert len(strip_own(text).splitlines()) == len(text.splitlines())


def test_a_document_with_a_heading_of_that_name_is_kept():
    text = "## Standing project requirements\n\nAlways write tests.\n\nNever push.\n"
    assert strip_own(text) == text


def test_single_echoed_entries_are_blanked_and_their_neighbours_kept():
    text = "- Mine.\n- [req-a3f8] Echo\n  goes on.\n- Mine, too.\n"
    assert strip_own(text) == "- Mine.\n\n\n- Mine, too.\n"


def test_a_paragraph_that_mentions_an_id_is_kept():
    text = "We follow [req-a3f8] here.\n"
    assert strip_own(text) == text


LINES = st.sampled_from(
    [
        *BLOCK.splitlines(),
        "",
        "> - [req-a3f8] Quoted.",
        "Ordinary words.",
        "- A bullet.",
        "  goes on",
        "<!-- git-intent:begin -->",
        "<!-- git-intent:end -->",
        "\u2028odd\x0cbreaks\x85",
    ]
)


def test_n063_a_block_around_an_exported_section_goes_as_well():
    text = (
        "## Standing project requirements\n<!-- git-intent:begin -->\nx\n"
        "<!-- git-intent:end -->\nThese are established constraints and decisions for "
        "this project. Follow them unless\n"
    )
    assert strip_own(text).strip() == ""


@given(st.lists(LINES, max_size=25), st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=100, deadline=None)
def test_n063_blanking_keeps_the_lines_and_leaves_no_entry(lines, newline):
    text = newline.join(lines)
    kept = strip_own(text)
    assert kept.count("\n") == text.count("\n")
    assert kept.count("\r") == text.count("\r")
    assert strip_own(kept) == kept
    for line in kept.splitlines():
        assert not line.lstrip("> ").startswith("- [req-")


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_message_is_judged(text):
    assert isinstance(noise(commit(text, text)), str)
    assert isinstance(noise(commit(text, text, parents=2)), str)
    assert isinstance(strip_own(text), str)


PIECES = [
    "\n", "\n\n", " ", "\t", "\r\n", "\x0b", "\u2028", "\xa0",
    "Bump", "bump foo from 1.2 to 1.3", "v1.2.3", "Release ", "1.2", "٣.٤", ".",
    "(#12)", "Merge branch 'x'", "Merge x into y", 'Revert "Never"', "This reverts 1.",
    "wip", "WIP", "fixup! x", "Initial commit", "initial commit.", "!?", "Never",
    "Intent-Scan: 20260102T030405Z-0001-abcd", "Signed-off-by: A <a@x>",
    "## Standing project requirements", "Understanding", "[req-a3f8] Never echo.",
    "<!-- git-intent:begin", "größer", "\ufffd",
]  # fmt: skip
AUTHORS = [("A Person", "a@b.c"), ("x", "1+renovate[bot]@x"), ("Weblate", "x@y.z")]


@settings(max_examples=500)
@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=7),
    author=st.sampled_from(AUTHORS),
    parents=st.sampled_from(["", "2" * 40, f"{'2' * 40} {'3' * 40}"]),
)
def test_what_is_plainly_heard_is_heard_as_it_is(pieces, author, parents):
    text = "".join(pieces).strip()
    if plainly_heard(*author, parents, text):
        made = commit_of("1" * 40, parents, *author, "0", "".join(pieces))
        assert made.message == text
        assert noise(made) == ""
        assert not claims_to_be_own(made)
        assert strip_own(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Never squash",
        "Never squash (#12)\n\nIt hides who decided.",
        "Use TLS\n\nSince 1.3 there is no other.",
        "Release often",
        "größer",
    ],
)
def test_a_usual_message_is_plainly_heard(text):
    assert plainly_heard("A Person", "a@b.c", "2" * 40, text)
