"""disable, enable, supersede, redact: the lines they change, and for whom."""

from random import Random

from git_intent.store.requirement import Status
from tests.cli.acting import PATH, changed_lines, editor, found
from tests.cli.conftest import NOW
from tests.support.odd_files import odd_file
from tests.support.snapshots import disabled, requirement, superseded


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


def test_what_is_named_twice_is_done_once_and_warnings_are_said_once(
    repo, holds, intent
):
    holds(requirement("req-0001"), requirement("req-0002"), commit=False)
    repo.write(".cloche/intent/requirements/req-0009.md", "broken")
    repo.write(".cloche/config.toml", "[intent]\nx = 1\n")
    done = intent("disable", "req-0001", "0001")
    assert done.out == "req-0001 -> disabled\n"
    for command in (
        "disable req-0002",
        "supersede req-0002 --by req-0001",
        "redact req-0002",
        "domains add api",
        "domains remove api",
    ):
        lines = intent(*command.split()).err.splitlines()
        assert len(lines) == len(set(lines)), command


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


def test_a_successor_that_is_out_of_use_is_said(repo, holds, intent):
    holds(requirement("req-0001"), disabled("req-0002"))
    done = intent("supersede", "req-0001", "--by", "req-0002")
    assert done.code == 0
    assert done.err == "note: req-0002 is disabled, so that neither is in use\n"


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
