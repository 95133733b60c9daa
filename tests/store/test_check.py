import subprocess
import sys
from dataclasses import replace

import pytest

from git_intent import secrets
from git_intent.store.check import CODES, check, check_file
from git_intent.store.intent_dir import DOMAINS, SCAN_STATE, requirement_path
from git_intent.store.issue import Severity
from git_intent.store.requirement import Level, Scope, Status
from tests.support.snapshots import content, requirement, store, superseded

PATH = requirement_path("req-0001")
GOOD = content(
    requirement("req-0001", hints=("when to do it",), scope=Scope(paths=("src/**",)))
)
TOKEN = "gh" + "p_" + "AbCdEfGh1234567890iJkLmNoPqRsTuVwXyZ"


def having(old: str, new: str) -> dict[str, bytes]:
    assert old.encode() in GOOD
    return {PATH: GOOD.replace(old.encode(), new.encode())}


def places(found):
    return [(f.code, f.line, f.col) for f in found]


def errors(found):
    return [f for f in found if f.severity is Severity.ERROR]


def at(snapshot: dict[str, bytes], text: str, path: str = PATH) -> tuple[int, int]:
    """Line and column of a text."""
    for number, line in enumerate(snapshot[path].decode().splitlines(), 1):
        if text in line:
            return number, line.index(text) + 1
    raise AssertionError(text)


def test_a_good_store_has_no_findings():
    good = store(
        requirement("req-0001", scope=Scope(Level.DOMAIN, ("api",), ("src/*.py",))),
        superseded("req-0002", "req-0001"),
        domains="  - name: api\n    description: The API.\n    paths: [src/**]\n",
    )
    good[SCAN_STATE] = b"last_commit: " + b"a1" * 20 + b"\n"
    assert check(good, tracked=["src/a.py"]) == []


def test_every_code_says_what_it_is_and_how_to_repair_it():
    assert all(code.title and code.repair for code in CODES.values())
    assert list(CODES) == sorted(CODES)
    assert {f"I10{n}" for n in range(1, 8)} <= CODES.keys()


def test_every_code_of_the_readers_is_explained():
    from git_intent.store.malformed import Code

    assert {code.value for code in Code} <= CODES.keys()


# -- files ---------------------------------------------------------------------


def test_n004_a_second_block_is_refused_at_its_fence():
    snapshot = {PATH: GOOD.rstrip(b"\n") + b"\n\n---\nid: req-0002\n---\n\nMore.\n"}
    lines = snapshot[PATH].decode().splitlines()
    second = [n for n, line in enumerate(lines, 1) if line == "---"][2]
    assert places(check(snapshot)) == [("I005", second, 1)]


def test_n005_names_that_are_no_ids():
    snapshot = {
        requirement_path("req-A3F8"): content(requirement("req-a3f8")),
        requirement_path("req-a3f"): content(requirement("req-0003")),
        requirement_path("req-0002"): GOOD,
    }
    snapshot = {
        path: data.replace(b"promise", path.encode()) for path, data in snapshot.items()
    }
    found = check(snapshot)
    assert {(f.code, f.path) for f in found} == {("I011", path) for path in snapshot}
    assert len(found) == 3


def test_n005_a_broken_file_is_told_of_its_bad_name_as_well():
    path = requirement_path("req-xyz")
    assert {f.code for f in check_file(path, b"no fence")} == {"I002", "I011"}


def test_n005_two_names_that_differ_by_case_only():
    snapshot = store(requirement("req-a3f8"))
    snapshot[requirement_path("req-A3F8")] = content(
        requirement("req-a3f8", statement="Another one.")
    )
    found = [f for f in check(snapshot) if f.code == "I025"]
    assert [f.path for f in found] == [requirement_path("req-a3f8")]
    assert "req-A3F8.md" in found[0].message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("status: active", "status: Active"),
        ("status: active", "status: [active]"),
        ("level: project", "level: global"),
        ("confidence: high", "confidence: certain"),
        ("kind: doc", "kind: rumour"),
        ("user_edited: false", 'user_edited: "true"'),
        ("user_edited: false", "user_edited: yes"),
        ("created: 2026-01-01T00:00:00Z", "created: yesterday"),
        ("updated: 2026-01-01T00:00:00Z", "updated: 2026-02-30"),
        ('hints:\n  - "when to do it"', "hints:\n  one: two"),
        ('paths: ["src/**"]', "paths: {a: b}"),
        ("level: project", "level: {project: yes}"),
    ],
)
def test_n012_a_bad_value_is_named_at_its_line_and_column(old, new):
    snapshot = having(old, new)
    key, _, value = new.replace("\n  ", " ").partition(": ")
    line, col = at(snapshot, new.splitlines()[-1].split(": ", 1)[0].lstrip())
    if "\n" not in new:
        col += len(key) + 2
    assert value
    assert places(errors(check(snapshot))) == [("I008", line, col)]


def test_n012_each_bad_value_is_named_once():
    bad = GOOD
    for old, new in [
        (b"status: active", b"status: on"),
        (b"level: project", b"level: global"),
        (b"confidence: high", b"confidence: 9"),
        (b"kind: doc", b"kind: rumour"),
        (b"user_edited: false", b"user_edited: maybe"),
        (b"created: 2026-01-01T00:00:00Z", b"created: soon"),
    ]:
        bad = bad.replace(old, new)
    found = check({PATH: bad})
    assert [f.code for f in found] == ["I008"] * 6
    assert len({f.line for f in found}) == 6


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("confidence: high", "confidence: high\nconfidence: low"),
        ("  level: project", "  level: project\n  level: domain"),
    ],
)
def test_n019_a_key_that_stands_twice(old, new):
    snapshot = having(old, new)
    line, _ = at(snapshot, new.splitlines()[1])
    assert [(f.code, f.line) for f in check(snapshot)] == [("I004", line)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_n020_newlines_and_marks_are_fine(newline):
    other = GOOD.replace(b"\n", newline.encode())
    assert check({PATH: b"\xef\xbb\xbf" + other}) == []
    assert check({PATH: other.replace(b"---", b"--- ", 1)}) == []


def test_damage_is_per_file():
    snapshot = store(requirement("req-0002"), requirement("req-0003"))
    snapshot[PATH] = b"---\nid: [\n"
    found = check(snapshot)
    assert {f.path for f in found} == {PATH}


def test_files_of_others_are_not_checked():
    snapshot = {
        ".cloche/intent/requirements/README.md": b"\xff no id",
        ".cloche/intent/notes/req-1.md": b"nothing",
        "src/main.py": b"<<<<<<< ours",
    }
    assert check(snapshot) == []


# -- body and duplicates --------------------------------------------------------


def test_n021_an_empty_statement():
    head = GOOD.partition(b"---\n\n")[0] + b"---\n"
    for body in (b"", b"\n\n", b"\n**Why:** no statement.\n"):
        assert [f.code for f in check({PATH: head + body})] == ["I010"]


def test_n021_the_second_of_two_equal_statements_names_the_first():
    snapshot = store(
        requirement("req-0001", statement="Use **tabs** everywhere."),
        requirement("req-0002", statement="use tabs  everywhere"),
        requirement("req-0003", statement="Use tabs here."),
    )
    found = check(snapshot)
    assert [(f.code, f.path) for f in found] == [("I031", requirement_path("req-0002"))]
    assert "req-0001" in found[0].message
    assert found[0].line == at(snapshot, "use tabs", found[0].path)[0]


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.DISABLED])
def test_n021_an_old_one_may_say_the_same(status):
    old = requirement("req-0001", statement="Use tabs.", status=status)
    old = replace(old, superseded_by="req-0002" if status == "superseded" else "")
    assert check(store(old, requirement("req-0002", statement="Use tabs."))) == []


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("Use tabs.\n\n# Heading\n\ntext", [3]),
        ("Heading\n=======\n\ntext", [2]),
        ("Use one of:\n\n- a\n- b", [3]),
        ("Use one of:\n\n1. a\n2. b", [3]),
        ("Use this:\n\n```\n- code\n# code\n```", [3]),
        ("# A\n\n- b\n\n```\nc\n```", [1, 3, 5]),
        ("Use a --- line\n\n---\n\nand **bold** - not a list.", []),
    ],
)
def test_markup_of_the_body_is_a_warning(body, lines):
    head = GOOD.partition(b"---\n\n")[0] + b"---\n\n"
    found = check({PATH: head + body.encode() + b"\n"})
    first = head.count(b"\n")
    assert [(f.code, f.line - first) for f in found] == [("I032", n) for n in lines]
    assert errors(found) == []


# -- conflicts -------------------------------------------------------------------

CONFLICT = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs"


def test_n024_conflict_markers_in_each_kind_of_file():
    snapshot = having("confidence: high", CONFLICT.format("confidence: high", "a: b"))
    snapshot[requirement_path("req-0002")] = GOOD + CONFLICT.format("a", "b").encode()
    snapshot[DOMAINS] = f"version: 1\n{CONFLICT.format('a: b', 'c: d')}\n".encode()
    snapshot[SCAN_STATE] = CONFLICT.format("last_commit: a", "last_commit: b").encode()
    found = check(snapshot)
    assert [f.code for f in found] == ["I006"] * 4
    for f in found:
        assert snapshot[f.path].decode().splitlines()[f.line - 1] == "<<<<<<< HEAD"


def test_n024_markers_inside_a_fenced_block_are_a_warning():
    fenced = f"\n```\n{CONFLICT.format('a', 'b')}\n```\n"
    snapshot = {PATH: GOOD + fenced.encode()}
    found = check(snapshot)
    assert errors(found) == []
    assert [f.code for f in found if f.code == "I033"] == ["I033", "I033"]
    assert found[1].line == at(snapshot, "<<<<<<<")[0]


def test_n024_a_diff3_base_counts_and_a_heading_does_not():
    assert [f.code for f in check({PATH: GOOD + b"||||||| base\n"})] == ["I006"]
    assert errors(check({PATH: GOOD + b"\nTitle\n=======\n"})) == []


# -- characters -------------------------------------------------------------------

UNSEEN = {
    "\u202e": "U+202E",
    "\u2066": "U+2066",
    "\u200b": "U+200B",
    "\u2060": "U+2060",
    "\ufeff": "U+FEFF",
    "\U000e0041": "U+E0041",
    "\u00ad": "U+00AD",
    "\u200f": "U+200F",
    "\u2028": "U+2028",
    "\x07": "U+0007",
    "\u200d": "U+200D",
    "\u200c": "U+200C",
    "\ufe0f": "U+FE0F",
}


@pytest.mark.parametrize("char", UNSEEN)
def test_n022_an_unseen_character_is_named_by_its_code_point(char):
    snapshot = having("promise", f"pro{char}mise")
    found = check(snapshot)
    assert [f.code for f in found] == ["I040"]
    assert UNSEEN[char] in found[0].message
    assert char not in str(found[0])
    lines = snapshot[PATH].decode().split("\n")
    assert char in lines[found[0].line - 1]
    assert lines[found[0].line - 1][found[0].col - 1] == char


def test_n022_an_unseen_character_written_as_an_escape():
    snapshot = having('"when to do it"', '"when \\u202e it"')
    found = check(snapshot)
    assert places(found) == [("I040", *at(snapshot, '"when'))]
    assert "U+202E" in found[0].message


def test_n022_comments_and_names_are_looked_at_too():
    assert [f.code for f in check(having("status:", "# a\u202eb\nstatus:"))] == ["I040"]
    domains = {DOMAINS: "domains:\n  - name: a\n    description: a\u200bb\n".encode()}
    assert [f.code for f in check(domains)] == ["I040"]


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم این را",
        "क्‍ष and ক্‌ষ",
        "a family 👨‍👩‍👧‍👦, a flag 🏳️‍🌈, a heart ❤️, a key 3️⃣, ℹ️ and 👩🏽‍💻",
        "England 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "combining: e\u0301, n\u0303, й",
        "עברית و العربية, ไทย, 日本語, 葛󠄀城",
        "non-breaking\u00a0space, “quotes”, – dashes…",
    ],
)
def test_n022_scripts_and_emoji_keep_what_they_need(text):
    assert check(having("promise", text)) == []


def test_n022_a_hidden_message_behind_an_emoji_is_found():
    payload = "❤" + "".join(chr(0xE0100 + n) for n in b"hello")
    assert {f.code for f in check(having("promise", payload))} == {"I040"}


# -- secrets ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("promise", TOKEN),
        ("when to do it", f"ask with {TOKEN}"),
        ("README.md", f"https://x/?t={TOKEN}"),
        ("status:", f"# {TOKEN}\nstatus:"),
        ("status: active", f"status: {TOKEN}"),
        ("id: req-0001", f"id: {TOKEN}"),
        ("level: project", f"{TOKEN}: 1\n  {TOKEN}: 2"),
    ],
)
def test_n023_a_secret_is_found_and_not_repeated(old, new):
    snapshot = having(old, new)
    found = check(snapshot)
    assert ("I041", *at(snapshot, TOKEN)) in places(found)
    assert not any(TOKEN[8:24] in str(f) for f in found)


def test_n023_a_secret_that_yaml_puts_together_is_found():
    folded = f'"ask with {TOKEN[:20]}\\\n    {TOKEN[20:]}"'
    escaped = f'"ask with {TOKEN[:20]}\\u{ord(TOKEN[20]):04x}{TOKEN[21:]}"'
    for spelled in (folded, escaped):
        found = check(having('"when to do it"', spelled))
        assert {f.code for f in found} == {"I041"}


def test_n023_a_secret_in_a_broken_file_is_found():
    found = check_file(PATH, f"no fence\n{TOKEN}".encode() + b"\xff")
    assert {f.code for f in found} == {"I001", "I041"}


@pytest.mark.parametrize(
    "text",
    [
        "123e4567-e89b-12d3-a456-426614174000",
        "3f786850e387550fdab836ed7e6dc881de23001b",
        "aGVsbG8gd29ybGQsIHRoaXMgaXMganVzdCBhIHRlc3QgZml4dHVyZQ==",
    ],
)
def test_n023_ids_and_fixtures_are_accepted(text):
    for old in ("promise", "when to do it", "README.md"):
        assert check(having(old, text)) == []


def test_n023_another_finder_may_be_asked_as_well():
    key = "AK" + "IA" + "Q7RMZK2LVW9XT4BN"
    finders = (secrets.find, secrets.second_opinion)
    found = check(having("promise", key), finders=finders)
    assert {f.code for f in found} == {"I041"}


# -- scope and domains ---------------------------------------------------------------


def test_n029_bad_maps_and_unknown_domains():
    named = store(requirement("req-0001", scope=Scope(Level.DOMAIN, ("api", "web"))))
    named[DOMAINS] = b"version: 1\ndomains:\n  - name: web\n"
    found = check(named)
    assert [f.code for f in found] == ["I020"]
    assert errors(found) == []
    assert "'api'" in found[0].message
    assert (found[0].line, found[0].col) == at(named, "api", PATH)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("version: 1\ndomains:\n  - name: My Domain\n", "I008", (3, 11)),
        ("version: 2\ndomains: []\n", "I009", (1, 10)),
        ("domains:\n  - name: a\n    paths: [ok/**, 'a\\b']\n", "I022", (3, 20)),
        ("domains:\n  - name: a\n    paths: ['{a,b}/**']\n", "I022", (3, 13)),
        ("domains:\n  - name: a\n  - name: a\n", "I008", (3, 11)),
    ],
)
def test_n029_a_bad_map_is_named_at_its_place(text, code, place):
    assert places(check({DOMAINS: text.encode()})) == [(code, *place)]


def test_n029_a_domain_that_was_removed_is_missed_by_its_requirements():
    before = store(
        requirement("req-0001", scope=Scope(Level.DOMAIN, ("api",))),
        domains="  - name: api\n",
    )
    assert check(before) == []
    del before[DOMAINS]
    assert [f.code for f in check(before)] == ["I020"]


def test_a_broken_map_makes_no_domain_unknown():
    snapshot = store(requirement("req-0001", scope=Scope(Level.DOMAIN, ("api",))))
    snapshot[DOMAINS] = b"domains: ["
    assert {f.path for f in check(snapshot)} == {DOMAINS}


def test_level_domain_needs_a_domain():
    snapshot = having("level: project", "level: domain")
    assert places(check(snapshot)) == [("I021", *at(snapshot, "domain"))]


@pytest.mark.parametrize(
    "glob", ["", " ", "a\\b", "[z-a]", "../x", "!", "#x", "/", "["]
)
def test_a_bad_glob_is_named(glob):
    snapshot = store(requirement("req-0001", scope=Scope(paths=("ok/**", glob))))
    assert [f.code for f in check(snapshot, tracked=["ok/a"])] == ["I022"]


def test_a_glob_that_matches_nothing_is_a_warning():
    snapshot = store(
        requirement("req-0001", scope=Scope(paths=("src/*.py", "lib/**", "!old"))),
        domains="  - name: api\n    paths: [src/**, docs/]\n",
    )
    found = check(snapshot, tracked=["src/a.py", "old"])
    assert {(f.code, f.path) for f in found} == {("I023", PATH), ("I023", DOMAINS)}
    assert {f.severity for f in found} == {Severity.WARNING}
    assert check(snapshot) == []


def test_a_link_without_its_status_is_a_warning():
    snapshot = having("status: active", "status: active\nsuperseded_by: req-0002")
    found = check(snapshot)
    assert [(f.code, f.severity) for f in found] == [("I024", Severity.WARNING)]
    assert check(having("status: active", 'status: active\nsuperseded_by: ""')) == []


def test_cursors_that_are_none_are_a_warning():
    state = b"last_commit: HEAD\nscanned_docs:\n  a.md: abc\n  b.md: " + b"0f" * 32
    found = check({SCAN_STATE: state})
    assert places(found) == [("I060", 1, 14), ("I061", 3, 9)]
    assert errors(found) == []
    second = b'repos:\n  "":\n    last_commit: zzz\n  api:\n    last_commit: ""\n'
    assert places(check({SCAN_STATE: second})) == [("I060", 3, 18)]


def test_findings_are_ordered_and_single():
    snapshot = store(
        requirement("req-0002"), requirement("req-0001"), domains="  - {}\n"
    )
    snapshot[PATH] = b"\xff"
    found = check(snapshot)
    assert found == sorted(set(found))


def test_rules_and_checks_import_nothing_heavy_before_they_need_it():
    code = (
        "import sys, git_intent.store.check, git_intent.store.rules\n"
        "import git_intent.store.history_proof, git_intent.scan.hostile\n"
        "heavy = 'yaml frontmatter pathspec pygit2 click detect_secrets subprocess'\n"
        "print([name for name in heavy.split() if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
