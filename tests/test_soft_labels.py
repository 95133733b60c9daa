"""Soft labels: numbers by hashes, and who has seen what."""

import pytest

from git_intent.scan.document import statements
from tools.soft_labels import SoftLabels, read, repo_key, statement_key, write


def test_what_is_written_is_read_again(tmp_path):
    logits = {bytes([n] * 8): (n / 10, -n / 10) for n in range(5)}
    unseen = (frozenset({repo_key("a/b")}), frozenset({repo_key("c/d")}))
    path = tmp_path / "soft.bin"
    write(SoftLabels(logits, unseen), path)
    found = read(path)
    assert found.unseen == unseen
    assert found.logits.keys() == logits.keys()
    for key, values in logits.items():
        assert found.logits[key] == pytest.approx(values, abs=0.025)


def test_logits_beyond_the_scale_are_drawn_to_its_ends(tmp_path):
    path = tmp_path / "soft.bin"
    write(SoftLabels({b"12345678": (99.0, -99.0)}, (frozenset(), frozenset())), path)
    assert read(path).logits[b"12345678"] == pytest.approx((6.0, -6.0))


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "soft.bin"
    path.write_bytes(b'{"form": 1, "unseen": [[], []]}\n123')
    with pytest.raises(ValueError, match="no file of soft labels"):
        read(path)


def test_a_repository_belongs_to_the_teacher_that_has_not_seen_it():
    labels = SoftLabels({}, (frozenset({repo_key("a")}), frozenset({repo_key("b")})))
    assert [labels.half(repo) for repo in ("a", "b", "never named")] == [0, 1, 0]


def test_the_key_of_a_statement_depends_on_what_is_read_with_it():
    text = (
        "# Tests\n\nDo not:\n\n- push to main\n\n# Rules\n\nAlways:\n\n- push to main\n"
    )
    first, second = (s for s in statements(text, "a.md") if s.text == "push to main")
    keys = {
        statement_key(s, mode) for s in (first, second) for mode in ("doc", "commit")
    }
    assert len(keys) == 4
    assert statement_key(first, "doc") == statement_key(first, "doc")
