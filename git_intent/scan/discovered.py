"""The artifact of discover-domains: domains to add, and entries to mark as a person's.

`domains.json`: {"version": 1, "base": sha256 of domains.yaml or "", "added": [{"name",
"description", "paths"}], "marked": [names]}. A step of a project's own workflow may
have written it.
"""

from dataclasses import dataclass
from typing import Any

from git_intent.errors import IntentError
from git_intent.store.domains import (
    Domain,
    Domains,
    add_domain,
    edit_domain,
    parse_domains,
)
from git_intent.store.intent_dir import DOMAINS


@dataclass(frozen=True, slots=True)
class Discovered:
    """`base` is the sha256 of domains.yaml when it was surveyed, empty without one."""

    added: tuple[Domain, ...] = ()
    marked: tuple[str, ...] = ()
    base: str = ""

    @property
    def empty(self) -> bool:
        return not self.added and not self.marked

    def applied(self, data: bytes | None) -> bytes | None:
        """domains.yaml with the new domains; the words that it holds stay."""
        known = parse_domains(data, DOMAINS) if data is not None else Domains()
        for name in self.marked:
            if data is not None and known.get(name):
                data = edit_domain(data, name, user_edited=True, path=DOMAINS)
        for domain in self.added:
            if known.get(domain.name) is None:
                data = add_domain(data, domain, DOMAINS)
        return data

    def to_json(self) -> dict[str, Any]:
        return {
            "version": 1,
            "base": self.base,
            "added": [
                {"name": d.name, "description": d.description, "paths": list(d.paths)}
                for d in self.added
            ],
            "marked": list(self.marked),
        }

    @classmethod
    def from_json(cls, value: Any) -> "Discovered":
        added = value.get("added") if isinstance(value, dict) else None
        if not isinstance(added, list):
            raise _wrong("/added: expected a list")
        return cls(
            tuple(map(_domain, added)),
            _texts(value.get("marked", []), "/marked"),
            str(value.get("base", "")),
        )


def _domain(value: Any) -> Domain:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise _wrong("/added: expected objects with a name")
    paths = _texts(value.get("paths", []), "/added/paths")
    return Domain(value["name"], str(value.get("description", "")), paths)


def _texts(value: Any, pointer: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise _wrong(f"{pointer}: expected a list of texts")
    return tuple(value)


def _wrong(text: str) -> IntentError:
    return IntentError(
        f"domains.json: {text}",
        "the step that wrote this file does not follow docs/formats.md",
    )
