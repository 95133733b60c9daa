"""add, edit, disable, enable, supersede, redact, domains: plain edits of files."""

import json
import os
import subprocess
import sys
from random import Random

import pytest

from git_intent.store.ids import new_id
from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.requirement import Confidence, Kind, Level, Scope, Status
from tests.cli.conftest import NOW
from tests.support.odd_files import odd_file
from tests.support.repo import _SOURCE
from tests.support.snapshots import disabled, requirement, superseded

PATH = ".cloche/intent/requirements/req-0001.md"


def found(repo, id="req-0001"):
    return load_store(read_snapshot(repo.path)).requirements[id]


def editor(repo, script: str) -> dict[str, str]:
    """An editor that is a shell script; the file is its first argument."""
    file = repo.path.parent / "editors" / "my editor"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return {"GIT_EDITOR": f"'{file}'"}


def changed_lines(repo):
    diff = repo.git("diff", "-U0", "--no-color")
    return [
        line
        for line in diff.splitlines()
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]


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


def test_n050_a_terminal_inside_an_editor_is_a_person(repo, holds, intent):
    holds(disabled("req-0001"))
    env = {"TERM_PROGRAM": "vscode", "CURSOR_TRACE_ID": "1"}
    assert intent("enable", "req-0001", env=env).code == 0


def test_n050_the_actor_is_as_told_and_errors_say_why(repo, holds, intent):
    holds(disabled("req-0001"))
    done = intent("enable", "req-0001", env={"CLAUDECODE": "1"})
    assert done.code == 1
    assert "taken for agent, as CLAUDECODE is set" in done.err
    done = intent("enable", "req-0001", "--actor", "agent")
    assert "taken for agent, as --actor says so" in done.err
    told = intent("enable", "req-0001", "--actor=person", env={"CLAUDECODE": "1"})
    assert told.code == 0


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


def test_n016_disable_changes_two_lines_of_each_of_200_odd_files(repo, intent):
    ids = []
    repo.write(".gitattributes", "* -text\n")
    for seed in range(200):
        odd = odd_file(Random(seed))
        if odd.requirement.id not in ids:
            ids.append(odd.requirement.id)
            path = f".cloche/intent/requirements/{odd.requirement.id}.md"
            repo.write(path, odd.data)
    repo.commit("odd")
    done = intent("disable", *ids)
    assert done.code == 0, done.err
    assert done.out == "".join(f"{id} -> disabled\n" for id in ids)
    rows = [row.split("\t") for row in repo.git("diff", "--numstat").splitlines()]
    assert len(rows) == len(ids)
    assert {(added, removed) for added, removed, _ in rows} == {("2", "2")}
    for line in changed_lines(repo):
        assert line[1:].lstrip("\ufeff").startswith(("status:", "updated:")), line


def test_n177_disable_and_enable_show_in_the_diff_only(repo, holds, intent):
    holds(requirement("req-0001"), requirement("req-0002"))
    head = repo.head()
    assert intent("disable", "req-0001", "0002").out == (
        "req-0001 -> disabled\nreq-0002 -> disabled\n"
    )
    assert repo.head() == head
    assert repo.git("diff", "--cached", "--name-only") == ""
    assert changed_lines(repo)[:4] == [
        "-status: active",
        "+status: disabled",
        "-updated: 2026-01-01T00:00:00Z",
        f"+updated: {NOW}",
    ]
    assert intent("enable", PATH).out == "req-0001 -> active\n"
    assert found(repo).status is Status.ACTIVE


def test_n177_disable_twice_says_so_and_writes_nothing(repo, holds, intent):
    holds(disabled("req-0001"))
    before = (repo.path / PATH).stat()
    done = intent("disable", "req-0001")
    assert (done.code, done.out) == (0, "req-0001 is already disabled\n")
    assert (repo.path / PATH).stat() == before


def test_n177_an_unknown_id_is_exit_1_with_the_near_ones(repo, holds, intent):
    holds(requirement("req-a3f8", statement="Use tabs."), requirement("req-0002"))
    for command in ("show", "edit", "disable", "enable", "redact"):
        done = intent(command, "req-a3f9")
        assert (done.code, done.out) == (1, "")
        assert done.err == (
            "git intent: no requirement 'req-a3f9' in this store\n"
            "  near: req-a3f8  Use tabs.\n"
        )
    assert "near: req-a3f8" in intent("show", "tabs").err
    assert "`git intent list` shows" in intent("show", "nothing-like-it").err
    assert "no requirement is named" in intent("show", "").err
    assert repo.status() == ""


def test_all_or_none_are_disabled(repo, holds, intent):
    holds(requirement("req-0001"), superseded("req-0002", "req-0001"))
    assert intent("disable", "req-0001", "req-0002").code == 1
    assert intent("disable", "req-0001", "req-9999").code == 1
    assert repo.status() == ""


def test_n036_superseded_is_the_end_for_everybody(repo, holds, intent):
    holds(requirement("req-0001"), superseded("req-0002", "req-0001"))
    for actor in ("agent", "person"):
        for command in ("enable", "disable"):
            done = intent(command, "req-0002", "--actor", actor)
            assert done.code == 1
            assert "req-0002: is superseded by req-0001, which is final" in done.err
    by_hand = editor(repo, 'sed -i -e "s/superseded$/active/" -e /^superseded_/d "$1"')
    done = intent("edit", "req-0002", env=by_hand)
    assert done.code == 1
    assert "I102" in done.err
    assert repo.status() == ""


def test_n036_a_successor_is_not_exchanged(repo, holds, intent):
    holds(
        requirement("req-0001"),
        superseded("req-0002", "req-0001"),
        requirement("req-0003"),
    )
    assert intent("supersede", "req-0002", "--by", "req-0003").code == 1
    same = intent("supersede", "req-0002", "--by=req-0001")
    assert (same.code, same.out) == (0, "req-0002 is already superseded by req-0001\n")
    assert repo.status() == ""


def test_n037_no_circle_of_successors(repo, holds, intent):
    holds(
        requirement("req-0001"),
        superseded("req-0002", "req-0001"),
        superseded("req-0003", "req-0002"),
    )
    done = intent("supersede", "req-0001", "--by", "req-0003")
    assert done.code == 1
    assert "I102" in done.err
    assert all(f"req-000{n}" in done.err for n in (1, 2, 3))
    itself = intent("supersede", "req-0001", "--by", "req-0001")
    assert "its own successor" in itself.err
    assert "near" in intent("supersede", "req-0001", "--by", "req-0009").err
    assert repo.status() == ""


def test_supersede_adds_one_line_where_there_is_none(repo, holds, intent):
    holds(requirement("req-0001"), requirement("req-0002"))
    done = intent("supersede", "req-0001", "--by", "req-0002")
    assert done.out == "req-0001 -> superseded by req-0002\n"
    assert repo.git("diff", "--numstat") == f"3\t2\t{PATH}"


def test_n038_an_agent_does_not_touch_what_is_disabled(repo, holds, intent):
    holds(disabled("req-0001"), requirement("req-0002"))
    reword = editor(repo, 's=$(cat "$1"); echo "$s more" > "$1"')
    for command, env in (
        (["enable", "req-0001"], {}),
        (["supersede", "req-0001", "--by", "req-0002"], {}),
        (["edit", "req-0001"], reword),
    ):
        done = intent(*command, "--actor=agent", env=env)
        assert done.code == 1, command
        assert "I103" in done.err
        assert repo.status() == ""
    assert intent("edit", "req-0001", "--actor=person", env=reword).code == 0
    assert intent("enable", "req-0001").code == 0


def test_n017_saving_unchanged_changes_nothing(repo, holds, intent):
    holds(requirement())
    before = (repo.path / PATH).stat()
    done = intent("edit", "req-0001", env={"GIT_EDITOR": "true"})
    assert (done.code, done.out) == (0, "req-0001 unchanged\n")
    assert (repo.path / PATH).stat() == before
    touched = editor(repo, 'cp "$1" "$1.new" && mv "$1.new" "$1"')
    assert intent("edit", "req-0001", env=touched).out == "req-0001 unchanged\n"
    assert (repo.path / PATH).stat() == before


@pytest.mark.parametrize(
    "failing", ["false", "no-such-editor", "/nonexistent/ed", "exit 3;"]
)
def test_n017_an_editor_that_fails_is_exit_1_and_nothing_is_written(
    repo, holds, intent, failing
):
    holds(requirement())
    done = intent("edit", "req-0001", env={"GIT_EDITOR": failing})
    assert done.code == 1
    assert f"the editor failed: {failing}" in done.err
    assert "nothing was written" in done.err
    assert repo.status() == ""


def test_n017_an_editor_that_removes_the_file_has_failed(repo, holds, intent):
    holds(requirement())
    done = intent("edit", "req-0001", env=editor(repo, 'rm "$1"'))
    assert done.code == 1
    assert repo.status() == ""


def test_n177_without_an_editor_it_is_said_how_to_set_one(
    repo, holds, intent, monkeypatch
):
    holds(requirement())
    monkeypatch.delenv("EDITOR")
    monkeypatch.delenv("VISUAL")
    done = intent("edit", "req-0001", env={"TERM": "dumb"})
    assert done.code == 1
    assert "no editor is configured\n  set $EDITOR or core.editor" in done.err


@pytest.mark.parametrize("how", ["core.editor", "VISUAL", "EDITOR"])
def test_edit_opens_the_editor_that_git_would_open(
    repo, holds, intent, monkeypatch, how
):
    holds(requirement())
    command = editor(repo, 'sed -i "s/Always keep/Do keep/" "$1"')["GIT_EDITOR"]
    monkeypatch.delenv("EDITOR")
    monkeypatch.delenv("VISUAL")
    monkeypatch.setenv("TERM", "xterm")
    if how == "core.editor":
        repo.git("config", how, command)
    else:
        monkeypatch.setenv(how, command)
    assert intent("edit", "req-0001").out == "req-0001 changed\n"
    assert found(repo).statement == "Do keep the promise of req-0001."


def test_n177_a_persons_edit_marks_words_and_scope_only(repo, holds, intent):
    holds(requirement(hints=("old hint",)))
    hint = editor(repo, 'sed -i "s/old hint/new hint/" "$1"')
    assert intent("edit", "req-0001", env=hint).code == 0
    assert not found(repo).user_edited
    assert found(repo).updated == NOW
    words = editor(repo, 'sed -i "s/Always keep/Do keep/" "$1"')
    assert intent("edit", "req-0001", env=words).code == 0
    assert found(repo).user_edited
    assert found(repo).updated > NOW
    assert repo.git("diff", "--cached", "--name-only") == ""


def test_an_agents_edit_marks_nothing(repo, holds, intent):
    holds(requirement())
    words = editor(repo, 'sed -i "s/Always keep/Do keep/" "$1"')
    assert intent("edit", "req-0001", "--actor=agent", env=words).code == 0
    assert not found(repo).user_edited


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("s/^status:.*/status: Active/", "I008"),
        ("s/^status:.*/status:active/", "I003"),
        ("s/^id:.*/id: req-ffff/", "I101"),
        ("s/^created:.*/created: 2020-01-01T00:00:00Z/", "I107"),
        ("s/ kind: doc/ kind: user/", "I107"),
        ("s/^Always.*/Ring \\\\x07/;s/.x07/\\x07/", "I040"),
    ],
)
def test_n047_a_refused_edit_is_kept_for_its_author(repo, holds, intent, script, code):
    holds(requirement())
    refused = editor(repo, f"sed -i '{script}' \"$1\"")
    done = intent("edit", "req-0001", env=refused)
    assert done.code == 1
    assert f"{PATH}:" in done.err
    assert code in done.err
    assert repo.status() == ""
    _, _, kept = done.err.strip().rpartition("what you saved is kept in ")
    with open(kept, "rb") as file:
        assert file.read() != repo.read(PATH)


def test_n047_the_same_instant_in_another_notation_is_allowed(repo, holds, intent):
    holds(requirement())
    other = "s/^created:.*/created: 2026-01-01T01:00:00+01:00/"
    assert (
        intent("edit", "0001", env=editor(repo, f"sed -i '{other}' \"$1\"")).code == 0
    )


def test_an_edit_does_not_run_over_another_one(repo, holds, intent):
    holds(requirement())
    target = repo.path / PATH
    script = f"echo mine >> \"$1\"; echo theirs >> '{target}'"
    done = intent("edit", "req-0001", env=editor(repo, script))
    assert done.code == 1
    assert f"{PATH}: was changed by others meanwhile" in done.err
    assert repo.read(PATH).endswith(b"theirs\n")


def test_n049_redact_keeps_id_and_file_and_no_word(repo, holds, intent):
    holds(
        requirement(
            statement="The password is hunter2.",
            rationale="It is hunter2.",
            hints=("hunter2",),
        )
    )
    done = intent("redact", "req-0001")
    assert (done.code, done.out) == (0, "req-0001 -> redacted\n")
    assert "still in git's history" in done.err
    assert b"hunter2" not in repo.read(PATH)
    assert found(repo).status is Status.DISABLED
    assert intent("redact", "req-0001").out == "req-0001 is already redacted\n"
    again = intent("enable", "req-0001")
    assert again.code == 1
    assert "was redacted and says nothing to follow" in again.err


DOMAINS = """\
# ours
version: 1
domains:

  # the wire
  - name: api
    paths: [src/api/**]   # keep
    owner: core

  - name: web
    description: "Pages."
"""


def test_n028_domains_are_edited_without_a_byte_changed_elsewhere(repo, intent):
    path = ".cloche/intent/domains.yaml"
    repo.write(path, DOMAINS)
    repo.commit("domains")
    done = intent("domains", "add", "cli", "--path", "src/cli/**", "--description=Say.")
    assert (done.code, done.out) == (0, "cli added\n")
    assert repo.read(path).decode().startswith(DOMAINS)
    assert {line[0] for line in changed_lines(repo)} <= {"+"}
    assert repo.git("diff", "--cached", "--name-only") == ""
    repo.commit("cli")

    assert intent("domains", "edit", "web", "--description", "Sites.").code == 0
    assert changed_lines(repo) == [
        '-    description: "Pages."',
        '+    description: "Sites."',
        "+    user_edited: true",
    ]
    same = intent("domains", "edit", "web", "--description", "Sites.")
    assert same.out == "web unchanged\n"
    repo.commit("web")

    assert intent("domains", "remove", "web").code == 0
    assert {line[0] for line in changed_lines(repo)} == {"-"}
    left = repo.read(path).decode()
    assert left.startswith(DOMAINS[: DOMAINS.index("\n  - name: web")])


def test_n029_domains_refuse_what_a_check_would_refuse(repo, intent):
    repo.write(".cloche/intent/domains.yaml", DOMAINS)
    repo.commit("domains")
    for args, said in (
        (["add", "My Domain"], "is not like-this\n  use a-z"),
        (["add", "api"], "a domain 'api' already\n  `git intent domains edit api`"),
        (["add", "x", "--path", "[a"], "I022"),
        (["edit", "nope", "--path", "a"], "no domain 'nope'\n  there are: api, web"),
        (["remove", "nope"], "no domain 'nope'\n  there are: api, web"),
    ):
        done = intent("domains", *args)
        assert (done.code, done.out) == (1, ""), args
        assert said in done.err
    assert intent("domains", "edit", "api").code == 2
    assert repo.status() == ""
    repo.write(".cloche/intent/domains.yaml", DOMAINS.replace("n: 1", "n: 2"))
    done = intent("domains", "add", "x")
    assert done.code == 1
    assert "domains.yaml:2:" in done.err


def test_n029_an_agent_leaves_a_persons_domain_alone(repo, holds, intent):
    holds(domains="  - name: api\n    description: Mine.\n    user_edited: true\n")
    for args in (["remove", "api"], ["edit", "api", "--description", "Theirs."]):
        done = intent("domains", *args, "--actor", "agent")
        assert done.code == 1
        assert "I106" in done.err
    assert intent("domains", "add", "web", "--actor=agent").code == 0
    (web,) = json.loads(intent("domains", "list", "--json").out)["domains"][1:]
    assert web["user_edited"] is False


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
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("number", range(3))
def test_n026_a_kill_leaves_each_file_old_or_new(repo, holds, intent, number):
    holds(*(requirement(f"req-000{n}") for n in range(3)))
    before = read_snapshot(repo.path)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            KILLED,
            str(number),
            "disable",
            *"0000 0001 0002".split(),
        ],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    after = load_store(read_snapshot(repo.path))
    assert not after.issues
    for id, one in after.requirements.items():
        old = after.bytes[id] == before[after.paths[id]]
        assert old or one.status is Status.DISABLED
    assert all(line.startswith("1 .M") for line in repo.status().splitlines())
    assert intent("disable", "0000", "0001", "0002").code == 0
    done_store = load_store(read_snapshot(repo.path))
    assert {r.status for r in done_store.requirements.values()} == {Status.DISABLED}


def test_n026_a_kill_of_add_leaves_no_file_or_all_of_it(repo, intent):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, "1", "add", "Use tabs."],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    assert not load_store(read_snapshot(repo.path)).issues
    assert "tmp" not in repo.status()
    assert intent("add", "Use tabs.").code == 0


def test_n026_a_read_only_store_is_exit_1_and_stays(repo, holds, intent):
    holds(requirement())
    folder = repo.store / "requirements"
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("this user may write everywhere")
        done = intent("disable", "req-0001")
        assert done.code == 1
        assert "req-0001.md" in done.err
    finally:
        folder.chmod(0o755)
    assert repo.status() == ""
