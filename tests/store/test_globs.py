import pytest

from git_intent.store.globs import matches, matching, valid


@pytest.mark.parametrize(
    ("patterns", "path", "expected"),
    [
        (["*.py"], "a.py", True),
        (["*.py"], "src/deep/a.py", True),
        (["/*.py"], "src/a.py", False),
        (["src/*.py"], "src/a.py", True),
        (["src/*.py"], "src/deep/a.py", False),
        (["src/*.py"], "lib/src/a.py", False),
        (["src/**/*.py"], "src/a.py", True),
        (["src/**/*.py"], "src/x/y/a.py", True),
        (["**/x"], "x", True),
        (["**/x"], "a/b/x", True),
        (["src"], "src/a/b.py", True),
        (["src/"], "src/a/b.py", True),
        (["src/**"], "src/a/b.py", True),
        (["src/**"], "src", False),
        (["internal/ver"], "internal/version/a.go", False),
        (["./src/**"], "src/a.py", True),
        (["src/**"], "./src/a.py", True),
        (["SRC/**"], "src/a.py", False),
        (["docs/plans/*release*"], "docs/plans/2026-release-1.md", True),
        (["src/**", "!src/gen/**"], "src/gen/a.py", False),
        (["src/**", "!src/gen/**"], "src/a.py", True),
        (["!src/gen/**", "src/**"], "src/gen/a.py", True),
        (["!src/**"], "lib/a.py", False),
        (["a?c"], "abc", True),
        (["a?c"], "a/c", False),
        (["[ab].txt"], "b.txt", True),
        (["{{cookiecutter.name}}/**"], "{{cookiecutter.name}}/a", True),
        (["[z-a]", "src/**"], "src/a", True),
        ([], "a", False),
    ],
)
def test_patterns_mean_what_they_mean_in_gitignore(patterns, path, expected):
    assert matches(patterns, path) is expected


@pytest.mark.parametrize(
    "pattern",
    ["*", "**", "*.py", "/a", "a/", "!a", "a b", "a[0-9]", "\\#a", "\\!a", "./a"],
)
def test_these_are_patterns(pattern):
    assert valid(pattern) == ""


@pytest.mark.parametrize(
    "pattern",
    ["", " ", "#a", "!", "/", "[", "a[z-a]", "a\\b", "../a", "a/../b", "{a,b}", "a\\"],
)
def test_these_are_none(pattern):
    assert valid(pattern)


def test_one_pattern_is_tried_against_many_paths():
    assert matching("src/", ["a", "src/b"])
    assert matching("!src/", ["a", "src/b"])
    assert not matching("lib/", ["a", "src/b"])
    assert not matching("[z-a]", ["z"])
