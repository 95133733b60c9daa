"""What `git intent mcp` offers: its tools, and which commands they are.

A tool that only reads changes nothing that anybody recorded: no file of the store, no
ref, no setting. What is derived may be brought up to date on the way, as the commands
do: the index of vectors, caches, the projection of a chat.
"""

from collections.abc import Mapping
from typing import Any

from git_intent.cli.mcp_tool import Call, Kind, Parameter, Tool

_HOST = "Your host: claude, codex, copilot, cursor, gemini or opencode."
_SESSION = "The host's id of your session, as the hooks' text names it."
_WHO = (
    Parameter("host", _HOST, "--host"),
    Parameter("session", _SESSION, "--session"),
)
_OWNER = (
    Parameter("host", _HOST, "--host", required=True),
    Parameter("session", _SESSION, "--session", required=True),
)
_ADDRESS = (
    *_WHO,
    Parameter("chat", "The chat itself, if no session is named.", "--chat"),
    Parameter("namespace", "Namespace of that chat.", "--namespace"),
)
_DOCUMENT = Parameter(
    "document",
    "The document of the command; `ledger_example` gives one to start from.",
    kind=Kind.DOCUMENT,
    required=True,
)
_WRITES = {
    "classify-source": (
        "Classify a prompt",
        "Say what a prompt means: INITIAL, ADD, CLARIFY, CORRECT, REPLACE or WITHDRAW.",
    ),
    "dispose-source": (
        "Dispose of a prompt",
        "Settle a prompt that does not change what the user wants.",
    ),
    "dispose-gap": (
        "Give up a missing prompt",
        "Give up a prompt that is known to be missing, with a review note.",
    ),
    "progress": (
        "Record progress",
        "Say how outcomes stand, on what evidence, what blocks them, what is next.",
    ),
    "action-start": (
        "Record an action before it is taken",
        "Refused while a prompt waits, or an action that it depends on is open.",
    ),
    "action-finish": (
        "Record what came of an action",
        "SUCCEEDED, FAILED, CANCELLED or UNKNOWN_EFFECT, and its effect.",
    ),
    "reconcile-effect": (
        "Reconcile an unknown effect",
        "Say what an unknown effect turned out to be, with evidence.",
    ),
}


def _writing(command: str) -> Tool:
    title, about = _WRITES[command]
    return Tool(
        f"ledger_{command.replace('-', '_')}",
        title,
        f"{about} As the owner session alone; one event is appended or nothing is. "
        "An answer with `recorded: true` must not be repeated.",
        ("ledger", command),
        (*_OWNER, _DOCUMENT),
        writes=True,
        repeatable=False,
    )


def _reading(name: str, title: str, about: str, *more: Parameter) -> Tool:
    command = ("ledger", name.replace("_", "-"), "--json")
    return Tool(f"ledger_{name}", title, about, command, (*more, *_ADDRESS))


OBJECTIVE = Tool(
    "ledger_objective",
    "Objective of the chat",
    "What the chat is for: pending prompts, policies, constraints, prohibitions, open "
    "outcomes, pending and unknown effects, next work. The text of objective.txt, with "
    "every source proved again. Read it after a compaction or when in doubt.",
    ("ledger", "show"),
    _ADDRESS,
    text=True,
)
LIST = Tool(
    "requirements_list",
    "List requirements",
    "The project's requirements, with every field.",
    ("list", "--json"),
    (
        Parameter("domain", "Only those of this domain.", "--domain"),
        Parameter(
            "status",
            "Only those of this status.",
            "--status",
            choices=("active", "superseded", "disabled"),
        ),
    ),
)
SHOW = Tool(
    "requirement_show",
    "Show a requirement",
    "One requirement, the file it stands in, and what said so.",
    ("show", "--json"),
    (Parameter("id", "Its id, such as req-a3f8.", required=True),),
)
BLOCK = Tool(
    "requirements_for_task",
    "Requirements for a task",
    "The block of standing requirements that a prompt for this task would get: ask "
    "before you begin a piece of work. Without a task, those of project level.",
    ("preview",),
    (
        Parameter("task", "What is to be done.", "--task-file=-", Kind.TEXT),
        Parameter("paths", "Paths that it is about.", "--path", Kind.WORDS),
        Parameter("workflow", "The workflow that runs.", "--workflow"),
        Parameter("step", "The step of it.", "--step"),
    ),
    text=True,
)
TOOLS = (
    LIST,
    SHOW,
    BLOCK,
    Tool(
        "status",
        "Status of the project",
        "What the store holds, what a scan would read, and which runs wait for one.",
        ("status", "--json"),
    ),
    Tool(
        "check",
        "Check the store",
        "Findings against the format and the hard rules, from HEAD to the work tree.",
        ("check", "--format=json"),
        answers="findings",
    ),
    Tool(
        "ledger_owner_view",
        "Whose ledger this is",
        "The ledger that a session is led to, and whether it is the owner.",
        ("ledger", "owner-view"),
        _WHO,
    ),
    OBJECTIVE,
    _reading("show", "State of the chat", "The same as the objective, as JSON."),
    _reading(
        "sources",
        "Prompts of the chat",
        "The user's prompts in order, and what became of each.",
        Parameter("pending", "Only those that wait.", "--pending", Kind.FLAG),
    ),
    _reading(
        "read_source",
        "Words of a prompt",
        "The exact words of a prompt, or bindings for a clause that quotes it.",
        Parameter("source", "Its id, or what that begins with.", required=True),
        Parameter("find", "Give a binding for each place that says this.", "--find"),
    ),
    Tool(
        "ledger_preflight",
        "May a tool be used now?",
        "ALLOW, HOLD or OUTSIDE_CONTROL for one call of a tool; HOLD names what ends "
        "it. It is advice: nothing is kept from being used.",
        ("ledger", "preflight"),
        (
            Parameter("host", _HOST, "--host", required=True),
            Parameter("session", _SESSION, "--session"),
            *_ADDRESS[2:],
            Parameter("tool", "The tool's exact name.", "--tool", required=True),
            Parameter("depends", "Ids it depends on.", "--depends", Kind.WORDS),
            Parameter("command", "What a shell would run.", "--command"),
        ),
        answers="decision",
    ),
    *(_writing(command) for command in _WRITES),
)
EXAMPLE = "ledger_example"


def example(arguments: Mapping[str, Any]) -> Call:
    """The command that prints a document for one of those that write."""
    given = dict(arguments)
    PICK.check(given.pop("tool", None))
    command = arguments["tool"].removeprefix("ledger_").replace("_", "-")
    shown = Tool(EXAMPLE, "", "", ("ledger", command, "--example"), _OWNER)
    return shown.call(given)


PICK = Parameter(
    "tool",
    "The tool that the document is for.",
    required=True,
    choices=tuple(tool.name for tool in TOOLS if tool.writes),
)
EXAMPLES = Tool(
    EXAMPLE,
    "An example of a document",
    "A document that a writing tool of the ledger would accept now. Brings prompts "
    "that wait outside of the journal into it; else records nothing.",
    (),
    (PICK, *_OWNER),
    writes=True,
)


def called(name: str, arguments: Mapping[str, Any]) -> tuple[Tool, Call] | None:
    """The tool of this name and its command; None if there is no such tool.

    Raises IntentError for wrong arguments.
    """
    if name == EXAMPLE:
        return EXAMPLES, example(arguments)
    for tool in TOOLS:
        if tool.name == name:
            return tool, tool.call(arguments)
    return None
