"""A step is judged on what it changes, and that finds what the whole store would."""

from hypothesis import given
from hypothesis import strategies as st

from git_intent.store.check import check_file
from git_intent.store.field_editor import set_fields
from git_intent.store.intent_dir import requirement_path
from git_intent.store.issue import Severity
from git_intent.store.requirement import Status
from git_intent.store.rules import Actor, judge
from git_intent.store.step import StepRefused, objections, remarks
from tests.support.snapshots import content, disabled, requirement, store, superseded

IDS = [f"req-000{n}" for n in range(6)]


@st.composite
def stores(draw):
    """Chains and dead ends included; some files are broken."""
    files = {}
    for id in IDS:
        kind = draw(
            st.sampled_from(["none", "active", "disabled", "superseded", "bad"])
        )
        found = {
            "active": requirement(id, user_edited=draw(st.booleans())),
            "disabled": disabled(id),
            "superseded": superseded(id, draw(st.sampled_from(IDS))),
        }.get(kind)
        if kind == "bad":
            files[requirement_path(id)] = b"---\nid: [\n---\n"
        elif found:
            files[requirement_path(id)] = content(found)
    return files


@st.composite
def steps(draw):
    files = draw(stores())
    id = draw(st.sampled_from(IDS))
    new = draw(
        st.sampled_from(
            [
                requirement(id, statement="Another."),
                requirement(id, user_edited=True, statement="Another."),
                disabled(id),
                requirement(draw(st.sampled_from(IDS))),
                superseded(id, draw(st.sampled_from(IDS))),
            ]
        )
    )
    return files, {requirement_path(id): content(new)}


@given(steps(), st.sampled_from(Actor))
def test_what_a_step_brings_about_is_found_without_the_rest_of_the_store(step, actor):
    files, changes = step
    whole = judge([files], {**files, **changes}, actor)
    standing = judge([files], files, actor)
    found = objections(files, changes, actor)
    for path, data in changes.items():
        known = {i.message for i in check_file(path, files.get(path, b""))}
        whole += [
            i
            for i in check_file(path, data)
            if i.severity is Severity.ERROR and i.message not in known
        ]
    assert set(whole) - set(standing) <= set(found) <= set(whole)


def test_n052_each_hard_rule_has_its_code():
    files = store(
        superseded("req-0001", "req-0002"),
        requirement("req-0002", user_edited=True),
        disabled("req-0003"),
    )

    def codes(id, **changes):
        path = requirement_path(id)
        new = set_fields(files[path], changes)
        return {
            str(actor): [i.code for i in objections(files, {path: new}, actor)]
            for actor in Actor
        }

    assert codes("req-0001", status="active") == {
        "agent": ["I102"],
        "person": ["I102"],
    }
    assert codes("req-0003", status="active") == {"agent": ["I103"], "person": []}
    scoped = {"scope.paths": ["src/**"], "updated": "2026-05-05T00:00:00Z"}
    assert codes("req-0002", **scoped) == {"agent": ["I104"], "person": []}
    assert codes("req-0003", **scoped) == {"agent": ["I103"], "person": ["I105"]}
    assert codes("req-0002", created="2020-01-01T00:00:00Z")["person"] == ["I107"]


def test_a_refusal_carries_its_first_code_and_names_every_place():
    files = store(superseded("req-0001", "req-0002"), requirement("req-0002"))
    path = requirement_path("req-0001")
    new = {path: set_fields(files[path], {"status": Status.ACTIVE.value})}
    refused = StepRefused(objections(files, new, Actor.PERSON), "nothing was written")
    assert refused.code == "I102"
    assert f"{path}:" in refused.message


def test_only_what_a_step_adds_is_remarked():
    files = store(requirement(statement="- a list"))
    path = requirement_path("req-0001")
    assert remarks(files, {path: files[path]}) == []
    fresh = content(requirement(statement="- a list\n\n# and a heading"))
    assert [i.code for i in remarks(files, {path: fresh})] == ["I032"]
