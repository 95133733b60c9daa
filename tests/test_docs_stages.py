"""docs/stages.svg and the examples of docs/injection.md are what the program does."""

import xml.etree.ElementTree as ElementTree

import pytest

from tools import gen_stages

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def made():
    return gen_stages.pages()


@pytest.mark.parametrize("path", [gen_stages.PICTURE, gen_stages.PAGE])
def test_picture_and_examples_are_current(made, path):
    assert path.read_text(encoding="utf-8") == made[path], "run `make docs`"


def test_the_picture_shows_every_requirement_and_tells_it_in_words(made):
    root = ElementTree.fromstring(made[gen_stages.PICTURE])
    words = "".join(root.itertext())
    for rule in gen_stages.example_store.RULES:
        assert words.count(rule.id) == 2
    assert len(root.findall(f".//{SVG}circle")) == 3 * 8 + 1
    assert root.get("role") == "img"
    assert not root.findall(f".//{SVG}script")


def test_the_examples_are_printed_by_the_commands(made):
    page = made[gen_stages.PAGE]
    assert page.count("```console\n$ git intent ") == 4
    assert "\n- [req-4d55] (versioning) Never bump the major version" in page
    assert "\nyes  req-4d55  semantic  " in page


def test_checking_writes_nothing_and_names_what_is_old(
    tmp_path, monkeypatch, capsys, made
):
    monkeypatch.setattr(
        gen_stages,
        "pages",
        lambda: {tmp_path / path.name: text for path, text in made.items()},
    )
    monkeypatch.setattr("sys.argv", ["gen_stages.py", "--check"])
    assert gen_stages.main() == 1
    assert "stages.svg, injection.md" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("sys.argv", ["gen_stages.py"])
    assert gen_stages.main() == 0
    monkeypatch.setattr("sys.argv", ["gen_stages.py", "--check"])
    assert gen_stages.main() == 0
