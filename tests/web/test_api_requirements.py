"""Requirements over the API: read as they are, edited as the commands edit them."""

import pytest

from git_intent.files import sha256
from git_intent.store.intent_dir import ATTRIBUTES, with_drivers
from git_intent.store.requirement import (
    Kind,
    Level,
    Provenance,
    Scope,
)
from tests.support.api import api
from tests.support.snapshots import (
    content,
    disabled,
    requirement,
    store,
    superseded,
)

WILD = b"""---
# kept: a comment of a person
id: req-0009
status:   active   # not plain
scope: {level: project}
x-note: [1, 2]
confidence: high
provenance:
  kind: user
created: 2026-01-01T00:00:00Z
updated: '2026-01-01T00:00:00Z'
---

Always   keep every
byte.

**Why:** they are somebody's.
"""
WILD_PATH = ".cloche/intent/requirements/req-0009.md"


@pytest.fixture
def project(repo):
    commit = repo.commit("start", **{"README.md": "# Rules\n\nAlways be kind.\n"})
    repo.commit_files(
        store(
            requirement("req-0001", statement="Always be kind.", hints=("be kind",)),
            requirement("req-0002", user_edited=True),
            disabled("req-0003"),
            superseded("req-0004", "req-0001"),
            requirement(
                "req-0005",
                scope=Scope(Level.DOMAIN, ("api",), ("src/**",), ("python",)),
                provenance=Provenance(Kind.COMMIT, commit),
            ),
            domains='  - name: api\n    description: x\n    paths: ["src/**"]\n',
        )
        | {WILD_PATH: WILD.replace(b"\n", b"\r\n"), ATTRIBUTES: with_drivers(None)}
    )
    return repo


@pytest.fixture
def served(project):
    with api(project) as found:
        yield found


@pytest.fixture
def agent(project):
    with api(project, actor="agent") as found:
        yield found


def diff(repo):
    return repo.git("diff", "--numstat")


def changed_lines(repo):
    rows = repo.git("diff", "-U0").splitlines()
    return [r for r in rows if r[:1] in "+-" and r[:3] not in ("+++", "---")]


def test_the_table_has_a_row_for_each_requirement_with_its_source(served, project):
    rows = {row["id"]: row for row in served.get("/api/requirements")["requirements"]}
    assert sorted(rows) == [*(f"req-000{n}" for n in range(1, 6)), "req-0009"]
    assert rows["req-0001"]["link"] == {"kind": "doc", "path": "README.md", "line": 3}
    assert rows["req-0005"]["link"]["kind"] == "commit"
    assert rows["req-0005"]["domains"] == ["api"]
    assert rows["req-0004"]["superseded_by"] == "req-0001"
    assert rows["req-0009"]["statement"] == "Always keep every byte."


def test_a_requirement_is_told_whole_with_the_hash_of_its_file(served, project):
    found = served.detail("req-0001")
    assert found["etag"] == sha256(project.read(found["path"]))
    assert found["requirement"]["supersedes"] == ["req-0004"]
    assert found["requirement"]["hints"] == ["be kind"]
    served.told("GET", "/api/requirements/req-ffff", 404)
    served.told("GET", "/api/requirements/..%2f..%2fREADME", 400)


def test_what_changes_on_disk_is_seen_at_once(served, project):
    served.get("/api/requirements")
    path = project.store / "requirements" / "req-0001.md"
    path.write_bytes(content(requirement("req-0001", statement="Always be rude.")))
    row = served.get("/api/requirements")["requirements"][0]
    assert row["statement"] == "Always be rude."
    path.unlink()
    assert len(served.get("/api/requirements")["requirements"]) == 5


def test_n169_statement_and_scope_make_it_a_persons(served, project):
    answer = served.patch("req-0001", statement="Always be very kind.")
    assert answer["requirement"]["user_edited"] is True
    assert answer["requirement"]["statement"] == "Always be very kind."
    assert answer["etag"] == sha256(project.read(answer["path"]))
    lines = changed_lines(project)
    assert "+Always be very kind." in lines
    assert "+user_edited: true" in lines
    assert [line[1:].partition(":")[0] for line in lines if line[0] == "-"] == [
        "user_edited",
        "updated",
        "Always be kind.",
    ]
    assert project.git("diff", "--cached") == ""
    assert project.git("status", "--porcelain") == f" M {answer['path']}"
    answer = served.patch("req-0005", scope={"paths": ["lib/**"]})
    assert answer["requirement"]["domains"] == ["api"]
    assert answer["requirement"]["user_edited"] is True


def test_n169_status_and_hints_leave_the_flag_alone(served, project):
    served.patch("req-0001", status="disabled")
    served.patch("req-0001", hints=["kindness", " kindness ", "", "to   all"])
    found = served.patch("req-0001", confidence="low")["requirement"]
    assert found["user_edited"] is False
    assert found["hints"] == ["kindness", "to all"]
    assert (found["status"], found["confidence"]) == ("disabled", "low")


def test_n169_every_other_byte_stays(served, project):
    path = project.path / WILD_PATH
    answer = served.patch("req-0009", statement="Always keep each byte.")
    before, after = WILD.decode().split("\n"), path.read_bytes().decode().split("\r\n")
    gone = [line for line in before if line not in after]
    new = [line for line in after if line not in before]
    assert gone == ["updated: '2026-01-01T00:00:00Z'", "Always   keep every", "byte."]
    assert [line.partition(":")[0] for line in new] == [
        "user_edited",
        "updated",
        "Always keep each byte.",
    ]
    assert answer["requirement"]["why"] == "they are somebody's."


def test_several_changes_are_one_change_with_one_stamp(served, project, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    scope = {"level": "project", "domains": [], "paths": [], "languages": ["go"]}
    found = served.patch(
        "req-0001", statement="Be kind.", why="It helps.", scope=scope, hints=["x y"]
    )
    assert found["requirement"]["updated"] == "2027-01-15T08:00:00Z"
    assert found["requirement"]["why"] == "It helps."


def test_a_change_that_changes_nothing_writes_nothing(served, project):
    for id in ("req-0001", "req-0009"):
        was = served.detail(id)
        now = served.patch(
            id,
            statement=was["requirement"]["statement"] + "\n",
            why=was["requirement"]["why"],
            status="active",
            hints=was["requirement"]["hints"],
        )
        assert now["etag"] == was["etag"]
    assert project.git("status", "--porcelain") == ""
    assert served.preview("req-0001", statement=" Always  be kind. ")["diff"] == ""


def test_n169_changed_meanwhile_is_refused_with_both_versions(served, project):
    etag = served.detail("req-0001")["etag"]
    path = project.store / "requirements" / "req-0001.md"
    theirs = content(requirement("req-0001", statement="Theirs."))
    path.write_bytes(theirs)
    for ask in (served.patch, served.preview):
        answer = ask("req-0001", 409, etag, statement="Ours.")
        assert "\nOurs.\n" in answer["yours"]
        assert "\nTheirs.\n" not in answer["yours"]
        assert answer["theirs"] == theirs.decode()
        assert answer["etag"] == sha256(theirs)
    assert path.read_bytes() == theirs
    served.patch("req-0001", 200, answer["etag"], statement="Ours.")


def test_a_preview_shows_the_diff_and_writes_nothing(served, project):
    answer = served.preview("req-0001", statement="Always be very kind.")
    assert answer["allowed"] is True
    assert answer["violations"] == []
    assert answer["diff"].startswith("--- a/.cloche/intent/requirements/req-0001.md\n")
    assert "\n-Always be kind.\n" in answer["diff"]
    assert "\n+Always be very kind.\n" in answer["diff"]
    assert project.git("status", "--porcelain") == ""


def test_a_preview_warns_of_what_a_check_will_say(served):
    scope = {"level": "domain", "domains": ["nowhere"], "paths": ["gone/**"]}
    found = served.preview("req-0001", statement="# Loud", scope=scope)
    assert found["allowed"] is True
    assert {w["code"] for w in found["warnings"]} == {"I020", "I023", "I032"}
    same = served.preview("req-0001", statement="Always keep the promise of req-0002.")
    assert [w["code"] for w in same["warnings"]] == ["I031"]


@pytest.mark.parametrize(
    ("id", "changes", "code"),
    [
        ("req-0004", {"status": "active"}, "I102"),
        ("req-0003", {"status": "active"}, "I103"),
        ("req-0003", {"statement": "Another."}, "I103"),
        ("req-0002", {"statement": "Another."}, "I104"),
        ("req-0002", {"scope": {"paths": ["x/**"]}}, "I104"),
    ],
)
def test_n052_a_hard_rule_refuses_with_its_code(agent, project, id, changes, code):
    found = agent.preview(id, **changes)
    assert found["allowed"] is False
    assert {violation["code"] for violation in found["violations"]} == {code}
    assert found["violations"][0]["hint"]
    refused = agent.patch(id, 422, **changes)
    assert refused["code"] == code
    assert project.git("status", "--porcelain") == ""


def test_n052_what_a_person_may_do_is_done(served):
    assert (
        served.patch("req-0003", status="active")["requirement"]["status"] == "active"
    )
    served.patch("req-0002", statement="Another.")
    refused = served.patch("req-0004", 422, status="disabled")
    assert refused["code"] == "I102"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"statement": "  "}, None),
        ({"statement": "One.\n\n**Why:** two."}, None),
        ({"statement": "Hidden\u202e text."}, "I040"),
        ({"why": "password=hunter2hunter2 AKIAIOSFODNN7EXAMPLE"}, "I041"),
        ({"scope": {"level": "domain"}}, "I021"),
        ({"scope": {"paths": ["{a,b}"]}}, "I022"),
        ({"status": "superseded"}, None),
    ],
)
def test_what_cannot_stand_in_the_store_is_refused(served, project, changes, code):
    found = served.preview("req-0001", **changes)
    assert found["allowed"] is False
    assert served.patch("req-0001", 422, **changes).get("code") == code
    assert project.git("status", "--porcelain") == ""


def test_a_redacted_one_is_not_enabled(served, project):
    project.intent("redact", "req-0001")
    refused = served.patch("req-0001", 422, status="active")
    assert "redacted" in refused["error"]


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"etag": "x"},
        {"etag": 1, "changes": {}},
        {"etag": "x", "changes": []},
        {"etag": "x", "changes": {"id": "req-0002"}},
        {"etag": "x", "changes": {"status": "gone"}},
        {"etag": "x", "changes": {"hints": "one"}},
        {"etag": "x", "changes": {"hints": [1]}},
        {"etag": "x", "changes": {"scope": {"repos": []}}},
        {"etag": "x", "changes": {"scope": {"domains": ["Not A Name"]}}},
    ],
)
def test_a_body_of_another_shape_is_refused(served, project, body):
    for method, path in (("PATCH", ""), ("POST", "/preview")):
        where = f"/api/requirements/req-0001{path}"
        assert served.told(method, where, 422, json=body)["error"]
    assert project.git("status", "--porcelain") == ""


def test_half_a_character_is_refused(served):
    text = b'{"etag": "x", "changes": {"statement": "\\ud800"}}'
    headers = {"Content-Type": "application/json"}
    where = "/api/requirements/req-0001"
    found = served.told("PATCH", where, 422, content=text, headers=headers)
    assert found["field"] == "changes/statement"


def test_a_requirement_is_added_as_by_the_command(served, project):
    body = {"statement": "Never shout.", "why": "Ears.", "scope": {"level": "project"}}
    made = served.told("POST", "/api/requirements", 201, json=body)
    found = made["requirement"]
    assert (found["kind"], found["user_edited"], found["confidence"]) == (
        "user",
        True,
        "high",
    )
    assert found["why"] == "Ears."
    assert len(found["hints"]) >= 2
    assert project.git("status", "--porcelain") == f"?? {made['path']}"
    again = served.told("POST", "/api/requirements", 422, json=body)
    assert found["id"] in again["error"]
    assert project.intent("check").code == 0


def test_history_is_that_of_the_log(served, project):
    served.patch("req-0001", statement="Always be very kind.")
    project.commit("be kinder")
    found = served.get("/api/requirements/req-0001/history")
    assert [c["subject"] for c in found["commits"]] == ["be kinder", "change"]
    assert found["commits"][0]["changes"][0] == "reworded, user_edited changed"
    assert "{+very +}" in found["commits"][0]["changes"][1]
    assert found["commits"][0]["date"] == "2026-01-02T03:04:05Z"
    body = {"statement": "Never shout.", "scope": {"level": "project"}}
    made = served.told("POST", "/api/requirements", 201, json=body)
    id = made["requirement"]["id"]
    told = served.get(f"/api/requirements/{id}/history")
    assert (told["commits"], told["note"]) == ([], "Not committed yet.")
    served.told("GET", "/api/requirements/req-ffff/history", 404)


def test_search_finds_by_meaning_and_others_by_their_words(served, project):
    found = served.get("/api/search", q="be kind to people")["results"]
    assert found[0]["id"] == "req-0001"
    assert found[0]["score"] > 0
    by_words = served.get("/api/search", q="promise req-0003")["results"]
    assert {"id": "req-0003", "score": 0.0} in by_words
    assert served.get("/api/search", q=" ")["results"] == []
