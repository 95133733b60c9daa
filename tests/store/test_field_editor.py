"""Single edits, one for each way in which a field may be spelled."""

import pytest

from git_intent.errors import IntentError
from git_intent.store.field_editor import set_body, set_fields

BASE = "id: req-0001\nstatus: active\n"


def edited(header: str, **changes) -> str:
    data = f"---\n{header}---\nText.\n".encode()
    after = set_fields(data, {k.replace("__", "."): v for k, v in changes.items()})
    assert after.startswith(b"---\n")
    assert after.endswith(b"---\nText.\n")
    return after[4:-10].decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("active", "disabled"),
        ("active # why", "disabled # why"),
        ('"active"   # why', '"disabled"   # why'),
        ("'active'", "'disabled'"),
        ("  active", "  disabled"),
        ("\n  active", "\n  disabled"),
        (">-\n  active", "disabled"),
        ("| # why\n  active\n\n", "disabled # why\n\n"),
        ('"act\\\n  ive"', '"disabled"'),
    ],
)
def test_a_scalar_keeps_its_quoting_and_comment(old, new):
    header = f"# top\nid: x\nstatus: {old}\nz: 1\n".replace(": \n", ":\n")
    assert edited(header, status="disabled") == header.replace(old, new)


def test_a_value_takes_quotes_where_it_needs_them():
    assert edited("a: x\nb: 'y'\n", a="no", b="it's") == "a: \"no\"\nb: 'it''s'\n"
    assert edited("a: 'x'\n", a="two\nlines") == 'a: "two\\nlines"\n'


def test_a_key_without_value_gets_one():
    assert edited("superseded_by:  # none\n", superseded_by="req-0002") == (
        "superseded_by: req-0002  # none\n"
    )
    assert edited("superseded_by:\nid: x\n", superseded_by="req-0002") == (
        "superseded_by: req-0002\nid: x\n"
    )
    assert edited("superseded_by: ''\n", superseded_by="a") == "superseded_by: 'a'\n"


def test_a_missing_key_is_one_line_at_its_place():
    header = (
        "id: x\n# about status\nstatus: a # s\n\n# about scope\nscope:\n  level: p\n"
    )
    assert edited(header, superseded_by="req-0002") == header.replace(
        "# s\n", "# s\nsuperseded_by: req-0002\n"
    )
    assert edited("status: a\nx: y\n", id="b") == "id: b\nstatus: a\nx: y\n"
    assert edited("x: y\n", updated="2026-01-01") == "x: y\nupdated: 2026-01-01\n"
    assert edited("# only this\n", id="b") == "# only this\nid: b\n"
    assert edited("", id="b") == "id: b\n"
    assert edited("  id: x\n  y: z\n", status="a") == "  id: x\n  status: a\n  y: z\n"


def test_a_missing_mapping_is_made():
    assert edited("id: x\nhints: [a]\n", scope__paths=["a/**"]) == (
        'id: x\nscope:\n  paths: ["a/**"]\nhints: [a]\n'
    )
    assert edited("scope:\n", scope__level="domain") == "scope:\n  level: domain\n"
    assert edited("scope: {}\n", scope__level="domain") == "scope: {level: domain}\n"


@pytest.mark.parametrize("margin", ["  ", "    ", " "])
def test_nested_keys_keep_the_indentation_of_the_file(margin):
    header = f"scope: # s\n{margin}level: project # l\n{margin}languages: [go]\nz: 1\n"
    assert edited(header, scope__domains=["no", "x"], scope__level="domain") == (
        f"scope: # s\n{margin}level: domain # l\n"
        f'{margin}domains: ["no", x]\n{margin}languages: [go]\nz: 1\n'
    )
    hints = edited(f"provenance:\n{margin}kind: doc\n", hints=["a"])
    assert hints == f'hints:\n{margin}- "a"\nprovenance:\n{margin}kind: doc\n'


def test_mappings_in_braces_stay_in_braces():
    assert edited("scope: {level: project} # c\n", scope__level="domain") == (
        "scope: {level: domain} # c\n"
    )
    assert edited("scope: {level: project} # c\n", scope__domains=["a", "no"]) == (
        'scope: {level: project, domains: [a, "no"]} # c\n'
    )
    assert edited("scope: {languages: [go]}\n", scope__level="domain") == (
        "scope: {level: domain, languages: [go]}\n"
    )
    assert edited("{id: x, status: a}\n", status="b", updated="2026-01-01") == (
        "{id: x, status: b, updated: 2026-01-01}\n"
    )


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("[a, 'b', c] # l", ["a", "b", "d"], "[a, 'b', d] # l"),
        ("[a, 'b', c]", ["a", "b", "c", "d"], "[a, 'b', c, d]"),
        ("[a, 'b', c]", ["z", "a", "b", "c"], "[z, a, 'b', c]"),
        ("[a, 'b', c]", ["b", "c"], "['b', c]"),
        ("[a, 'b', c]", ["a", "c"], "[a, c]"),
        ("[a, 'b', c]", ["a"], "[a]"),
        ("[a, 'b', c]", [], "[]"),
        ('["a","b",]', ["a", "no"], '["a","no",]'),
        ("[a, b]", ["x", "v", "z"], "[x, v, z]"),
        ("[] # l", ["x"], "[x] # l"),
        (
            "[\n  a,  # A\n  b,\n  ]",
            ["a", "b", "c"],
            "[\n  a,  # A\n  b, c,\n  ]",
        ),
        ("[\n  a,  # A\n  b,\n  ]", ["q", "b"], "[\n  q,  # A\n  b,\n  ]"),
        ("\n  - a # A\n  # about b\n  - 'b'\n", ["b"], "\n  # about b\n  - 'b'\n"),
        ("\n  - a # A\n  - 'b' # B\n", ["a", "c"], "\n  - a # A\n  - 'c' # B\n"),
        ("\n  - a # A\n  - b\n", ["n", "a", "b"], '\n  - "n"\n  - a # A\n  - b\n'),
        ("\n- a\n- b # B\n", ["a", "b", "c"], "\n- a\n- b # B\n- c\n"),
        ("\n- >-\n  a\n  a\n- b\n", ["a a", "c"], "\n- >-\n  a\n  a\n- c\n"),
        ("\n- |-\n  a\n- b\n", ["c", "b"], "\n- c\n- b\n"),
        (" # l\n    - a\n    # c\n    - b\n", [], " [] # l\n    # c\n"),
        ("", ["a", "no"], ' [a, "no"]'),
    ],
)
def test_a_list_keeps_the_items_that_stay(old, value, new):
    space = "" if old[:1] in ("\n", "", " ") else " "
    end = "" if old.endswith("\n") else "\n"
    header = f"domains:{space}{old}{end}z: 1\n"
    after = edited(header, domains=value)
    assert after == header.replace(f"domains:{space}{old}", f"domains:{space}{new}", 1)


def test_hints_become_one_line_each():
    assert edited("hints: []  # none yet\nz: 1\n", hints=["a: b", "c"]) == (
        'hints:  # none yet\n  - "a: b"\n  - "c"\nz: 1\n'
    )
    assert edited("hints:\nz: 1\n", hints=["a"]) == 'hints:\n  - "a"\nz: 1\n'
    assert edited("{hints: []}\n", hints=["a"]) == '{hints: ["a"]}\n'
    assert edited("id: x\nz: 1\n", hints=["a"]) == 'id: x\nhints:\n  - "a"\nz: 1\n'


@pytest.mark.parametrize(
    ("header", "key", "value"),
    [
        ("domains: [\n a, # one\n # two\n b]\n", "domains", ["b"]),
        ("domains: [ # one\n a]\n", "domains", []),
        ("status: [a]\n", "status", "disabled"),
        ("status: {a: b}\n", "status", "disabled"),
        ("hints: text\n", "hints", ["a"]),
        ("hints: {a: b}\n", "hints", ["a"]),
        ("hints: [{a: b}]\n", "hints", ["a"]),
        ("hints: [a, [b]]\n", "hints", ["a"]),
        ("scope: text\n", "scope.level", "domain"),
        ("scope: [text]\n", "scope.level", "domain"),
    ],
)
def test_what_cannot_be_changed_safely_is_refused_with_its_place(header, key, value):
    data = f"---\n{header}---\nText.\n".encode()
    with pytest.raises(IntentError, match=r"^r\.md:2:[0-9]+: .* changed safely"):
        set_fields(data, {key: value}, "r.md")


def test_equal_values_leave_the_bytes():
    data = b"---\nid: 'x' # c\nhints: [ a,\n b ]\nuser_edited: True\n---\n"
    assert (
        set_fields(data, {"id": "x", "hints": ["a", "b"], "user_edited": True}) == data
    )


@pytest.mark.parametrize("header", ["id: x\n", "hints:\nscope:\n  paths: []\nid: x\n"])
def test_emptying_what_is_empty_changes_nothing(header):
    data = f"---\n{header}---\nText.\n".encode()
    empty = {"hints": [], "scope.paths": (), "superseded_by": "", "provenance.ref": ""}
    assert set_fields(data, empty) == data


def test_a_quoted_true_becomes_a_boolean():
    assert edited('user_edited: "true" # c\n', user_edited=True) == (
        "user_edited: true # c\n"
    )


def test_the_file_without_final_newline_and_with_mark_stays_so():
    data = b"\xef\xbb\xbf---\r\nid: x\r\n---\r\nText."
    assert set_fields(data, {"id": "v", "status": "a"}) == (
        b"\xef\xbb\xbf---\r\nid: v\r\nstatus: a\r\n---\r\nText."
    )
    assert set_body(data, "Other.", "Why not.") == (
        b"\xef\xbb\xbf---\r\nid: x\r\n---\r\nOther.\r\n\r\n**Why:** Why not."
    )


def test_a_line_takes_the_newline_of_its_neighbour():
    data = b"---\nid: x\r\nz: 1\n---\nText.\n"
    assert set_fields(data, {"status": "a"}) == (
        b"---\nid: x\r\nstatus: a\r\nz: 1\n---\nText.\n"
    )


@pytest.mark.parametrize(
    ("body", "statement", "rationale", "after"),
    [
        ("\nOld.\n", "New.", "", "\nNew.\n"),
        ("\nOld.\n\n\n", "Old.", "New.", "\nOld.\n\n**Why:** New.\n\n\n"),
        ("Old\nwrapped.\n**Why:** R.\n", "Old wrapped.", "S.", None),
        ("\nOld.\n\n**Why:** odd\n  wrap.\n", "New.", "odd\n  wrap.", None),
        ("", "New.", "R.", "\nNew.\n\n**Why:** R.\n"),
        ("\n**Why:** R.\n", "New.", "R.", "\nNew.\n\n**Why:** R.\n"),
        ("\nOld.\n\n**Why:** R.\n", "Old.", "", "\nOld.\n"),
    ],
)
def test_a_body_changes_only_where_its_words_do(body, statement, rationale, after):
    wanted = {
        "S.": "Old\nwrapped.\n**Why:** S.\n",
        "odd\n  wrap.": "\nNew.\n\n**Why:** odd\n  wrap.\n",
    }
    head = "---\nid: x\n---\n"
    new = set_body((head + body).encode(), statement, rationale)
    assert new.decode() == head + (after or wanted[rationale])


def test_a_body_below_a_fence_at_the_end_of_the_file():
    assert set_body(b"---\nid: x\n---", "New.", "") == b"---\nid: x\n---\n\nNew.\n"


def test_a_body_that_would_be_a_second_block_is_refused():
    with pytest.raises(IntentError):
        set_body(b"---\nid: x\n---\nOld.\n", "---\nid: req-0002", "")
