"""The fold: one state from one journal, however it is read."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.files import canonical_json
from git_intent.ledger import created, fold
from git_intent.ledger.archive import Archive
from git_intent.ledger.refusal import Corrupt, Newer, Refusal
from git_intent.ledger.view import view
from tests.support.chat import Chat, fresh, replayed, settled, sha

# Histories that hold something of everything


def _do(chat, command, document):
    """Record a document, unless it is recorded already."""
    draft = fold.compose(command, chat.state, document, chat.world)
    if isinstance(draft, fold.Draft):
        chat._append(draft)


def _say(chat, pick):
    texts = ["yes", "go on", "Also document it", "Use Zig"]
    chat.say(texts[pick % 4], turn=f"t-{pick % 3}" if pick % 2 else None)


def _deliver_again(chat, pick):
    from git_intent.ledger.capture import from_spool

    known = [*chat.state.sources.values()]
    if known:
        record = known[pick % len(known)]
        header = {**record, "kind": "prompt", "id": f"src-{chat.world.mint()}"}
        data = chat.bytes_of(record["id"])
        chat._append(from_spool(chat.state, header, data, chat.world))


def _lose(chat, pick):
    chat.lose(f"lost {pick % 2}")


def _recover(chat, pick):
    gaps = list(chat.state.gaps)
    gap = gaps[pick % len(gaps)] if gaps else "gap-1"
    _do(chat, "recover-source", {"gap": gap, "text": f"lost {pick % 2}"})


def _dispose_gap(chat, pick):
    gaps = list(chat.state.gaps)
    _do(
        chat,
        "dispose-gap",
        {"gap": gaps[pick % len(gaps)] if gaps else "", "note": "n"},
    )


def _dispose(chat, pick):
    sources = list(chat.state.sources)
    source = sources[pick % len(sources)] if sources else "src-1"
    _do(chat, "dispose-source", {"source": source, "reason": "CHILD", "note": "n"})


def _classify(chat, pick):
    source = next(iter(chat.state.sources), None)
    if source is None:
        return
    field = ("outcomes", "policies", "prohibitions")[pick % 3]
    added = chat.add(source, field, f"clause {pick}")
    first = chat.state.status == "NO_CONTRACT"
    if first or pick % 4:
        chat.classify(source, "INITIAL" if first else "ADD", added)
        return
    _do(
        chat,
        "classify-source",
        chat.classification(source, ("REPLACE", [added]), all="retire"),
    )


def _progress(chat, pick):
    outcomes = chat.ids("outcomes")
    document = {"contract": chat.state.contract_hash}
    if outcomes:
        given = {"state": "DONE", "evidence": [{"text": f"seen {pick}"}]}
        document["outcomes"] = {outcomes[pick % len(outcomes)]: given}
    if pick % 2:
        document["next_work"] = [f"item {pick}"]
    _do(chat, "progress", document)


def _start(chat, pick):
    document = {"tool": "Edit", "contract": chat.state.contract_hash}
    if pick % 2:
        document["request"] = f"r-{pick % 5}"
    _do(chat, "action-start", document)


def _finish(chat, pick):
    actions = list(chat.state.actions)
    action = actions[pick % len(actions)] if actions else "act-1"
    pair = [("SUCCEEDED", "NONE"), ("UNKNOWN_EFFECT", "UNKNOWN")][pick % 2]
    document = {"action": action, "result": pair[0], "effect": pair[1]}
    _do(chat, "action-finish", document)


def _reconcile(chat, pick):
    actions = list(chat.state.actions)
    document = {
        "action": actions[pick % len(actions)] if actions else "act-1",
        "effect": ["STILL_UNKNOWN", "APPLIED"][pick % 2],
        "evidence": [{"text": f"looked {pick}"}],
    }
    _do(chat, "reconcile-effect", document)


STEPS = [
    *(_say, _deliver_again, _lose, _recover, _dispose_gap, _dispose, _classify),
    *(_progress, _start, _finish, _reconcile),
]


def history(steps) -> Chat:
    """A journal of what of these steps was allowed."""
    chat = Chat()
    for step, pick in steps:
        before = chat.everything()
        try:
            step(chat, pick)
        except Refusal:
            assert chat.everything() == before
    return chat


histories = st.lists(
    st.tuples(st.sampled_from(STEPS), st.integers(0, 11)), min_size=5, max_size=60
).map(history)


def whole(state):
    """A state and all of its archive, as bytes."""
    archive = state.archive
    records = {key: archive.get(key) for key in archive.all_keys()}
    return canonical_json([fold.dump(state), records])


@settings(max_examples=120, deadline=None)
@given(histories, st.data())
def test_l104_folding_through_checkpoints_is_folding_in_one_go(chat, data):
    """Parts are sealed where the checkpoints are, and read as far as needed."""
    at_once = replayed(chat.lines)
    assert whole(at_once) == whole(chat.state)
    cuts = data.draw(st.sets(st.integers(1, len(chat.lines))).map(sorted))
    state, parts, done = fresh(), [], 0
    for cut in cuts:
        replayed(chat.lines[done:cut], state)
        parts.append(canonical_json(state.archive.seal()))
        dumped = canonical_json(fold.dump(state))
        older = (json.loads(part) for part in reversed(parts))
        state, done = fold.load(json.loads(dumped), Archive(older)), cut
        assert canonical_json(fold.dump(state)) == dumped
    replayed(chat.lines[done:], state)
    assert whole(state) == whole(at_once)
    assert canonical_json(view(state)) == canonical_json(view(at_once))


@settings(max_examples=30, deadline=None)
@given(histories)
def test_l104_the_archive_changes_nothing_that_is_live(chat):
    """Where segments are sealed does not matter to the state."""
    state = fresh()
    for line in chat.lines:
        fold.replay(state, line)
        state.archive.seal()
    assert whole(state) == whole(chat.state)


@settings(max_examples=30, deadline=None)
@given(histories)
def test_records_are_replaced_and_never_changed(chat):
    """What a reader has keeps its meaning while the fold goes on."""
    state, kept = fresh(), []
    for line in chat.lines:
        fold.replay(state, line)
        seen = view(state)
        kept.append((seen, canonical_json(seen)))
    for seen, bytes_ in kept:
        assert canonical_json(seen) == bytes_


def test_histories_reach_every_type_of_event():
    import random

    dice = random.Random(7)
    seen = set()
    for _ in range(12):
        steps = [(dice.choice(STEPS), dice.randrange(12)) for _ in range(60)]
        seen |= {json.loads(line)["type"] for line in history(steps).lines}
    assert seen == set(fold.TYPES) - {"ledger-closed", "tail-preserved"}


# The registry


def test_every_type_and_command_has_a_family():
    for type_, (module, _) in fold.TYPES.items():
        assert all(callable(rule) for rule in fold._family(module).EVENTS[type_])
    for command, module in fold.COMMANDS.items():
        assert callable(fold._family(module).COMMANDS[command])
    modules = {module for module, _ in fold.TYPES.values()}
    events = [t for module in modules for t in fold._family(module).EVENTS]
    assert sorted(events) == sorted(fold.TYPES)
    commands = [c for module in modules for c in fold._family(module).COMMANDS]
    assert sorted(commands) == sorted(fold.COMMANDS)


# Beginning and end


@pytest.mark.parametrize("route", ["default", "explicit"])
def test_l005_the_first_event_says_how_the_chat_came_to_its_id(route):
    state = fresh()
    chat = Chat()
    draft = created.creating("claude", " S-1 ", route)
    fold.fold(state, fold.propose(state, draft, chat.world))
    assert state.binding == {"host": "claude", "session": " S-1 ", "route": route}
    assert state.owner == {"host": "claude", "session": " S-1 "}


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"route": "guess"}, "/route"),
        ({"session": ""}, "/session"),
        ({"title": "x"}, "/title"),
    ],
)
def test_a_beginning_that_is_wrong(changed, pointer):
    state, chat = fresh(), Chat()
    body = {**created.creating("claude", "s", "default").body, **changed}
    event = fold.propose(state, fold.Draft("ledger-created", body, ""), chat.world)
    with pytest.raises(Refusal) as caught:
        fold.fold(state, event)
    assert caught.value.pointer == pointer


def test_l014_a_ledger_of_captures_only_can_be_closed():
    chat = Chat()
    chat.say("Go on")
    chat._append(created.closing("team", "s-0", "the chat was resumed"))
    assert view(chat.state)["status"] == "CLOSED"
    assert view(chat.state)["moved_to"] == {"namespace": "team", "chat": "s-0"}
    refusal = chat.refused("capture", {"text": "more"})
    assert refusal.code == "ledger-closed"
    assert "team/s-0" in refusal.message
    with pytest.raises(Refusal, match="was closed"):
        chat.say("more")
    chat._append(created.preserving("tail-1", sha(b"x"), 1))


def test_l014_a_ledger_with_a_contract_cannot_be_closed():
    chat = settled()
    with pytest.raises(Refusal, match="more than captures"):
        chat._append(created.closing("team", "s-0", "the chat was resumed"))
    acting = Chat()
    acting.do("action-start", {"tool": "Edit", "contract": acting.state.contract_hash})
    with pytest.raises(Refusal, match="more than captures"):
        acting._append(created.closing("team", "s-0", "the chat was resumed"))
    with pytest.raises(Refusal, match="is this ledger itself"):
        Chat()._append(created.closing("team", "s-1", "round and round"))


def test_a_preserved_tail_changes_nothing_but_a_count():
    chat = settled()
    before = {**view(chat.state), "seq": 0, "head": 0, "counts": 0}
    chat._append(created.preserving("tail-1", sha(b"x"), 1))
    assert {**view(chat.state), "seq": 0, "head": 0, "counts": 0} == before
    assert chat.state.counts["tails"] == 1


# Checkpoints


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"version": 2}, Newer),
        ({"version": 0}, Corrupt),
        ({"version": None}, Corrupt),
        ({"extra": 1}, Corrupt),
    ],
)
def test_a_checkpoint_that_is_none_is_told(changed, error):
    dumped = {**fold.dump(settled().state), **changed}
    with pytest.raises(error) as caught:
        fold.load(dumped, Archive())
    assert type(caught.value) is error


def test_a_state_that_goes_on_leaves_its_dump_alone():
    chat = settled()
    dumped = json.dumps(fold.dump(chat.state), sort_keys=True)
    loaded = fold.load(json.loads(dumped), Archive())
    chat.say("more")
    replayed(chat.lines[-1:], loaded)
    assert json.dumps(fold.dump(loaded), sort_keys=True) == json.dumps(
        fold.dump(chat.state), sort_keys=True
    )


# What is live stays small


def test_l126_what_is_settled_leaves_the_live_state():
    chat = settled()
    size = len(canonical_json(view(chat.state)))
    for number in range(80):
        source = chat.say(f"prompt {number}")
        chat.do("dispose-source", {"source": source, "reason": "CHILD", "note": "n"})
        start = {"tool": "Edit", "contract": chat.state.contract_hash}
        action = chat.do("action-start", start).body["action"]
        chat.do(
            "action-finish", {"action": action, "result": "FAILED", "effect": "NONE"}
        )
    grown = len(canonical_json(view(chat.state))) - size
    assert grown < 32 * 40 + 200  # the ids of the last captures, and digits of counts
    assert len(canonical_json(fold.dump(chat.state))) < 15_000


def test_an_ordinary_hour_searches_no_archive(monkeypatch):
    """However long the ledger is, an append does not read its past."""
    chat = settled()
    chat.state.archive.seal()
    monkeypatch.setattr(Archive, "get", lambda self, key: pytest.fail(key))
    source, internal = chat.say("Also document it", turn="t-1"), chat.say("go on")
    chat.do("dispose-source", {"source": internal, "reason": "CHILD", "note": "n"})
    added = chat.classification(
        source, ("ADD", [chat.add(source, "outcomes", "It is documented")])
    )
    chat.do("classify-source", {**added, "request": "r-1"})
    contract = chat.state.contract_hash
    chat.do(
        "progress",
        {
            "contract": contract,
            "outcomes": {chat.ids("outcomes")[0]: {"state": "ACTIVE"}},
            "next_work": ["write it"],
            "request": "r-2",
        },
    )
    serves = chat.ids("outcomes")[-1:]
    for result, effect in (("SUCCEEDED", "APPLIED"), ("UNKNOWN_EFFECT", "UNKNOWN")):
        start = {"tool": "Edit", "contract": contract, "serves": serves}
        action = chat.do("action-start", start).body["action"]
        finish = {"action": action, "result": result, "effect": effect}
        chat.do("action-finish", finish)
    seen = {"effect": "APPLIED", "evidence": [{"text": "seen"}]}
    chat.do("reconcile-effect", {"action": action, **seen})
