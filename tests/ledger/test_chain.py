"""A chain of commits holds any fold, and an append costs the same in a long one."""

import json
import subprocess
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_intent.files import canonical_json, sha256
from git_intent.ledger import commit_object
from git_intent.ledger.appending import Appending
from git_intent.ledger.archive import Archive
from git_intent.ledger.chain import Fold, Tip, read_tip, replayed
from git_intent.ledger.home import open_home
from git_intent.ledger.layout import SEGMENT_BYTES, SEGMENT_EVENTS, full
from git_intent.ledger.objects import Objects, parse_tree
from git_intent.ledger.refusal import Corrupt
from tests.support.ledgers import in_memory
from tests.support.repo import Repo


@dataclass
class Sum:
    """A state that adds up, and archives each line by its number."""

    archive: Archive
    seq: int = 0
    head: str = "0" * 64
    total: int = 0


def replay(state, line):
    value = json.loads(line)
    if value["prev"] != state.head:
        raise Corrupt(state.seq + 1, "prev")
    state.seq += 1
    state.head = sha256(line)
    state.total += value["n"]
    state.archive.put(f"line:{state.seq}", {"n": value["n"]})


def dump(state):
    return {"seq": state.seq, "head": state.head, "total": state.total}


FOLD = Fold(Sum, replay, dump, lambda dumped, archive: Sum(archive, **dumped))


class Chain:
    def __init__(self, path, *options):
        self.repo = Repo.init(path, *options)
        self.home = open_home(str(path), "")
        self.commit = ""

    def append(self, *numbers, width=0, sources=()):
        """Append lines as one commit; gives the objects that it made."""
        with Objects(self.home) as objects:
            tip = Tip(objects, Sum(Archive()))
            if self.commit:
                tip = read_tip(objects, FOLD, self.commit)
            added = Appending(tip, FOLD)
            for n in numbers:
                line = canonical_json(
                    {"n": n, "prev": tip.state.head, "pad": "x" * width}
                )
                replay(tip.state, line)
                added.add(line, {sha256(s): s for s in sources}, {})
            self.commit = added.commit(f"add {numbers}", 0, "ab")
            made = dict(objects._written)
            objects.settle()
            return made

    def read(self):
        with Objects(self.home) as objects:
            tip = read_tip(objects, FOLD, self.commit)
            return tip.state, b"".join(tip.segments())

    def replayed(self):
        with Objects(self.home) as objects:
            tip = read_tip(objects, FOLD, self.commit)
            return replayed(tip, FOLD).state


@pytest.fixture
def chain(memory):
    return Chain(memory / "home")


def test_what_was_appended_is_read_and_replayed_alike(chain):
    for n in range(0, 150, 5):
        chain.append(*range(n, n + 5))
    state, lines = chain.read()
    assert (state.seq, state.total) == (150, sum(range(150)))
    assert dump(chain.replayed()) == dump(state)
    assert lines.count(b"\n") == 150
    names = chain.repo.git("ls-tree", "-r", "--name-only", chain.commit).split()
    assert names == [
        *("archive/000001.json", "archive/000002.json", "checkpoint", "head"),
        *(f"journal/00000{n}.jsonl" for n in (1, 2, 3)),
    ]
    assert state.archive.get("line:3") == {"n": 2}
    chain.repo.git("fsck", "--strict")


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.tuples(st.integers(1, 70), st.sampled_from([0, 300, 3000, 70_000])),
        min_size=1,
        max_size=5,
    )
)
def test_l104_segments_are_sealed_by_one_rule_however_lines_arrive(memory, batches):
    chain = Chain(memory / f"{len(list(memory.iterdir()))}")
    for count, width in batches:
        chain.append(*range(count), width=width)
    state, lines = chain.read()
    assert dump(chain.replayed()) == dump(state)
    with Objects(chain.home) as objects:
        tip = read_tip(objects, FOLD, chain.commit)
        segments = list(tip.segments())
    assert b"".join(segments) == lines
    for segment in segments[:-1]:
        *before, last = segment.splitlines(keepends=True)
        assert full(segment)
        assert not full(b"".join(before))
        assert len(before) < SEGMENT_EVENTS
        assert len(segment) - len(last) < SEGMENT_BYTES


def test_a_sealed_segment_is_never_written_again(chain):
    chain.append(*range(64))
    sealed = chain.repo.git("rev-parse", f"{chain.commit}:journal/000001.jsonl")
    chain.append(1)
    chain.append(2)
    again = chain.repo.git("rev-parse", f"{chain.commit}:journal/000001.jsonl")
    assert again == sealed


def test_an_event_larger_than_a_segment_is_sealed_at_once(chain):
    chain.append(1, width=100_000)
    chain.append(2)
    names = chain.repo.git("ls-tree", "--name-only", chain.commit, "journal/")
    assert names.split() == ["journal/000001.jsonl", "journal/000002.jsonl"]


@pytest.fixture(scope="module")
def appends():
    """The objects of two appends at the same fill of the segment, 2,560 events and
    2,500 sources apart, and the sizes of all trees."""
    with in_memory() as folder:
        chain = Chain(folder / "home")
        few = chain.append(1, sources=[b"first"])
        for start in range(0, 2496, 832):
            numbers = range(832)
            chain.append(*numbers, sources=[b"%d-%d" % (start, n) for n in numbers])
        chain.append(*range(63))
        many = chain.append(1, sources=[b"last"])
        trees = chain.repo.git(
            *("cat-file", "--batch-all-objects"),
            "--batch-check=%(objecttype) %(objectsize)",
        )
    sizes = [int(row.split()[1]) for row in trees.splitlines() if row[:4] == "tree"]
    return few, many, sizes


def test_l135_an_append_writes_as_much_in_a_long_ledger(appends):
    few, many, _ = appends
    assert len(many) == len(few)
    before, after = (
        sum(len(data) for _, data in made.values()) for made in (few, many)
    )
    assert after - before <= 16 << 10


def test_l137_no_tree_grows_large(appends):
    assert max(appends[2]) <= 16 << 10


def test_the_archive_is_not_read_by_an_append(chain):
    chain.append(*range(64 * 3))
    with Objects(chain.home) as objects:
        asked = []
        real = objects.read

        def read(oid, kind):
            asked.append(oid)
            return real(oid, kind)

        objects.read = read
        state = read_tip(objects, FOLD, chain.commit).state
        parts = chain.repo.git("ls-tree", "-r", chain.commit, "archive/").split()
        assert not set(asked) & set(parts)
        assert len(asked) == 5  # commit, two trees, checkpoint, head
        assert state.archive.get("line:1") == {"n": 0}
        assert set(asked) & set(parts)


def test_sha256_repositories_have_longer_ids(memory):
    chain = Chain(memory / "long", "--object-format=sha256")
    chain.append(*range(70))
    chain.append(1, sources=[b"x"])
    assert len(chain.commit) == 64
    assert chain.read()[0].seq == 71
    chain.repo.git("fsck", "--strict")


@pytest.mark.parametrize(
    "subject", ["plain", "two\nlines \0 and more", "", "é" * 500, "\ud800", " \n"]
)
def test_a_commit_is_read_as_it_was_written(chain, subject):
    made = commit_object.encode("a" * 40, ("b" * 40,), subject, -5, "c0ffee")
    found = commit_object.decode(made)
    assert found == commit_object.Commit("a" * 40, ("b" * 40,), "c0ffee")
    done = subprocess.run(
        ["git", "hash-object", "-t", "commit", "--stdin", "-w", "--literally"],
        cwd=chain.repo.path,
        input=made,
        capture_output=True,
        check=True,
    )
    shown = chain.repo.git(
        "log", "--no-walk", "--format=%s", done.stdout.decode().strip()
    )
    assert len(shown.encode()) <= 200


@pytest.mark.parametrize("data", [b"", b"tree", b"author x\n\nmessage", b"\n\n"])
def test_what_is_no_commit_is_none(data):
    assert commit_object.decode(data) is None or not data.startswith(b"author")


def test_what_is_no_tree_is_none():
    entry = b"100644 a\0" + b"x" * 20
    assert parse_tree(entry, 20) == {"a": ("100644", "78" * 20)}
    for size in range(1, len(entry)):
        assert parse_tree(entry[:size], 20) is None
