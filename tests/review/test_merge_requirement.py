"""Two versions of a requirement become one: by rule, or a conflict with both."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.review.merge_markers import mark, sides
from git_intent.review.merge_requirement import merge_requirement
from git_intent.store.field_editor import set_body, set_fields
from git_intent.store.intent_dir import requirement_path
from git_intent.store.mutate import NOTICE
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import (
    examine,
    parse_requirement,
    render_requirement,
)
from git_intent.store.rules import Actor, judge
from git_intent.store.wording import normalise
from tests.support.odd_files import odd_file
from tests.support.snapshots import T0, T1, T2, disabled, requirement, superseded

ID = "req-0001"
PATH = requirement_path(ID)
BASE = requirement(ID, hints=("a hint",), rationale="It broke once.")


def merged(base, ours, theirs, **more):
    files = [None if one is None else render_requirement(one) for one in (base, ours)]
    return merge_requirement(PATH, *files, render_requirement(theirs), **more)


def result(base, ours, theirs):
    """What the merge comes to, which is the same in both directions."""
    found = [merged(base, *pair) for pair in ((ours, theirs), (theirs, ours))]
    assert [one.conflicts for one in found] == [(), ()]
    first, second = (parse_requirement(one.data, PATH) for one in found)
    assert first == second
    return first


def refused(base, ours, theirs):
    """What both sides say in a conflict, and the finding."""
    done = merged(base, ours, theirs)
    (found,) = done.conflicts
    assert (found.path, found.code) == (PATH, "I006")
    assert examine(done.data, PATH).issues[0].code == "I006"
    assert examine(done.data, PATH).issues[0].line == found.line
    both = sides(done.data)
    said = [parse_requirement(data, PATH) for data in (both.ours, both.theirs)]
    return said, found


def test_each_side_gives_what_it_changed():
    ours = replace(BASE, rationale="It broke twice.", updated=T1)
    theirs = replace(BASE, scope=Scope(paths=("src/**",)), user_edited=True, updated=T2)
    assert result(BASE, ours, theirs) == replace(
        ours, scope=theirs.scope, user_edited=True, updated=T2
    )


def test_keys_of_one_scope_may_come_from_both_sides():
    ours = replace(BASE, scope=Scope(languages=("en",)), updated=T1)
    theirs = replace(BASE, scope=Scope(paths=("src/**",)), updated=T2)
    assert result(BASE, ours, theirs).scope == Scope(
        paths=("src/**",), languages=("en",)
    )


def test_n048_disabled_beats_superseded_and_that_beats_active():
    off, gone = disabled(ID, updated=T1), superseded(ID, "req-0002", updated=T2)
    active = requirement(ID, hints=("new",))
    for base in (requirement(ID), None):
        won = result(base, off, gone)
        assert (won.status, won.superseded_by) == (Status.DISABLED, "")
        assert result(base, off, active).status is Status.DISABLED
        kept = result(base, gone, active)
        assert (kept.status, kept.superseded_by) == (Status.SUPERSEDED, "req-0002")
        assert kept.hints == ("new",)
    (note,) = merged(BASE, off, gone).notes
    assert note == (
        "req-0001: disabled on one side, superseded by req-0002 on the other: "
        "stays disabled"
    )


def test_disabled_stays_where_the_other_side_enabled():
    base = disabled(ID)
    ours = replace(base, hints=("new",), updated=T1)
    theirs = replace(base, status=Status.ACTIVE, updated=T2)
    assert result(base, ours, theirs).status is Status.DISABLED
    assert "stays disabled" in merged(base, ours, theirs).notes[0]


def test_one_disabled_the_other_reworded_gives_both():
    ours = replace(BASE, status=Status.DISABLED, updated=T1)
    theirs = replace(BASE, statement="Other words.", user_edited=True, updated=T2)
    assert result(BASE, ours, theirs) == replace(theirs, status=Status.DISABLED)


def test_two_successors_are_a_persons_choice():
    ours = superseded(ID, "req-0002", updated=T1)
    theirs = superseded(ID, "req-0003", updated=T2)
    said, found = refused(requirement(ID), ours, theirs)
    assert [one.superseded_by for one in said] == ["req-0002", "req-0003"]
    assert {one.updated for one in said} == {T2}
    assert found.message == (
        "superseded_by: one successor only, and each side names another; "
        "keep one of the two"
    )


def test_the_first_successor_is_the_last():
    base = superseded(ID, "req-0002")
    ours, theirs = replace(base, hints=("x",)), replace(base, superseded_by="req-0003")
    assert result(base, ours, theirs).superseded_by == "req-0002"


def test_different_new_words_are_a_conflict_of_the_words_alone():
    ours = replace(BASE, statement="Ours.", hints=("b",), updated=T1)
    theirs = replace(BASE, statement="Theirs.", hints=("a",), updated=T2)
    said, found = refused(BASE, ours, theirs)
    assert [one.statement for one in said] == ["Ours.", "Theirs."]
    assert said[0] == replace(said[1], statement="Ours.")
    assert (said[0].hints, said[0].updated) == (("a", "b"), T2)
    assert found.message == "statement: changed on both sides; keep one of the two"
    assert b"<<<<<<< ours\nOurs.\n=======\nTheirs.\n>>>>>>> theirs\n" in (
        merged(BASE, ours, theirs).data
    )


def test_words_that_say_the_same_are_no_conflict():
    ours = replace(BASE, statement="Never  bump it.", updated=T1)
    theirs = replace(BASE, statement="never bump `it`", user_edited=True, updated=T2)
    assert result(BASE, ours, theirs).statement == "never bump `it`"


def test_the_size_and_the_names_of_the_markers_are_git_s():
    ours, theirs = (replace(BASE, statement=text) for text in ("A.", "B."))
    done = merged(BASE, ours, theirs, size=9, labels=("HEAD", "topic"))
    assert b"<<<<<<<<< HEAD\nA.\n=========\nB.\n>>>>>>>>> topic\n" in done.data
    assert sides(done.data).theirs == render_requirement(theirs)


def met(id=ID, **changes):
    origin = Provenance(Kind.DOC, "b.md", T1, "intent-scan")
    return requirement(id, **{"provenance": origin, "created": T1, **changes})


def test_n008_a_statement_found_on_two_branches_is_one_requirement():
    ours = requirement(ID, hints=("b", "c", "d"), updated=T2)
    theirs = met(hints=("a", "e", "f"), rationale="A reason.", updated=T1)
    assert result(None, ours, theirs) == replace(
        ours, hints=("a", "b", "c", "d", "e"), rationale="A reason."
    )


def test_n008_nothing_is_a_conflict_where_the_statement_is_equal():
    ours = requirement(
        ID,
        rationale="One.",
        scope=Scope(Level.DOMAIN, ("api",), ("a/**",)),
        confidence=Confidence.MEDIUM,
    )
    theirs = met(rationale="Two.", scope=Scope(Level.DOMAIN, ("web",)))
    assert result(None, ours, theirs) == replace(ours, confidence=Confidence.HIGH)
    edited = replace(theirs, user_edited=True)
    won = result(None, ours, edited)
    assert (won.scope, won.rationale) == (edited.scope, "Two.")
    assert (won.provenance, won.created) == (ours.provenance, ours.created)
    notes = merged(None, ours, edited).notes
    assert "req-0001: rationale of the elder file was kept" in notes


def test_two_statements_under_one_id_stand_whole_one_after_the_other():
    ours, theirs = requirement(ID), met(statement="Something else.")
    done = merged(None, ours, theirs)
    assert done.met
    assert "`git intent resolve` gives one a new id" in done.conflicts[0].message
    assert done.data == (
        b"<<<<<<< ours\n"
        + render_requirement(ours)
        + b"=======\n"
        + render_requirement(theirs)
        + b">>>>>>> theirs\n"
    )


def test_a_redacted_text_does_not_come_back():
    secret = replace(BASE, statement="The key is hunter2.", hints=("hunter2",))
    ours = replace(
        secret, statement=NOTICE, rationale="", hints=(), status=Status.DISABLED
    )
    theirs = replace(
        secret, statement="The key was hunter2.", hints=("hunter2", "x"), updated=T2
    )
    won = result(secret, ours, theirs)
    assert won == replace(ours, updated=T2)
    assert b"hunter2" not in merged(secret, ours, theirs).data


def test_level_and_domains_that_do_not_fit_together_are_a_conflict():
    base = requirement(ID, scope=Scope(Level.PROJECT, ("api",)))
    ours = replace(base, scope=Scope(Level.DOMAIN, ("api",)))
    theirs = replace(base, scope=Scope(Level.PROJECT))
    said, _ = refused(base, ours, theirs)
    assert [one.scope for one in said] == [ours.scope, theirs.scope]


def test_a_broken_side_is_kept_whole_beside_the_other():
    ours = render_requirement(BASE).replace(b"status: active", b"status: Active")
    theirs = render_requirement(replace(BASE, statement="New."))
    done = merge_requirement(PATH, render_requirement(BASE), ours, theirs)
    assert sides(done.data).ours == ours
    assert sides(done.data).theirs == theirs
    assert "ours cannot be read (I008" in done.conflicts[0].message
    assert not done.met


def test_a_base_that_cannot_be_read_counts_as_none():
    """As in a criss-cross, where git merges the bases first and may not succeed."""
    base = b"<<<<<<<<< a\n---\n" + render_requirement(BASE)
    ours, theirs = replace(BASE, hints=("b",)), replace(BASE, hints=("a",))
    files = [base, render_requirement(ours), render_requirement(theirs)]
    done = merge_requirement(PATH, *files)
    assert parse_requirement(done.data, PATH).hints == ("a", "b")
    other = render_requirement(replace(theirs, statement="New words."))
    clash = merge_requirement(PATH, base, files[1], other)
    assert not clash.met
    assert clash.conflicts[0].message.startswith("statement: changed on both sides")


def test_unknown_keys_are_merged_three_ways():
    base = render_requirement(BASE)
    ours = set_fields(base, {"x-team": "core", "x-note": "one"})
    theirs = set_fields(base, {"x-owner": "a person", "x-note": "two"})
    done = merge_requirement(PATH, base, ours, theirs)
    both = sides(done.data)
    for data in (both.ours, both.theirs):
        assert b"x-team: core\n" in data
        assert b"x-owner: a person\n" in data
    assert b"x-note: one\n" in both.ours
    assert b"x-note: two\n" in both.theirs
    assert "x-note: changed on both sides" in done.conflicts[0].message


def test_what_lines_merge_cleanly_keeps_the_comments_of_both_sides():
    base = render_requirement(BASE)
    ours = base.replace(b"confidence: high", b"confidence: high  # ours")
    theirs = base.replace(b"id: req", b"# theirs\nid: req")
    theirs = set_fields(theirs, {"status": "disabled", "updated": T2})
    lines = theirs.replace(b"confidence: high", b"confidence: high  # ours")
    assert merge_requirement(PATH, base, ours, theirs, lines=lines).data == lines
    without = merge_requirement(PATH, base, ours, theirs).data
    assert b"# ours" in without
    assert parse_requirement(without, PATH) == parse_requirement(lines, PATH)


def test_a_line_merge_that_says_something_else_is_edited_or_left():
    base = render_requirement(BASE)
    ours = set_fields(base, {"hints": ["a hint", "b"]})
    theirs = set_fields(base, {"hints": ["a hint", "a"]})
    odd = set_fields(base, {"hints": ["b", "a", "a hint"], "confidence": "low"})
    for lines in (odd, b"no requirement", base.replace(b"id:", b"id: x\nid:")):
        done = merge_requirement(PATH, base, ours, theirs, lines=lines)
        assert parse_requirement(done.data, PATH).hints == ("a", "a hint", "b")
        assert parse_requirement(done.data, PATH).confidence is Confidence.HIGH


def test_values_that_no_editor_can_write_come_from_the_side_that_has_them():
    base = render_requirement(BASE)
    ours = set_fields(base, {"confidence": "low"})
    theirs = base.replace(b"updated:", b"x-map:\n  a:\n    b: [1]\nupdated:")
    done = merge_requirement(PATH, base, ours, theirs)
    assert not done.conflicts
    assert b"x-map:\n  a:\n    b: [1]\n" in done.data
    assert b"confidence: low\n" in done.data
    both = ours.replace(b"updated:", b"x-other: {c: {d: e}}\nupdated:")
    done = merge_requirement(PATH, base, both, theirs)
    assert "by hand" in done.conflicts[0].message
    assert sides(done.data).ours == both


def test_an_elder_origin_goes_over_whole_keys_of_others_included():
    ours = render_requirement(met(updated=T2))
    theirs = render_requirement(requirement(ID)).replace(
        b"  kind: doc\n", b"  kind: doc\n  x-line: '12'\n"
    )
    for pair in ((ours, theirs), (theirs, ours)):
        done = merge_requirement(PATH, None, *pair)
        assert b"x-line: '12'" in done.data or b'x-line: "12"' in done.data
        read = parse_requirement(done.data, PATH)
        assert (read.provenance.ref, read.created) == ("README.md", T0)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_are_kept(newline, mark):
    def spelled(one):
        text = render_requirement(one).decode().replace("\n", newline)
        return (mark + text).encode()

    ours = replace(BASE, statement="Ours.")
    theirs = replace(BASE, status=Status.DISABLED, updated=T2)
    done = merge_requirement(PATH, *map(spelled, (BASE, ours, theirs)))
    assert done.data == spelled(replace(theirs, statement="Ours."))
    clash = merge_requirement(
        PATH, *map(spelled, (BASE, ours, replace(BASE, statement="Theirs.")))
    )
    assert clash.data.count(b"\n") == clash.data.count(newline.encode())
    assert sides(clash.data).ours == spelled(ours)


def test_a_file_without_a_last_newline_can_be_a_side_of_a_conflict():
    base = render_requirement(requirement(ID))
    ours, theirs = (set_body(base, text, "").rstrip() for text in ("A.", "B."))
    done = merge_requirement(PATH, base, ours, theirs)
    assert b"\nA.\n=======\nB.\n>>>>>>> theirs\n" in done.data
    assert sides(done.data).ours == ours + b"\n"


WORDS = st.sampled_from(["Use tabs.", "Use  tabs", "Never bump.", "No.", "A `b` c."])


@st.composite
def version(draw, id=ID):
    """A version that some history may have left."""
    status = draw(st.sampled_from(Status))
    by = draw(st.sampled_from(["req-0002", "req-0003"]))
    domains = tuple(sorted(draw(st.sets(st.sampled_from("abc"), max_size=2))))
    return Requirement(
        id=id,
        statement=draw(WORDS),
        rationale=draw(st.sampled_from(["", "It broke.", "It will break."])),
        status=status,
        superseded_by=by if status is Status.SUPERSEDED else "",
        scope=Scope(
            Level.DOMAIN if domains else Level.PROJECT,
            domains,
            draw(st.sampled_from([(), ("a/**",), ("b/**", "!b/c")])),
        ),
        hints=tuple(draw(st.lists(st.sampled_from("uvwxyz"), unique=True, max_size=5))),
        confidence=draw(st.sampled_from(Confidence)),
        user_edited=draw(st.booleans()),
        provenance=Provenance(
            Kind.DOC, draw(st.sampled_from(["a.md", "b.md"])), draw(STAMP), "scan"
        ),
        created=draw(STAMP),
        updated=draw(STAMP),
    )


STAMP = st.sampled_from([T0, T1, T2])


def family(draw):
    """A base, or none, and two versions that each changed some of it."""
    base = draw(version())
    names = ("statement", "rationale", "status", "scope", "hints", "confidence")
    made = []
    for _ in range(2):
        other = draw(version())
        kept = draw(st.sets(st.sampled_from(names)))
        same = {name: getattr(base, name) for name in kept}
        if "status" in kept:
            same["superseded_by"] = base.superseded_by
        same |= {"provenance": base.provenance, "created": base.created}
        made.append(replace(other, **same))
    return base, *made


families = st.composite(family)()


@settings(max_examples=150, deadline=None)
@given(families, st.booleans())
def test_any_merge_is_symmetric_loses_no_statement_and_keeps_the_rules(three, alone):
    base, ours, theirs = three
    base = None if alone else base
    done, back = merged(base, ours, theirs), merged(base, theirs, ours)
    assert bool(done.conflicts) == bool(back.conflicts)
    assert done.met == back.met
    held = [normalise(data.decode()) for data in (done.data, back.data)]
    for one in (ours, theirs):
        if base is None or one.statement != base.statement:
            assert all(normalise(one.statement) in text for text in held)
    if done.conflicts:
        both, swapped = sides(done.data), sides(back.data)
        read = [
            parse_requirement(data, PATH)
            for data in (both.ours, both.theirs, swapped.theirs, swapped.ours)
        ]
        assert read[:2] == read[2:]
        return
    won = parse_requirement(done.data, PATH)
    assert won == parse_requirement(back.data, PATH)
    if base in (ours, theirs):
        return  # whatever one side alone did is its own affair
    strength = [Status.ACTIVE, Status.SUPERSEDED, Status.DISABLED]
    assert won.status is max(ours.status, theirs.status, key=strength.index)
    assert won.user_edited is (ours.user_edited or theirs.user_edited)
    parents = [stored(ours), stored(theirs)]
    for actor in Actor:
        assert judge(parents, {**stored(won), PATH: done.data}, actor) == []


def stored(one):
    others = [requirement("req-0002"), requirement("req-0003")]
    return {requirement_path(x.id): render_requirement(x) for x in (one, *others)}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), families)
def test_what_one_side_left_alone_is_the_other_s_byte_for_byte(seed, three):
    odd = odd_file(Random(seed)).data
    base, ours, _ = map(render_requirement, three)
    for kept in (odd, ours):
        assert merge_requirement(PATH, base, kept, kept).data == kept
        assert merge_requirement(PATH, base, base, kept).data == kept
        assert merge_requirement(PATH, base, kept, base).data == kept


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_only_the_lines_that_theirs_changed_change_in_ours(seed):
    """Odd spelling, comments, order, line ends: all as they were."""
    odd = odd_file(Random(seed))
    path = requirement_path(odd.requirement.id)
    ours = set_fields(odd.data, {"confidence": "low"})
    theirs = set_fields(odd.data, {"status": "disabled", "updated": T2})
    done = merge_requirement(path, odd.data, ours, theirs)
    assert done.conflicts == ()
    wanted = set_fields(ours, {"status": "disabled"})
    stamps = [parse_requirement(d, path).updated for d in (odd.data, theirs)]
    assert parse_requirement(done.data, path).updated in stamps
    if odd.requirement.confidence is not Confidence.LOW:
        same = set_fields(done.data, {"updated": "2020-01-01"})
        assert same == set_fields(wanted, {"updated": "2020-01-01"})


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"=======x\n", b"\n"])),
    st.lists(st.sampled_from([b"a\n", b"b\n", b"d\n", b"-\n"])),
    st.booleans(),
)
def test_both_versions_can_be_read_from_a_conflict(ours, theirs, whole):
    a, b = b"".join(ours), b"".join(theirs)
    data, line = mark(a, b, whole=whole)
    if a == b and not whole:
        assert sides(data) is None
        return
    found = sides(data)
    assert (found.ours, found.theirs, found.base, found.line) == (a, b, None, line)
