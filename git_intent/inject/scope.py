"""Stage two: which requirements concern the place that is worked at, and by what.

A domain is reached if the step or workflow names it, if one of its patterns may match
below a declared repository, or if its patterns match a path of the context. A file is
matched as everywhere (`store.globs`); for a folder it is asked whether a pattern may
match below it, component by component, so that `services/api` and `services/api-v2/**`
have nothing in common. `scope.paths` and `scope.languages` then take out what does not
fit the paths, if any are known.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from git_intent.inject.context import Context
from git_intent.inject.entry import Entry
from git_intent.inject.languages import language_of, same_language
from git_intent.store import globs
from git_intent.store.domains import Domains

#: How many paths a reason names.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Reach:
    """The domains that a context concerns, each with the reason; and the narrowing."""

    context: Context
    domains: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def matches(self, entry: Entry) -> str:
        """Why the entry is in scope, or an empty text."""
        why = next((self.domains[d] for d in entry.domains if d in self.domains), "")
        return why if why and not self._narrowed(entry) else ""

    def misses(self, entry: Entry) -> str:
        """Why the entry is out of scope."""
        reached = [d for d in entry.domains if d in self.domains]
        if reached:
            return f"{self.domains[reached[0]]}, but {self._narrowed(entry)}"
        if not entry.domains:
            return "names no domain"
        return "; ".join(map(self._missed, entry.domains))

    def _narrowed(self, entry: Entry) -> str:
        """What of the entry's own scope fits none of the known paths."""
        paths = self.context.paths
        if not paths:
            return ""
        if entry.paths and not any(covers(entry.paths, path) for path in paths):
            return f"scope.paths {_several(entry.paths)} fits none of {_several(paths)}"
        if entry.languages and not any(
            same_language(language, language_of(path))
            for language in entry.languages
            for path in paths
        ):
            return (
                f"scope.languages {_several(entry.languages)} is that of none of "
                f"{_several(paths)}"
            )
        return ""

    def _missed(self, domain: str) -> str:
        if domain not in self.known:
            return f"domain {domain} is not in domains.yaml and not declared"
        patterns = self.known[domain]
        if not patterns:
            return f"domain {domain} has no paths"
        places = [
            *(self.context.paths or ()),
            *(path for _, path in self.context.repos),
        ]
        if not places:
            return f"domain {domain} is not declared, and no paths are known"
        return (
            f"domain {domain}: {_several(patterns)} matches none of {_several(places)}"
        )


def reach(domains: Domains, context: Context) -> Reach:
    """Which domains the context concerns."""
    found = {name: f"domain {name}: {context.declared}" for name in context.domains}
    for domain in domains.domains:
        if domain.name not in found and (why := _reached(domain.paths, context)):
            found[domain.name] = f"domain {domain.name}: {why}"
    return Reach(context, found, {d.name: d.paths for d in domains.domains})


def _reached(patterns: tuple[str, ...], context: Context) -> str:
    if not patterns:
        return ""
    for name, path in context.repos:
        if hit := _below(patterns, path):
            return f"{hit} overlaps repository '{name}' at {path}"
    for path in context.paths or ():
        if covers(patterns, path):
            return f"{_speaking(patterns, path)} matches {path}"
    return ""


def covers(patterns: tuple[str, ...], path: str) -> bool:
    """Whether the patterns match a file, or may match below a folder."""
    return (
        bool(_below(patterns, path))
        if _is_folder(path)
        else globs.matches(patterns, path)
    )


def _is_folder(path: str) -> bool:
    return path.endswith("/")


def _speaking(patterns: tuple[str, ...], path: str) -> str:
    """The pattern by which the path is matched."""
    if _is_folder(path):
        return _below(patterns, path)
    hits = [p for p in patterns if p[:1] != "!" and globs.matching(p, [path])]
    return hits[-1] if hits else patterns[-1]


def _below(patterns: tuple[str, ...], folder: str) -> str:
    """The first pattern that may match something in the folder, or the folder."""
    return next((p for p in patterns if overlaps(p, folder)), "")


def overlaps(pattern: str, folder: str) -> bool:
    """Whether a pattern may match at or below a folder, by path components.

    What `!` takes back does not count: part of the folder may be left.
    """
    if pattern.startswith("!") or globs.valid(pattern):
        return False
    inner = pattern.removeprefix("./").strip("/")
    if "/" not in pattern.removeprefix("./").rstrip("/"):
        return True  # matches at any depth
    parts = [part for part in folder.split("/") if part not in ("", ".")]
    for one, part in zip(inner.split("/"), parts, strict=False):
        if one == "**":
            return True
        if not globs.matches([f"/{one}"], part):
            return False
    return True


def _several(items: "tuple[str, ...] | list[str]") -> str:
    shown = ", ".join(items[:_SHOWN])
    return f"{shown} and {len(items) - _SHOWN} more" if len(items) > _SHOWN else shown
