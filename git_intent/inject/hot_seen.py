"""What single contexts come to, remembered beside the record of the hot path.

Working these out takes git, the reader of patterns, or the parser of workflows; none of
it changes as long as the record holds. The file `inject-N-seen` of the hot cache holds
the `key` of the record it belongs to and three mappings:

    bases   branch, commit of HEAD and of each default branch -> what they differ from
    paths   path -> (domains whose patterns match it, numbers of `patterns` that do)
    steps   (workflow, step) -> (domains declared or reached, name of the prompt)

A step that cannot be answered without a warning, or is off, is not remembered.
"""

from git_intent import cache

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

#: A context with more paths is worked out each time.
MOST_PATHS = 20_000

Step = tuple[tuple[str, ...], str]
Match = tuple[tuple[str, ...], tuple[int, ...]]


class Seen:
    """Answers from memory, else worked out and then kept by `save`."""

    def __init__(self, record: "Mapping[str, Any]", common: str, name: str) -> None:
        self._record, self._common = record, common
        self._name, self._learned = f"{name}-seen", False
        self._bases: dict[tuple[str, ...], str] = {}
        self._paths: dict[str, Match] = {}
        self._steps: dict[tuple[str, str], Step] = {}
        found = cache.read(common, self._name)
        value: Any = found[1] if found else None
        if value and value[0] == record["key"]:
            _, self._bases, self._paths, self._steps = value

    def base(self, refs: "Iterable[str]") -> str:
        """The commit that the work tree is compared with; empty if there is none."""
        key = tuple(refs)
        if key not in self._bases:
            from pathlib import Path

            from git_intent.git.changes import base_of
            from git_intent.git.repository import Repository

            repo = Repository.discover(Path(self._record["root"]))
            self._bases = {key: base_of(repo)[0]}
            self._learned = True
        return self._bases[key]

    def step(self, workflow: str, step: str) -> Step | None:
        """What a step declares; None if there is more to say about it."""
        if not workflow:
            return (), ""
        if (workflow, step) not in self._steps:
            from pathlib import Path

            from git_intent.inject.context import gather

            root = Path(self._record["root"])
            found = gather(None, root, workflow=workflow, step=step)
            context = found.context
            unknown = [d for d in context.domains if d not in self._record["places"]]
            if found.off or found.warnings or unknown:
                return None
            below = [name for _, path in context.repos for name in self._below(path)]
            domains = tuple(dict.fromkeys((*context.domains, *below)))
            self._steps[workflow, step] = domains, context.prompt_name
            self._learned = True
        return self._steps[workflow, step]

    def _below(self, repository: str) -> "Iterator[str]":
        """The domains that may match something in a declared repository."""
        from git_intent.inject.scope import covers

        for name, patterns in self._record["places"].items():
            if covers(patterns, f"{repository}/"):
                yield name

    def matches(self, paths: "Iterable[str]") -> "list[Match]":
        """For each path what matches it."""
        return [self._paths.get(path) or self._match(path) for path in paths]

    def _match(self, path: str) -> Match:
        from git_intent.inject.scope import covers

        places, patterns = self._record["places"], self._record["patterns"]
        found = (
            tuple(name for name, own in places.items() if covers(own, path)),
            tuple(i for i, own in enumerate(patterns) if covers(own, path)),
        )
        if len(self._paths) >= MOST_PATHS:
            self._paths.clear()
        self._paths[path] = found
        self._learned = True
        return found

    def save(self) -> None:
        """Keep what was worked out."""
        if self._learned:
            value = (self._record["key"], self._bases, self._paths, self._steps)
            cache.save(self._common, self._name, {}, value)
