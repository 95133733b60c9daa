"""Which ledger a command is about, and as whom it is called.

A session says who calls: `--host H --session S`. Its chat is the one that it is bound
to. `--chat ID`, in the configured namespace or `--namespace NS`, names a chat itself:
enough for reading, and for writing a check that the session means what it says.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from git_intent.cli import output
from git_intent.errors import IntentError
from git_intent.hosts.world import World
from git_intent.ledger import bound, hot, pins
from git_intent.ledger.home import HOME_KEY, NAMESPACE_KEY, Home, open_home
from git_intent.ledger.hot import Place
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.names import usable
from git_intent.ledger.owner import (
    CHILD,
    EXCLUDED,
    OWNER,
    OWNS,
    READER,
    UNBOUND,
    Route,
    access,
    read_journal,
)
from git_intent.ledger.refusal import Refusal

_DAMAGE = ("ref-rewound", "ledger-unproven", "ledger-corrupt")


@dataclass(frozen=True, slots=True)
class Address:
    """What the options say; an empty text was not given."""

    directory: str
    host: str = ""
    session: str = ""
    namespace: str = ""
    chat: str = ""

    @property
    def actor(self) -> dict[str, str]:
        return {"kind": "owner", "host": self.host, "session": self.session}


@dataclass(frozen=True, slots=True)
class Addressed:
    """The ledger that was meant; `route` where the session leads, if one was named."""

    ledger: Ledger
    route: Route | None

    @property
    def writes_nothing(self) -> bool:
        """Whether the caller's session may not even bring a projection up to date."""
        return self.route is not None and self.route.role in (CHILD, EXCLUDED)


def addressed(*, owner: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of an address; the command gets it as `address`, its first argument.

    `owner` says that the command is one for owners, who have to name themselves.
    """

    def with_options(act: Callable[..., Any]) -> Callable[..., Any]:
        from functools import wraps

        @wraps(act)
        def command(
            host: str, session: str, namespace: str, chat: str, **options: Any
        ) -> Any:
            directory = click.get_current_context().find_object(str) or "."
            address = Address(directory, host, session, namespace, chat)
            _check(address, owner)
            return act(address, **options)

        for option in reversed(_options(owner)):
            command = option(command)
        return command

    return with_options


def _options(owner: bool) -> list[Callable[..., Any]]:
    who: dict[str, Any] = {"required": True} if owner else {"default": ""}
    return [
        click.option(
            "--host",
            metavar="H",
            help="The host of your session: claude, codex, …",
            **who,
        ),
        click.option(
            "--session", metavar="S", help="The host's id of your session.", **who
        ),
        click.option(
            "--namespace", metavar="NS", default="", help="Namespace of --chat."
        ),
        click.option(
            "--chat", metavar="ID", default="", help="The chat that is meant."
        ),
    ]


def _check(address: Address, owner: bool) -> None:
    named = [bool(address.host), bool(address.session)]
    if any(named) != all(named) or (owner and not all(named)):
        raise click.UsageError("--host and --session go together, and are not empty")
    for name in ("host", "session", "namespace", "chat"):
        value = getattr(address, name)
        if value and not usable(value):
            raise click.UsageError(f"--{name}: is longer than a ref may have it")
    if address.namespace and not address.chat:
        raise click.UsageError("--namespace goes with --chat")


def world(directory: str) -> World:
    """The environment of this run, as hooks see it."""
    return World(os.environ, str(Path(directory).absolute()))


def find(address: Address) -> Addressed:
    """The ledger to read. Raises IntentError, or UsageError if none is named."""
    around = world(address.directory)
    if address.chat:
        return _named(address, around, _routed(address, around))
    route = _routed(address, around)
    if route is None:
        raise click.UsageError(
            f"say which chat: --host and --session, or --chat{_known(around)}"
        )
    if route.place is None:
        raise _nowhere(route)
    return Addressed(ledger_at(route.place, around), route)


def find_damaged(address: Address) -> Addressed:
    """As `find`, also where the journal that would say who owns it cannot be read."""
    try:
        return find(address)
    except Refusal as refusal:
        if refusal.code not in _DAMAGE or not (address.host or address.chat):
            raise
    around = world(address.directory)
    home, namespace = configured(around)
    chat = address.chat or address.session
    place = Place(home, address.namespace or namespace, chat)
    return Addressed(ledger_at(place, around), _claimed(address, place))


def _claimed(address: Address, place: Place) -> Route:
    """The route of a session that the bindings alone can judge."""
    route = Route(address.host, address.session)
    binding = bound.read(place.home).of(address.host, address.session)
    owner = bound.read(place.home).owner_of(place.namespace, place.chat)
    route.home, route.namespace, route.place = place.home, place.namespace, place
    route.binding = binding
    route.role = binding["role"] if binding else (READER if owner else OWNER)
    return route


def refusal_of(found: Addressed, address: Address) -> Refusal | None:
    """Why the session may not write to a ledger, if it may not."""
    route, place = found.route, found.ledger.place
    if route is None:
        return _reference_only("no session is named")
    led = route.place
    if led is None or (led.home, led.ref) != (place.home, place.ref):
        return _reference_only(
            f"session {address.session!r} of {address.host} is not led to chat "
            f"{place.chat!r} in namespace {place.namespace!r}"
        )
    if access(route, view_of(place)) == OWNS:
        return None
    if route.elsewhere:
        return _reference_only(
            f"this folder is configured for another ledger: {route.elsewhere}"
        )
    return _reference_only(
        f"session {address.session!r} of {address.host} does not own chat "
        f"{place.chat!r}; it is {_role(route)}"
    )


def view_of(place: Place) -> dict[str, Any] | None:
    """The view of a chat; None if there is none, or none that can be proved."""
    seen = hot.read(place)
    if seen.view is not None or not seen.tip:
        return seen.view
    try:
        return read_journal(place)
    except (IntentError, OSError):
        return None


def pin(found: Addressed, address: Address) -> None:
    """Let a session that captured something speak in the same ledger from anywhere."""
    route = found.route
    led = route.pin() if route is not None and route.pinned is None else None
    if led is not None:
        state = world(address.directory).state
        try:
            pins.write(state, address.host, address.session, led)
        except IntentError as error:  # what was recorded matters more
            output.note(f"note: the session could not be pinned: {error.message}")


def ledger_at(place: Place, around: World) -> Ledger:
    return Ledger(place.home, place.namespace, place.chat, spool=around.fallback)


def configured(around: World) -> tuple[Home, str]:
    """The home and namespace that are configured. Raises Refusal `no-home`."""
    settings = around.settings()
    if not settings.home:
        raise Refusal("no-home", "", f"{HOME_KEY} is not set")
    try:
        return open_home(settings.home, around.user), settings.namespace
    except IntentError as error:
        raise Refusal("no-home", "", error.message) from error


def _routed(address: Address, around: World) -> Route | None:
    """Where the session leads, if one was named."""
    if not address.host:
        return None
    try:
        return around.route(address.host, address.session)
    except Refusal:
        raise
    except IntentError as error:
        raise Refusal("no-home", "", error.message) from error


def _named(address: Address, around: World, route: Route | None) -> Addressed:
    home, namespace = configured(around)
    namespace = address.namespace or namespace
    if not namespace:
        raise Refusal("no-home", "", f"{NAMESPACE_KEY} is not set")
    place = Place(home, namespace, address.chat)
    return Addressed(ledger_at(place, around), route)


def _known(around: World) -> str:
    """The chats that could be meant, for a message."""
    from git_intent.ledger.chats import chats

    try:
        home, namespace = configured(around)
        names = [chat for of, chat in chats(home) if of == namespace]
    except (IntentError, OSError):
        return ""
    if not names:
        return ""
    shown = ", ".join(repr(name) for name in names[:10])
    return f"; there are {shown}{' and others' if len(names) > 10 else ''}"


def _nowhere(route: Route) -> Refusal:
    if route.role == UNBOUND:
        return _reference_only(route.why)
    return Refusal("no-home", "", route.why)


def _role(route: Route) -> str:
    return "one of several sessions of it" if route.role == OWNER else route.role


def _reference_only(why: str) -> Refusal:
    return Refusal("reference-only", "", why)
