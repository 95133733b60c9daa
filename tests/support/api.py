"""The console's API in this process, on a real repository."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from git_intent.cli.web_services import console
from git_intent.web.access import Door
from git_intent.web.app import application
from git_intent.web.console import Console
from tests.support.repo import Repo

PORT = 8401
ORIGIN = f"http://127.0.0.1:{PORT}"


class Api:
    """Asks with the token unless told otherwise; an answer of 5xx fails the test."""

    def __init__(self, made: Console, door: Door, client: TestClient) -> None:
        self.console, self.door, self.client = made, door, client

    def ask(self, method: str, path: str, **options: Any):
        bearer = {"Authorization": f"Bearer {self.door.token}"}
        headers = {**bearer, **options.pop("headers", {})}
        answer = self.client.request(method, path, headers=headers, **options)
        assert answer.status_code < 500, answer.text
        return answer

    def get(self, path: str, /, **query: Any) -> Any:
        return self.told("GET", path, 200, params=query)

    def told(self, method: str, path: str, status: int, **options: Any) -> Any:
        """The JSON of an answer that must have this status."""
        answer = self.ask(method, path, **options)
        assert answer.status_code == status, answer.text
        body = answer.json()
        assert body["version"] == 1
        return body

    def detail(self, id: str) -> Any:
        return self.get(f"/api/requirements/{id}")

    def patch(
        self, id: str, status: int = 200, etag: str = "", /, **changes: Any
    ) -> Any:
        etag = etag or self.detail(id)["etag"]
        body = {"etag": etag, "changes": changes}
        return self.told("PATCH", f"/api/requirements/{id}", status, json=body)

    def preview(
        self, id: str, status: int = 200, etag: str = "", /, **changes: Any
    ) -> Any:
        etag = etag or self.detail(id)["etag"]
        body = {"etag": etag, "changes": changes}
        path = f"/api/requirements/{id}/preview"
        return self.told("POST", path, status, json=body)


@contextmanager
def api(repo: Repo, *, actor: str = "person", read_only: bool = False) -> Iterator[Api]:
    made = console(str(repo.path), actor, read_only=read_only)
    door = Door(PORT)
    client = TestClient(application(made, door), base_url=ORIGIN)
    client.follow_redirects = False
    try:
        yield Api(made, door, client)
    finally:
        made.close()


def everything(repo: Repo) -> dict[str, str]:
    """Each path below the repository, its git directory included, with a digest."""
    return {
        str(path.relative_to(repo.path)): _digest(path)
        for path in sorted(repo.path.rglob("*"))
    }


def _digest(path: Path) -> str:
    if path.is_symlink():
        return f"-> {path.readlink()}"
    if path.is_dir():
        return "folder"
    return hashlib.sha256(path.read_bytes()).hexdigest()
