"""Links of the whole store, whether or not a change touches them."""

import random

import pytest

from git_intent.guard.links import broken_links
from git_intent.store.facts import fact
from git_intent.store.intent_dir import requirement_path
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.rules_links import judge_links
from git_intent.store.rules_view import Reader, view
from tests.support.guarding import put
from tests.support.snapshots import content, requirement, store, superseded

IDS = [f"req-000{digit:x}" for digit in range(8)]


def of_facts(files: dict[str, bytes]) -> list[Issue]:
    reader = Reader()
    read = (fact(path, files[path], reader) for path in sorted(files))
    return broken_links([one for one in read if one], files, reader)


def test_facts_tell_what_the_rules_say():
    for seed in range(150):
        found = _some_store(random.Random(seed))
        assert of_facts(found) == sorted(judge_links(view(found, Reader()))), seed


def _some_store(rng: random.Random) -> dict[str, bytes]:
    found = {}
    for id in IDS:
        kind = rng.choice(["active", "link", "link", "empty", "broken", "missing"])
        by = rng.choice([*IDS, "req-00ff"])
        data = {
            "active": content(requirement(id)),
            "link": content(superseded(id, by)),
            "empty": content(requirement(id, status=Status.SUPERSEDED)),
            "broken": b"---\nstatus: superseded\n",
        }.get(kind)
        if data is not None and rng.random() < 0.7:
            if rng.random() < 0.2:
                data = data.replace(b"\nstatus: ", b"\n# said\nstatus:   ", 1)
            name = rng.choice(IDS) if rng.random() < 0.2 else id
            found[requirement_path(name)] = data
    return found


def test_a_long_chain_is_walked_once():
    ids = [f"req-{number:04x}" for number in range(5000)]
    chain = map(superseded, ids, ids[1:])
    assert of_facts(store(*chain, requirement(ids[-1]))) == []


@pytest.mark.parametrize(
    "bad",
    [
        [requirement("req-0001", status=Status.SUPERSEDED)],
        [superseded("req-0001", "req-0001")],
        [superseded("req-0001", "req-00ff")],
        [superseded("req-0001", "req-0002"), superseded("req-0002", "req-0001")],
    ],
    ids=["empty", "itself", "unknown", "circle"],
)
def test_n037_check_names_every_member_of_a_bad_link(repo, bad):
    put(repo, *bad)
    repo.commit("it was there before")
    done = repo.intent("check")
    assert done.code == 1
    assert "I102" in done.out
    for found in bad:
        assert found.id in done.out
