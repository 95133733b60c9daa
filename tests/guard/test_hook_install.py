"""Git hooks beside whatever is there: chained, refused, never overwritten."""

import contextlib
import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent import files
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.guard import hook_install, hook_script
from tests.support.repo import Repo

PYTHON = "/nonexistent/python"
SHELLS = [
    [found]
    for name in ("dash", "bash", "ksh", "zsh", "mksh", "yash")
    if (found := shutil.which(name))
]
BUSYBOX = shutil.which("busybox")
TRACE = """\
printf 'before %s' "$(basename "$0")" >> "$TRACE"
for one in "$@"; do printf ' <%s>' "$one" >> "$TRACE"; done
echo >> "$TRACE"
"""
PRIORS = {
    "sh": f"#!/bin/sh\n{TRACE}exit ${{CODE:-0}}\n",
    "strict sh": f"#!/bin/sh -eu\n{TRACE}exit ${{CODE:-0}}\n",
    "env bash": f"#!/usr/bin/env bash\n{TRACE}exit ${{CODE:-0}}\n",
    "no last line": f"#!/bin/sh\n{TRACE}exit ${{CODE:-0}}",
    "no shebang": f"{TRACE}exit ${{CODE:-0}}\n",
    "python": (
        f"#!{sys.executable}\nimport os, sys\n"
        "open(os.environ['TRACE'], 'a').write('before pre-commit\\n')\n"
        "sys.exit(int(os.environ.get('CODE', '0')))\n"
    ),
    "lefthook": (
        '#!/bin/sh\nif [ "$LEFTHOOK" = "0" ]; then\n  exit 0\nfi\n'
        f"call_lefthook()\n{{\n{TRACE}return ${{CODE:-0}}\n}}\n"
        'call_lefthook run "pre-commit" "$@"\n'
    ),
}


def tree(folder: Path) -> dict[str, tuple]:
    """Everything below a folder: kind, mode, bytes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if path.is_symlink():
            found[str(path)] = ("link", path.readlink())
        elif path.is_dir():
            found[str(path)] = ("folder", stat.S_IMODE(mode))
        else:
            found[str(path)] = (stat.S_IMODE(mode), path.read_bytes())
    return found


def install(repo, python=PYTHON):
    plan = hook_install.plan_install(Repository.discover(repo.path), python)
    for step in plan.steps:
        step.take()
    return plan


def uninstall(repo):
    plan = hook_install.plan_uninstall(Repository.discover(repo.path))
    for step in plan.steps:
        step.take()
    return plan


@pytest.fixture
def trace(tmp_path, monkeypatch):
    """What hooks said, in order; `git-intent` is a program that only says so."""
    said = tmp_path / "trace"
    said.touch()
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "git-intent"
    program.write_text(
        '#!/bin/sh\necho "check $*" >> "$TRACE"\nexit "${CHECK:-0}"\n', "utf-8"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TRACE", str(said))

    def lines():
        found = said.read_text().splitlines()
        said.write_text("")
        return found

    return lines


def commit(repo, **env):
    """Try to commit; gives the exit code and what was printed."""
    done = subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-m", "x"],
        cwd=repo.path,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def put(path: Path, text: str, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def test_n159_without_other_hooks_the_check_runs_and_blocks(repo, trace):
    before = tree(repo.path)
    install(repo)
    assert commit(repo)[0] == 0
    assert trace() == ["check check --hook"]
    assert commit(repo, CHECK="1")[0] == 1
    uninstall(repo)
    repo.git("update-ref", "-d", "HEAD")
    hooks = {path for path in tree(repo.path) if "/hooks" in path}
    assert hooks == {path for path in before if "/hooks" in path}


@pytest.mark.parametrize("kind", PRIORS)
def test_n159_a_hook_that_was_there_runs_first_and_still_blocks(repo, trace, kind):
    put(repo.path / ".git/hooks/pre-commit", PRIORS[kind], 0o750)
    put(repo.path / ".git/hooks/pre-merge-commit", PRIORS["sh"])
    before = tree(repo.path)
    install(repo)
    assert commit(repo)[0] == 0
    said = trace()
    assert said[0].startswith("before pre-commit")
    assert said[1:] == ["check check --hook"]
    assert commit(repo, CODE="7")[0] == 1
    assert len(trace()) == 1
    assert commit(repo, CHECK="1")[0] == 1
    installed = tree(repo.path / ".git/hooks")
    assert install(repo).steps == ()
    assert tree(repo.path / ".git/hooks") == installed
    uninstall(repo)
    assert {p: v for p, v in tree(repo.path).items() if "/hooks" in p} == {
        p: v for p, v in before.items() if "/hooks" in p
    }
    assert uninstall(repo).steps == ()


def test_n159_a_shell_hook_keeps_its_name_and_its_arguments(repo, trace):
    hook = put(repo.path / ".git/hooks/pre-commit", PRIORS["sh"])
    install(repo)
    subprocess.run([hook, "a b", "c\\d", ""], cwd=repo.path, check=True)
    assert trace() == [
        "before pre-commit <a b> <c\\d> <>",
        "check check --hook",
    ]


def test_n159_a_hook_that_git_does_not_run_stays_unrun(repo, trace):
    hook = put(repo.path / ".git/hooks/pre-commit", PRIORS["sh"], 0o644)
    before = tree(hook.parent)
    install(repo)
    assert commit(repo)[0] == 0
    assert trace() == ["check check --hook"]
    uninstall(repo)
    assert tree(hook.parent) == before


def test_n159_a_link_to_a_tracked_script_is_chained_and_the_script_is_not_written(
    repo, trace
):
    script = put(repo.path / "tools/hook", PRIORS["sh"])
    repo.commit()
    hook = repo.path / ".git/hooks/pre-commit"
    hook.symlink_to("../../tools/hook")
    before = tree(hook.parent)
    install(repo)
    assert commit(repo)[0] == 0
    assert [line.split()[0] for line in trace()] == ["before", "check"]
    assert script.read_text() == PRIORS["sh"]
    assert repo.status() == ""
    uninstall(repo)
    assert tree(hook.parent) == before


def test_n159_a_folder_that_was_not_there_is_not_there_afterwards(repo):
    shutil.rmtree(repo.path / ".git/hooks")
    install(repo)
    assert (repo.path / ".git/hooks/pre-commit").stat().st_mode & 0o111
    uninstall(repo)
    assert not (repo.path / ".git/hooks").exists()


def test_what_a_person_added_to_our_hook_stays(repo):
    install(repo)
    hook = repo.path / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text() + "echo mine\n")
    assert install(repo).steps == ()
    install(repo, "/other/python")
    assert hook.read_text().endswith("echo mine\n")
    assert "/other/python" in hook.read_text()
    uninstall(repo)
    assert hook.read_text() == "#!/bin/sh\necho mine\n"


def test_n159_beside_husky_in_the_folder_that_git_ignores(repo, trace):
    put(repo.path / ".husky/pre-commit", TRACE + "exit ${CODE:-0}\n", 0o644)
    repo.commit()
    folder = repo.path / ".husky/_"
    put(folder / ".gitignore", "*")
    body = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"'
    for hook in hook_install.HOOKS:
        put(folder / hook, body)
    put(
        folder / "h",
        '#!/usr/bin/env sh\nn=$(basename "$0")\n'
        's=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\n'
        'sh -e "$s" "$@"\nc=$?\nexit $c\n',
        0o644,
    )
    repo.git("config", "core.hooksPath", ".husky/_")
    before = tree(repo.path / ".husky")
    plan = install(repo)
    assert any("husky makes its hooks anew" in text for text in plan.remarks)
    assert commit(repo)[0] == 0
    assert trace() == ["before pre-commit", "check check --hook"]
    assert commit(repo, CODE="1")[0] == 1
    assert trace() == ["before pre-commit"]
    assert repo.status() == ""
    assert repo.git("config", "core.hooksPath") == ".husky/_"
    uninstall(repo)
    assert tree(repo.path / ".husky") == before


@pytest.mark.parametrize("place", ["tracked", "untracked", "link"])
def test_n159_a_hooks_folder_in_the_work_tree_is_refused_with_the_line(repo, place):
    put(repo.path / ".husky/pre-commit", PRIORS["sh"])
    if place != "untracked":
        repo.commit()
    if place == "link":
        shutil.rmtree(repo.path / ".git/hooks")
        (repo.path / ".git/hooks").symlink_to("../.husky")
    else:
        repo.git("config", "core.hooksPath", ".husky")
    before = tree(repo.path)
    with pytest.raises(IntentError) as error:
        install(repo)
    assert "part of the work tree" in error.value.message
    assert "git intent check --hook" in error.value.hint
    assert tree(repo.path) == before


def test_n159_a_folder_that_serves_other_repositories_is_refused(repo, home):
    put(home / "hooks/pre-commit", PRIORS["sh"])
    repo.git("config", "--global", "core.hooksPath", str(home / "hooks"))
    before = tree(home)
    with pytest.raises(IntentError, match="serve other repositories"):
        install(repo)
    assert tree(home) == before


def test_n159_hooks_that_are_switched_off_stay_off(repo):
    repo.git("config", "core.hooksPath", "/dev/null")
    with pytest.raises(IntentError, match="switches all hooks off"):
        install(repo)
    assert uninstall(repo).steps == ()


@pytest.mark.parametrize("end", [1, 2, 3])
def test_a_full_disk_is_said_and_the_old_hook_stays(repo, monkeypatch, end):
    hook = put(repo.path / ".git/hooks/pre-commit", PRIORS["python"])
    before = tree(hook.parent)
    left = [end]

    def full(name):
        left[0] -= 1
        if not left[0]:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "on_effect", full)
    with pytest.raises(IntentError, match="pre-commit: No space left on device"):
        install(repo)
    assert tree(hook.parent) == before


def test_a_folder_below_the_git_directory_is_ours_to_write(repo, trace):
    repo.git("config", "core.hooksPath", ".git/own hooks")
    put(repo.path / ".git/own hooks/pre-commit", PRIORS["sh"])
    install(repo)
    assert commit(repo)[0] == 0
    assert trace() == ["before pre-commit", "check check --hook"]


def test_hooks_in_gits_own_folder_go_although_hooks_path_was_set_since(repo):
    before = tree(repo.path / ".git/hooks")
    install(repo)
    repo.git("config", "core.hooksPath", ".husky")
    uninstall(repo)
    assert tree(repo.path / ".git/hooks") == before


def test_n159_a_linked_worktree_shares_the_hooks(repo, trace, tmp_path):
    repo.commit()
    linked = Repo(tmp_path / "a linked one")
    repo.git("worktree", "add", "-q", "--detach", str(linked.path))
    install(linked)
    assert (repo.path / ".git/hooks/pre-commit").exists()
    for place in (repo, linked):
        assert commit(place)[0] == 0
        assert trace() == ["check check --hook"]


@pytest.mark.parametrize("again", ["install", "install -f", "uninstall"])
def test_n159_beside_the_real_pre_commit(repo, trace, again):
    program = Path(sys.executable).with_name("pre-commit")
    script = 'echo before pre-commit >> "$TRACE"\nexit "${CODE:-0}"\n'
    config = (
        "repos: [{repo: local, hooks: [{id: x, name: x, language: system, "
        "always_run: true, pass_filenames: false, entry: sh x.sh}]}]\n"
    )
    repo.commit_files({".pre-commit-config.yaml": config, "x.sh": script})

    def pre_commit(*args):
        subprocess.run([program, *args], cwd=repo.path, check=True, capture_output=True)

    pre_commit("install")
    before = tree(repo.path / ".git/hooks")
    install(repo)
    assert commit(repo)[0] == 0
    assert sorted(trace()) == ["before pre-commit", "check check --hook"]
    assert commit(repo, CODE="1")[0] == 1
    assert commit(repo, CHECK="1")[0] == 1
    trace()
    pre_commit(*again.split())
    if again != "install -f":  # which asks for the loss of all other hooks
        assert install(repo).steps == ()
        assert commit(repo)[0] == 0
        assert "check check --hook" in trace()
    uninstall(repo)
    if again == "uninstall":
        assert not (repo.path / ".git/hooks/pre-commit").exists()
    else:
        assert tree(repo.path / ".git/hooks") == before


def test_a_hook_made_anew_since_is_chained_again(repo, trace):
    hook = put(repo.path / ".git/hooks/pre-commit", PRIORS["lefthook"])
    install(repo)
    put(hook, PRIORS["lefthook"])
    install(repo)
    assert commit(repo)[0] == 0
    assert [line.split()[0] for line in trace()] == ["before", "check"]


def test_a_hook_put_aside_is_never_overwritten(repo):
    hook = put(repo.path / ".git/hooks/pre-commit", PRIORS["python"])
    install(repo)
    put(hook, PRIORS["no shebang"])
    beside = hook.with_name("pre-commit.before-git-intent")
    with pytest.raises(IntentError, match="in the way"):
        install(repo)
    plan = uninstall(repo)
    assert any("compare the two" in text for text in plan.remarks)
    assert beside.read_text() == PRIORS["python"]
    assert hook.read_text() == PRIORS["no shebang"]


@pytest.mark.parametrize("end", range(1, 8))
def test_a_kill_leaves_what_the_next_run_goes_on_from(repo, monkeypatch, trace, end):
    hook = put(repo.path / ".git/hooks/pre-commit", PRIORS["python"])
    before = tree(hook.parent)

    class Killed(BaseException):
        pass

    def run(act):
        left = [end]

        def count(name):
            left[0] -= 1
            if not left[0]:
                raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(files, "on_effect", count)
            with contextlib.suppress(Killed):
                act(repo)

    run(install)
    install(repo)
    assert commit(repo)[0] == 0
    assert trace() == ["before pre-commit", "check check --hook"]
    run(uninstall)
    uninstall(repo)
    assert tree(hook.parent) == before


# The glue


def runs(script: Path, shell: list[str], **env) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*shell, script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )


@pytest.fixture(params=[*SHELLS, *([[BUSYBOX, "sh"]] if BUSYBOX else [])], ids=str)
def shell(request):
    return request.param


def test_n163_the_glue_runs_in_every_shell(shell, trace, tmp_path):
    folder = tmp_path / "a b\\c'd"
    hook = put(folder / "pre-commit", "")
    hook.write_bytes(hook_script.whole("pre-commit", PYTHON, folder=False))
    beside = put(folder / f"pre-commit{hook_script.BESIDE}", PRIORS["sh"])
    assert runs(hook, shell).returncode == 0
    assert trace() == ["before pre-commit.before-git-intent", "check check --hook"]
    assert runs(hook, shell, CODE="9").returncode == 9
    assert runs(hook, shell, CHECK="2").returncode == 1
    beside.unlink()
    prior = f"#!{' '.join(shell)}\n{TRACE}exit ${{CODE:-0}}\n".encode()
    trace()
    assert hook_script.is_shell(prior)
    hook.write_bytes(hook_script.inserted(prior, "pre-commit", PYTHON))
    assert runs(hook, []).returncode == 0
    assert trace() == ["before pre-commit", "check check --hook"]
    assert runs(hook, [], CODE="9").returncode == 9
    assert runs(hook, [], CHECK="2").returncode == 1


@pytest.mark.parametrize("program", ["", "#!/nonexistent/python\n"])
def test_n163_without_python_the_message_is_clear(shell, trace, tmp_path, program):
    bin = tmp_path / "bin"
    (bin / "git-intent").unlink()
    if program:
        put(bin / "git-intent", program)
    for name in ("sh", "dirname", "basename"):
        (bin / name).symlink_to(shutil.which(name))
    hook = put(tmp_path / "pre-commit", "")
    hook.write_bytes(hook_script.whole("pre-commit", PYTHON, folder=False))
    done = runs(hook, shell, PATH=str(bin))
    assert done.returncode == 1
    assert "the pre-commit hook found no git-intent that runs" in done.stderr
    assert "--no-verify" in done.stderr


def test_n163_the_python_that_installed_it_is_asked_if_nothing_is_on_the_path(
    shell, trace, tmp_path
):
    (tmp_path / "bin/git-intent").unlink()
    python = put(
        tmp_path / "my \\venv's/python",
        '#!/bin/sh\n[ "$1" = -c ] || echo "python $*" >> "$TRACE"\n',
    )
    hook = put(tmp_path / "pre-commit", "")
    hook.write_bytes(hook_script.whole("pre-commit", str(python), folder=False))
    done = runs(hook, shell, PATH=f"{tmp_path / 'bin'}{os.pathsep}/usr/bin:/bin")
    assert (done.returncode, done.stderr) == (0, "")
    assert trace() == ["python -m git_intent check --hook"]


def test_n163_a_checkout_with_other_line_ends_makes_the_same_hook(
    tmp_path, monkeypatch
):
    wanted = hook_script.whole("pre-commit", PYTHON, folder=False)
    glue = hook_script._GLUE.read_bytes()
    assert b"\r" not in glue
    spoilt = tmp_path / "check.sh"
    spoilt.write_bytes(glue.replace(b"\n", b"\r\n"))
    monkeypatch.setattr(hook_script, "_GLUE", spoilt)
    assert hook_script.whole("pre-commit", PYTHON, folder=False) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "#!/bin/sh",
        "#! /bin/sh -e",
        "#!/usr/bin/env bash",
        "#!/bin/bash",
        "#!/bin/busybox sh",
    ],
)
def test_a_block_goes_behind_the_first_line_and_out_again(line):
    data = f"{line}\nset -e\n".encode()
    assert hook_script.is_shell(data)
    there = hook_script.inserted(data, "pre-commit", PYTHON)
    assert there.startswith(f"{line}\n# >>> git-intent >>>".encode())
    assert hook_script.renewed(there, "pre-commit", PYTHON) == there
    assert hook_script.removed(there) == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"#!/bin/sh",
        b"#!/bin/sh\r\n",
        b"#!/usr/bin/env python3\n",
        b"#!/usr/bin/env -S bash -e\n",
        b"#!/usr/bin/fish\n",
        b"\x7fELF\0",
        b"#!/bin/sh\n\0",
    ],
)
def test_what_is_no_plain_shell_script_is_left_whole(data):
    assert not hook_script.is_shell(data)
