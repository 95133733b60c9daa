"""What happened, in every shape that a history can take."""

import os

import pytest

from git_intent.git import library
from git_intent.git.history import (
    Commit,
    Version,
    changed_paths,
    commits,
    count,
    file_versions,
    has_merge,
    is_ancestor,
    log_values,
    merge_base,
    paths_in_refs,
    read_commits,
    shallow_border,
    versions,
)
from git_intent.git.process import GitError
from git_intent.git.repository import Repository
from tests.support.repo import Repo


def found(repo: Repo, below: str = "") -> Repository:
    return Repository.discover(repo.path / below)


def subjects(repo: Repo, *spec: str, **more) -> list[str]:
    return [c.subject for c in commits(found(repo), spec or ["HEAD"], **more)]


@pytest.fixture
def forked(repo: Repo) -> Repo:
    """base – main – merge, with side between base and merge."""
    repo.commit("base", a="1\n", b="1\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", b="side\n")
    repo.git("checkout", "-q", "main")
    repo.commit("main", c="1\n")
    repo.git("merge", "-q", "-m", "merge", "side")
    return repo


def test_n060_exactly_the_commits_after_the_cursor_oldest_first(repo):
    for number in range(5):
        repo.commit(f"before {number}")
    cursor = repo.head()
    wanted = []
    for number in range(10):
        repo.commit(f"after {number}\n\nbody of\n\n{number}\n")
        wanted.append((f"after {number}", f"body of\n\n{number}"))
    read = list(commits(found(repo), ["HEAD", f"^{cursor}"]))
    assert [(c.subject, c.body) for c in read] == wanted
    assert read[0].parents == (cursor,)
    assert read[-1].oid == repo.head()
    assert read[3].message == "after 3\n\nbody of\n\n3"
    assert (read[0].author, read[0].author_email) == (
        "A Person",
        "person@example.invalid",
    )
    assert read[0].time == 1767323045
    assert subjects(repo, f"{cursor}..HEAD", max_count=3) == [
        "after 7",
        "after 8",
        "after 9",
    ]
    assert count(found(repo), ["HEAD", f"^{cursor}"]) == 10
    assert subjects(repo, f"HEAD..{cursor}") == []


def test_n060_parents_come_before_children_whatever_the_dates_say(repo, monkeypatch):
    for number, year in enumerate((2030, 2010, 2020, 2000)):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{year}-01-01T00:00:00Z")
        repo.commit(f"{number}")
    assert subjects(repo) == ["0", "1", "2", "3"]


def test_n060_a_merge_is_read_with_both_parents(forked):
    read = {c.subject: c for c in commits(found(forked), ["HEAD"])}
    assert set(read) == {"base", "main", "side", "merge"}
    assert read["merge"].parents == (read["main"].oid, read["side"].oid)
    assert has_merge(found(forked), ["HEAD"])
    assert not has_merge(found(forked), ["HEAD~1"])
    assert not has_merge(found(forked), [])


@pytest.mark.parametrize(
    ("message", "subject", "body"),
    [
        ("", "", ""),
        ("\n\n  \n", "", ""),
        ("one", "one", ""),
        ("one\ntwo\n\nthree", "one two", "three"),
        ("\n\n  one  \n\n\n  two\n", "one", "two"),
        ("one\n \ntwo", "one", "two"),
        ("one\r\n\r\ntwo\r\n", "one", "two"),
        ("größer\n\n日本 \U0001f600\n", "größer", "日本 \U0001f600"),
        ("# one\n\n# two", "# one", "# two"),
    ],
)
def test_n060_every_message_comes_out_as_it_is(repo, message, subject, body):
    tree = repo.git("write-tree")
    oid = repo.git("commit-tree", tree, input=message)
    repo.git("update-ref", "HEAD", oid)
    (read,) = commits(found(repo), ["HEAD"])
    assert (read.subject, read.body) == (subject, body)


def test_a_message_in_another_encoding_or_none_is_read(repo):
    tree = repo.git("write-tree")
    person = "A <a@x> 1767323045 +0000"
    for encoding, data in (("latin1", b"gr\xf6\xdfer"), ("", b"gr\xf6\xdfer")):
        header = f"encoding {encoding}\n" if encoding else ""
        raw = f"tree {tree}\nauthor {person}\ncommitter {person}\n{header}\n".encode()
        oid = repo.git(
            "hash-object", "-t", "commit", "-w", "--stdin",
            input=os.fsdecode(raw + data),
        )  # fmt: skip
        (read,) = read_commits(found(repo), [oid]).values()
        assert read.subject == ("größer" if encoding else "gr\ufffd\ufffder")


def test_settings_of_the_user_do_not_change_what_is_read(repo, tmp_path):
    repo.commit("one\n\nbody", a="1")
    plain = list(commits(found(repo), ["HEAD"]))
    repo.git("notes", "add", "-m", "a note")
    (repo.path / ".mailmap").write_text("Other <o@x> <person@example.invalid>\n")
    for key, value in (
        ("log.showSignature", "true"),
        ("log.mailmap", "true"),
        ("log.decorate", "full"),
        ("log.follow", "true"),
        ("log.diffMerges", "separate"),
        ("format.pretty", "oneline"),
        ("color.ui", "always"),
        ("i18n.logOutputEncoding", "latin1"),
        ("diff.external", "false"),
    ):
        repo.git("config", key, value)
    assert list(commits(found(repo), ["HEAD"])) == plain


def test_n060_a_replaced_commit_is_read_as_replaced_under_its_own_id(repo):
    repo.commit("one")
    old = repo.commit("two")
    new = repo.git("commit-tree", "-m", "instead", f"{old}^{{tree}}", "-p", "HEAD~1")
    repo.git("replace", old, new)
    last = list(commits(found(repo), ["HEAD"]))[-1]
    assert (last.oid, last.subject) == (old, "instead")


def test_n066_a_graft_and_a_shallow_border_cut_the_history(repo, tmp_path):
    oids = [repo.commit(f"{i}", a=f"{i}\n") for i in range(4)]
    Repo(tmp_path).git("clone", "-q", "--depth=2", f"file://{repo.path}", "s")
    clone = Repo(tmp_path / "s")
    assert subjects(clone) == ["2", "3"]
    assert shallow_border(found(clone)) == {oids[2]}
    assert shallow_border(found(repo)) == frozenset()
    assert is_ancestor(found(clone), oids[2], oids[3])
    with pytest.raises(GitError):
        is_ancestor(found(clone), oids[1], oids[3])
    Repo(clone.path).git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert is_ancestor(found(Repo(tmp_path / "linked")), oids[2], oids[3])
    clone.git("fetch", "-q", "--unshallow")
    assert subjects(clone) == ["0", "1", "2", "3"]
    repo.git("replace", "--graft", oids[2])
    assert subjects(repo) == ["2", "3"]
    assert not is_ancestor(found(repo), oids[1], oids[3])


def test_an_unknown_revision_is_an_error_and_no_revision_is_nothing(repo):
    with pytest.raises(GitError):
        list(commits(found(repo), ["HEAD"]))
    repo.commit("one")
    with pytest.raises(GitError):
        list(commits(found(repo), ["f" * 40]))
    with pytest.raises(GitError):
        list(commits(found(repo), ["--output=x"]))
    assert list(commits(found(repo), [])) == []
    assert read_commits(found(repo), []) == {}
    assert count(found(repo), []) == 0


def test_named_commits_are_read_without_their_history(forked):
    oids = [forked.head(), forked.git("rev-parse", "side")]
    read = read_commits(found(forked), oids)
    assert {oid: c.subject for oid, c in read.items()} == dict(
        zip(oids, ["merge", "side"], strict=True)
    )


def test_the_paths_of_each_commit_are_told(forked):
    forked.git("mv", "a", "ü\nb c")
    renamed = forked.commit("renamed")
    empty = forked.commit("empty")
    oids = [c.oid for c in commits(found(forked), ["HEAD"])]
    read = changed_paths(found(forked), oids)
    by_subject = {c.subject: read[c.oid] for c in commits(found(forked), ["HEAD"])}
    assert by_subject == {
        "base": ["a", "b"],
        "side": ["b"],
        "main": ["c"],
        "merge": ["b"],
        "renamed": ["a", "ü\nb c"],
        "empty": [],
    }
    assert set(read) == set(oids)
    assert renamed in read
    assert empty in read
    assert changed_paths(found(forked), []) == {}


def test_n096_paths_outside_of_the_project_are_told_as_such(repo):
    oid = repo.commit_files({"svc/.cloche/x": "1", "o/y": "1"})
    assert changed_paths(found(repo, "svc"), [oid]) == {oid: ["../o/y", ".cloche/x"]}
    assert set(versions(found(repo, "svc"), ".cloche")) == {".cloche/x"}
    assert paths_in_refs(found(repo, "svc"), ".cloche") == {".cloche/x"}


@pytest.mark.parametrize("format", ["sha1", "sha256"])
def test_ancestry(tmp_path, format):
    repo = Repo.init(tmp_path / "r", f"--object-format={format}")
    base = repo.commit("base")
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side")
    repo.git("checkout", "-q", "main")
    main = repo.commit("main")
    here = found(repo)
    assert merge_base(here, side, main) == base
    assert is_ancestor(here, base, side)
    assert is_ancestor(here, side, side)
    assert is_ancestor(here, "HEAD", main)
    assert not is_ancestor(here, side, main)
    assert not is_ancestor(here, main, base)
    repo.git("checkout", "-q", "--orphan", "alone")
    alone = repo.commit("alone")
    assert merge_base(here, alone, main) is None
    assert not is_ancestor(here, alone, main)
    assert (library.open_library(here) is None) == (format == "sha256")


def test_a_linked_worktree_asks_about_its_own_head(repo, tmp_path):
    base = repo.commit("base")
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    oid = linked.commit("side")
    assert is_ancestor(found(linked), oid, "HEAD")
    assert not is_ancestor(found(repo), oid, "HEAD")
    assert is_ancestor(found(repo), base, "HEAD")


def test_versions_of_a_file_come_newest_first_with_its_end_and_return(repo):
    oids = [repo.commit(f"{i}", a=f"{i}\n") for i in range(2)]
    repo.commit("other", b="b\n")
    (repo.path / "a").unlink()
    oids.append(repo.commit("gone"))
    oids.append(repo.commit("back", a="0\n"))
    blob = [repo.git("rev-parse", f"{oid}:a", check=False) for oid in oids]
    assert file_versions(found(repo), "a") == [
        Version(oids[3], blob[0]),
        Version(oids[2], ""),
        Version(oids[1], blob[1]),
        Version(oids[0], blob[0]),
    ]
    assert log_values(found(repo), "a") == [b"0\n", b"1\n"]
    assert file_versions(found(repo), "absent") == []
    assert file_versions(found(repo), "a", oids[0]) == [Version(oids[0], blob[0])]


def test_versions_of_both_sides_of_a_merge_and_its_own_are_found(repo):
    repo.commit("base", a="1\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", a="side\n")
    repo.git("checkout", "-q", "main")
    repo.commit("main", a="main\n")
    repo.git("merge", "side", check=False)
    repo.commit("merge", a="both\n")
    assert set(log_values(found(repo), "a")) == {
        b"1\n",
        b"side\n",
        b"main\n",
        b"both\n",
    }
    assert log_values(found(repo), "a")[0] == b"both\n"
    repo.git("checkout", "-q", "side")
    repo.commit("ours", a="discarded\n")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-s", "ours", "side")
    assert b"discarded\n" in log_values(found(repo), "a")


def test_versions_of_a_whole_folder_are_read_at_once(repo):
    names = ["d/a", "d/ü", "d/line\nbreak"]
    repo.commit_files(dict.fromkeys([*names, "e"], "1"))
    repo.commit_files({names[0]: "2"})
    read = versions(found(repo), "d")
    assert {name: len(v) for name, v in read.items()} == dict(
        zip(names, (2, 1, 1), strict=True)
    )


def test_every_path_that_any_branch_has_ever_had_is_taken(repo, tmp_path):
    repo.commit_files({"d/deleted": "1", "d/kept": "1", "o": "1"})
    (repo.path / "d/deleted").unlink()
    repo.commit("gone")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit_files({"d/side": "1"})
    Repo(tmp_path).git("clone", "-q", "-b", "main", str(repo.path), "clone")
    clone = Repo(tmp_path / "clone")
    clone.git("checkout", "-q", "--detach")
    clone.commit_files({"d/detached": "1"})
    wanted = {"d/deleted", "d/kept", "d/side", "d/detached"}
    assert paths_in_refs(found(clone), "d") == wanted


def test_on_an_unborn_branch_no_path_is_taken(repo):
    assert paths_in_refs(found(repo), "d") == set()


def test_a_file_that_a_merge_itself_brought_is_taken(forked):
    forked.git("checkout", "-q", "side")
    forked.commit("more", e="e")
    forked.git("checkout", "-q", "main")
    forked.git("merge", "-q", "--no-commit", "side")
    forked.commit_files({"d/evil": "1"})
    assert paths_in_refs(found(forked), "d") == {"d/evil"}


def test_n093_reading_streams(repo, monkeypatch):
    """The first commit is there before the last has been printed."""
    for number in range(30):
        repo.commit(f"{number}\n\n" + "x" * 50_000)
    stream = commits(found(repo), ["HEAD"])
    assert isinstance(next(stream), Commit)
    stream.close()
    assert sum(1 for _ in commits(found(repo), ["HEAD"])) == 30
