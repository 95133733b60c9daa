"""What a hook says after a compaction, in a chat with much that is pending and done.

    python -m benchmarks ledger_context

The bar: with 10,000 things, half of them pending (prompts, actions) and half done
(outcomes in the contract, prompts in the archive), it takes at most twice as long as
with one prompt. The projection is made up, and the anchor told of it: what is measured
is the reading of it. The answer must stay within its bound.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure
from benchmarks.ledger_capture import Chat, cost
from benchmarks.process import INTENT, Cost, medians, ratio_detail
from git_intent.config_ledger import CONTEXT_BYTES
from git_intent.files import canonical_json, sha256
from git_intent.ledger import anchor

BAR, RUNS = 2.0, 25
MANY = 2500  # of each kind
HOOK = (*INTENT, "hook", "--host", "claude", "--event", "SessionStart")
PAYLOAD = json.dumps({"session_id": "s-1", "source": "compact"}).encode()


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        small, large = (_chat(Path(folder, name)) for name in ("small", "large"))
        _grow(large)
        for chat in (small, large):
            _check(chat)
        pairs = [(_told(large), _told(small)) for _ in range(RUNS)]
    ours, floor = (medians(costs) for costs in zip(*pairs, strict=True))
    yield Figure(
        f"context with {4 * MANY} things pending and done",
        ours.wall / floor.wall,
        "times one with one",
        BAR,
        detail=ratio_detail(ours, floor, "with one"),
    )


def _chat(folder: Path) -> Chat:
    folder.mkdir()
    chat = Chat(folder)
    chat.say()
    chat.settle()
    return chat


def _grow(chat: Chat) -> None:
    """Make the projection of a chat as large as it could become."""
    folder = chat.ledger.folder
    current = Path(folder, "current.json")
    view = json.loads(current.read_bytes())
    (source,) = view["pending_sources"]
    view["pending_sources"] = [
        {**source, "id": f"src-{number:032x}"} for number in range(MANY)
    ]
    view["pending_actions"] = [
        {
            "id": f"act-{number}",
            "tool": "Edit",
            "what": None,
            "serves": [],
            "contract": view["contract_hash"],
            "state": "PENDING",
            "evidence": [],
            "reconciled": [],
        }
        for number in range(MANY)
    ]
    view["counts"]["sources"] = 2 * MANY
    for number in range(MANY):
        clause = f"out-3.{number}"
        view["contract"]["outcomes"].append(
            {"id": clause, "text": "It is done", "bindings": []}
        )
        view["outcomes"][clause] = {"state": "DONE"}
    data = canonical_json(view)
    current.write_bytes(data)
    known: Any = anchor.read(folder, "bench", "s-1")
    known.current = sha256(data)
    anchor.write(folder, known)


def _check(chat: Chat) -> None:
    out = subprocess.run(
        HOOK,
        cwd=chat.root,
        env=chat.environ,
        input=PAYLOAD,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    text = json.loads(out)["hookSpecificOutput"]["additionalContext"]
    if len(text.encode()) > CONTEXT_BYTES or chat.ledger.place.objective not in text:
        raise SystemExit(f"the context is not what it should be: {text[:300]!r}")


def _told(chat: Chat) -> Cost:
    with tempfile.TemporaryFile() as stdin:
        stdin.write(PAYLOAD)
        stdin.seek(0)
        return cost(lambda: chat.process(HOOK, stdin.fileno()))
