"""What each operation changes in a file, and that it changes nothing else."""

import difflib
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.store import mutate
from git_intent.store.mutate import (
    NOTICE,
    add,
    create,
    disable,
    enable,
    mark_edited,
    merge_hints,
    redact,
    rescope,
    reword,
    set_confidence,
    supersede,
)
from git_intent.store.requirement import (
    Confidence,
    Level,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import parse_requirement, render_requirement
from tests.support.odd_files import dice, odd_file
from tests.support.repo import Repo

NOW = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)
STAMP = "2026-11-01T08:30:00Z"
SOUND = settings(derandomize=True, deadline=None, max_examples=200, database=None)
SHORT = settings(SOUND, max_examples=60)
PLAIN = render_requirement(
    Requirement(
        "req-0001",
        "Never ship on Friday.",
        "It broke once.",
        created="2026-01-01T00:00:00Z",
        updated="2026-01-01T00:00:00Z",
    )
)


def changed(before: bytes, after: bytes) -> list[str]:
    """The lines taken away and added, with their sign; newlines included."""
    old, new = (
        data.decode().replace("\r", "␍").splitlines(True) for data in (before, after)
    )
    diff = difflib.unified_diff(old, new, n=0)
    return [
        line for line in diff if line[0] in "+-" and not line.startswith(("+++", "---"))
    ]


def keys(before: bytes, after: bytes) -> set[str]:
    """The keys at the head of the lines that differ."""
    return {
        line[1:].split(":")[0].lstrip("\ufeff {") for line in changed(before, after)
    }


@SOUND
@given(dice)
def test_n016_a_status_flip_changes_two_lines(roll: Random):
    odd = odd_file(roll)
    after = disable(odd.data, NOW)
    assert len(changed(odd.data, after)) == 4
    assert keys(odd.data, after) == {"status", "updated"}
    assert parse_requirement(after, "f") == replace(
        odd.requirement, status=Status.DISABLED, updated=STAMP
    )
    assert disable(after, NOW) == after
    back = enable(after, NOW)
    assert keys(odd.data, back) <= {"status", "updated"}
    assert parse_requirement(back, "f").status is Status.ACTIVE


def test_n016_two_lines_of_each_of_200_files_as_git_counts_them(repo: Repo):
    names = [f".cloche/intent/requirements/req-{n:04x}.md" for n in range(200)]
    repo.write(".gitattributes", "* -text\n")
    repo.commit_files(
        {name: odd_file(Random(seed)).data for seed, name in enumerate(names)}
    )
    for name in names:
        repo.write(name, disable(repo.read(name), NOW))
    counts = repo.git("diff", "--numstat").split("\n")
    assert [line.split("\t")[:2] for line in counts] == [["2", "2"]] * 200
    lines = repo.git("diff", "-U0", "--no-prefix").split("\n")
    touched = {line[1:8] for line in lines if line[:1] in "+-" and line[1:3] != "--"}
    assert {line for line in touched if line[:2] != "++"} == {"status:", "updated"}


@SOUND
@given(dice)
def test_n041_superseding_changes_three_lines(roll: Random):
    odd = odd_file(roll)
    had = b"superseded_by:" in odd.data
    after = supersede(odd.data, "req-ffff", NOW)
    lines = changed(odd.data, after)
    assert keys(odd.data, after) == {"status", "superseded_by", "updated"}
    assert len(lines) == (6 if had else 5)
    assert parse_requirement(after, "f") == replace(
        odd.requirement,
        status=Status.SUPERSEDED,
        superseded_by="req-ffff",
        updated=STAMP,
    )


def test_n041_without_the_key_exactly_one_line_is_added():
    assert changed(PLAIN, supersede(PLAIN, "req-ffff", NOW)) == [
        "-status: active\n",
        "+status: superseded\n",
        "+superseded_by: req-ffff\n",
        "-updated: 2026-01-01T00:00:00Z\n",
        f"+updated: {STAMP}\n",
    ]


@SOUND
@given(dice, st.lists(st.sampled_from(["a", "no", "x y", "c#", "0777"]), max_size=4))
def test_rescoping_changes_the_scope_alone(roll: Random, domains):
    odd = odd_file(roll)
    scope = Scope(
        roll.choice(list(Level)),
        tuple(domains),
        ("src/**",),
        odd.requirement.scope.paths,
    )
    try:
        after = rescope(odd.data, scope, NOW, user_edited=True)
    except IntentError:  # a comment in brackets
        assert b"[" in odd.data
        return
    assert parse_requirement(after, "f") == replace(
        odd.requirement, scope=scope, user_edited=True, updated=STAMP
    )
    for line in odd.data.splitlines():
        if line.lstrip().startswith((b"#", b"x-", b"id")):
            assert line in after


@SHORT
@given(dice)
def test_n013_every_operation_keeps_unknown_keys_comments_and_order(roll: Random):
    odd = odd_file(roll)
    after = odd.data
    for step in (
        lambda data: disable(data, NOW),
        lambda data: enable(data, NOW),
        lambda data: merge_hints(data, ["one: more", "two"], NOW),
        lambda data: set_confidence(data, Confidence.LOW, NOW),
        lambda data: mark_edited(data, NOW),
        lambda data: reword(data, "Other words.", "It broke once.", NOW),
        lambda data: supersede(data, "req-ffff", NOW),
    ):
        after = step(after)
    read = parse_requirement(after, "f")
    assert read.statement == "Other words."
    assert read.hints[: len(odd.requirement.hints)] == odd.requirement.hints
    kept = [
        line
        for line in odd.data.splitlines(True)
        if line.lstrip().startswith((b"#", b"x-", b"**Why"))
    ]
    assert [line for line in after.splitlines(True) if line in kept] == kept
    assert after.startswith(b"\xef\xbb\xbf") == odd.data.startswith(b"\xef\xbb\xbf")
    assert after.endswith(b"\n") == odd.data.endswith(b"\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@SHORT
@given(seed=st.integers(0, 10**9))
def test_n020_a_write_keeps_the_newlines_of_the_file(newline, seed):
    data = odd_file(Random(seed), newlines=(newline,)).data
    for after in (
        supersede(data, "req-ffff", NOW),
        reword(data, "A\n\n- b\n- c", "", NOW),
        reword(data, "A", "New", NOW),
        merge_hints(data, ["more"], NOW),
    ):
        assert after.count(b"\n") - after.count(b"\r\n") == (
            0 if newline == "\r\n" else after.count(b"\n")
        )


def test_nothing_to_do_leaves_the_bytes_and_updated_alone():
    data = PLAIN.replace(b"provenance:", b"user_edited: true\nprovenance:")
    says = parse_requirement(data, "f")
    assert enable(data, NOW) == data
    assert mark_edited(data, NOW) == data
    assert rescope(data, says.scope, NOW, user_edited=True) == data
    assert reword(data, "Never  ship on\nFriday.", " It broke once.", NOW) == data
    assert merge_hints(data, ["never ship on FRIDAY"], NOW) == data
    assert set_confidence(data, says.confidence, NOW) == data


def test_a_superseded_requirement_stays_superseded():
    data = supersede(PLAIN, "req-ffff", NOW)
    assert supersede(data, "req-ffff", NOW) == data
    for act in (
        lambda: enable(data, NOW),
        lambda: disable(data, NOW),
        lambda: supersede(data, "req-eeee", NOW),
    ):
        with pytest.raises(IntentError, match="superseded by req-ffff, which is final"):
            act()


@pytest.mark.parametrize("by", ["", "req-1", "req-0001", "x"])
def test_a_successor_is_another_id(by):
    with pytest.raises(IntentError, match="cannot be its successor"):
        supersede(PLAIN, by, NOW)


def test_rewording_changes_the_paragraph_that_differs():
    data = PLAIN.replace(b"user_edited: false\n", b"")
    assert changed(
        data, reword(data, "Never ship on Monday.", "It broke once.", NOW)
    ) == [
        "-updated: 2026-01-01T00:00:00Z\n",
        f"+updated: {STAMP}\n",
        "-Never ship on Friday.\n",
        "+Never ship on Monday.\n",
    ]
    flagged = reword(data, "Never ship on Friday.", "", NOW, user_edited=True)
    assert changed(data, flagged) == [
        "+user_edited: true\n",
        "-updated: 2026-01-01T00:00:00Z\n",
        f"+updated: {STAMP}\n",
        "-\n",
        "-**Why:** It broke once.\n",
    ]


def test_an_empty_statement_is_refused():
    with pytest.raises(IntentError, match="empty"):
        reword(PLAIN, " \n ", "", NOW)
    with pytest.raises(IntentError, match="empty"):
        add(Requirement("req-0002", " "), NOW)


def test_added_files_are_stamped_unless_they_bring_their_stamps():
    read = parse_requirement(add(Requirement("req-0a02", "Keep it."), NOW), "f")
    assert (read.created, read.updated) == ("2026-11-01T08:30:00.039090996Z",) * 2
    brought = Requirement("req-0002", "Keep it.", created="2025-01-01")
    assert parse_requirement(add(brought, NOW), "f").created == "2025-01-01"


def test_n051_a_file_added_by_hand_shows_its_flag():
    made = Requirement("req-0002", "Keep it.")
    assert b"\nconfidence: high\nuser_edited: false\nprovenance:" in add(made, NOW)
    assert b"user_edited" not in create(made, NOW)
    assert b"\nuser_edited: true\n" in create(replace(made, user_edited=True), NOW)


def test_hints_are_merged_up_to_five_and_never_repeat():
    once = merge_hints(PLAIN, ["a", "A.", "b", "never ship on friday", ""], NOW)
    assert parse_requirement(once, "f").hints == ("a", "b")
    more = merge_hints(once, ["c", "d", "e", "f"], NOW)
    assert parse_requirement(more, "f").hints == ("a", "b", "c", "d", "e")
    assert mutate.set_hints(more, [], NOW) == mutate.set_hints(
        mutate.set_hints(more, [], NOW), [], NOW
    )


def test_n049_redacting_keeps_id_and_file_and_nothing_that_was_said():
    secret = "hunter2"
    data = render_requirement(
        replace(
            parse_requirement(PLAIN, "f"),
            statement=f"The password is {secret}.",
            rationale=f"{secret} leaked.",
            hints=(f"what is {secret}",),
        )
    )
    after = redact(data, NOW)
    read = parse_requirement(after, "f")
    assert secret.encode() not in after
    assert (read.id, read.status, read.statement) == (
        "req-0001",
        Status.DISABLED,
        NOTICE,
    )
    assert (read.rationale, read.hints, read.user_edited) == ("", (), True)
    assert redact(after, NOW) == after


def test_n049_redacting_can_empty_the_reference_too():
    data = PLAIN.replace(b"  kind: user\n", b'  kind: doc\n  ref: "token"  # where\n')
    assert b"token" in redact(data, NOW)
    assert b'  ref: ""  # where\n' in redact(data, NOW, ref=True)


def test_n049_a_superseded_requirement_is_redacted_in_its_status():
    after = redact(supersede(PLAIN, "req-ffff", NOW), NOW)
    assert parse_requirement(after, "f").status is Status.SUPERSEDED


@pytest.mark.parametrize(
    "broken",
    [
        b"no frontmatter",
        PLAIN.replace(b"id:", b"id: [", 1),
        PLAIN + b"\n---\nid: req-0002\n---\n",
        PLAIN.replace(b"status:", b"status: active\nstatus:"),
        b"<<<<<<< HEAD\n" + PLAIN,
        b"\xff\xfe" + PLAIN,
    ],
)
def test_a_broken_file_is_never_edited(broken):
    for act in (disable, enable, redact):
        with pytest.raises(IntentError, match=r"^req\.md:[0-9]+:[0-9]+: I0"):
            act(broken, NOW, path="req.md")
