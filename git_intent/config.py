"""Settings: where each value comes from, in one frozen `Config`.

`token_budget` of the table `[intent]` in the project's `.cloche/config.toml` is
`intent.tokenBudget` in git config (which refuses underscores), in the environment
`GIT_INTENT_TOKEN_BUDGET`, and whatever flag a command offers; `max_commits` of
`[intent.git]` is `intent.git.maxCommits` and `GIT_INTENT_MAX_COMMITS`. Later ones win.
A bad value is a finding, and the value of the layer below stays. The tables of others
are left alone.

The fields of `Config` and `GitConfig` carry their own documentation.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from git_intent.config_file import Finding, Place, read_toml
from git_intent.config_kinds import (
    BOOLEAN,
    BUDGET,
    BYTES,
    COUNT,
    EMBEDDER,
    SUBJECT,
    SWITCH,
    TEXT,
    TEXTS,
    TIME,
    TOKEN_BUDGET,
    Kind,
    one_of,
)
from git_intent.config_ledger import CONTEXT_BYTES, checked_tools
from git_intent.git.process import spawn_git
from git_intent.git.repository import Repository

CONFIG = ".cloche/config.toml"
COMMIT_SUBJECT = (
    "intent scan: created {created}, superseded {superseded}, "
    "merged {merged}, dropped {dropped}"
)

#: Keys that live in git config only, lower-case as git prints them.
_GIT_ONLY = ("intent.ledgerhome", "intent.namespace", "intent.git.trusted")


class Floor(StrEnum):
    """How sure a selection by meaning must be."""

    NORMAL = "normal"
    STRICT = "strict"


_FLOOR = one_of({floor.value: floor for floor in Floor})


def _about(kind: Kind, doc: str, shown: str = "") -> Mapping[str, Any]:
    """What is known of a key besides its default, which may be `shown` as written."""
    return {"kind": kind, "doc": doc, "shown": shown}


@dataclass(frozen=True, slots=True)
class GitConfig:
    """`[intent.git]`: what Cloche does not know."""

    max_commits: int = field(
        default=2000,
        metadata=_about(
            COUNT, "How many commits a first scan reads, newest first; 0 is all."
        ),
    )
    commit_subject: str = field(
        default=COMMIT_SUBJECT,
        metadata=_about(SUBJECT, "The subject of a scan's commit."),
    )
    agent: str = field(
        default="",
        metadata=_about(
            TEXT,
            "The agent that extracts and reconciles: claude, codex, gemini, llm, or a "
            "command; unset is the built-in extractor.",
        ),
    )
    agent_timeout: int = field(  # seconds
        default=1200, metadata=_about(TIME, "How long one agent call may take.", "20m")
    )
    agent_authors: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            TEXTS, "Patterns of authors whose commits count as an agent's."
        ),
    )
    doc_globs: tuple[str, ...] = field(
        default=(),
        metadata=_about(TEXTS, "Patterns of further documents, as in .gitignore."),
    )
    transcripts: bool = field(
        default=True, metadata=_about(SWITCH, "Whether recorded chats are mined.", "on")
    )
    floor: Floor = field(
        default=Floor.NORMAL,
        metadata=_about(_FLOOR, "How sure a selection must be: normal or strict."),
    )


@dataclass(frozen=True, slots=True)
class LedgerConfig:
    """`[intent.ledger]`, but for the classes of tools: see `config_ledger`."""

    context_bytes: int = field(
        default=CONTEXT_BYTES,
        metadata=_about(
            BYTES, "How long the compact context of the chat ledger may get, in bytes."
        ),
    )


@dataclass(frozen=True, slots=True)
class Config:
    """`[intent]`: the keys shared with Cloche."""

    embedder: str = field(
        default="",
        metadata=_about(
            EMBEDDER,
            "The one embedding backend to use; unset takes the first that works.",
        ),
    )
    model: str = field(default="", metadata=_about(TEXT, "Reserved."))
    token_budget: int = field(
        default=TOKEN_BUDGET,
        metadata=_about(BUDGET, "How long the injected block may get; 0 is 2000."),
    )
    inject: bool = field(
        default=True,
        metadata=_about(SWITCH, "Whether requirements are put into prompts.", "on"),
    )
    scan_after_tasks: bool = field(
        default=True,
        metadata=_about(
            BOOLEAN, "Whether a completed main run is scanned by itself.", "true"
        ),
    )
    git: GitConfig = field(default_factory=GitConfig)
    ledger: LedgerConfig = field(default_factory=LedgerConfig)


@dataclass(frozen=True, slots=True)
class Key:
    """One key and all of its spellings. `name` is as below `[intent]`: `git.agent`."""

    name: str
    doc: str
    default: str
    kind: Kind = field(repr=False)

    @property
    def git(self) -> str:
        """The name in git config."""
        *table, last = self.name.split(".")
        first, *more = last.split("_")
        camel = first + "".join(word.capitalize() for word in more)
        return ".".join(("intent", *table, camel))

    @property
    def env(self) -> str:
        """The environment variable."""
        return f"GIT_INTENT_{self.name.rpartition('.')[2].upper()}"


def _keys(cls: type[Any], prefix: str) -> Iterator[Key]:
    for one in fields(cls):
        if "kind" in one.metadata:
            shown = one.metadata["shown"] or _shown(one.default)
            yield Key(
                prefix + one.name, one.metadata["doc"], shown, one.metadata["kind"]
            )


def _shown(value: Any) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


KEYS: Mapping[str, Key] = {
    key.name: key
    for key in (
        *_keys(Config, ""),
        *_keys(GitConfig, "git."),
        *_keys(LedgerConfig, "ledger."),
    )
}


class Layer(StrEnum):
    """Where a value comes from; a later one wins."""

    DEFAULT = "default"
    FILE = "file"
    GIT = "git config"
    ENV = "environment"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Origin:
    """`where` is `path:line`, the file of git config, a variable, or a flag."""

    layer: Layer
    where: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, where each came from, and what was wrong."""

    config: Config
    origins: Mapping[str, Origin]
    issues: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(issue for issue in self.issues if issue.severity == "error")


def load(
    repo: Repository | None,
    root: Path,
    env: Mapping[str, str],
    flags: Mapping[str, Any],
) -> Loaded:
    """Read all layers. `flags` maps key names to values; None is a flag not given.

    Nothing is raised: what is wrong is a finding, and a layer below holds.
    """
    gathered = _Gathering()
    _read_file(gathered, root)
    _read_git(gathered, repo, root)
    _read_env(gathered, env)
    for name, value in flags.items():
        if value is not None:
            flag = f"--{name.rpartition('.')[2].replace('_', '-')}"
            key = KEYS[name]
            raw = key.kind.from_text if isinstance(value, str) else _same
            gathered.take(key, raw, value, Layer.FLAG, Place(flag, flag))
    return gathered.loaded()


class _Gathering:
    """The values so far, while one layer after the other is read."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.origins = {name: Origin(Layer.DEFAULT) for name in KEYS}
        self.issues: list[Finding] = []

    def take(
        self, key: Key, parse: Callable[[Any], Any], raw: Any, layer: Layer, at: Place
    ) -> None:
        try:
            value = key.kind.read(parse(raw))
        except ValueError:
            message = f"{at.name}: expected {key.kind.expected}"
            self.issues.append(at.finding("C003", message))
            return
        self.values[key.name] = value
        self.origins[key.name] = Origin(layer, at.where)

    def unknown(self, at: Place, near: str) -> None:
        hint = f"; did you mean {near}?" if near else ""
        self.issues.append(
            at.finding("C002", f"{at.name}: unknown key{hint}", "warning")
        )

    def loaded(self) -> Loaded:
        config = Config(
            **self._table(""),
            git=GitConfig(**self._table("git")),
            ledger=LedgerConfig(**self._table("ledger")),
        )
        return Loaded(config, self.origins, tuple(self.issues))

    def _table(self, table: str) -> dict[str, Any]:
        """The values of the keys right below a table, the outermost being empty."""
        parted = ((*name.rpartition("."), value) for name, value in self.values.items())
        return {name: value for above, _, name, value in parted if above == table}


def _same(value: Any) -> Any:
    return value


def _nearest(name: str, known: Mapping[str, str]) -> str:
    """Which of the spellings `known` a misspelt key most likely means.

    `known` maps what is compared to what is shown.
    """
    import difflib

    close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    return known[close[0]] if close else ""


def _read_file(gathered: _Gathering, root: Path) -> None:
    settings = read_toml(root / CONFIG, CONFIG)
    gathered.issues.extend(settings.issues)
    known = {name.rpartition(".")[2]: f"[intent] {name}" for name in KEYS}
    for name, value in settings.values.items():
        at = settings.place(name)
        if name in KEYS:
            gathered.take(KEYS[name], _same, value, Layer.FILE, at)
        elif name in ("git", "ledger"):
            gathered.issues.append(at.finding("C003", f"{name}: expected a table"))
        elif name == "ledger.tools":
            gathered.issues += [
                at.finding("C003", wrong) for *_, wrong in checked_tools(value) if wrong
            ]
        else:
            gathered.unknown(at, _nearest(name.rpartition(".")[2], known))


def _read_git(gathered: _Gathering, repo: Repository | None, root: Path) -> None:
    args = ["config", "-z", "--show-origin", "--get-regexp", r"^intent\."]
    _, out = spawn_git(args, root, repo.exports if repo else None)
    known = {key.git.lower(): key for key in KEYS.values()}
    spellings = {key.git.lower(): key.git for key in KEYS.values()}
    found: dict[str, tuple[str, list[str]]] = {}
    fields_ = out.decode(errors="replace").split("\0")[:-1]
    for origin, line in zip(fields_[::2], fields_[1::2], strict=True):
        name, given, value = line.partition("\n")
        texts = found.get(name, ("", []))[1]
        found[name] = (origin, [*texts, value if given else "true"])
    for name, (origin, texts) in found.items():
        at = Place(name, f"git config ({origin.removeprefix('file:')})")
        if name in known:
            key = known[name]
            at = Place(key.git, at.path)
            if key.kind.many:
                gathered.take(key, _same, texts, Layer.GIT, at)
            else:
                gathered.take(key, key.kind.from_text, texts[-1], Layer.GIT, at)
        elif name not in _GIT_ONLY and name.rpartition(".")[0] in (
            "intent",
            "intent.git",
            "intent.ledger",
        ):
            gathered.unknown(at, _nearest(name, spellings))


def _read_env(gathered: _Gathering, env: Mapping[str, str]) -> None:
    known = {key.env: key for key in KEYS.values()}
    for name in sorted(env):
        if name in known:
            key, value = known[name], env[name]
            at = Place(name, name)
            if key.kind.many:
                texts = [text.strip() for text in value.split(",") if text.strip()]
                gathered.take(key, _same, texts, Layer.ENV, at)
            else:
                gathered.take(key, key.kind.from_text, value, Layer.ENV, at)
