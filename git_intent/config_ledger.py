"""The settings of the chat ledger, read on paths that must be fast.

`intent.ledgerHome` and `intent.namespace` live in git config only. The rest is, as any
setting, `[intent.ledger]` of the project's `.cloche/config.toml`, `intent.ledger.…` in
git config, and the environment; a later layer wins:

    [intent.ledger]
    context_bytes = 2000

    [intent.ledger.tools.claude]
    mutation = ["Edit", "Write"]
    read_only = ["Read"]
    mixed = ["Bash"]

In git config a tool class is `intent.ledger.tools.claude.readOnly`, one value a tool.
Tools are named exactly; what is named in two classes is in the stricter one. What is
wrong with a value is a fault, and the layer below holds.
"""

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Tools = Mapping[str, Mapping[str, tuple[str, ...]]]

CONTEXT_BYTES = 2000
FEWEST_BYTES, MOST_BYTES = 512, 1_000_000
#: Tool classes, the strictest first, and their names in git config.
CLASSES = {"mutation": "mutation", "mixed": "mixed", "read_only": "readonly"}
#: The shells of the hosts: they can do anything, so no class of ours fits them.
SHELLS = {
    "claude": ("Bash",),
    "codex": ("Bash", "exec_command", "local_shell", "shell"),
    "copilot": ("Bash", "bash"),
    "cursor": ("Shell",),
    "gemini": ("run_shell_command",),
    "opencode": ("bash",),
}
#: What to ask git config for.
QUESTION = (
    *("config", "-z", "--get-regexp"),
    r"^intent\.(ledgerhome|namespace|ledger\..*)$",
)
ENVIRONMENT = "GIT_INTENT_CONTEXT_BYTES"


class LedgerSettings:
    """What is in force; `home` and `namespace` are empty where not set."""

    __slots__ = ("context_bytes", "faults", "home", "namespace", "tools")

    def __init__(self) -> None:
        self.home = ""
        self.namespace = ""
        self.context_bytes = CONTEXT_BYTES
        self.tools: dict[str, dict[str, tuple[str, ...]]] = {}
        self.faults: list[str] = []

    def class_of(self, host: str, tool: str) -> str:
        """The class of a tool, or an empty text. Names are compared exactly."""
        table = self.tools.get(host, {})
        for name in CLASSES:
            if tool in table.get(name, ()):
                return name
        return "mixed" if tool in SHELLS.get(host, ()) else ""

    def take_bytes(self, value: object, where: str) -> None:
        try:
            self.context_bytes = context_bytes(value)
        except ValueError:
            self.faults.append(
                f"{where}: expected a whole number from {FEWEST_BYTES} to {MOST_BYTES}"
            )

    def take_tools(self, host: str, name: str, tools: "Iterable[str]") -> None:
        self.tools.setdefault(host, {})[name] = tuple(tools)


def context_bytes(value: object) -> int:
    """The bound of a compact context. Raises ValueError for what is none."""
    if type(value) is not int or not FEWEST_BYTES <= value <= MOST_BYTES:
        raise ValueError(value)
    return value


def settings(asked: bytes, toml: str, environ: "Mapping[str, str]") -> LedgerSettings:
    """All layers. `asked` is git's answer to QUESTION, `toml` the path of the project's
    configuration, which need not exist."""
    found = LedgerSettings()
    _take_file(found, toml)
    _take_git(found, asked.decode(errors="surrogateescape"))
    if ENVIRONMENT in environ:
        found.take_bytes(_whole(environ[ENVIRONMENT]), ENVIRONMENT)
    return found


def _take_git(found: LedgerSettings, text: str) -> None:
    classes = {spelt: name for name, spelt in CLASSES.items()}
    tools: dict[tuple[str, str], list[str]] = {}
    for entry in text.split("\0")[:-1]:
        key, _, value = entry.partition("\n")
        if key == "intent.ledgerhome":
            found.home = value
        elif key == "intent.namespace":
            found.namespace = value
        elif key == "intent.ledger.contextbytes":
            found.take_bytes(_whole(value), "intent.ledger.contextBytes")
        elif key.startswith("intent.ledger.tools."):
            host, _, last = key.removeprefix("intent.ledger.tools.").rpartition(".")
            tools.setdefault((host, last), []).append(value)
    for (host, last), names in tools.items():
        if host in SHELLS and last in classes:
            found.take_tools(host, classes[last], names)
        else:
            found.faults.append(f"intent.ledger.tools.{host}.{last}: unknown key")


def _take_file(found: LedgerSettings, toml: str) -> None:
    try:
        with open(toml, "rb") as stream:
            data = stream.read()
    except OSError:
        return
    if b"ledger" not in data:
        return  # the reader of TOML takes as long to load as all the rest
    import tomllib

    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except ValueError:
        found.faults.append(f"{toml}: cannot be read as TOML")
        return
    ours = table.get("intent")
    ledger = ours.get("ledger") if isinstance(ours, dict) else None
    if not isinstance(ledger, dict):
        return
    if "context_bytes" in ledger:
        found.take_bytes(ledger["context_bytes"], f"{toml}: context_bytes")
    for host, name, value, wrong in checked_tools(ledger.get("tools", {})):
        if wrong:
            found.faults.append(f"{toml}: {wrong}")
        else:
            found.take_tools(host, name, value)


def checked_tools(
    tables: object,
) -> "Iterator[tuple[str, str, tuple[str, ...], str]]":
    """(host, class, tools, what is wrong) for each key of `[intent.ledger.tools]`."""
    if not isinstance(tables, dict):
        yield "", "", (), "ledger.tools: expected a table"
        return
    for host, table in tables.items():
        at = f"ledger.tools.{host}"
        if host not in SHELLS:
            yield host, "", (), f"{at}: expected a host: {', '.join(sorted(SHELLS))}"
            continue
        if not isinstance(table, dict):
            yield host, "", (), f"{at}: expected a table"
            continue
        for name, value in table.items():
            if name not in CLASSES:
                classes = ", ".join(CLASSES)
                yield host, name, (), f"{at}.{name}: expected a class: {classes}"
            elif not isinstance(value, list) or not all(
                isinstance(one, str) for one in value
            ):
                yield host, name, (), f"{at}.{name}: expected a list of texts"
            else:
                yield host, name, tuple(value), ""


def _whole(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        return text
