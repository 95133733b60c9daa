"""Requirement files: what is read, what is refused and where, what is written."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.store.body import tidy
from git_intent.store.issue import Severity
from git_intent.store.malformed import MalformedFile
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import (
    content_hash,
    examine,
    parse_requirement,
    render_requirement,
)
from git_intent.store.stamps import instant
from tests.support.odd_files import dice, odd_file

FULL = b"""---
id: req-a3f8
status: active            # active | disabled | superseded
superseded_by: ""         # req id, when status == superseded
scope:
  level: domain           # project | domain
  domains: [release]
  paths: []               # optional narrowing globs
  languages: []
hints:                    # retrieval only
  - "when does the major number go up"
  - "is this a breaking change"
confidence: high
user_edited: false
provenance:
  kind: doc
  ref: "CLAUDE.md#release"
  extracted_at: 2026-09-13T10:00:00Z
  extracted_by: intent-scan
created: 2026-09-13T10:00:00Z
updated: 2026-09-13T10:00:00Z
---

The major number goes up only when the maintainer says so. Everything else that changes
behaviour raises the minor number.

**Why:** Majors are announced a quarter ahead.
"""
SAYS = Requirement(
    id="req-a3f8",
    statement="The major number goes up only when the maintainer says so. Everything "
    "else that changes behaviour raises the minor number.",
    rationale="Majors are announced a quarter ahead.",
    status=Status.ACTIVE,
    scope=Scope(Level.DOMAIN, ("release",)),
    hints=("when does the major number go up", "is this a breaking change"),
    confidence=Confidence.HIGH,
    provenance=Provenance(
        Kind.DOC, "CLAUDE.md#release", "2026-09-13T10:00:00Z", "intent-scan"
    ),
    created="2026-09-13T10:00:00Z",
    updated="2026-09-13T10:00:00Z",
)


def issues(data: bytes) -> list[str]:
    return [str(issue) for issue in examine(data, "f.md").issues]


def test_n011_every_field_is_read_with_its_type():
    assert parse_requirement(FULL, "f.md") == SAYS


@pytest.mark.parametrize(
    "spelled",
    [
        "2026-09-13T10:00:00.5Z",
        "2026-09-13T10:00:00.123456789Z",
        "2026-09-13T12:00:00+02:00",
        "2026-09-13",
    ],
)
def test_n011_stamps_in_every_spelling_are_read(spelled):
    data = FULL.replace(
        b"\ncreated: 2026-09-13T10:00:00Z", f"\ncreated: {spelled}".encode()
    )
    assert instant(parse_requirement(data, "f.md").created) is not None


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b"status: active ", b"status: Active ", "f.md:3:9: I008 status: 'Active'"),
        (b"level: domain ", b"level: file ", "f.md:6:10: I008 scope.level: 'file'"),
        (b"confidence: high", b"confidence: sure", "f.md:13:13: I008 confidence:"),
        (b"kind: doc", b"kind: rumour", "f.md:16:9: I008 provenance.kind: 'rumour'"),
        (b"edited: false", b'edited: "true"', "f.md:14:14: I008 user_edited must"),
        (b"edited: false", b"edited: no", "f.md:14:14: I008 user_edited must"),
        (
            b"created: 2026-09-13T",
            b"created: 2026-02-30T",
            "f.md:20:10: I008 created: '2026-02-30T10:00:00Z' is no date",
        ),
        (b"[release]", b"{a: b}", "f.md:7:12: I008 scope.domains must be a list"),
        (b"[release]", b"[[x]]", "f.md:7:13: I008 each of scope.domains must"),
        (b"id: req-a3f8", b"id: [x]", "f.md:2:5: I008 id must be a text"),
        (b"id: req-a3f8", b"id: req-A3F8", "f.md:2:5: I011 'req-A3F8' is no id"),
        (b"id: req-a3f8\n", b"", "f.md:2:1: I007 id is missing"),
        (b'by: ""', b'by: "x"', "f.md:4:16: I008 superseded_by: 'x' is no id"),
    ],
)
def test_n012_one_bad_value_is_one_message_at_its_place(old, new, found):
    messages = issues(FULL.replace(old, new))
    assert len(messages) == 1
    assert messages[0].startswith(found)


def test_a_message_repeats_no_more_than_the_beginning_of_a_value():
    data = FULL.replace(b"kind: doc", b"kind: " + b"x" * 50000)
    (message,) = issues(data)
    start = f"f.md:16:9: I008 provenance.kind: '{'x' * 39}…' is none of doc,"
    assert message.startswith(start)
    assert len(message) < 150


def test_n012_several_bad_values_are_all_named():
    data = FULL.replace(b"active ", b"on ").replace(b"kind: doc", b"kind: x")
    assert [message.split(":")[1] for message in issues(data)] == ["3", "16"]


def test_a_bad_value_makes_the_file_unreadable():
    with pytest.raises(MalformedFile, match=r"f\.md:3:9: I008"):
        parse_requirement(FULL.replace(b"active ", b"Active "), "f.md")


def test_n013_optional_keys_may_be_missing():
    data = b"---\nid: req-0001\nstatus: disabled\n---\nNo warnings.\n"
    read = parse_requirement(data, "f.md")
    assert read == Requirement("req-0001", "No warnings.", status=Status.DISABLED)
    found = examine(data, "f.md").issues
    assert {issue.severity for issue in found} == {Severity.WARNING}
    assert len(found) == 5


def test_domains_without_a_level_mean_the_domain_level():
    data = FULL.replace(b"  level: domain           # project | domain\n", b"")
    assert parse_requirement(data, "f.md").scope == SAYS.scope


def test_n013_unknown_keys_are_no_fault():
    data = FULL.replace(b"\nhints:", b"\n  repos: [a]\nx-team: {a: [b]}\nhints:")
    assert parse_requirement(data, "f.md") == SAYS


BODY = b"""Keep it.

Really.

**Why:** One.

---

**Why:** Two.

- a
- b"""


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_n014_the_reason_starts_at_the_first_why_and_holds_all_the_rest(end):
    data = FULL[: FULL.index(b"The major")] + BODY + end
    read = parse_requirement(data, "f.md")
    assert read.statement == "Keep it.\n\nReally."
    assert read.rationale == "One.\n\n---\n\n**Why:** Two.\n\n- a\n- b"
    assert parse_requirement(render_requirement(read), "f.md") == read


def test_n014_no_reason():
    data = FULL[: FULL.index(b"\n\n**Why:**")]
    assert parse_requirement(data, "f.md") == replace(SAYS, rationale="")


def test_n015_words_that_yaml_would_retype_stay_text():
    data = FULL.replace(b"[release]", b"[no, on, go, 0777, 1e10, 12:30, ~, null]")
    read = parse_requirement(data, "f.md").scope.domains
    assert read == ("no", "on", "go", "0777", "1e10", "12:30", "~", "null")
    quoted = data.replace(b"[no, on", b"['no', \"on\"")
    assert parse_requirement(quoted, "f.md").scope.domains == read
    written = render_requirement(parse_requirement(data, "f.md"))
    assert b'["no", "on", go, "0777", "1e10", "12:30", "~", "null"]' in written
    assert parse_requirement(written, "f.md").scope.domains == read


@pytest.mark.parametrize(
    "spelled",
    [
        FULL.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + FULL.replace(b"\n", b"\r\n"),
        FULL.replace(b"---\n", b"---  \t\n"),
        FULL.replace(b"\n", b"\r\n", 9),
        FULL.rstrip(b"\n"),
    ],
)
def test_n020_newlines_and_marks_do_not_change_what_is_read(spelled):
    read = parse_requirement(spelled, "f.md")
    assert read == SAYS
    assert content_hash(read) == content_hash(SAYS)


def test_content_hash_differs_with_any_field():
    assert content_hash(SAYS) != content_hash(replace(SAYS, hints=()))
    assert content_hash(SAYS) != content_hash(replace(SAYS, user_edited=True))


def test_n021_an_empty_body_is_named():
    data = FULL[: FULL.index(b"The major")] + b"**Why:** Because.\n"
    assert issues(data) == ["f.md:24:1: I010 the statement is empty"]


def test_the_writer_keeps_the_order_and_leaves_empty_keys_out():
    assert render_requirement(replace(SAYS, hints=())).decode() == (
        FULL.decode()
        .replace("            # active | disabled | superseded", "")
        .replace('superseded_by: ""         # req id, when status == superseded\n', "")
        .replace("           # project | domain", "")
        .replace("user_edited: false\n", "")
        .replace("  paths: []               # optional narrowing globs\n", "")
        .replace("  languages: []\n", "")
        .replace("hints:                    # retrieval only\n", "")
        .replace('  - "when does the major number go up"\n', "")
        .replace('  - "is this a breaking change"\n', "")
    )


def test_stamps_are_written_plain_and_strange_ones_quoted():
    written = render_requirement(replace(SAYS, updated="2026-09-13 10:00"))
    assert b'updated: "2026-09-13 10:00"\n' in written
    assert b"created: 2026-09-13T10:00:00Z\n" in written


TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=60
)
LINE = TEXT.map(lambda text: "x" + " ".join(text.split()))


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(
    statement=LINE,
    rationale=LINE | st.just(""),
    lists=st.lists(st.lists(TEXT, max_size=3).map(tuple), min_size=4, max_size=4),
    ref=TEXT,
    flag=st.booleans(),
)
def test_whatever_is_written_is_read_back(statement, rationale, lists, ref, flag):
    domains, paths, languages, hints = lists
    says = replace(
        SAYS,
        statement=tidy(statement),
        rationale=tidy(rationale),
        scope=Scope(Level.PROJECT, domains, paths, languages),
        hints=hints,
        user_edited=flag,
        provenance=Provenance(Kind.COMMIT, ref, patch_id=ref),
    )
    assert parse_requirement(render_requirement(says), "f.md") == says


@settings(derandomize=True, deadline=None, max_examples=200, database=None)
@given(dice)
def test_odd_files_say_what_they_say(roll):
    odd = odd_file(roll)
    read = parse_requirement(odd.data, "f.md")
    assert read == odd.requirement
