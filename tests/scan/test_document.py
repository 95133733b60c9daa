"""Documents, commit messages and prompts to statements in their place."""

from pathlib import Path

import pytest

from git_intent.scan.document import LONG_ITEM, statements
from git_intent.scan.statement import Segment

GUIDE = """\
# Guide

Intro one. Intro two
goes on:

- First rule.
- Second:
  - Nested rule.

| When | Then |
|------|------|
| Red  | Stop |

## Style

![badge](https://x/y.svg) [![b](z)](w)

Last words.
"""


def texts(text, path="CONTRIBUTING.md", mode="doc"):
    return [s.text for s in statements(text, path, mode)]


def test_every_statement_has_its_lines_headings_and_lead_in():
    found = {s.text: s for s in statements(GUIDE, "CONTRIBUTING.md")}
    assert list(found) == [
        "Intro one.",
        "Intro two goes on:",
        "First rule.",
        "Second:",
        "Nested rule.",
        "| Red | Stop |",
        "Last words.",
    ]
    intro = found["Intro two goes on:"]
    assert (intro.line, intro.end_line, intro.segment) == (3, 4, Segment.SENTENCE)
    assert found["First rule."].lead_in == "Intro two goes on:"
    assert found["Nested rule."].lead_in == "Second:"
    assert found["Nested rule."].depth == 2
    assert found["| Red | Stop |"].lead_in == "| When | Then |"
    assert found["| Red | Stop |"].segment is Segment.TABLE
    assert found["Last words."].headings == ("Guide", "Style")


def test_neighbours_stand_under_the_same_heading():
    found = statements(GUIDE, "CONTRIBUTING.md")
    assert found[1].previous == "Intro one."
    assert found[1].following == "First rule."
    assert (found[-1].previous, found[-1].following) == ("", "")


def test_a_fence_between_paragraph_and_list_takes_the_lead_in_away():
    found = statements("Run:\n\n```\nmake\n```\n\n- Test it.\n", "a.md")
    assert found[-1].lead_in == ""


def test_a_long_item_is_cut_into_its_sentences():
    sentence = "Keep every line of this file below the limit that we agreed upon. "
    text = "- " + sentence * (LONG_ITEM // len(sentence) + 1)
    found = statements(text, "a.md")
    assert {s.segment for s in found} == {Segment.BULLET_SENTENCE}
    assert {s.text for s in found} == {sentence.strip()}
    short = statements("- " + sentence * 2, "a.md")
    assert [s.segment for s in short] == [Segment.BULLET]


def test_check_boxes_anchors_and_call_out_marks_are_no_part_of_the_text():
    assert texts("Tick [x] when done.") == ["Tick [x] when done."]
    text = '- [ ] Sign it.\n- <a name="x"></a> Test it.\n\n> [!TIP]\n> Ask us.\n'
    assert texts(text) == ["Sign it.", "Test it.", "Ask us."]


def test_n071_fences_comments_and_indented_code_yield_no_statement():
    text = (
        "Real text.\n\n```sh\n# Always use tabs.\n```\n\n"
        "<!-- You must\nuse spaces. -->\n\n    Never use tabs.\n\n"
        "More <!-- never --> text.\n"
    )
    assert texts(text) == ["Real text.", "More text."]


def test_hard_line_breaks_end_a_sentence():
    assert texts("Use tabs  \nno spaces\\\nask first\n") == [
        "Use tabs",
        "no spaces",
        "ask first",
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.rst", "T\n=\n\nRun::\n\n  x = 1\n\nUse tabs.\n", ["Run:", "Use tabs."]),
        ("a.adoc", "== T\n\nUse tabs.\n", ["Use tabs."]),
        ("NOTES.txt", "RULES\n\n* Use tabs.\n", ["Use tabs."]),
        ("HACKING", "Rules\n-----\n\nUse tabs.\n", ["Use tabs."]),
        ("CONTRIBUTING", "# T\n\n- Use [tabs](x).\n", ["Use [tabs](x)."]),
        (".cursorrules", "# T\n\n- Use tabs.\n", ["Use tabs."]),
        ("a.mdc", "---\nglobs: x\n---\n- Use tabs.\n", ["Use tabs."]),
    ],
)
def test_the_name_of_the_file_chooses_the_parser(path, text, expected):
    assert texts(text, path) == expected


def test_byte_order_mark_and_carriage_returns_change_no_line_number():
    found = statements("\ufeff# T\r\n\r\nUse tabs.\r\nNo\r\nspaces.\r\n", "a.md")
    assert [(s.text, s.line, s.end_line) for s in found] == [
        ("Use tabs.", 3, 3),
        ("No spaces.", 4, 5),
    ]


def test_n097_other_scripts_are_kept_to_the_character():
    text = "Bitte immer ß prüfen.\n\n必ずテストを書く。\n\nاكتب الاختبارات دائمًا.\n"
    assert texts(text) == [
        "Bitte immer ß prüfen.",
        "必ずテストを書く。",
        "اكتب الاختبارات دائمًا.",
    ]


def test_a_commit_is_subject_and_body_without_trailers():
    message = (
        "Parse faster\n\nFrom now on, fuzz every\nparser. It pays.\n\n- One.\n\n"
        "Fixes: #12\nSigned-off-by: A B <a@example.invalid>\n"
    )
    found = statements(message, "x", "commit")
    assert [(s.text, s.line, s.headings) for s in found] == [
        ("Parse faster", 1, ()),
        ("From now on, fuzz every parser.", 3, ("Parse faster",)),
        ("It pays.", 4, ("Parse faster",)),
        ("One.", 6, ("Parse faster",)),
    ]


def test_a_last_paragraph_with_a_colon_is_no_trailer():
    assert texts("A\n\nNote: never do this again.\n", "x", "commit")[-1] == (
        "Note: never do this again."
    )


def test_several_commits_in_one_text_do_not_know_each_other():
    text = "## commit abcd1234\n\nOne\n\nbody a\n\n## commit abcd1235\n\nTwo\n"
    found = statements(text, "x", "commit")
    assert [(s.text, s.line, s.previous) for s in found] == [
        ("One", 3, ""),
        ("body a", 5, ""),
        ("Two", 9, ""),
    ]


def test_a_prompt_is_read_line_by_line_and_by_casual_sentences():
    text = "fix it\nno globals. ever\n```\nalways = 1\n```\n> quoted rule\n- item one\n"
    found = statements(text, "x", "prompt")
    assert [(s.text, s.line, s.quoted) for s in found] == [
        ("fix it", 1, False),
        ("no globals.", 2, False),
        ("ever", 2, False),
        ("quoted rule", 6, True),
        ("item one", 7, False),
    ]


def test_turns_of_a_conversation_are_apart():
    text = "# Chat\n\n## user turn 1\n\nfix it\n\n## user turn 2\n\nnow test it\n"
    found = statements(text, "x", "prompt")
    assert [(s.text, s.line, s.previous) for s in found] == [
        ("fix it", 5, ""),
        ("now test it", 9, ""),
    ]


@pytest.mark.parametrize("mode", ["doc", "commit", "prompt"])
@pytest.mark.parametrize("text", ["", "\n\n", "   ", "```", "---\n", "![x](y)", "- "])
def test_nothing_said_is_no_statement(text, mode):
    assert statements(text, "a.md", mode) == []


def test_our_own_documents_are_cut_with_lines_that_hold_their_words():
    root = Path(__file__).parents[2]
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        for s in statements(text, path.name):
            where = " ".join(lines[s.line - 1 : s.end_line])
            assert s.text.split()[0] in where, (path, s)
            assert s.text.split()[-1] in where, (path, s)


def test_a_very_long_document_takes_memory_and_time_in_proportion():
    lines = "- Use tabs.\n> quoted\n\n| a | b |\n|---|---|\n| c | d |\n\n"
    few = len(statements(lines * 10, "a.md"))
    many = len(statements(lines * 4_000, "a.md"))
    assert many == few * 400


HOSTILE = (
    "> ",
    "- ",
    "[",
    "`",
    "``` ",
    "<",
    "<a ",
    "<img ",
    "<!-- ",
    "![",
    "](",
    "*",
    ".",
    "(",
    "A. ",
    "a-",
    "  ",
    "。",
    "e.g. ",
    "| ",
    "= ",
    ":a",
    "1",
)


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.adoc", "a.txt"])
def test_no_line_of_one_piece_takes_more_than_linear_time(piece, path):
    statements("Fixes " + piece * (200_000 // len(piece)) + "x\n", path)


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("mode", ["commit", "prompt"])
def test_nor_does_such_a_message(piece, mode):
    line = "Fixes " + piece * (100_000 // len(piece)) + "x\n"
    statements(f"subject\n\n{line}", "x", mode)


def test_numbered_anchors_are_no_part_of_a_statement():
    text = '<a name="2.1"></a>\n\n- [2.1](#names) Keep names short.\n'
    (found,) = statements(text, "a.md")
    assert (found.text, found.lead_in, found.line) == ("Keep names short.", "", 3)
    assert texts("See [2.1](#names) first.", "a.md") == ["See [2.1](#names) first."]


@pytest.mark.parametrize(
    "badges",
    [
        "[![Build](https://x/y.svg)](https://x) ",
        "![Build](b.svg) ![Docs](d.svg) ",
        "[![Build](b.svg)](x)[![Docs](d.svg)](y)\n",
    ],
)
def test_badges_before_a_sentence_are_no_part_of_it(badges):
    (found,) = statements(f"# Rules\n\n{badges}Never skip a test.\n", "a.md")
    assert found.text == "Never skip a test."


def test_many_badges_take_no_long_time():
    text = "[![" * 20_000 + "![a](b " * 20_000
    assert len(statements(text, "a.md")) <= 1
