"""The map of domains: what it says, what its globs match, and changes of it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.store.codes import CODES
from git_intent.store.domains import (
    NAME,
    Domain,
    Domains,
    add_domain,
    edit_domain,
    parse_domains,
)
from git_intent.store.globs import valid
from git_intent.store.intent_dir import DOMAINS, read_file, write_changes
from git_intent.store.rules import Actor
from git_intent.store.step import StepRefused, objections
from git_intent.web.console import Console
from git_intent.web.given import Given, invalid
from git_intent.web.served import Answer, Asked, Refused

_MEMBERS = ("etag", "name", "description", "paths")


def show(console: Console, asked: Asked) -> Answer:
    held = console.stored.now()
    named = Counter(
        name for r in held.store.requirements.values() for name in set(r.scope.domains)
    )
    rows = [
        {
            "name": domain.name,
            "description": domain.description,
            "paths": [
                {"glob": glob, "files": console.tracked.files(glob)}
                for glob in domain.paths
            ],
            "user_edited": domain.user_edited,
            "requirements": named[domain.name],
        }
        for domain in held.store.domains.domains
    ]
    return Answer({"domains": rows, "etag": sha256(held.files.get(DOMAINS, b""))})


def glob(console: Console, asked: Asked) -> Answer:
    """How many tracked files a glob matches, or what is wrong with it."""
    given = asked.query.get("glob", "")
    fault = valid(given)
    told: dict[str, Any] = {"glob": given, "files": 0}
    if fault:
        return Answer({**told, "error": f"the glob {given!r} {fault}"})
    return Answer({**told, "files": console.tracked.files(given)})


def add(console: Console, asked: Asked) -> Answer:
    given = Given(asked.body, _MEMBERS)
    name, paths = given.text("name").strip(), _globs(given)
    mine = console.services.actor is Actor.PERSON
    made = Domain(name, _line(given), paths, user_edited=mine)
    if not NAME.fullmatch(name):
        raise invalid("name", "is not like-this", "use a-z, 0-9 and single hyphens")

    def change(data: bytes, known: Domains) -> bytes:
        if known.get(name):
            raise invalid("name", f"there is a domain {name} already", "edit that one")
        return add_domain(data or None, made, DOMAINS)

    return _save(console, given.text("etag"), change)


def edit(console: Console, asked: Asked) -> Answer:
    given = Given(asked.body, ("etag", "description", "paths"))
    name = asked.path["name"]
    mine = console.services.actor is Actor.PERSON or None
    description = _line(given) if "description" in given else None
    paths = _globs(given) if "paths" in given else None

    def change(data: bytes, known: Domains) -> bytes:
        old = known.get(name)
        if old is None:
            raise Refused(404, f"there is no domain {name!r}")
        same = description in (None, old.description) and paths in (None, old.paths)
        return (
            data
            if same
            else edit_domain(
                data,
                name,
                description=description,
                paths=paths,
                user_edited=mine,
                path=DOMAINS,
            )
        )

    return _save(console, given.text("etag"), change)


def _save(
    console: Console, etag: str, change: Callable[[bytes, Domains], bytes]
) -> Answer:
    data = read_file(console.root, DOMAINS) or b""
    known = parse_domains(data, DOMAINS) if data else Domains()
    if sha256(data) != etag:
        try:
            yours = change(data, known)
        except IntentError:
            yours = data
        raise Refused(
            409,
            f"{DOMAINS}: has changed since you opened it",
            "nothing was saved; look at both versions",
            yours=yours.decode("utf-8", "replace"),
            theirs=data.decode("utf-8", "replace"),
            etag=sha256(data),
        )
    new = change(data, known)
    if new != data:
        before = {DOMAINS: data} if data else {}
        issues = objections(before, {DOMAINS: new}, console.services.actor)
        if issues:
            raise StepRefused(issues, CODES[issues[0].code].repair)
        write_changes(console.root, {DOMAINS: new})
    return show(console, Asked())


def _globs(given: Given) -> tuple[str, ...]:
    found = tuple(filter(None, (text.strip() for text in given.texts("paths"))))
    for number, text in enumerate(found):
        if fault := valid(text):
            raise invalid(f"paths/{number}", f"the glob {text!r} {fault}")
    return tuple(dict.fromkeys(found))


def _line(given: Given) -> str:
    return " ".join(given.text("description", "").split())
