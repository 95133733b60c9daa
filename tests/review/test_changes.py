"""What two snapshots differ in, by requirement."""

from dataclasses import replace

import pytest

from git_intent.review.changes import What, compare
from git_intent.store.intent_dir import DOMAINS, SCAN_STATE, requirement_path
from git_intent.store.mutate import NOTICE
from git_intent.store.requirement import Confidence, Level, Scope, Status
from tests.support.snapshots import T1, disabled, requirement, store, superseded

R = requirement()
PATH = requirement_path(R.id)


def what(before, after):
    found = compare(store(before) if before else {}, store(after) if after else {})
    return [change.what for change in found.requirements]


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (None, R, [What.ADDED]),
        (R, None, [What.DELETED]),
        (R, superseded(R.id, "req-0002"), [What.SUPERSEDED]),
        (R, disabled(R.id), [What.DISABLED]),
        (disabled(R.id), R, [What.ENABLED]),
        (superseded(R.id, "req-0002"), R, [What.ENABLED]),
        (R, replace(R, statement="Never keep it."), [What.REWORDED]),
        (R, replace(R, rationale="It broke."), [What.REASONED]),
        (R, replace(R, scope=Scope(Level.DOMAIN, ("api",))), [What.RESCOPED]),
        (R, replace(R, hints=("how to keep",)), [What.REHINTED]),
        (R, replace(R, confidence=Confidence.LOW), [What.CONFIDENCE]),
        (R, replace(R, user_edited=True), [What.FLAG]),
        (R, replace(R, created=T1), [What.ORIGIN]),
        (
            R,
            replace(R, statement=NOTICE, status=Status.DISABLED, user_edited=True),
            [What.REDACTED, What.DISABLED, What.FLAG],
        ),
        (
            R,
            replace(R, statement="Never.", scope=Scope(paths=("a/**",)), updated=T1),
            [What.REWORDED, What.RESCOPED],
        ),
    ],
)
def test_n164_each_kind_of_change_has_its_name(before, after, wanted):
    assert what(before, after) == [tuple(wanted)]


@pytest.mark.parametrize(
    "spell",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"status: active", b"status: 'active'  # kept"),
        lambda data: data.replace(b"T00:00:00Z", b"T01:00:00+01:00"),
        lambda data: data.replace(b"Always keep", b"Always\nkeep"),
        lambda data: data.replace(b"updated: 2026-01-01", b"updated: 2026-05-05"),
    ],
)
def test_n164_formatting_alone_is_no_change_in_meaning(spell):
    data = store(R)[PATH]
    assert spell(data) != data
    found = compare({PATH: data}, {PATH: spell(data)})
    assert not found.meaning
    assert found.formatting == (PATH,)


def test_the_order_of_names_and_hints_means_nothing_and_that_of_paths_does():
    one = replace(
        R, scope=Scope(Level.DOMAIN, ("a", "b"), languages=("c", "d")), hints=("x", "y")
    )
    other = replace(
        R, scope=Scope(Level.DOMAIN, ("b", "a"), languages=("d", "c")), hints=("y", "x")
    )
    assert what(one, other) == []
    paths = [replace(R, scope=Scope(paths=p)) for p in (("a", "!b"), ("!b", "a"))]
    assert what(*paths) == [(What.RESCOPED,)]


def test_a_key_of_others_is_named():
    data = store(R)[PATH]
    changed = data.replace(b"confidence:", b"x-team: core\nconfidence:")
    found = compare({PATH: data}, {PATH: changed}).requirements[0]
    assert found.what == (What.OTHER,)
    assert found.keys == ("x-team",)


def test_a_successor_is_found_in_the_change_or_among_what_stayed():
    old, new = superseded("req-0001", "req-0002"), requirement("req-0002")
    found = compare(store(R), store(old, new))
    assert [c.what[0] for c in found.requirements] == [What.ADDED, What.SUPERSEDED]
    assert found.requirements[1].successor == new
    found = compare(store(R), store(old), {new.id: new}.get)
    assert found.requirements[0].successor == new
    assert compare(store(R), store(old)).requirements[0].successor is None


def test_the_text_of_a_redacted_requirement_is_in_no_result():
    secret = replace(R, statement="The key is hunter2.", rationale="w", hints=("h",))
    gone = replace(R, statement=NOTICE, status=Status.DISABLED, user_edited=True)
    assert "hunter2" not in repr(compare(store(secret), store(gone)))


@pytest.mark.parametrize("side", ["before", "after"])
def test_n164_a_broken_file_on_one_side_is_named_and_the_rest_compared(side):
    good = store(R, requirement("req-0002"))
    broken = {**good, PATH: b"---\nid: [\n---\n\nx\n"}
    changed = {**good, **store(disabled("req-0002"))}
    pair = (broken, changed) if side == "before" else (good, {**broken, **changed})
    if side == "after":
        pair = (good, {**changed, PATH: broken[PATH]})
    found = compare(*pair)
    assert [(u.path, u.side) for u in found.unread] == [(PATH, side)]
    assert found.unread[0].text.startswith(f"{PATH}:")
    assert [c.id for c in found.requirements] == ["req-0002"]


def test_a_file_whose_name_is_not_its_id_is_named():
    data = store(R)[PATH]
    other = requirement_path("req-9999")
    found = compare({}, {other: data})
    assert found.requirements == ()
    assert "req-9999" in found.unread[0].text


def test_the_domain_map_is_compared_by_name():
    old = store(domains="  - name: a\n    paths: [x]\n  - name: b\n")
    new = store(domains="  - name: b\n  - name: c\n  - {name: a, paths: [y]}\n")
    found = compare(old, new)
    assert [(d.name, d.what, d.fields) for d in found.domains] == [
        ("a", "changed", ("paths",)),
        ("c", "added", ()),
    ]
    spelled = {DOMAINS: old[DOMAINS].replace(b"[x]", b"['x']")}
    assert compare(old, spelled).formatting == (DOMAINS,)
    broken = compare(old, {DOMAINS: b"domains: {"})
    assert [(u.path, u.side) for u in broken.unread] == [(DOMAINS, "after")]


def test_a_moved_cursor_is_counted():
    old = {SCAN_STATE: b"last_commit: aaa\nscanned_docs: {A.md: '1', B.md: '2'}\n"}
    new = {
        SCAN_STATE: b"last_commit: bbb\nscanned_runs: [r]\n"
        b"scanned_docs: {A.md: '3', C.md: '4'}\n"
    }
    move = compare(old, new).cursors[0]
    assert (move.before, move.after, move.runs, move.documents) == ("aaa", "bbb", 1, 3)
    assert compare(old, {SCAN_STATE: b"last_commit: ["}).unread[0].path == SCAN_STATE
    assert not compare(old, new).meaning


def test_the_order_is_total():
    ids = [f"req-{n:04x}" for n in (9, 3, 7, 1)]
    before = store(*(requirement(id) for id in ids[:2]))
    after = store(*(disabled(id) for id in ids[:2]), *(requirement(i) for i in ids[2:]))
    for one, other in ((before, after), (dict(sorted(before.items())[::-1]), after)):
        found = compare(one, other).requirements
        assert [c.id for c in found] == ["req-0001", "req-0007", "req-0003", "req-0009"]
