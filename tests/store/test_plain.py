"""What is read without YAML is what YAML says, or nothing."""

from hypothesis import given
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.store.intent_dir import requirement_path
from git_intent.store.plain import read_plain
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Scope,
    Status,
)
from git_intent.store.requirement_file import examine
from tests.support.snapshots import T0, T1, content, requirement

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40
)
WORDS = st.from_regex(r"[a-z][a-z0-9 ,.:#'\[\]-]{0,30}", fullmatch=True)
NAMES = st.from_regex(r"[a-z0-9]+(-[a-z0-9]+)?", fullmatch=True)


@st.composite
def requirements(draw):
    lists = st.lists(NAMES, max_size=3, unique=True).map(tuple)
    return requirement(
        "req-00ff",
        statement=draw(WORDS | TEXTS) or "Always.",
        rationale=draw(WORDS | TEXTS),
        status=draw(st.sampled_from(Status)),
        superseded_by=draw(st.sampled_from(["", "req-0002"])),
        scope=Scope(
            draw(st.sampled_from(Level)),
            draw(lists),
            draw(st.sampled_from([(), ("src/**",), ("a/b", "*.md")])),
            draw(lists),
        ),
        hints=tuple(draw(st.lists(WORDS | TEXTS, max_size=4))),
        confidence=draw(st.sampled_from(Confidence)),
        user_edited=draw(st.booleans()),
        provenance=Provenance(
            draw(st.sampled_from(Kind)),
            draw(WORDS | TEXTS),
            draw(st.sampled_from(["", T1])),
            draw(NAMES),
            draw(st.sampled_from(["", "a" * 40, "1" * 40])),
        ),
        created=T0,
        updated=T1,
    )


@given(requirements(), st.booleans())
def test_a_plain_file_is_read_as_yaml_reads_it(found, odd):
    path = requirement_path(found.id)
    try:
        data = content(found)
    except IntentError:  # not every text can stand in a file
        return
    if odd:
        data = data.replace(b"\n", b"\r\n", 1)
    plain = read_plain(path, data)
    if plain is not None:
        assert plain == examine(data, path).requirement


def test_what_the_writer_leaves_is_plain():
    for changes in (
        {},
        {"rationale": "Because.", "hints": ("be kind", "a: b # c")},
        {"scope": Scope(Level.DOMAIN, ("api", "web"), ("src/**", "*.md"), ("go",))},
        {"status": Status.SUPERSEDED, "superseded_by": "req-0002"},
        {"user_edited": True, "confidence": Confidence.LOW},
        {"provenance": Provenance(Kind.COMMIT, "a" * 40, T0, "intent-scan", "b" * 40)},
    ):
        found = requirement(**changes)
        plain = read_plain(requirement_path(found.id), content(found))
        assert plain == found


def test_anything_else_is_left_to_yaml():
    data, path = content(requirement()), requirement_path("req-0001")
    assert read_plain(path, data)
    for other in (
        data.replace(b"status: active", b"status: active # yes"),
        data.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + data,
        data.replace(b"id: req-0001\n", b"id: req-0001\nx: 1\n"),
        data.replace(b"Always", b"- Always"),
        b"",
        b"\xff",
    ):
        assert read_plain(path, other) is None
    assert read_plain(requirement_path("req-0002"), data) is None
