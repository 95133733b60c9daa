"""A user's prompt arrives at the hook."""

import json
import os
from pathlib import Path

import pytest

from git_intent.ledger import spool
from git_intent.ledger.binding import Binder, Wish
from git_intent.ledger.names import chat_of
from tests.support.repo import Repo
from tests.support.session import Session, listing

STATE = ".local/state/git-intent"


def refs(repo: Repo) -> list[str]:
    return repo.git("for-each-ref", "--format=%(refname)", "refs/intent").split()


def unbound(home: Path) -> list[tuple[dict, bytes]]:
    """Headers and bytes of what lies outside of every chat."""
    files = sorted((home / STATE / "spool").glob("0*"))
    parted = [path.read_bytes().partition(b"\n") for path in files]
    return [(json.loads(line), data) for line, _, data in parted]


@pytest.mark.parametrize("value", [None, "", "elsewhere"])
def test_l002_without_a_namespace_nothing_is_captured(repo, home, tmp_path, value):
    if value == "elsewhere":
        Session(Repo.init(tmp_path / "other")).configure()
    elif value == "":
        repo.git("config", "intent.ledgerHome", str(repo.path))
        repo.git("config", "intent.namespace", "")
    before = listing(home, repo.path)
    session = Session(repo)
    done = session.run("UserPromptSubmit", session.payload("", prompt="words"))
    assert (done.code, done.out) == (0, "")
    (line,) = done.err.splitlines()
    assert ("intent.namespace" if value == "" else "intent.ledgerHome") in line
    assert listing(home, repo.path) == before
    assert refs(repo) == []


def test_l002_a_home_without_a_namespace_names_the_missing_key(repo):
    repo.git("config", "intent.ledgerHome", str(repo.path))
    (line,) = Session(repo).prompt("words").notes
    assert "intent.namespace" in line
    assert refs(repo) == []


IDS = [
    *("A", "a", "\u00e9", "e\u0301", "..", "a/b", "x.lock", "-x", "con", "%41"),
    *(" S-1 ", "S-1", "\ud800"),
]


def test_l003_l005_as_many_ledgers_as_ids_byte_for_byte(chat):
    for session in IDS:
        Session(chat.repo, session).prompt("words")
    found = refs(chat.repo)
    assert sorted(chat_of(ref)[1] for ref in found) == sorted(IDS)
    for session in IDS:
        view = Session(chat.repo, session).view()
        assert view["chat"] == session
        assert view["binding"] == {
            "host": "claude",
            "session": session,
            "route": "default",
        }


@pytest.mark.parametrize("session", [None, "", 7, "x" * 300, ["s"], {"id": "s-1"}])
def test_l004_what_is_no_session_id_makes_no_ledger_and_loses_nothing(
    chat, home, session
):
    chat.session = session
    for _ in range(2):
        answer = chat.prompt("words of the user")
        assert answer.out == b""
        assert "unbound" in answer.notes[0]
    assert refs(chat.repo) == []
    kept = unbound(home)
    assert [data for _, data in kept] == [b"words of the user"] * 2
    assert {header["kind"] for header, _ in kept} == {"unbound"}
    assert "chat" not in kept[0][0]


def test_l004_a_payload_without_a_session_is_kept(chat, home):
    chat.hook("UserPromptSubmit", b'{"prompt": "words"}')
    assert [data for _, data in unbound(home)] == [b"words"]


def test_l008_a_session_writes_where_its_first_prompt_was(chat, tmp_path):
    chat.prompt("one")
    other = Repo.init(tmp_path / "other")
    Session(other).configure()
    plain = tmp_path / "plain"
    plain.mkdir()
    chat.repo.commit("x")
    chat.repo.git("worktree", "add", "-q", "../linked")
    other.commit("x")
    chat.repo.git("submodule", "add", "-q", str(other.path), "inner")
    folders = (other.path, plain, tmp_path / "linked", chat.repo.path / "inner")
    for folder in folders:
        chat.turns += 1
        Session(Repo(folder), turns=chat.turns).prompt(folder.name)
    assert chat.sources() == [b"one", b"other", b"plain", b"linked", b"inner"]
    assert refs(other) == []
    assert refs(Repo(chat.repo.path / "inner")) == []


def test_l008_where_another_home_is_configured_the_session_only_reads(chat, tmp_path):
    chat.prompt("one")
    other = Session(Repo.init(tmp_path / "other"), turns=1).configure()
    assert "REFERENCE_ONLY" in other.prompt("two").context
    chat.turns = 2
    assert "REFERENCE_ONLY" not in chat.prompt("three").context


def test_l009_work_trees_stay_as_they_are(chat):
    chat.repo.commit("x")
    chat.repo.write("objective.txt", "of another chat\n")
    status = chat.repo.git("status", "--porcelain=v2", "--ignored")
    chat.prompt("one")
    chat.initial()
    chat.hook("SessionStart", source="compact")
    assert chat.repo.git("status", "--porcelain=v2", "--ignored") == status
    assert chat.repo.read("objective.txt") == b"of another chat\n"
    assert "of another chat" not in chat.objective()


def test_l012_a_prompt_while_its_session_is_shut_out_is_whole_or_not_there(
    chat, monkeypatch
):
    """The exclusion is recorded right after the prompt was kept."""
    chat.prompt("one")
    real = spool.keep

    def keep(*arguments):
        kept = real(*arguments)
        wish = Wish("claude", "s-1", "team", "s-1", "excluded", "a test drive")
        assert Binder(chat.home, chat.owner).bind(wish).exit_code == 0
        return kept

    monkeypatch.setattr(spool, "keep", keep)
    chat.prompt("two")
    monkeypatch.undo()
    chat.prompt("three")
    assert chat.sources() == [b"one", b"two"]


def test_l014_a_prompt_while_its_session_is_bound_goes_where_it_is_bound_to(
    chat, monkeypatch
):
    chat.prompt("one")
    other = Session(chat.repo, "s-2")
    other.prompt("two")
    real = spool.keep

    def keep(inbox, *arguments):
        monkeypatch.setattr(spool, "keep", real)
        wish = Wish("claude", "s-2", "team", "s-1", "owner", "the same chat")
        assert Binder(chat.home, other.owner).bind(wish).exit_code == 0
        return real(inbox, *arguments)

    monkeypatch.setattr(spool, "keep", keep)
    other.prompt("three")
    assert chat.sources() == [b"one", b"two", b"three"]
    assert other.ledger.waiting() == []


def test_l013_only_the_session_id_counts(chat):
    chat.prompt("one", session_title="a", model="m", cwd="/a", transcript_path="/t")
    chat.prompt("this is chat s-2", session_title="b", model="n", cwd="/b")
    assert len(refs(chat.repo)) == 1
    Session(chat.repo, "s-2").prompt(
        "this is chat s-1", session_title="a", model="m", cwd="/a", transcript_path="/t"
    )
    assert len(refs(chat.repo)) == 2
    assert chat.sources() == [b"one", b"this is chat s-2"]


def test_l015_the_same_id_from_another_host_reaches_nothing(chat, home):
    chat.prompt("of claude")
    other = Session(chat.repo, host="codex")
    (note,) = other.prompt("of codex").notes
    assert "bind" in note
    assert chat.sources() == [b"of claude"]
    ((header, data),) = unbound(home)
    assert (header["host"], data) == ("codex", b"of codex")


def test_l016_the_first_prompt_makes_the_ledger(chat):
    answer = chat.prompt("do this\r\nand that\0")
    commits = chat.repo.git("log", "--format=%s", chat.place.ref)
    assert len(commits.splitlines()) == 1
    lines = chat.repo.git("show", f"{chat.place.ref}:journal/000001.jsonl").splitlines()
    first, second = map(json.loads, lines)
    assert (first["type"], second["type"]) == ("ledger-created", "source-captured")
    body = second["body"]
    assert body["origin"] == "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR"
    assert body["state"] == "UNCLASSIFIED"
    assert body["source"] in chat.objective()
    assert body["source"] in answer.context
    assert chat.sources() == [b"do this\r\nand that\0"]


OURS = (
    "/x/objective.txt\ngit-intent ledger: words\n"
    "(end of the git-intent ledger's context)"
)
BLOCK = (
    "## Standing project requirements\n\nThese are established constraints and "
    "decisions for this project. Follow them unless\nthe task explicitly overrides "
    "one.\n\n- [req-0001] Keep it.\n"
)


@pytest.mark.parametrize("text", ["", " \t\r\n", OURS, f"{OURS}\n\n", BLOCK])
def test_l017_nothing_is_made_of_a_prompt_that_says_nothing(chat, home, text):
    before = listing(home, chat.repo.path)
    answer = chat.prompt(text)
    assert (answer.out, answer.notes) == (b"", [])
    assert listing(home, chat.repo.path) == before


@pytest.mark.parametrize("ours", [OURS, BLOCK])
def test_l017_our_own_text_before_a_prompt_is_a_span_to_skip(chat, ours):
    text = f"é\n\n{ours}\nthe real one"
    chat.prompt(text)
    (source,) = chat.view()["pending_sources"]
    assert chat.blob(source["sha256"]) == text.encode()
    skipped = b"".join(text.encode()[start:end] for start, end in source["skip"])
    assert ours.splitlines()[0].encode() in skipped
    assert b"the real one" not in skipped


def test_l019_the_second_prompt_moves_the_same_ref_on(chat):
    chat.prompt("one")
    first = chat.tip()
    chat.prompt("two")
    chat.repo.git("merge-base", "--is-ancestor", first, chat.place.ref)
    assert chat.view()["counts"]["sources"] == 2
    assert chat.view()["seq"] == 3


def test_l021_three_pending_prompts_are_named_oldest_first_before_advice(chat):
    chat.prompt("zero")
    chat.initial()
    chat.example("progress")
    for text in ("one", "two", "three"):
        answer = chat.prompt(text)
    pending = chat.pending()
    places = [answer.context.index(name) for name in pending]
    assert places == sorted(places)
    assert len(places) == 3
    assert answer.context.index("Next work (2) is held") > max(places)
    card = chat.objective()
    assert "NEXT WORK, HELD (2)" in card
    assert max(card.index(name) for name in pending) < card.index("NEXT WORK")


def test_l027_any_text_comes_back_byte_for_byte(chat):
    texts = [
        "a\r\nb\0c\u2028 ",
        "\ufeff with a mark",
        "no newline \U0001f600",
        "x" * 300_000,
    ]
    for text in texts:
        chat.prompt(text)
    assert chat.sources() == [text.encode() for text in texts]


def test_l033_one_payload_twice_is_one_source_the_words_again_another(chat):
    raw = chat.payload("UserPromptSubmit", prompt="same", prompt_id="t-1")
    chat.hook("UserPromptSubmit", raw)
    chat.hook("UserPromptSubmit", raw)
    assert len(chat.pending()) == 1
    chat.prompt("same", prompt_id="t-2")
    assert len(chat.pending()) == 2


def test_l033_without_a_turn_the_time_in_the_payload_tells_prompts_apart(chat):
    for stamp in ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", 1767323045000):
        chat.prompt("same", prompt_id=None, timestamp=stamp)
    assert len(chat.pending()) == 2
    for _ in range(2):
        chat.prompt("same", prompt_id=None)
    assert len(chat.pending()) == 4


def test_l119_what_is_printed_is_ascii(chat):
    chat.session = "\u2028 \U0001f600 漢"
    raw = chat.payload("UserPromptSubmit", prompt="漢字 \u2028 \ud800")
    done = chat.run("UserPromptSubmit", raw, env={"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert done.out.isascii()
    assert "\x7f" not in done.out
    assert json.loads(done.out)["hookSpecificOutput"]["hookEventName"]


@pytest.mark.parametrize("variable", ["COPILOT_CLI", "CURSOR_VERSION"])
def test_l033_hosts_that_run_claudes_hooks_have_their_own(chat, home, variable):
    chat.env = {variable: "1"}
    before = listing(home, chat.repo.path)
    assert chat.prompt("words").out == b""
    assert listing(home, chat.repo.path) == before


def test_l128_folders_and_files_are_for_the_user_alone(chat, home):
    before = os.umask(0)
    try:
        chat.prompt("words")
        Session(chat.repo, session=None).prompt("words")
    finally:
        os.umask(before)
    for top in (chat.repo.path / ".git/intent", home / STATE):
        for path in (top, *top.rglob("*")):
            assert path.stat().st_mode & 0o077 == 0, path


def test_a_setting_that_cannot_be_used_is_told_and_the_default_holds(chat):
    chat.repo.git("config", "intent.ledger.contextBytes", "10")
    answer = chat.prompt("words")
    assert any("intent.ledger.contextBytes: expected" in note for note in answer.notes)
    assert chat.pending()[0] in answer.context
