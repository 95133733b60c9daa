"""Which ledger a session writes to."""

import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.ledger import pins
from git_intent.ledger.pins import Pin

PIN = Pin("/home/of/chats", "team", "s-1")


def test_a_pin_leads_back(tmp_path):
    assert pins.write(str(tmp_path), "claude", "S/1", PIN) == PIN
    assert pins.read(str(tmp_path), "claude", "S/1") == PIN
    assert pins.read(str(tmp_path), "codex", "S/1") is None
    assert pins.read(str(tmp_path), "claude", "s/1") is None


def test_l128_a_pin_is_for_its_user_alone(tmp_path):
    before = os.umask(0)
    try:
        pins.write(str(tmp_path / "state"), "claude", "s", PIN)
    finally:
        os.umask(before)
    path = Path(pins.path_of(str(tmp_path / "state"), "claude", "s"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (tmp_path / "state").rglob("*/"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_first_pin_stands(tmp_path):
    pins.write(str(tmp_path), "claude", "s", PIN)
    other = Pin("/elsewhere", "team", "s-1")
    assert pins.write(str(tmp_path), "claude", "s", other) == PIN


def _pin(state, number):
    return pins.write(state, "claude", "s", Pin(f"/{number}", "team", "s")).home


def test_of_several_at_once_one_stands(tmp_path):
    with multiprocessing.get_context("fork").Pool(4) as pool:
        homes = pool.starmap(_pin, [(str(tmp_path), n) for n in range(8)])
    assert len(set(homes)) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"chat":"s-1","home":"/h"}',
        b'{"chat":"","home":"/h","namespace":"team"}',
        b'{"chat":7,"home":"/h","namespace":"team"}',
        b'{"chat":"s-1","home":null,"namespace":"team"}',
    ],
)
def test_one_that_cannot_be_read_counts_as_lost_and_is_replaced(tmp_path, data):
    path = Path(pins.path_of(str(tmp_path), "claude", "s"))
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert pins.read(str(tmp_path), "claude", "s") is None
    assert pins.write(str(tmp_path), "claude", "s", PIN) == PIN
    assert pins.read(str(tmp_path), "claude", "s") == PIN


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "pins").write_text("a file")
    with pytest.raises(IntentError, match="pins"):
        pins.write(str(tmp_path), "claude", "s", PIN)
