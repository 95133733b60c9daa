"""The map of domains over the API: counts, minimal edits, errors beside their field."""

import pytest

from git_intent.files import sha256
from git_intent.store.intent_dir import ATTRIBUTES, DOMAINS, with_drivers
from tests.support.api import api
from tests.support.snapshots import requirement, store

MAP = b"""# ours, and written by hand
version: 1
domains:
  - name: api   # the outside

    description: 'What others call.'
    paths: ["src/api/**", "*.proto"]

  # a comment between two entries
  - {name: docs, paths: [docs/**]}
"""


@pytest.fixture
def project(repo):
    files = {"src/api/a.py": "", "src/api/b.py": "", "docs/x.md": "", "a.proto": ""}
    repo.commit("files", **files)
    found = store(requirement()) | {DOMAINS: MAP, ATTRIBUTES: with_drivers(None)}
    repo.commit_files(found)
    return repo


@pytest.fixture
def served(project):
    with api(project) as found:
        yield found


def domains(answer):
    return {row["name"]: row for row in answer["domains"]}


def test_each_glob_is_told_with_the_tracked_files_it_matches(served, project):
    found = served.get("/api/domains")
    assert found["etag"] == sha256(MAP)
    assert domains(found)["api"]["paths"] == [
        {"glob": "src/api/**", "files": 2},
        {"glob": "*.proto", "files": 1},
    ]
    project.write("src/api/c.py", "")
    assert served.get("/api/globs", glob="src/api/**")["files"] == 2
    project.git("add", "src/api/c.py")
    assert served.get("/api/globs", glob="src/api/**")["files"] == 3
    assert served.get("/api/globs", glob="!src/api/**")["files"] == 3


@pytest.mark.parametrize("glob", ["", " ", "{a,b}", "../x", "#x", "a\\b", "x\0", "☃["])
def test_a_glob_that_is_none_says_why(served, glob):
    found = served.get("/api/globs", glob=glob)
    assert found["files"] == 0


def test_n028_n170_an_edit_leaves_every_other_byte(served, project):
    etag = served.get("/api/domains")["etag"]
    body = {"etag": etag, "description": "What  others\ncall now."}
    found = served.told("PATCH", "/api/domains/api", 200, json=body)
    assert domains(found)["api"]["user_edited"] is True
    assert domains(found)["api"]["description"] == "What others call now."
    rows = project.git("diff", "-U0", "--", DOMAINS).splitlines()[4:]
    assert [row for row in rows if row[0] in "+-"] == [
        "-    description: 'What others call.'",
        "+    description: 'What others call now.'",
        "+    user_edited: true",
    ]
    assert project.git("diff", "--cached") == ""
    body = {"etag": found["etag"], "paths": ["lib/**", " ", "lib/**"]}
    found = served.told("PATCH", "/api/domains/docs", 200, json=body)
    assert domains(found)["docs"]["paths"] == [{"glob": "lib/**", "files": 0}]
    assert b"# a comment between two entries" in project.read(DOMAINS)


def test_n170_a_domain_is_added_as_a_persons(served, project):
    etag = served.get("/api/domains")["etag"]
    body = {"etag": etag, "name": "web", "description": "x", "paths": ["web/**"]}
    found = served.told("POST", "/api/domains", 200, json=body)
    assert found["etag"] == sha256(project.read(DOMAINS))
    assert domains(found)["web"]["user_edited"] is True
    assert project.read(DOMAINS).startswith(MAP)
    assert project.git("status", "--porcelain") == f" M {DOMAINS}"


def test_the_first_domain_makes_the_file(repo):
    repo.commit("x", a="1")
    with api(repo) as served:
        etag = served.get("/api/domains")["etag"]
        body = {"etag": etag, "name": "web", "paths": []}
        served.told("POST", "/api/domains", 200, json=body)
    assert b"name: web" in repo.read(DOMAINS)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "Web Stuff"}, "name"),
        ({"name": ""}, "name"),
        ({"name": "api"}, "name"),
        ({"name": "x", "paths": ["ok", "{a,b}"]}, "paths/1"),
        ({"name": "x", "paths": ["../up"]}, "paths/0"),
        ({"name": "x", "paths": "a"}, "paths"),
        ({"name": 1}, "name"),
        ({"name": "x", "description": None}, "description"),
        ({"name": "x", "user_edited": False}, "user_edited"),
    ],
)
def test_n170_what_is_wrong_names_its_field(served, project, body, field):
    etag = served.get("/api/domains")["etag"]
    told = served.told("POST", "/api/domains", 422, json={"etag": etag, **body})
    assert told["field"] == field
    assert project.read(DOMAINS) == MAP


def test_n170_an_invalid_glob_is_an_error_beside_its_field(served, project):
    etag = served.get("/api/domains")["etag"]
    body = {"etag": etag, "paths": ["src/**", "a/{b,c}"]}
    told = served.told("PATCH", "/api/domains/api", 422, json=body)
    assert told["field"] == "paths/1"
    assert "a/{b,c}" in told["error"]
    assert project.read(DOMAINS) == MAP


def test_a_stale_map_is_refused_with_both_versions(served, project):
    etag = served.get("/api/domains")["etag"]
    theirs = MAP.replace(b"others call", b"everybody calls")
    project.write(DOMAINS, theirs)
    body = {"etag": etag, "paths": ["lib/**"]}
    told = served.told("PATCH", "/api/domains/docs", 409, json=body)
    assert told["theirs"] == theirs.decode()
    assert "lib/**" in told["yours"]
    assert project.read(DOMAINS) == theirs
    body["etag"] = told["etag"]
    served.told("PATCH", "/api/domains/docs", 200, json=body)


def test_what_cannot_stand_in_the_map_is_refused(served, project):
    etag = served.get("/api/domains")["etag"]
    body = {"etag": etag, "description": "AKIAIOSFODNN7EXAMPLE"}
    assert served.told("PATCH", "/api/domains/api", 422, json=body)["code"] == "I041"
    served.told("PATCH", "/api/domains/none", 404, json=body)
    project.write(DOMAINS, "domains: [")
    served.told("PATCH", "/api/domains/api", 422, json=body)
    assert served.get("/api/domains")["domains"] == []
    assert served.get("/api/project")["issues"][0]["path"] == DOMAINS


def test_n052_a_persons_domain_is_not_an_agents_to_change(served, project):
    etag = served.get("/api/domains")["etag"]
    body = {"etag": etag, "description": "Mine."}
    etag = served.told("PATCH", "/api/domains/api", 200, json=body)["etag"]
    with api(project, actor="agent") as agent:
        body = {"etag": etag, "description": "Its."}
        told = agent.told("PATCH", "/api/domains/api", 422, json=body)
        assert told["code"] == "I106"
        body = {"etag": etag, "name": "new", "paths": []}
        found = agent.told("POST", "/api/domains", 200, json=body)
        assert domains(found)["new"]["user_edited"] is False
