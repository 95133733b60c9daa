"""One hermetic world for every test: own HOME, fixed dates, a failing editor."""

from pathlib import Path

import pytest

from tests.support.repo import Repo
from tests.support.world import settle


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch):
    home = tmp_path_factory.mktemp("home")
    settle(home, monkeypatch)
    return home


@pytest.fixture
def home(hermetic: Path) -> Path:
    return hermetic


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository on the unborn branch `main`."""
    return Repo.init(tmp_path / "project")
