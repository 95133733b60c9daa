"""Reasons of refusals: a closed list, each with what to do."""

import ast
from pathlib import Path

import git_intent
from git_intent.ledger.refusal import CODES, Corrupt, Newer, Refusal

ROOM = Path(git_intent.__file__).parent


def used() -> dict[str, str]:
    """Each code that is given to a Refusal in the package, and where."""
    found = {}
    for path in sorted(ROOM.rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text if "Refusal(" in text else "")):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Refusal"
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and isinstance(node.args[0].value, str)
            ):
                found[node.args[0].value] = f"{path.name}:{node.lineno}"
    return found


def test_l079_every_code_is_in_the_list():
    assert set(used()) <= set(CODES)


def test_l079_every_code_says_what_it_means_and_what_to_do():
    for code, (meaning, remedy) in CODES.items():
        assert code == code.lower()
        assert meaning
        assert remedy
        assert Refusal(code, "/a", "words").hint == remedy


def test_a_refusal_is_lossless_json():
    refusal = Refusal("gap-open", "/a", "words", "do it", ["gap-1"])
    assert refusal.as_json() == {
        "code": "gap-open",
        "pointer": "/a",
        "message": "words",
        "hint": "do it",
        "ids": ["gap-1"],
    }
    assert refusal.exit_code == 1


def test_damage_and_newer_lines_carry_their_number():
    assert Corrupt(7, "torn").as_json()["code"] == "ledger-corrupt"
    assert Newer(7, "version 2").message == (
        "event 7: version 2: written by a newer version"
    )
