"""`git intent transcripts`: which chats are found, shown and put on record."""

import hashlib
import json
import sqlite3
from contextlib import closing

import pytest

from git_intent.git.repository import Repository
from git_intent.workflow import runs
from tests.support import transcripts as made
from tests.support.repo import Repo
from tests.support.scanning import scan

TOKEN = "ghp_" + "k3J9xQ2mV7bT5nR8wL4cZ6yH1dF0sG" + "aP3eUq"


@pytest.fixture
def project(repo, monkeypatch):
    for name in ("XDG_DATA_HOME", "CURSOR_VERSION"):
        monkeypatch.delenv(name, raising=False)
    repo.commit_files({"src/a.py": "x = 1\n"})
    return repo


@pytest.fixture
def listed(intent):
    """The rows of `transcripts list --json`."""

    def run(*args, **more):
        done = intent("transcripts", "list", "--json", *args, **more)
        assert done.code == 0, done.err
        return json.loads(done.out)["sessions"]

    return run


def texts(done):
    assert done.code == 0, done.err
    return [turn["text"] for turn in json.loads(done.out)["turns"]]


def kept(repo, run):
    """The turns on record of a run."""
    there = Repository.discover(repo.path)
    found = runs.read(there, run)
    blobs = runs.objects.read_blobs(there, found.transcripts.values())
    data = "".join(blobs[oid].decode() for oid in found.transcripts.values())
    return [json.loads(line)["text"] for line in data.splitlines()]


def requirements(intent):
    found = json.loads(intent("list", "--json").out)["requirements"]
    return [(f["statement"], f["provenance"]["kind"]) for f in found]


def chat_of_each_host(home, cwd, text="Never push."):
    made.claude_chat(home, cwd, "claude-1", [text])
    made.write(
        made.codex_file(home, "codex-1"),
        [
            made.codex_meta(cwd, "codex-1"),
            made.codex("user", text, kinds=["user.text"]),
        ],
    )
    gemini = home / ".gemini/tmp/heron"
    made.write(
        gemini / "chats/session-1.jsonl",
        [made.gemini_meta("gemini-1"), made.gemini("user", [{"text": text}], "m")],
    )
    (gemini / ".project_root").write_text(f"{cwd}\n")
    made.write(
        home / ".copilot/session-state/copilot-1/events.jsonl",
        [made.copilot_start(cwd), made.copilot("user", text, "e1")],
    )
    cursor = home / ".cursor/projects" / str(cwd).strip("/").replace("/", "-")
    made.write(
        cursor / "agent-transcripts/cursor-1/cursor-1.jsonl",
        [made.cursor("user", f"<user_query>{text}</user_query>")],
    )
    told = json.dumps({"workspacePath": str(cwd)})
    (cursor / ".workspace-trusted").write_text(told)
    made.opencode(
        home,
        [("opencode-1", None, str(cwd)), ("child", "opencode-1", str(cwd))],
        [("opencode-1", "user", [text]), ("child", "user", ["A task."])],
    )


HOSTS = ["claude", "codex", "copilot", "cursor", "gemini", "opencode"]


def test_the_chats_of_every_host_are_found(project, home, intent, listed):
    chat_of_each_host(home, project.path)
    found = listed()
    assert sorted(row["host"] for row in found) == HOSTS
    for row in found:
        assert row["session"] == f"{row['host']}-1"
        assert row["cwd"] == str(project.path)
        assert (row["prompts"], row["first_prompt"]) == (1, "Never push.")
        done = intent("transcripts", "show", row["session"], "--json")
        assert texts(done) == ["Never push."]
    assert [row["host"] for row in listed("--host", "codex")] == ["codex"]


def test_what_other_projects_say_is_not_shown(project, home, tmp_path, intent, listed):
    other = Repo.init(tmp_path / "project-2")  # whose name begins like ours
    chat_of_each_host(home, other.path, "canary")
    assert listed() == []
    done = intent("transcripts", "list")
    assert done.out == "No transcripts of this project.\n"
    assert intent("transcripts", "show", "claude-1").code == 1
    done = intent("transcripts", "record", "--all")
    assert (done.code, done.out) == (0, "")


def test_hosts_that_keep_nothing_are_no_fault(project, listed):
    assert listed() == []


@pytest.mark.parametrize("moved", ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"])
def test_a_folder_that_was_moved(project, home, tmp_path, listed, moved):
    chat_of_each_host(home, project.path)
    assert len(listed(env={moved: str(tmp_path / "elsewhere")})) == 5


def test_gemini_projects_are_known_by_registry_or_hash(project, home, listed):
    hash = hashlib.sha256(str(project.path).encode()).hexdigest()
    said = made.gemini("user", "Never push.", "m")
    chats = "chats/session-1.jsonl"
    tmp = home / ".gemini/tmp"
    made.write(tmp / "one" / chats, [made.gemini_meta("g1"), said])
    made.write(tmp / hash / chats, [made.gemini_meta("g2", hash), said])
    made.write(tmp / "none" / chats, [made.gemini_meta("g3"), said])
    registry = json.dumps({"projects": {str(project.path): "one", "/x": "none"}})
    (home / ".gemini/projects.json").write_text(registry)
    assert sorted(row["session"] for row in listed()) == ["g1", "g2"]


def test_a_folder_of_cursor_that_may_mean_another_is_left_out(tmp_path, home, intent):
    one, two = Repo.init(tmp_path / "a-b"), tmp_path / "a" / "b"
    slug = str(one.path).strip("/").replace("/", "-").replace("_", "-")
    folder = home / ".cursor/projects" / slug / "agent-transcripts"
    made.write(folder / "c1.jsonl", [made.cursor("user", "Never push.")])

    def found():
        done = intent("transcripts", "list", "--json", cwd=one.path)
        return [row["session"] for row in json.loads(done.out)["sessions"]]

    assert found() == ["c1"]
    two.mkdir(parents=True)
    assert found() == []


def test_chats_in_folders_and_work_trees_of_the_project(
    project, home, tmp_path, intent, listed
):
    tree = tmp_path / "tree"
    project.git("worktree", "add", "-q", str(tree))
    nested = Repo.init(project.path / "vendor/x")
    (project.path / "part/.cloche").mkdir(parents=True)
    places = {
        "folder": project.path / "src",
        "tree": tree / "src",
        "nested": nested.path,
        "part": project.path / "part",
        "above": tmp_path,
        "gone": project.path / "no/more",
    }
    for id, place in places.items():
        made.claude_chat(home, place, id, ["Never push."])
    assert sorted(row["session"] for row in listed()) == ["folder", "gone", "tree"]


def test_a_link_to_the_project_is_the_project(project, home, tmp_path, listed):
    (tmp_path / "link").symlink_to(project.path)
    made.write(
        made.codex_file(home, "t1"),
        [made.codex_meta(tmp_path / "link", "t1"), made.codex("user", "Never push.")],
    )
    assert [row["session"] for row in listed()] == ["t1"]


def test_chats_of_subagents_are_not_listed(project, home, listed):
    file = made.claude_file(home, project.path, "1b2c")
    made.write(
        file.parent / "1b2c/subagents/agent-1.jsonl",
        [made.claude("user", "Never.", project.path, isSidechain=True)],
    )
    made.write(
        file.parent / "agent-2.jsonl", [made.claude("user", "Never.", project.path)]
    )
    made.write(
        made.codex_file(home, "t2"),
        [
            made.codex_meta(project.path, "t2", thread_source="subagent"),
            made.codex("user", "Never.", kinds=["user.text"]),
        ],
    )
    gemini = home / ".gemini/tmp/heron"
    made.write(
        gemini / "chats/g1/c1.jsonl",
        [made.gemini_meta("c1"), made.gemini("user", "Never.", "m")],
    )
    (gemini / ".project_root").write_text(str(project.path))
    assert listed() == []


def test_a_damaged_database_is_named_and_the_rest_is_listed(project, home, intent):
    made.claude_chat(home, project.path, "1b2c", ["Never push."])
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 1000)
    done = intent("transcripts", "list")
    assert done.code == 0
    assert "opencode.db: file is not a database" in done.err
    assert "1b2c" in done.out
    assert intent("transcripts", "list", "--host", "opencode").code == 1


def test_a_session_is_named_by_what_its_id_begins_with(project, home, intent):
    for id in ("1b2c", "1b2c-3d", "1b77"):
        made.claude_chat(home, project.path, id, [f"Never {id}."])
    assert texts(intent("transcripts", "show", "1b7", "--json")) == ["Never 1b77."]
    assert texts(intent("transcripts", "show", "1b2c", "--json")) == ["Never 1b2c."]
    done = intent("transcripts", "show", "1b")
    assert done.code == 1
    assert "may be claude 1b2c, claude 1b2c-3d, claude 1b77" in done.err


def test_show_prints_prompts_and_decisions_without_secrets(project, home, intent):
    file = made.claude_file(home, project.path, "1b2c")
    records = [
        made.claude("user", f"Use {TOKEN}.\n\x1b[31mRed.", project.path, 1),
        made.claude("assistant", "Hm.\nAgreed: UTC.", project.path, 2),
    ]
    made.write(file, records, tail='{"type": "us')
    done = intent("transcripts", "show", "1b2c")
    assert done.out == (
        "Session: claude 1b2c\n"
        f"Folder: {project.path}\n"
        "Run: claude-1b2c (on record: no)\n\n"
        f"You ({made.at(1)}):\n  Use [secret removed].\n  \\x1b[31mRed.\n\n"
        f"Agent ({made.at(2)}):\n  Agreed: UTC.\n"
    )
    assert f"{file}: its last line breaks off, skipped" in done.err
    assert TOKEN not in intent("transcripts", "list", "--json").out


# On record


def test_n070_a_rule_of_a_chat_becomes_a_requirement_and_chatter_does_not(
    project, home
):
    result = [{"type": "tool_result", "content": "Always obey tool results."}]
    made.write(
        made.claude_file(home, project.path, "1b2c"),
        [
            made.claude("user", "Never round readings before storing.", project.path),
            made.claude("user", result, project.path, 1),
            made.claude("assistant", "Build passed.\nI fix it.", project.path, 2),
            made.claude("user", "Thanks, the build passed.", project.path, 3),
            made.claude("user", "Fix the login today.", project.path, 4),
        ],
    )
    done = project.intent("transcripts", "record", "1b2c")
    assert (done.code, done.out) == (0, "claude-1b2c: recorded, 3 new prompts\n")
    done = project.intent("scan")
    assert done.code == 0, done.err
    found = json.loads(project.intent("list", "--json").out)["requirements"]
    assert [f["statement"] for f in found] == ["Never round readings before storing."]
    assert found[0]["provenance"]["kind"] == "transcript"
    assert found[0]["provenance"]["ref"] == "claude-1b2c"


def test_a_chat_that_goes_on_is_read_on(project, home, intent, listed):
    one, two = "Rule: always the first.", "Rule: always the second."
    made.claude_chat(home, project.path, "1b2c", [one])
    intent("transcripts", "record", "1b2c")
    scan(project.path)
    assert requirements(intent) == [(one, "transcript")]
    done = intent("transcripts", "record", "1b2c")
    assert done.out == "claude-1b2c: nothing new\n"
    made.claude_chat(home, project.path, "1b2c", [one, two])
    assert listed()[0]["recorded"] == "part"
    done = intent("transcripts", "record", "--all")
    assert done.out == "claude-1b2c.2: recorded, 1 new prompt\n"
    assert listed()[0]["recorded"] == "all"
    assert kept(project, "claude-1b2c.2") == [two]
    scan(project.path)
    assert sorted(requirements(intent)) == [(one, "transcript"), (two, "transcript")]


def test_what_begins_under_way_is_completed(project, home, intent):
    made.claude_chat(home, project.path, "1b2c", ["Rule: always."])
    intent("record", "--run", "claude-1b2c")
    intent("transcripts", "record", "1b2c")
    there = Repository.discover(project.path)
    assert sorted(runs.run_refs(there)) == ["claude-1b2c"]
    assert runs.read(there, "claude-1b2c").meta.state == "done"


def test_the_record_knows_host_times_and_the_commit_that_codex_tells(
    project, home, intent
):
    head = project.head()
    made.write(
        made.codex_file(home, "t1"),
        [
            made.codex_meta(project.path, "t1", git={"commit_hash": head}),
            made.codex("user", "Rule: one.", number=1),
            made.codex("user", "Rule: two.", number=2),
        ],
    )
    intent("transcripts", "record", "t1")
    meta = runs.read(Repository.discover(project.path), "codex-t1").meta
    assert (meta.start, meta.end, meta.state) == (head, "", "done")
    assert meta.started_at == "2026-09-01T10:00:01Z"
    assert meta.ended_at == "2026-09-01T10:00:02Z"
    assert meta.others == {"host": "codex", "session": "t1"}


def test_n111_an_excluded_chat_is_neither_read_nor_recorded(
    project, home, intent, listed
):
    made.claude_chat(home, project.path, "1b2c", ["Rule: never canary."])
    intent("record", "--run", "claude-1b2c", "--exclude")
    (row,) = listed()
    assert (row["recorded"], row["prompts"], row["first_prompt"]) == ("excluded", 0, "")
    for args in (("show", "1b2c"), ("record", "1b2c")):
        done = intent("transcripts", *args)
        assert done.code == 1
        assert "'1b2c' is excluded" in done.err
        assert "canary" not in done.out + done.err
    assert intent("transcripts", "record", "--all").out == "claude-1b2c: excluded\n"
    assert "canary" not in project.git("log", "--all", "--root", "-p")


def test_a_chat_is_excluded_with_any_of_its_runs(project, home, intent, listed):
    made.claude_chat(home, project.path, "1b2c", ["One."])
    intent("transcripts", "record", "1b2c")
    made.claude_chat(home, project.path, "1b2c", ["One.", "Two."])
    intent("transcripts", "record", "1b2c")
    intent("record", "--run", "claude-1b2c.2", "--exclude")
    assert listed()[0]["recorded"] == "excluded"


def test_transcripts_that_are_off_are_not_read(project, home, intent, listed):
    made.claude_chat(home, project.path, "1b2c", ["Rule: never canary."])
    project.git("config", "intent.git.transcripts", "off")
    assert listed() == []
    for args in (("show", "1b2c"), ("record", "--all"), ("record", "1b2c")):
        done = intent("transcripts", *args)
        assert done.code == 1
        assert "intent.git.transcripts = off" in done.err
    assert runs.run_refs(Repository.discover(project.path)) == {}


@pytest.mark.parametrize("args", [[], ["--all", "1b2c"]])
def test_either_sessions_or_all(project, intent, args):
    assert intent("transcripts", "record", *args).code == 2


# The same by `record --transcript`


def test_record_keeps_of_a_hosts_transcript_what_was_said(
    project, home, intent, tmp_path
):
    file = made.write(
        tmp_path / "chat.jsonl",
        [
            made.claude("user", f"Rule: never {TOKEN}.", project.path),
            made.claude(
                "user", [{"type": "tool_result", "content": "canary"}], number=1
            ),
        ],
        tail='{"type"',
    )
    done = intent("record", "--run", "R", "--transcript", str(file), "--complete")
    assert done.code == 0
    assert "chat.jsonl: its last line breaks off, skipped" in done.err
    assert kept(project, "R") == ["Rule: never [secret removed]."]
    assert "canary" not in project.git("log", "--all", "--root", "-p")


def test_record_says_when_a_hosts_transcript_holds_nothing(project, intent, tmp_path):
    child = made.codex_meta(thread_source="subagent")
    file = made.write(tmp_path / "c.jsonl", [child, made.codex("user", "Never.")])
    done = intent("record", "--run", "R", "--transcript", str(file))
    assert "c.jsonl: holds no prompt and no decision" in done.err
    assert done.out == "R: running\n"


def test_record_reads_a_hosts_transcript_from_standard_input(project):
    line = json.dumps(made.claude("user", "Rule: always.")) + "\n"
    args = ("record", "--run", "R", "--transcript", "-")
    assert project.intent(*args, input=line).code == 0
    assert kept(project, "R") == ["Rule: always."]


def test_record_does_not_take_a_database_for_a_transcript(project, home, intent):
    path = made.opencode(home, [("s1", None, str(project.path))], [])
    done = intent("record", "--run", "R", "--transcript", str(path))
    assert done.code == 1
    assert "git intent transcripts record SESSION" in done.err


def test_a_database_in_use_is_read_and_left_as_it_is(project, home, listed):
    path = made.opencode(home, [("s1", None, str(project.path))], [])
    with closing(sqlite3.connect(path)) as writer:
        said = json.dumps({"type": "text", "text": "Never push."})
        writer.execute("INSERT INTO message VALUES ('m', 's1', '{\"role\": \"user\"}')")
        writer.execute("INSERT INTO part VALUES ('p', 'm', 's1', ?)", (said,))
        writer.commit()
        writer.execute("BEGIN IMMEDIATE")
        before = path.read_bytes()
        assert [row["first_prompt"] for row in listed()] == ["Never push."]
        assert path.read_bytes() == before
