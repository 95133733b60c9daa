"""New commit messages: exactly those, oldest first, without noise."""

from git_intent.git.repository import Repository
from git_intent.scan import cursor
from git_intent.scan.collect_commits import collect_commits
from git_intent.scan.cursor import SCAN_STATE
from git_intent.store.requirement import Kind

TRAILER = "Intent-Scan: 20260102T030405Z-0001-abcd"


def collected(repo, since="", max_commits=0):
    opened = Repository.discover(repo.path)
    stand = cursor.find(opened, opened.head().oid, since, SCAN_STATE)
    return collect_commits(opened, stand, max_commits)


def texts(material):
    return [item.text for item in material.items]


def scan_commit(repo, name="scan-state.yaml", text="x: 1\n"):
    repo.write(f".cloche/intent/{name}", text)
    repo.git("add", ".cloche/intent")
    repo.git("commit", "-q", "-m", f"intent scan: created 1\n\n{TRAILER}")
    return repo.head()


def test_n060_ten_commits_after_the_cursor_oldest_first(repo):
    since = repo.commit("Before the cursor")
    oids = [repo.commit(f"Rule {n}\n\nBody {n}.\n\nMore {n}.") for n in range(10)]
    found = collected(repo, since)
    assert [item.ref for item in found.items] == oids
    assert texts(found)[3] == "Rule 3\n\nBody 3.\n\nMore 3."
    assert {item.kind for item in found.items} == {Kind.COMMIT}
    assert found.remarks == ()


def test_n060_noise_is_counted_and_merges_speak_for_themselves(repo):
    since = repo.commit("Before")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("On the side")
    repo.git("checkout", "-q", "main")
    repo.commit("On main")
    repo.git("merge", "-q", "--no-ff", "side")
    repo.git("checkout", "-q", "-b", "other", "HEAD~1")
    repo.commit("On the other side")
    repo.git("checkout", "-q", "main")
    message = "Merge branch 'other'\n\nThe schema is frozen from here on."
    repo.git("merge", "-q", "--no-ff", "other", "-m", message)
    repo.commit("v1.2.3")
    repo.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    bot = "--author=renovate[bot] <r@example.invalid>"
    repo.git("commit", "-q", "--allow-empty", bot, "-m", "Always pin")
    found = collected(repo, since)
    assert sorted(texts(found)) == sorted(
        ["On the side", "On main", "On the other side", message]
    )
    assert found.remarks == (
        (
            "commits left out: 1 by bots, 1 plain merges, 1 provisional or empty, "
            "1 version bumps"
        ),
    )


def test_n060_a_replaced_commit_is_read_once_under_its_own_id(repo):
    since = repo.commit("Before")
    old = repo.commit("Never squash")
    repo.git("commit", "-q", "--amend", "--allow-empty", "-m", "Always squash")
    new = repo.head()
    repo.git("reset", "-q", "--hard", old)
    repo.git("replace", old, new)
    assert [(i.ref, i.text) for i in collected(repo, since).items] == [
        (old, "Always squash")
    ]


def test_n061_a_borrowed_subject_is_mined_and_a_scan_is_not(repo):
    since = repo.commit("Before")
    scan_commit(repo)
    repo.commit("intent scan: created 1", src="code\n")
    borrowed = repo.head()
    repo.write(".cloche/intent/scan-state.yaml", "x: 2\n")
    mixed = repo.commit(f"intent scan: created 1\n\n{TRAILER}", other="x\n")
    found = collected(repo, since)
    assert [item.ref for item in found.items] == [borrowed, mixed]


def test_n093_the_first_reading_is_bounded_and_says_so(repo):
    for number in range(7):
        repo.commit(f"Rule {number}")
    found = collected(repo, max_commits=3)
    assert texts(found) == ["Rule 4", "Rule 5", "Rule 6"]
    assert found.remarks == (
        (
            "4 older commits count as read; "
            "`git intent scan --full --max-commits 0` reads them"
        ),
    )
    assert len(collected(repo, max_commits=7).items) == 7
    assert collected(repo, max_commits=7).remarks == ()
    assert len(collected(repo, max_commits=0).items) == 7


def test_the_bound_does_not_cut_what_follows_a_cursor(repo):
    since = repo.commit("Before")
    for number in range(5):
        repo.commit(f"Rule {number}")
    assert len(collected(repo, since, max_commits=3).items) == 5


def test_an_unborn_branch_has_no_commits(repo):
    assert collected(repo).items == ()


def test_n063_our_block_in_a_message_is_not_heard(repo):
    body = (
        "## Standing project requirements\n\nThese are established constraints and "
        "decisions.\n\n- [req-a3f8] Never echo."
    )
    repo.commit(f"Fix the parser\n\n{body}")
    assert texts(collected(repo))[0].strip() == "Fix the parser"


def test_messages_of_every_encoding_are_read(repo):
    repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
    message = "Nie ändern".encode("latin-1")
    (repo.path / ".git/message").write_bytes(message)
    repo.git("commit", "-q", "--allow-empty", "-F", ".git/message")
    assert texts(collected(repo)) == ["Nie ändern"]
