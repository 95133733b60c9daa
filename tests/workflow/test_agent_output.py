"""What an agent said, from streams of events and from plain text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.workflow.agent_output import KEPT, Listener, read


def stream(*events: object) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def assistant(*texts: str, **usage: int) -> dict:
    content = [{"type": "text", "text": text} for text in texts]
    return {"type": "assistant", "message": {"content": content, "usage": usage}}


INIT = {"type": "system", "subtype": "init", "model": "m"}


def test_plain_text_is_said_as_it_is():
    said = read(b"hello\n\xff\n")
    assert (said.text, said.answer, said.error) == (b"hello\n\xff\n",) * 2 + ("",)


def test_a_stream_of_claude():
    said = read(
        stream(
            INIT,
            assistant("I look.", input_tokens=5, output_tokens=1),
            {"type": "user", "message": {"content": [{"type": "text", "text": "no"}]}},
            assistant("Done."),
            {
                "type": "result",
                "subtype": "success",
                "is_error": False,
                "result": "Done.",
                "usage": {"input_tokens": 10, "output_tokens": 20},
            },
        )
    )
    assert said.text == b"I look.\nDone."
    assert said.answer == b"Done."
    assert (said.error, said.input_tokens, said.output_tokens) == ("", 10, 20)


def test_tokens_are_summed_where_no_total_comes():
    said = read(
        stream(INIT, assistant("a", output_tokens=3), assistant(output_tokens=4))
    )
    assert said.output_tokens == 7


def test_a_result_that_was_not_said_before_is_said_last():
    said = read(stream(INIT, assistant("a"), {"type": "result", "result": "b"}))
    assert (said.text, said.answer) == (b"a\nb", b"b")


def test_what_tools_print_is_not_said():
    said = read(
        stream(
            INIT,
            {
                "type": "user",
                "message": {
                    "content": [{"type": "tool_result", "content": "CLOCHE_RESULT:x"}]
                },
            },
            {
                "type": "assistant",
                "message": {
                    "content": [{"type": "tool_use", "input": "CLOCHE_RESULT:x"}]
                },
            },
            {"type": "tool_use", "part": {"state": {"output": "CLOCHE_RESULT:x"}}},
        )
    )
    assert said.text == said.answer == b""


@pytest.mark.parametrize(
    ("event", "error"),
    [
        ({"type": "result", "is_error": True, "result": "no  credit"}, "no credit"),
        (
            {"type": "result", "subtype": "error_during_execution"},
            "error_during_execution",
        ),
        ({"type": "result", "is_error": True}, "it failed"),
        ({"type": "error", "error": {"name": "E", "data": {"message": "m"}}}, "m"),
        ({"type": "error", "error": {"name": "E"}}, "E"),
        ({"type": "error", "error": "words"}, "words"),
        ({"type": "error"}, "it reported an error"),
    ],
)
def test_events_of_errors(event: dict, error: str):
    said = read(stream(INIT, assistant("a"), event))
    assert (said.error, said.text) == (error, b"a")


def test_a_stream_of_opencode():
    said = read(
        stream(
            {"type": "step_start", "part": {"type": "step-start"}},
            {"type": "text", "part": {"type": "text", "text": "Hello"}},
            {"type": "tool_use", "part": {"type": "tool", "tool": "bash"}},
            {"type": "step_finish", "part": {"tokens": {"input": 4, "output": 2}}},
            {"type": "text", "text": "Bye"},
            {"type": "step_finish", "part": {"tokens": {"input": 1, "output": 1}}},
        )
    )
    assert (said.text, said.answer) == (b"Hello\nBye", b"Bye")
    assert (said.input_tokens, said.output_tokens) == (5, 3)


def test_other_lines_of_a_stream_are_plain_text():
    out = stream(INIT) + b"warning \xff\n\n" + stream(assistant("a"), {"type": "new"})
    assert read(out).text == b'warning \xff\na\n{"type": "new"}'


@pytest.mark.parametrize(
    "first", [b"text", b"{", b"[]", b'{"type": 1}', b'{"type": []}', b"{" * 5000]
)
def test_events_inside_plain_text_mean_nothing(first: bytes):
    out = b"\n" + first + b"\n" + stream({"type": "result", "is_error": True})
    assert read(out).error == ""
    assert read(out).text == out


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type message content text part error usage result tokens output data"
                " is_error subtype".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["assistant", "result", "text", "step_finish", "error", "user"]
            ),
            st.dictionaries(st.text(max_size=5), JSON, max_size=2) | JSON,
        ),
        max_size=6,
    )
)
def test_events_of_any_shape_are_read(events):
    rows = [
        {**(body if isinstance(body, dict) else {"message": body}), "type": kind}
        for kind, body in events
    ]
    said = read(stream(INIT, *rows))
    assert said.output_tokens >= 0


def test_half_a_pair_of_surrogates_is_replaced():
    out = stream(INIT) + b'{"type": "text", "text": "a\\ud83d"}\n'
    assert read(out).text == b"a?"


def test_a_message_in_several_events_is_counted_once():
    def event(text: str, used: int) -> dict:
        message = assistant(text, output_tokens=used)["message"]
        return {"type": "assistant", "message": {**message, "id": "msg_1"}}

    assert read(stream(INIT, event("a", 3), event("b", 7))).output_tokens == 7


@given(st.lists(st.integers(1, 40), max_size=30), st.booleans())
def test_output_in_pieces_means_the_same(sizes, plain):
    out = stream(INIT, assistant("a b", output_tokens=3)) + b"words\n"
    out += stream({"type": "result", "result": "done"}) + b"the end"
    out = b"\n \n" + (b"no stream\n" if plain else b"") + out
    listener = Listener()
    rest = out
    for size in sizes:
        listener.feed(rest[:size])
        rest = rest[size:]
    listener.feed(rest)
    assert listener.said() == read(out)
    assert listener.output_tokens == (0 if plain else 3)


def test_the_last_part_of_a_long_plain_text_is_kept():
    listener = Listener()
    for _ in range(5):
        listener.feed(b"x" * KEPT)
    listener.feed(b"the end")
    said = listener.said()
    assert len(said.text) == KEPT
    assert said.text.endswith(b"xthe end")


def test_a_line_too_long_for_an_event_is_passed_over():
    listener = Listener()
    listener.feed(stream(INIT) + b'{"type": "user", "message": "')
    for _ in range(5):
        listener.feed(b"CLOCHE_RESULT:x " * (KEPT // 16))
    listener.feed(b'"}\n' + stream(assistant("a")))
    assert listener.said().text == b"a"


def test_the_last_part_of_a_long_stream_is_kept():
    listener = Listener()
    for number in range(6):
        listener.feed(stream(assistant(str(number) * (KEPT // 2))))
    said = listener.said()
    assert len(said.text) <= 2 * KEPT
    assert said.answer == b"5" * (KEPT // 2)
