"""A store that somebody means harm with: every answer is an answer, and only text."""

import json
import os

import pytest

from git_intent.store.intent_dir import DOMAINS, SCAN_STATE, requirement_path
from git_intent.store.requirement import Kind, Provenance, Status
from tests.support.api import api
from tests.support.snapshots import content, requirement, store, superseded

SCRIPT = '<img src=x onerror="alert(1)"><script>alert(1)</script>'
PATHS = [
    "/api/project",
    "/api/requirements",
    "/api/domains",
    "/api/search?q=script",
    "/api/runs",
    "/api/scan",
    "/api/scans",
    "/api/ledger",
]


def looked_at(served):
    """Everything that can be looked at; no answer may be a fault of ours."""
    rows = served.get("/api/requirements")["requirements"]
    for path in PATHS:
        assert served.ask("GET", path).headers["content-type"] == "application/json"
    for row in rows:
        found = served.detail(row["id"])
        served.ask("GET", f"/api/requirements/{row['id']}/history")
        served.preview(row["id"], 200, found["etag"], why=SCRIPT)
        link = row["link"] or {}
        if link.get("kind") == "doc":
            served.ask("GET", "/api/doc", params={"path": link["path"]})
        if link.get("kind") == "commit":
            served.ask("GET", f"/api/commit/{link['oid']}")
    served.ask("POST", "/api/preview", json={"task": SCRIPT})
    return rows


def test_n173_markup_anywhere_is_told_as_the_text_it_is(repo):
    refs = [
        SCRIPT,
        "../../../etc/passwd",
        "/etc/passwd#x",
        "javascript:alert(1)",
        "a\u2028b",
        "x" * 5000,
    ]
    found = [
        requirement(
            f"req-{number:04x}",
            statement=f"{SCRIPT} {number}",
            rationale=SCRIPT,
            hints=(SCRIPT, "</script>"),
            provenance=Provenance(kind, ref, extracted_by=SCRIPT),
        )
        for number, (kind, ref) in enumerate((k, r) for k in Kind for r in refs)
    ]
    text = f"  - name: api\n    description: {json.dumps(SCRIPT)}\n    paths: ['<b>']\n"
    repo.commit_files(store(*found, domains=text))
    with api(repo) as served:
        rows = looked_at(served)
        assert len(rows) == len(found)
        assert rows[0]["statement"] == f"{SCRIPT} 0"
        assert all(row["link"] is None for row in rows)
        assert served.get("/api/domains")["domains"][0]["description"] == SCRIPT
        answer = served.ask("GET", "/api/requirements")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_statement_of_a_megabyte(repo):
    words = "word " * 200_000
    repo.commit_files(store(requirement(statement=f"{words}.")))
    with api(repo) as served:
        rows = looked_at(served)
        assert len(rows[0]["statement"]) <= 1000
        found = served.detail("req-0001")["requirement"]
        assert len(found["statement"]) > 999_000
        answer = served.preview("req-0001", statement="other " * 160_000)
        assert answer["allowed"]
        served.patch("req-0001", statement="other " * 160_000)


BROKEN = {
    "bytes": b"\xff\xfe\x00",
    "empty": b"",
    "fence": b"---\n",
    "yaml": b"---\nid: [\n---\nx\n",
    "bomb": b"---\na: &a [x]\nb: [*a, *a]\n---\nx\n",
    "deep": b"---\nid: " + b"[" * 5000 + b"\n---\nx\n",
    "other": content(requirement("req-0002")),
    "conflict": b"<<<<<<< ours\n---\nid: req-0001\n=======\n>>>>>>> theirs\n",
    "long": b"---\n" + b"x" * (1 << 20) + b"\n---\n",
    "nul": b"---\nid: req-0001\0\n---\nx\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_named_and_the_others_shown(repo, name):
    repo.commit_files(store(requirement("req-0009")))
    repo.write(requirement_path("req-0001"), BROKEN[name])
    with api(repo) as served:
        assert [row["id"] for row in looked_at(served)] == ["req-0009"]
        (issue,) = served.get("/api/requirements")["issues"]
        assert issue["path"] == requirement_path("req-0001")
        told = served.told("GET", "/api/requirements/req-0001", 404)
        assert requirement_path("req-0001") in told["error"]
        body = {"etag": "", "changes": {"status": "disabled"}}
        served.told("PATCH", "/api/requirements/req-0001", 404, json=body)
        served.patch("req-0009", status="disabled")


def test_what_is_no_file_is_named_and_the_others_shown(repo):
    repo.commit_files(store(requirement("req-0009")))
    outside = repo.path.parent / "outside.md"
    outside.write_bytes(content(requirement("req-0001", statement="A secret.")))
    folder = repo.store / "requirements"
    (folder / "req-0001.md").symlink_to(outside)
    (folder / "req-0002.md").mkdir()
    os.mkfifo(folder / "req-0003.md")
    (folder / "REQ-0009.md").write_text("x")
    (folder / "req-0004.md").symlink_to(folder / "req-0004.md")
    with api(repo) as served:
        answer = served.get("/api/requirements")
        assert [row["id"] for row in answer["requirements"]] == ["req-0009"]
        named = {issue["path"].rpartition("/")[2] for issue in answer["issues"]}
        assert named >= {f"req-000{n}.md" for n in range(1, 5)}
        assert "secret" not in json.dumps(answer)
        served.patch("req-0009", confidence="low")
        for name in ("req-0001.md", "req-0003.md", "req-0004.md", "REQ-0009.md"):
            (folder / name).unlink()
        (folder / "req-0002.md").rmdir()
        assert served.get("/api/requirements")["issues"] == []
        served.patch("req-0009", status="disabled")


def test_a_store_that_is_a_link_is_empty_and_says_so(repo):
    elsewhere = repo.path.parent / "elsewhere"
    elsewhere.mkdir()
    (repo.path / ".cloche").mkdir()
    repo.store.symlink_to(elsewhere)
    with api(repo) as served:
        assert served.get("/api/requirements")["requirements"] == []
        assert "link" in served.get("/api/project")["issues"][0]["message"]
        body = {"statement": "X.", "scope": {"level": "project"}}
        served.told("POST", "/api/requirements", 422, json=body)
        body = {"etag": "", "name": "x", "paths": []}
        assert served.ask("POST", "/api/domains", json=body).status_code in (409, 422)
    assert list(elsewhere.iterdir()) == []


def test_broken_maps_states_and_settings_leave_the_rest_readable(repo):
    repo.commit_files(store(requirement()))
    repo.write(DOMAINS, "domains: {")
    repo.write(SCAN_STATE, b"\xff")
    repo.write(".cloche/config.toml", "[intent\n")
    repo.write(".cloche/broken.cloche", "workflow {{{")
    with api(repo) as served:
        assert len(looked_at(served)) == 1
        issues = served.get("/api/project")["issues"]
        assert {issue["path"] for issue in issues} == {DOMAINS, SCAN_STATE}


def test_links_that_go_in_circles_are_shown(repo):
    repo.commit_files(
        store(
            superseded("req-0001", "req-0002"),
            superseded("req-0002", "req-0001"),
            superseded("req-0003", "req-0003"),
            requirement("req-0004", status=Status.SUPERSEDED),
        )
    )
    with api(repo) as served:
        assert len(looked_at(served)) == 4
        assert served.detail("req-0003")["requirement"]["supersedes"] == ["req-0003"]


def test_an_unborn_branch_and_a_bare_repository_are_shown(repo, tmp_path):
    with api(repo) as served:
        looked_at(served)
        assert served.get("/api/project")["head"] is None
    repo.commit("docs", **{"README.md": "Be kind.\n"})
    repo.commit_files(store(requirement()))
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    bare = type(repo)(tmp_path / "bare.git")
    with api(bare) as served:
        assert len(looked_at(served)) == 1
        assert served.get("/api/project")["read_only"] is True
        assert served.get("/api/doc", path="README.md")["text"] == "Be kind.\n"
        served.patch("req-0001", 403, status="disabled")


def test_names_of_files_that_are_no_text(repo):
    os.close(os.open(os.fsencode(repo.path) + b"/\xff.md", os.O_CREAT))
    repo.commit("odd")
    with api(repo) as served:
        found = served.get(f"/api/commit/{repo.head()}")
        assert found["paths"] == ["\udcff.md"]
        served.get("/api/globs", glob="*.md")
