"""Examples are accepted as they are, and say nothing that is not known."""

import json

import pytest

from git_intent.ledger import fold
from git_intent.ledger.examples import example
from git_intent.ledger.refusal import Refusal
from tests.support.chat import Chat, settled


def pending() -> Chat:
    chat = settled()
    chat.say("more")
    return chat


def without_contract() -> Chat:
    chat = Chat()
    chat.say("go")
    return chat


def withdrawn() -> Chat:
    chat = settled()
    chat.classify(chat.say("stop"), "WITHDRAW", all="retire")
    chat.say("go")
    return chat


def all_done() -> Chat:
    chat = settled()
    done = {"state": "DONE", "evidence": [{"text": "ran"}]}
    outcomes = dict.fromkeys(chat.ids("outcomes"), done)
    chat.do("progress", {"contract": chat.state.contract_hash, "outcomes": outcomes})
    chat.say("more")
    return chat


def late() -> Chat:
    chat = settled()
    gap = chat.lose("first")
    second = chat.say("second")
    chat.classify(second, "ADD", chat.add(second, "outcomes", "second"))
    chat.do("recover-source", {"gap": gap, "text": "first"})
    return chat


def missing() -> Chat:
    chat = settled()
    chat.lose("lost")
    chat.world.files["file:prompt.txt"] = b"lost"
    return chat


def under_way() -> Chat:
    chat = settled()
    chat.do("action-start", example("action-start", chat.state))
    return chat


def unknown() -> Chat:
    chat = under_way()
    action = next(iter(chat.state.actions))
    chat.do(
        "action-finish",
        {"action": action, "result": "UNKNOWN_EFFECT", "effect": "UNKNOWN"},
    )
    under = example("action-start", chat.state)
    chat.do("action-start", under)
    return chat


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("capture", Chat),
        ("classify-source", without_contract),
        ("classify-source", pending),
        ("classify-source", withdrawn),
        ("classify-source", all_done),
        ("classify-source", late),
        ("dispose-source", pending),
        ("recover-source", missing),
        ("dispose-gap", missing),
        ("progress", settled),
        ("progress", pending),
        ("action-start", settled),
        ("action-finish", under_way),
        ("reconcile-effect", unknown),
    ],
)
def test_l142_an_example_is_accepted_as_it_is(command, state):
    chat = state()
    document = example(command, chat.state)
    chat.do(command, json.loads(json.dumps(document)))


def refusal_of(command: str, chat: Chat, document) -> Refusal | None:
    try:
        fold.compose(command, chat.state, document, chat.world)
    except Refusal as refusal:
        return refusal
    return None


def test_l142_every_command_has_one_even_without_a_ledger():
    for command in fold.COMMANDS:
        chat = Chat()
        refusal = refusal_of(command, chat, example(command))
        # right in shape: what is refused is an id or a state, never the document
        assert refusal is None or refusal.code in ("unknown-id", "not-allowed")
        assert (refusal is None) == (command in ("capture", "action-start"))


def paths(value, pointer=""):
    """Every place in a document, as a pointer and a way to it."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield f"{pointer}/{key}", value, key
            yield from paths(member, f"{pointer}/{key}")
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield f"{pointer}/{place}", value, place
            yield from paths(member, f"{pointer}/{place}")


WRONG = (None, True, 1.5, -1, "", [], {}, [[]], {"x": 1}, "\ud800")


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("capture", Chat),
        ("classify-source", pending),
        ("dispose-source", pending),
        ("recover-source", missing),
        ("dispose-gap", missing),
        ("progress", settled),
        ("action-start", settled),
        ("action-finish", under_way),
        ("reconcile-effect", unknown),
    ],
)
def test_l142_a_mistake_at_any_field_is_named_by_its_pointer(command, state):
    chat = state()
    text = json.dumps(example(command, chat.state))
    document = json.loads(text)
    tried = 0
    for pointer, holder, key in list(paths(document)):
        right = holder[key]
        for wrong in WRONG:
            if type(wrong) is type(right) and not (right and wrong == ""):
                continue
            holder[key] = wrong
            refusal = refusal_of(command, chat, document)
            if refusal:
                assert refusal.pointer.startswith(pointer.rsplit("/", 1)[0])
                assert refusal.message
            else:  # some fields may be null, or empty
                assert wrong in (None, [], {})
            tried += 1
        holder[key] = right
    for pointer, holder in [("", document)] + [
        (pointer, holder[key])
        for pointer, holder, key in paths(document)
        if isinstance(holder[key], dict)
    ]:
        if pointer == "/outcomes":
            continue
        holder["surplus"] = 1
        with pytest.raises(Refusal) as caught:
            fold.compose(command, chat.state, document, chat.world)
        assert caught.value.pointer == f"{pointer}/surplus"
        del holder["surplus"]
    assert tried
    assert document == json.loads(text)
