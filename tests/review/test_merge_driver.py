"""The merge driver as real git runs it, and clones that do not have it."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from git_intent.review.merge_markers import sides
from git_intent.store.field_editor import set_fields
from git_intent.store.intent_dir import load_store, read_snapshot, requirement_path
from git_intent.store.requirement import Scope, Status
from git_intent.store.requirement_file import parse_requirement, render_requirement
from git_intent.store.rules import Actor, judge
from git_intent.store.scan_state import parse_scan_state
from tests.support.merging import branches, held, merge, put, register
from tests.support.repo import _SOURCE
from tests.support.scanning import scan
from tests.support.snapshots import T1, T2, disabled, requirement, superseded

ONE = requirement("req-0001")
PATH = requirement_path("req-0001")


@pytest.fixture
def driven(repo):
    register(repo)
    return repo


def test_two_branches_that_each_changed_something(driven):
    ours = replace(ONE, statement="Other words.", updated=T1, user_edited=True)
    branches(
        driven,
        lambda: put(driven, ONE),
        lambda: put(driven, ours),
        lambda: put(driven, disabled("req-0001", hints=("a",), updated=T2)),
    )
    clean, said = merge(driven)
    assert clean, said
    assert held(driven) == replace(
        ours, status=Status.DISABLED, hints=("a",), updated=T2
    )
    assert driven.status() == ""


@pytest.mark.parametrize("swapped", [False, True])
def test_n048_disabled_wins_in_both_directions_and_it_is_said(driven, swapped):
    two = requirement("req-0002")
    sides = [
        lambda: put(driven, disabled("req-0001", updated=T1)),
        lambda: put(driven, superseded("req-0001", "req-0002", updated=T2)),
    ]
    branches(driven, lambda: put(driven, ONE, two), *sides[:: -1 if swapped else 1])
    before = [tree(driven, rev) for rev in ("main", "topic")]
    clean, said = merge(driven)
    assert clean, said
    assert "note: req-0001: disabled on one side, superseded by req-0002" in said
    assert held(driven) == disabled("req-0001", updated=T2)
    for actor in Actor:
        assert judge(before, read_snapshot(driven.path), actor) == []


def tree(repo, rev):
    names = repo.git("ls-tree", "-r", "--name-only", rev, "--", ".cloche").split("\n")
    return {name: repo.git("show", f"{rev}:{name}").encode() + b"\n" for name in names}


@pytest.mark.parametrize("swapped", [False, True])
def test_n008_the_same_statement_on_two_branches_is_one_file(driven, swapped):
    earlier = replace(ONE, hints=("b", "c"), updated=T2)
    later = requirement(
        "req-0001",
        hints=("a",),
        created=T1,
        updated=T1,
        provenance=replace(ONE.provenance, ref="b.md", extracted_at=T1),
    )
    sides = [lambda: put(driven, earlier), lambda: put(driven, later)]
    branches(
        driven,
        lambda: put(driven, requirement("req-0002")),
        *sides[:: -1 if swapped else 1],
    )
    clean, said = merge(driven)
    assert clean, said
    assert held(driven) == replace(earlier, hints=("a", "b", "c"))


@pytest.mark.parametrize("swapped", [False, True])
def test_two_statements_under_one_id_are_a_conflict_that_loses_nothing(driven, swapped):
    pair = [replace(ONE, statement=text) for text in ("One thing.", "Another.")]
    files = pair[:: -1 if swapped else 1]
    branches(
        driven,
        lambda: put(driven, requirement("req-0002")),
        lambda: put(driven, files[0]),
        lambda: put(driven, files[1]),
    )
    clean, said = merge(driven)
    assert not clean
    assert f"{PATH}:1:1: I006 two different requirements under one id" in said
    both = sides(driven.read(PATH))
    read = [parse_requirement(data, PATH) for data in (both.ours, both.theirs)]
    assert read == files
    checked = driven.intent("check")
    assert checked.code == 1
    assert f"{PATH}:1:1: I006" in checked.out + checked.err


def test_n067_both_branches_scanned_and_the_merge_reads_nothing_twice(driven):
    driven.commit("a", **{"README.md": "Rule: all.\n", ".cloche/config.toml": ""})
    scan(driven.path)
    driven.git("checkout", "-q", "-b", "topic")
    driven.commit("b", **{"docs/t.md": "Rule: theirs.\n"})
    scan(driven.path)
    driven.git("checkout", "-q", "main")
    driven.commit("c", **{"docs/o.md": "Rule: ours.\n"})
    scan(driven.path)
    clean, said = merge(driven)
    assert clean, said
    states = parse_scan_state(driven.read(".cloche/intent/scan-state.yaml"), "x")
    assert set(states.get().scanned_docs) == {"README.md", "docs/t.md", "docs/o.md"}
    said = {one.statement for one in store(driven).values()}
    assert said == {"Rule: all.", "Rule: ours.", "Rule: theirs."}
    scan(driven.path)
    assert {one.statement for one in store(driven).values()} == said
    assert driven.intent("check").code == 0


def store(repo):
    return load_store(read_snapshot(repo.path)).requirements


def test_the_cursor_becomes_the_descendant_of_the_two_else_ours(driven):
    first = driven.commit("one")
    second = driven.commit("two")

    def state(commit, docs):
        lines = "".join(f"  {name}: {digest * 64}\n" for name, digest in docs.items())
        docs = f"scanned_docs:\n{lines}" if lines else ""
        return f"last_commit: {commit}\nscanned_runs:\n  - {docs and 'b'}\n{docs}"

    branches(
        driven,
        lambda: put(driven, scan_state=state(first, {"a.md": "a", "b.md": "a"})),
        lambda: put(driven, scan_state=state(first, {"a.md": "b", "b.md": "b"})),
        lambda: put(driven, scan_state=state(second, {"b.md": "c", "c.md": "c"})),
    )
    clean, said = merge(driven)
    assert clean, said
    merged = parse_scan_state(driven.read(".cloche/intent/scan-state.yaml"), "x").get()
    assert merged.last_commit == second
    assert merged.scanned_docs == {"a.md": "b" * 64, "c.md": "c" * 64}


def test_domains_are_merged_entry_by_entry(driven):
    head = "version: 1\ndomains:\n"
    branches(
        driven,
        lambda: put(driven, domains=head + "  - name: api\n    description: One.\n"),
        lambda: put(
            driven,
            domains=head
            + "  - name: api\n    description: One.\n"
            + "  - name: web # ours\n    description: Pages.\n",
        ),
        lambda: put(
            driven,
            domains=head
            + "  - name: api\n    description: Mine.\n    user_edited: true\n"
            + "  - name: cli\n    description: Words.\n",
        ),
    )
    clean, said = merge(driven)
    assert clean, said
    assert driven.read(".cloche/intent/domains.yaml").decode() == (
        head
        + "  - name: api\n    description: Mine.\n    user_edited: true\n"
        + "  - name: web # ours\n    description: Pages.\n"
        + "  - name: cli\n    description: Words.\n"
    )


def test_a_criss_cross_merge_is_merged_like_any_other(driven):
    put(driven, ONE, requirement("req-0002"))
    driven.write(".cloche/intent/.gitattributes", "requirements/*.md merge=git-intent")
    driven.commit("base")
    driven.git("checkout", "-q", "-b", "topic")
    put(driven, disabled("req-0001", updated=T1))
    driven.commit("off")
    driven.git("checkout", "-q", "main")
    put(driven, replace(ONE, hints=("a",), updated=T2))
    driven.commit("hint")
    driven.git("branch", "-q", "main2")
    assert merge(driven)[0]
    driven.git("checkout", "-q", "topic")
    assert merge(driven, "main2")[0]
    put(driven, replace(held(driven), hints=("a", "b")))
    driven.commit("more hints")
    driven.git("checkout", "-q", "main")
    put(driven, replace(held(driven), scope=Scope(paths=("a/**",))))
    driven.commit("scope")
    clean, said = merge(driven)
    assert clean, said
    won = held(driven)
    assert (won.status, won.hints) == (Status.DISABLED, ("a", "b"))
    assert won.scope.paths == ("a/**",)


def test_an_octopus_that_needs_the_driver_is_left_to_git(driven):
    put(driven, ONE)
    driven.write(".cloche/intent/.gitattributes", "requirements/*.md merge=git-intent")
    driven.commit("base")
    for number, id in enumerate(("req-0002", "req-0003")):
        driven.git("checkout", "-q", "-b", f"b{number}", "main")
        put(driven, requirement(id), replace(ONE, hints=(str(number),)))
        driven.commit(id)
    driven.git("checkout", "-q", "main")
    head = driven.head()
    done = subprocess.run(
        ["git", "merge", "--no-edit", "b0", "b1"],
        cwd=driven.path,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        driven.git("reset", "-q", "--hard", head)
        assert merge(driven, "b0")[0]
        assert merge(driven, "b1")[0]
    assert held(driven).hints == ("0", "1")


@pytest.mark.parametrize("how", ["rebase", "cherry-pick"])
def test_rebase_and_cherry_pick_use_the_driver_too(driven, how):
    branches(
        driven,
        lambda: put(driven, ONE),
        lambda: put(driven, replace(ONE, hints=("a",), updated=T2)),
        lambda: put(driven, disabled("req-0001", updated=T1)),
    )
    if how == "rebase":
        driven.git("rebase", "-q", "main", "topic")
    else:
        driven.git("cherry-pick", "topic")
    assert held(driven) == disabled("req-0001", hints=("a",), updated=T2)


def test_a_project_below_the_top_is_merged_by_the_same_rules(driven):
    inner = f"svc/{PATH}"
    driven.write("svc/.cloche/intent/.gitattributes", "*.md merge=git-intent\n")
    driven.write(inner, render_requirement(ONE))
    driven.commit("base")
    driven.git("checkout", "-q", "-b", "topic")
    driven.write(inner, render_requirement(replace(ONE, statement="B.")))
    driven.commit("b")
    driven.git("checkout", "-q", "main")
    driven.write(inner, render_requirement(replace(ONE, statement="A.")))
    driven.commit("a")
    clean, said = merge(driven)
    assert not clean
    assert f"{inner}:16:1: I006 statement: changed on both sides" in said


def test_the_driver_s_merge_of_other_files_is_git_s_own(driven):
    driven.write(".gitattributes", "*.txt merge=git-intent\n")
    driven.commit("base", **{"a.txt": "1\n2\n3\n4\n5\n"})
    driven.git("checkout", "-q", "-b", "topic")
    driven.commit("t", **{"a.txt": "1\n2\n3\n4\n5!\n"})
    driven.git("checkout", "-q", "main")
    driven.commit("o", **{"a.txt": "1!\n2\n3\n4\n5\n"})
    assert merge(driven)[0]
    assert driven.read("a.txt") == b"1!\n2\n3\n4\n5!\n"


def test_n167_a_clone_without_the_program_merges_as_plain_text(repo):
    branches(
        repo,
        lambda: put(repo, ONE, requirement("req-0002")),
        lambda: put(repo, replace(ONE, statement="Ours.")),
        lambda: put(repo, replace(ONE, statement="Theirs.")),
    )
    clean, said = merge(repo)
    assert not clean
    assert "<<<<<<< HEAD\nOurs.\n=======\nTheirs.\n>>>>>>> topic" in (
        repo.read(PATH).decode()
    )
    assert "error" not in said.lower()
    diff = repo.git("diff", "main", "topic")
    assert "+Theirs." in diff


def test_n167_registered_but_missing_leaves_a_conflict_and_loses_nothing(repo):
    register(repo, "no-such-program-here merge-driver %O %A %B %L %P")
    ours, theirs = (
        replace(ONE, statement="Ours.", updated=T1),
        disabled("req-0001", updated=T2),
    )
    branches(
        repo,
        lambda: put(repo, ONE),
        lambda: put(repo, ours),
        lambda: put(repo, theirs),
    )
    clean, _ = merge(repo)
    assert not clean
    stages = repo.git("ls-files", "-u", "--", PATH).splitlines()
    assert len(stages) == 3
    assert repo.git("show", f":3:{PATH}").encode() + b"\n" == (
        repo.git("show", f"topic:{PATH}").encode() + b"\n"
    )
    done = repo.intent("resolve")
    assert done.code == 0, done.err
    assert held(repo) == replace(ours, status=Status.DISABLED, updated=T2)


def test_a_file_that_cannot_be_read_is_merged_by_lines_and_left(driven):
    """Whatever happens, both sides stand in the file."""
    broken = render_requirement(ONE).replace(b"status: active", b"status: [")
    branches(
        driven,
        lambda: put(driven, ONE),
        lambda: driven.write(PATH, broken),
        lambda: put(driven, replace(ONE, statement="Theirs.")),
    )
    clean, said = merge(driven)
    assert not clean
    assert "ours cannot be read (I003" in said
    assert sides(driven.read(PATH)).ours == broken


def test_without_enough_arguments_it_is_a_usage_error(repo):
    assert repo.intent("merge-driver", "a").code == 2
    assert repo.intent("merge-driver", "a", "b", "c", "x", "d").code == 2
    assert "merge-driver" not in repo.intent("-h").out
    assert repo.intent("merge-driver", "-h").code == 0


def test_a_version_that_is_gone_is_an_error_and_no_traceback(repo):
    done = repo.intent("merge-driver", "o", "a", "b", "7", PATH)
    assert done.code == 1
    assert done.err == f"{PATH}: No such file or directory\n"


LOADED = """
import json, sys
before = set(sys.modules)
from git_intent.__main__ import main
code = main()
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_n150_the_driver_loads_a_yaml_reader_and_no_more(repo):
    names = []
    for name, one in (("o", ONE), ("a", replace(ONE, hints=("x",)))):
        names.append(str(repo.write(name, render_requirement(one))))
    theirs = set_fields(render_requirement(ONE), {"status": "disabled"})
    names.append(str(repo.write("b", theirs)))
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "merge-driver", *names, "7", PATH],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(json.loads(done.stdout))
    assert not loaded & {"click", "pygit2", "numpy", "subprocess", "pathspec"}
    assert "yaml" in loaded
    merged = parse_requirement((repo.path / "a").read_bytes(), PATH)
    assert (merged.status, merged.hints) == (Status.DISABLED, ("x",))
