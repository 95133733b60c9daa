"""The narrow reader says what the ordinary one says, or nothing."""

import re
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_intent import secret_contexts, secrets
from git_intent.store import canonical, check
from git_intent.store.canonical import brief, outline
from git_intent.store.globs import literal_start, matching, valid
from git_intent.store.intent_dir import requirement_path
from git_intent.store.requirement import Kind, Level, Provenance, Scope, Status
from git_intent.store.requirement_file import render_requirement
from git_intent.store.rules_view import Entry, Reader
from git_intent.store.stamps import instant
from git_intent.store.wording import normalise
from tests.support.odd_files import dice, odd_file
from tests.support.snapshots import T0, T1, requirement

PATH = requirement_path("req-0001")
TOKEN = "gh" + "p_" + "AbCdEfGh1234567890iJkLmNoPqRsTuVwXyZ"
#: What a file may hold that one reader could take otherwise than the other.
ODD = (
    *("\r", "\t", "\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u200b", "\u2028", "\u202e"),
    *("\ufeff", "\u3000", "\x00", "\x7f", "é", "日本", "👍", "\ud7ff", "\U000e0041"),
    *("---\n", "\n---\n", "---", "--", "- ", "* ", "# ", "#", "```\n", "~~~", "1. "),
    *("<<<<<<< a\n", "=======\n", ">>>>>>> b\n", "|||||||", "===", "> ", "| a |"),
    *('"', "'", "\\", ": ", ":", ", ", ",", "[", "]", "{a,b}", "!", "&a ", "*a", "%"),
    *("**Why:**", "\n**Why:** x", "**Why:** ", " **Why:**", "\n\n", "\n", " ", "  "),
    *("true", "no", "~", "null", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z"),
    *("status: active\n", "hints:\n", "version: 2\n", "x: y\n", "  paths: []\n"),
    *("../", "./", "/", "a/../b", "src/{a,b}", "#x", "\\a", "**", "***", "?", "[a-"),
    *("password: ", "password is ", 'token = "', "api key ", "-pass ", "Bearer "),
    *("hunter2!X9", "a1b2c3d4e5f6a7b8", TOKEN, TOKEN[:20] + "\n  " + TOKEN[20:]),
    *("https://u:Sekr1t9x@h.example/", "://", "correct-horse-battery-staple"),
    *("AKIA", "sk-", "eyJ", "-us", "key-", "PRIVATE KEY", "req-0002", "REQ-0001"),
)


def plain(roll: Random) -> bytes:
    """A file as the writer makes it, of words that the tool is about."""
    words = "key token must never docs the release tests API über a b".split()

    def some(most):
        return tuple(
            " ".join(roll.choices(words, k=4)) for _ in range(roll.randrange(most))
        )

    status = roll.choice(list(Status))
    return render_requirement(
        requirement(
            "req-0001",
            statement=" ".join(roll.choices(words, k=roll.randrange(1, 30))),
            rationale=roll.choice(["", "Because of it.", " ".join(some(9))]),
            status=status,
            superseded_by="req-0002" if status is Status.SUPERSEDED else "",
            scope=Scope(
                roll.choice(list(Level)),
                ("api", "a-b")[: roll.randrange(3)],
                ("src/**", "*.py", "docs/a_b.md")[: roll.randrange(4)],
                ("go", "c")[: roll.randrange(3)],
            ),
            hints=some(3),
            user_edited=roll.random() < 0.3,
            provenance=Provenance(
                roll.choice(list(Kind)),
                roll.choice(["", "CLAUDE.md#a", "3f2a", "x y"]),
                roll.choice(["", T1]),
                roll.choice(["", "intent-scan", "user"]),
                roll.choice(["", "ab" * 20]),
            ),
            created=T0,
            updated=roll.choice([T0, T0.replace("Z", ".123456789Z")]),
        )
    )


def mutated(roll: Random, data: bytes) -> bytes:
    text = data.decode()
    for _ in range(roll.randrange(4)):
        at = roll.randrange(len(text) + 1)
        kind = roll.randrange(5)
        if kind == 0:
            text = text[:at] + roll.choice(ODD) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + roll.randrange(1, 6) :]
        elif kind == 2:
            text = text[:at] + roll.choice(ODD) + text[at + 1 :]
        else:
            lines = text.splitlines(keepends=True) or [""]
            one = roll.randrange(len(lines))
            other = roll.randrange(len(lines))
            if kind == 3:
                lines[one], lines[other] = lines[other], lines[one]
            else:
                lines.insert(other, lines[one] if roll.random() < 0.5 else "")
            text = "".join(lines)
    return text.encode("utf-8", "surrogatepass")


def slow(data: bytes, path: str = PATH):
    return check._check_file(path, data, (secrets.find,), Reader())


def same(data: bytes, path: str = PATH) -> bool:
    """Whether the narrow reader took the file; what it says must be right."""
    told, sketched = brief(path, data), outline(path, data)
    if sketched is None:
        assert told is None
        return False
    entry = Reader().read(path, data)
    assert isinstance(entry, Entry)
    read = entry.requirement
    assert (sketched.id, sketched.status) == (read.id, read.status)
    assert (sketched.domains, sketched.paths) == (read.scope.domains, read.scope.paths)
    assert normalise(sketched.statement) == normalise(read.statement)
    found = slow(data, path)
    assert (told is None) == bool(found), found
    return told is not None


@settings(max_examples=600, deadline=None)
@given(dice)
def test_a_changed_file_is_read_alike_or_left_to_the_ordinary_reader(roll):
    for _ in range(4):
        same(mutated(roll, plain(roll)))


@settings(max_examples=150, deadline=None)
@given(dice)
def test_files_of_other_programs_are_read_alike_or_left_alone(roll):
    odd = odd_file(roll)
    same(odd.data, requirement_path(odd.requirement.id))


@pytest.mark.soak
def test_many_changed_files_are_read_alike():
    roll = Random(1)
    taken = sum(same(mutated(roll, plain(roll))) for _ in range(100_000))
    assert taken > 10_000


def test_most_files_of_the_writer_are_taken():
    roll = Random(7)
    files = [plain(roll) for _ in range(300)]
    taken = [same(data) for data in files]
    assert all(took or slow(data) for took, data in zip(taken, files, strict=True))
    assert sum(taken) > 200


def test_the_header_alone_holds_nothing_that_a_search_for_secrets_starts_from():
    """Only what varies is searched: the rest must never be part of a find."""
    bare = render_requirement(requirement("req-0001", statement="x")).decode()
    for value in ("x", "README.md", "intent-scan"):
        bare = bare.replace(value, "")
    assert not secrets.names_any(bare)
    assert not secrets._has_needle(bare)
    boundary = re.compile(r'[\s"\[\],]|\A:')
    needles = [needle for _, some in secrets._NEEDLES for needle in some]
    assert [n for n in needles if boundary.search(n)] == [":AA", "PRIVATE KEY"]
    assert not [stem for stem in secret_contexts._STEMS if boundary.search(stem)]


@settings(max_examples=300, deadline=None)
@given(st.from_regex(re.compile(canonical._GLOB, re.ASCII), fullmatch=True))
def test_a_glob_that_is_taken_is_one_that_git_accepts(spelled):
    assert valid(spelled[1:-1]) == ""


@settings(max_examples=300, deadline=None)
@given(st.from_regex(re.compile(canonical._STAMP, re.ASCII), fullmatch=True))
@example("2026-01-31T23:59:59Z")
@example("2026-04-30T00:00:00.1Z")
def test_a_stamp_that_is_taken_names_a_point_in_time(text):
    assert instant(text) is not None


@settings(max_examples=300, deadline=None)
@given(
    st.text("ab/*?!.# \\", max_size=8),
    st.lists(st.text("ab/.#! ", min_size=1, max_size=6), max_size=5),
)
@example("a/[ab]/b", ["a/b/b", "a/x/b"])
@example("!/a/b*", ["a/b", "a/bb", "b"])
def test_a_glob_matches_only_what_starts_as_it_does(pattern, names):
    paths = [name.strip("/") for name in names if name.strip("/")]
    start = literal_start(pattern)
    if valid(pattern) == "":
        assert not [
            path
            for path in paths
            if matching(pattern, [path]) and not path.startswith(start)
        ]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from([*ODD, "pass", "pw", "encryption", "auth", "x"])))
def test_names_are_found_around_stems_as_in_the_whole_text(parts):
    lower = "".join(parts).lower()
    everywhere = [m.span() for m in secret_contexts._HINT.finditer(lower)]
    assert [m.span() for m in secret_contexts._hints(lower)] == everywhere


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from([*ODD, "secret", "=", "pwd", "abc", "9x!"])))
def test_what_cannot_be_made_up_holds_no_value(parts):
    text = "".join(parts)
    if not secret_contexts.may_be_made_up(text):
        assert not list(secret_contexts.given(text))
