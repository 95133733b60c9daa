"""The chats of a home: by their refs, and by what waits in an inbox."""

from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.process import run_git
from git_intent.ledger.home import Home
from git_intent.ledger.names import LEDGERS, chat_of, unescape


def chats(home: Home) -> list[tuple[str, str]]:
    """(namespace, chat) of every ledger of a home, sorted."""
    args = ["for-each-ref", "--format=%(refname)", LEDGERS]
    out = run_git(args, cwd=home.common_dir, env=home.environment)
    found = set()
    for ref in out.decode().split():
        try:
            found.add(chat_of(ref))
        except IntentError:
            continue  # no ref of ours
    for waiting in Path(home.ledgers).glob("*/*/inbox/*"):
        folder = waiting.parents[1]
        try:
            found.add((unescape(folder.parent.name), unescape(folder.name)))
        except IntentError:
            continue
    return sorted(found)
