"""The archive: read only as far back as a question goes."""

from git_intent.ledger.archive import Archive

PARTS = [
    {"a": {"n": 3}},
    {"a": {"n": 2}, "b": {"n": 2}},
    {"b": {"n": 1}, "c": {"n": 1}},
]


class Parts:
    """Parts that count how many of them were loaded."""

    def __init__(self):
        self.loaded = 0

    def __iter__(self):
        for part in PARTS:
            self.loaded += 1
            yield part


def test_the_newest_part_that_has_a_key_answers():
    parts = Parts()
    archive = Archive(parts)
    assert parts.loaded == 0
    assert archive.get("a") == {"n": 3}
    assert parts.loaded == 1
    assert archive.get("b") == {"n": 2}
    assert archive.get("a") == {"n": 3}
    assert parts.loaded == 2
    assert archive.get("c") == {"n": 1}
    assert archive.get("d") is None
    assert archive.get("d") is None
    assert parts.loaded == 3


def test_what_was_put_last_stands():
    archive = Archive(PARTS)
    archive.put("b", {"n": 9})
    assert archive.get("b") == {"n": 9}
    assert archive.seal() == {"b": {"n": 9}}
    assert archive.fresh == {}
    archive.put("c", {"n": 10})
    assert (archive.get("b"), archive.get("c")) == ({"n": 9}, {"n": 10})
    assert archive.all_keys() == {"a", "b", "c"}
    assert archive.seal() == {"c": {"n": 10}}


def test_at_hand_is_what_needs_no_loading():
    parts = Parts()
    archive = Archive(parts)
    archive.put("z", {})
    assert archive.at_hand("z")
    assert not archive.at_hand("a")
    assert parts.loaded == 0
    archive.get("a")
    assert archive.at_hand("a")
