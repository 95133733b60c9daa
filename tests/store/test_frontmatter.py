"""The strict reader: what it takes, and where it says what is wrong."""

from datetime import UTC, datetime
from random import Random

import pytest
import yaml

from git_intent.store.frontmatter import MalformedFile, parse
from git_intent.store.issue import Issue
from git_intent.store.malformed import Code
from git_intent.store.mutate import disable
from git_intent.store.requirement_file import parse_requirement
from tests.support.odd_files import odd_file

NOW = datetime(2026, 11, 1, tzinfo=UTC)
HEAD = b"---\nid: req-0001\nstatus: active\n"


def fault(data: bytes) -> str:
    with pytest.raises(MalformedFile) as caught:
        parse(data, "f.md")
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", "1:1: I002"),
        (b"id: x\n", "1:1: I002"),
        (b"\n---\na: b\n---\n", "1:1: I002"),
        (b"---\na: b\n", "1:1: I002"),
        (b"----\na: b\n----\n", "1:1: I002"),
        (b"---\na: b\n ---\n", "1:1: I002"),
        (b"\xff", "1:1: I001"),
        (b"---\na: b\n---\nna\xefve\n", "4:3: I001"),
        (b"---\na: [b\n---\n", "3:1: I003"),
        (b"---\na: b: c\n---\n", "2:5: I003"),
        (b"---\nb: 1\n\ta: c\n---\n", "3:1: I003"),
        (b"---\na: \x07\n---\n", "2:4: I003"),
        (b"---\njust text\n---\n", "2:1: I003"),
        (b"---\n- a\n---\n", "2:1: I003"),
        (b"---\na: &x [b]\nc: *x\n---\n", "2:4: I003"),
        (b"---\na: !!python/name:os.system x\n---\n", "2:4: I003"),
        (b"---\na: !!str x\n---\n", "2:4: I003"),
        (b"---\n? [a]\n: b\n---\n", "2:3: I003"),
        (b"---\na: 1\n...\nb: 2\n---\n", "4:1: I003"),
        (b"---\na: " + b"[" * 5000 + b"\n---\n", "2:"),
        (b"---\na: " + b"[" * 50 + b"]" * 50 + b"\n---\n", "2:44: I003"),
    ],
)
def test_n018_what_is_broken_is_named_with_its_place(data, place):
    assert fault(data).startswith(f"f.md:{place}")


def test_n019_a_key_that_stands_twice_is_refused_at_the_second():
    assert fault(HEAD + b"id: req-0002\n---\n") == (
        "f.md:4:1: I004 key id stands here twice"
    )
    nested = HEAD + b"scope:\n  level: project\n  level: domain\n---\n"
    assert fault(nested) == "f.md:6:3: I004 key level stands here twice"
    assert fault(HEAD + b'scope: {a: 1, "a": 2}\n---\n').startswith("f.md:4:15: I004")
    assert fault(HEAD + b"x: {a: {b: 1, b: 1}}\n---\n").startswith("f.md:4:15: I004")


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (b"---\nid: req-0002\n---\nOther.\n", 5),
        (b"\n\n---\n", 7),
        (b"Text.\n\n---\nid: req-0002\n---\n", 7),
        (b"Text.\n---\n\nstatus: active\n", 6),
        (b"Text.\r\n---  \r\nstatus:\r\n", 6),
    ],
)
def test_n004_a_second_block_is_refused_at_its_fence(body, line):
    assert fault(HEAD + b"---\n" + body).startswith(f"f.md:{line}:1: I005")


@pytest.mark.parametrize(
    "body",
    [
        b"Text.\n\n---\n\nMore.\n\n---\n",
        b"Text.\n\n```\n---\nid: req-0002\n---\n```\n",
        b"Text.\n\n----\nid: x\n",
        b"Text.\n---\nOther: this\n",
    ],
)
def test_n014_hyphens_in_a_body_are_no_second_block(body):
    assert parse(HEAD + b"---\n" + body, "f.md").body == body.decode().strip()


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"<<<<<<< ours\n" + HEAD + b"---\nText.\n", 1),
        (HEAD + b"<<<<<<< ours\nx: 1\n=======\nx: 2\n>>>>>>> theirs\n---\nText.\n", 4),
        (HEAD + b"---\nText.\n<<<<<<< ours\n", 6),
        (HEAD + b"---\nText.\n||||||| base\n", 6),
        (HEAD + b"---\nText.\n>>>>>>> theirs\n", 6),
    ],
)
def test_n024_conflict_markers_are_named(data, line):
    assert fault(data).startswith(f"f.md:{line}:1: I006 conflict marker")


def test_n024_markers_inside_fenced_code_are_text():
    body = "Text.\n\n```\n<<<<<<< ours\n```\n\nHeading\n======="
    assert parse(HEAD + b"---\n" + body.encode(), "f.md").body == body


def test_n020_the_same_is_read_whatever_the_newlines_and_fences():
    plain = HEAD + b"---\n\nText.\nMore.\n"
    for data in (
        plain.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + plain,
        b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"),
        plain.replace(b"---\n", b"--- \t\n"),
        plain.replace(b"\n", b"\r\n", 2),
    ):
        read = parse(data, "f.md")
        assert read.value == {"id": "req-0001", "status": "active"}
        assert read.body == "Text.\nMore."
        assert read.body_line == 6
        assert read.position(("status",)) == (3, 9)


def test_a_fence_may_end_the_file():
    read = parse(HEAD + b"---", "f.md")
    assert (read.value["id"], read.body) == ("req-0001", "")


def test_n015_values_are_text_but_for_two_keys():
    read = parse(
        b"---\na: no\nb: 0777\nc: 1e10\nd: 12:30\ne: 2026-01-01\nf: ~\ng:\n"
        b"user_edited: True\nversion: 1\nh: {version: '1', user_edited: yes}\n---\n",
        "f.md",
    )
    assert read.value == {
        "a": "no",
        "b": "0777",
        "c": "1e10",
        "d": "12:30",
        "e": "2026-01-01",
        "f": "~",
        "g": "",
        "user_edited": True,
        "version": 1,
        "h": {"version": "1", "user_edited": "yes"},
    }


def test_positions_lead_to_values_or_to_what_holds_them():
    data = b'---\n# c\nscope:\n  paths: ["\xc3\xa4", b]\n---\n'
    read = parse(data, "f.md")
    assert read.position(("scope", "paths", 1)) == (4, 16)
    assert read.position(("scope", "paths", 7)) == (4, 10)
    assert read.position(("scope", "none", "deep")) == (4, 3)
    assert read.position(("none",)) == (3, 1)
    assert parse(b"---\n---\n", "f.md").position(("id",)) == (2, 1)


def test_a_fault_is_also_a_finding():
    with pytest.raises(MalformedFile) as caught:
        parse(b"---\na: [b\n---\n", "f.md")
    found = caught.value.issue()
    assert isinstance(found, Issue)
    assert (found.path, found.line, found.code) == ("f.md", 3, Code.SYNTAX)
    assert str(found) == str(caught.value)
    assert caught.value.hint


def test_without_the_c_parser_the_same_is_read(monkeypatch):
    monkeypatch.delattr(yaml, "CSafeLoader")
    for seed in range(40):
        odd = odd_file(Random(seed))
        data = odd.data.replace(b"\t", b" ")  # it takes no tab before a comment
        assert parse_requirement(data, "f.md") == odd.requirement
        assert parse_requirement(disable(data, NOW), "f.md").status == "disabled"
    for deep in (b"[" * 5000, b"[" * 60 + b"]" * 60):
        assert fault(b"---\na: " + deep + b"\n---\n").startswith("f.md:2:")
