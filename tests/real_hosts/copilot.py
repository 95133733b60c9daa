"""Copilot CLI against a provider with the Chat Completions API."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.real_hosts.client import CHILD_TASK, Client
from tests.real_hosts.model import MODEL, Call, Say, Talk, data
from tests.real_hosts.packages import CACHE


class ChatCompletions:
    """`POST /v1/chat/completions`, streamed as chunks without names."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)

    def talk(self, path: str, body: dict[str, Any]) -> Talk | None:
        if not path.endswith("/chat/completions"):
            return None
        user, outputs, texts = "", [], []
        for message in body["messages"]:
            text = _text(message.get("content"))
            texts.append(text)
            if message["role"] == "user":
                user, outputs = text, []
            elif message["role"] == "tool":
                outputs.append(text)
        return Talk(user, outputs, texts, body)

    def aside(self, path: str, body: dict[str, Any]) -> None:
        return None

    def answer(self, said: Say | Call, body: dict[str, Any]) -> Iterator[bytes]:
        number = next(self._ids)
        if isinstance(said, Say):
            delta, reason = {"role": "assistant", "content": said.text}, "stop"
        else:
            function = {"name": said.tool, "arguments": json.dumps(said.arguments)}
            call = {"index": 0, "id": f"call_{number}", "type": "function"}
            calls = [{**call, "function": function}]
            delta = {"role": "assistant", "content": None, "tool_calls": calls}
            reason = "tool_calls"
        usage = {
            "prompt_tokens": said.tokens,
            "completion_tokens": 5,
            "total_tokens": said.tokens + 5,
        }
        chunk = {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": MODEL,
        }
        for part, why in ((delta, None), ({}, reason)):
            choice = {"index": 0, "delta": part, "finish_reason": why}
            yield data({**chunk, "choices": [choice]})
        yield data({**chunk, "choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"


class Copilot(Client):
    host, dialect = "copilot", ChatCompletions

    def prepare(self) -> None:
        self._own = self.world.home / ".copilot"
        self._own.mkdir()
        # it unpacks itself into the home: 200 MB, which need not be done each time
        unpacked = CACHE / f"{self.package().folder.name}.unpacked"
        unpacked.mkdir(exist_ok=True)
        (self.world.home / ".cache").mkdir()
        (self.world.home / ".cache" / "copilot").symlink_to(unpacked)

    def environ(self) -> dict[str, str]:
        return {
            "COPILOT_PROVIDER_BASE_URL": f"{self.model.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            "COPILOT_MODEL": MODEL,
            "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "300000",
            "COPILOT_OFFLINE": "true",
        }

    def trust(self) -> None:
        known = {"trustedFolders": [str(self.world.project)]}
        (self._own / "config.json").write_text(json.dumps(known))

    def words(self, prompt: str, *options: str) -> list[str]:
        resumed = [f"--resume={self.session}"] if self.session else []
        words = [self.program, "-p", prompt, "--allow-all-tools", "--no-color"]
        return [*words, *resumed, *options]

    def told_session(self, out: str) -> str:
        found = (self._own / "session-state").glob("*/events.jsonl")
        names = [path.parent.name for path in found]
        return names[0] if len(names) == 1 else ""

    def edit(self, path: Path, text: str) -> Call:
        return Call("create", {"path": str(path), "file_text": text})

    def harmless(self) -> Call:
        return Call("bash", {"command": "sleep 1", "description": "Wait"})

    def summarises(self, talk: Talk) -> bool:
        return "respond only with the summary text" in talk.user

    def delegate(self, talk: Talk) -> Say | Call:
        if talk.outputs:
            return Say()
        task = {
            "description": "Look",
            "prompt": CHILD_TASK,
            "agent_type": "general-purpose",
            "name": "looker",
            "mode": "sync",
        }
        return Call("task", task)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return content or ""
