"""Secrets in output that arrives in pieces."""

import random

import pytest

from git_intent.secrets import REMOVED
from git_intent.workflow.masking import BOUND, Masked

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "MIIEpAIBAAKCAQEA7bqZ0a9d8s7f6g5h4j3k2l1m0n9b8v7c6x5z4a3s2d1f0g9h\n" * 20
    + "-----END RSA PRIVATE KEY-----\n"
)


class Sink:
    def __init__(self) -> None:
        self.data = b""
        self.masked = Masked(self.write)

    def write(self, data: bytes) -> None:
        self.data += data

    def feed(self, *pieces: str) -> "Sink":
        for piece in pieces:
            self.masked.feed(piece.encode())
        return self

    def all(self) -> str:
        self.masked.close()
        return self.data.decode("utf-8", "surrogateescape")


def test_what_holds_no_secret_comes_through_byte_for_byte():
    data = bytes(range(256)) * 500
    sink = Sink()
    for at in range(0, len(data), 777):
        sink.masked.feed(data[at : at + 777])
    sink.masked.close()
    assert sink.data == data


@pytest.mark.parametrize("cut", range(1, len(TOKEN)))
def test_a_secret_that_is_cut_in_two_is_masked(cut: int):
    sink = Sink().feed("before\n", f"x {TOKEN[:cut]}")
    sink.masked.idle()
    assert sink.feed(f"{TOKEN[cut:]} y\n").all() == f"before\nx {REMOVED} y\n"


def test_a_secret_in_single_bytes_is_masked():
    assert Sink().feed(*f"token {TOKEN}\nnext\n").all() == f"token {REMOVED}\nnext\n"


def test_a_secret_that_a_line_break_cuts_is_masked():
    pieces = f'key = "{TOKEN[:20]}" +\n', f'  "{TOKEN[20:]}"\n'
    assert TOKEN[20:] not in Sink().feed(*pieces).all()
    sink = Sink().feed(pieces[0])
    sink.masked.idle()
    assert TOKEN[20:] not in sink.feed(pieces[1]).all()


def test_a_private_key_that_comes_line_by_line_is_masked():
    sink = Sink().feed("here:\n")
    for line in KEY.splitlines(keepends=True):
        sink.feed(line)
        sink.masked.idle()
    assert sink.feed("end\n").all() == f"here:\n{REMOVED}\nend\n"


def test_a_key_that_never_ends_is_not_held_for_ever():
    sink = Sink().feed("-----BEGIN RSA PRIVATE KEY-----\n", "x y z\n" * BOUND)
    assert len(sink.data) > BOUND


def test_whole_lines_are_passed_on_in_a_moment_of_silence():
    sink = Sink().feed("one\ntwo\nthr")
    assert sink.data == b"one\n"
    sink.masked.idle()
    assert sink.data == b"one\ntwo\n"
    assert sink.all() == "one\ntwo\nthr"


def test_a_line_without_end_is_held_to_a_bound_and_cut_at_no_secret():
    rng = random.Random(7)
    sink, wanted = Sink(), ""
    for _ in range(40):
        filler = "word " * rng.randrange(1, 3000)
        sink.feed(filler, TOKEN[:11], TOKEN[11:], " ")
        wanted += f"{filler}{REMOVED} "
        assert len(sink.masked._held) <= BOUND
    assert sink.all() == wanted
