import pytest

from git_intent.store.history_proof import Version, is_scan, prove
from git_intent.store.intent_dir import requirement_path
from git_intent.store.requirement import Scope
from tests.support.snapshots import T0, T1, T2, content, requirement

PATH = requirement_path("req-0001")
SCAN = (
    "intent scan: created 1, superseded 0, merged 0, dropped 0\n\nIntent-Scan: 7f3a\n"
)
EDIT = "Reword the rule\n"


def version(statement, message=SCAN, updated=T0, paths=(PATH,), **changes):
    made = requirement("req-0001", statement=statement, updated=updated, **changes)
    return Version(message, paths, content(made), "c0ffee")


def proof(*versions, complete=True, **options):
    return prove(PATH, versions, complete=complete, **options)


def test_words_that_a_scan_brought_are_the_scans():
    found = proof(version("Use tabs."))
    assert not found.user_edited
    assert "c0ffee" in found.reason


def test_words_that_a_scan_changed_are_the_scans():
    assert not proof(version("B.", updated=T1), version("A.")).user_edited


def test_n044_words_that_a_person_changed_are_the_persons():
    found = proof(version("B.", EDIT, T1), version("A."))
    assert found.user_edited
    assert "no scan's" in found.reason


def test_n044_a_later_scan_that_left_the_words_alone_changes_nothing():
    newest = version("B.", SCAN, T2, hints=("a question",))
    assert proof(newest, version("B.", EDIT, T1), version("A.")).user_edited


def test_n044_a_persons_text_that_equals_an_older_one_is_the_persons():
    versions = [version("A.", EDIT, T2), version("B.", SCAN, T1), version("A.")]
    assert proof(*versions).user_edited


def test_n044_a_change_of_status_by_a_person_leaves_the_words_the_scans():
    newest = version("A.", EDIT, T1, status="disabled")
    assert not proof(newest, version("A.")).user_edited


@pytest.mark.parametrize(
    "changes", [{"scope": Scope(paths=("x",))}, {"rationale": "Because."}]
)
def test_n044_scope_and_rationale_count_as_words(changes):
    assert proof(version("A.", EDIT, T1, **changes), version("A.")).user_edited


def test_n044_wrapping_is_no_change():
    first = version("Some words. " * 20)
    wrapped = first.data.replace(b"words. Some", b"words.\nSome")
    assert wrapped != first.data
    newest = Version(EDIT, (PATH,), wrapped, "beef")
    assert not proof(newest, first).user_edited


def test_n044_a_squash_that_touches_more_than_the_store_is_a_persons():
    paths = (PATH, "src/main.py")
    found = proof(version("B.", SCAN, T1, paths), version("A."))
    assert found.user_edited
    assert "src/main.py" in found.reason


def test_n044_an_edit_squashed_into_a_scans_commit_shows_by_its_stamp():
    found = proof(version("B.", SCAN, T0), version("A."))
    assert found.user_edited
    assert "updated" in found.reason


def test_n044_history_that_is_cut_off_proves_nothing():
    assert proof(version("A."), complete=False).user_edited
    assert proof(version("A."), version("A."), complete=False).user_edited
    newest = version("B.", SCAN, T1)
    assert not proof(newest, version("A."), complete=False).user_edited
    assert proof().user_edited


def test_the_flag_in_the_file_is_proof_enough():
    assert proof(version("A.", user_edited=True)).user_edited


def test_versions_that_cannot_be_read_prove_nothing():
    broken = Version(SCAN, (PATH,), b"no fence", "bad")
    assert proof(broken, version("A.")).user_edited
    assert proof(version("A.", updated=T1), broken).user_edited


def test_the_store_of_a_project_below_the_root():
    inside = f"sub/{PATH}"
    one = version("A.", SCAN, T0, (inside,))
    assert proof(one).user_edited
    assert not proof(one, store="sub/.cloche/intent").user_edited


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (SCAN, True),
        ("subject\n\nbody\n\nSigned-off-by: A <a@b>\nIntent-Scan: 7f3a", True),
        ("subject\n\nIntent-Scan: 7f3a\n(cherry picked from commit c0ffee)", True),
        ("Intent-Scan: 7f3a", False),
        ("subject\nIntent-Scan: 7f3a", False),
        ("subject\n\nIntent-Scan:", False),
        ("subject\n\n    Intent-Scan: 7f3a", False),
        ("subject\n\nIntent-Scan: 7f3a\n\nand more text", False),
        ("subject\n\nas in\nIntent-Scan: 7f3a", False),
        ("subject\n\nIntent-Scan: 7f3a\nIntent-Scan: 8b2c", False),
        ('Revert "intent scan: created 1"\n\nThis reverts commit c0ffee.', False),
        ("intent scan: created 1, superseded 0, merged 0, dropped 0", False),
    ],
)
def test_a_scan_says_so_in_its_trailer(message, expected):
    assert is_scan(message, [PATH]) is expected


def test_a_scan_touches_the_store_alone():
    assert not is_scan(SCAN, [PATH, "README.md"])
    assert not is_scan(SCAN, [".cloche/intention/x"])
    assert not is_scan(SCAN, [".cloche/config.toml"])
