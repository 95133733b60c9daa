"""The exported section: ours between the marks, the user's everywhere else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.inject.entry import entries
from git_intent.inject.export import TARGETS, removed, section, written
from git_intent.scan.noise import strip_own
from git_intent.store import marks
from git_intent.store.requirement import Confidence, Level, Scope
from tests.support.snapshots import disabled, requirement

AGENTS = TARGETS["AGENTS.md"]
CURSOR = TARGETS[".cursor/rules"]


def domain(id, *names, **changes):
    return requirement(id, scope=Scope(Level.DOMAIN, names), **changes)


def active(*found):
    return entries({r.id: r for r in found})


SOME = active(requirement("req-0001", statement="Be kind."))
OTHER = active(requirement("req-0002", statement="Be quick."))


def test_the_section_has_project_level_first_and_then_the_domains():
    text = section(
        active(
            domain("req-0001", "web", statement="W."),
            domain("req-0002", "api", "web", statement="A.", rationale="So."),
            domain("req-0003", "api", statement="B."),
            requirement("req-0004", statement="P.", confidence=Confidence.MEDIUM),
            requirement("req-0005", statement="Q."),
            disabled("req-0006"),
        )
    )
    assert text == (
        f"{marks.EXPORT_BEGIN}\n{marks.HEADING}\n\n{marks.PREAMBLE}\n\n"
        "- [req-0005] Q.\n- [req-0004] P.\n\n"
        "### api\n\n- [req-0002] (api, web) A. **Why:** So.\n- [req-0003] (api) B.\n\n"
        "### web\n\n- [req-0001] (web) W.\n\n"
        f"{marks.EXPORT_END}"
    )


USERS = [
    b"",
    b"# Rules\n",
    b"# Rules",
    b"# Rules\r\n\r\nBe nice.\r\n",
    b"# Rules\r\nno end",
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf# Rules\n",
    b"mixed\r\nends\n",
    b"mixed\nends\r\n",
    b"old mac\rends\r",
    b"blank lines\n\n\n",
    b"\n",
    b"\xff\xfe not utf-8\n",
    b"```\n<!-- git-intent:begin -->\n```\n",
]


@pytest.mark.parametrize("data", USERS)
def test_the_users_bytes_stay_and_come_back(data):
    once = written(data, SOME, AGENTS)
    assert once.startswith(data)
    assert written(once, SOME, AGENTS) == once
    assert removed(once, AGENTS) == data
    assert removed(written(once, OTHER, AGENTS), AGENTS) == data


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\r", b" ", b"\xff"])))
@settings(max_examples=300, deadline=None)
def test_any_bytes_of_the_user_come_back(parts):
    data = b"".join(parts)
    once = written(data, SOME, AGENTS)
    assert written(once, SOME, AGENTS) == once
    assert removed(once, AGENTS) == data


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_section_that_was_moved_is_kept_up_to_date_where_it_is(newline):
    first = written(b"", SOME, AGENTS).replace(b"\n", newline)
    before, after = b"Before" + newline * 2, newline * 2 + b"After"
    out = written(before + first + after, OTHER, AGENTS)
    assert out.startswith(before + marks.EXPORT_BEGIN.encode() + newline)
    assert out.endswith(marks.EXPORT_END.encode() + after)
    assert b"Be quick." in out
    assert b"Be kind." not in out
    assert out.count(b"\n") == out.count(newline)


def test_empty_marks_of_a_person_say_where_the_section_goes():
    out = written(
        b"<!-- git-intent:begin -->\n<!-- git-intent:end -->\nx", SOME, AGENTS
    )
    assert out == section(SOME).encode() + b"\nx"


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_file_that_we_made_is_gone_again(target):
    data = written(None, SOME, target)
    assert data.startswith(target.head.encode())
    assert data.endswith(b"-->\n")
    assert written(data, SOME, target) == data
    assert removed(data, target) is None


def test_a_changed_head_of_a_rule_file_stays():
    data = written(None, SOME, CURSOR).replace(b"globs:", b"globs: src/**")
    out = removed(data, CURSOR)
    assert out == CURSOR.head.replace("globs:", "globs: src/**").encode()


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("x\n<!-- git-intent:begin -->\n", 2, "is not closed"),
        ("<!-- git-intent:end -->\n", 1, "does not begin"),
        (f"{'<!-- git-intent:begin -->{n}' * 2}", 1, "before the next one"),
        (
            "{n}".join(["<!-- git-intent:begin -->", "<!-- git-intent:end -->"] * 2),
            3,
            "begins a second",
        ),
    ],
)
def test_marks_that_do_not_pair_up_are_named(text, line, what):
    data = text.replace("{n}", "\n").encode()
    for change in (lambda: written(data, SOME, AGENTS), lambda: removed(data, AGENTS)):
        with pytest.raises(IntentError, match=what) as raised:
            change()
        assert raised.value.message.startswith(f"AGENTS.md:{line}:1: ")


@pytest.mark.parametrize("data", [b"# Rules\n\nNever push.\n", b"Never push."])
def test_the_section_is_not_mined(data):
    text = written(data, SOME, AGENTS).decode()
    kept = strip_own(text)
    assert kept.strip() == data.decode().strip()
    assert kept.count("\n") == text.count("\n")


def test_a_page_that_speaks_of_the_marks_is_mined():
    text = "The section begins with `<!-- git-intent:begin -->`.\nNever push.\n"
    assert strip_own(text) == text
