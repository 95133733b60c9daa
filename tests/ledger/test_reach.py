"""What a reading touches of a long ledger."""

import pytest

from git_intent.git.cat_file import CatFile
from tests.support.ledgers import Chat


@pytest.fixture
def asked(monkeypatch):
    """The names that git is asked for."""
    found: list[str] = []
    ask = CatFile.ask

    def noted(self, name):
        found.append(name)
        return ask(self, name)

    monkeypatch.setattr(CatFile, "ask", noted)
    return found


def test_l136_a_reading_asks_for_tail_checkpoint_and_pending_sources(memory, asked):
    chat = Chat.init(memory / "home")
    for number in range(140):
        chat.spool(f"prompt {number}")
    chat.ledger.drain()
    asked.clear()
    assert chat.ledger.read().state.seq == 141
    listed = chat.repo.git("ls-tree", "-rt", chat.ref).splitlines()
    paths = {line.split()[2]: line.split("\t")[1] for line in listed}
    reached = {paths.get(oid, "the commit or its tree") for oid in asked}
    sources = {path for path in paths.values() if path.startswith("sources")}
    assert reached - sources == {
        *("the commit or its tree", "journal", "journal/000003.jsonl"),
        *("checkpoint", "head"),
    }
    assert len([path for path in sources & reached if path.count("/") == 2]) == 140
