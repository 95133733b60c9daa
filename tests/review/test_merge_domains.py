"""Two versions of the domain map become one, entry by entry."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.review.merge_domains import merge_domains
from git_intent.review.merge_markers import sides
from git_intent.store.domains import Domain, Domains, parse_domains, render_domains
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.rules import Actor, judge

API = Domain("api", "What others call.", ("api/**",))
WEB = Domain("web", "Pages.")
MINE = replace(API, description="My words.", user_edited=True)


def merged(base, ours, theirs, **more):
    files = [
        None if one is None else render_domains(Domains(domains=tuple(one)))
        for one in (base, ours, theirs)
    ]
    return merge_domains(DOMAINS, *files, **more)


def result(base, ours, theirs):
    """The entries by name, which are the same in both directions."""
    found = [merged(base, *pair) for pair in ((ours, theirs), (theirs, ours))]
    assert [one.conflicts for one in found] == [(), ()]
    maps = [
        {d.name: d for d in parse_domains(one.data, DOMAINS).domains} for one in found
    ]
    assert maps[0] == maps[1]
    return maps[0]


def test_additions_of_both_sides_are_kept():
    cli = Domain("cli")
    assert result([API], [API, WEB], [API, cli]) == {"api": API, "web": WEB, "cli": cli}
    assert result(None, [API], [WEB]) == {"api": API, "web": WEB}


def test_what_a_person_wrote_beats_what_a_scan_wrote():
    scanned = replace(API, description="Another scan's much longer words.")
    assert result([API], [MINE], [scanned]) == {"api": MINE}
    assert result(None, [MINE, WEB], [scanned]) == {"api": MINE, "web": WEB}


def test_of_two_scans_the_longer_text_and_list_are_taken():
    ours = replace(API, paths=("a/**", "b/**"))
    theirs = replace(API, description=API.description + " And more.")
    assert result(None, [ours], [theirs]) == {
        "api": replace(theirs, paths=ours.paths),
    }


def test_an_entry_that_one_side_removed_is_gone():
    assert result([API, WEB], [API], [API, WEB, Domain("x")]) == {
        "api": API,
        "x": Domain("x"),
    }


def test_an_entry_removed_here_and_changed_there_is_a_persons_choice():
    changed = replace(WEB, paths=("web/**",))
    done = merged([API, WEB], [API], [API, changed])
    (found,) = done.conflicts
    assert (found.path, found.code) == (DOMAINS, "I006")
    text = "domain web was removed on one side and changed on the other"
    assert found.message == f"{text}; keep one of the two"
    both = sides(done.data)
    said = [parse_domains(d, DOMAINS).domains for d in (both.ours, both.theirs)]
    assert said == [(API,), (API, changed)]


def test_two_persons_words_are_a_persons_choice_of_those_alone():
    ours = replace(MINE, paths=("x/**",))
    theirs = replace(MINE, description="Her words.")
    base = replace(MINE, description="Old words.")
    done = merged([base, WEB], [ours, WEB], [theirs])
    (found,) = done.conflicts
    assert "domain api: description was changed on both sides" in found.message
    both = sides(done.data)
    said = [parse_domains(d, DOMAINS).domains for d in (both.ours, both.theirs)]
    assert said == [(ours,), (replace(ours, description="Her words."),)]


def test_comments_and_unknown_keys_of_both_sides_stay():
    base = render_domains(Domains(domains=(API, WEB)))
    ours = b"# map\nx-map: one\n" + base
    theirs = base.replace(b"Pages.", b"Pages. # seen\n    x-owner: her")
    done = merge_domains(
        DOMAINS, base, ours, theirs, lines=b"# map\nx-map: one\n" + theirs
    )
    assert done.conflicts == ()
    assert done.data == b"# map\nx-map: one\n" + theirs
    without = merge_domains(DOMAINS, base, ours, theirs)
    assert "cannot be put together safely" in without.conflicts[0].message
    assert sides(without.data).theirs == theirs


def test_a_map_that_cannot_be_read_stands_beside_the_other():
    base = render_domains(Domains(domains=(API,)))
    broken = base.replace(b"name: api", b"name: Api")
    other = render_domains(Domains(domains=(API, WEB)))
    done = merge_domains(DOMAINS, base, other, broken)
    assert "theirs cannot be read: domain name 'Api'" in done.conflicts[0].message
    assert sides(done.data).theirs == broken
    assert merge_domains(DOMAINS, broken, base, other).data == other


def test_line_ends_are_kept():
    def spelled(*found):
        return render_domains(Domains(domains=found)).replace(b"\n", b"\r\n")

    done = merge_domains(DOMAINS, spelled(API), spelled(MINE), spelled(API, WEB))
    assert done.data == spelled(MINE, WEB)


domain = st.builds(
    Domain,
    st.sampled_from(["api", "web", "cli"]),
    st.sampled_from(["", "Words.", "Other words."]),
    st.sampled_from([(), ("a/**",), ("b/**", "c/**")]),
    st.booleans(),
)
domains = st.lists(domain, unique_by=lambda d: d.name, max_size=3)


@settings(max_examples=100, deadline=None)
@given(st.none() | domains, domains, domains)
def test_any_merge_is_symmetric_and_keeps_the_rules(base, ours, theirs):
    done, back = merged(base, ours, theirs), merged(base, theirs, ours)
    assert bool(done.conflicts) == bool(back.conflicts)
    if done.conflicts:
        both = sides(done.data)
        for data in (both.ours, both.theirs):
            parse_domains(data, DOMAINS)
        return
    read = [parse_domains(one.data, DOMAINS).domains for one in (done, back)]
    assert sorted(read[0], key=lambda d: d.name) == sorted(
        read[1], key=lambda d: d.name
    )
    parents = [
        {DOMAINS: render_domains(Domains(domains=tuple(side)))}
        for side in (ours, theirs)
    ]
    if base not in (ours, theirs):
        assert judge(parents, {DOMAINS: done.data}, Actor.PERSON) == []
