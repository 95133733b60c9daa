"""Prompts that cannot be read, or not be kept where they belong."""

from pathlib import Path

import pytest

from git_intent.ledger import durable
from tests.hosts.test_prompt import refs, unbound
from tests.support.session import Session, listing


@pytest.mark.parametrize(
    ("raw", "flag"),
    [
        (b'{"session_id":"s-1","prompt":"\xff"}', "not UTF-8"),
        (b'\xef\xbb\xbf{"session_id":"s-1","prompt":"x"}', "byte order mark"),
        (b'{"session_id":"s-1","prompt":"x","prompt":"y"}', "twice"),
        (b'{"session_id":"s-1","a":' + b"[" * 100_000, "nested"),
        (b'{"session_id":"s-1","prompt":["x"]}', "no-prompt-text"),
    ],
)
def test_l121_what_cannot_be_read_is_kept_whole_and_flagged(chat, home, raw, flag):
    done = chat.run("UserPromptSubmit", raw)
    assert (done.code, done.out) == (0, "")
    assert "Traceback" not in done.err
    ((header, data),) = unbound(home)
    assert data == raw
    assert any(flag in said for said in header["flags"])
    assert refs(chat.repo) == []


def test_l120_halves_of_pairs_are_kept_and_flagged(chat):
    texts = ["\ud83d lone", "lone \ude00", "\ude00\ud83d", "\ud83d\ude00"]
    for text in texts:
        chat.prompt(text)
    found = chat.view()["pending_sources"]
    assert [source["encoding"] for source in found] == ["wtf-8"] * 3 + ["utf-8"]
    flagged = ["lone-surrogate" in source["flags"] for source in found]
    assert flagged == [True, True, True, False]
    given = [data.decode("utf-8", "surrogatepass") for data in chat.sources()]
    assert given == [*texts[:3], "\U0001f600"]


def test_l118_a_payload_that_breaks_off_is_a_gap_without_a_hash(chat):
    chat.prompt("one")
    whole = chat.payload("UserPromptSubmit", prompt="the second prompt")
    answer = chat.hook("UserPromptSubmit", whole[:-12])
    (gap,) = chat.view()["gaps"]
    known = (gap["sha256"], gap["bytes"], gap["reason"])
    assert known == (None, None, "payload-broken-off")
    assert gap["id"] in answer.context
    assert chat.sources() == [b"one"]
    refused = chat.ledger.write(
        "recover-source", {"gap": gap["id"], "text": "the second prompt"}, chat.owner
    )
    assert refused.exit_code == 1
    chat.write("dispose-gap", {"gap": gap["id"], "note": "asked the user"})
    assert chat.view()["gaps"] == []


def test_l118_of_nothing_nothing_is_made(chat, home):
    before = listing(home, chat.repo.path)
    for raw in (b"", b" \n"):
        done = chat.run("UserPromptSubmit", raw)
        assert (done.code, done.out) == (0, "")
    assert listing(home, chat.repo.path) == before


def test_l118_before_the_session_is_known_it_belongs_to_no_chat(chat, home):
    chat.hook("UserPromptSubmit", b'{"prompt": "words, and then')
    ((header, data),) = unbound(home)
    assert header["flags"] == ["breaks off"]
    assert data == b'{"prompt": "words, and then'


def test_l112_what_cannot_be_kept_is_a_gap_with_hash_and_count(chat, monkeypatch):
    chat.prompt("one")
    chat.initial()
    with monkeypatch.context() as full:
        full.setattr(durable, "create", _small_only(durable.create))
        answer = chat.prompt("x" * 5000)
    (gap,) = chat.view()["gaps"]
    known = (gap["bytes"], gap["session"], gap["turn"])
    assert known == (5000, "s-1", "turn-2")
    assert gap["id"] in answer.context
    assert any("No space left" in note for note in answer.notes)
    contract = chat.view()["contract_hash"]
    start = {"tool": "Edit", "contract": contract}
    assert chat.ledger.write("action-start", start, chat.owner).refusal.code == (
        "gap-open"
    )
    chat.write("recover-source", {"gap": gap["id"], "text": "x" * 5000})
    assert len(chat.pending()) == 1


def _small_only(create):
    def small(path, *pieces, **options):
        if sum(map(len, pieces)) > 4096:
            raise OSError(28, "No space left on device")
        return create(path, *pieces, **options)

    return small


def test_l112_a_home_that_cannot_be_written_leaves_a_gap_in_the_users_own_spool(
    chat, home
):
    (chat.repo.path / ".git/intent").write_text("in the way")
    answer = chat.prompt("words")
    ((header, data),) = unbound(home)
    assert (header["kind"], header["chat"], data) == ("gap", "s-1", b"words")
    first = answer.context.splitlines()[0]
    assert Path(first).read_bytes().endswith(b"words")
    assert "could not be kept where they belong" in answer.context


def test_l023_what_had_to_wait_elsewhere_is_late_if_a_younger_one_was_classified(
    chat, home, monkeypatch
):
    chat.prompt("one")
    chat.initial()
    with monkeypatch.context() as full:
        full.setattr(durable, "create", _nothing_in(durable.create, "/.git/"))
        chat.prompt("waits elsewhere")
    elsewhere = home / ".local/state/git-intent/spool"
    elsewhere.rename(home / "for now")
    chat.prompt("younger")
    chat.example("classify-source")
    (home / "for now").rename(elsewhere)
    chat.prompt("last")
    found = chat.view()["pending_sources"]
    assert sorted((record["bytes"], record["late"]) for record in found) == [
        (len("last"), False),
        (len("waits elsewhere"), True),
    ]
    late = next(record for record in found if record["late"])
    document = {"source": late["id"], "reason": "IRRELEVANT", "note": "n"}
    chat.write("dispose-source", document)


def _nothing_in(create, folder):
    def refused(path, *pieces, **options):
        if folder in path:
            raise OSError(28, "No space left on device")
        return create(path, *pieces, **options)

    return refused


def test_l112_when_nothing_can_be_written_it_is_said_plainly(chat, home):
    (chat.repo.path / ".git/intent").write_text("in the way")
    (home / ".local").write_text("in the way")
    answer = chat.prompt("words")
    assert "this prompt was NOT kept" in answer.context
    assert any("this prompt was NOT kept" in note for note in answer.notes)


def test_l117_an_unbound_prompt_is_attached_to_no_chat(chat, home):
    chat.prompt("words")
    Session(chat.repo, session=None).prompt("words")
    assert len(unbound(home)) == 1
    chat.prompt("more")
    assert chat.sources() == [b"words", b"more"]
