"""The commit cursor survives every rewriting of history."""

import pytest

from git_intent.git.repository import Repository
from git_intent.scan import cursor
from git_intent.scan.collect_commits import collect_commits
from git_intent.scan.cursor import SCAN_STATE, cursor_values


def unread(repo, since, state=SCAN_STATE):
    opened = Repository.discover(repo.path)
    stand = cursor.find(opened, opened.head().oid, since, state)
    found = collect_commits(opened, stand, 2000)
    return [item.text for item in found.items], stand.remarks


def record(repo, oid, trailer=True):
    """Commit a scan-state that stands at `oid`, as a scan does."""
    repo.write(SCAN_STATE, f"last_commit: {oid}\n")
    repo.git("add", SCAN_STATE)
    message = "intent scan: nothing new to keep"
    repo.git("commit", "-q", "-m", message + "\n\nIntent-Scan: x" * trailer)


@pytest.fixture
def scanned(repo):
    """Two commits read, the cursor recorded by a scan's commit."""
    repo.commit("One", a="1")
    at = repo.commit("Two", a="2")
    record(repo, at)
    return repo, at


def test_nothing_is_unread_at_the_cursor(scanned):
    repo, at = scanned
    assert unread(repo, at) == ([], ())


def test_n066_amend(scanned):
    repo, _ = scanned
    at = repo.commit("Three", b="1")
    repo.git("commit", "-q", "--amend", "-m", "Three, said better")
    texts, remarks = unread(repo, at)
    assert texts == ["Three, said better"]
    base = repo.git("rev-parse", "HEAD~1")[:12]
    assert remarks == (
        (
            f"cursor lost, {at[:12]} is no longer in the history of HEAD; "
            f"fell back to the merge base {base}"
        ),
    )


def test_n066_rebase_does_not_read_equal_messages_again(scanned):
    repo, at = scanned
    repo.git("checkout", "-q", "-b", "topic", f"{at}~1")
    repo.commit("Topic one", t="1")
    topic = repo.commit("Topic two", t="2")
    repo.git("rebase", "-q", "main")
    repo.commit("Topic three", t="3")
    texts, remarks = unread(repo, topic)
    assert texts == ["Topic three"]
    assert "fell back to the merge base" in remarks[0]


def test_n066_squash_merge(scanned):
    repo, _ = scanned
    repo.git("checkout", "-q", "-b", "topic")
    at = repo.commit("Topic", t="1")
    record(repo, at)
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--squash", "topic")
    repo.git("commit", "-q", "-m", "Squashed")
    texts, remarks = unread(repo, at)
    assert texts == ["Squashed"]
    assert remarks[0].startswith("cursor lost,")


def test_n066_force_push_and_gc(scanned):
    repo, _ = scanned
    at = repo.commit("Gone", b="1")
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.commit("Instead", c="1")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    texts, remarks = unread(repo, at)
    assert texts == ["Instead"]
    assert remarks == (
        (
            f"cursor lost, {at[:12]} is not in this repository; "
            "fell back to the commits that no earlier scan had read"
        ),
    )


def test_n066_branch_switch(scanned):
    repo, _ = scanned
    repo.git("checkout", "-q", "-b", "topic")
    at = repo.commit("On topic", t="1")
    repo.git("checkout", "-q", "main")
    repo.commit("On main", m="1")
    texts, remarks = unread(repo, at)
    assert texts == ["On main"]
    assert "merge base" in remarks[0]


def test_n066_shallow_clone_and_unshallow(scanned, tmp_path):
    repo, at = scanned
    repo.commit("Three", b="1")
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", tmp_path / "shallow")
    shallow = type(repo)(tmp_path / "shallow")
    texts, remarks = unread(shallow, at)
    assert texts == ["Three"]
    assert "is not in this shallow repository" in remarks[0]
    assert remarks[0].endswith("fell back to the reachable history")
    shallow.git("fetch", "-q", "--unshallow")
    assert unread(shallow, at) == (["Three"], ())


def test_n065_a_shallow_clone_of_the_scans_commit_has_nothing_new(scanned, tmp_path):
    repo, at = scanned
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", tmp_path / "shallow")
    texts, _ = unread(type(repo)(tmp_path / "shallow"), at)
    assert texts == []


def test_n066_graft(scanned):
    repo, at = scanned
    repo.commit("Three", b="1")
    repo.git("replace", "--graft", "HEAD~1")
    texts, remarks = unread(repo, at)
    assert texts == ["Three"]
    assert remarks[0].startswith("cursor lost,")


@pytest.mark.parametrize("value", ["0" * 40, "main", "--all", "xyz", "a" * 39])
def test_n066_a_cursor_that_is_no_id(scanned, value):
    repo, _ = scanned
    texts, remarks = unread(repo, value)
    assert texts == []  # an earlier value of the cursor still counts
    assert "is not the id of a commit" in remarks[0]


def test_n066_a_cursor_that_is_a_tag_object(scanned):
    repo, at = scanned
    repo.git("tag", "-a", "-m", "tag", "v1", at)
    tag = repo.git("rev-parse", "refs/tags/v1")
    texts, remarks = unread(repo, tag)
    assert texts == []
    assert f"names {at[:12]}" in remarks[0]


def test_n066_a_cursor_that_is_a_blob(scanned):
    repo, _ = scanned
    texts, remarks = unread(repo, repo.git("rev-parse", "HEAD:a"))
    assert texts == []
    assert remarks


def test_n067_what_a_merged_branch_had_read_is_not_read_again(scanned):
    repo, _ = scanned
    repo.git("checkout", "-q", "-b", "topic")
    theirs = repo.commit("Topic rule", t="1")
    record(repo, theirs)
    repo.commit("Topic after scan", t="2")
    repo.git("checkout", "-q", "main")
    ours = repo.commit("Main rule", m="1")
    record(repo, ours)
    repo.git("merge", "-q", "-s", "ours", "topic")
    texts, remarks = unread(repo, ours)
    assert texts == ["Topic after scan"]
    assert remarks == ()
    texts, _ = unread(repo, theirs)
    assert texts == ["Topic after scan"]


def test_an_unborn_branch_and_a_first_scan_have_no_cursor(repo):
    assert unread(repo, "") == ([], ())
    repo.commit("One")
    assert unread(repo, "") == (["One"], ())


def test_values_are_read_from_all_forms_and_from_broken_versions():
    one, two, three = "1" * 40, "2" * 64, "3" * 40
    contents = [
        f"last_commit: {one}\n".encode(),
        f'repos:\n  "":\n    last_commit: "{two}"\n'.encode(),
        f"<<<<<<< ours\nlast_commit: {three}\n=======\n".encode(),
        f"last_commit: {'0' * 40}\nnote: last_commit: {'4' * 40}\n".encode(),
        f"last_commit: {one}\r\n".encode(),
    ]
    assert cursor_values(contents) == [one, two, three]
