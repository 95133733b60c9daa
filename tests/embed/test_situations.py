"""The list of situations, and what a hint of it stands for."""

import pytest

from git_intent.embed.backends import resolve
from git_intent.embed.errors import ModelError
from git_intent.embed.relevance import embedded
from git_intent.embed.situations import parse, situations, widened, worded
from git_intent.embed.terms import terms
from git_intent.store.requirement_file import normalise


class Item:
    def __init__(self, id, texts, domains=()):
        self.id, self.texts, self.domains = id, texts, domains


def test_each_has_something_to_say_and_no_phrase_stands_twice():
    phrases = [phrase for one in situations() for phrase in one.phrases]
    assert all(one.about and one.phrases for one in situations())
    assert len(set(map(normalise, phrases))) == len(phrases)
    assert len({one.about for one in situations()}) == len(situations())


def test_phrases_are_written_as_they_are_kept():
    for one in situations():
        for phrase in one.phrases:
            assert phrase == " ".join(phrase.split())
            assert 2 <= len(phrase.split()) <= 10


def test_a_list_is_read():
    found = parse("logs, logging\n  add a log line\n  it is silent\ntests\n  fix it\n")
    assert [(one.about, one.phrases) for one in found] == [
        ("logs, logging", ("add a log line", "it is silent")),
        ("tests", ("fix it",)),
    ]


def test_a_phrase_of_the_list_stands_for_its_situation():
    assert widened("write a migration").startswith("write a migration, ")
    assert "add a column" in widened("write a migration")
    assert widened("Write our kind of migration") == "Write our kind of migration"


def test_as_words_count_those_that_few_situations_have():
    found = worded("write a migration")
    assert found.startswith("write a migration ")
    assert "column" in found.split()
    added = terms(found.removeprefix("write a migration"))
    holders = [set(terms(one.text)) for one in situations()]
    assert max(sum(term in held for held in holders) for term in added) <= 8
    assert worded("Write our kind of migration") == "Write our kind of migration"


@pytest.mark.parametrize("setting", ["", "keyword"])
def test_other_words_of_a_situation_find_by_meaning_but_not_by_words_alone(setting):
    rules = [
        "Changes to tables must be reversible.",
        "Buttons have a label.",
        "Use the logger of the project.",
    ]
    plain = [Item(f"req-{n}", (rule,)) for n, rule in enumerate(rules)]
    hinted = [Item("req-0", (rules[0], "write a migration")), *plain[1:]]
    task = "Look up records by their new field, the query is slow"
    before, after = (
        resolve(items, None, setting, False, {}).score(task)["req-0"]
        for items in (plain, hinted)
    )
    assert (after.score > before.score) == (not setting)
    assert (after.keyword > before.keyword) == (not setting)


def test_words_are_those_of_hints_alone_once_the_model_fails():
    items = [Item("req-0", ("Tables are reversible.", "write a migration"))]
    backend = resolve(items, None, "", False, {})
    assert backend.score("look up records")["req-0"].keyword > 0
    backend.fail("model2vec", ModelError("gone"))
    assert backend.score("look up records")["req-0"].keyword == 0


def test_only_hints_are_widened():
    phrase = "write a migration"
    assert embedded([Item("req-0", (phrase, phrase))]) == {
        "req-0": [phrase, widened(phrase)]
    }
