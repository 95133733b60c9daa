"""All that `git intent install HOST` changes, worked out before anything is done."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from git_intent.hosts.install import opencode_plugin, settings_file, tool_classes
from git_intent.hosts.install.agent_host import PROJECT, AgentHost
from git_intent.hosts.install.guide import guide
from git_intent.hosts.install.plan import Change, present, settled

CONFIG = ".cloche/config.toml"


@dataclass(frozen=True, slots=True)
class Request:
    """Where a host is installed, and how. `root` is the project's; it need not be one
    for a user's scope.

    `preflight` is whether a hook before each tool is wanted, `classes` whether the
    host's edit tools are classed as well.
    """

    host: AgentHost
    scope: str
    root: Path
    environ: Mapping[str, str]
    preflight: bool = False
    classes: bool = False

    @property
    def base(self) -> Path:
        """The folder that stays in any case."""
        if self.scope == PROJECT:
            return self.root
        return Path(self.environ.get("HOME", "/"))

    @property
    def hooks(self) -> Path:
        """The file that hooks, or the plugin, are put into."""
        place = (self.host, self.scope, self.root, self.environ)
        if not self.host.hooks:
            return opencode_plugin.path_of(*place)
        return self.host.settings(*place[1:])

    def registered(self, data: bytes | None) -> list[str]:
        """The events that are registered in the bytes of that file."""
        if not self.host.hooks:
            return opencode_plugin.registered(data)
        return settings_file.registered(data, self.host, str(self.hooks))


def installing(request: Request) -> list[Change]:
    """What has to be done; nothing is, if all is there. Raises IntentError."""
    return list(_changes(_written(request), request))


def uninstalling(request: Request) -> list[Change]:
    """What has to be done to take everything out again. Raises IntentError."""
    return list(_changes(_removed(request), request))


_Edit = tuple[Path, Callable[[bytes | None], bytes | None], str, str]


def _written(request: Request) -> Iterator[_Edit]:
    host, path = request.host, request.hooks
    usual = list(host.events(preflight=False))

    def hooks(data: bytes | None) -> bytes | None:
        # a hook before each tool that is there stays, though nobody asks for it now
        preflight = request.preflight or any(
            name not in usual for name in request.registered(data)
        )
        natives = list(host.events(preflight=preflight))
        if not host.hooks:
            return opencode_plugin.written(data, natives, path)
        return settings_file.written(data, host, natives, str(path))

    yield path, hooks, "hooks registered", ""
    if found := guide(host, request.scope, request.root, request.environ):
        yield found.path, found.written, "guide for the agent written", ""
    if request.classes and request.scope == PROJECT:
        config = request.root / CONFIG
        yield (
            config,
            lambda data: tool_classes.written(data, host, str(config)),
            f"tools classed as mutation: {', '.join(host.tools)}",
            "",
        )


def _removed(request: Request) -> Iterator[_Edit]:
    host, path = request.host, request.hooks

    def hooks(data: bytes | None) -> bytes | None:
        if data is None:
            return None
        if not host.hooks:
            opencode_plugin.need_ours(data, path)
            return None
        return settings_file.removed(data, host, str(path))

    yield path, hooks, "hooks taken out", "{}\n"
    if found := guide(host, request.scope, request.root, request.environ):
        remove = found.removed
        yield (
            found.path,
            lambda data: None if data is None else remove(data),
            "guide for the agent taken out",
            "",
        )
    if request.scope == PROJECT:
        config = request.root / CONFIG
        yield (
            config,
            lambda data: (
                None if data is None else tool_classes.removed(data, host, str(config))
            ),
            "classes of tools taken out",
            "",
        )


def _changes(edits: Iterator[_Edit], request: Request) -> Iterator[Change]:
    inside = request.scope == PROJECT
    for path, edit, words, empty in edits:
        real = settled(path, request.base, inside=inside)
        before = present(real)
        after = edit(before)
        if after is None and before is not None and path.is_symlink():
            after = empty.encode()  # the link was not ours to leave without a target
        if after != before:
            yield Change(real, before, after, words, request.base.resolve())
