"""What `git log --follow` says about files that come and go as requirements do."""

from datetime import UTC, datetime, timedelta

from git_intent.store.ids import new_id
from git_intent.store.intent_dir import read_snapshot, requirement_path, write_changes
from git_intent.store.mutate import add, create, disable, enable, rescope, reword
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
)
from git_intent.store.requirement_file import parse_requirement
from tests.support.repo import Repo

NOW = datetime(2026, 9, 13, 10, tzinfo=UTC)
STAMP = "2026-09-13T10:00:00Z"
SUBJECTS = (
    "a migration",
    "the public API",
    "a release tag",
    "vendored code",
    "CI jobs",
)
VERBS = ("Never edit", "Always review", "Do not skip", "Keep", "Announce")
SENTENCES = [
    f"{verb} {subject} before {when}."
    for verb in VERBS
    for subject in SUBJECTS
    for when in ("merging", "the freeze")
][:40]


def write(repo: Repo, make, statement: str, **fields) -> str:
    taken = {p.rpartition("/")[2].removesuffix(".md") for p in read_snapshot(repo.path)}
    made = Requirement(new_id(statement, taken), statement, **fields)
    write_changes(repo.path, {requirement_path(made.id): make(made, NOW)})
    return requirement_path(made.id)


def followed(repo: Repo, paths) -> dict[str, str]:
    return {
        path: repo.git("log", "--follow", "--format=%H", "--", path) for path in paths
    }


def test_n007_files_of_one_sentence_added_one_by_one(repo: Repo):
    added = {}
    for statement in SENTENCES:
        path = write(
            repo,
            add,
            statement,
            confidence=Confidence.MEDIUM,
            provenance=Provenance(
                Kind.TRANSCRIPT, extracted_at=STAMP, extracted_by="git intent add"
            ),
        )
        added[path] = repo.commit(f"add {statement}")
    assert followed(repo, added) == added


def test_n007_files_of_one_scan_after_those_of_another(repo: Repo):
    added = {}
    for batch in range(4):
        paths = []
        for statement in SENTENCES[batch * 10 : batch * 10 + 10]:
            verb, _, rest = statement[:-1].lower().partition(" ")
            path = write(
                repo,
                create,
                statement,
                hints=("rules of work", f"how to {verb} {rest}", rest),
                scope=Scope(Level.DOMAIN, ("release",)),
                provenance=Provenance(
                    Kind.DOC, "CLAUDE.md#rules", STAMP, "intent-scan"
                ),
            )
            paths.append(path)
        added |= dict.fromkeys(paths, repo.commit(f"batch {batch}"))
    assert followed(repo, added) == added


def test_n006_path_and_id_stay_over_ten_commits(repo: Repo):
    path = write(repo, add, "Never ship on Friday.")
    first = parse_requirement(repo.read(path), path).id
    repo.commit("add")
    steps = [
        lambda data, now: reword(data, "Completely other words stand here.", "", now),
        lambda data, now: rescope(data, Scope(Level.DOMAIN, ("web",)), now),
        disable,
        enable,
        lambda data, now: reword(data, "Third version, nothing in common.", "So.", now),
        disable,
        enable,
        lambda data, now: rescope(data, Scope(paths=("a/**",)), now),
        disable,
        enable,
    ]
    for number, step in enumerate(steps, 1):
        data = step(repo.read(path), NOW + timedelta(days=number))
        assert write_changes(repo.path, {path: data}) == (path,)
        repo.commit(f"step {number}")
    assert len(repo.git("log", "--follow", "--format=%H", "--", path).split()) == 11
    for commit in repo.git("rev-list", "HEAD").split():
        names = repo.git("ls-tree", "-r", "--name-only", commit).split("\n")
        assert [name for name in names if name.endswith(".md")] == [path]
        assert f"id: {first}\n" in repo.git("show", f"{commit}:{path}") + "\n"
