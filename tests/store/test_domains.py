"""domains.yaml: read, refused, and edited entry by entry."""

import difflib

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.store.domains import (
    Domain,
    Domains,
    add_domain,
    edit_domain,
    examine_domains,
    parse_domains,
    remove_domain,
    render_domains,
)
from git_intent.store.malformed import MalformedFile

FILE = b"""# .cloche/intent/domains.yaml
version: 1
domains:
  - name: release
    description: Version numbers, changelog, tags.
    paths: ["internal/release/**", "docs/plans/*release*"]

  # kept by hand
  - name: storage   # the slow part
    user_edited: true
    x-owner: us
    paths:
    - src/db/**  # tables
"""
READ = Domains(
    1,
    (
        Domain(
            "release",
            "Version numbers, changelog, tags.",
            ("internal/release/**", "docs/plans/*release*"),
        ),
        Domain("storage", "", ("src/db/**",), True),
    ),
)


def changed(before: bytes, after: bytes) -> list[str]:
    old, new = (data.decode().splitlines(True) for data in (before, after))
    diff = list(difflib.unified_diff(old, new, n=0))[2:]
    return [line for line in diff if line[0] in "+-"]


def test_n027_names_descriptions_and_globs_are_read():
    assert parse_domains(FILE, "d.yaml") == READ
    assert READ.get("storage").user_edited
    assert READ.get("none") is None
    for empty in (
        b"",
        b"# nothing\n",
        b"version: 1\n",
        b"domains:\n",
        b"domains: []\n",
    ):
        assert parse_domains(empty, "d.yaml") == Domains()


def test_n027_an_unquoted_colon_is_named_with_its_line():
    broken = FILE.replace(b"numbers, ch", b"numbers: ch")
    with pytest.raises(MalformedFile, match=r"^d\.yaml:5:[0-9]+: I003"):
        parse_domains(broken, "d.yaml")


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b"name: release", b"name: My Domain", "d.yaml:4:11: I008 domain name 'My"),
        (b"name: release", b"nam: release", "d.yaml:4:5: I007 domains[0].name is"),
        (
            b"name: release",
            b"name: storage",
            "d.yaml:9:11: I008 domain 'storage' stands",
        ),
        (b"version: 1", b"version: 2", "d.yaml:2:10: I009 this version is not known"),
        (b"version: 1", b"version: '1'", "d.yaml:2:10: I009"),
        (b"edited: true", b"edited: yes", "d.yaml:10:18: I008 domains[1].user_edited"),
        (
            b"- src/db/**  # tables",
            b"  a: b",
            "d.yaml:13:7: I008 domains[1].paths must",
        ),
    ],
)
def test_n029_what_is_wrong_is_named(old, new, found):
    issues = examine_domains(FILE.replace(old, new), "d.yaml").issues
    assert str(issues[0]).startswith(found)
    with pytest.raises(MalformedFile):
        parse_domains(FILE.replace(old, new), "d.yaml")


@pytest.mark.parametrize(
    "data",
    [b"- a\n", b"text\n", b"domains: x\n", b"domains: [x]\n", b"domains: [[]]\n"],
)
def test_other_shapes_are_refused(data):
    with pytest.raises(MalformedFile, match=r"^d\.yaml:1:[0-9]+: I008"):
        parse_domains(data, "d.yaml")


def test_n024_conflict_markers_are_named():
    with pytest.raises(MalformedFile, match=r"^d\.yaml:8:1: I006"):
        parse_domains(
            FILE.replace(b"  # kept by hand", b"<<<<<<< ours\n======="), "d.yaml"
        )


def test_n028_an_added_entry_leaves_every_other_byte():
    new = Domain("web", "Pages: all of them", ("web/**",), True)
    assert changed(FILE, add_domain(FILE, new)) == [
        "+  - name: web\n",
        '+    description: "Pages: all of them"\n',
        '+    paths: ["web/**"]\n',
        "+    user_edited: true\n",
    ]
    assert parse_domains(add_domain(FILE, new), "d").domains == (*READ.domains, new)


def test_n028_an_edited_entry_leaves_every_other_byte():
    after = edit_domain(
        FILE, "storage", description="Tables.", paths=["src/db/**", "sql/**"]
    )
    assert changed(FILE, after) == [
        "+    description: Tables.\n",
        "+    - sql/**\n",
    ]
    assert changed(FILE, edit_domain(FILE, "release", user_edited=True)) == [
        "+    user_edited: true\n"
    ]
    assert edit_domain(FILE, "release", user_edited=False, paths=None) == FILE
    assert edit_domain(FILE, "storage", paths=["src/db/**"]) == FILE


def test_n028_a_removed_entry_takes_its_lines_and_no_comment_between():
    assert changed(FILE, remove_domain(FILE, "release")) == [
        f"-{line}\n" for line in FILE.decode().split("\n")[3:6]
    ]
    rest = remove_domain(remove_domain(FILE, "release"), "storage")
    assert rest == (
        b"# .cloche/intent/domains.yaml\nversion: 1\ndomains: []\n\n  # kept by hand\n"
    )
    assert parse_domains(add_domain(rest, READ.domains[0]), "d").domains == (
        READ.domains[0],
    )


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"# only\n",
        b"version: 1",
        b"version: 1\ndomains:\n",
        b"version: 1\ndomains: [] # none\n",
        b"domains: [{name: a}]\n",
        b"\xef\xbb\xbfversion: 1\r\ndomains:\r\n    - name: a\r\n      x: 1",
        b"domains:\n- name: a\n# end\n",
        b"{domains: [], version: 1}\n",
    ],
)
def test_n028_entries_come_and_go_in_any_layout(data):
    before = parse_domains(data or b"", "d").domains
    new = Domain("b", "No: yes", ("x/**", "*.py"))
    after = add_domain(data, new)
    assert parse_domains(after, "d").domains == (*before, new)
    flagged = edit_domain(after, "b", user_edited=True, description="no")
    assert parse_domains(flagged, "d").get("b") == Domain("b", "no", new.paths, True)
    assert parse_domains(remove_domain(flagged, "b"), "d").domains == before
    if data:
        assert after.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
        assert (b"\r\n" in after) == (b"\r\n" in data)
        kept = [line for line in data.splitlines() if b"#" in line]
        assert all(b"#" + line.split(b"#")[1] in after for line in kept)


def test_n020_the_newlines_of_the_file_are_kept():
    data = FILE.replace(b"\n", b"\r\n")
    after = edit_domain(add_domain(data, Domain("web")), "release", user_edited=True)
    assert after.count(b"\n") == after.count(b"\r\n")


def test_what_is_not_there_or_there_already_is_refused():
    with pytest.raises(IntentError, match="there is no domain web"):
        edit_domain(FILE, "web", description="x")
    with pytest.raises(IntentError, match="there is no domain web"):
        remove_domain(FILE, "web")
    with pytest.raises(IntentError, match="there is a domain storage already"):
        add_domain(FILE, Domain("storage"))
    with pytest.raises(IntentError, match="not like-this"):
        add_domain(FILE, Domain("My Domain"))


NAMES = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,4})?", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@settings(derandomize=True, deadline=None, database=None)
@given(
    st.lists(
        st.builds(
            Domain, NAMES, TEXTS, st.lists(TEXTS, max_size=3).map(tuple), st.booleans()
        ),
        unique_by=lambda domain: domain.name,
        max_size=4,
    )
)
def test_what_is_written_is_read_back(domains):
    wanted = Domains(1, tuple(domains))
    written = render_domains(wanted)
    assert parse_domains(written, "d") == wanted
    names = [d["name"] for d in yaml.safe_load(written)["domains"]]
    assert names == [d.name for d in domains]
    grown = b""
    for domain in domains:
        grown = add_domain(grown, domain)
    assert parse_domains(grown, "d").domains == wanted.domains
    if domains:
        assert grown == written
