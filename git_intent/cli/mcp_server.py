"""The server of `git intent mcp`: tools and resources over stdio, by the official SDK.

What there is to offer stands in `mcp_tools`, what comes of a call in `mcp_call`. A tool
that fails answers with an error that names the mistake and what to do; a resource that
cannot be read is an error of the protocol with the same words.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from git_intent import __version__
from git_intent.cli.mcp_call import Answer, answer
from git_intent.cli.mcp_tool import Tool
from git_intent.cli.mcp_tools import (
    BLOCK,
    EXAMPLES,
    LIST,
    OBJECTIVE,
    SHOW,
    TOOLS,
    called,
)
from git_intent.errors import IntentError

INSTRUCTIONS = (
    "What a project has decided (requirements), what this chat is for (the ledger). "
    "Call requirements_for_task before you begin a piece of work. After a compaction, "
    "or in doubt about what the user wants, call ledger_objective with your host and "
    "session. Tools of the ledger that write are for the session that owns it."
)
_AT_ONCE = 4  # commands
_SCHEME = "intent://"
_JSON, _MARKDOWN, _TEXT = "application/json", "text/markdown", "text/plain"
#: How often a resource is called: tool, names of the parts of its address, type.
_RESOURCES: dict[str, tuple[Tool, tuple[str, ...], str]] = {
    "requirements": (LIST, (), _JSON),
    "requirement": (SHOW, ("id",), _JSON),
    "block": (BLOCK, (), _MARKDOWN),
    "objective": (OBJECTIVE, ("host", "session"), _TEXT),
}

Context = ServerRequestContext[Any]


class Service:
    """Answers for the project at a folder."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self._turns = anyio.CapacityLimiter(_AT_ONCE)

    def server(self) -> Server[Any]:
        return Server(
            "git-intent",
            version=__version__,
            title="git intent",
            instructions=INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
        )

    async def list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        listed = [_described(one) for one in (*TOOLS, EXAMPLES)]
        return types.ListToolsResult(tools=listed)

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            found = await self._answer(params.name, params.arguments or {})
        except IntentError as error:
            return _result(Answer("", None, _words(error), failed=True))
        if found is None:
            raise MCPError(types.INVALID_PARAMS, f"no tool {params.name[:80]!r}")
        return _result(found)

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        listed = [
            types.Resource(
                uri=f"{_SCHEME}{name}",
                name=name,
                title=tool.title,
                description=tool.about,
                mime_type=kind,
            )
            for name, (tool, parts, kind) in _RESOURCES.items()
            if not parts
        ]
        return types.ListResourcesResult(resources=listed)

    async def list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        listed = [
            types.ResourceTemplate(
                uri_template=_SCHEME + "/".join([name, *(f"{{{p}}}" for p in parts)]),
                name=name,
                title=tool.title,
                description=tool.about,
                mime_type=kind,
            )
            for name, (tool, parts, kind) in _RESOURCES.items()
            if parts
        ]
        return types.ListResourceTemplatesResult(resource_templates=listed)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        name, *values = params.uri.removeprefix(_SCHEME).split("/")
        tool, parts, kind = _RESOURCES.get(name, (LIST, (), ""))
        known = params.uri.startswith(_SCHEME) and len(values) == len(parts)
        if not kind or not known:
            raise MCPError(types.INVALID_PARAMS, f"no resource {params.uri[:200]!r}")
        given = {p: unquote(v) for p, v in zip(parts, values, strict=True)}
        try:
            found = await self._answer(tool.name, given)
        except IntentError as error:
            raise MCPError(types.INTERNAL_ERROR, _words(error)) from error
        if found is None or found.failed:
            raise MCPError(types.INTERNAL_ERROR, found.notes if found else name)
        contents = types.TextResourceContents(
            uri=params.uri, mime_type=kind, text=found.text
        )
        return types.ReadResourceResult(contents=[contents])

    async def _answer(self, name: str, arguments: Mapping[str, Any]) -> Answer | None:
        found = called(name, arguments)
        if found is None:
            return None
        tool, call = found
        return await anyio.to_thread.run_sync(
            answer, tool, call, self.directory, limiter=self._turns
        )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.writes,
            destructive_hint=False,
            idempotent_hint=tool.repeatable,
            open_world_hint=False,
        ),
    )


def _result(found: Answer) -> types.CallToolResult:
    """What was printed, and what was said beside it: of an error that comes first."""
    texts = [found.text, found.notes]
    if found.failed:
        texts.reverse()
    content = [types.TextContent(text=text) for text in texts if text]
    return types.CallToolResult(
        content=list(content), structured_content=found.value, is_error=found.failed
    )


def _words(error: IntentError) -> str:
    return "\n  ".join(filter(None, (error.message, error.hint)))


def serve(directory: str) -> None:
    """Answer until standard input ends."""

    async def talk() -> None:
        server = Service(directory).server()
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(talk)
