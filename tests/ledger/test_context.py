"""The compact context: bounded, pointer first, and known again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.hosts.own_text import spans
from git_intent.ledger import briefing, context
from git_intent.ledger.context import ABOUT, END, Speaker
from git_intent.ledger.frontier import Frontier
from git_intent.ledger.wording import path_line, shell, visible

POINTER = "/home/user/my project/.git/intent/ledger/team/s-1/objective.txt"


def source(number: int) -> dict:
    return {
        "id": f"src-{number:032x}",
        "at": "2026-01-02T03:04:05.678Z",
        "bytes": 1000 + number,
        "text": "SECRET WORDS OF A PROMPT",
    }


def view(sources=0, actions=0, effects=0, gaps=0, work=0, **more) -> dict:
    return {
        "status": "LIVE",
        "pending_sources": [source(n) for n in range(sources)],
        "pending_actions": [{"id": f"act-{n}"} for n in range(actions)],
        "unknown_effects": [{"id": f"act-{900 + n}"} for n in range(effects)],
        "gaps": [
            {"id": f"gap-{n:032x}", "state": "OPEN", "bytes": None} for n in range(gaps)
        ],
        "next_work": {"contract": "h", "items": ["SECRET WORK"] * work},
        "contract_hash": "h",
        **more,
    }


def told(found, limit, pointer=POINTER, session="s-1", dead="", notes=()):
    speaker = Speaker("claude", session)
    sections = briefing.sections(speaker, Frontier(found), dead, notes)
    return context.render(pointer, sections, limit, speaker.command("show"))


@pytest.mark.parametrize("limit", [512, 2000, 9500])
@pytest.mark.parametrize("counts", [{}, {"sources": 40, "actions": 15, "effects": 15}])
def test_l122_within_the_bound_with_the_pointer_whole_and_first(limit, counts):
    text = told(view(**counts), limit)
    assert len(text.encode("utf-8")) <= limit
    assert text.splitlines()[0] == POINTER
    assert text.splitlines()[-1] == END
    if counts:
        assert "40 prompts" in text
        assert source(0)["id"] in text
        assert "classify-source --host claude --session s-1" in text


@given(
    st.integers(512, 3000),
    st.text(max_size=120),
    st.text(min_size=1, max_size=66),
    st.fixed_dictionaries(
        {},
        optional={
            name: st.integers(0, 50)
            for name in ("sources", "actions", "effects", "gaps", "work")
        },
    ),
    st.booleans(),
)
def test_l122_whatever_there_is_to_say(limit, pointer, session, counts, dead):
    note = ["a note about the route " * 8]
    text = told(view(**counts), limit, f"/{pointer}", session, "f" * 64 * dead, note)
    assert len(text.encode("utf-8")) <= limit
    assert text == told(
        view(**counts), limit, f"/{pointer}", session, "f" * 64 * dead, note
    )
    assert text.split("\n")[-1] == END
    assert "SECRET" not in text


def test_l025_every_kind_is_followed_by_the_command_that_settles_it():
    lines = told(view(sources=1, gaps=1, actions=1, effects=1), 4000).splitlines()
    for command in (
        *("classify-source", "dispose-source", "dispose-gap", "action-finish"),
        "reconcile-effect",
    ):
        assert f"  git intent ledger {command} --host claude --session s-1" in lines


def test_l122_what_is_left_out_is_counted():
    text = told(view(sources=40), 800)
    named = sum(source(n)["id"] in text for n in range(40))
    assert 0 < named < 40
    assert [source(n)["id"] in text for n in range(named)] == [True] * named
    omitted = int(text.split("(+")[1].split(" ")[0])
    assert omitted >= 40 - named


def test_l122_a_pointer_that_does_not_fit_gives_way_to_the_command():
    text = told(view(sources=1), 512, "/" + "x" * 600)
    assert text.splitlines()[0] == (
        "git intent ledger show --host claude --session s-1"
    )


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/a b/é/objective.txt", "/a b/é/objective.txt"),
        ("/a\nb/objective.txt", r"$'/a\x0ab/objective.txt'"),
        ("/\u202e/x", r"$'/\xe2\x80\xae/x'"),
    ],
)
def test_l116_a_path_is_one_line(path, line):
    assert path_line(path) == line
    assert told(view(), 2000, path).splitlines()[0] == line


@given(st.text(min_size=1, max_size=20))
def test_a_word_for_the_shell_is_one_line(text):
    word = shell(text)
    assert visible(word) == word
    assert "\n" not in word


def test_l121_a_dead_owner_is_told_with_the_exact_hash():
    text = told(view(), 2000, dead="a" * 64)
    line = f"recover-lock --sha256 {'a' * 64} --host claude --session s-1"
    assert line in text


def test_l021_next_work_shows_as_held_and_never_in_words():
    assert "Next work (3) is held" in told(view(sources=1, work=3), 2000)
    free = told(view(work=3), 2000)
    assert "Next work of the current contract: 3" in free
    older = view(work=3) | {"contract_hash": "another"}
    assert "Next work" not in told(older, 2000)


def test_a_spooled_prompt_counts_once():
    found = view(sources=1, recent=["src-" + "9" * 32])
    spooled = [
        {"id": source(0)["id"], "kind": "prompt"},
        {"id": "src-" + "9" * 32, "kind": "prompt"},
        {"id": "src-" + "8" * 32, "kind": "prompt"},
        {"id": "gap-" + "7" * 32, "kind": "gap"},
    ]
    frontier = Frontier(found, spooled)
    names = [record["id"] for record in frontier.sources]
    assert names == [source(0)["id"], "src-" + "8" * 32]
    assert [gap["id"] for gap in frontier.gaps] == ["gap-" + "7" * 32]


def test_our_context_is_known_again_in_a_prompt():
    text = told(view(sources=3), 2000)
    prompt = f"<x>\n{text}\n</x>\n\nthe é real one {ABOUT}"
    ((start, end),) = spans(prompt)
    assert prompt.encode()[start:end].decode() == text
