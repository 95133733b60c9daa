"""What `git log --follow` says about files that come and go as requirements do."""

from datetime import UTC, datetime, timedelta

import pytest

from git_intent.store.ids import new_id
from git_intent.store.intent_dir import read_snapshot, requirement_path, write_changes
from git_intent.store.mutate import add, disable, enable, rescope, reword
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
SUBJECTS = ("a migration", "the public API", "a release tag", "the vendored code", "CI")
VERBS = ("Never edit", "Always review", "Do not skip", "Keep", "Announce")


def sentences() -> list[str]:
    return [
        f"{verb} {subject} before {when}."
        for verb in VERBS
        for subject in SUBJECTS
        for when in ("merging", "Friday")
    ][:40]


def write(repo: Repo, statement: str, **fields) -> str:
    taken = {p.rpartition("/")[2].removesuffix(".md") for p in read_snapshot(repo.path)}
    made = Requirement(new_id(statement, taken), statement, **fields)
    write_changes(repo.path, {requirement_path(made.id): add(made, NOW)})
    return requirement_path(made.id)


def assert_each_history_is_its_own(repo: Repo, paths: list[str]) -> None:
    for path in paths:
        plain = repo.git("log", "--format=%H", "--", path)
        assert repo.git("log", "--follow", "--format=%H", "--", path) == plain, path
        assert plain.count("\n") == 0


@pytest.mark.parametrize("person", [True, False])
def test_n007_files_of_one_sentence_added_one_by_one(repo: Repo, person: bool):
    paths = []
    for statement in sentences():
        path = write(
            repo,
            statement,
            user_edited=person,
            confidence=Confidence.HIGH if person else Confidence.MEDIUM,
            provenance=Provenance(
                Kind.USER if person else Kind.TRANSCRIPT,
                extracted_at="2026-09-13T10:00:00Z",
                extracted_by="git intent add",
            ),
        )
        paths.append(path)
        repo.commit(f"add {statement}")
    assert_each_history_is_its_own(repo, paths)


def test_n007_files_of_one_scan_after_those_of_another(repo: Repo):
    paths = []
    for batch in range(4):
        for number, statement in enumerate(sentences()[batch * 10 : batch * 10 + 10]):
            paths.append(
                write(
                    repo,
                    statement,
                    confidence=Confidence.MEDIUM,
                    hints=("rules of work", f"should I {statement.lower()[:-1]}"),
                    scope=Scope(Level.DOMAIN, (f"area-{number % 3}",)),
                    provenance=Provenance(
                        Kind.DOC,
                        "CLAUDE.md#rules",
                        "2026-09-13T10:00:00Z",
                        "intent-scan",
                    ),
                )
            )
        repo.commit(f"intent scan: created 10 of batch {batch}")
    assert_each_history_is_its_own(repo, paths)


def test_n006_path_and_id_stay_over_ten_commits(repo: Repo):
    path = write(repo, "Never ship on Friday.")
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
