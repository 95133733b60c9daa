"""What two versions of the domain map differ in, by name."""

from collections.abc import Mapping
from dataclasses import dataclass

from git_intent.store.domains import Domain, Domains, examine_domains
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.issue import Severity


@dataclass(frozen=True, slots=True)
class DomainChange:
    """One domain on both sides; None where it is not in the map."""

    name: str
    before: Domain | None
    after: Domain | None

    @property
    def what(self) -> str:
        if self.before is None:
            return "added"
        return "changed" if self.after else "removed"

    @property
    def fields(self) -> tuple[str, ...]:
        """The keys whose values differ, if the domain is on both sides."""
        if self.before is None or self.after is None:
            return ()
        names = ("description", "paths", "user_edited")
        return tuple(
            n for n in names if getattr(self.before, n) != getattr(self.after, n)
        )


def compare_domains(
    before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> tuple[tuple[DomainChange, ...], list[tuple[str, str]]]:
    """The changes by name, and for each side that cannot be read why not."""
    if before.get(DOMAINS) == after.get(DOMAINS):
        return (), []
    broken: list[tuple[str, str]] = []
    maps: list[Domains] = []
    for side, snapshot in (("before", before), ("after", after)):
        found, why = _read(snapshot.get(DOMAINS))
        maps.append(found)
        if why:
            broken.append((side, why))
    if broken:
        return (), broken
    old, new = ({d.name: d for d in found.domains} for found in maps)
    changes = (
        DomainChange(name, old.get(name), new.get(name))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    )
    return tuple(changes), []


def _read(data: bytes | None) -> tuple[Domains, str]:
    if data is None:
        return Domains(), ""
    found = examine_domains(data, DOMAINS)
    if found.domains is None:
        errors = (i for i in found.issues if i.severity is Severity.ERROR)
        return Domains(), str(next(errors))
    return found.domains, ""
