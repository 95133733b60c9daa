"""`git intent check`: what it looks at, what it prints, how it ends."""

import json
import os
import subprocess
import sys

import pytest

from git_intent.store.codes import CODES
from git_intent.store.intent_dir import DOMAINS, SCAN_STATE, requirement_path
from git_intent.store.issue import Severity
from git_intent.store.requirement import Level, Scope
from tests.support.findings import FORMAT, TRACKED
from tests.support.guarding import everything
from tests.support.repo import _SOURCE, run_intent
from tests.support.snapshots import content, disabled, requirement, superseded

ONE = requirement_path("req-0001")
TWO = requirement_path("req-0002")
#: Faults that can only be seen by who looks at several files.
ACROSS = {"I020", "I023", "I025", "I031"}
TOKEN = "gh" + "p_" + "AbCdEfGh1234567890iJkLmNoPqRsTuVwXyZ"


def lines(text: str, code: str) -> list[str]:
    return [line for line in text.splitlines() if f" {code} " in line]


def codes(result) -> list[str]:
    return sorted(
        {line.split(": ")[1].split(" ")[0] for line in result.out.splitlines()}
    )


@pytest.fixture
def faulty(repo):
    """Commit the store of one fault; the rest of it is sound."""

    def write(code: str) -> None:
        repo.commit("files", **dict.fromkeys(TRACKED, "x\n"))
        for path, data in FORMAT[code].items():
            repo.write(path, data)

    return write


@pytest.mark.parametrize("code", FORMAT)
def test_n004_n005_n012_n019_n021_n022_n023_n024_n029_each_fault_is_named(
    repo, intent, faulty, code
):
    faulty(code)
    if code == "I025" and len(list((repo.store / "requirements").iterdir())) < 2:
        pytest.skip("this file system cannot hold both names")
    whole = intent("check")
    error = CODES[code].severity is Severity.ERROR
    assert whole.code == (1 if error else 0)
    (line, *_) = lines(whole.out, code)
    assert CODES[code].repair in whole.err
    names = [str(repo.path / path) for path in FORMAT[code]]
    given = intent("check", *names)
    if code in ACROSS:
        assert not lines(given.out, code)
    else:
        assert line in given.out.splitlines()
        assert given.code == whole.code


def test_n018_199_good_files_and_a_broken_one(repo, intent, holds):
    holds(*(requirement(f"req-{n:04x}") for n in range(200)))
    repo.write(requirement_path("req-0007"), "no front matter\n")
    found = intent("check")
    assert found.code == 1
    # Unless it is read again, the file still holds its id: no deletion is reported.
    assert found.out.splitlines() == [
        f"{requirement_path('req-0007')}:1:1: I002 the file does not begin with ---"
    ]
    repo.write(DOMAINS, "version: 1\ndomains: [\n")
    assert codes(intent("check")) == ["I002", "I003"]


def test_n023_a_secret_is_named_and_never_shown(repo, intent, holds):
    holds(requirement("req-0001"))
    for place in ("statement", "hints", "ref"):
        r = requirement("req-0001", statement=f"Use {TOKEN}.")
        if place == "hints":
            r = requirement("req-0001", hints=(f"when {TOKEN} is used",))
        if place == "ref":
            plain = content(requirement("req-0001")).decode()
            repo.write(ONE, plain.replace("README.md", f"README.md#{TOKEN}"))
        else:
            repo.write(ONE, content(r))
        for form in ("text", "json", "sarif", "github"):
            found = intent("check", ONE, "--format", form, cwd=repo.path)
            assert "I041" in found.out, (place, form)
            assert TOKEN not in found.out + found.err
    kept = f"Ids like {'a1' * 20} and 123e4567-e89b-12d3-a456-426614174000 are fine."
    repo.write(ONE, content(requirement("req-0001", statement=kept)))
    assert intent("check", str(repo.path / ONE)).code == 0


def test_n024_a_marker_inside_a_fenced_block_stops_nothing(repo, intent, holds):
    text = "Show it:\n\n```text\n" + "<" * 7 + " ours\n```\n"
    holds(requirement("req-0001", statement=text), commit=False)
    found = intent("check")
    assert found.code == 0
    assert "I033" in found.out


def test_n029_a_removed_domain_is_missed_by_its_requirements(repo, intent, holds):
    here = requirement("req-0001", scope=Scope(Level.DOMAIN, ("api",)))
    holds(here, domains="  - name: api\n    description: x\n")
    repo.write(DOMAINS, "version: 1\ndomains: []\n")
    found = intent("check")
    assert (found.code, codes(found)) == (0, ["I020"])


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("", "superseded_by is empty"),
        ("req-0001", "names itself"),
        ("req-9999", "does not exist"),
    ],
)
def test_n037_a_link_that_leads_nowhere(repo, intent, holds, link, message):
    holds(requirement("req-0001"), requirement("req-0002"))
    text = content(superseded("req-0001", "req-0002")).decode()
    line = f"superseded_by: {link}\n" if link else ""
    repo.write(ONE, text.replace("superseded_by: req-0002\n", line))
    found = intent("check")
    assert (found.code, codes(found)) == (1, ["I102"])


def test_n037_a_circle_names_every_member(repo, intent, holds):
    holds(*(requirement(f"req-000{n}") for n in (1, 2, 3)))
    ring = {"req-0001": "req-0002", "req-0002": "req-0003", "req-0003": "req-0001"}
    for id, by in ring.items():
        repo.write(requirement_path(id), content(superseded(id, by)))
    found = intent("check")
    assert found.code == 1
    for id in ring:
        assert id in found.out
    assert codes(found) == ["I102"]


def test_n037_a_circle_that_two_clean_sides_close_is_found_in_the_result(
    repo, intent, holds
):
    holds(requirement("req-0001"), requirement("req-0002"))
    repo.git("switch", "-qc", "other")
    repo.write(TWO, content(superseded("req-0002", "req-0001")))
    repo.commit("other")
    repo.git("switch", "-q", "main")
    repo.write(ONE, content(superseded("req-0001", "req-0002")))
    repo.commit("ours")
    assert intent("check").code == 0
    repo.git("merge", "-q", "--no-edit", "other")
    for words in ([], ["--rules"], ["--staged"], ["--from-ref", "HEAD^1"]):
        found = intent("check", *words)
        assert (words, found.code, codes(found)) == (words, 1, ["I102"])


def test_n050_who_is_taken_for_the_author_is_printed(repo, intent, holds):
    holds(disabled("req-0001"))
    repo.write(ONE, content(requirement("req-0001")))

    def said(*words, **env):
        found = intent("check", "--format", "json", *words, env=env)
        document = json.loads(found.out)
        return found.code, document["actor"], document["reason"]

    assert said() == (0, "person", "no agent's variable is set")
    assert said(CLAUDECODE="1") == (1, "agent", "CLAUDECODE is set")
    assert said("--actor", "agent") == (1, "agent", "--actor says so")
    assert said("--actor", "person", CLAUDECODE="1")[:2] == (0, "person")
    # The terminal of an editor, in which no agent runs.
    assert said(TERM_PROGRAM="vscode", CURSOR_TRACE_ID="x")[:2] == (0, "person")
    assert "taken for agent: --actor says so" in intent("check", "--actor", "agent").err


def test_n052_work_tree_index_and_commit_are_told_alike(repo, intent, holds):
    holds(requirement("req-0001"), requirement("req-0002"))
    repo.commit("more", notes="x")
    repo.write(ONE, content(requirement("req-0001", statement="Another.")))
    (repo.path / TWO).unlink()
    repo.write(requirement_path("req-0003"), content(requirement("req-0002")))
    seen = [intent("check")]
    repo.git("add", "-A")
    seen += [intent("check", "--staged")]
    repo.git("commit", "-qm", "all")
    seen += [intent("check", "--from-ref", "HEAD~1", "--to-ref", "HEAD")]
    seen += [intent("check", "--from-ref", "HEAD~1")]
    assert len({found.out for found in seen}) == 1
    assert codes(seen[0]) == ["I011", "I101", "I105"]
    assert {found.code for found in seen} == {1}


def test_n176_bad_settings_are_findings_of_the_whole_check(repo, intent, holds):
    holds(requirement("req-0001"))
    repo.write(".cloche/config.toml", "[intent]\ntoken_budget = -5\nbudget = 3\n")
    repo.git("config", "intent.embedder", "none-such")
    found = intent("check")
    assert found.code == 1
    assert ".cloche/config.toml:2:16: C003 token_budget: expected" in found.out
    assert ".cloche/config.toml:3:10: C002 budget: unknown key" in found.out
    assert "C003 intent.embedder: expected" in found.out
    assert "C003 (a value of the wrong kind)" in found.err
    path = str(repo.path / ".cloche/config.toml")
    assert codes(intent("check", path)) == ["C002", "C003"]
    repo.write(".cloche/config.toml", "[intent]\nbudget = 3\n")
    repo.git("config", "--unset", "intent.embedder")
    assert intent("check").code == 0


def test_every_project_of_a_monorepo_is_checked_from_wherever(repo, intent):
    for folder in ("", "svc/a/", "libs/ü b/"):
        repo.write(f"{folder}{ONE}", content(requirement("req-0001")))
    repo.commit("stores")
    repo.commit("more", notes="x")
    repo.write(f"svc/a/{ONE}", "broken\n")
    (repo.path / f"libs/ü b/{ONE}").unlink()
    repo.write(f"new/{TWO}", "broken too\n")  # not tracked yet
    expected = {f"new/{TWO}:1:1: I002", f"svc/a/{ONE}:1:1: I002"}
    expected |= {f"libs/ü b/{ONE}:1:1: I101"}
    for where in ("", "svc/a", "svc"):
        found = intent("check", cwd=repo.path / where)
        assert found.code == 1
        said = {
            line[: line.index(" ", line.index(": ") + 2)]
            for line in found.out.splitlines()
        }
        assert said == expected


def test_a_whole_project_that_goes_is_missed(repo, intent):
    repo.write(f"svc/{ONE}", content(requirement("req-0001")))
    repo.commit("store")
    repo.commit("more", notes="x")
    repo.git("rm", "-rq", "svc")
    for words in ([], ["--staged"], ["--rules"]):
        assert codes(intent("check", *words)) == ["I101"]


def test_the_bytes_that_are_staged_are_what_is_checked(repo, intent, holds):
    holds(requirement("req-0001"))
    repo.write(ONE, "broken\n")
    repo.git("add", "-A")
    repo.write(ONE, content(requirement("req-0001")))
    path = str(repo.path / ONE)
    assert codes(intent("check", "--staged")) == ["I002"]
    assert codes(intent("check", "--staged", path)) == ["I002"]
    assert intent("check", path).code == 0
    # As git starts a hook, with nothing put out of the way.
    env = {"GIT_INDEX_FILE": str(repo.path / ".git/index")}
    assert codes(intent("check", path, env=env)) == ["I002"]
    assert run_intent(["check", ONE], repo.path, env=env).code == 1
    # pre-commit has seen to it that both are the same.
    assert intent("check", path, env={**env, "PRE_COMMIT": "1"}).code == 0
    repo.git("rm", "-qf", "--cached", ONE)
    assert intent("check", path, env=env).code == 0


@pytest.mark.parametrize("folder", ["", "svc/"])
def test_n157_a_file_that_is_only_intended_to_be_added_is_not_part_of_a_commit(
    repo, intent, folder
):
    repo.write(f"{folder}{ONE}", content(requirement("req-0001")))
    repo.commit("store")
    repo.write(f"{folder}{TWO}", "broken\n")
    repo.git("add", "-N", f"{folder}{TWO}")
    for words in (["--staged"], ["--rules"], ["--staged", f"{folder}{TWO}"]):
        assert intent("check", *words).code == 0, words
    assert codes(intent("check")) == ["I002"]
    repo.write(f"{folder}{requirement_path('req-0003')}", "")
    repo.git("add", f"{folder}{requirement_path('req-0003')}")
    found = intent("check", "--staged")
    assert (found.code, found.out.count("\n")) == (1, 1)


def test_a_file_of_no_store_has_no_findings_and_a_missing_one_is_an_error(
    repo, intent, holds
):
    holds(requirement("req-0001"))
    repo.write("notes.md", "---\nnot: ours\n")
    assert intent("check", str(repo.path / "notes.md")).out == ""
    missing = intent("check", str(repo.path / TWO))
    assert missing.code == 1
    assert "no such file" in missing.err
    assert run_intent(["check", "nowhere.md"], repo.path).code == 1


def test_a_folder_is_not_taken_for_a_file_without_findings(repo, holds):
    holds(requirement("req-0001"))
    for folder in (".", ".cloche", f"{repo.store}/requirements"):
        found = run_intent(["check", folder], repo.path)
        assert found.code == 1
        assert "is a folder" in found.err


def test_files_are_found_from_a_subfolder_and_named_from_the_top(repo, holds):
    holds(requirement("req-0001"))
    repo.write(ONE, "broken\n")
    folder = repo.store / "requirements"
    found = run_intent(["check", "req-0001.md", "./req-0001.md"], folder)
    assert found.out == f"{ONE}:1:1: I002 the file does not begin with ---\n"


def test_a_symlink_in_the_store_is_refused_by_name(repo, intent, holds):
    holds(requirement("req-0001"))
    (repo.path / TWO).symlink_to("/etc/passwd")
    repo.git("add", "-A")
    for words in ([], ["--staged"], [str(repo.path / TWO)]):
        found = intent("check", *words)
        assert found.code == 1
        assert f"{TWO}: is a symbolic link" in found.err
    repo.git("commit", "-qm", "link")
    found = intent("check", "--from-ref", "HEAD~1")
    assert f"{TWO}: is a symbolic link" in found.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--to-ref HEAD", "--to-ref needs --from-ref"),
        ("--staged --from-ref HEAD", "--staged and --from-ref exclude each other"),
        ("--rules x.md", "--rules is about the whole store"),
        ("--from-ref HEAD x.md", "--from-ref is about the whole store"),
        ("--fix --staged", "leave out --staged"),
        ("--fix --from-ref HEAD", "leave out --from-ref"),
        ("--format xml", "--format"),
    ],
)
def test_what_makes_no_sense_together_is_a_usage_error(repo, intent, words, said):
    found = intent("check", *words.split())
    assert found.code == 2
    assert said in found.err


def test_a_base_that_is_not_there_does_not_hide_other_findings(repo, intent, holds):
    holds(requirement("req-0001"))
    repo.write(TWO, "broken\n")
    repo.commit("broken")
    found = intent("check", "--from-ref", "nowhere")
    assert found.code == 1
    assert codes(found) == ["I002"]
    assert "nowhere" in found.err
    document = json.loads(
        intent("check", "--from-ref", "nowhere", "--format", "json").out
    )
    assert "nowhere" in document["failure"]


def test_a_project_that_cannot_be_read_does_not_hide_another(repo, intent):
    repo.write(f"a/{ONE}", content(requirement("req-0001")))
    repo.write(f"b/{ONE}", "broken\n")
    repo.commit("stores")
    (repo.path / f"a/{TWO}").symlink_to("/etc/passwd")
    found = intent("check")
    assert found.code == 1
    assert codes(found) == ["I002"]
    assert f"{TWO}: is a symbolic link" in found.err


def test_a_bare_repository_is_checked_at_its_head(repo, intent, holds, tmp_path):
    holds(requirement("req-0001"))
    repo.write(TWO, "broken\n")
    repo.commit("broken")
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    found = intent("check", cwd=tmp_path / "bare.git")
    assert (found.code, codes(found)) == (1, ["I002"])


def test_an_unborn_branch_is_checked(repo, intent, holds):
    holds(requirement("req-0001"), commit=False)
    assert intent("check").code == 0
    repo.write(TWO, "broken\n")
    assert codes(intent("check")) == ["I002"]


def test_check_all_asks_detect_secrets_as_well(repo, intent, holds):
    odd = 'Set aws_secret_access_key = "' + "abcdefghijklmnopqrst" * 2 + '".'
    holds(requirement("req-0001", statement=odd), commit=False)
    path = str(repo.path / ONE)
    assert "I041" not in intent("check", path).out
    assert "I041" in intent("check", "--all", path).out
    assert "I041" in intent("check", "--all").out


def test_n010_no_check_changes_anything(repo, intent, holds):
    holds(requirement("req-0001"), requirement("req-0002"))
    repo.commit("more", notes="x")
    repo.write(ONE, content(requirement("req-0001", statement="Half.")))
    repo.git("add", ONE)
    repo.write(ONE, content(requirement("req-0001", statement="Whole.")))
    repo.write(TWO, "status: Active")
    repo.write("untracked", "x")
    repo.git("add", "-N", "untracked")
    before = everything(repo)
    path = str(repo.path / ONE)
    for words in (
        [],
        ["--staged"],
        ["--rules"],
        ["--from-ref", "HEAD~1"],
        [path],
        ["--staged", path],
        ["--all"],
    ):
        intent("check", *words)
        assert everything(repo) == before, words


def test_scan_state_that_cannot_be_read_is_named(repo, intent, holds):
    holds(requirement("req-0001"))
    repo.write(SCAN_STATE, "last_commit: [\n")
    assert codes(intent("check")) == ["I003"]


def test_odd_names_of_projects_are_one_line_each(repo):
    odd = 'a:b%"\n\tc'
    repo.write(f"{odd}/{ONE}", "broken\n")
    repo.commit("store")
    found = run_intent(["check"], repo.path)
    assert found.out.count("\n") == 1
    document = json.loads(run_intent(["check", "--format", "json"], repo.path).out)
    assert document["findings"][0]["path"] == f"{odd}/{ONE}"
    given = run_intent(["check", "--format", "json", f"{odd}/{ONE}"], repo.path)
    assert json.loads(given.out)["findings"] == document["findings"]


def test_a_reader_who_goes_away_is_no_traceback(repo, holds):
    holds(requirement("req-0001"))
    repo.write(ONE, "broken\n")
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m git_intent check | true"],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr


def test_nonsense_about_commits_is_told_in_one_line(repo, intent, holds, tmp_path):
    holds(requirement("req-0001"))
    for words in (["--from-ref", "nope"], ["--from-ref", "HEAD", "--to-ref", "nope"]):
        done = intent("check", *words)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith("git intent: nope: there is no such commit")
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    for word in ("--staged", "--rules", "--hook"):
        done = intent("check", word, cwd=bare)
        assert (done.code, "is bare" in done.err) == (1, True)
    assert intent("check", "--from-ref", "HEAD", cwd=bare).code == 0


def test_semantic_shows_in_pairs_what_cannot_both_be_followed(repo, intent):
    for text in ("Use tabs for indentation.", "Use spaces for indentation."):
        assert intent("add", text).code == 0
    repo.git("add", "-A")
    repo.git("commit", "-qm", "rules")
    assert "I035" not in intent("check").out
    done = intent("check", "--semantic")
    assert done.code == 0
    assert "I035 contradicts" in done.out
    shown = done.out.partition("contradiction: ")[2]
    assert "Use tabs for indentation." in shown
    assert "Use spaces for indentation." in shown
    assert "1 pair to look at." in done.out
    (found,) = json.loads(intent("check", "--semantic", "--json").out)["findings"]
    assert (found["code"], found["severity"]) == ("I035", "warning")


def test_semantic_is_about_the_whole_store_in_the_work_tree(repo, intent):
    assert intent("check", "--semantic", "--staged").code == 2
    assert intent("check", "--semantic", "x.md").code == 2
