"""Codex against the Responses API."""

import itertools
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.real_hosts.client import CHILD_TASK, Client
from tests.real_hosts.model import MODEL, Call, Say, Talk, data

_COLLAB = "multi_agent_v1"
#: A model that Codex knows; of others it does not know whether they can patch files.
_EDITS = "gpt-5.5"
_CONFIG = """model = "{model}"
model_provider = "mock"
check_for_update_on_startup = false
model_auto_compact_token_limit = 300000

[analytics]
enabled = false

[model_providers.mock]
name = "mock"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
"""


class Responses:
    """`POST /v1/responses`, streamed with named events."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)

    def talk(self, path: str, body: dict[str, Any]) -> Talk | None:
        if not path.endswith("/responses"):
            return None
        user, outputs, texts = "", [], [str(body.get("instructions", ""))]
        for item in body.get("input", []):
            if item.get("type") == "message":
                text = "\n".join(part.get("text", "") for part in item["content"])
                texts.append(text)
                if item["role"] == "user" and not text.startswith("<"):
                    user, outputs = text, []
            elif str(item.get("type")).endswith("_output"):
                outputs.append(_text(item.get("output")))
                texts.append(outputs[-1])
        return Talk(user, outputs, texts, body)

    def aside(self, path: str, body: dict[str, Any]) -> None:
        return None

    def answer(self, said: Say | Call, body: dict[str, Any]) -> Iterator[bytes]:
        number = next(self._ids)
        response = {"id": f"resp_{number}", "output": []}
        yield data(
            {"type": "response.created", "response": response}, "response.created"
        )
        item = self._item(said, number)
        for kind in ("response.output_item.added", "response.output_item.done"):
            yield data({"type": kind, "output_index": 0, "item": item}, kind)
        usage = {
            "input_tokens": said.tokens,
            "input_tokens_details": None,
            "output_tokens": 5,
            "output_tokens_details": None,
            "total_tokens": said.tokens + 5,
        }
        done = {**response, "output": [item], "usage": usage}
        kind = "response.completed"
        yield data({"type": kind, "response": done}, kind)

    def _item(self, said: Say | Call, number: int) -> dict[str, Any]:
        if isinstance(said, Say):
            content = [{"type": "output_text", "text": said.text, "annotations": []}]
            item = {"type": "message", "role": "assistant", "content": content}
            return {**item, "id": f"msg_{number}", "status": "completed"}
        call = {
            "id": f"fc_{number}",
            "call_id": f"call_{number}",
            "status": "completed",
        }
        if said.tool == "apply_patch":
            return {
                **call,
                "type": "custom_tool_call",
                "name": said.tool,
                "input": said.arguments["patch"],
            }
        called = {"type": "function_call", "name": said.tool, **call}
        if said.tool in ("spawn_agent", "wait_agent"):
            called["namespace"] = _COLLAB
        return {**called, "arguments": json.dumps(said.arguments)}


def _text(output: Any) -> str:
    return output if isinstance(output, str) else json.dumps(output)


class Codex(Client):
    host, dialect = "codex", Responses
    tells_after_compaction = True

    def prepare(self) -> None:
        self._config = self.world.home / ".codex" / "config.toml"
        self._config.parent.mkdir()
        self._config.write_text(_CONFIG.format(model=MODEL, url=self.model.url))

    def environ(self) -> dict[str, str]:
        return {"MOCK_KEY": "dummy"}

    def trust(self) -> None:
        """Both gates: the folder, and each hook by the hash that Codex tells."""
        self.trust_folder()
        for hook in self._hooks():
            state = f'\n[hooks.state."{hook["key"]}"]\n'
            self._add(f'{state}trusted_hash = "{hook["currentHash"]}"\n')

    def trust_folder(self) -> None:
        self._add(f'\n[projects."{self.world.project}"]\ntrust_level = "trusted"\n')

    def _add(self, text: str) -> None:
        with self._config.open("a") as stream:
            stream.write(text)

    def _hooks(self) -> list[dict[str, Any]]:
        """The hooks that Codex knows, as its /hooks screen lists them."""
        asked = (
            ("initialize", {"clientInfo": {"name": "test", "version": "1"}}),
            ("initialized", None),
            ("hooks/list", {"cwds": [str(self.world.project)]}),
        )
        server = subprocess.Popen(
            [self.program, "app-server"],
            cwd=self.world.project,
            env={**self.world.environ, **self.environ()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with server:
            for number, (method, params) in enumerate(asked):
                message = {"jsonrpc": "2.0", "method": method}
                if params is not None:
                    message |= {"id": number, "params": params}
                server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            for line in server.stdout:
                answer = json.loads(line)
                if answer.get("id") == len(asked) - 1:
                    server.kill()
                    return [h for one in answer["result"]["data"] for h in one["hooks"]]
        raise AssertionError("codex app-server does not list hooks")

    def words(self, prompt: str, *options: str) -> list[str]:
        resumed = ["resume", self.session] if self.session else []
        words = [self.program, "exec", "--json", *options]
        return [*words, "--dangerously-bypass-approvals-and-sandbox", *resumed, prompt]

    def told_session(self, out: str) -> str:
        for line in out.splitlines():
            if line.startswith("{") and "thread_id" in (told := json.loads(line)):
                return told["thread_id"]
        return ""

    def edit(self, path: Path, text: str) -> Call:
        change = f"*** Add File: {path}\n+{text}"
        patch = f"*** Begin Patch\n{change}\n*** End Patch"
        return Call("apply_patch", {"patch": patch})

    def edits(self, path: Path, text: str) -> list[Call]:
        call = self.edit(path, text)
        shell = f"apply_patch <<'EOF'\n{call.arguments['patch']}\nEOF"
        return [call, Call("exec_command", {"cmd": shell})]

    def editing(self) -> list[str]:
        return ["-m", _EDITS]

    def harmless(self) -> Call:
        return Call("exec_command", {"cmd": "true"})

    def summarises(self, talk: Talk) -> bool:
        return "CONTEXT CHECKPOINT COMPACTION" in talk.user

    def delegate(self, talk: Talk) -> Say | Call:
        if not talk.outputs:
            return Call("spawn_agent", {"message": CHILD_TASK, "agent_type": "default"})
        if len(talk.outputs) == 1:
            child = json.loads(talk.outputs[0])["agent_id"]
            return Call("wait_agent", {"targets": [child]})
        return Say()
