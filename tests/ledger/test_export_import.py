"""A ledger as a folder of files, and back."""

import json
import os
import shutil

import pytest

from git_intent.ledger import spool
from git_intent.ledger.export import export
from git_intent.ledger.imported import read, take
from tests.support.exchange import (
    PERSON,
    access,
    bind,
    chained,
    everything,
    home_at,
    imported,
    journal,
    lived,
    refused,
)
from tests.support.ledgers import header, sha


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    """A ledger that was exported: the chat, the folder."""
    root = tmp_path_factory.mktemp("there")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(root))
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        chat = lived(root / "a")
        export(chat.ledger, root / "out")
    return chat, root / "out"


@pytest.fixture
def copy(there, tmp_path):
    """A copy of the exported folder, to be spoilt."""
    return shutil.copytree(there[1], tmp_path / "copy")


@pytest.fixture
def here(tmp_path):
    return home_at(tmp_path / "b")


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_l141_an_export_is_the_journal_and_all_that_it_names(there):
    chat, folder = there
    found = files(folder)
    assert found.pop("journal.jsonl") == journal(chat)
    assert all(path.split("/")[-1] == sha(data) for path, data in found.items())
    sources = {data for path, data in found.items() if path.startswith("sources/")}
    assert sources == set(chat.sources())
    assert sum(path.startswith("evidence/") for path in found) == 2


def test_an_export_is_private_and_the_same_each_time(there, tmp_path):
    chat, folder = there
    export(chat.ledger, tmp_path / "again")
    assert files(tmp_path / "again") == files(folder)
    for path in (tmp_path / "again", *(tmp_path / "again").rglob("*")):
        assert path.stat().st_mode & 0o077 == 0


def test_an_export_overwrites_nothing(there, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    assert refused(export, there[0].ledger, tmp_path / "full").code == "not-allowed"
    assert (tmp_path / "full" / "mine").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    assert export(there[0].ledger, tmp_path / "empty").found.seq == 10


def test_an_export_of_a_ledger_that_is_not_whole_is_refused(tmp_path):
    chat = lived(tmp_path / "a")
    digest = sha(b"last\n")
    oid = chat.repo.git("rev-parse", f"{chat.place.ref}:sources/{digest[:2]}/{digest}")
    (chat.repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert refused(export, chat.ledger, tmp_path / "out").code == "source-unproven"
    assert not list(tmp_path.glob("*out*"))


def test_l141_an_import_has_the_same_bytes_and_belongs_to_nobody(there, here):
    chat, folder = there
    answer = imported(here, folder)
    assert (answer.seq, answer.event) == (10, "ev-10")
    assert journal(here) == journal(chat)
    assert here.sources() == chat.sources()
    assert here.view() == chat.view()
    assert access(here) == "REFERENCE_ONLY"
    bind(here)
    assert access(here) == "OWNER"
    here.prompt("one more")
    here.settle()
    assert journal(here).startswith(journal(chat))


def test_l141_imported_twice_it_is_there_once(there, here):
    imported(here, there[1])
    before = everything(here)
    assert imported(here, there[1]).already
    assert everything(here) == before


def test_l141_an_import_over_a_longer_journal_is_refused(there, here):
    imported(here, there[1])
    here.prompt("one more")
    before = everything(here)
    refusal = refused(take, here.ledger, there[1], PERSON)
    assert refusal.code == "not-forward"
    assert "goes on to 11" in refusal.message
    assert everything(here) == before


def test_l141_a_longer_export_is_a_continuation(tmp_path, here):
    chat = home_at(tmp_path / "a")
    chat.prompt("one")
    export(chat.ledger, tmp_path / "short")
    imported(here, tmp_path / "short")
    bind(here)
    chat.initial()
    chat.prompt("two")
    export(chat.ledger, tmp_path / "long")
    tip = here.tip()
    assert imported(here, tmp_path / "long").event == "ev-4"
    assert journal(here) == journal(chat)
    assert here.repo.git("rev-parse", f"{here.place.ref}^") == tip
    assert access(here) == "REFERENCE_ONLY"  # what is new came from elsewhere
    assert here.ledger.read().fresh


def test_l141_copies_that_parted_both_stay(there, tmp_path, here):
    here.prompt("something else")
    before = everything(here)
    refusal = refused(take, here.ledger, there[1], PERSON)
    assert refusal.code == "not-forward"
    assert refusal.ids == ("ev-1",)
    assert everything(here) == before


def _hole(fields):
    if fields["seq"] > 4:
        fields["seq"] += 1


def _again(fields):
    if fields["seq"] == 5:
        fields["seq"] = 4


def _foreign(fields):
    if fields["seq"] == 6:
        fields["chat"] = "s-2"


def _against_a_rule(fields):
    if fields["type"] == "action-finished":
        fields["body"]["effect"] = "UNKNOWN"


@pytest.mark.parametrize(
    ("change", "line"), [(_hole, 5), (_again, 5), (_foreign, 6), (_against_a_rule, 9)]
)
def test_l103_a_chain_that_is_right_but_breaks_a_rule_is_named_by_its_line(
    copy, here, change, line
):
    path = copy / "journal.jsonl"
    path.write_bytes(chained(path.read_bytes().splitlines(keepends=True), change))
    _refused_at(here, copy, line)


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (3, b'"prev":"', b'"prev":"0'),
        (4, b'{"actor"', b'{ "actor"'),
        (2, b'"at":', b'"zz":'),
        (5, b'"body":{', '"body":{"ä":1,'.encode()),
        (7, b'"seq":7', b'"seq":7,"seq":7'),
        (1, b'"v":1', b'"v":1.0'),
    ],
)
def test_l103_l028_a_line_that_is_not_canonical_is_named(copy, here, line, old, new):
    path = copy / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    path.write_bytes(b"".join(lines))
    _refused_at(here, copy, line)


def test_l103_lines_that_change_places_are_named(copy, here):
    path = copy / "journal.jsonl"
    one, two, three, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([one, three, two, *rest]))
    _refused_at(here, copy, 2)


def test_l103_a_journal_of_another_chat_is_refused_at_its_first_line(copy, tmp_path):
    _refused_at(home_at(tmp_path / "b", "s-2"), copy, 1)


def _refused_at(here, folder, line):
    before = everything(here)
    refusal = refused(take, here.ledger, folder, PERSON)
    assert refusal.message.startswith(f"{folder}/journal.jsonl:{line}: ")
    assert everything(here) == before
    assert here.repo.git("for-each-ref") == ""


@pytest.mark.parametrize("spoil", [os.unlink, lambda path: path.write_bytes(b"other")])
def test_sources_and_evidence_are_proved(there, tmp_path, here, spoil):
    for kind in ("sources", "evidence"):
        folder = shutil.copytree(there[1], tmp_path / kind)
        path = next(each for each in (folder / kind).rglob("*") if each.is_file())
        spoil(path)
        refusal = refused(take, here.ledger, folder, PERSON)
        assert refusal.code in ("source-unproven", "evidence-unproven")
        assert str(path) in refusal.message
    assert here.repo.git("for-each-ref") == ""


def test_a_link_in_the_place_of_a_source_is_not_followed(copy, here, tmp_path):
    path = next(each for each in (copy / "sources").rglob("*") if each.is_file())
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        take(here.ledger, copy, PERSON)
    assert here.repo.git("for-each-ref") == ""


def test_l097_an_exported_journal_cut_anywhere_gives_its_whole_lines(there, tmp_path):
    data = (there[1] / "journal.jsonl").read_bytes()
    folder = shutil.copytree(there[1], tmp_path / "cut")
    ends = [at for at, byte in enumerate(data, 1) if byte == 10]
    cuts = {0, 1, len(data) - 1, len(data)}
    cuts |= {end + step for end in ends[:-1:4] for step in (-1, 0, 1)}
    for number, cut in enumerate(sorted(cuts)):
        (folder / "journal.jsonl").write_bytes(data[:cut])
        here = home_at(tmp_path / str(number))
        whole = data[: data.rfind(b"\n", 0, cut) + 1]
        if not whole:
            assert refused(take, here.ledger, folder, PERSON).code == "ledger-corrupt"
            continue
        answer = imported(here, folder)
        assert journal(here) == whole
        torn = data[len(whole) : cut]
        assert ("torn" in answer.named) == bool(torn)
        if torn:
            kept = f"{here.place.folder}/faults/{answer.named['torn']}"
            with open(kept, "rb") as stream:
                assert stream.read() == torn
        bind(here)
        here.prompt("the next append is readable")
        assert journal(here).startswith(whole)


def test_each_byte_offset_of_a_journal_gives_its_longest_valid_prefix(there, copy):
    data = (there[1] / "journal.jsonl").read_bytes()
    first = data.find(b"\n") + 1
    path = copy / "journal.jsonl"
    for cut in range(first, len(data), 7):
        path.write_bytes(data[:cut])
        found = read(copy, "team", "s-1")
        assert b"".join(found.lines) + found.torn == data[:cut]
        assert b"\n" not in found.torn


def test_what_lies_beside_an_export_is_not_taken(copy, here):
    (copy / ".DS_Store").write_bytes(b"x")
    extra = copy / "sources" / "00" / ("0" * 64)
    extra.parent.mkdir(exist_ok=True)
    extra.write_bytes(b"x")
    imported(here, copy)
    assert here.repo.git("ls-tree", "-r", here.place.ref).count("000000000000") == 0


def test_a_folder_that_is_no_export_is_told(here, tmp_path):
    assert refused(take, here.ledger, tmp_path, PERSON).code == "invalid-document"


def test_a_prompt_that_waits_stays_safe_over_an_import(there, here):
    chat, folder = there
    data = b"spooled before the import"
    spool.spool(spool.inbox(here.place.folder), header(data), data)
    imported(here, folder)
    assert [entry.data() for entry in here.ledger.waiting()] == [data]
    here.ledger.drain()
    assert here.sources()[-1] == data
    assert journal(here).startswith(journal(chat))


def test_the_commands_export_and_import(there, tmp_path):
    chat, _ = there
    said = chat.repo.intent("ledger", "export", "--chat", "s-1", str(tmp_path / "out"))
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert (told["seq"], told["sources"], told["evidence"]) == (10, 3, 2)
    here = home_at(tmp_path / "b")
    words = ("ledger", "import", "--chat", "s-1", "../out")
    said = here.repo.intent(*words)
    assert said.code == 0, said.err
    assert json.loads(said.out)["event"] == "ev-10"
    assert json.loads(here.repo.intent(*words).out)["already"] is True
    path = tmp_path / "out" / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"seq":3', b'"seq":4'))
    said = here.repo.intent(*words)
    assert said.code == 1
    assert f"{path}:3: " in json.loads(said.out)["refusal"]["message"]
    rejected = here.ledger.evidence.names("rejection")
    assert len(rejected) == 1
