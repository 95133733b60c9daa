"""Nothing that is printed steers the terminal, and columns stand below each other."""

import io
import sys

import pytest

from git_intent.cli import output
from tests.support.snapshots import requirement

EVIL = "a\x1b[2Jb\x07c\x08d\re\x9bf\u202eg\u2066h\u2028i\U000e0041j\x7f"


class Terminal(io.TextIOWrapper):
    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8")

    def isatty(self):
        return True

    @property
    def shown(self):
        return self.buffer.getvalue().decode()


@pytest.mark.parametrize("say", [output.say, output.note, output.error])
def test_controls_are_shown_and_not_sent(capsys, say):
    say(EVIL)
    said = "".join(capsys.readouterr())
    assert said.isprintable() or said.rstrip("\n").isprintable()
    assert "\\x1b[2J" in said
    assert "\\u202e" in said


def test_letters_of_every_script_pass(capsys):
    text = "Überall می‌روم 👩‍👩‍👧 漢字 e\u0301"
    output.say(text)
    assert capsys.readouterr().out == text + "\n"


def test_bytes_that_are_no_text_pass_unless_they_are_controls(capfdbinary):
    output.say("n\udce4me \udc9b")
    assert capfdbinary.readouterr().out == b"n\xe4me \\x9b\n"


def test_half_a_pair_is_shown(capsys):
    output.say("x\ud800y")
    assert capsys.readouterr().out == "x\\ud800y\n"


def test_a_cell_cannot_leave_its_row(capsys):
    output.table(["a", "b"], [["x\ny", "1\t2"], ["z" * 6, "3\r\n4"]])
    assert capsys.readouterr().out == (
        "A       B\nx\\ny    1\\t2\nzzzzzz  3\\x0d\\n4\n"
    )


def test_wide_and_combining_characters_keep_the_columns(capsys):
    output.table(["a", "b"], [["漢字", "1"], ["e\u0301", "2"], ["abcd", "3"]])
    assert capsys.readouterr().out == "A     B\n漢字  1\ne\u0301     2\nabcd  3\n"


def test_a_terminal_gets_rows_that_fit(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "60")
    output.table(["id", "text"], [["a", "word " * 1000], ["b", "漢" * 100]])
    head, long, wide = screen.shown.splitlines()
    assert head == "ID  TEXT"
    assert long.endswith("…")
    assert 50 < len(long) <= 60
    assert wide == "b   " + "漢" * 27 + "…"


def test_without_a_terminal_no_word_is_lost(repo, holds, intent):
    holds(requirement(statement="word " * 100 + "end."))
    assert intent("list").out.endswith("word end.\n")


def test_progress_is_drawn_on_a_terminal_only(monkeypatch, capsys):
    output.progress("extract …")
    assert "".join(capsys.readouterr()) == ""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    output.progress("evil \x1b[2J\n")
    output.progress("")
    assert screen.shown == "\r\x1b[Kevil \\x1b[2J\\n\r\x1b[K"


def test_what_a_file_says_cannot_steer_the_terminal(repo, holds, intent):
    holds(requirement(statement="Keep x."), commit=False)
    file = repo.store / "requirements/req-0001.md"
    file.write_bytes(file.read_bytes().replace(b"Keep x", b"Keep \x1b[2J\xe2\x80\xae"))
    for command in (["list"], ["show", "req-0001"], ["show", "nope-keep"]):
        done = intent(*command)
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err
    assert "Keep \\x1b[2J\\u202e." in intent("show", "req-0001").out


def test_what_an_argument_says_cannot_either(repo, intent):
    for command in (["show", "\x1b[2J"], ["\x1b[2J"], ["list", "-s", "\x1b[2J"]):
        done = intent(*command)
        assert done.code in (1, 2)
        assert "\x1b" not in done.err
