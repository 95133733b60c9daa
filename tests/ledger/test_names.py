"""Ids as components of refs and paths."""

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.ledger import names

ODD = [
    *("A", "a", "é", "e\u0301", "..", ".", "a/b", "x.lock", "-x", "--", "con", "CON"),
    *("nul", "aux", "prn", "com1", "lpt9", "com10", "con.txt", "%41", "%", "@{", "@"),
    *(" S-1 ", "\n", "\0", "\ud800", "ß", "ẞ", "ı", "I", "a.", "a ", "\\", "~^:?*["),
]


@pytest.mark.parametrize("identity", ODD)
def test_l003_git_accepts_every_component_and_it_leads_back(identity, tmp_path):
    ref = names.chat_ref("team", identity)
    subprocess.run(["git", "check-ref-format", ref], check=True)
    assert names.chat_of(ref) == ("team", identity)
    (tmp_path / names.escape(identity)).mkdir()


def test_l003_as_many_components_as_ids_where_file_systems_fold_case():
    assert len({names.escape(one).casefold() for one in ODD}) == len(ODD)


def test_l003_no_component_is_a_device_an_option_or_hidden():
    for identity in ODD:
        component = names.escape(identity)
        assert component.partition(".")[0] not in ("con", "nul", "aux", "prn", "com1")
        assert component[0] not in ".-"
        assert component[-1] not in ". "


@given(st.text(st.characters(), min_size=1, max_size=16))
def test_l003_any_text_leads_back(identity):
    component = names.escape(identity)
    assert names.unescape(component) == identity
    assert component.isascii()
    assert component == component.lower()
    assert os.sep not in component


@given(st.text("aAcon%-_.41é/", min_size=1, max_size=12))
def test_l003_a_component_has_one_spelling(component):
    try:
        identity = names.unescape(component)
    except IntentError:
        return
    assert names.escape(identity) == component


@pytest.mark.parametrize(
    "component",
    ["", "%", "%4", "%zz", "%C3%A9", "A", "%61", "a/b", "con", "-x", "%ff", "é"],
)
def test_l003_other_spellings_are_refused(component):
    with pytest.raises(IntentError):
        names.unescape(component)


@pytest.mark.parametrize("identity", [None, "", 7, True, ["a"], "a" * 201, "é" * 34])
def test_l004_what_is_no_id(identity):
    assert not names.usable(identity)


@pytest.mark.parametrize("identity", ["a" * 200, "é" * 33, " ", "0"])
def test_l004_what_is_one(identity):
    assert names.usable(identity)
    assert len(names.escape(identity)) <= names.LONGEST


def test_l004_a_long_id_is_refused_with_its_length():
    with pytest.raises(IntentError, match="201 bytes"):
        names.escape("a" * 201)
    with pytest.raises(IntentError, match="empty"):
        names.escape("")


@pytest.mark.parametrize(
    "ref", ["refs/heads/main", "refs/intent/ledger/team", "refs/intent/ledger/t/a/b"]
)
def test_other_refs_are_no_ledgers(ref):
    with pytest.raises(IntentError):
        names.chat_of(ref)
