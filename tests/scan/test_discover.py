"""Domains are proposed from paths and headings, once, and never against a person."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.scan.components import components, kebab
from git_intent.scan.discover import MOST, hand_made, headings_of, propose
from git_intent.store import globs
from git_intent.store.domains import (
    NAME,
    Domain,
    Domains,
    parse_domains,
    render_domains,
)

PYTHON = [
    "README.md",
    "CHANGELOG.md",
    "pyproject.toml",
    "docs/index.md",
    ".github/workflows/ci.yml",
    "src/shop/__init__.py",
    "src/shop/cart/__init__.py",
    "src/shop/cart/total.py",
    "src/shop/billing/invoice.py",
    "src/shop/billing/tax.py",
    "src/shop/cli/main.py",
    "src/shop/cli/output.py",
    "src/shop/lonely/one.py",
    "tests/test_cart.py",
    "tests/conftest.py",
    "node_modules/x/index.js",
    "node_modules/x/other.js",
]
GO = [
    "go.mod",
    "cmd/tool/main.go",
    "cmd/other/main.go",
    "internal/version/version.go",
    "internal/version/bump.go",
    "internal/store/store.go",
    "internal/store/store_test.go",
    "internal/store/index.go",
]
MONOREPO = [
    "package.json",
    "packages/ui/package.json",
    "packages/ui/src/button.tsx",
    "packages/ui/src/input.tsx",
    "packages/api/package.json",
    "packages/api/src/server.ts",
    "apps/web/package.json",
    "apps/web/src/page.tsx",
]
THESIS = ["thesis/intro.tex", "thesis/end.tex", "slides/one.tex", "slides/two.tex"]
JAVA = [f"app/src/main/java/com/acme/app/{p}/{c}.java" for p in "ab" for c in "XYZ"]


def proposed(paths, headings=None, existing=(), removed=()):
    return propose(paths, headings or {}, Domains(1, tuple(existing)), removed)


def names(domains):
    return [domain.name for domain in domains]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (
            PYTHON,
            "testing changelog documentation ci build billing cart cli".split(),
        ),
        (GO, "testing build cli store version".split()),
        (MONOREPO, "build api ui web".split()),
        (JAVA, "a b".split()),
        (THESIS, "slides thesis".split()),
        ([], []),
        (["logo.png", "data/model.bin", "photos/a.jpg"], []),
    ],
)
def test_n057_an_ordinary_project_gets_its_usual_domains(paths, expected):
    assert names(proposed(paths)) == expected


@pytest.mark.parametrize("paths", [PYTHON, GO, MONOREPO, JAVA])
def test_n057_names_are_kebab_and_globs_match_tracked_files(paths):
    for domain in proposed(paths):
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", domain.name)
        assert domain.description.endswith(".")
        assert "\n" not in domain.description
        assert domain.paths
        for pattern in domain.paths:
            assert globs.valid(pattern) == ""
            assert globs.matching(pattern, paths)


@pytest.mark.parametrize("paths", [PYTHON, GO, MONOREPO, JAVA])
def test_n057_a_second_look_adds_nothing(paths):
    first = proposed(paths)
    assert proposed(list(reversed(paths)), existing=first) == []


def test_n057_thirty_folders_give_at_most_twenty_domains():
    paths = [f"part{n:02}/{name}.py" for n in range(30) for name in ("a", "b", "c")]
    paths += [f"part07/more{n}.py" for n in range(5)]
    first = proposed(paths)
    assert len(first) == MOST
    assert "part07" in names(first)
    assert proposed(paths, existing=first) == []


def test_thirty_folders_with_a_single_file_each_are_parts_as_well():
    assert len(proposed([f"part{n:02}/a.py" for n in range(30)])) == MOST


def test_headings_bring_topics_that_files_do_not_show():
    headings = {"CONTRIBUTING.md": ["Commit messages", "Code review"]}
    found = {d.name: d for d in proposed(["CONTRIBUTING.md"], headings)}
    assert "code-review" in found
    # a document that speaks of commits is not where commits are made
    assert found["commits"].paths == ()


def test_n045_what_stands_is_neither_repeated_nor_changed():
    own = Domain("testing", "Ours.", ("checks/**",), user_edited=True)
    other = Domain("pages", "Theirs.", ("docs/**",))
    found = proposed(PYTHON, existing=[own, other])
    assert "testing" not in names(found)
    assert own not in found
    assert other not in found


def test_an_area_that_is_covered_under_another_name_is_not_proposed():
    mine = Domain("baskets", "", ("src/shop/cart/**",))
    assert "cart" not in names(proposed(PYTHON, existing=[mine]))


def test_n046_an_entry_that_was_removed_is_not_proposed_again():
    assert "ci" not in names(proposed(PYTHON, removed=["ci"]))


def test_n046_entries_no_scan_left_so_are_hand_made():
    scan = Domain("ci", "Continuous integration.", (".ci/**",))
    edited = Domain("ci", "Our pipeline.", (".ci/**",))
    marked = Domain("docs", "Ours.", ("docs/**",), user_edited=True)
    own = Domain("mine", "By hand.", ("x/**",))
    assert hand_made(Domains(1, (scan, marked)), [scan]) == []
    assert hand_made(Domains(1, (edited, marked, own)), [scan]) == ["ci", "mine"]


def test_names_of_equal_folders_tell_their_parents():
    paths = [f"{top}/src/core/{n}.rs" for top in ("one", "two") for n in "ab"]
    paths += ["one/Cargo.toml", "two/Cargo.toml"]
    assert [c.name for c in components(paths)] == ["one", "two"]
    flat = [f"src/{top}/core/{n}.rs" for top in ("lib", "app") for n in "ab"]
    assert sorted(c.name for c in components(flat)) == ["app", "core"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("HTTPServer_v2", "http-server-v2"),
        ("camelCase", "camel-case"),
        ("with space", "with-space"),
        ("__init__", "init"),
        ("größe", "gr-e"),
        ("日本", ""),
    ],
)
def test_kebab(name, expected):
    assert kebab(name) == expected


def test_a_folder_with_marks_of_a_pattern_is_matched_literally():
    paths = ["src/[id]/a.ts", "src/[id]/b.ts", "src/x/a.ts", "src/x/b.ts"]
    for domain in proposed(paths):
        matched = [p for p in paths if globs.matches(domain.paths, p)]
        assert len(matched) == 2


def test_headings_of_a_document():
    text = "# One\n\nTwo\n===\n\n```sh\n# no\n```\n\n## Three ##\n\n##### deep\n\n---\n"
    assert headings_of(text) == ["One", "Two", "Three"]


def test_a_large_tree_is_looked_through():
    paths = [f"src/area{n % 50}/deep{n % 7}/file{n}.c" for n in range(10_000)]
    assert len(proposed(paths)) == MOST


FOLDERS = st.sampled_from(
    "src lib app internal cmd core Web-UI tests docs x_y [id] {a} größe api v1".split()
)
FILES = st.sampled_from(
    "a.py b.py main.go go.mod README.md x.bin i.ts package.json".split()
)
PATHS = st.lists(
    st.tuples(st.lists(FOLDERS, max_size=4), FILES).map(
        lambda p: "/".join([*p[0], p[1]])
    ),
    max_size=40,
    unique=True,
)


@given(PATHS, st.lists(st.sampled_from(["Testing", "Release", "API"]), max_size=2))
@settings(max_examples=40, deadline=None)
def test_n057_any_tree_gives_a_map_that_is_valid_and_stable(paths, found):
    headings = {path: found for path in paths if path.endswith(".md")}
    first = proposed(paths, headings)
    assert len(first) <= MOST
    assert len(set(names(first))) == len(first)
    for domain in first:
        assert NAME.fullmatch(domain.name)
        assert all(globs.matching(pattern, paths) for pattern in domain.paths)
    assert proposed(paths, headings, existing=first) == []
    data = render_domains(Domains(1, tuple(first)))
    assert parse_domains(data, "domains.yaml").domains == tuple(first)
