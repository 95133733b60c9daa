"""git intent add: what it writes, and what it refuses."""

import pytest

from git_intent.store.ids import new_id
from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.requirement import Confidence, Kind, Level, Scope
from tests.cli.acting import found
from tests.support.snapshots import disabled, requirement, superseded


def test_n177_add_writes_one_file_and_nothing_else(repo, holds, intent):
    holds(domains="  - name: api\n")
    head = repo.head()
    done = intent(
        "add",
        "Never break the wire format.",
        "--domain=api",
        "--why",
        "Old clients stay for years.",
        "--hint",
        "changing messages",
        "--path=src/**",
        "--language",
        "go",
    )
    id, path = done.out.split()
    assert (done.code, done.err) == (0, "")
    made = found(repo, id)
    assert made.statement == "Never break the wire format."
    assert made.rationale == "Old clients stay for years."
    assert made.scope == Scope(Level.DOMAIN, ("api",), ("src/**",), ("go",))
    assert made.hints == ("changing messages",)
    assert (made.user_edited, made.provenance.kind) == (True, Kind.USER)
    assert made.confidence is Confidence.HIGH
    assert repo.head() == head
    assert repo.status() == f"? {path}"


def test_add_says_when_a_domain_is_not_in_the_map(repo, intent):
    done = intent("add", "X must hold.", "-d", "api")
    assert done.code == 0
    assert "note: api is not in domains.yaml; `git intent domains add api`" in done.err
    done = intent("add", "Y must hold.", "-d", "My Domain")
    assert (done.code, done.out) == (1, "")
    assert "a-z, 0-9 and single hyphens" in done.err


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (" ", "the statement is empty"),
        ("red \x1b[31m", "I040 U+001B"),
        ("left \u202e right", "I040 U+202E"),
        ("zero\u200bwidth", "I040 U+200B"),
        ("key ghp_abcdefghijklmnopqrstuvwxyz0123456789", "I041 GitHub token"),
        ("<<<<<<< HEAD", "cannot stand in a requirement: conflict marker"),
        ("---", "cannot stand in a requirement: a second block of frontmatter"),
        ("x\n\n**Why:** y", "no paragraph of a statement may begin with **Why:**"),
    ],
)
def test_n023_add_refuses_what_a_check_would_refuse(repo, intent, statement, said):
    done = intent("add", "--", statement)
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert "ghp_" not in done.err
    assert not repo.store.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "a\n---\nb",
        'it\'s: "q" #c',
        "- no list",
        "می‌روم",
        "👩‍👩‍👧 e\u0301",
        "a\r\nb",
    ],
)
def test_n022_add_takes_odd_but_sound_words(repo, intent, statement):
    done = intent("add", "--", statement)
    assert done.code == 0, done.err
    (made,) = load_store(read_snapshot(repo.path)).requirements.values()
    assert made.statement.split() == statement.split()


def test_n021_the_same_words_are_not_added_twice(repo, holds, intent):
    holds(
        requirement("req-0001", statement="Use tabs."),
        disabled("req-0002", statement="Use spaces."),
        superseded("req-0003", "req-0001", statement="Use both."),
    )
    done = intent("add", "use   TABS")
    assert done.code == 1
    assert "req-0001 says the same and is active" in done.err
    assert "git intent edit req-0001" in done.err
    assert intent("add", "Use both.").code == 0


@pytest.mark.parametrize("actor", ["agent", "person"])
def test_n051_words_of_a_disabled_requirement_are_refused_with_its_id(
    repo, holds, intent, actor
):
    holds(disabled("req-0002", statement="Use spaces."))
    done = intent("add", "Use spaces.", f"--actor={actor}")
    assert done.code == 1
    assert "req-0002 says the same and is disabled" in done.err
    assert repo.status() == ""


@pytest.mark.parametrize("variable", ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI"])
def test_n051_what_an_agent_adds_is_not_a_persons(repo, intent, variable):
    done = intent("add", "Use tabs.", env={variable: "1"})
    made = found(repo, done.out.split()[0])
    assert (made.user_edited, made.provenance.kind) == (False, Kind.TRANSCRIPT)
    assert made.confidence is Confidence.MEDIUM


def test_n010_an_id_known_anywhere_is_not_given_again(repo, intent, tmp_path):
    wanted = new_id("Use tabs.", lambda id: False)
    other = repo.path.parent / "other"
    repo.commit("base")
    repo.git("clone", "-q", str(repo.path), str(other))
    far = type(repo)(other)
    far.commit("x", **{f".cloche/intent/requirements/{wanted}.md": "theirs\n"})
    repo.git("remote", "add", "far", str(other))
    repo.git("fetch", "-q", "far")
    id, _ = intent("add", "Use tabs.").out.split()
    assert id != wanted
    assert far.read(f".cloche/intent/requirements/{wanted}.md") == b"theirs\n"


@pytest.mark.parametrize("make", [disabled, lambda id: superseded(id, "req-ffff")])
def test_n010_an_id_that_is_out_of_use_is_not_given_again(repo, holds, intent, make):
    wanted = new_id("Use tabs.", lambda id: False)
    holds(make(wanted), requirement("req-ffff"), commit=False)
    before = repo.read(f".cloche/intent/requirements/{wanted}.md")
    id, _ = intent("add", "Use tabs.").out.split()
    assert id != wanted
    assert repo.read(f".cloche/intent/requirements/{wanted}.md") == before


def test_n010_a_full_space_of_ids_is_a_sentence(repo, intent):
    blob = repo.git("hash-object", "-w", "--stdin", input="x")
    rows = "".join(f"100644 blob {blob}\treq-{n:04x}.md\n" for n in range(0x10000))
    tree = repo.git("mktree", input=rows)
    for name in ("requirements", "intent", ".cloche"):
        tree = repo.git("mktree", input=f"040000 tree {tree}\t{name}\n")
    commit = repo.git("commit-tree", "-m", "full", tree)
    repo.git("update-ref", "refs/heads/full", commit)
    done = intent("add", "One too many.")
    assert done.code == 1
    assert "65,536" in done.err or "65536" in done.err
    assert not repo.store.exists()
