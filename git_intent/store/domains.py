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
from dataclasses import dataclass

from git_intent.store.fields import Fields
from git_intent.store.issue import Issue, Severity
from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.quoting import flow, quote
from git_intent.store.strict_yaml import parse_yaml

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
VERSION = 1


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
        lines += [f"  {line}" for line in entry(domain)]
    return ("\n".join(lines) + "\n").encode()


def entry(domain: Domain) -> list[str]:
    """The lines of one item of the list, not indented."""
    lines = [f"- name: {quote(domain.name)}"]
    if domain.description:
        lines.append(f"  description: {quote(domain.description)}")
    if domain.paths:
        lines.append(f"  paths: {flow(domain.paths, always=True)}")
    if domain.user_edited:
        lines.append("  user_edited: true")
    return lines


def _read(fields: Fields) -> Domains:
    root = fields.document.value
    if not isinstance(root, dict):
        fields.wrong((), "the file must hold version: and domains:")
        return Domains()
    version = root.get("version", VERSION)
    if version != VERSION:
        message = f"version {version!r} is not known here, {VERSION} is"
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
            message = f"domain name {name!r} must be like-this: a-z, 0-9 and hyphens"
            fields.wrong((*at, "name"), message)
        if name in (domain.name for domain in read):
            fields.wrong((*at, "name"), f"domain {name} stands here twice")
        read.append(
            Domain(
                name,
                fields.text((*at, "description")),
                fields.texts((*at, "paths")),
                fields.flag((*at, "user_edited")),
            )
        )
    return read
