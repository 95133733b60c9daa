"""What a scan compares its candidates with: the requirements and all their wordings.

A requirement counts under every statement that any version of its file in HEAD's
history ever had, so that a sentence which a person reworded is still recognised.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from git_intent.files import sha256
from git_intent.store.intent_dir import Store
from git_intent.store.requirement import Kind, Requirement, Status
from git_intent.store.requirement_file import normalise

_PROMPTS = ".cloche/prompts/"


@dataclass(frozen=True, slots=True)
class Known:
    """A requirement as it is now. `base` is the sha256 of its file's bytes,
    `statements` its wordings, today's first. `by_person` is set if it was asked and
    found that a person wrote the words; the flag in the file says so by itself."""

    requirement: Requirement
    base: str
    statements: tuple[str, ...]
    by_person: bool = False

    @property
    def id(self) -> str:
        return self.requirement.id

    @property
    def active(self) -> bool:
        return self.requirement.status == Status.ACTIVE

    @property
    def from_document(self) -> bool:
        """Whether its source is a file that can change, not something said once."""
        origin = self.requirement.provenance
        return origin.kind == Kind.DOC or (
            origin.kind == Kind.PROMPT and _PROMPTS in origin.ref
        )

    @property
    def wordings(self) -> frozenset[str]:
        return frozenset(map(normalise, self.statements))


def know(
    store: Store,
    earlier: Mapping[str, Sequence[str]],
    by_person: Callable[[str], bool] = lambda _: False,
) -> dict[str, Known]:
    """All requirements by id; `earlier` holds the former wordings of some."""
    found = {}
    for name, requirement in store.requirements.items():
        said = {normalise(requirement.statement): requirement.statement}
        for statement in earlier.get(name, ()):
            said.setdefault(normalise(statement), statement)
        base = sha256(store.bytes[name])
        found[name] = Known(requirement, base, tuple(said.values()), by_person(name))
    return found


def final_successor(known: Mapping[str, Known], name: str) -> Known | None:
    """The end of the chain of successors that begins at `name`; None in a cycle."""
    seen = set()
    at = known.get(name)
    while at and at.requirement.status == Status.SUPERSEDED and at.id not in seen:
        seen.add(at.id)
        at = known.get(at.requirement.superseded_by)
    return None if at is None or at.id in seen else at
