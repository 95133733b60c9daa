"""Markup goes, words stay."""

import pytest

from git_intent.scan.inline import clean


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Keep it short.[^1]", "Keep it short."),
        ("Keep it short [3].", "Keep it short."),
        ("Keep it short [#note]_.", "Keep it short."),
        ("Index `a[1]` and rows[1] stay", "Index `a[1]` and rows[1] stay"),
        ("Keep <b>it</b> <code>x * y</code><br>short", "Keep it `x * y` short"),
        ('<img src="a.png"> Keep <a href="b">it</a>', "Keep it"),
        ("Fill in <name> first", "Fill in <name> first"),
        ("Tabs&nbsp;&amp; spaces", "Tabs & spaces"),
        ("Ask on https://a.example/x[the forum].", "Ask on the forum."),
        ("Ask on xref:a.adoc[the forum].", "Ask on the forum."),
        ("See <https://a.example> first", "See https://a.example first"),
        ("Follow the [House Style] here", "Follow the House Style here"),
        ("Start with [scope] or [optional]", "Start with [scope] or [optional]"),
        ("Write `[scope] a **b** <i>` so", "Write `[scope] a **b** <i>` so"),
        ("Sort `src/**/a/**` and `b/**`", "Sort `src/**/a/**` and `b/**`"),
        ("Keep _one_ snake_case_name", "Keep one snake_case_name"),
        ("[![ok](b.svg)](c) Keep it", "Keep it"),
        ("Use [`run`](a 'b') first", "Use `run` first"),
        ("| 2.x | :white_check_mark: |", "| 2.x | ✅ |"),
        (
            "| 1.x | :x: |, start fixes with `:x:`",
            "| 1.x | ❌ |, start fixes with `:x:`",
        ),
    ],
)
def test_markup_goes_and_words_stay(raw, shown):
    assert clean(raw) == shown
    assert clean(shown) == shown
