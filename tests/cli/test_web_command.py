"""`git intent web` as a command: what it refuses, and how it opens a browser."""

import sys

import pytest

from git_intent.cli import main, web


def test_without_its_extra_it_says_what_to_install(repo, monkeypatch, capsys):
    monkeypatch.chdir(repo.path)
    known = web.find_spec
    monkeypatch.setattr(
        web, "find_spec", lambda n: known(n) if n != "uvicorn" else None
    )
    assert main.main(["web", "--no-open"]) == 1
    err = capsys.readouterr().err
    assert "uvicorn" in err
    assert "pip install 'git-intent[web]'" in err


@pytest.mark.parametrize("words", ["--port 70000", "--port x", "--host"])
def test_a_wrong_option_is_usage(repo, words):
    assert repo.intent("web", *words.split()).code == 2


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "x" * 300, "a\u2603"])
def test_an_address_that_is_not_ours_is_told(repo, host):
    done = repo.intent("web", "--no-open", "--host", host)
    assert (done.code, done.out) == (1, "")
    assert "Traceback" not in done.err


def test_outside_of_a_repository_it_says_so(tmp_path, repo):
    (tmp_path / "none").mkdir()
    done = repo.intent("web", "--no-open", cwd=tmp_path / "none")
    assert done.code == 1
    assert "git init" in done.err


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch):
    import webbrowser

    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert web.open_browser("http://127.0.0.1:1/") is None
    monkeypatch.setenv("BROWSER", "x")
    web.open_browser("http://127.0.0.1:1/").join()
    assert opened == ["http://127.0.0.1:1/"]
