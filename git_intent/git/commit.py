"""Commit exactly the given paths, and nothing else of the user's.

The commit is built aside from HEAD's tree and judged; the user's hooks see it as they
see any commit; it is signed if the user signs; and only then the branch moves, by
compare-and-swap. Until that moment a failure or a kill changes nothing that git shows.
Afterwards the user's index learns of the committed paths alone.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.files import write_atomic
from git_intent.git import pending
from git_intent.git.aside import Aside, aside
from git_intent.git.hooks import Hooks, prepare_hooks
from git_intent.git.identity import identities
from git_intent.git.objects import snapshot
from git_intent.git.process import GitError, GitTimeoutError, git_in_time, run_git
from git_intent.git.refs import swap_ref
from git_intent.git.repository import Head, Repository

Snapshot = Mapping[str, bytes]
#: (parent, new) → what speaks against the commit, each printable.
Judge = Callable[[Snapshot, Snapshot], Sequence[object]]

_BEFORE = ("pre-commit", "prepare-commit-msg", "commit-msg")


class CommitRefusedError(IntentError):
    """The judge found something; `findings` holds it."""

    def __init__(self, findings: Sequence[object]) -> None:
        listed = "".join(f"\n  {finding}" for finding in findings)
        super().__init__(
            f"the commit breaks the rules:{listed}", "nothing was committed"
        )
        self.findings = tuple(findings)


@dataclass(frozen=True, slots=True)
class Signing:
    """How long to wait for a signature, and whether a person can be asked for one."""

    seconds: float = 30
    terminal: bool = False


def commit_paths(
    repo: Repository,
    changes: Mapping[str, bytes | None],
    message: str,
    *,
    base: str,
    judge: Judge,
    branch: str | None = None,
    folder: str = ".cloche/intent",
    signing: Signing = Signing(),
    hooks_env: Mapping[str, str] = {},
) -> str:
    """Commit `changes` (path → bytes, None removes) on top of `base`; give the id.

    The bytes are those of the work tree: filters and line ends apply as in `git add`.
    `base` is the commit that HEAD must still stand at, empty for an unborn branch, and
    `branch` the ref, if it matters. `judge` sees the files below `folder` before and
    after, and the user's hooks the variables in `hooks_env`. Gives an empty text, and
    does nothing, if the changes change nothing. Raises IntentError, with everything as
    it was, if HEAD moved, the judge or a hook refuses, or a signature that git is set
    to make does not come in time.
    """
    if not changes:
        return ""
    head = _expected_head(repo, base, branch)
    pending.settle(repo)
    with aside(repo) as place:
        work = _Commit(repo, place, base, folder, judge)
        wanted = {repo.to_top(path): data for path, data in changes.items()}
        tree = work.check(place.build(base, wanted), wanted)
        if not tree:
            return ""
        hooks = prepare_hooks(place, tree, (*_BEFORE, "post-commit"), hooks_env)
        text = _run_hooks(hooks, message, place.folder / "COMMIT_EDITMSG")
        final = work.recheck(tree, wanted) if hooks.env else tree
        commit = work.write(final, text, signing)
        with pending.moving(repo, commit, base, changes):
            _move(repo, head, commit, base, text)
        if not hooks.in_place:
            work.hand_back(tree, final, wanted)
        hooks.tell("post-commit")
    return commit


def _expected_head(repo: Repository, base: str, branch: str | None) -> Head:
    """Where HEAD stands, if that is where the caller believes it to be."""
    if repo.worktree is None:
        raise IntentError(
            "a bare repository has no work tree to commit from", "use a clone"
        )
    operation = repo.operation()
    if operation:
        raise IntentError(
            f"a {operation} is in progress",
            f"finish it or end it (git {operation} --abort), then run this again",
        )
    head = repo.head()
    if head.oid != base or branch not in (None, head.branch):
        raise IntentError(
            f"HEAD moved meanwhile: from {base or 'no commit'} to "
            f"{head.oid or 'no commit'} on {head.branch or 'no branch'}",
            "nothing was committed; run the command again",
        )
    return head


@dataclass(frozen=True, slots=True)
class _Commit:
    """One commit in the making."""

    repo: Repository
    place: Aside
    base: str
    folder: str
    judge: Judge

    def check(self, tree: str, wanted: Mapping[str, bytes | None]) -> str:
        """Judge a tree; give it back, or nothing if it is that of the base."""
        changed = _changed(self.repo, self.base, tree)
        strange = sorted(changed - set(wanted))
        if strange:
            raise IntentError(
                f"a hook staged {', '.join(strange)}",
                "the commit is for the store alone; nothing was committed",
            )
        if not changed:
            return ""
        before = snapshot(self.repo, self.base, self.folder) if self.base else {}
        after = snapshot(self.repo, tree, self.folder)
        findings = self.judge(before, after)
        if findings:
            raise CommitRefusedError(findings)
        return tree

    def recheck(self, tree: str, wanted: Mapping[str, bytes | None]) -> str:
        """The tree as the hooks leave it, judged again if they changed it."""
        final = self.place.write_tree()
        if final != tree and not self.check(final, wanted):
            raise IntentError("a hook took all changes back", "nothing was committed")
        return final

    def hand_back(
        self, tree: str, final: str, wanted: Mapping[str, bytes | None]
    ) -> None:
        """Give the user's files what hooks changed, unless the user did so too."""
        top = self.repo.worktree
        assert top is not None
        for path in _changed(self.repo, tree, final):
            made, theirs = self.place.worktree / path, top / path
            both = made.is_file() and theirs.is_file()
            if both and theirs.read_bytes() == wanted[path]:
                write_atomic(theirs, made.read_bytes())

    def write(self, tree: str, text: str, signing: Signing) -> str:
        """Write the commit object."""
        parents = ["-p", self.base] if self.base else []
        args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", *parents, "-F", "-"]
        if _signs(self.repo):
            args.append("-S")
        try:
            out = git_in_time(
                [*args, tree],
                cwd=self.repo.root,
                input=text.encode(),
                env=self.repo.environment(identities(self.repo)),
                seconds=signing.seconds,
                terminal=signing.terminal,
            )
        except (GitError, GitTimeoutError) as error:
            raise IntentError(
                f"the commit could not be written or signed: {error.message}",
                "nothing was committed; see commit.gpgSign, gpg.format and "
                "user.signingKey, or run this where the key can be unlocked",
            ) from error
        return out.decode().strip()


def _changed(repo: Repository, base: str, tree: str) -> set[str]:
    """The paths, from the top, in which `tree` differs from the base."""
    if base:
        args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, tree]
    else:
        args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree]
    out = repo.git(*args)
    return {os.fsdecode(path) for path in out.split(b"\0") if path}


def _run_hooks(hooks: Hooks, message: str, file: Path) -> str:
    """Let the hooks see the commit, and give the message as they leave it."""
    file.write_text(message, encoding="utf-8")
    hooks.run("pre-commit")
    hooks.run("prepare-commit-msg", str(file), "message")
    hooks.run("commit-msg", str(file))
    # what git does to a message that nobody edited: no line is taken for a comment
    out = run_git(["stripspace"], cwd=file.parent, input=file.read_bytes())
    text = out.decode(errors="replace")
    if not text:
        raise IntentError("a hook left the commit without a message")
    return text


def _signs(repo: Repository) -> bool:
    args = ("config", "--type=bool", "--default=false", "commit.gpgSign")
    return repo.git(*args, check=False).strip() == b"true"


def _move(repo: Repository, head: Head, commit: str, base: str, text: str) -> None:
    """Move the branch, or the detached HEAD, from the base to the commit."""
    if repo.head() != head:
        raise IntentError(
            "HEAD moved meanwhile", "nothing was committed; run this again"
        )
    kind = "commit" if base else "commit (initial)"
    subject = text.partition("\n")[0]
    swap_ref(repo, head.branch or "HEAD", commit, base, f"{kind}: {subject}")
