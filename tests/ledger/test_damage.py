"""Damage to the ref, its objects and the projection is named and never spread."""

import json
import os
import shutil

import pytest

from git_intent.files import canonical_json
from git_intent.ledger.chain import read_tip
from git_intent.ledger.commit_object import encode
from git_intent.ledger.layout import segment_name
from git_intent.ledger.objects import FILE, FOLDER, Objects
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.spool import Entry
from tests.support.ledgers import Chat, sha


@pytest.fixture
def chat(memory):
    chat = Chat.init(memory / "home")
    for n in range(3):
        chat.spool(f"prompt {n}")
    chat.ledger.drain()
    return chat


@pytest.fixture
def long(memory):
    """A ledger with a sealed segment, and some events after it."""
    chat = Chat.init(memory / "long")
    for n in range(70):
        chat.spool(f"prompt {n}")
    chat.ledger.drain()
    return chat


def forge(chat, change, *, on_top=True):
    """Move the ref to a commit with a changed tree: a child of the tip, or beside."""
    with Objects(chat.ledger.home) as objects:
        tip = read_tip(objects, chat.ledger.journal.fold, chat.tip())
        root = dict(tip.root)
        change(objects, root)
        parents = [chat.tip()]
        if not on_top:
            parents = chat.repo.git("log", "-1", "--format=%P", chat.ref).split()
        made = encode(objects.put_tree(root), tuple(parents), "forged", 1, "00")
        commit = objects.put("commit", made)
        objects.flush()
    chat.repo.git("update-ref", chat.ref, commit)
    return commit


def with_segment(number, data):
    def change(objects, root):
        journal = dict(objects.tree(root["journal"][1]))
        journal[segment_name(number)] = (FILE, objects.put("blob", data))
        root["journal"] = (FOLDER, objects.put_tree(journal))

    return change


def refused(chat, code, **more):
    """No write is accepted, nothing changes, and prompts are kept all the same."""
    before = chat.tip(), chat.projection()
    answer = chat.ledger.drain()
    assert answer.refusal is not None, answer.as_json()
    assert (answer.refusal.code, answer.exit_code) == (code, 1)
    assert (chat.tip(), chat.projection()) == before
    spooled = chat.spool("while it is broken")
    assert chat.ledger.drain().exit_code == 1
    assert chat.inbox() == [spooled]
    return answer.refusal


@pytest.mark.parametrize("step", [83, pytest.param(1, marks=pytest.mark.soak)])
def test_l098_each_byte_of_the_last_segment_flipped_is_found(chat, step):
    whole = b"".join(chat.lines())
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 0x0A]
    (chat.folder / "anchor").unlink()  # the chain alone has to find it
    tip = chat.tip()
    for at in range(0, len(whole), step):
        data = bytearray(whole)
        data[at] ^= 1
        forge(chat, with_segment(1, bytes(data)))
        (finding, *_) = chat.findings()
        seq = 1 + sum(end <= at for end in ends)
        # a flip in the text of a line shows at the next line's `prev`, or at the head
        assert finding.seq in (seq, seq + 1), (at, finding)
        answer = chat.ledger.drain()
        assert answer.refusal is not None
        assert not answer.recorded
        chat.repo.git("update-ref", chat.ref, tip)
    chat.whole()


def test_l098_a_loose_object_with_other_bytes_is_not_believed(chat):
    oid = chat.repo.git("rev-parse", f"{chat.ref}:journal/000001.jsonl")
    path = chat.repo.path / ".git" / "objects" / oid[:2] / oid[2:]
    other = chat.repo.git("rev-parse", f"{chat.ref}:head")
    path.chmod(0o644)
    shutil.copy(path.parents[1] / other[:2] / other[2:], path)
    (finding,) = chat.findings()
    assert (finding.code, finding.seq) == ("ledger-unproven", 1)
    assert "journal/000001.jsonl" in finding.message
    refused(chat, "ledger-unproven")


def test_a_tail_rewritten_at_the_same_length_is_found(chat):
    lines = chat.lines()
    event = json.loads(lines[-1])
    event["body"]["source"] = f"src-{'0' * 32}"
    forge(chat, with_segment(1, b"".join([*lines[:-1], canonical_json(event)])))
    (finding,) = chat.findings()
    assert (finding.code, finding.seq) == ("ledger-corrupt", len(lines))
    refused(chat, "ledger-corrupt")


def test_l101_a_missing_segment_is_named(long):
    oid = long.repo.git("rev-parse", f"{long.ref}:journal/000001.jsonl")
    (long.repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    (finding,) = long.findings()  # though there is a checkpoint
    assert (finding.code, finding.seq) == ("ledger-unproven", 1)
    assert "segment journal/000001.jsonl is missing" in finding.message


def test_l101_a_damaged_sealed_segment_is_never_cut_as_if_torn(long):
    lines = long.lines()
    data = b"".join(lines[:64])[:-10]
    forge(long, with_segment(1, data))
    (finding,) = long.findings()
    assert (finding.code, finding.seq) == ("ledger-corrupt", 64)
    refused(long, "ledger-corrupt")
    assert long.ledger.evidence.names("tail") == []


def test_l097_a_torn_line_behind_the_head_is_kept_and_then_cut(chat):
    whole = b"".join(chat.lines())
    torn = whole.splitlines(keepends=True)[-1][:-1]  # it parses, and has no end
    forge(chat, with_segment(1, whole + torn))
    assert b"".join(chat.lines()) == whole
    source = chat.say("after it")
    *_, preserved, captured = chat.events()
    assert preserved["type"] == "tail-preserved"
    kept = chat.folder / "faults" / preserved["body"]["fault"]
    assert kept.read_bytes() == torn
    assert preserved["body"]["sha256"] == sha(torn)
    assert captured["body"]["source"] == source
    chat.whole()


def test_l097_a_fault_between_keeping_and_cutting_leaves_both(chat):
    whole = b"".join(chat.lines())
    tip = forge(chat, with_segment(1, whole + b'{"torn'))
    loose = chat.loose.with_name(f"{chat.loose.name}.lock")
    loose.write_bytes(b"")  # the append cannot be
    chat.spool("after it")
    assert chat.ledger.drain().refusal.code == "ref-locked"
    assert chat.tip() == tip
    (kept,) = chat.ledger.evidence.names("tail")
    assert (chat.folder / "faults" / kept).read_bytes() == b'{"torn'
    loose.unlink()
    assert chat.ledger.drain().exit_code == 0
    assert chat.ledger.evidence.names("tail") == [kept]
    chat.whole()


@pytest.mark.parametrize("k", ["one", "all but one", "sibling", "gone"])
def test_l099_a_ref_that_was_moved_back_is_named_and_nothing_follows(long, k):
    for n in range(3):
        long.say(f"later {n}")
    tip = long.tip()
    if k == "gone":
        long.repo.git("update-ref", "-d", long.ref)
    elif k == "sibling":
        forge(long, lambda objects, root: None, on_top=False)
    else:
        back = 1 if k == "one" else 3
        long.repo.git("update-ref", long.ref, f"{tip}~{back}")
    refused(long, "ref-rewound")
    assert not long.ledger.evidence.names("tail")
    with pytest.raises(Refusal, match="its last append left it at"):
        long.ledger.read()
    with pytest.raises(Refusal):
        long.ledger.refresh()
    assert [finding.code for finding in long.findings()] == ["ref-rewound"]
    left = long.tip()
    assert long.ledger.recover_ref().exit_code == 0
    assert long.tip() == tip
    if left and k == "sibling":
        assert long.repo.git("rev-parse", f"refs/intent/aside/{left}") == left
    assert long.ledger.drain().exit_code == 0
    long.whole()


@pytest.mark.parametrize("packed", [False, True])
def test_l100_an_emptied_ref_is_restored_from_the_anchor(chat, packed):
    tip = chat.tip()
    if packed:
        chat.repo.git("pack-refs", "--all")
    chat.loose.parent.mkdir(parents=True, exist_ok=True)
    chat.loose.write_bytes(b"")
    refusal = refused(chat, "ref-rewound")
    assert str(chat.loose) in refusal.message
    assert chat.ledger.recover_ref().exit_code == 0
    assert chat.tip() == tip
    assert chat.ledger.drain().exit_code == 0
    chat.whole()


def test_a_ref_is_not_recovered_to_what_cannot_be_proved(chat):
    oid = chat.repo.git("rev-parse", f"{chat.ref}:journal/000001.jsonl")
    chat.repo.git("update-ref", "-d", chat.ref)
    (chat.repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    answer = chat.ledger.recover_ref()
    assert answer.refusal.code == "ledger-unproven"
    known = chat.ledger.journal.anchor()
    assert (answer.seq, answer.head) == (known.seq, known.head)
    assert chat.tip() == ""
    (rejection,) = chat.evidence("rejection")
    assert rejection["command"] == "recover-ref"
    assert rejection["head_before"] == rejection["head_after"] == known.head


def test_l099_an_owner_may_accept_the_head_that_is_there(long):
    for n in range(2):
        long.say(f"later {n}")
    tip = long.tip()
    long.repo.git("update-ref", long.ref, f"{tip}~1")
    refused = long.ledger.accept_head("0" * 64, "reviewed")
    assert refused.refusal.pointer == "/head"
    head = sha(long.lines()[-1])
    assert long.ledger.accept_head(head, " ").refusal.pointer == "/note"
    assert long.ledger.accept_head(head, "reviewed").exit_code == 0
    assert long.repo.git("rev-parse", f"refs/intent/aside/{tip}") == tip
    long.say("goes on")
    long.whole()


def test_l099_where_nothing_is_wrong_a_recovery_does_nothing(chat):
    before = chat.everything()
    head = sha(chat.lines()[-1])
    for answer in (
        chat.ledger.recover_ref(),
        chat.ledger.accept_head(head, "reviewed"),
    ):
        assert (answer.exit_code, answer.already) == (0, True)
        assert (answer.seq, answer.head) == (len(chat.lines()), head)
    assert chat.everything() == before
    assert chat.evidence("fault") == []
    assert chat.repo.git("for-each-ref", "refs/intent/aside") == ""


def test_a_ledger_that_is_gone_for_good_may_be_accepted_as_none(chat):
    chat.repo.git("update-ref", "-d", chat.ref)
    assert chat.ledger.accept_head("none", "the repository was rebuilt").exit_code == 0
    source = chat.say("a new beginning")
    assert chat.captured() == [source]
    chat.whole()


def test_l019_a_projection_that_is_gone_or_older_is_rebuilt(chat, memory):
    older = chat.projection() | {"anchor": (chat.folder / "anchor").read_bytes()}
    chat.say("later")
    now = chat.projection()
    shutil.rmtree(chat.folder)
    assert chat.ledger.refresh()
    assert chat.projection() == now
    for name, data in older.items():
        (chat.folder / name).write_bytes(data)
    assert not chat.ledger.read().fresh
    assert chat.ledger.refresh()
    assert chat.projection() == now
    assert chat.ledger.read().fresh


def test_l019_the_projection_of_another_chat_is_not_believed(chat):
    other = Chat(chat.repo, "s-2")
    other.say("of the other", session="s-2")
    shown = chat.projection()
    shutil.rmtree(chat.folder)
    shutil.copytree(other.folder, chat.folder)
    assert chat.ledger.refresh()
    assert chat.projection() == shown
    chat.whole()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff", b'{"v":2}'])
def test_an_anchor_that_cannot_be_read_is_kept_and_written_anew(chat, content):
    (chat.folder / "anchor").write_bytes(content)
    assert chat.ledger.read().tip == chat.tip()
    chat.say("later")
    kept = [
        (chat.folder / "faults" / name).read_bytes()
        for name in chat.ledger.evidence.names("tail")
    ]
    assert content in kept
    assert chat.ledger.journal.anchor().commit == chat.tip()
    chat.whole()


def test_l020_a_projection_edited_by_hand_is_kept_and_rebuilt(chat):
    before = chat.projection()
    edited = before["objective.txt"] + b"\nDONE: everything\n"
    (chat.folder / "objective.txt").write_bytes(edited)
    forged = before["current.json"].replace(b"NO_CONTRACT", b"LIVE")
    (chat.folder / "current.json").write_bytes(forged)
    assert chat.ledger.read().state.status == "NO_CONTRACT"
    assert chat.ledger.refresh()
    assert chat.projection() == before
    kept = {
        (chat.folder / "faults" / name).read_bytes()
        for name in chat.ledger.evidence.names("tail")
    }
    assert kept == {edited, forged}


def test_an_edit_is_kept_even_when_the_next_append_replaces_it(chat):
    (chat.folder / "objective.txt").write_bytes(b"by hand\n")
    chat.say("later")
    (name,) = chat.ledger.evidence.names("tail")
    assert (chat.folder / "faults" / name).read_bytes() == b"by hand\n"
    chat.whole()


def test_l097_a_journal_file_cut_anywhere_is_rebuilt(chat):
    path = chat.folder / "journal.jsonl"
    whole = path.read_bytes()
    for size in range(0, len(whole), 83):
        path.write_bytes(whole[:size])
        assert chat.ledger.refresh()
        assert path.read_bytes() == whole
    path.write_bytes(whole[:-1])  # it parses, and has no end
    chat.say("later")
    assert path.read_bytes() == b"".join(chat.lines())
    tails = [
        (chat.folder / "faults" / name).read_bytes()
        for name in chat.ledger.evidence.names("tail")
    ]
    last = whole.splitlines(keepends=True)[-1][:-1]
    assert last in tails  # kept, then cut
    assert all(tail in whole for tail in tails)


def test_what_was_written_behind_the_journal_is_kept(chat):
    path = chat.folder / "journal.jsonl"
    with open(path, "ab") as stream:
        stream.write(b"{}\n")
    chat.say("later")
    (name,) = chat.ledger.evidence.names("tail")
    assert name.endswith(".only")
    assert (chat.folder / "faults" / name).read_bytes() == b"{}\n"
    chat.whole()


@pytest.mark.parametrize("what", ["missing", "other bytes", "no entry", "one too many"])
def test_l110_a_source_that_is_not_whole_is_found(long, what):
    digest = sha(b"prompt 3")

    def change(objects, root):
        sources = dict(objects.tree(root["sources"][1]))
        fan = dict(objects.tree(sources[digest[:2]][1]))
        if what == "other bytes":
            fan[digest] = (FILE, objects.put("blob", b"prompt 4"))
        elif what == "no entry":
            del fan[digest]
        else:
            fan[f"{digest[:2]}{'0' * 62}"] = (FILE, objects.put("blob", b"x"))
        sources[digest[:2]] = (FOLDER, objects.put_tree(fan))
        root["sources"] = (FOLDER, objects.put_tree(sources))

    if what == "missing":
        oid = long.repo.git("rev-parse", f"{long.ref}:sources/{digest[:2]}/{digest}")
        (long.repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    else:
        forge(long, change)
    (finding,) = long.findings()
    assert finding.place.startswith("sources/")
    if what != "one too many":
        assert (finding.code, finding.seq) == ("source-unproven", 5)
        pending = long.ledger.read().proofs.doubts
        assert [doubt.kind for doubt in pending] == ["source"]


@pytest.mark.parametrize("content", [None, b"{}", b"[", b"other"])
@pytest.mark.parametrize("what", ["checkpoint", "archive"])
def test_l104_what_only_saves_work_is_worked_out_again(long, what, content):
    state = long.ledger.read().view

    def change(objects, root):
        blob = (FILE, objects.put("blob", content or b""))
        if what == "archive":
            folder = {} if content is None else {"000001.json": blob}
            root["archive"] = (FOLDER, objects.put_tree(folder))
        elif content is None:
            del root["checkpoint"]
        else:
            root["checkpoint"] = blob

    forge(long, change)
    assert what in {finding.place.partition("/")[0] for finding in long.findings()}
    assert long.ledger.read().view == state
    long.say("goes on")


def test_l104_a_checkpoint_of_other_segments_is_none(long):
    old = long.tip()
    for n in range(70):
        long.spool(f"more {n}")
    long.ledger.drain()
    state = long.ledger.read().view

    def change(objects, root):
        name = long.repo.git("rev-parse", f"{old}:checkpoint")
        data = objects.read(name, "blob").replace(b'"segments":1', b'"segments":2')
        root["checkpoint"] = (FILE, objects.put("blob", data))

    forge(long, change)
    assert long.ledger.read().view == state


def test_l108_a_journal_of_the_future_stops_reading_and_keeps_prompts(chat):
    lines = chat.lines()
    event = json.loads(lines[-1])
    for change in ({"v": 2}, {"type": "thought-recorded"}):
        line = canonical_json({**event, **change})

        def newer(objects, root, line=line, before=lines[:-1]):
            with_segment(1, b"".join([*before, line]))(objects, root)
            root["head"] = (FILE, objects.put("blob", f"{sha(line)}\n".encode()))

        before = chat.tip()
        forge(chat, newer)
        refusal = refused(chat, "newer-version")
        assert "newer version" in refusal.message
        (finding,) = chat.findings()
        assert (finding.code, finding.seq) == ("newer-version", len(lines))
        chat.repo.git("update-ref", chat.ref, before)
        assert chat.ledger.drain().exit_code == 0
        lines = chat.lines()
        event = json.loads(lines[-1])


def test_l108_a_spooled_file_of_the_future_stays(chat):
    name = chat.spool("one")
    path = next((chat.folder / "inbox").iterdir())
    data = path.read_bytes().replace(b'"v":1}', b'"v":2}')
    path.write_bytes(data)
    chat.spool("two")
    answer = chat.ledger.drain()
    assert answer.refusal.code == "newer-version"
    assert path.read_bytes() == data
    assert name not in chat.captured()


def test_l097_a_spooled_prompt_that_was_cut_becomes_a_gap(chat):
    chat.spool("whole")
    source = chat.spool("cut in two")
    path = sorted((chat.folder / "inbox").iterdir())[1]
    torn = path.read_bytes()[:-4]
    path.write_bytes(torn)
    assert chat.ledger.drain().exit_code == 0
    event = chat.events()[-1]
    assert event["type"] == "gap-recorded"
    assert event["body"]["gap"] == f"gap-{source[4:]}"
    assert event["body"]["sha256"] == sha(b"cut in two")
    assert event["body"]["bytes"] == 10
    (kept,) = chat.ledger.evidence.names("tail")
    assert (chat.folder / "faults" / kept).read_bytes() == torn
    chat.whole()


def test_l097_a_spooled_prompt_with_other_bytes_becomes_a_gap(chat):
    chat.spool("as it was")
    (path,) = (chat.folder / "inbox").iterdir()
    path.write_bytes(path.read_bytes().replace(b"as it was", b"as it is!"))
    assert chat.ledger.drain().exit_code == 0
    assert chat.events()[-1]["body"]["reason"] == "spool-damaged"
    chat.whole()


@pytest.mark.parametrize("content", [b"", b'{"v":1', b"\xff\n"])
def test_l097_a_spooled_file_without_a_header_becomes_a_gap_of_nothing_known(
    chat, content
):
    path = chat.folder / "inbox" / f"000000000009-src-{'a' * 32}"
    path.write_bytes(content)
    assert chat.ledger.drain().exit_code == 0
    event = chat.events()[-1]
    assert (event["type"], event["body"]["sha256"]) == ("gap-recorded", None)
    assert not path.exists()
    (kept,) = chat.ledger.evidence.names("tail")
    assert (chat.folder / "faults" / kept).read_bytes() == content


def test_a_torn_header_alone_begins_no_ledger(memory):
    chat = Chat.init(memory / "home")
    inbox = chat.folder / "inbox"
    inbox.mkdir(parents=True)
    (inbox / f"000000000001-src-{'a' * 32}").write_bytes(b"{")
    assert chat.ledger.drain().exit_code == 0
    assert chat.tip() == ""
    assert len(list(inbox.iterdir())) == 1
    chat.say("the first")
    types = [event["type"] for event in chat.events()]
    assert types == ["ledger-created", "source-captured"]
    assert chat.ledger.drain().exit_code == 0
    assert chat.events()[-1]["type"] == "gap-recorded"


def test_a_header_that_breaks_a_rule_does_not_block_those_behind_it(chat):
    chat.spool("poison", host="")
    source = chat.say("fine")
    poison, fine = chat.events()[-2:]
    assert poison["body"]["reason"] == "spool-torn"
    assert fine["body"]["source"] == source
    assert len(chat.ledger.evidence.names("tail")) == 1
    chat.whole()


def test_a_file_of_somebody_else_stays_in_the_inbox(chat):
    path = chat.folder / "inbox" / "notes.txt"
    path.write_bytes(b"mine")
    chat.say("fine")
    assert path.read_bytes() == b"mine"
    (entry,) = chat.ledger.waiting()
    assert isinstance(entry, Entry)
    assert entry.damage == "name"


def test_two_heads_in_the_projection_are_not_fresh(chat):
    older = chat.projection()["current.json"]
    chat.say("later")
    (chat.folder / "current.json").write_bytes(older)
    assert not chat.ledger.read().fresh
    assert chat.ledger.refresh()
    assert json.loads(chat.projection()["current.json"])["seq"] == len(chat.lines())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_l006_a_reader_needs_no_right_to_write(chat):
    chat.folder.chmod(0o500)
    try:
        assert chat.ledger.read().state.seq == len(chat.lines())
    finally:
        chat.folder.chmod(0o700)
