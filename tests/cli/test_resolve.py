"""`git intent resolve`: what the merge driver does, in clones without it, and more."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from git_intent.git.objects import snapshot
from git_intent.git.repository import Repository
from git_intent.review.merge_markers import sides
from git_intent.store.check import check
from git_intent.store.ids import wanted_ids
from git_intent.store.intent_dir import load_store, read_snapshot, requirement_path
from git_intent.store.requirement import Status
from git_intent.store.requirement_file import parse_requirement, render_requirement
from git_intent.store.rules import Actor, judge
from git_intent.store.scan_state import parse_scan_state
from tests.cli.acting import PATH
from tests.support.merging import branches, held, merge, put, register
from tests.support.repo import _SOURCE, Repo
from tests.support.scanning import scan
from tests.support.snapshots import T1, T2, disabled, requirement, superseded

ONE = requirement("req-0001")
BLANK = requirement("req-0099")


def conflicting(repo, ours, theirs, base=ONE):
    """A merge that git's own merge by lines leaves undone."""
    branches(
        repo,
        lambda: put(repo, BLANK, *([base] if base else [])),
        lambda: put(repo, *ours),
        lambda: put(repo, *theirs),
    )
    clean, said = merge(repo)
    assert not clean, said


def finish(repo, done):
    """Add what the last line says, and commit."""
    words = done.out.splitlines()[-1].split(" ")
    assert words[:2] == ["git", "add"]
    repo.git(*words[1:])
    repo.git("commit", "-q", "--no-edit")


def statements(repo):
    return {
        r.statement: r.id
        for r in load_store(read_snapshot(repo.path)).requirements.values()
    }


def parents_of(repo, *revs):
    known = Repository.discover(repo.path)
    return [snapshot(known, rev, ".cloche/intent") for rev in revs]


def test_n008_a_statement_found_twice_becomes_one_file_without_the_driver(repo, intent):
    origin = replace(ONE.provenance, ref="b.md", extracted_at=T1)
    later = replace(
        ONE, hints=("a",), provenance=origin, created=T1, updated=T2, rationale="Why."
    )
    ours = replace(ONE, hints=("b",), updated=T1)
    conflicting(repo, [ours], [later], base=None)
    done = intent("resolve")
    assert done.code == 0, done.out
    assert held(repo) == replace(ours, hints=("a", "b"), updated=T2, rationale="Why.")
    finish(repo, done)
    assert repo.status() == ""
    assert intent("check").code == 0


def test_nothing_to_resolve_is_said_and_fine(repo, holds, intent):
    holds(ONE)
    done = intent("resolve")
    assert (done.code, done.out, done.err) == (0, "nothing to resolve\n", "")
    assert intent("resolve", "--json").code == 0
    assert repo.status() == ""


def test_what_rules_decide_is_decided_and_nothing_is_staged(repo, intent):
    ours = replace(ONE, hints=("b",), updated=T1)
    theirs = disabled("req-0001", hints=("a",), updated=T2)
    conflicting(repo, [ours], [theirs])
    index = repo.git("ls-files", "-s")
    done = intent("resolve")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"merged {PATH}\ngit add {PATH}\n"
    assert held(repo) == disabled("req-0001", hints=("a", "b"), updated=T2)
    assert repo.git("ls-files", "-s") == index
    before = read_snapshot(repo.path)
    again = intent("resolve")
    assert again.code == 0
    assert read_snapshot(repo.path) == before
    finish(repo, done)
    assert intent("resolve").out == "nothing to resolve\n"


def test_n052_driver_and_resolve_leave_the_same_bytes_and_codes(repo, intent):
    ours = replace(ONE, statement="Ours.", hints=("b",), updated=T1)
    theirs = replace(ONE, statement="Theirs.", hints=("a",), updated=T2)
    conflicting(repo, [ours], [theirs])
    done = intent("resolve")
    assert done.code == 1
    left = repo.read(PATH)
    (found,) = {(issue.line, issue.code) for issue in check(read_snapshot(repo.path))}
    assert found == (left.splitlines().index(b"<<<<<<< ours") + 1, "I006")
    text = "I006 statement: changed on both sides; keep one of the two"
    assert done.out == f"{PATH}:{found[0]}:1: {text}\n"
    assert intent("resolve").out == done.out
    assert repo.read(PATH) == left
    repo.git("merge", "--abort")
    register(repo)
    clean, said = merge(repo)
    assert not clean
    assert done.out.strip() in said
    assert repo.read(PATH) == left


def test_n052_what_resolve_finds_in_the_whole_is_what_check_and_rules_find(
    repo, intent
):
    """Each side superseded the other's, and one file is in conflict besides."""
    two = requirement("req-0002")
    three = requirement("req-0003")
    branches(
        repo,
        lambda: put(repo, ONE, two, three),
        lambda: put(
            repo, superseded("req-0001", "req-0002"), replace(three, hints=("a",))
        ),
        lambda: put(
            repo, superseded("req-0002", "req-0001"), replace(three, hints=("b",))
        ),
    )
    assert not merge(repo)[0]
    done = intent("resolve")
    assert done.code == 1
    result = read_snapshot(repo.path)
    parents = parents_of(repo, "main", "topic")
    wanted = [str(i) for i in judge(parents, result, Actor.PERSON)]
    assert wanted
    assert [line for line in done.out.splitlines() if " I" in line] == wanted


def test_n037_a_circle_that_a_clean_merge_closed_is_named(repo, intent):
    branches(
        repo,
        lambda: put(repo, ONE, requirement("req-0002")),
        lambda: put(repo, superseded("req-0001", "req-0002")),
        lambda: put(repo, superseded("req-0002", "req-0001")),
    )
    assert merge(repo)[0]
    done = intent("resolve")
    assert done.code == 1
    assert "I102 req-0001: supersede each other: req-0001 -> req-0002" in done.out


def third():
    """A requirement that their side superseded by the one that met ours."""
    return superseded("req-0099", "req-a3f8")


MAIN = requirement("req-a3f8", statement="What main says.")
SIDE = requirement("req-a3f8", statement="What the branch says.", hints=("x",))
MET = requirement_path("req-a3f8")


def test_n009_of_two_statements_under_one_id_one_moves_and_links_follow(repo, intent):
    conflicting(repo, [MAIN], [SIDE, third()], base=None)
    done = intent("resolve")
    assert done.code == 0, done.out + done.err
    said = statements(repo)
    assert said["What main says."] == "req-a3f8"
    new = said["What the branch says."]
    moved = f'{new} is new: "What the branch says."'
    line = f'req-a3f8 stays "What main says." (ours); {moved}'
    assert done.out.splitlines()[0] == line
    assert held(repo, "req-0099").superseded_by == new
    assert held(repo, new) == replace(SIDE, id=new)
    parents = parents_of(repo, "main", "topic")
    for actor in Actor:
        assert judge(parents, read_snapshot(repo.path), actor) == []
    finish(repo, done)
    assert repo.status() == ""
    assert intent("check").code == 0


def test_n009_merged_in_the_other_direction_main_keeps_the_id(repo, intent):
    branches(
        repo,
        lambda: put(repo, BLANK),
        lambda: put(repo, MAIN),
        lambda: put(repo, SIDE, third()),
    )
    repo.git("checkout", "-q", "topic")
    assert not merge(repo, "main")[0]
    done = intent("resolve")
    assert done.code == 0, done.out
    assert "(theirs)" in done.out
    said = statements(repo)
    assert said["What main says."] == "req-a3f8"
    assert held(repo, "req-0099").superseded_by == said["What the branch says."]
    parents = parents_of(repo, "topic", "main")
    assert judge(parents, read_snapshot(repo.path), Actor.AGENT) == []
    finish(repo, done)
    assert intent("check").code == 0


def test_between_two_branches_ours_keeps_the_id(repo, intent):
    repo.commit("main", a="1")
    repo.git("checkout", "-q", "-b", "other")
    put(repo, SIDE)
    repo.commit("other")
    repo.git("checkout", "-q", "-b", "mine", "main")
    put(repo, MAIN)
    repo.commit("mine")
    assert not merge(repo, "other")[0]
    assert intent("resolve").code == 0
    assert statements(repo)["What main says."] == "req-a3f8"


def test_a_link_that_meant_the_one_that_stays_stays(repo, intent):
    conflicting(repo, [MAIN, third()], [SIDE], base=None)
    assert intent("resolve").code == 0
    assert held(repo, "req-0099").superseded_by == "req-a3f8"


def test_several_that_met_move_with_their_links_to_each_other(repo, intent):
    ours = [MAIN, requirement("req-b000", statement="Main too.")]
    theirs = [SIDE, superseded("req-b000", "req-a3f8", statement="The branch too.")]
    conflicting(repo, ours, theirs, base=None)
    done = intent("resolve")
    assert done.code == 0, done.out
    said = statements(repo)
    moved = held(repo, said["The branch too."])
    assert moved.superseded_by == said["What the branch says."] != "req-a3f8"


def test_pains_001_ids_that_are_taken_anywhere_are_not_given_again(repo, intent):
    wish = wanted_ids(SIDE.statement)
    first, second = next(wish), next(wish)
    repo.commit("main", a="1")
    repo.git("checkout", "-q", "-b", "elsewhere")
    put(repo, disabled(first))
    repo.commit("elsewhere")
    repo.git("checkout", "-q", "main")
    conflicting(repo, [MAIN], [SIDE], base=None)
    assert intent("resolve").code == 0
    assert statements(repo)["What the branch says."] == second


def test_what_moved_joins_a_requirement_that_says_the_same(repo, intent):
    twin = requirement("req-7777", statement="what the branch says", created=T1)
    conflicting(repo, [MAIN, twin], [replace(SIDE, status=Status.DISABLED)], base=None)
    done = intent("resolve")
    assert done.code == 0, done.out
    assert 'req-7777 has it already: "What the branch says."' in done.out
    assert held(repo, "req-7777") == replace(twin, status=Status.DISABLED)
    assert len(statements(repo)) == 3


@pytest.mark.parametrize("how", ["rebase", "cherry-pick"])
def test_in_a_rebase_what_it_goes_onto_keeps_the_id(repo, intent, how):
    branches(
        repo,
        lambda: put(repo, BLANK),
        lambda: put(repo, MAIN),
        lambda: put(repo, SIDE, third()),
    )
    if how == "rebase":
        repo.git("checkout", "-q", "topic")
        repo.git("rebase", "-q", "main", check=False)
    else:
        repo.git("cherry-pick", "topic", check=False)
    done = intent("resolve")
    assert done.code == 0, done.out + done.err
    said = statements(repo)
    assert said["What main says."] == "req-a3f8"
    new = said["What the branch says."]
    assert held(repo, "req-0099").superseded_by == new
    repo.git(*done.out.splitlines()[-1].split(" ")[1:])
    repo.git("-c", "core.editor=true", how, "--continue")
    (parent,) = parents_of(repo, "main")
    assert judge([parent], read_snapshot(repo.path), Actor.AGENT) == []


def test_a_later_commit_of_a_rebase_finds_its_requirement_under_the_new_id(
    repo, intent
):
    side = replace(SIDE, created=T1)
    branches(
        repo, lambda: put(repo, BLANK), lambda: put(repo, MAIN), lambda: put(repo, side)
    )
    repo.git("checkout", "-q", "topic")
    put(repo, replace(side, status=Status.DISABLED, updated=T2))
    repo.commit("disable it")
    repo.git("rebase", "-q", "main", check=False)
    for _ in range(2):
        done = intent("resolve")
        assert done.code == 0, done.out + done.err
        repo.git(*done.out.splitlines()[-1].split(" ")[1:])
        repo.git("-c", "core.editor=true", "rebase", "--continue", check=False)
    assert repo.git("status", "--porcelain") == ""
    assert not (repo.path / ".git/rebase-merge").exists()
    assert held(repo, "req-a3f8") == MAIN
    moved = held(repo, statements(repo)["What the branch says."])
    assert (moved.status, moved.updated) == (Status.DISABLED, T2)


def test_where_it_was_reworded_under_its_new_id_as_well_both_words_stay(repo, intent):
    side = replace(SIDE, created=T1)
    branches(
        repo, lambda: put(repo, BLANK), lambda: put(repo, MAIN), lambda: put(repo, side)
    )
    assert not merge(repo)[0]
    finish(repo, intent("resolve"))
    new = statements(repo)[SIDE.statement]
    put(repo, replace(side, id=new, rationale="Ours.", updated=T2))
    repo.commit("reason")
    repo.git("checkout", "-q", "topic")
    put(repo, replace(side, rationale="Theirs.", updated=T2))
    repo.commit("reason")
    repo.git("checkout", "-q", "main")
    assert not merge(repo)[0]
    done = intent("resolve")
    assert done.code == 1
    assert held(repo, "req-a3f8") == MAIN
    both = sides(repo.read(requirement_path(new)))
    assert b"Ours." in both.ours
    assert b"Theirs." in both.theirs
    assert f"{requirement_path(new)}:" in done.out


def test_a_requirement_cherry_picked_before_it_was_reworded_is_no_second_one(
    repo, intent
):
    """Both histories have had it, so it did not meet another."""
    put(repo, BLANK)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    put(repo, ONE)
    repo.commit("add")
    repo.git("checkout", "-q", "main")
    repo.git("cherry-pick", "topic")
    put(repo, replace(ONE, statement="New words.", updated=T1))
    repo.commit("reword")
    repo.git("checkout", "-q", "topic")
    put(repo, replace(ONE, hints=("h",), updated=T2))
    repo.commit("hint")
    repo.git("checkout", "-q", "main")
    assert not merge(repo)[0]
    done = intent("resolve")
    assert done.code == 0, done.out
    assert held(repo) == replace(ONE, statement="New words.", hints=("h",), updated=T2)


@pytest.mark.parametrize("deleted", ["ours", "theirs"])
def test_present_stays_present_where_one_side_deleted(repo, intent, deleted):
    kept = replace(ONE, hints=("a",))
    change = {
        "ours": lambda: (repo.path / PATH).unlink(),
        "theirs": lambda: put(repo, kept),
    }
    if deleted == "theirs":
        change = dict(zip(change, reversed(change.values()), strict=True))
    branches(repo, lambda: put(repo, ONE, BLANK), change["ours"], change["theirs"])
    assert not merge(repo)[0]
    (repo.path / PATH).unlink(missing_ok=True)
    done = intent("resolve")
    assert done.code == 0, done.out
    assert f"note: {PATH}: deleted on one side: stays" in done.err
    assert held(repo) == kept


def test_a_renamed_requirement_is_put_back_and_nothing_is_lost(repo, intent):
    """rename/rename: git leaves three paths, of which only one is known."""
    places = [requirement_path(id) for id in ("req-000a", "req-000b")]

    def rename(place, **change):
        put(repo, replace(ONE, **change))
        repo.git("mv", PATH, place)

    branches(
        repo,
        lambda: put(repo, ONE, BLANK),
        lambda: rename(places[0], hints=("a",)),
        lambda: rename(places[1], status=Status.DISABLED),
    )
    assert not merge(repo)[0]
    done = intent("resolve")
    assert done.code == 1
    assert held(repo) == disabled("req-0001", hints=("a",))
    named = "a requirement's file has the name of its id"
    text = f"1:1: I011 {named}; rename this one or `git rm` it"
    assert [x for x in done.out.splitlines() if " I" in x] == [
        f"{place}:{text}" for place in places
    ]
    repo.git("rm", "-q", *places)
    finish(repo, done)
    assert intent("check").code == 0


def test_a_file_whose_name_is_no_id_is_left_to_a_person(repo, intent):
    place = ".cloche/intent/requirements/req-XY.md"
    branches(
        repo,
        lambda: put(repo, BLANK),
        lambda: repo.write(place, render_requirement(ONE)),
        lambda: repo.write(place, render_requirement(BLANK)),
    )
    assert not merge(repo)[0]
    left = repo.read(place)
    done = intent("resolve")
    assert done.code == 1
    assert f"{place}:1:1: I011" in done.out
    assert repo.read(place) == left


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_markers_that_were_added_and_committed_are_read_again(repo, intent, style):
    repo.git("config", "merge.conflictStyle", style)
    ours = replace(ONE, hints=("b",), updated=T1)
    conflicting(repo, [ours], [disabled("req-0001", hints=("a",), updated=T2)])
    repo.git("add", "-A")
    repo.git("commit", "-q", "--no-edit")
    assert b"<<<<<<<" in repo.read(PATH)
    done = intent("resolve")
    assert done.code == 0, done.out
    assert held(repo) == disabled("req-0001", hints=("a", "b"), updated=T2)
    repo.git("commit", "-qam", "mend")
    assert intent("resolve").out == "nothing to resolve\n"


def test_two_that_met_and_were_committed_with_markers_are_split(repo, intent):
    conflicting(repo, [MAIN], [SIDE, third()], base=None)
    repo.git("commit", "-qam", "oops")
    done = intent("resolve")
    assert done.code == 0, done.out
    said = statements(repo)
    assert said["What main says."] == "req-a3f8"
    assert held(repo, "req-0099").superseded_by == said["What the branch says."]


def test_broken_markers_are_left_and_named(repo, holds, intent):
    holds(ONE)
    data = render_requirement(ONE).replace(b"status:", b"<<<<<<< HEAD\nstatus:")
    repo.write(PATH, data)
    done = intent("resolve")
    assert done.code == 1
    assert done.out == (
        f"{PATH}:3:1: I006 the conflict markers are not whole; "
        "finish this file by hand\n"
    )
    assert repo.read(PATH) == data


def test_what_a_person_decided_stays(repo, intent):
    ours = replace(ONE, statement="Ours.")
    conflicting(repo, [ours], [replace(ONE, statement="Theirs.")])
    mine = render_requirement(replace(ONE, statement="Both.", user_edited=True))
    repo.write(PATH, mine)
    done = intent("resolve")
    assert repo.read(PATH) == mine
    assert "was decided by hand" in done.err


def test_what_a_person_has_begun_is_gone_on_from(repo, intent):
    """One of two conflicts is decided in the editor, the other one is a rule's."""
    ours = replace(ONE, statement="Ours.", rationale="One.", hints=("b",))
    theirs = replace(ONE, statement="Theirs.", rationale="One.", hints=("a",))
    conflicting(repo, [ours], [theirs])
    text = repo.read(PATH).decode()
    start, end = text.index("<<<<<<< HEAD\nOurs."), text.index(">>>>>>> topic\n\n**")
    begun = text[:start] + "Mine.\n" + text[end + len(">>>>>>> topic\n") :]
    repo.write(PATH, begun)
    done = intent("resolve")
    assert held(repo) == replace(
        ONE, statement="Mine.", rationale="One.", hints=("a", "b")
    )
    assert done.code in (0, 1)


def test_only_the_paths_named_are_resolved(repo, intent):
    pairs = [
        [replace(requirement(id), hints=(hint,)) for id in ("req-0001", "req-0002")]
        for hint in "ab"
    ]
    branches(
        repo,
        lambda: put(repo, ONE, requirement("req-0002")),
        lambda: put(repo, *pairs[0]),
        lambda: put(repo, *pairs[1]),
    )
    assert not merge(repo)[0]
    done = intent("resolve", "0002")
    assert "merged .cloche/intent/requirements/req-0002.md\n" in done.out
    assert b"<<<<<<<" in repo.read(PATH)
    assert intent("resolve", "--dry-run", "req-0001").out == f"would merge {PATH}\n"
    assert b"<<<<<<<" in repo.read(PATH)
    assert intent("resolve", str(repo.path / PATH)).code == 0
    assert b"<<<<<<<" not in repo.read(PATH)


def test_n067_without_the_driver_the_cursors_are_merged_without_loss(repo, intent):
    repo.commit("a", **{"README.md": "Rule: all.\n", ".cloche/config.toml": ""})
    scan(repo.path)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("b", **{"README.md": "Rule: all.\nRule: theirs.\n"})
    scan(repo.path)
    repo.git("checkout", "-q", "main")
    repo.commit("c", **{"README.md": "Rule: all.\nRule: ours.\n"})
    scan(repo.path)
    assert not merge(repo)[0]
    repo.git("checkout", "--ours", "README.md")
    repo.git("add", "README.md")
    done = intent("resolve")
    assert done.code == 0, done.out + done.err
    state = parse_scan_state(repo.read(".cloche/intent/scan-state.yaml"), "x").get()
    assert set(state.scanned_docs) == {"README.md"}  # ours, which the merge took
    finish(repo, done)
    scan(repo.path)
    assert set(statements(repo)) == {"Rule: all.", "Rule: ours.", "Rule: theirs."}
    assert intent("check").code == 0


def test_domains_and_attributes_are_resolved_too(repo, intent):
    head = "version: 1\ndomains:\n  - name: all\n"
    branches(
        repo,
        lambda: put(repo, BLANK, domains=head),
        lambda: put(repo, domains=head + "  - name: api\n"),
        lambda: put(repo, domains=head + "  - name: web\n"),
    )
    assert not merge(repo)[0]
    assert intent("resolve").code == 0
    text = repo.read(".cloche/intent/domains.yaml").decode()
    assert text == head + "  - name: api\n  - name: web\n"


def test_the_lines_of_both_attributes_files_are_kept(repo, intent):
    place = ".cloche/intent/.gitattributes"
    lines = ["*.md merge=git-intent", "a -text", "b -text"]
    put(repo, BLANK)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("t", **{place: "\n".join([lines[0], lines[2]]) + "\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("o", **{place: "\n".join(lines[:2]) + "\n"})
    assert not merge(repo)[0]
    assert intent("resolve").code == 0
    assert repo.read(place).decode().splitlines()[:3] == lines


def test_line_ends_of_the_work_tree_are_kept(repo, intent):
    repo.git("config", "core.autocrlf", "true")
    ours = replace(ONE, hints=("b",))
    conflicting(repo, [ours], [replace(ONE, hints=("a",))])
    assert b"\r\n" in repo.read(PATH)
    assert intent("resolve").code == 0
    data = repo.read(PATH)
    assert data.count(b"\n") == data.count(b"\r\n")
    assert parse_requirement(data, PATH).hints == ("a", "b")


def test_json_tells_what_was_done_and_what_is_left(repo, intent):
    conflicting(repo, [MAIN], [SIDE, third()], base=None)
    told = json.loads(intent("resolve", "--json").out)
    new = statements(repo)["What the branch says."]
    assert told == {
        "version": 1,
        "dry_run": False,
        "resolved": [MET],
        "changed": sorted([MET, requirement_path(new), requirement_path("req-0099")]),
        "split": [
            {
                "id": "req-a3f8",
                "kept": "ours",
                "new_id": new,
                "new_path": requirement_path(new),
            }
        ],
        "conflicts": [],
        "findings": [],
        "notes": [],
    }


def test_a_bare_repository_has_nothing_to_resolve(repo, intent):
    repo.git("config", "core.bare", "true")
    done = intent("resolve", cwd=repo.path / ".git")
    assert done.code == 1
    assert "a bare repository has no files to change" in done.err


KILLED = """
import os, signal, sys
from git_intent import files
from git_intent.cli.main import main
left = [int(sys.argv[1])]
def kill(name):
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
files.on_effect = kill
sys.exit(main(["resolve"]))
"""


#: Four files, each written aside and renamed.
EFFECTS = 8


@pytest.mark.parametrize(("staged", "step"), [(True, 1), (False, 3)])
def test_n026_a_kill_anywhere_loses_nothing_and_the_next_run_completes(
    repo, intent, staged, step
):
    """With the versions in the index, and with nothing but markers in the files."""
    ours = [MAIN, replace(ONE, hints=("b",))]
    theirs = [SIDE, third(), replace(ONE, hints=("a",))]
    conflicting(repo, ours, theirs)
    if not staged:
        repo.git("commit", "-qam", "with markers")
    start = read_snapshot(repo.path)
    assert intent("resolve").code == 0
    wanted = read_snapshot(repo.path)
    said = statements(repo)
    (new,) = wanted.keys() - start.keys()
    for number in (*range(0, EFFECTS, step), EFFECTS):
        (repo.path / new).unlink(missing_ok=True)
        for path, data in start.items():
            repo.write(path, data)
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(number)],
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            capture_output=True,
            check=False,
        )
        assert done.returncode == (0 if number == EFFECTS else -9), done.stderr
        left = read_snapshot(repo.path)
        for path, data in left.items():
            assert data in (start.get(path), wanted[path])
        assert all(any(s.encode() in d for d in left.values()) for s in said)
        assert intent("resolve").code == 0
        assert read_snapshot(repo.path) == wanted


def test_n026_a_full_disk_is_exit_1_and_what_was_there_stays(repo, intent):
    conflicting(repo, [MAIN], [SIDE], base=None)
    before = read_snapshot(repo.path)
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 0; exec '{sys.executable}' -m git_intent resolve"],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert b"Traceback" not in done.stderr
    assert read_snapshot(repo.path) == before
    assert intent("resolve").code == 0


def test_a_project_below_the_top_in_a_linked_work_tree(repo, tmp_path):
    """Paths are the project's; the main work tree is not touched."""

    def write(*found):
        for one in found:
            repo.write(f"svc/{requirement_path(one.id)}", render_requirement(one))

    branches(
        repo,
        lambda: write(BLANK),
        lambda: write(MAIN),
        lambda: write(SIDE, third()),
    )
    linked = Repo(tmp_path / "linked")
    repo.git("worktree", "add", "-q", str(linked.path))
    assert not merge(linked)[0]
    before = repo.status()
    done = linked.intent("resolve", cwd=linked.path / "svc")
    assert done.code == 0, done.out + done.err
    words = done.out.splitlines()[-1].split(" ")[1:]
    linked.git("-C", "svc", *words)
    linked.git("commit", "-q", "--no-edit")
    assert linked.status() == ""
    found = load_store(read_snapshot(linked.path / "svc")).requirements
    new = next(one.id for one in found.values() if one.statement == SIDE.statement)
    assert found["req-0099"].superseded_by == new
    assert linked.intent("check", cwd=linked.path / "svc").code == 0
    assert repo.status() == before


@pytest.mark.parametrize("actor", ["person", "agent"])
def test_n009_hooks_and_ci_let_the_resolved_merge_pass(repo, intent, actor):
    """Theirs was disabled and a person's: all of it goes with the new id."""
    side = replace(SIDE, status=Status.DISABLED, user_edited=True)
    conflicting(repo, [MAIN], [side, third()], base=None)
    done = intent("resolve")
    assert done.code == 0, done.out
    repo.git(*done.out.splitlines()[-1].split(" ")[1:])
    assert intent("check", "--rules", "--actor", actor).code == 0
    finish(repo, done)
    args = ("check", "--from-ref", "HEAD^1", "--to-ref", "HEAD", "--actor", actor)
    assert intent(*args).code == 0
