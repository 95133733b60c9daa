"""A review as a comment: shown, harmless, bounded."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from git_intent.review.changes import compare
from git_intent.review.render_markdown import LIMIT, MARK, escape, render
from tests.support.snapshots import requirement, store

GITHUB = MarkdownIt("gfm-like", {"html": True, "linkify": False})
R = requirement()


def shown(text):
    """What a reader sees of escaped text: its HTML without the zero-width marks."""
    html = GITHUB.render(f"- {escape(text)}").replace("\u200b", "")
    return html.removeprefix("<ul>\n<li>").removesuffix("</li>\n</ul>\n")


def html_of(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


HOSTILE = [
    "@team and @octo-org/team, see #12 and GH-12",
    "<script>alert(1)</script> <!-- --> &lt; &amp;",
    "`code` ``two`` ```three",
    "a | b || c",
    "**bold** _em_ ~~gone~~ [x](http://h.example/1) ![i](u)",
    "https://github.example/o/r/issues/12 and www.example.com",
    "!12 %3 ~bug $4 &5 ^alert o/r#12 :tada:",
    "# no heading",
    "- no list",
    "1. no list",
    "> no quote",
    "\\*",
    "$x^2$ and $$y$$",
    "[ ] no task",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_n165_a_statement_is_shown_as_it_is(text):
    assert shown(text).replace("&quot;", '"') == html_of(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_n165_no_mention_reference_or_link_is_left(text):
    html = GITHUB.render(escape(text))
    for harmful in ("@t", "@o", "#12", "!12", "GH-12", "://", "~b", "%3", ":tada:"):
        assert harmful not in html
    assert "<a" not in html
    assert "<script" not in html


@given(st.text(st.sampled_from("ab1 @#<>&`|*_[]()!~$^:/-+=.\\\"'"), max_size=30))
def test_n165_any_text_is_shown_as_it_is(text):
    plain = " ".join(text.split())
    if not plain:
        return
    assert shown(plain).replace("&quot;", '"') == html_of(plain)


def test_n165_one_comment_with_its_mark_first():
    text = render(compare({}, store(R)), {})
    assert text.startswith(f"{MARK}\n### Project intent: 1 added\n")
    assert "- `req-0001` **added**\n  - Always keep the promise of req-0001.\n" in text


def test_lines_of_a_statement_become_breaks():
    text = render(compare({}, store(replace(R, statement="Always:\n- a\n- b"))), {})
    assert "  - Always:<br>\\- a<br>\\- b\n" in text


@pytest.mark.parametrize("sign", ["x", "中", "@a "])
@pytest.mark.parametrize(("count", "length"), [(900, 100), (40, 20000), (1, 300000)])
def test_n165_the_size_is_bounded_and_the_rest_counted(sign, count, length):
    words = (sign * length)[:length].strip()
    many = [requirement(f"req-{n:04x}", statement=f"{n} {words}") for n in range(count)]
    text = render(compare({}, store(*many)), {}, "git intent diff a`b")
    assert len(text.encode()) <= LIMIT
    there = text.count("**added**")
    if there == count:
        return
    assert f"… {count - there} more change" in text
    assert text.endswith("`git intent diff a'b` prints all of them.")
