"""Documentation out of source distributions, and the statements chosen from it."""

import io
import json
import subprocess
import tarfile

import pytest

from tools import package_texts
from tools.package_texts import fetch, group, keep, pinned, statements_of


def archive(path, files):
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            data = text.encode()
            info = tarfile.TarInfo(f"thing-1.0/{name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def kept(tmp_path, files):
    path = tmp_path / "thing==1.0.json"
    keep(archive(tmp_path / "thing-1.0.tar.gz", files), path)
    return path


def test_only_documentation_is_kept(tmp_path):
    files = {
        "README.md": "# Thing\n",
        "docs/contributing.rst": "Use tabs.\n",
        "src/thing.py": "x = 1\n",
        "LICENSE.txt": "You may not.\n",
        "tests/data/README.md": "No.\n",
        "thing.egg-info/SOURCES.txt": "a\n",
        "setup": "binary",
    }
    pages = json.loads(kept(tmp_path, files).read_text(encoding="utf-8"))
    assert sorted(pages) == ["README.md", "docs/contributing.rst"]


def test_no_text_is_taken_twice_and_none_that_is_known(tmp_path):
    page = "Always use tabs here.\n\nNever push to main.\n\nThe tool has a part.\n"
    path = kept(tmp_path, {"CONTRIBUTING.md": page, "docs/a.md": page})
    found = statements_of([path], ["Never push to **main**!"])
    texts = [one.statement.text for one in found]
    assert texts == ["Always use tabs here.", "The tool has a part."]
    assert {(one.package, one.path) for one in found} == {
        ("thing==1.0", "CONTRIBUTING.md")
    }


def test_a_package_gives_no_more_than_its_share(tmp_path):
    lines = [f"The tool has a part number {n} in it.\n" for n in range(900)]
    files = {f"docs/page{i}.md": "\n".join(lines[i::9]) for i in range(9)}
    path = kept(tmp_path, files)
    first = statements_of([path])
    assert len(first) == group("docs/page1.md")[1] < 900
    assert first == statements_of([path])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("AGENTS.md", "agent"),
        ("docs/contributing.rst", "process"),
        ("NEWS.rst", "changelog"),
        ("README.md", "readme"),
        ("docs/start.md", "docs"),
    ],
)
def test_the_name_of_a_page_tells_what_it_is_about(path, name):
    assert group(path)[0] == name


def test_what_cannot_be_fetched_is_told_and_left_out(tmp_path, monkeypatch, capsys):
    def fail(command, **_):
        return subprocess.CompletedProcess(command, 1, "", "ERROR: no such package\n")

    monkeypatch.setattr(package_texts.subprocess, "run", fail)
    (tmp_path / "here==1.json").write_text("{}", encoding="utf-8")
    found = fetch(["here==1", "gone==2"], tmp_path)
    assert found == [tmp_path / "here==1.json"]
    assert (
        "gone==2: cannot be fetched: ERROR: no such package" in capsys.readouterr().err
    )


def test_every_package_is_pinned_once():
    pins = pinned()
    names = [pin.partition("==")[0] for pin in pins]
    assert len(set(names)) == len(names) > 100
    assert all(pin.partition("==")[2] for pin in pins)
