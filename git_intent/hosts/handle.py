"""What one event of a host means: for the ledger of its chat, and for the agent.

    prompt            kept before anything else, then told what waits, and the
                      requirements that bear on it
    session start     read back after compaction and resume, with the requirements of
                      the whole project; creates nothing
    before a tool     preflight
    end of a turn     read back, with nothing to say
    session end       the chat is put on record and scanned, by a process of its own
    everything else   nothing: compaction has no channel to the model
    a subagent's      preflight by the frontier of the chat it works for, else nothing

A prompt of a session is taken for the user's unless the host marks it as a subagent's.
Some hosts mark nothing, so a capture is never more than a claim: it stays unclassified
until the owner looks at it. Nothing here keeps another process from writing with the
owner's session id.

Nothing is raised for bad input. `Outcome.after` is to be called when the answer is out.
"""

from git_intent.errors import IntentError
from git_intent.hosts import event as events
from git_intent.hosts.event import CHILD, HostEvent
from git_intent.hosts.outcome import Outcome, Said

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from git_intent.hosts.payload import Payload
    from git_intent.hosts.world import World

HOSTS = ("claude", "codex", "copilot", "cursor", "gemini", "opencode")


def host_module(host: str) -> "Any":
    """The module that speaks the language of one of HOSTS."""
    return __import__(f"git_intent.hosts.{host}", fromlist=("NAME",))


def needed(host: str, given: str, environ: "Mapping[str, str]") -> bool:
    """Whether an event must be read; one without a name may be anything."""
    module = host_module(host)
    if any(environ.get(name) for name in module.OTHERS):
        return False  # a host that also runs these hooks has its own
    return not given or native_name(module, given) in module.READ


def native_name(module: "Any", given: str) -> str:
    """The host's own name of an event, which may be given as ours."""
    if given in module.EVENTS:
        return given
    ours = given.replace("-", "_")
    return next((name for name, event in module.EVENTS.items() if event == ours), "")


def handle(host: str, given: str, raw: bytes, world: "World") -> Outcome:
    """Answer one event; `given` is its name, if the command line told it."""
    module = host_module(host)
    if not raw.strip():
        return Outcome()
    from git_intent.hosts.payload import read

    payload = read(raw)
    native = native_name(module, given or payload.text("hook_event_name"))
    if payload.problem:
        return _unreadable(given, native, payload, module, world)
    if native not in module.READ:
        return Outcome()
    event: HostEvent = module.parse(native, payload)
    return _answer(event, module, world.at(event.folder))


def _answer(event: HostEvent, module: "Any", world: "World") -> Outcome:
    if event.event == events.CHILD_START:
        return _remembered(event, world)
    _find_root(event, world)
    if event.event == events.PRE_TOOL:
        from git_intent.hosts.tool import before_tool

        held = before_tool(event, world)
        found = Outcome(module.deny(event.native, held.text) if held.text else b"")
        found.denies = True
        return found
    if event.actor == CHILD:
        return Outcome()
    if event.event in (events.STOP, events.SESSION_END):
        from git_intent.hosts import ending

        ended = event.event == events.SESSION_END
        return (ending.chat_ended if ended else ending.turn_ended)(event, world)
    if event.event == events.PROMPT:
        from git_intent.hosts.prompt import captured

        return _spoken(captured, event, module, world)
    from git_intent.hosts.start import started

    return _spoken(started, event, module, world)


def _find_root(event: HostEvent, world: "World") -> None:
    """Put the session that a child works for in the place of the child's own."""
    from git_intent.hosts.children import root_of

    known = event.parent or event.session
    root = root_of(world.state, event.host, known) or event.parent
    if root:
        event.actor, event.session = CHILD, root


def _remembered(event: HostEvent, world: "World") -> Outcome:
    """Remember a subagent's session by its parent, where there is a ledger at all."""
    settings = world.settings()
    if not (event.parent and settings.home and settings.namespace):
        return Outcome()
    from git_intent.hosts.children import remember

    try:
        remember(world.state, event.host, event.session, event.parent)
    except OSError as error:
        return Outcome(b"", f"a subagent's session could not be noted: {error}")
    return Outcome()


def _spoken(
    say: "Callable[[HostEvent, World], Said]",
    event: HostEvent,
    module: "Any",
    world: "World",
) -> Outcome:
    """The answer with what the ledger says, and with the requirements below it."""
    from git_intent.hosts.standing import Standing

    standing = Standing(event, world) if event.native in module.CONTEXT else None
    try:
        said = say(event, world)
    except IntentError as error:
        said = Said("", error.message)
    found = Outcome()
    found.notes, found.after = said.notes, said.after
    if standing is not None:
        text = standing.below(said, found.notes)
        found.out = module.context(event.native, text) if text else b""
    return found


def _unreadable(
    given: str, native: str, payload: "Payload", module: "Any", world: "World"
) -> Outcome:
    """Keep a payload that may have been a prompt; other events lose nothing."""
    if module.EVENTS.get(native, events.PROMPT) != events.PROMPT or (
        given and not native
    ):
        return Outcome(b"", f"the payload of {native or given} cannot be read")
    event: HostEvent = module.parse(native or module.PROMPT, payload)
    world = world.at(event.folder)
    _find_root(event, world)
    if event.actor == CHILD:
        return Outcome()
    from git_intent.hosts.prompt import broken

    return _spoken(broken, event, module, world)
