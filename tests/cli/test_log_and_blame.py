"""git intent log and blame: which commit did what, and who said so."""

import json

import pytest

from git_intent.git.repository import Repository
from git_intent.review.blame import PARTS, blame
from git_intent.review.hands import Hand
from git_intent.store.intent_dir import requirement_path, write_changes
from git_intent.store.mutate import NOTICE
from git_intent.store.requirement import Kind, Level, Provenance, Scope, Status
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules import Actor
from tests.git.test_file_log import random_history
from tests.support.repo import Repo
from tests.support.scanning import scan
from tests.support.snapshots import disabled, requirement, store, superseded
from tests.test_docs_formats import agree, example, shape

ID = "req-0001"
PATH = requirement_path(ID)
NOBODY = Hand("", "A Person", "", 0, "", Actor.PERSON, "")


@pytest.fixture
def change(repo, holds):
    """Commit one more version of the requirement; gives the short id."""

    def write(message, **changes):
        write_changes(repo.path, store(requirement(ID, **changes)))
        return repo.commit(message)[:12]

    return write


def headlines(out):
    return [
        line.strip()
        for line in out.splitlines()
        if line.startswith("  ") and not line.startswith("    ")
    ]


def test_n166_each_commit_is_told_in_words(repo, change, intent):
    ids = [
        change("first"),
        change("more", statement="Never break the promise of req-0001."),
        change("other", scope=Scope(Level.DOMAIN, ("api",)), statement="Never."),
        change("off", status=Status.DISABLED, statement="Never."),
    ]
    done = intent("log", "0001")
    assert (done.code, done.err) == (0, "")
    assert (
        done.out
        == f"""\
{ids[3]} 2026-01-02 A Person: off
  disabled, re-scoped
    Never.
    scope: [-domain api-]{{+project+}}

{ids[2]} 2026-01-02 A Person: other
  reworded, re-scoped
    [-Never break the promise of req-0001.-]{{+Never.+}}
    scope: [-project-]{{+domain api+}}

{ids[1]} 2026-01-02 A Person: more
  reworded
    [-Always keep-]{{+Never break+}} the promise of req-0001.

{ids[0]} 2026-01-02 A Person: first
  added
    Always keep the promise of req-0001.
    scope: project
    from: doc README.md, by intent-scan
"""
    )
    followed = repo.git("log", "--follow", "--format=%h", "--abbrev=12", "--", PATH)
    assert followed.split() == ids[::-1]


SENTENCES = (
    "Never write to stdout from a library function.",
    "Every bug fix comes with a test that fails without it.",
    "Timestamps are stored in UTC and shown in the reader's zone.",
    "Public names are documented before they are released.",
    "A migration can be rolled back without losing a row.",
    "Readings of a gauge are never rounded before they are stored.",
)


def test_n166_git_log_follow_lists_the_same_commits(repo, intent):
    repo.commit()
    made = [intent("add", text).out.split()[0] for text in SENTENCES[:4]]
    repo.commit("four")
    made += [intent("add", text).out.split()[0] for text in SENTENCES[4:]]
    intent("disable", made[0], made[4])
    repo.commit("two more")
    intent("enable", made[0])
    repo.commit("back")
    for id in made:
        told = json.loads(intent("log", id, "--json").out)["commits"]
        path = requirement_path(id)
        followed = repo.git("log", "--follow", "--format=%H", "--", path).split()
        assert [commit["commit"] for commit in told] == followed


def test_n166_a_merge_by_which_a_change_came_in_is_named(repo, change, intent):
    change("first")
    repo.git("switch", "-q", "-c", "topic")
    change("on topic", status=Status.DISABLED)
    repo.git("switch", "-q", "main")
    repo.commit("x", other="x")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge the topic", "topic")
    done = intent("log", ID).out
    short = repo.head()[:12]
    assert f"A Person: on topic\ncame in by merge {short} Merge the topic\n" in done
    commits = json.loads(intent("log", ID, "--json").out)["commits"]
    assert [c["merge"] for c in commits] == [repo.head(), ""]


def test_n166_a_merge_that_decided_is_told_against_both_parents(repo, change, intent):
    change("first")
    repo.git("switch", "-q", "-c", "topic")
    change("theirs", statement="Do it their way.")
    repo.git("switch", "-q", "main")
    change("ours", status=Status.DISABLED)
    repo.git("merge", "-q", "topic", check=False)
    change("both", statement="Do it their way.", status=Status.DISABLED)
    assert headlines(intent("log", ID).out)[:2] == [
        "against parent 1: reworded",
        "against parent 2: disabled",
    ]
    parts = json.loads(intent("blame", ID, "--json").out)["parts"]
    assert {p["part"]: p["subject"] for p in parts} == {
        "statement": "theirs",
        "rationale": "first",
        "scope": "first",
        "status": "ours",
        "hints": "first",
    }


def test_n166_a_shallow_clone_says_that_history_is_cut_off(
    repo, change, intent, tmp_path
):
    change("first")
    change("more", statement="Never.")
    change("off", statement="Never.", status=Status.DISABLED)
    shallow = tmp_path / "shallow"
    url = f"file://{repo.path}"
    repo.git("clone", "-q", "--depth=2", url, str(shallow))
    done = intent("log", ID, cwd=shallow)
    assert done.code == 0
    assert headlines(done.out) == ["disabled", "added"]
    assert done.out.count("this clone is shallow, history is cut off here") == 1
    commits = json.loads(intent("log", ID, "--json", cwd=shallow).out)["commits"]
    assert [c["cut_off"] for c in commits] == [False, True]
    assert "cut off" not in intent("log", ID).out
    assert intent("blame", ID, cwd=shallow).out.count("cut off here") == 2


def test_formatting_damage_deletion_and_return_are_told(repo, change, intent):
    change("first")
    good = repo.read(PATH)
    for message, data in (
        ("spelled", good.replace(b"level: project", b"level: 'project'")),
        ("broken", b"---\nid: [\n"),
        ("mended", good),
    ):
        repo.write(PATH, data)
        repo.commit(message)
    repo.git("rm", "-q", PATH)
    repo.commit("gone")
    told = headlines(intent("log", ID).out)
    assert told[0] == "deleted"
    assert told[1].startswith(f"the version before cannot be read: {PATH}:")
    assert told[2].startswith(f"cannot be read: {PATH}:")
    assert told[3:] == ["no change in meaning", "added"]
    assert intent("log", "req-9999").code == 1
    repo.write(PATH, good)
    repo.commit("back")
    assert headlines(intent("log", ID).out)[:2] == ["added", "deleted"]
    parts = json.loads(intent("blame", ID, "--json").out)["parts"]
    assert {part["subject"] for part in parts} == {"back"}


def test_the_texts_of_a_redacted_requirement_are_withheld(repo, change, intent):
    change("first", statement="The key is hunter2.", hints=("hunter2",))
    change("more", statement="The key is hunter3.")
    change("gone", statement=NOTICE, status=Status.DISABLED, user_edited=True)
    for args in (("log", ID), ("log", ID, "--json"), ("blame", ID)):
        out = intent(*args).out
        assert "hunter" not in out
        assert "gone" in out
    assert "withheld: redacted since" in intent("log", ID).out


def test_what_is_not_committed_yet_is_said(repo, holds, intent):
    write_changes(repo.path, store(requirement()))
    assert intent("log", ID).out == "req-0001 is not committed yet.\n"
    assert "not committed yet, A Person\n" in intent("blame", ID).out
    repo.commit("first")
    holds(disabled(ID), commit=False)
    parts = json.loads(intent("blame", ID, "--json").out)["parts"]
    assert [p["part"] for p in parts if not p["commit"]] == ["status"]


def test_it_works_bare_linked_below_the_top_and_in_sha_256(
    repo, change, intent, tmp_path
):
    change("first")
    change("off", status=Status.DISABLED)
    bare, linked = tmp_path / "bare.git", tmp_path / "linked"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    repo.git("worktree", "add", "-q", str(linked), "HEAD")
    for command in ("log", "blame"):
        wanted = intent(command, ID).out
        assert "disabled" in wanted
        assert intent(command, ID, cwd=bare).out == wanted
        assert intent(command, ID, cwd=linked).out == wanted
    other = Repo.init(tmp_path / "sha256", "--object-format=sha256")
    other.commit_files({"svc/.cloche/config.toml": "", "README.md": "x"})
    write_changes(other.path / "svc", store(requirement()))
    other.commit("first")
    write_changes(other.path / "svc", store(superseded(ID, "req-0002")))
    other.commit("last")
    below = other.path / "svc"
    assert headlines(intent("log", ID, cwd=below).out) == ["superseded", "added"]
    blamed = intent("blame", ID, cwd=below).out
    assert "superseded by req-0002\n" in blamed


@pytest.mark.parametrize("seed", range(3))
def test_a_value_is_traced_to_a_commit_that_no_parent_had_it_before(
    repo, seed, monkeypatch
):
    texts = {f"{n}\n": store(requirement(statement=f"Do {n}."))[PATH] for n in range(3)}
    plain = Repo.write
    monkeypatch.setattr("tests.git.test_file_log.PATH", PATH)
    monkeypatch.setattr(
        Repo,
        "write",
        lambda self, path, text: plain(
            self, path, texts[text] if path == PATH else text
        ),
    )
    random_history(repo, seed)
    there = Repository.discover(repo.path)
    now = parse_requirement(repo.read(PATH), PATH)
    for found in blame(there, PATH, now, (), NOBODY):
        oid = found.hand.commit

        def value(rev, part=found.part):
            text = repo.git("show", f"{rev}:{PATH}") + "\n"
            return PARTS[part](parse_requirement(text.encode(), PATH))

        assert value(oid) == PARTS[found.part](now)
        for parent in repo.git("rev-parse", f"{oid}^@").split():
            assert value(parent) != value(oid)


# The source


def test_n070_blame_leads_to_the_line_of_a_document_and_its_commit(repo, intent):
    repo.commit("x", **{"README.md": "# Heron\n"})
    page = "# Rules\n\nRule: always from the page.\n"
    repo.commit("write the rules down", **{"CLAUDE.md": page})
    said = repo.head()[:12]
    scan(repo.path)
    (id,) = [f.stem for f in (repo.store / "requirements").glob("*.md")]
    repo.commit("move", **{"CLAUDE.md": f"Intro.\n\n{page}"})
    out = intent("blame", id).out
    commit = repo.git("log", "-1", "--skip=1", "--format=%h", "--abbrev=12")
    run = repo.git("log", "-1", "--skip=1", "--format=%(trailers:key=Intent-Scan)")
    assert f"           {commit} 2026-01-02 scan {run.split(': ')[1].strip()}: " in out
    last = f"{said} 2026-01-02 A Person: write the rules down"
    assert out.splitlines()[-2:] == [f"{'':11}CLAUDE.md:5", f"{'':11}{last}"]
    repo.write("CLAUDE.md", f"More.\n\nIntro.\n\n{page}")
    assert last not in intent("blame", id).out


@pytest.mark.parametrize(
    ("kind", "ref", "wanted"),
    [
        (Kind.PROMPT, "R", "on record: `git intent runs show R`"),
        (Kind.TRANSCRIPT, "gone", "not on record in this clone"),
        (Kind.USER, "", "written by hand"),
        (Kind.DOC, "lost.md#x", "lost.md (no longer there)"),
        (Kind.COMMIT, "HEAD", "A Person: why it is so"),
        (Kind.COMMIT, "f" * 40, "commit ffffffffffff (unreachable)"),
    ],
)
def test_n070_blame_leads_back_to_every_kind_of_source(
    repo, holds, intent, kind, ref, wanted
):
    repo.commit("why it is so", x="x")
    intent("record", "--run", "R", "--workflow", "w", "--step", "s")
    ref = repo.head() if ref == "HEAD" else ref
    holds(requirement(provenance=Provenance(kind, ref, "", "git intent add")))
    assert wanted in intent("blame", ID).out
    assert json.loads(intent("blame", ID, "--json").out)["source"]["ref"] == ref
    assert intent("check").code == 0  # a source that is gone is no fault


def test_the_json_forms_have_the_shape_of_their_examples(repo, change, intent):
    page = "# Rules\n\nAlways keep the promise of req-0001.\n"
    repo.commit("write it down", **{"README.md": page})
    change("first")
    for command in ("log", "blame"):
        printed = json.loads(intent(command, ID, "--json").out)
        wanted = example(f"git intent {command} --json")
        agree(shape(printed), shape(wanted), command)
    assert printed["source"]["said"][0]["subject"] == "write it down"
