from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.git.objects import index_snapshot, snapshot
from git_intent.git.repository import Repository
from git_intent.store.check import check
from git_intent.store.intent_dir import (
    DOMAINS,
    STORE,
    read_snapshot,
    requirement_path,
)
from git_intent.store.requirement import Kind, Level, Provenance, Scope, Status
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules import Actor, judge
from tests.support.snapshots import (
    T0,
    T1,
    T2,
    content,
    disabled,
    requirement,
    store,
    superseded,
)

AGENT, PERSON = Actor.AGENT, Actor.PERSON
BOTH = [AGENT, PERSON]
PATH = requirement_path("req-0001")


def codes(before, after, actor):
    parents = before if isinstance(before, list) else [before]
    return [found.code for found in judge(parents, after, actor)]


def edited(found, **changes):
    """A person's edit as it should be: marked, with a new stamp."""
    return replace(found, user_edited=True, updated=T1, **changes)


ONE = requirement("req-0001")
TWO = requirement("req-0002")
OWN = requirement("req-0001", user_edited=True)
OFF = disabled("req-0001")
GONE = superseded("req-0001", "req-0002")


# -- nothing to say ------------------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
def test_an_unchanged_store_and_a_first_one_are_fine(actor):
    full = store(OWN, TWO, disabled("req-0003"), superseded("req-0004", "req-0002"))
    assert codes(full, full, actor) == []
    assert judge([], full, actor) == []
    assert codes({}, full, actor) == []


@pytest.mark.parametrize("actor", BOTH)
def test_adding_a_requirement_is_fine(actor):
    assert codes(store(ONE), store(ONE, TWO), actor) == []


def test_the_order_of_findings_is_stable():
    before = store(ONE, TWO, requirement("req-0003"))
    found = judge([before], {}, AGENT)
    assert found == sorted(found)
    assert len(found) == 3


# -- I101 ----------------------------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
def test_n035_a_deleted_requirement_is_refused(actor):
    found = judge([store(ONE, TWO)], store(TWO), actor)
    assert [(f.code, f.path) for f in found] == [("I101", PATH)]
    assert "redact" in found[0].message


@pytest.mark.parametrize("actor", BOTH)
def test_n035_a_changed_id_is_refused_where_it_stands(actor):
    after = {PATH: content(requirement("req-0009"))}
    found = judge([store(ONE)], after, actor)
    assert [(f.code, f.path, f.line, f.col) for f in found] == [("I101", PATH, 2, 5)]
    assert "req-0001 to req-0009" in found[0].message


@pytest.mark.parametrize("actor", BOTH)
@pytest.mark.parametrize("new_id", ["req-0001", "req-0011"])
def test_n035_a_renamed_file_is_refused(actor, new_id):
    plain = content(replace(ONE, id=new_id))
    assert codes(store(ONE), {requirement_path("req-0011"): plain}, actor) == ["I101"]


@pytest.mark.parametrize("actor", BOTH)
def test_n035_a_removed_store_names_every_requirement(actor):
    assert codes(store(ONE, TWO, OFF), {}, actor) == ["I101", "I101"]


@pytest.mark.parametrize("actor", BOTH)
def test_swapped_ids_are_two_renamings(actor):
    swapped = {
        requirement_path("req-0001"): content(TWO),
        requirement_path("req-0002"): content(ONE),
    }
    assert set(codes(store(ONE, TWO), swapped, actor)) == {"I101"}


def test_a_misnamed_file_may_get_the_name_of_its_id():
    before = {requirement_path("req-0009"): content(ONE)}
    assert codes(before, store(ONE), PERSON) == []


def test_n049_a_file_that_only_the_amended_commit_has_may_go():
    assert judge([store(ONE, TWO)], store(TWO), PERSON, deletable={"req-0001"}) == []
    found = judge([store(ONE, TWO)], {}, PERSON, deletable={"req-0001"})
    assert [f.path for f in found] == [requirement_path("req-0002")]


@pytest.mark.parametrize("actor", BOTH)
def test_n049_reverting_a_scan_deletes_and_is_a_finding(actor):
    found = judge([store(ONE, TWO)], store(ONE), actor)
    assert found[0].code == "I101"
    assert "disable" in found[0].message


def test_a_readme_in_the_folder_is_nobodys_requirement():
    before = store(ONE, **{".cloche/intent/requirements/README.md": b"# hello"})
    assert codes(before, store(ONE), AGENT) == []


# -- I102 ----------------------------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
@pytest.mark.parametrize("status", [Status.ACTIVE, Status.DISABLED])
def test_n036_superseded_is_terminal(actor, status):
    after = store(requirement("req-0001", status=status, updated=T1), TWO)
    found = judge([store(GONE, TWO)], after, actor)
    assert [(f.code, f.path, f.line) for f in found] == [("I102", PATH, 3)]


@pytest.mark.parametrize("actor", BOTH)
@pytest.mark.parametrize("by", ["req-0003", ""])
def test_n036_a_successor_is_not_replaced_or_taken_away(actor, by):
    three = requirement("req-0003")
    after = store(superseded("req-0001", by), TWO, three)
    assert "I102" in codes(store(GONE, TWO, three), after, actor)


@pytest.mark.parametrize("actor", BOTH)
@pytest.mark.parametrize(
    ("after", "named"),
    [
        (store(superseded("req-0001", "")), ["empty"]),
        (store(superseded("req-0001", "req-0001")), ["itself"]),
        (store(superseded("req-0001", "req-00ff")), ["req-00ff"]),
        (
            store(
                superseded("req-0001", "req-0002"), superseded("req-0002", "req-0001")
            ),
            ["req-0001 -> req-0002 -> req-0001"],
        ),
        (
            store(
                superseded("req-0003", "req-0001"),
                superseded("req-0001", "req-0002"),
                superseded("req-0002", "req-0003"),
                superseded("req-0004", "req-0003"),
            ),
            ["req-0001 -> req-0002 -> req-0003 -> req-0001"],
        ),
    ],
)
def test_n037_a_link_leads_to_another_requirement(actor, after, named):
    for before in ({}, after):
        found = judge([before], after, actor)
        assert [f.code for f in found] == ["I102"]
        assert all(name in found[0].message for name in named)
        assert found[0].line == (3 if named == ["empty"] else 4)


@pytest.mark.parametrize("actor", BOTH)
def test_n037_two_clean_sides_can_close_a_circle(actor):
    base = store(ONE, TWO)
    ours = store(GONE, TWO)
    theirs = store(ONE, superseded("req-0002", "req-0001"))
    assert codes(base, ours, actor) == codes(base, theirs, actor) == []
    merged = ours | {requirement_path("req-0002"): theirs[requirement_path("req-0002")]}
    found = judge([ours, theirs], merged, actor)
    assert [f.code for f in found] == ["I102"]
    assert "req-0001 -> req-0002 -> req-0001" in found[0].message


@pytest.mark.parametrize("actor", BOTH)
def test_n037_the_circle_is_left_by_giving_up_one_link(actor):
    ours = store(GONE, TWO)
    theirs = store(ONE, superseded("req-0002", "req-0001"))
    assert codes([ours, theirs], ours, actor) == []
    assert codes([ours, theirs], theirs, actor) == []
    closed = ours | {requirement_path("req-0002"): theirs[requirement_path("req-0002")]}
    assert codes(closed, ours, actor) == []


@pytest.mark.parametrize("actor", BOTH)
def test_n037_swapping_the_ends_of_a_link_is_no_way_out(actor):
    swapped = store(ONE, superseded("req-0002", "req-0001"))
    assert codes(store(GONE, TWO), swapped, actor) == ["I102"]


@pytest.mark.parametrize("actor", BOTH)
def test_a_dangling_link_may_be_repaired(actor):
    before = store(superseded("req-0001", "req-00ff"), TWO)
    assert codes(before, store(GONE, TWO), actor) == []


@pytest.mark.parametrize("actor", BOTH)
def test_superseding_an_active_requirement_is_fine(actor):
    assert codes(store(ONE), store(replace(GONE, updated=T1), TWO), actor) == []


@pytest.mark.parametrize("actor", BOTH)
def test_a_broken_successor_is_there_all_the_same(actor):
    broken = {requirement_path("req-0002"): b"---\nid: [\n---\n"}
    assert codes(store(GONE) | broken, store(GONE) | broken, actor) == []


# -- I103 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "after",
    [
        store(requirement("req-0001", updated=T1)),
        store(replace(GONE, updated=T1), TWO),
        store(replace(OFF, statement="Something else.", updated=T1)),
        store(replace(OFF, rationale="Because.", updated=T1)),
        store(replace(OFF, scope=Scope(paths=("src/**",)), updated=T1)),
    ],
)
def test_n038_an_agent_leaves_a_disabled_requirement_alone(after):
    assert codes(store(OFF), after, AGENT) == ["I103"]


def test_n038_a_person_enables_supersedes_and_rewords():
    assert codes(store(OFF), store(requirement("req-0001", updated=T1)), PERSON) == []
    assert codes(store(OFF), store(replace(GONE, updated=T1), TWO), PERSON) == []
    reworded = edited(OFF, statement="Something else.")
    assert codes(store(OFF), store(reworded), PERSON) == []


def test_n038_breaking_a_file_is_no_step_towards_enabling_it():
    broken = {PATH: b"---\nid: req-0001\nstatus: [disabled\n---\n\nText.\n"}
    first = judge([store(OFF)], broken, AGENT)
    assert [f.path for f in first] == [PATH]
    assert first[0].code == "I003"
    assert codes(broken, store(requirement("req-0001", updated=T1)), AGENT) == ["I104"]
    assert codes(broken, store(requirement("req-0001", updated=T1)), PERSON) == []


def test_a_disabled_requirement_may_get_hints():
    after = store(replace(OFF, hints=("a question",), updated=T1))
    assert codes(store(OFF), after, AGENT) == []


def test_an_agent_may_disable():
    assert codes(store(ONE), store(replace(OFF, updated=T1)), AGENT) == []


# -- I104 ----------------------------------------------------------------------

CONTENT = [
    {"statement": "Something else."},
    {"statement": "Always keep the promise of REQ-0001."},
    {"rationale": "Because."},
    {"scope": Scope(Level.DOMAIN, ("api",))},
    {"scope": Scope(paths=("src/**",))},
    {"scope": Scope(languages=("go",))},
]


@pytest.mark.parametrize("changes", CONTENT)
def test_n040_an_agent_does_not_rewrite_what_a_person_wrote(changes):
    after = store(replace(OWN, updated=T1, **changes))
    assert codes(store(OWN), after, AGENT) == ["I104"]


def test_n040_an_emptied_scope_is_a_rewritten_one():
    before = replace(OWN, scope=Scope(Level.DOMAIN, ("api",), ("src/**",), ("go",)))
    assert codes(store(before), store(replace(OWN, updated=T1)), AGENT) == ["I104"]


def test_n040_foreign_keys_of_the_scope_are_the_persons_too():
    plain = store(OWN)[PATH]
    extended = plain.replace(b"  level: project\n", b"  level: project\n  repos: [a]\n")
    assert codes({PATH: extended}, {PATH: plain}, AGENT) == ["I104"]


def test_n040_an_agent_does_not_take_the_flag_back_first():
    assert codes(store(OWN), store(replace(OWN, user_edited=False)), AGENT) == ["I104"]


def test_n041_an_agent_supersedes_what_a_person_wrote_by_status_alone():
    after = replace(OWN, status=Status.SUPERSEDED, superseded_by="req-0002", updated=T1)
    assert codes(store(OWN), store(after, TWO), AGENT) == []
    reworded = replace(after, statement="Something else.")
    assert codes(store(OWN), store(reworded, TWO), AGENT) == ["I104"]


def test_an_agent_may_reword_what_no_person_wrote():
    after = store(replace(ONE, statement="Something else.", updated=T1))
    assert codes(store(ONE), after, AGENT) == []


@pytest.mark.parametrize(
    "spelled",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"level: project", b'level: "project"'),
        lambda data: data.replace(
            b"  level: project", b"  level: project\n  paths: []"
        ),
        lambda data: data.rstrip(b"\n"),
        lambda data: data.replace(b"user_edited: true", b"user_edited: true # mine"),
    ],
)
@pytest.mark.parametrize("actor", BOTH)
def test_another_spelling_is_no_change(actor, spelled):
    assert codes(store(OWN), {PATH: spelled(store(OWN)[PATH])}, actor) == []
    assert codes(store(OFF), {PATH: spelled(store(OFF)[PATH])}, actor) == []


# -- I105 ----------------------------------------------------------------------


@pytest.mark.parametrize("changes", CONTENT)
def test_n042_a_persons_change_carries_flag_and_stamp(changes):
    bare = store(replace(ONE, **changes))
    found = judge([store(ONE)], bare, PERSON)
    assert [f.code for f in found] == ["I105", "I105"]
    assert "user_edited: true" in found[0].message
    assert codes(store(ONE), store(edited(ONE, **changes)), PERSON) == []


def test_n042_half_of_the_mark_is_not_enough():
    flagged = replace(ONE, statement="Else.", user_edited=True)
    stamped = replace(ONE, statement="Else.", updated=T1)
    respelled = replace(flagged, updated="2026-01-01T01:00:00+01:00")
    for after in (flagged, stamped, respelled):
        assert codes(store(ONE), store(after), PERSON) == ["I105"]


def test_n042_the_finding_stands_at_the_line_to_change():
    after = store(replace(ONE, statement="Else.", updated=T1))
    line = after[PATH].decode().splitlines().index("user_edited: false") + 1
    assert [f.line for f in judge([store(ONE)], after, PERSON)] == [line]


def test_n043_status_hints_and_confidence_need_no_flag():
    after = replace(OFF, hints=("a question",), confidence="low", updated=T1)
    assert codes(store(ONE), store(after), PERSON) == []


def test_n043_white_space_and_wrapping_are_no_change():
    long = replace(ONE, statement="Some words that go on. " * 12)
    plain = store(long)[PATH]
    head, _, body = plain.partition(b"---\n\n")
    wrapped = head + b"---\n\n" + body.replace(b" that ", b"\nthat  ")
    assert wrapped != plain
    assert codes({PATH: plain}, {PATH: wrapped}, PERSON) == []


def test_a_person_may_take_the_own_flag_back():
    assert codes(store(OWN), store(replace(OWN, user_edited=False)), PERSON) == []


def test_agents_owe_no_flag():
    after = store(replace(ONE, statement="Else.", updated=T0))
    assert codes(store(ONE), after, AGENT) == []


# -- I106 ----------------------------------------------------------------------

MINE = "  - name: api\n    description: The public API.\n    paths: [src/**]\n"
MARKED = MINE + "    user_edited: true\n"
OTHER = "  - name: docs\n    description: Pages.\n"


@pytest.mark.parametrize(
    "after",
    [
        OTHER,
        MARKED.replace("public", "private"),
        MARKED.replace("src/**", "lib/**"),
        MINE,
        MARKED.replace("api", "interface"),
    ],
)
def test_n045_an_agent_keeps_a_persons_domain(after):
    assert codes(store(domains=MARKED), store(domains=after), AGENT) == ["I106"]


def test_n045_a_removed_file_removes_the_persons_domain():
    assert codes(store(domains=MARKED), {}, AGENT) == ["I106"]


@pytest.mark.parametrize(
    "after",
    [
        OTHER + MARKED,
        MARKED.replace("The public", '"The  public').replace("API.", 'API."'),
        MARKED.replace("[src/**]", '\n      - "src/**"'),
        MARKED + OTHER,
    ],
)
def test_n045_order_and_spelling_do_not_count_and_additions_stay(after):
    assert codes(store(domains=MARKED), store(domains=after), AGENT) == []


def test_n045_unmarked_domains_are_the_scans_to_change():
    changed = MINE.replace("public", "private")
    assert codes(store(domains=MINE), store(domains=changed), AGENT) == []
    assert codes(store(domains=MINE), store(domains=OTHER), AGENT) == []


def test_n046_a_persons_change_of_a_domain_carries_the_flag():
    changed = MINE.replace("public", "private")
    found = judge([store(domains=MINE)], store(domains=changed), PERSON)
    assert [(f.code, f.path, f.line) for f in found] == [("I105", DOMAINS, 3)]
    marked = MARKED.replace("public", "private")
    assert codes(store(domains=MINE), store(domains=marked), PERSON) == []


def test_n046_a_person_removes_and_renames_domains():
    assert codes(store(domains=MARKED), store(domains=OTHER), PERSON) == []


def test_a_broken_map_is_named_when_it_breaks_and_protected_while_it_is():
    broken = {DOMAINS: b"domains: ["}
    for actor in BOTH:
        assert [f.path for f in judge([store(domains=MARKED)], broken, actor)] == [
            DOMAINS
        ]
        assert codes(broken, broken, actor) == []
    assert codes(broken, store(domains=OTHER), AGENT) == ["I106"]
    assert codes(broken, store(domains=OTHER), PERSON) == []


# -- I107 ----------------------------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
@pytest.mark.parametrize(
    "changes",
    [
        {"created": T1},
        {"created": ""},
        {"provenance": Provenance(Kind.USER, "README.md", T0, "intent-scan")},
        {"provenance": Provenance(Kind.DOC, "OTHER.md", T0, "intent-scan")},
        {"provenance": Provenance(Kind.DOC, "README.md", T1, "intent-scan")},
        {"provenance": Provenance(Kind.DOC, "README.md", T0, "somebody")},
        {"provenance": Provenance(Kind.DOC, "README.md", T0, "intent-scan", "abc")},
        {"provenance": Provenance(Kind.DOC)},
    ],
)
def test_n047_origin_does_not_change(actor, changes):
    assert codes(store(ONE), store(replace(ONE, **changes)), actor) == ["I107"]


@pytest.mark.parametrize("actor", BOTH)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"created: 2026-01-01T00:00:00Z", b"created: 2026-01-01T00:00:00.000Z"),
        (b"created: 2026-01-01T00:00:00Z", b"created: '2026-01-01T02:00:00+02:00'"),
        (b"created: 2026-01-01T00:00:00Z", b"created: 2026-01-01"),
        (b"  ref: ", b"  # where it stands\n  ref: "),
        (b'"README.md"', b"README.md"),
        (
            b"  extracted_by: intent-scan",
            b"  extracted_by: intent-scan\n  patch_id: ''",
        ),
        (b"  extracted_at: 2026-01-01T00", b"  extracted_at: 2026-01-01t00"),
    ],
)
def test_n047_the_same_origin_in_another_notation_is_fine(actor, old, new):
    plain = store(ONE)[PATH]
    assert old in plain
    assert codes(store(ONE), {PATH: plain.replace(old, new)}, actor) == []


@pytest.mark.parametrize("actor", BOTH)
def test_n047_foreign_keys_of_the_origin_count(actor):
    plain = store(ONE)[PATH]
    extended = plain.replace(b"  kind: doc\n", b"  kind: doc\n  author: me\n")
    assert codes({PATH: extended}, {PATH: plain}, actor) == ["I107"]


@pytest.mark.parametrize("actor", BOTH)
def test_a_missing_origin_may_be_filled_in(actor):
    bare = b"---\nid: req-0001\nstatus: active\n---\n\nAlways keep the promise.\n"
    full = requirement("req-0001", statement="Always keep the promise.")
    assert codes({PATH: bare}, store(full), actor) == []


# -- merges --------------------------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
def test_n048_disabled_beats_superseded_on_either_side(actor):
    ours, theirs = store(OFF, TWO), store(GONE, TWO)
    assert codes([ours, theirs], ours, actor) == []
    assert codes([theirs, ours], ours, actor) == []


def test_n048_an_agents_merge_does_not_drop_the_disabling():
    ours, theirs = store(OFF, TWO), store(GONE, TWO)
    assert codes([ours, theirs], theirs, AGENT) == ["I103"]
    assert codes([store(OFF), store(ONE)], store(ONE), AGENT) == ["I103"]


def test_n048_values_of_a_parent_pass_for_a_person():
    ours, theirs = store(OFF, TWO), store(GONE, TWO)
    assert codes([ours, theirs], theirs, PERSON) == []


@pytest.mark.parametrize("actor", BOTH)
def test_n048_superseded_survives_a_merge_with_a_side_that_did_not_see_it(actor):
    assert codes([store(GONE, TWO), store(ONE, TWO)], store(ONE, TWO), actor) == [
        "I102"
    ]


@pytest.mark.parametrize("actor", BOTH)
def test_n048_a_merge_may_take_either_origin_but_no_third(actor):
    early, late = replace(ONE, created=T0), replace(ONE, created=T1)
    for taken in (early, late):
        assert codes([store(early), store(late)], store(taken), actor) == []
    third = replace(ONE, created=T2)
    assert codes([store(early), store(late)], store(third), actor) == ["I107"]


@pytest.mark.parametrize("actor", BOTH)
def test_n048_fields_may_come_from_different_parents(actor):
    ours = replace(OWN, statement="Ours.")
    theirs = replace(OWN, scope=Scope(paths=("src/**",)))
    mixed = replace(ours, scope=theirs.scope)
    assert codes([store(ours), store(theirs)], store(mixed), actor) == []


def test_n048_what_no_parent_has_is_judged_against_all():
    parents = [store(ONE), store(OWN)]
    third = replace(OWN, statement="A third way.", updated=T1)
    assert codes(parents, store(third), AGENT) == ["I104"]
    assert codes(parents, store(third), PERSON) == []
    assert codes(parents, store(replace(third, updated=T0)), PERSON) == ["I105"]


def test_n048_user_edited_stays():
    parents = [store(OWN), store(ONE)]
    assert codes(parents, store(ONE), AGENT) == ["I104"]
    assert codes(parents, store(ONE), PERSON) == ["I105"]
    assert codes(parents, store(OWN), PERSON) == []


@pytest.mark.parametrize("actor", BOTH)
def test_n048_present_stays_present(actor):
    assert codes([store(ONE, TWO), store(TWO)], store(TWO), actor) == ["I101"]
    assert codes([store(ONE), store(TWO)], store(ONE, TWO), actor) == []


@pytest.mark.parametrize("actor", BOTH)
def test_n048_an_octopus_has_many_parents(actor):
    three = requirement("req-0003")
    parents = [store(OFF, TWO, three), store(GONE, TWO, three), store(ONE, TWO, three)]
    assert codes(parents, store(OFF, TWO, three), actor) == []
    assert codes(parents, store(OFF, TWO), actor) == ["I101"]


def test_n048_a_persons_domain_survives_a_merge():
    parents = [store(domains=MARKED), store(domains=MINE)]
    assert codes(parents, store(domains=MARKED), AGENT) == []
    assert codes(parents, store(domains=MINE), AGENT) == ["I106"]
    assert codes(parents, store(domains=MINE), PERSON) == ["I105"]


@pytest.mark.parametrize("actor", BOTH)
def test_links_follow_a_statement_that_was_given_another_id(actor):
    """Two statements met under one id; the link made beside the second one follows."""
    first, second = (replace(TWO, statement=s) for s in ("The first.", "The second."))
    ours = store(first)
    theirs = store(second, superseded("req-0003", "req-0002"))
    moved = replace(second, id="req-0007")
    resolved = store(first, moved, superseded("req-0003", "req-0007"))
    assert codes([ours, theirs], resolved, actor) == []
    elsewhere = store(
        first, replace(moved, statement="Else."), superseded("req-0003", "req-0007")
    )
    assert codes([ours, theirs], elsewhere, actor) == ["I102"]
    assert codes(theirs, resolved, actor) != []


# -- where the states come from ---------------------------------------------------


@pytest.mark.parametrize("actor", BOTH)
def test_n052_worktree_index_and_commit_are_judged_alike(repo, actor):
    before = store(OFF, OWN, TWO, domains=MARKED)
    after = store(replace(OWN, statement="Else."), domains=MINE)
    after[requirement_path("req-0004")] = b"\xef\xbb\xbf---\r\nid: req-0004\r\n---\r\n"
    repo.commit_files({".gitattributes": "* -text", **before})
    first = snapshot(Repository.discover(repo.path), "HEAD", STORE)
    assert first == before
    repo.git("rm", "-rq", "--cached", STORE)
    for path in before:
        (repo.path / path).unlink()
    for path, data in after.items():
        repo.write(path, data)
    repo.git("add", "-A")
    opened = Repository.discover(repo.path)
    states = [read_snapshot(repo.path), index_snapshot(opened, STORE), after]
    repo.git("commit", "-qm", "change")
    states.append(snapshot(Repository.discover(repo.path), "HEAD", STORE))
    assert len(check(after) + judge([first], after, actor)) > 3
    for state in states:
        assert judge([first], state, actor) == judge([before], after, actor)
        assert check(state) == check(after)


# -- properties ----------------------------------------------------------------

IDS = ["req-0001", "req-0002", "req-0003"]
FOUND = st.builds(
    requirement,
    st.just("req-0000"),
    statement=st.sampled_from(["Do this.", "Do that.", "Do  that."]),
    rationale=st.sampled_from(["", "Because."]),
    status=st.sampled_from(Status),
    superseded_by=st.sampled_from(["", *IDS]),
    scope=st.sampled_from([Scope(), Scope(Level.DOMAIN, ("a",)), Scope(paths=("x",))]),
    user_edited=st.booleans(),
    hints=st.sampled_from([(), ("a question",)]),
    created=st.sampled_from([T0, T1]),
    updated=st.sampled_from([T0, T1, T2]),
)
STORES = st.dictionaries(st.sampled_from(IDS), FOUND).map(
    lambda found: store(*(replace(r, id=id) for id, r in found.items()))
)
ACTORS = st.sampled_from(Actor)


def parsed(snapshot):
    read = (parse_requirement(data, path) for path, data in snapshot.items())
    return {r.id: r for r in read}


@settings(deadline=None, max_examples=50)
@given(STORES, STORES)
def test_an_agent_never_gets_a_protected_value_through(before, after):
    if judge([before], after, AGENT):
        return
    old, new = parsed(before), parsed(after)
    for id, was in old.items():
        now = new[id]
        if was.user_edited:
            assert now.user_edited
            assert (now.statement, now.rationale, now.scope) == (
                was.statement,
                was.rationale,
                was.scope,
            )
        if was.status is Status.DISABLED:
            assert now.status is Status.DISABLED
            assert now.statement == was.statement


@settings(deadline=None, max_examples=50)
@given(STORES, STORES, ACTORS)
def test_what_passes_keeps_the_rules_that_bind_everybody(before, after, actor):
    if judge([before], after, actor):
        return
    old, new = parsed(before), parsed(after)
    assert old.keys() <= new.keys()
    for id, was in old.items():
        assert new[id].created == was.created
        if was.status is Status.SUPERSEDED and not judge([], before, actor):
            assert new[id].status is Status.SUPERSEDED
            assert new[id].superseded_by == was.superseded_by
    for id, now in new.items():
        seen = {id}
        while now.status is Status.SUPERSEDED:
            assert now.superseded_by not in seen
            seen.add(now.superseded_by)
            now = new[now.superseded_by]


@settings(deadline=None, max_examples=50)
@given(STORES, STORES, ACTORS)
def test_unrelated_changes_do_not_change_the_verdict(before, after, actor):
    other, marked = requirement("req-00aa"), requirement("req-00bb", user_edited=True)
    verdict = judge([before], after, actor)
    wider = judge(
        [before | store(marked)],
        after | store(marked, other, domains=OTHER),
        actor,
    )
    assert wider == verdict


@settings(deadline=None, max_examples=50)
@given(STORES, ACTORS)
def test_a_commit_that_changes_nothing_adds_no_finding(state, actor):
    assert {f.code for f in judge([state], state, actor)} <= {"I102"}
    assert judge([state], state, actor) == judge([], state, actor)


@settings(deadline=None, max_examples=50)
@given(STORES, STORES, ACTORS)
def test_a_merge_of_equal_parents_is_a_plain_commit(before, after, actor):
    lone = [f for f in judge([before], after, actor) if f.code != "I105"]
    both = [f for f in judge([before, before], after, actor) if f.code != "I105"]
    assert both == lone


@settings(deadline=None, max_examples=50)
@given(STORES, STORES, STORES, ACTORS)
def test_the_order_of_parents_does_not_matter(one, two, after, actor):
    left = {(f.code, f.path) for f in judge([one, two], after, actor)}
    right = {(f.code, f.path) for f in judge([two, one], after, actor)}
    assert left == right


@settings(deadline=None, max_examples=50)
@given(STORES, STORES, STORES)
def test_a_disabling_is_never_lost_in_an_agents_merge(one, two, after):
    if judge([one, two], after, AGENT):
        return
    new = parsed(after)
    for parent in (parsed(one), parsed(two)):
        for id, was in parent.items():
            if was.status is Status.DISABLED:
                assert new[id].status is Status.DISABLED
            if was.user_edited:
                assert new[id].user_edited
