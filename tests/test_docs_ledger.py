"""docs/ledger.md: its hour is lived through, its tables say what the program does."""

import json
import re
from pathlib import Path

import pytest

from git_intent.cli.ledger import COMMANDS as OFFERED
from git_intent.cli.main import root
from git_intent.ledger import anchor, fold, ledger_lock
from git_intent.ledger.actions import EFFECTS
from git_intent.ledger.refusal import CODES
from git_intent.ledger.transitions import OPERATIONS
from tests.support.console import Console, commands
from tests.support.markdown import Page
from tests.support.repo import Repo
from tools.gen_docs import manual, walk

ROOT = Path(__file__).resolve().parents[1]
PAGE = Page(ROOT / "docs" / "ledger.md")
HOUR = [block for block in PAGE.blocks if block.language == "console"]
SHOWN = "/home/ada/heron"


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables between a heading and the next one."""
    _, _, text = PAGE.text.partition(f"# {heading}\n")
    section = re.split(r"^#+ ", text, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[c.strip() for c in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if not set(row[0]) <= set("-|")]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_hour_of_a_chat_goes_as_the_page_tells(tmp_path):
    repo = Repo.init(tmp_path / "heron")
    console = Console(repo.path, SHOWN)
    done = 0
    for block in HOUR:
        for command, output in commands(block.text):
            console.pair(output, console.run(command))
            done += 1
    assert done > 40
    names = {"recover-source", "reconcile-effect", "progress", "verify", "owner-view"}
    assert all(f"git intent ledger {name}" in PAGE.text for name in names)


def test_the_page_has_a_classification_with_all_that_one_can_have():
    documents = [
        json.loads(command.split("\n", 1)[1].removesuffix("EOF"))
        for block in HOUR
        for command, _ in commands(block.text)
        if "document.json <<" in command
    ]
    found = [each for each in documents if "parts" in each]
    members = {name for each in found for name in each}
    assert members == {"source", "base_contract", "considered", "parts"}
    parts = [part for each in found for part in each["parts"]]
    assert {p["disposition"] for p in parts} == {
        *("INITIAL", "ADD", "CORRECT", "WITHDRAW")
    }
    assert max(len(each["parts"]) for each in found) == 2
    done = {t["op"] for part in parts for t in part["transitions"]}
    assert done == {"add", "correct", "retire", "carry"}


def test_l079_the_table_of_refusals_is_the_closed_list():
    table = {quoted(row[0])[0]: tuple(row[1:]) for row in rows("Refusals")[1:]}
    assert table == CODES


def test_the_table_of_events_is_whole():
    (_, *fields), (_, *types) = (
        list(group)
        for group in _split(rows("The event line"), lambda row: row[0] == "Type")
    )
    assert {quoted(row[0])[0] for row in types} == set(fold.TYPES)
    named = {name for row in fields for name in quoted(row[0])}
    assert named == fold_fields()


def _split(cells, is_second):
    at = next(number for number, row in enumerate(cells) if is_second(row))
    return cells[:at], cells[at:]


def fold_fields() -> set[str]:
    from git_intent.ledger.event import Event

    return {name for name in Event.__slots__ if name != "line"}


def test_every_command_with_a_document_has_its_row():
    assert {quoted(row[0])[0] for row in rows("Documents")[1:]} == set(fold.COMMANDS)
    assert set(fold.COMMANDS) < set(OFFERED)


def test_the_tables_of_dispositions_and_results_are_those_of_the_rules():
    table = {
        row[0].split(",")[0]: tuple(re.findall(r"[a-z]+", row[1].replace("with", "")))
        for row in rows("Classification")
        if row[0].split(",")[0] in OPERATIONS
    }
    del table["CORRECT"]
    wanted = {name: ops for name, ops in OPERATIONS.items() if name != "CORRECT"}
    assert table == wanted
    results = {
        name: tuple(quoted(row[1]))
        for row in rows("Results and effects")[1:]
        for name in quoted(row[0])
    }
    assert results == EFFECTS


def test_the_files_of_a_folder_have_the_fields_that_are_told():
    (told,) = [row[1] for row in rows("The folder") if row[0] == "`anchor`"]
    assert set(anchor._FIELDS) <= set(quoted(told))
    _, _, lock = PAGE.text.partition("### Lock of a ledger")
    wanted = {"v", *ledger_lock.Owner.__slots__}
    assert wanted <= set(quoted(lock.partition("It is removed")[0]))


def claims() -> dict[str, str]:
    """Everything that is said about the ledger, and where."""
    found = {page.name: page.read_text("utf-8") for page in ROOT.glob("docs/*.md")}
    found["README.md"] = (ROOT / "README.md").read_text("utf-8")
    found["the manual"] = manual()
    for trail, context in walk(root):
        found[" ".join(trail)] = context.get_help()
    for path in (ROOT / "git_intent").glob("hosts/*.py"):
        found[path.name] = path.read_text("utf-8")
    return found


def test_l078_the_trust_gap_is_stated_in_plain_words():
    text = " ".join(PAGE.text.split())
    for words in (
        "Ownership is a statement",
        "writes as the owner",
        "No host is made to keep them apart",
        "A capture proves nothing about who spoke",
        "Preflight holds what the host asks about",
    ):
        assert words in text
    assert "it proves nothing" in " ".join(
        claims()["git intent ledger owner-view"].split()
    )


@pytest.mark.parametrize(
    "claim",
    [
        r"only the (parent|owner|root)( session)? (can|may|is able to) write",
        r"(host|hosts) (enforces?|guarantees?|ensures?)",
        r"(child|subagent)s? can(not|'t) write",
        r"(prevents?|stops?) (a |the )?(child|subagent)",
        r"(proves|guarantees) (that )?(the )?(user|owner) (said|spoke|wrote)",
    ],
)
def test_l077_l078_nothing_claims_that_a_host_keeps_others_out(claim):
    for where, text in claims().items():
        found = re.search(claim, " ".join(text.split()), re.IGNORECASE)
        assert not found, f"{where}: {found and found[0]}"


def test_the_page_warns_of_what_takes_the_ledger_along():
    assert "git push --mirror" in PAGE.text
    assert "refs/intent/*" in PAGE.text
