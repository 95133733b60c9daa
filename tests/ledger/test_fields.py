"""Shapes of documents: each mistake is named by its pointer and its rule."""

import pytest

from git_intent.ledger import fields
from git_intent.ledger.refusal import Refusal

person = fields.record(
    {"name": fields.text(10, line=True), "born": fields.whole(1, 2000)},
    {"pets": fields.distinct(fields.choice("cat", "dog"), 1, 2), "note": fields.text()},
)
town = fields.record(
    {"people": fields.items(person, 0, 3)},
    {
        "by~/name": fields.mapping(fields.nullable(fields.digest), 0, 2),
        "open": fields.flag,
        "span": fields.span,
        "kind": fields.constant("town"),
        "of": fields.tagged("op", {"a": fields.record({"op": fields.text()})}),
    },
)
ANN = {"name": "Ann", "born": 1900}


@pytest.mark.parametrize(
    "value",
    [
        {"people": []},
        {"people": [ANN, {**ANN, "pets": ["cat", "dog"], "note": "two\nlines"}]},
        {"people": [], "by~/name": {"": None, "x/y": "0" * 64}},
        {"people": [], "open": False, "span": [0, 1], "kind": "town"},
        {"people": [], "of": {"op": "a"}},
    ],
)
def test_what_has_the_shape_passes(value):
    town(value, "")


@pytest.mark.parametrize(
    ("value", "pointer", "rule"),
    [
        (None, "", "must be an object, not null"),
        ([], "", "must be an object, not a list"),
        ({}, "/people", "missing"),
        ({"people": [], "peeple": 1}, "/peeple", "unknown field"),
        ({"people": [], "a/b~": 1}, "/a~1b~0", "unknown field"),
        ({"people": {}}, "/people", "must be a list, not an object"),
        ({"people": [ANN] * 4}, "/people", "must have at most 3 entries, not 4"),
        ({"people": [ANN, 1]}, "/people/1", "must be an object, not a number"),
        ({"people": [{"born": 1}]}, "/people/0/name", "missing"),
        ({"people": [{**ANN, "name": 1}]}, "/people/0/name", "must be a text"),
        ({"people": [{**ANN, "name": " \t"}]}, "/people/0/name", "blank"),
        ({"people": [{**ANN, "name": "ööööö!"}]}, "/people/0/name", "11 bytes"),
        ({"people": [{**ANN, "name": "a\nb"}]}, "/people/0/name", "one line"),
        ({"people": [{**ANN, "name": "a\x1b"}]}, "/people/0/name", "one line"),
        ({"people": [{**ANN, "name": "\ud83d"}]}, "/people/0/name", "surrogate"),
        ({"people": [{**ANN, "born": True}]}, "/people/0/born", "not a boolean"),
        ({"people": [{**ANN, "born": 1.0}]}, "/people/0/born", "whole number"),
        ({"people": [{**ANN, "born": 0}]}, "/people/0/born", "from 1 to 2000"),
        ({"people": [{**ANN, "pets": []}]}, "/people/0/pets", "at least 1"),
        ({"people": [{**ANN, "pets": ["cow"]}]}, "/people/0/pets/0", "cat, dog"),
        (
            {"people": [{**ANN, "pets": ["cat", "cat"]}]},
            "/people/0/pets/1",
            "stands twice",
        ),
        ({"people": [], "by~/name": {"a/b": 1}}, "/by~0~1name/a~1b", "sha256"),
        ({"people": [], "by~/name": {"a": "A" * 64}}, "/by~0~1name/a", "sha256"),
        ({"people": [], "by~/name": dict.fromkeys("abc")}, "/by~0~1name", "at most 2"),
        ({"people": [], "open": 0}, "/open", "true or false"),
        ({"people": [], "span": [1]}, "/span", "at least 2"),
        ({"people": [], "span": [1, 1]}, "/span", "empty or reversed"),
        ({"people": [], "span": [0, False]}, "/span/1", "whole number"),
        ({"people": [], "span": [-1, 1]}, "/span/0", "from 0"),
        ({"people": [], "kind": "city"}, "/kind", 'must be "town", not "city"'),
        ({"people": [], "of": []}, "/of", "must be an object"),
        ({"people": [], "of": {}}, "/of/op", "missing"),
        ({"people": [], "of": {"op": "b"}}, "/of/op", "must be one of a"),
        ({"people": [], "of": {"op": ["a"]}}, "/of/op", "not a list"),
        ({"people": [], "of": {"op": "a", "x": 1}}, "/of/x", "unknown field"),
    ],
)
def test_l142_a_mistake_is_named_by_pointer_and_rule(value, pointer, rule):
    with pytest.raises(Refusal) as caught:
        town(value, "")
    assert caught.value.code == "invalid-document"
    assert caught.value.pointer == pointer
    assert rule in caught.value.message


def test_an_unknown_field_is_answered_by_the_nearest_one():
    with pytest.raises(Refusal) as caught:
        town({"poeple": []}, "")
    assert caught.value.hint == "did you mean people?"


def test_a_long_value_is_not_repeated_in_full():
    with pytest.raises(Refusal) as caught:
        town({"people": [], "kind": "x" * 100_000}, "")
    assert len(caught.value.message) < 200
