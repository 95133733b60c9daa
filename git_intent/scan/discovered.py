"""The artifact of discover-domains: domains to add, and the bytes they were added to.

`domains.json`: {"version": 1, "base": sha256 of domains.yaml or "", "added": [{"name",
"description", "paths"}]}. A step of a project's own workflow may have written it.
"""

from dataclasses import dataclass
from typing import Any

from git_intent.errors import IntentError
from git_intent.store.domains import Domain, add_domain, parse_domains
from git_intent.store.intent_dir import DOMAINS


@dataclass(frozen=True, slots=True)
class Discovered:
    """`base` is the sha256 of domains.yaml when it was surveyed, empty without one."""

    added: tuple[Domain, ...] = ()
    base: str = ""

    def applied(self, data: bytes | None) -> bytes | None:
        """domains.yaml with the new domains; what it holds stays as it is."""
        known = parse_domains(data, DOMAINS) if data is not None else None
        for domain in self.added:
            if known is None or known.get(domain.name) is None:
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
        }

    @classmethod
    def from_json(cls, value: Any) -> "Discovered":
        added = value.get("added") if isinstance(value, dict) else None
        if not isinstance(added, list):
            raise _wrong("/added: expected a list")
        return cls(tuple(map(_domain, added)), str(value.get("base", "")))


def _domain(value: Any) -> Domain:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise _wrong("/added: expected objects with a name")
    return Domain(
        value["name"], str(value.get("description", "")), _texts(value.get("paths", []))
    )


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise _wrong("/added/paths: expected a list of texts")
    return tuple(value)


def _wrong(text: str) -> IntentError:
    return IntentError(
        f"domains.json: {text}",
        "the step that wrote this file does not follow docs/formats.md",
    )
