"""Commits that exist are judged by who made them."""

from dataclasses import replace

import pytest

from git_intent.guard.allow import Allowance, allowances, allowed
from git_intent.store.codes import issue
from git_intent.store.intent_dir import DOMAINS, requirement_path
from git_intent.store.requirement import Status
from git_intent.store.rules import Actor
from tests.support.guarding import codes, judged, published, put
from tests.support.repo import Repo
from tests.support.snapshots import T1, T2, disabled, requirement, superseded

ONE = requirement("req-0001")
OFF = disabled("req-0001")
OWN = requirement("req-0001", user_edited=True)
PATH = requirement_path("req-0001")
AGENT = "--author=Fixer <fixer@bots.invalid>"


@pytest.fixture
def base(repo: Repo) -> Repo:
    """A store, whose config names an agent; `base` stands for the commit."""
    repo.git("config", "intent.git.agentAuthors", "*@bots.invalid")
    published(repo, OWN, disabled("req-0002"), requirement("req-0003"))
    repo.git("branch", "base")
    return repo


def by(repo: Repo, who: str, *requirements, message: str = "change") -> str:
    """Commit these requirements as a person, an agent, or a scan."""
    put(repo, *requirements)
    return done(repo, who, message)


def done(repo: Repo, who: str, message: str = "change") -> str:
    repo.git("add", "-A")
    author = [AGENT] if who == "agent" else []
    if who == "scan":
        message += "\n\nIntent-Scan: 20260101-abcd\n"
    repo.git("commit", "-q", "--allow-empty", "-m", message, *author)
    return repo.head()


def found(repo: Repo) -> list[str]:
    return codes(repo, from_ref="base")


REWORDED = replace(OWN, statement="Other words.", updated=T1)
ENABLED = requirement("req-0002", updated=T1)


# -- whose change it is ------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "expected"), [("person", []), ("agent", ["I104"]), ("scan", ["I104"])]
)
def test_an_agents_commit_is_judged_as_an_agents(base, who, expected):
    by(base, who, REWORDED)
    assert found(base) == expected


def test_a_co_author_who_is_an_agent_makes_the_commit_an_agents(base):
    trailer = "change\n\nCo-authored-by: Fixer <fixer@bots.invalid>\n"
    by(base, "person", REWORDED, message=trailer)
    assert found(base) == ["I104"]


def test_the_brackets_in_the_name_of_a_bot_are_taken_as_they_stand(base):
    pattern = "*[bot]@users.noreply.github.com"
    base.git("config", "--add", "intent.git.agentAuthors", pattern)
    put(base, REWORDED)
    bot = "--author=fixer[bot] <7+fixer[bot]@users.noreply.github.com>"
    base.git("commit", "-qam", "change", bot)
    assert found(base) == ["I104"]


def test_told_by_the_command_line_it_is_everybodys(base):
    by(base, "agent", REWORDED)
    assert codes(base, from_ref="base", told=True, actor=Actor.PERSON) == []
    by(base, "person", ENABLED)
    whole = codes(base, from_ref="base", told=True, actor=Actor.AGENT)
    assert whole == ["I104", "I103"]


def test_the_report_says_who_and_why(base):
    by(base, "person", requirement("req-0004"))
    assert judged(base, from_ref="base").actor is Actor.PERSON
    by(base, "agent", requirement("req-0005"))
    mixed = judged(base, from_ref="base")
    assert mixed.actor is Actor.PERSON
    assert "1 of 2 commits" in mixed.reason
    assert "agentAuthors" in mixed.reason
    base.git("branch", "-f", "base", "HEAD~1")
    alone = judged(base, from_ref="base")
    assert alone.actor is Actor.AGENT
    assert "every commit" in alone.reason


def test_a_person_beside_an_agent_is_a_person(base):
    by(base, "agent", requirement("req-0004"))
    by(base, "person", ENABLED, REWORDED)
    assert found(base) == []


def test_an_agent_beside_a_person_is_an_agent(base):
    by(base, "agent", ENABLED)
    by(base, "person", REWORDED)
    assert found(base) == ["I103"]


# -- the mark of a person's change ---------------------------------------------------


def test_a_person_who_forgets_the_mark_is_told(base):
    by(base, "person", requirement("req-0003", statement="New words.", updated=T1))
    assert found(base) == ["I105"]


@pytest.mark.parametrize("who", ["agent", "scan"])
def test_an_agent_that_rewords_what_nobody_marked_has_nothing_to_mark(base, who):
    reworded = requirement("req-0003", statement="New words.", updated=T1)
    by(base, who, reworded)
    assert found(base) == []
    by(base, "person", replace(reworded, status=Status.DISABLED))
    assert found(base) == []


def test_the_mark_may_come_in_a_later_commit(base):
    words = {"statement": "New words.", "updated": T1}
    by(base, "person", requirement("req-0003", **words))
    by(base, "person", requirement("req-0003", user_edited=True, **words))
    assert found(base) == []


# -- broken and repaired, and broken in two steps ------------------------------------


@pytest.mark.parametrize("who", ["agent", "person"])
def test_n155_what_an_agent_broke_and_anybody_put_back_passes(base, who):
    by(base, "agent", REWORDED, ENABLED)
    by(base, who, OWN, disabled("req-0002"))
    assert found(base) == []


def test_what_a_person_decided_anew_is_the_persons(base):
    by(base, "agent", REWORDED)
    by(base, "person", replace(OWN, statement="A person's words.", updated=T2))
    assert found(base) == []


@pytest.mark.parametrize("order", ["agent first", "person first"])
def test_a_person_who_touches_the_file_decides_nothing(base, order):
    hinted = replace(OWN, hints=("a hint",))
    if order == "agent first":
        by(base, "agent", REWORDED)
    else:
        by(base, "person", hinted)
    last = replace(REWORDED, hints=("a hint",))
    by(base, "person" if order == "agent first" else "agent", last)
    assert found(base) == ["I104"]


@pytest.mark.parametrize("between", ["agent", "person"])
def test_n038_an_agent_deletes_and_adds_again(base, between):
    base.git("rm", "-q", requirement_path("req-0002"))
    done(base, "agent")
    by(base, between, requirement("req-0004"))
    by(base, "agent", ENABLED)
    assert found(base) == ["I103"]


def test_n038_an_agent_breaks_the_file_and_writes_it_again(base):
    base.write(requirement_path("req-0002"), b"no requirement\n")
    done(base, "agent")
    by(base, "agent", ENABLED)
    assert found(base) == ["I103"]


def test_n038_an_agent_takes_the_mark_first_and_the_words_afterwards(base):
    by(base, "agent", requirement("req-0001"))
    by(base, "agent", requirement("req-0001", statement="Other words.", updated=T1))
    assert set(found(base)) == {"I104"}
    by(base, "person", replace(REWORDED, user_edited=False, hints=("a hint",)))
    assert set(found(base)) == {"I104"}


def test_what_a_person_added_on_the_way_is_protected_from_then_on(base):
    by(base, "person", disabled("req-0004"))
    by(base, "agent", requirement("req-0004", updated=T1))
    assert found(base) == ["I103"]


def test_a_domain_that_an_agent_rewrote(base):
    page = "version: 1\ndomains:\n  - name: core\n    description: {}\n"
    page += "    user_edited: true\n"
    base.write(DOMAINS, page.format("The core."))
    done(base, "person")
    base.git("branch", "-f", "base")
    base.write(DOMAINS, page.format("The heart."))
    done(base, "agent")
    assert found(base) == ["I106"]
    base.write(DOMAINS, page.format("The soul."))
    done(base, "person")
    assert found(base) == []


def test_what_a_side_branch_did_is_seen_through_the_merge(base):
    base.git("checkout", "-qb", "side", "base")
    by(base, "agent", REWORDED)
    base.git("checkout", "-q", "main")
    by(base, "person", requirement("req-0004"))
    base.git("merge", "-q", "--no-edit", "side")
    assert found(base) == ["I104"]


def test_an_agent_rewords_on_one_side_what_a_person_disables_on_the_other(base):
    base.git("checkout", "-qb", "side", "base")
    reworded = requirement("req-0003", statement="New words.", updated=T1)
    by(base, "agent", reworded)
    base.git("checkout", "-q", "main")
    by(base, "person", disabled("req-0003", updated=T2))
    base.git("merge", "-q", "--no-commit", "side", check=False)
    by(base, "person", replace(reworded, status=Status.DISABLED, updated=T2))
    assert found(base) == []


# -- a person's way out --------------------------------------------------------------


ALLOW = "drop it\n\nIntent-Allow: I101 req-0003 a key leaked, see SEC-12\n"


def drop(repo, who, message=ALLOW):
    repo.git("rm", "-q", requirement_path("req-0003"))
    done(repo, who, message)


def test_n049_a_revert_of_a_pushed_scan_is_a_finding_with_a_hint(base):
    by(base, "scan", requirement("req-0004"))
    base.git("branch", "-f", "base")
    base.git("revert", "--no-edit", "HEAD")
    (one,) = judged(base, from_ref="base").issues
    assert one.code == "I101"
    assert "git intent redact req-0004" in one.message


def test_n049_a_persons_trailer_lets_a_deletion_pass_and_is_reported(base):
    drop(base, "person")
    result = judged(base, from_ref="base")
    assert result.issues == ()
    assert "I101 req-0003 is allowed: a key leaked, see SEC-12" in result.notes


@pytest.mark.parametrize("who", ["agent", "scan"])
def test_n049_the_trailer_of_an_agent_allows_nothing(base, who):
    message = ALLOW + ("Intent-Scan: 20260101-abcd\n" if who == "scan" else "")
    base.git("rm", "-q", requirement_path("req-0003"))
    done(base, "agent" if who == "agent" else "person", message)
    assert found(base) == ["I101"]


@pytest.mark.parametrize(
    "trailer",
    [
        "Intent-Allow: I101 req-0001 another one",
        "Intent-Allow: I102 req-0003 another rule",
        "Intent-Allow: I101 req-0003",
        "Intent-Allow: I101 all a broom",
        "Intent-Allow: I101 req-0003 quoted\n\nmore text",
    ],
)
def test_n049_a_trailer_allows_what_it_names_and_gives_a_reason_for(base, trailer):
    drop(base, "person", f"drop it\n\n{trailer}\n")
    assert found(base) == ["I101"]


def test_a_link_may_be_allowed_to_change_but_no_other_rule(base):
    by(base, "person", superseded("req-0003", "req-0001", updated=T1))
    base.git("branch", "-f", "base")
    back = requirement("req-0003", created=T2, updated=T2)
    by(base, "person", back, message="x\n\nIntent-Allow: I102 req-0003 mistaken\n")
    assert found(base) == ["I107"]


def test_an_empty_commit_may_bring_the_trailer_afterwards(base):
    drop(base, "person", "drop it")
    assert found(base) == ["I101"]
    done(base, "person", ALLOW)
    assert found(base) == []


def test_trailers_stand_in_the_last_paragraph_after_a_subject():
    line = "Intent-Allow: i101 REQ-000A why not"
    assert allowances([f"subject\n\nbody\n\n{line}"]) == [
        Allowance("I101", "req-000a", "why not")
    ]
    assert allowances([line, f"{line}\n\nbody", "", f"subject\n{line}"]) == []


def test_a_finding_is_about_the_requirement_that_it_names_first():
    text = "the id changed from req-0001 to req-0002"
    changed = issue("I101", requirement_path("req-0001"), text)
    assert allowed(changed, [Allowance("I101", "req-0001", "x")])
    assert not allowed(changed, [Allowance("I101", "req-0002", "x")])
