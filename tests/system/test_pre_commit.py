"""The hooks as pre-commit installs and runs them."""

import os
import re
import sys

import pytest
import yaml

from git_intent.store.intent_dir import requirement_path
from tests.support.guarding import everything
from tests.support.markdown import Page
from tests.support.pre_commit import HOOKS, ROOT, PreCommit
from tests.support.snapshots import content, requirement

ONE, TWO = map(requirement_path, ("req-0001", "req-0002"))


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture
def hooks(shared, hermetic):
    return PreCommit.shared(shared)


@pytest.fixture
def guarded(repo, hooks):
    """A store of two commits, so that nothing in it may be taken back freely."""
    hooks.configure(repo)
    repo.write(ONE, content(requirement("req-0001")))
    repo.write(TWO, content(requirement("req-0002")))
    repo.commit("store")
    repo.commit("more", notes="x")
    return repo


def findings(text: str) -> list[str]:
    return re.findall(r"^\S+:\d+:\d+: [IC]\d{3} .*$", text, re.MULTILINE)


def test_n153_try_repo_runs_all_three(repo, hooks):
    repo.write(ONE, content(requirement("req-0001")))
    repo.commit("store")
    done = hooks.run(repo, "try-repo", str(hooks.source), "--all-files", "--verbose")
    assert done.code == 0, done.out + done.err
    for name in HOOKS:
        assert re.search(rf"hook id: {name}\n", done.out)
    assert done.out.count("Passed") == 3


def test_n153_a_thousand_files_over_several_processes(repo, hooks):
    """As many findings as files that are broken, each once, as in one process."""
    hooks.configure(repo, "git-intent-check")
    for number in range(1000):
        path = requirement_path(f"req-{number:04x}")
        data = content(requirement(f"req-{number:04x}"))
        if number % 50 == 0:
            data = data.replace(b"status: active", b"status: live")
        repo.write(path, data)
    repo.git("add", "-A")
    done = hooks.run(repo, "run", "--all-files")
    assert done.code == 1
    split = findings(done.out)
    assert len(split) == len(set(split)) == 20
    # pre-commit gives each process a share, in an order of its own.
    alone = findings(repo.intent("check", *repo.git("ls-files", ".cloche").split()).out)
    assert sorted(split) == alone


def test_n153_the_repair_writes_and_fails_once(guarded, hooks):
    hooks.configure(guarded, *HOOKS)
    text = content(requirement("req-0001")).replace(b"active", b"Active")
    guarded.write(ONE, text)
    guarded.git("add", "-A")
    hooks.install(guarded)
    first = hooks.git(guarded, "commit", "-qm", "fix")
    assert first.code != 0
    assert f"repaired {ONE}" in first.out + first.err
    guarded.git("add", "-A")
    assert hooks.git(guarded, "commit", "-qm", "fix").code == 0


def test_n158_a_staged_deletion_is_refused(guarded, hooks):
    hooks.install(guarded)
    guarded.git("rm", "-q", TWO)
    done = hooks.git(guarded, "commit", "-qm", "gone")
    assert done.code == 1
    said = findings(done.out + done.err)
    assert [line.split(" ")[1] for line in said] == ["I101"]


def test_n158_a_clean_merge_of_a_deletion_is_refused(guarded, hooks):
    guarded.git("switch", "-qc", "other")
    guarded.git("rm", "-q", TWO)
    guarded.commit("gone")
    guarded.git("switch", "-q", "main")
    guarded.commit("ours", another="x")
    hooks.install(guarded)
    done = hooks.git(guarded, "merge", "-q", "--no-edit", "other")
    assert done.code != 0
    assert "I101" in done.out + done.err
    guarded.git("merge", "--abort")
    guarded.git("switch", "-qc", "sound", "main")
    guarded.write(requirement_path("req-0003"), content(requirement("req-0003")))
    guarded.commit("sound")
    guarded.git("switch", "-q", "main")
    guarded.commit("ours again", another="y")
    assert hooks.git(guarded, "merge", "-q", "--no-edit", "sound").code == 0


def test_n154_n155_a_range_is_judged_from_where_it_parted(guarded, hooks):
    base = guarded.head()
    guarded.git("rm", "-q", TWO)
    guarded.commit("gone")
    words = ("run", "--from-ref", base, "--to-ref", "HEAD")
    done = hooks.run(guarded, *words)
    assert done.code == 1
    assert [line.split(" ")[1] for line in findings(done.out)] == ["I101"]
    # All files of the commit pass, but it took one away.
    assert "I101" in hooks.run(guarded, "run", "--all-files").out
    guarded.git("revert", "--no-edit", "HEAD")
    assert hooks.run(guarded, *words).code == 0


@pytest.mark.parametrize("way", ["-a", "staged"])
def test_n157_what_is_committed_is_what_is_checked(guarded, hooks, way):
    """Broken in the commit and sound in the work tree, or the other way round."""
    hooks.install(guarded)
    sound = content(requirement("req-0003"))
    path = requirement_path("req-0003")
    guarded.write(path, b"broken\n")
    guarded.git("add", path)
    if way == "staged":
        guarded.write(path, sound)
        assert hooks.git(guarded, "commit", "-qm", "x").code == 1
        assert guarded.read(path) == sound
        guarded.git("add", path)
        guarded.write(path, b"broken\n")
        done = hooks.git(guarded, "commit", "-qm", "x")
    else:
        assert hooks.git(guarded, "commit", "-qam", "x").code == 1
        guarded.write(path, sound)
        done = hooks.git(guarded, "commit", "-qam", "x")
    assert done.code == 0, done.out + done.err
    assert guarded.git("show", f"HEAD:{path}").encode() + b"\n" == sound


def test_the_hooks_change_neither_index_nor_work_tree_nor_settings(guarded, hooks):
    hooks.configure(guarded, *HOOKS)
    guarded.commit("all three")
    guarded.write(ONE, content(requirement("req-0001", statement="Half.")))
    guarded.git("add", ONE)
    guarded.write("untracked", "x")
    guarded.write("notes", "changed")
    guarded.git("add", "-N", "untracked")
    text = content(requirement("req-0002")).replace(b"high", b"sure")
    guarded.write(TWO, text)
    guarded.git("add", TWO)
    before = everything(guarded)
    assert hooks.run(guarded, "run", "--files", TWO, "notes").code == 1
    kept = {ONE: "I105 repairs it"}
    after = everything(guarded)
    different = {path for path in before if before[path] != after.get(path)}
    assert different <= {str(guarded.path / path) for path in kept}
    assert set(before) == set(after)


def test_n162_a_branch_without_a_store_passes(repo, hooks):
    hooks.configure(repo)
    repo.commit("one", a="1")
    hooks.install(repo)
    repo.write("b", "2")
    repo.git("add", "b")
    done = hooks.git(repo, "commit", "-qm", "two")
    assert done.code == 0, done.out + done.err


def test_the_local_form_says_what_the_manifest_says():
    blocks = Page(ROOT / "docs/hooks.md").under("pre-commit", "yaml")
    (text,) = [block.text for block in blocks if "language: system" in block.text]
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    offered = {hook["id"]: hook for hook in manifest}
    assert tuple(sorted(offered)) == tuple(sorted(HOOKS))
    for hook in yaml.safe_load(text)["repos"][0]["hooks"]:
        known = {**offered[hook["id"]], "language": "system"}
        del known["description"]
        assert hook == known


def test_the_program_of_the_system_runs_as_local_hook(repo, hooks):
    """The lean form in docs/hooks.md."""
    (text,) = [
        block.text
        for block in Page(ROOT / "docs/hooks.md").under("pre-commit", "yaml")
        if "language: system" in block.text
    ]
    repo.write(".pre-commit-config.yaml", text)
    repo.write(ONE, content(requirement("req-0001")))
    repo.write(TWO, b"broken\n")
    repo.git("add", "-A")
    program = repo.path.parent / "bin" / "git-intent"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m git_intent "$@"\n')
    program.chmod(0o755)
    env = {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    done = hooks.run(repo, "run", "--all-files", env=env)
    assert done.code == 1
    assert {line.split(" ")[1] for line in findings(done.out)} == {"I002"}
