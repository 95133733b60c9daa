"""Path patterns of domains and scopes: those of .gitignore, read by pathspec.

One meaning for hook, scan and selection: a pattern without a slash matches at any
depth, one with a slash is anchored at the project's root, `**` crosses folders, a
pattern that names a folder covers what lies below, `!` takes back what an earlier
pattern matched, case counts, `{a,b}` is refused. Paths are relative with `/`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_GLOBBING = re.compile(r"[*?\[\\!#\s]")


def matches(patterns: Iterable[str], path: str) -> bool:
    """Does the last pattern that speaks about `path` include it?

    Invalid patterns match nothing: `check` names them, readers go on.
    """
    found = _spec(tuple(patterns)).check_file(path.removeprefix("./"))
    return found.include is True


def matching(pattern: str, paths: Iterable[str]) -> bool:
    """Does one pattern, taken for itself and without its `!`, match any path?"""
    spec = _spec((pattern.removeprefix("!"),))
    return next(iter(spec.match_files(paths)), None) is not None


def count(pattern: str, paths: Iterable[str]) -> int:
    """How many of the paths `matching` finds; none for an invalid pattern."""
    spec = _spec((pattern.removeprefix("!"),))
    return sum(1 for _ in spec.match_files(paths))


def literal_start(pattern: str) -> str:
    """How every path begins that the pattern matches; empty if that is not known."""
    bare = pattern.removeprefix("!").removeprefix("./").rstrip()
    if "/" not in bare.rstrip("/"):
        return ""  # matches at any depth
    return _GLOBBING.split(bare.removeprefix("/"), maxsplit=1)[0]


@lru_cache(maxsize=4096)
def valid(pattern: str) -> str:
    """What is wrong with the pattern, or an empty text."""
    if not pattern.strip():
        return "is empty"
    if pattern.startswith("#"):
        return "would be a comment; write \\#"
    if re.search(r"\\[\w.]", pattern):
        return "holds a backslash; folders are separated by /"
    if pattern.removeprefix("!").startswith(("/../", "../")) or "/../" in pattern:
        return "leaves the project"
    if re.search(r"(?<!\\)\{[^{}]*,[^{}]*\}", pattern):
        return "holds braces, which are not expanded; write one pattern for each"
    return "" if _compiles(pattern) else "is not a pattern that git would accept"


def _compiles(pattern: str) -> bool:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore import GitIgnorePatternError

    try:
        spec = GitIgnoreSpec.from_lines([pattern.removeprefix("./")])
    except (GitIgnorePatternError, re.error):
        return False
    return any(one.include is not None for one in spec.patterns)


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec

    usable = [p.removeprefix("./") for p in patterns if not valid(p)]
    return GitIgnoreSpec.from_lines(usable)
