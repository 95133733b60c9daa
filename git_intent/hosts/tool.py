"""Before a tool is used: hold a configured mutation, let everything else pass.

A tool of no class, or outside of any ledger, costs nothing: no ledger is looked for.
"""

from git_intent.hosts.event import HostEvent
from git_intent.hosts.outcome import Said
from git_intent.hosts.reply import LONGEST
from git_intent.hosts.telling import Seen, look
from git_intent.ledger.context import Speaker
from git_intent.ledger.owner import EXCLUDED
from git_intent.ledger.preflight import HOLD, MUTATION, decide, settles

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.world import World


def before_tool(event: HostEvent, world: "World") -> Said:
    """Why the tool is held, or nothing if it is not. Raises IntentError."""
    from git_intent.config_ledger import SHELLS

    class_of = world.settings().class_of
    names = names_of(event.host, event.tool, _command(event))
    if MUTATION not in [class_of(event.host, name) for name in names]:
        return Said()
    if event.tool in SHELLS[event.host] and settles(_command(event)):
        return Said()
    found = world.route(event.host, event.session)
    if found.place is None or found.role == EXCLUDED:
        return Said()
    seen = look(found.place, world.fallback)
    prove_recovered(seen)
    decision = decide(
        event.tool,
        MUTATION,
        seen.found,
        Speaker(found.host, found.session),
        fault=seen.fault,
    )
    if decision.verdict != HOLD:
        return Said()
    limit = min(world.settings().context_bytes, LONGEST)
    return Said(_cut(decision.text(), limit))


def names_of(host: str, tool: str, command: object) -> list[str]:
    """The names that a call goes by: Codex runs a command of its shell that patches
    files as a patch, but tells hooks of the shell."""
    from git_intent.config_ledger import SHELLS

    if host != "codex" or tool not in SHELLS[host] or not isinstance(command, str):
        return [tool]
    first, _, _ = command.lstrip().partition("\n")
    parts = [part.strip() for part in first.split("&&")]
    patches = any(part.startswith(("apply_patch", "applypatch")) for part in parts)
    return [tool, "apply_patch"] if patches else [tool]


def prove_recovered(seen: Seen) -> None:
    """Put recovered gaps whose bytes are gone back among the open ones."""
    if not seen.found.recovered:
        return
    from git_intent.ledger.ledger import Ledger

    place = seen.place
    proofs = Ledger(place.home, place.namespace, place.chat).read().proofs
    doubted = proofs.unproven()
    seen.found.gaps += [gap for gap in seen.found.recovered if gap["id"] in doubted]


def _command(event: HostEvent) -> object:
    return event.tool_input.get("command") if isinstance(event.tool_input, dict) else ""


def _cut(text: str, limit: int) -> str:
    data = text.encode("utf-8", "backslashreplace")
    return data[:limit].decode("utf-8", "ignore")
