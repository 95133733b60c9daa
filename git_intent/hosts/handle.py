"""What one event of a host means for the ledger of its chat.

    prompt            kept before anything else, then told what waits
    session start     read back after compaction and resume; creates nothing
    before a tool     preflight
    everything else   nothing: compaction and the end of a turn have no channel to the
                      model, or are not ours to use
    a subagent's      preflight by the frontier of the chat it works for, else nothing

A prompt of a session is taken for the user's unless the host marks it as a subagent's.
Some hosts mark nothing, so a capture is never more than a claim: it stays unclassified
until the owner looks at it. Nothing here keeps another process from writing with the
owner's session id.

Nothing is raised for bad input. `Outcome.after` is to be called when the answer is out.
"""

from git_intent.hosts import event as events
from git_intent.hosts.event import CHILD, HostEvent
from git_intent.hosts.outcome import Outcome, Said

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from git_intent.hosts.payload import Payload
    from git_intent.hosts.world import World

HOSTS = ("claude", "codex")
#: Events for which nothing has to be read at all.
_READ = (events.PROMPT, events.SESSION_START, events.PRE_TOOL)


def host_module(host: str) -> "Any":
    """The module that speaks the language of one of HOSTS."""
    if host == "claude":
        from git_intent.hosts import claude

        return claude
    from git_intent.hosts import codex

    return codex


def needed(host: str, given: str, environ: "Mapping[str, str]") -> bool:
    """Whether an event must be read; one without a name may be anything."""
    module = host_module(host)
    if any(environ.get(name) for name in module.OTHERS):
        return False  # a host that also runs these hooks has its own
    return not given or module.EVENTS.get(native_name(module, given)) in _READ


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
        return _unreadable(host, given, native, payload, module, world)
    if not native:
        return Outcome()
    return _answer(module.parse(native, payload), module, world)


def _answer(event: HostEvent, module: "Any", world: "World") -> Outcome:
    if event.event == events.PRE_TOOL:
        from git_intent.hosts.tool import before_tool

        return before_tool(event, world)
    if event.actor == CHILD:
        return Outcome()
    if event.event == events.PROMPT:
        from git_intent.hosts.prompt import captured

        return _spoken(captured(event, world), event, module)
    if event.event == events.SESSION_START:
        from git_intent.hosts.start import started

        return _spoken(started(event, world), event, module)
    return Outcome()


def _spoken(said: Said, event: HostEvent, module: "Any") -> Outcome:
    from git_intent.hosts import reply

    speaks = said.text and event.native in module.CONTEXT
    found = Outcome(reply.context(event.native, said.text) if speaks else b"")
    found.notes, found.after = said.notes, said.after
    return found


def _unreadable(
    host: str,
    given: str,
    native: str,
    payload: "Payload",
    module: "Any",
    world: "World",
) -> Outcome:
    """Keep a payload that may have been a prompt; other events lose nothing."""
    if module.EVENTS.get(native, events.PROMPT) != events.PROMPT or (
        given and not native
    ):
        return Outcome(b"", f"the payload of {native or given} cannot be read")
    event = HostEvent(host, events.PROMPT, native or "UserPromptSubmit", payload)
    if event.actor == CHILD:
        return Outcome()
    from git_intent.hosts.prompt import broken

    event.session = payload.members.get("session_id")
    return _spoken(broken(event, world), event, module)
