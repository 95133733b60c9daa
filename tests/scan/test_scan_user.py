"""A scan amid somebody's work: nothing staged, edited or half-done is touched."""

from dataclasses import replace
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.scan import pipeline
from git_intent.scan.pipeline import StepFailed
from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.requirement import Status
from tests.support.repo import STORE, Repo
from tests.support.scanning import TOOLS, scan, scanner

TABS = "# Style\n\nRule: use tabs.\nRule: be kind.\n"
SPACES = TABS.replace("tabs", "spaces")


def path_of(repo, words):
    for found in load_store(read_snapshot(repo.path)).requirements.values():
        if found.statement == words:
            return f"{STORE}/requirements/{found.id}.md"
    raise AssertionError(words)


def edit(repo, path, old, new):
    repo.write(path, repo.read(path).replace(old.encode(), new.encode()))


def extracting(action):
    """Tools whose extractor does `action` first, as if somebody worked meanwhile."""

    def extract(sources, domains):
        action()
        return TOOLS.extract(sources, domains)

    return replace(TOOLS, extract=extract)


def test_n080_whatever_the_user_has_staged_and_edited_stays_as_it_is(repo, tmp_path):
    inner = Repo.init(tmp_path / "inner")
    inner.commit("inner", x="1")
    repo.commit_files({"CLAUDE.md": TABS, "src/a": "a", "src/b": "b", "e": "1"})
    repo.git("submodule", "add", "-q", str(inner.path), "sub")
    repo.commit("submodule")
    repo.write("src/a", "staged")
    repo.git("add", "src/a")
    repo.write("src/b", "dirty")
    repo.write("c", "untracked")
    repo.write("d", "intent to add")
    repo.git("add", "-N", "d")
    repo.git("rm", "-q", "--cached", "e")
    repo.write("sub/x", "dirty submodule")
    status, index = repo.status(), repo.git("ls-files", "-s", "--", ".", ":!.cloche")
    report = scan(repo.path)
    assert len(report.created) == 2
    assert repo.status() == status
    assert repo.git("ls-files", "-s", "--", ".", ":!.cloche") == index
    touched = repo.git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert touched
    assert all(path.startswith(f"{STORE}/") for path in touched)


@pytest.mark.parametrize("staged", ["no", "whole", "half"])
def test_n081_an_uncommitted_edit_of_a_requirement_is_neither_written_nor_committed(
    repo, staged
):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    path = path_of(repo, "Rule: use tabs.")
    repo.git("commit", "-q", "--allow-empty", "-m", "Rule: sign tags.")
    repo.commit("spaces", **{"CLAUDE.md": SPACES})
    edit(repo, path, "confidence: high", "confidence: medium")
    if staged != "no":
        repo.git("add", path)
    if staged == "half":
        edit(repo, path, "user_edited: false", "user_edited: false # or so")
    before, status = repo.read(path), repo.status()
    report = scan(repo.path)
    assert repo.read(path) == before
    assert repo.status() == status
    assert path not in repo.git("show", "--name-only", "--format=", "HEAD")
    assert [i.statement for i in report.created] == ["Rule: sign tags."]
    (waiting,) = report.deferred
    assert waiting.id in path
    assert "uncommitted" in waiting.detail
    repo.git("commit", "-q", "-am", "my edit")
    report = scan(repo.path)
    assert [i.statement for i in report.created] == ["Rule: use spaces."]
    assert len(report.superseded) == 1


def test_n082_an_edit_between_extract_and_apply_is_kept_out_of_the_commit(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    path = path_of(repo, "Rule: use tabs.")
    repo.commit("two", **{"CLAUDE.md": SPACES})

    def similarity(a, b):
        raise AssertionError("not asked")

    def apply(job):
        edit(repo, path, "Rule: use tabs.", "Rule: use only tabs.")
        return pipeline.settle.apply_reconcile(job)

    steps = {**pipeline.STEPS, "apply-reconcile": apply}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "STEPS", steps)
        report = scan(repo.path, tools=replace(TOOLS, similarity=similarity))
    assert "base moved" in report.deferred[0].detail
    assert b"Rule: use only tabs." in repo.read(path)
    assert report.created == ()
    assert repo.status().endswith(path)
    assert path not in repo.git("log", "--name-only", "--format=", "-1")
    repo.git("checkout", "-q", path)
    assert len(scan(repo.path).superseded) == 1


def test_n082_an_edit_of_the_domains_while_scanning_is_never_swept_in(repo):
    repo.commit_files({"CLAUDE.md": TABS, "src/a.go": "x", "tests/b.go": "y"})
    domains = f"{STORE}/domains.yaml"
    mine = b"version: 1\ndomains: []\n# mine\n"
    report = scan(repo.path, tools=extracting(lambda: repo.write(domains, mine)))
    assert repo.read(domains) == mine
    assert domains not in report.written
    assert repo.status() == f"? {domains}"
    assert any("domains.yaml" in remark for remark in report.remarks)


@pytest.mark.parametrize("how", ["commit", "switch"])
def test_n082_a_branch_that_moves_meanwhile_stops_the_scan(repo, how):
    repo.commit("one", **{"CLAUDE.md": TABS})
    repo.git("branch", "other")

    def move():
        if how == "commit":
            repo.git("commit", "-q", "--allow-empty", "-m", "meanwhile")
        else:
            repo.git("checkout", "-q", "other")

    with pytest.raises(StepFailed):
        scan(repo.path, tools=extracting(move))
    assert not repo.store.exists()
    assert repo.git("rev-list", "--count", "--all") == ("2" if how == "commit" else "1")


def test_an_edited_scan_state_keeps_the_cursor_where_it_is(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    state = f"{STORE}/scan-state.yaml"
    repo.write(state, repo.read(state) + b"x-mine: 1\n")
    before = repo.read(state)
    repo.git("commit", "-q", "--allow-empty", "-m", "Rule: sign tags.")
    report = scan(repo.path)
    assert [i.statement for i in report.created] == ["Rule: sign tags."]
    assert repo.read(state) == before
    assert any("scan-state.yaml" in remark for remark in report.remarks)
    repo.git("checkout", "-q", state)
    assert scan(repo.path).created == ()


def test_a_requirement_that_was_removed_by_hand_is_not_made_again(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    path = path_of(repo, "Rule: use tabs.")
    (repo.path / path).unlink()
    status = repo.status()
    report = scan(repo.path, full=True)
    assert report.created == ()
    assert not (repo.path / path).exists()
    assert repo.status() == status


def test_n026_a_store_that_cannot_be_written_is_exit_1_and_stays(repo, monkeypatch):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    repo.commit("two", **{"CLAUDE.md": SPACES})
    before, head = read_snapshot(repo.path), repo.head()
    real = Path.replace

    def read_only(self, target):
        if STORE in str(target):
            raise PermissionError(13, "Permission denied")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", read_only)
    with pytest.raises(IntentError, match="Permission denied"):
        scan(repo.path)
    monkeypatch.undo()
    assert (read_snapshot(repo.path), repo.head()) == (before, head)
    assert repo.status() == ""
    assert len(scan(repo.path).superseded) == 1


def test_statuses_of_all_kinds_survive_a_person_enabling_meanwhile(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    scan(repo.path)
    path = path_of(repo, "Rule: use tabs.")
    edit(repo, path, "status: active", "status: disabled")
    repo.commit("off")
    repo.commit("again", **{"AGENTS.md": f"# Me\n{TABS}"})
    assert [i.detail for i in scan(repo.path).dropped] == ["disabled"]
    edit(repo, path, "status: disabled", "status: active")
    repo.commit("on")
    scan(repo.path, full=True)
    found = load_store(read_snapshot(repo.path)).requirements.values()
    assert {r.status for r in found} == {Status.ACTIVE}


def through(path, *names):
    for name in names:
        scanner(path).step(name)


BEFORE_COMMIT = list(pipeline.STEPS)[:-1]


def test_an_edit_between_apply_and_commit_stops_the_commit_and_stays(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    through(repo.path, *BEFORE_COMMIT)
    path = path_of(repo, "Rule: use tabs.")
    edit(repo, path, "confidence: high", "confidence: medium")
    mine = repo.read(path)
    with pytest.raises(StepFailed, match="changed since the scan wrote it"):
        through(repo.path, "commit")
    assert repo.read(path) == mine
    assert repo.status() == f"? {path}"


def test_what_the_user_committed_himself_is_not_put_back(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    through(repo.path, *BEFORE_COMMIT)
    repo.commit("I keep what the scan wrote")
    held = read_snapshot(repo.path)
    with pytest.raises(StepFailed, match="HEAD moved"):
        through(repo.path, "commit")
    assert read_snapshot(repo.path) == held
    assert scan(repo.path).created == ()
    assert repo.status() == ""


def test_a_step_that_is_done_twice_gives_the_same(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    through(repo.path, *BEFORE_COMMIT)
    once = read_snapshot(repo.path)
    through(repo.path, "apply-reconcile")
    assert read_snapshot(repo.path) == once
    through(repo.path, "commit")
    assert repo.status() == ""


def test_a_run_left_before_its_commit_is_undone_by_the_next_scan(repo):
    repo.commit("one", **{"CLAUDE.md": TABS})
    through(repo.path, *BEFORE_COMMIT)
    report = scan(repo.path)
    assert len(report.created) == 2
    assert repo.status() == ""
