"""The description of the API: complete, and true of what is answered."""

import json
from collections import Counter

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from git_intent.web.api import api as addresses
from git_intent.web.openapi import description
from git_intent.web.rows import Rows
from git_intent.web.scan_events import PATH
from git_intent.web.scans import Scans
from tests.support.api import api
from tests.support.session import Session
from tests.support.snapshots import disabled, requirement, store, superseded

HOLDS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
#: A stream has no end, and a scan is a process; both have tests of their own.
LEFT_OUT = {("GET", PATH), ("POST", "/api/scan")}


@pytest.fixture
def project(repo, home, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    repo.commit("docs", **{"README.md": "# One\n\nAlways be kind.\n"})
    repo.commit_files(
        store(
            requirement(),
            disabled("req-0002"),
            superseded("req-0003", "req-0001"),
            domains="  - name: api\n    paths: ['*.md']\n",
        )
    )
    repo.intent("inject", "README.md", "--run", "r-1", "--workflow", "w", "--step", "s")
    Session(repo).configure().prompt("Write a parser.")
    return repo


@pytest.fixture
def served(project):
    with api(project) as found:
        yield found


def test_every_address_is_described_and_nothing_else(served):
    console = served.console
    routes = {
        (one.method, one.path.replace(":path}", "}"))
        for one in addresses(console, Scans(console), Rows(console))
    } | {("GET", PATH)}
    described = {
        (method.upper(), path)
        for path, methods in description()["paths"].items()
        for method in methods
    }
    assert described == routes


def test_the_description_is_one(served):
    found = served.ask("GET", "/openapi.json").json()
    assert found == description()
    assert found["openapi"] == "3.1.0"
    for schema in found["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def known(served):
    """Names that lead somewhere, so that not every path ends in 404."""
    chat = served.get("/api/ledger")["chats"][0]["key"]
    names = ["req-0001", "req-0002", "req-0003", "api", "r-1", chat]
    return [*names, served.console.repo.head().oid, "x"]


def fuzz(served, examples):
    """Ask what the description allows, and what it does not; each answer must be one
    that it tells of. Gives how often there was which status."""
    seen = Counter()
    schema = schemathesis.openapi.from_dict(description())
    names = known(served)
    for result in schema.get_all_operations():
        operation = result.ok()
        if (operation.method.upper(), operation.path) in LEFT_OUT:
            continue

        cases = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]

        @given(case=st.one_of(cases), name=st.sampled_from(names), new=st.booleans())
        @settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def asked(case, name, new):
            if case.path_parameters:
                case.path_parameters = dict.fromkeys(case.path_parameters, name)
            if new and isinstance(case.body, dict) and "etag" in case.body:
                case.body["etag"] = etag(served, case.formatted_path)
            sent = case.as_transport_kwargs(base_url="http://127.0.0.1:8401")
            answer = ask(served, sent)
            seen[answer.status_code] += 1
            case.validate_response(
                schemathesis.Response.from_any(answer),
                checks=CHECKS.get_by_names(HOLDS),
            )

        asked()
    return seen


def etag(served, path):
    """That of the file which a request is about, if there is one."""
    looked = "/api/domains" if "domains" in path else path.removesuffix("/preview")
    return served.ask("GET", looked).json().get("etag", "")


def ask(served, sent):
    bearer = {"Authorization": f"Bearer {served.door.token}"}
    named = {"params": "params", "json": "json", "data": "content"}
    options = {
        to: sent[name] for name, to in named.items() if sent.get(name) is not None
    }
    headers = {**dict(sent.get("headers") or {}), **bearer}
    return served.client.request(
        sent["method"], sent["url"], headers=headers, **options
    )


def test_no_request_that_is_described_ends_in_a_fault(served):
    assert {200, 404, 422} <= fuzz(served, 8).keys()


@pytest.mark.soak
def test_soak_no_request_that_is_described_ends_in_a_fault(served):
    fuzz(served, 400)


def test_errors_are_of_one_form(served):
    for method, path in (("GET", "/nowhere"), ("PUT", "/api/project")):
        answer = served.ask(method, path)
        told = json.loads(answer.text)
        assert set(told) == {"version", "error", "hint"}
