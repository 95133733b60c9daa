"""What words keyword search compares."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.embed.terms import terms


@pytest.mark.parametrize(
    "spelling", ["parseInt", "parse_int", "parse-int", "ParseInt", "PARSE_INT"]
)
def test_an_identifier_is_found_whole_and_by_its_parts(spelling):
    assert terms(spelling) == ["parseint", "pars", "int"]


def test_runs_of_capitals_are_one_part():
    assert terms("parseHTTPHeader") == ["parsehttpheader", "pars", "http", "header"]
    assert terms("HTTP") == ["http"]


def test_paths_and_versions_are_split_at_their_joints():
    assert {"src", "tool", "main", "go"} <= set(terms("src/tools/main.go"))
    assert terms("--no-verify") == ["noverify", "verify"]


@pytest.mark.parametrize(
    "forms",
    [
        "commit commits committed committing",
        "use uses used using",
        "rename renamed renames renaming",
        "policy policies",
        "test tests tested testing",
    ],
)
def test_english_forms_meet(forms):
    assert len(set(terms(forms))) == 1


def test_words_that_only_look_inflected_stay():
    assert terms("bus string need class") == ["bus", "string", "need", "class"]


def test_the_commonest_words_do_not_count():
    assert terms("Should we not do this with the API?") == ["api"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("İSTANBUL", "istanbul"),
        ("IŞIK", "ışık"),
        ("STRASSE", "Straße"),
        ("ÜBERSCHRIFT", "überschrift"),
        ("ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς"),
        ("ﬁle", "FILE"),
        ("e\u0301tat", "État"),
    ],
)
def test_n152_case_folds_without_a_locale(one, other):
    assert terms(one) == terms(other)


def test_n152_no_blanks_between_words():
    assert terms("数据库迁移") == ["数据", "据库", "库迁", "迁移"]
    assert set(terms("不要重命名数据库迁移。")) >= set(terms("数据库迁移"))
    assert set(terms("データベースを変更")) >= set(terms("データベース"))
    assert set(terms("กรุณาทดสอบ")) >= set(terms("ทดสอบ"))
    assert terms("库") == ["库"]


def test_n152_scripts_beside_each_other_are_told_apart():
    assert terms("用API接口") == ["用", "API".lower(), "接口"]


def test_marks_that_belong_to_the_letter_stay():
    assert terms("デ") != terms("テ")
    assert terms("हिन्दी") == ["हिन्दी"]


@given(st.text())
def test_any_text_gives_terms_without_blanks(text):
    for term in terms(text):
        assert term
        assert term == "".join(term.split())


@given(st.lists(st.text(), max_size=4))
def test_remembering_changes_nothing(texts):
    known = {}
    assert [terms(text, known) for text in texts] == [terms(text) for text in texts]


def test_plain_text_needs_no_character_database(monkeypatch):
    monkeypatch.setitem(sys.modules, "unicodedata", None)
    assert terms("rename the table") == ["renam", "tabl"]
