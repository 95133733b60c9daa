"""Who a commit is by, where git has not been told."""

from git_intent.git.process import git_result
from git_intent.git.repository import Repository

#: Cloche's own.
FALLBACK = ("cloche", "cloche@local")


def identities(repo: Repository) -> dict[str, str]:
    """Variables for author and committer where git has not been told who they are."""
    name, email = FALLBACK
    unknown: dict[str, str] = {}
    for role in ("AUTHOR", "COMMITTER"):
        args = ["-c", "user.useConfigOnly=true", "var", f"GIT_{role}_IDENT"]
        code, _, _ = git_result(args, cwd=repo.root, env=repo.exports)
        if code:
            unknown |= {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": email}
    return unknown
