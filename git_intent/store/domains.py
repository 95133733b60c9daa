"""domains.yaml: the map of the project's areas.

    version: 1
    domains:
      - name: versioning          # kebab case, unique
        description: Version string management, release process, changelog.
        paths: ["internal/version/**", "docs/plans/*release*"]
        user_edited: true         # optional; once a human touched the entry

A missing file is an empty map.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from git_intent.errors import IntentError
from git_intent.store.fields import Fields, shown
from git_intent.store.issue import Issue, Severity
from git_intent.store.list_edit import append_entry, remove_entry
from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.quoting import flow, quote, sentence
from git_intent.store.strict_yaml import StrictDocument, encode, parse_yaml
from git_intent.store.yaml_edit import Shape, Value, change, refuse, verified
from git_intent.store.yaml_spans import Edit

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
VERSION = 1

_SHAPE = Shape(
    keys={
        (): ("version", "domains"),
        ("domains",): ("name", "description", "paths", "user_edited"),
    },
    quoted=frozenset({"paths"}),
)


@dataclass(frozen=True, slots=True)
class Domain:
    name: str
    description: str = ""
    paths: tuple[str, ...] = ()
    user_edited: bool = False


@dataclass(frozen=True, slots=True)
class Domains:
    version: int = VERSION
    domains: tuple[Domain, ...] = ()

    def get(self, name: str) -> Domain | None:
        return next((d for d in self.domains if d.name == name), None)


@dataclass(frozen=True, slots=True)
class ExaminedDomains:
    """`domains` is None if any of `issues` is an error."""

    domains: Domains | None
    issues: tuple[Issue, ...]
    fields: Fields | None


def parse_domains(data: bytes, path: str) -> Domains:
    """Raises MalformedFile for the first error."""
    found = examine_domains(data, path)
    if found.domains is None:
        errors = (i for i in found.issues if i.severity is Severity.ERROR)
        raise MalformedFile.of(next(errors))
    return found.domains


def examine_domains(data: bytes, path: str) -> ExaminedDomains:
    """Everything that can be said about the file, in the order of its lines."""
    try:
        fields = Fields(parse_yaml(data, path))
    except MalformedFile as error:
        return ExaminedDomains(None, (error.issue(),), None)
    domains = _read(fields)
    issues = tuple(sorted(fields.issues))
    broken = any(issue.severity is Severity.ERROR for issue in issues)
    return ExaminedDomains(None if broken else domains, issues, fields)


def render_domains(domains: Domains) -> bytes:
    """A new file; empty optional keys are left out."""
    lines = [f"version: {domains.version}"]
    lines.append("domains:" if domains.domains else "domains: []")
    for domain in domains.domains:
        first, *rest = _entry(domain, sentence)
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    return encode("\n".join(lines) + "\n")


def add_domain(data: bytes | None, domain: Domain, path: str = "domains.yaml") -> bytes:
    """The file with one more entry at its end; every other byte stays."""
    if not NAME.fullmatch(domain.name):
        raise IntentError(
            f"domain name {domain.name!r} is not like-this",
            "use a-z, 0-9 and single hyphens",
        )
    if not data:
        return render_domains(Domains(domains=(domain,)))
    if parse_domains(data, path).get(domain.name):
        raise IntentError(f"{path}: there is a domain {domain.name} already")
    document = parse_yaml(data, path)
    if document.node(("domains",)) is None:
        document = change(document, ("domains",), [], _SHAPE)
    flowed = f"{{{', '.join(_entry(domain, quote))}}}"
    edits = append_entry(document, ("domains",), _entry(domain, sentence), flowed)
    listed: list[Any] = document.value["domains"] or []
    entry = {
        key: value for key, value in _plain(domain).items() if value or key == "name"
    }
    return _changed(document, edits, [*listed, entry], data)


def edit_domain(
    data: bytes,
    name: str,
    *,
    description: str | None = None,
    paths: Sequence[str] | None = None,
    user_edited: bool | None = None,
    path: str = "domains.yaml",
) -> bytes:
    """The file with these keys of one entry set; every other byte stays."""
    place, old = _find(data, name, path)
    document = parse_yaml(data, path)
    wanted: dict[str, Value | None] = {
        "description": description,
        "paths": None if paths is None else list(paths),
        "user_edited": user_edited,
    }
    for key, value in wanted.items():
        if value is not None and value != _plain(old)[key]:
            document = change(document, ("domains", place, key), value, _SHAPE)
    return encode(document.text, data)


def remove_domain(data: bytes, name: str, path: str = "domains.yaml") -> bytes:
    """The file without one entry; comments between the entries stay."""
    place, _ = _find(data, name, path)
    document = parse_yaml(data, path)
    rest = [item for at, item in enumerate(document.value["domains"]) if at != place]
    edits = remove_entry(document, ("domains",), place)
    return _changed(document, edits, rest, data)


def _changed(
    document: StrictDocument, edits: list[Edit] | None, value: list[Any], data: bytes
) -> bytes:
    if edits is None:
        refuse(document, ("domains",))
    return encode(verified(document, edits, ("domains",), value).text, data)


def _find(data: bytes, name: str, path: str) -> tuple[int, Domain]:
    for place, domain in enumerate(parse_domains(data, path).domains):
        if domain.name == name:
            return place, domain
    raise IntentError(f"{path}: there is no domain {name}")


def _plain(domain: Domain) -> dict[str, Value]:
    return {
        "name": domain.name,
        "description": domain.description,
        "paths": list(domain.paths),
        "user_edited": domain.user_edited,
    }


def _entry(domain: Domain, spell: Callable[[str], str]) -> list[str]:
    """`key: value` for a new entry; empty optional keys are left out."""
    entry = [f"name: {quote(domain.name)}"]
    if domain.description:
        entry.append(f"description: {spell(domain.description)}")
    if domain.paths:
        entry.append(f"paths: {flow(domain.paths, always=True)}")
    if domain.user_edited:
        entry.append("user_edited: true")
    return entry


def _read(fields: Fields) -> Domains:
    root = fields.document.value
    if not isinstance(root, dict):
        fields.wrong((), "the file must hold version: and domains:")
        return Domains()
    version = root.get("version", VERSION)
    if version != VERSION:
        message = f"this version is not known here, {VERSION} is"
        fields.wrong(("version",), message, Code.VERSION)
    found = root.get("domains", [])
    if not isinstance(found, list):
        if found != "":
            fields.wrong(("domains",), "domains must be a list")
        found = []
    return Domains(VERSION, tuple(_domains(fields, len(found))))


def _domains(fields: Fields, count: int) -> list[Domain]:
    read: list[Domain] = []
    for number in range(count):
        at = ("domains", number)
        if not fields.mapping(at):
            fields.wrong(at, "each domain must be a mapping with a name")
            continue
        name = fields.text((*at, "name"), missing=Severity.ERROR)
        if name and not NAME.fullmatch(name):
            message = (
                f"domain name {shown(name)} must be like-this: a-z, 0-9 and hyphens"
            )
            fields.wrong((*at, "name"), message)
        if name in (domain.name for domain in read):
            fields.wrong((*at, "name"), f"domain {shown(name)} stands here twice")
        read.append(
            Domain(
                name,
                fields.text((*at, "description")),
                fields.texts((*at, "paths")),
                fields.flag((*at, "user_edited")),
            )
        )
    return read
