"""Do two scopes concern anybody in common?"""

from git_intent.store.requirement import Level, Scope


def overlap(a: Scope, b: Scope) -> bool:
    """Whether something could fall under both; an empty list narrows nothing."""
    if Level.PROJECT not in (a.level, b.level) and not set(a.domains) & set(b.domains):
        return False
    if a.languages and b.languages and not set(a.languages) & set(b.languages):
        return False
    if not a.paths or not b.paths:
        return True
    return any(_touch(_fixed(x), _fixed(y)) for x in a.paths for y in b.paths)


def _fixed(glob: str) -> tuple[str, ...]:
    """The leading path components that hold no wildcard."""
    parts = []
    for part in glob.removeprefix("./").strip("/").split("/"):
        if any(mark in part for mark in "*?[{"):
            break
        parts.append(part)
    return tuple(parts)


def _touch(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    shorter = min(len(a), len(b))
    return a[:shorter] == b[:shorter]
