"""What the tests of commands look at, and an editor for them to open."""

from git_intent.store.intent_dir import load_store, read_snapshot

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
