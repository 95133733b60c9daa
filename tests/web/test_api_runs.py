"""Runs, previews and ledgers over the API: what the commands tell of them."""

import json

import pytest

from tests.support.api import api, everything
from tests.support.session import Session
from tests.support.snapshots import disabled, requirement, store


@pytest.fixture
def project(repo, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    repo.commit("docs", **{"README.md": "# One\n\nAlways be kind.\n"})
    repo.commit_files(
        store(
            requirement(statement="Always be kind."),
            requirement("req-0002"),
            disabled("req-0003"),
        )
    )
    return repo


def inject(repo, run, step):
    words = ("--run", run, "--workflow", "main:x", "--step", step, "--task", "be kind")
    done = repo.intent("inject", "README.md", *words)
    assert done.code == 0, done.err


def test_n172_both_ways_are_those_of_the_records(project):
    for run, step in (("a/b %c", "one"), ("a/b %c", "two"), ("t-1", "one")):
        inject(project, run, step)
    project.write(".cloche/intent/requirements/req-0001.md", "")
    (project.store / "requirements" / "req-0002.md").unlink()
    (project.store / "requirements" / "req-0001.md").unlink()
    inject(project, "t-0", "none")
    told = json.loads(project.intent("runs", "list", "--json").out)["runs"]
    before = everything(project)
    with api(project) as served:
        found = served.get("/api/runs")
        one = served.get("/api/runs/a%2Fb%20%25c")
        served.told("GET", "/api/runs/a", 404)
    assert everything(project) == before
    ids = {
        run["run"]: sorted({id for step in run["steps"] for id in step["ids"]})
        for run in found["runs"]
    }
    assert ids == {run["id"]: run["requirements"] for run in told}
    assert ids["t-0"] == []
    steps = {run["run"]: run["steps"] for run in found["runs"]}["a/b %c"]
    assert [(s["workflow"], s["step"]) for s in steps] == [
        ("main:x", "one"),
        ("main:x", "two"),
    ]
    times = {row["id"]: row for row in found["requirements"]}
    assert times["req-0001"]["count"] == 3
    assert sorted(times["req-0001"]["runs"]) == ["a/b %c", "t-1"]
    assert times["req-0001"]["status"] == "missing"
    assert "req-0003" not in times
    shown = json.loads(project.intent("runs", "show", "a/b %c", "--json").out)
    assert [b["text"] for b in one["blocks"]] == [s["block"] for s in shown["steps"]]


def test_a_preview_is_what_the_command_prints(project):
    printed = project.intent("preview", "--task", "be kind", "--path", "README.md")
    with api(project) as served:
        body = {"task": "be kind", "paths": ["README.md"]}
        found = served.told("POST", "/api/preview", 200, json=body)
        nothing = served.told("POST", "/api/preview", 200, json={})
        project.write(".cloche/config.toml", '[intent]\ninject = "off"\n')
        off = served.told("POST", "/api/preview", 200, json=body)
    assert found["block"] == printed.out
    assert found["ids"] == ["req-0001", "req-0002"]
    assert {line["id"]: line["included"] for line in found["lines"]} == {
        "req-0001": True,
        "req-0002": True,
    }
    assert 0 < found["cost"] <= found["budget"] == 2000
    assert found["lines"][0]["score"] > 0
    assert nothing["notes"]
    assert off["block"] == ""
    assert "injection is off" in off["off"]


def test_a_preview_after_an_edit_knows_the_new_words(project):
    with api(project) as served:
        served.get("/api/search", q="kind")
        served.patch("req-0002", statement="Deploy on Fridays only.")
        body = {"task": "deploy on a friday"}
        found = served.told("POST", "/api/preview", 200, json=body)
        assert found["lines"][0]["id"] == "req-0002"
        hits = served.get("/api/search", q="deploy on a friday")["results"]
        assert hits[0]["id"] == "req-0002"
        body = {"task": "x", "workflow": "nobody's", "step": "{{"}
        assert served.told("POST", "/api/preview", 200, json=body)["notes"]


def test_a_ledger_is_told_without_touching_it(project, home):
    chat = Session(project).configure()
    chat.prompt("Never push. Write a parser.")
    chat.prompt("And <b>tests</b>.")
    before = everything(project)
    with api(project) as served:
        (row,) = served.get("/api/ledger")["chats"]
        assert row["chat"] == "s-1"
        one = served.get(f"/api/ledger/{row['key']}")
        page = served.get(f"/api/ledger/{row['key']}/events", limit=1)
        rest = served.get(
            f"/api/ledger/{row['key']}/events", before=page["events"][0]["seq"]
        )
        served.told("GET", f"/api/ledger/{row['key']}/events?before=-1", 422)
        served.told("GET", f"/api/ledger/{row['key']}/events?limit=9999", 422)
        served.told("GET", "/api/ledger/s-1", 404)
    assert everything(project) == before
    shown = project.intent("ledger", "show", "--chat", "s-1").out
    assert one["objective_text"] == shown
    assert len(one["current"]["pending_sources"]) == 2
    assert page["more"] is True
    assert rest["more"] is False
    seqs = [event["seq"] for event in (*page["events"], *rest["events"])]
    assert seqs == sorted(seqs, reverse=True)
    assert seqs[-1] == 1


def test_without_a_home_there_are_no_chats(project):
    with api(project) as served:
        assert served.get("/api/ledger")["chats"] == []


def test_a_damaged_ledger_is_named_and_the_others_shown(project, home):
    for name in ("s-1", "s-2"):
        Session(project, session=name).configure().prompt("Write a parser.")
    ref = project.git("for-each-ref", "--format=%(refname)").splitlines()
    broken = next(r for r in ref if "s-1" in r)
    project.git("update-ref", broken, project.head())
    with api(project) as served:
        rows = {r["chat"]: r for r in served.get("/api/ledger")["chats"]}
        assert rows["s-1"]["error"]
        assert rows["s-2"]["error"] is None
        key = rows["s-1"]["key"]
        assert 400 <= served.ask("GET", f"/api/ledger/{key}").status_code < 500
        where = f"/api/ledger/{key}/events"
        assert 400 <= served.ask("GET", where).status_code < 500


def test_a_document_and_a_commit_are_shown(project):
    with api(project) as served:
        found = served.get("/api/doc", path="README.md", line=3)
        assert found["text"].split("\n")[found["line"] - 1] == "Always be kind."
        commit = served.get(f"/api/commit/{project.head()}")
        assert commit["paths"][0].startswith(".cloche/intent/")
        assert commit["message"] == "change"
        for oid in ("HEAD", "main", "0" * 40, "x", project.head()[:5]):
            served.told("GET", f"/api/commit/{oid}", 404)
        tree = project.git("rev-parse", "HEAD^{tree}")
        served.told("GET", f"/api/commit/{tree}", 404)
        project.write("big.txt", b"x" * (3 << 20))
        project.write("blob.bin", b"\0\1")
        project.git("add", "big.txt", "blob.bin")
        served.told("GET", "/api/doc?path=big.txt", 422)
        served.told("GET", "/api/doc?path=blob.bin", 422)
