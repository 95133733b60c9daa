"""`check --fix`: what can be meant in one way only is put right, once."""

import pytest
from hypothesis import given, settings

from git_intent.guard.fix import fixed_bytes
from git_intent.store.check import check_file
from git_intent.store.intent_dir import DOMAINS, SCAN_STATE, requirement_path
from git_intent.store.requirement import Scope
from tests.support.odd_files import dice, odd_file
from tests.support.snapshots import content, requirement

PATH = requirement_path("req-0001")
GOOD = content(
    requirement(
        "req-0001", scope=Scope(domains=("api",), paths=("src/**",)), user_edited=True
    )
).decode()


def put(old: str, new: str, text: str = GOOD) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("status: active", "status: Active"),
        ("status: active", "status: ACTIVE # sure"),
        ("status: active", 'status: "Active"'),
        ("level: project", "level: Project"),
        ("confidence: high", "confidence: HIGH"),
        ("kind: doc", "kind: Doc"),
        ("user_edited: true", 'user_edited: "true"'),
        ("user_edited: true", "user_edited: yes"),
        ("user_edited: true", "user_edited: 'Yes'"),
        ("domains: [api]", "domains: api"),
        ('paths: ["src/**"]', 'paths: "src/**"'),
        ('paths: ["src/**"]', "paths: src/**  # all of it"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_n161_a_safe_fault_is_repaired_in_its_line_alone(good, bad, newline):
    data = put(good, bad).replace("\n", newline).encode()
    assert check_file(PATH, data)
    fixed = fixed_bytes(PATH, data)
    assert check_file(PATH, fixed) == []
    old, new = data.decode().split(newline), fixed.decode().split(newline)
    changed = [line for line, other in zip(old, new, strict=True) if line != other]
    assert len(changed) == 1
    assert ("#" in changed[0]) == any("#" in line for line in new if line not in old)
    assert fixed_bytes(PATH, fixed) == fixed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("status: active", "status: live"),
        ("status: active", "status: active\nsuperseded_by: req-0002"),
        ("domains: [api]", "domains: api, docs"),
        ("domains: [api]", "domains: api docs"),
        ("id: req-0001", "id: req-0002"),
        ("  domains: [api]\n", "  domains: []\n"),
        ("created: 2026", "created: 26"),
        ("confidence: high", "confidence: high\nconfidence: low"),
        ("---\nid", "id"),
        ("user_edited: true", 'user_edited: "maybe"'),
        ("Always", "Al\u200bways"),
    ],
)
def test_n161_what_leaves_a_choice_stays(old, new):
    data = put(old, new).encode()
    assert fixed_bytes(PATH, data) == data


def test_n161_a_file_that_is_broken_and_a_persons_keeps_what_is_not_safe():
    """Two faults in a file that a person wrote: one is repaired, one is left."""
    text = put("status: active", "status: Active")
    text = put("confidence: high", "confidence: sure", text)
    fixed = fixed_bytes(PATH, text.encode())
    assert fixed.decode() == put("status: Active", "status: active", text)
    assert [found.code for found in check_file(PATH, fixed)] == ["I008"]
    unreadable = put("scope:", "scope: [", text).encode()
    assert fixed_bytes(PATH, unreadable) == unreadable


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_n161_cursors_that_are_none_are_dropped(newline):
    good = "a1" * 32
    text = (
        "last_commit: HEAD~1\n# kept\nscanned_docs:\n  A.md: changed\n"
        f"  B.md: {good}\n  C.md: ''\nlast_scan_at: 2026-01-01T00:00:00Z\n"
    ).replace("\n", newline)
    fixed = fixed_bytes(SCAN_STATE, text.encode())
    assert fixed.decode().split(newline) == [
        *("# kept", "scanned_docs:", f"  B.md: {good}"),
        *("last_scan_at: 2026-01-01T00:00:00Z", ""),
    ]
    only = b"scanned_docs:\n  A.md: changed\n"
    assert fixed_bytes(SCAN_STATE, only) == b"scanned_docs:\n"
    assert check_file(SCAN_STATE, b"scanned_docs:\n") == []


def test_n161_a_cursor_that_shares_its_line_stays():
    for text in (
        "{last_commit: HEAD~1}\n",
        "scanned_docs: {A.md: changed, B.md: other}\n",
        "last_commit:\n  HEAD~1\n",
    ):
        data = text.encode()
        fixed = fixed_bytes(SCAN_STATE, data)
        assert fixed == data or check_file(SCAN_STATE, fixed) == []


def test_n161_the_domain_map_is_left_alone():
    data = b"version: 1\ndomains:\n  - name: My Domain\n"
    assert check_file(DOMAINS, data)
    assert fixed_bytes(DOMAINS, data) == data


@settings(max_examples=100, deadline=None)
@given(dice)
def test_n161_odd_but_sound_files_are_never_touched(roll):
    odd = odd_file(roll)
    path = requirement_path(odd.requirement.id)
    assert fixed_bytes(path, odd.data) == odd.data


def test_n161_fix_writes_once_lists_the_rest_and_ends_with_1_until_clean(repo):
    other = requirement_path("req-0002")
    repo.write(PATH, put("status: active", "status: Active"))
    repo.write(other, content(requirement("req-0002")).replace(b"high", b"sure"))
    repo.commit("store")
    first = repo.intent("check", "--fix")
    assert first.code == 1
    assert f"repaired {PATH}" in first.err
    assert " I008 " in first.out
    assert "'Active'" not in first.out
    stamp = (repo.path / PATH).stat().st_mtime_ns
    again = repo.intent("check", "--fix")
    assert again.code == 1  # the other one is still there
    assert "repaired" not in again.err
    assert (repo.path / PATH).stat().st_mtime_ns == stamp
    repo.write(other, content(requirement("req-0002")))
    assert repo.intent("check", "--fix").code == 0
    assert repo.read(PATH).decode() == GOOD


def test_n161_fix_of_given_files_touches_these_only(repo):
    other = requirement_path("req-0002")
    bad = put("status: active", "status: Active")
    repo.write(PATH, bad)
    repo.write(other, bad.replace("req-0001", "req-0002"))
    found = repo.intent("check", "--fix", PATH)
    assert (found.code, found.out) == (1, "")
    assert repo.read(PATH).decode() == GOOD
    assert b"Active" in repo.read(other)
    assert repo.intent("check", "--fix", PATH).code == 0


def test_n161_in_a_hook_of_git_a_file_that_is_partly_staged_is_left_alone(repo):
    repo.write(PATH, put("status: active", "status: Active"))
    repo.git("add", "-A")
    repo.write(PATH, put("status: active", "status: Active") + "\nMore.\n")
    before = repo.read(PATH)
    index = {"GIT_INDEX_FILE": str(repo.path / ".git/index")}
    found = repo.intent("check", "--fix", PATH, env=index)
    assert found.code == 1
    assert "I008" in found.out
    assert repo.read(PATH) == before


def test_n161_fix_marks_a_persons_change_as_well(repo):
    repo.write(PATH, content(requirement("req-0001")))
    repo.commit("store")
    repo.write(PATH, content(requirement("req-0001", statement="Other words.")))
    assert repo.intent("check").code == 1
    found = repo.intent("check", "--fix")
    assert found.code == 1
    assert f"repaired {PATH}" in found.err
    assert b"user_edited: true" in repo.read(PATH)
    assert repo.intent("check", "--fix").code == 0
