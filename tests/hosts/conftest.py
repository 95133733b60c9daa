import pytest

from tests.support.session import Session


@pytest.fixture
def chat(repo, home, monkeypatch) -> Session:
    """A session of Claude Code in a repository that is its own home."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return Session(repo).configure()
