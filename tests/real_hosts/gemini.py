"""Gemini CLI against the API of its models."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.real_hosts.client import CHILD_TASK, Client
from tests.real_hosts.model import MODEL, Call, Say, Talk, data

_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
}


class GenerateContent:
    """`POST …:streamGenerateContent`, streamed as whole answers without names."""

    def talk(self, path: str, body: dict[str, Any]) -> Talk | None:
        if ":streamGenerateContent" not in path:
            return None
        user, outputs, texts = "", [], [json.dumps(body.get("systemInstruction", ""))]
        for content in body["contents"]:
            parts = content.get("parts", [])
            text = "\n".join(part["text"] for part in parts if "text" in part)
            answers = [p["functionResponse"] for p in parts if "functionResponse" in p]
            texts += [text, *map(_answer, answers)]
            if content.get("role") != "user":
                continue
            if answers:
                outputs += map(_answer, answers)
            else:
                user, outputs = text, []
        return Talk(user, outputs, texts, body)

    def aside(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        if ":generateContent" in path:
            return _whole(Say("{}"))
        if ":countTokens" in path:
            return {"totalTokens": 10}
        return None

    def answer(self, said: Say | Call, body: dict[str, Any]) -> Iterator[bytes]:
        yield data(_whole(said))


def _whole(said: Say | Call) -> dict[str, Any]:
    part: dict[str, Any]
    if isinstance(said, Say):
        part = {"text": said.text}
    else:
        part = {"functionCall": {"name": said.tool, "args": said.arguments}}
    candidate = {
        "content": {"role": "model", "parts": [part]},
        "finishReason": "STOP",
        "index": 0,
    }
    usage = {
        "promptTokenCount": said.tokens,
        "candidatesTokenCount": 5,
        "totalTokenCount": said.tokens + 5,
    }
    return {"candidates": [candidate], "usageMetadata": usage}


def _answer(response: dict[str, Any]) -> str:
    return json.dumps(response.get("response"), ensure_ascii=False)


class Gemini(Client):
    host, dialect = "gemini", GenerateContent

    def prepare(self) -> None:
        self._own = self.world.home / ".gemini"
        self._own.mkdir()
        self._write("settings.json", _SETTINGS)

    def _write(self, name: str, value: Any) -> None:
        (self._own / name).write_text(json.dumps(value))

    def environ(self) -> dict[str, str]:
        return {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": self.model.url}

    def trust(self) -> None:
        self._write("trustedFolders.json", {str(self.world.project): "TRUST_FOLDER"})

    def words(self, prompt: str, *options: str) -> list[str]:
        resumed = ["--resume", "latest"] if self.session else []
        words = [self.program, "-m", MODEL, "--approval-mode", "yolo", *resumed]
        return [*words, *options, "-p", prompt]

    def told_session(self, out: str) -> str:
        chats = [*self._own.glob("tmp/*/chats/session-*.jsonl")]
        heads = [path.read_text().splitlines()[0] for path in chats]
        ids = {json.loads(head)["sessionId"] for head in heads}
        return ids.pop() if len(ids) == 1 else ""

    def edit(self, path: Path, text: str) -> Call:
        return Call("write_file", {"file_path": str(path), "content": text})

    def harmless(self) -> Call:
        return Call("run_shell_command", {"command": "true"})

    def delegate(self, talk: Talk) -> Say | Call:
        if talk.outputs:
            return Say()
        return Call("invoke_agent", {"agent_name": "generalist", "prompt": CHILD_TASK})
