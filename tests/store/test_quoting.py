"""Whatever is spelled for YAML is read back as the same text by any reader."""

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.store.quoting import (
    double,
    flow,
    plain_stamp,
    quote,
    respell,
    sentence,
    single,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
SOUND = settings(derandomize=True, deadline=None, max_examples=300, database=None)
RETYPED = [
    *("y n yes no Yes NO on off On true false True null Null NULL ~ nan .nan".split()),
    *(".inf -.INF +.inf 0777 0o17 0x1F 0b11 1e10 1E+3 12:30 1:2:3 190:20:30".split()),
    *("1_000 .5 5. +1 -1 0 2026-09-13 2026-9-3 2026-09-13T10:00:00Z = << -".split()),
    *("[a {a &a *a !a |a >a %a @a `a \"a 'a #a ?a ,a ]a }a".split()),
    *("a,b a]b a: a#b .e3 1e".split()),
    *(
        "",
        " ",
        "a ",
        " a",
        "a #b",
        "a: b",
        "- a",
        "? a",
        "a\nb",
        "a\tb",
        "\x85",
        "\xa0",
    ),
    *(
        "--- a",
        "...",
        "no ",
        "naïve",
        "日本",
        "\ufeffa",
        "a\u2028b",
        "2026-09-13 10:00",
    ),
]


@pytest.mark.parametrize("text", RETYPED)
@pytest.mark.parametrize("spell", [quote, double, single])
def test_n015_nothing_is_retyped(spell, text):
    check(spell, text)


@SOUND
@example("", quote)
@given(TEXT, st.sampled_from([quote, double, single]))
def test_any_text_survives(text, spell):
    check(spell, text)


def check(spell, text):
    spelled = spell(text)
    assert "\n" not in spelled
    for document in (
        f"a: {spelled}",
        f"- {spelled} # b",
        f"[{spelled}, {spelled}]",
        f"{{a: {spelled}}}",
    ):
        for loader in (yaml.SafeLoader, yaml.CSafeLoader):
            read = yaml.load(document, Loader=loader)
            values = read.values() if isinstance(read, dict) else read
            assert {type(value) for value in values} == {str}
            assert set(values) == {text}
    if len(spelled) < 100:  # longer keys need another notation
        assert yaml.safe_load(f"{spelled}: 1") == {text: 1}


@pytest.mark.parametrize(
    "text", ["go", "intent-scan", "req-1e10", "c#", "a b", "naïve"]
)
def test_harmless_words_stay_plain(text):
    assert quote(text) == text


def test_a_sentence_stays_plain_on_its_own_line():
    text = "Version numbers, changelog, tags."
    assert sentence(text) == text
    assert quote(text) == f'"{text}"'
    assert sentence("all: of them") == '"all: of them"'


def test_invisible_characters_are_written_as_escapes():
    assert double("a\u202eb\u200bc\x07") == '"a\\u202Eb\\u200Bc\\x07"'
    assert double("\U000e0041") == '"\\U000E0041"'


def test_lists_stand_in_brackets():
    assert flow(["go", "no"]) == '[go, "no"]'
    assert flow(["go"], always=True) == '["go"]'
    assert flow([]) == "[]"


def test_a_text_takes_the_quoting_it_is_given():
    assert respell("it's", "'") == "'it''s'"
    assert respell("a", '"') == '"a"'
    assert respell("a", "") == "a"


def test_points_in_time_are_plain_and_nothing_else_is():
    assert plain_stamp("2026-09-13T10:00:00+02:00") == "2026-09-13T10:00:00+02:00"
    assert plain_stamp("2026-13-13T10:00:00Z") == '"2026-13-13T10:00:00Z"'
    assert plain_stamp("0777") == '"0777"'


def test_half_a_character_is_refused():
    with pytest.raises(IntentError, match="half a character"):
        quote("a\ud800")
