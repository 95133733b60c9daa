"""Where the block goes, and that no other byte of a prompt changes."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_intent.inject.prompt import place, placements

BLOCK = "## Standing project requirements\n\n- [req-0001] Be kind.\n"
BARE = BLOCK.removesuffix("\n").encode()


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (b"a\n\n{{ $intent }}\n\nb\n", b"a\n\n" + BARE + b"\n\nb\n"),
        (b"a {{$intent}} b", b"a " + BARE + b" b"),
        (b"a\n{{ \t $intent\t}}\nb", b"a\n" + BARE + b"\nb"),
        (b"a\r\n{{ $intent }}\r\nb\r\n", b"a\r\n" + BARE + b"\r\nb\r\n"),
        (b"{{ $intent }}", BARE),
        (b"{{{ $intent }}}", b"{" + BARE + b"}"),
        (b"\xff{{ $intent }}\xfe\0", b"\xff" + BARE + b"\xfe\0"),
        (b"\xef\xbb\xbf{{ $intent }}\n", b"\xef\xbb\xbf" + BARE + b"\n"),
    ],
)
def test_n130_a_placement_gets_the_block_and_nothing_is_prepended(prompt, expected):
    assert place(prompt, BLOCK) == expected


def test_n130_of_two_placements_the_first_gets_it_and_the_second_nothing():
    prompt = b"a\n{{ $intent }}\nb {{$intent}} c\n  {{ $intent }} {{$intent}}\r\nd"
    assert place(prompt, BLOCK) == b"a\n" + BARE + b"\nb  c\nd"
    assert place(b"{{ $intent }}{{ $intent }}\n", BLOCK) == BARE + b"\n"
    assert place(b"{{ $intent }} {{ $intent }}\nx", BLOCK) == BARE + b" \nx"


@pytest.mark.parametrize(
    "words",
    [
        b"{{ $intentionally }}",
        b"$intent",
        b"{ { $intent } }",
        b"{{ intent }}",
        b"{{ $intent",
        b"{{ $intent }",
        b"{{ $Intent }}",
        b"{{ $intent.x }}",
        b"{{! echo $intent }}",
        b"{{@ intent.md }}",
        b"{{\n$intent }}",
        b"{{ $ intent }}",
        b"{{",
    ],
)
def test_n131_what_is_no_placement_stays_and_the_block_is_prepended(words):
    prompt = b"a\n" + words + b"\n"
    assert place(prompt, BLOCK) == BLOCK.encode() + b"\n" + prompt


def test_n131_a_placement_that_only_an_included_file_contains_is_none():
    prompt = b"{{@ rules.md }}\n"  # rules.md holds the placement
    assert place(prompt, BLOCK).endswith(b"\n\n" + prompt)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (b"a\n{{ $intent }}\nb\n", b"a\nb\n"),
        (b"a\r\n {{ $intent }}\t\r\nb\r\n", b"a\r\nb\r\n"),
        (b"a\n\n{{ $intent }}\n\nb\n", b"a\n\n\nb\n"),
        (b"a {{ $intent }} b\n", b"a  b\n"),
        (b"a\n{{ $intent }}", b"a\n"),
        (b"{{ $intent }}\nb", b"b"),
        (b"\xef\xbb\xbf{{ $intent }}\nb", b"\xef\xbb\xbfb"),
        (b"{{ $intent }}", b""),
        (b"{{ $intent }}\n{{ $intent }}\nb {{ $intent }}\n", b"b \n"),
    ],
)
def test_n132_with_nothing_to_render_a_placement_leaves_no_trace(prompt, expected):
    assert place(prompt, "") == expected


@pytest.mark.parametrize(
    "prompt", [b"", b"a", b"\xff\xfe\0\x80", b"\xef\xbb\xbfa\r\nb", b"a\n\n\n"]
)
def test_n133_without_placement_and_block_the_prompt_is_the_same(prompt):
    assert place(prompt, "") == prompt


@pytest.mark.parametrize(
    "prompt", [b"", b"a", b"---\nmode: x\n---\nb\n", b"\xff\r\n", b"\n\n"]
)
def test_n134_without_placement_the_block_comes_first(prompt):
    assert place(prompt, BLOCK) == BLOCK.encode() + b"\n" + prompt


def test_n127_a_block_is_not_looked_at_again():
    nested = "- {{ $intent }}\n"
    assert place(b"x {{ $intent }}", nested) == b"x - {{ $intent }}"


PIECES = st.sampled_from(
    [
        *(b"{{ $intent }}", b"{{$intent}}", b"{{", b"}}", b"$intent", b" ", b"\n"),
        *(b"\r\n", b"a", b"\xff", b"{", b"\xef\xbb\xbf", b"{{ $intentionally }}"),
    ]
)


@given(st.lists(PIECES, max_size=14), st.sampled_from(["", BLOCK]))
@example([b"{{ $intent }}", b"\n", b"{{$intent}}"], "")
@settings(max_examples=300, deadline=None)
def test_n130_all_that_is_no_placement_survives_in_order(pieces, block):
    prompt = b"".join(pieces)
    out = place(prompt, block)
    if not placements(prompt):
        assert out == (block.encode() + b"\n" + prompt if block else prompt)
        return
    assert out.count(BARE) == bool(block)
    assert out == _by_the_book(prompt, block)


def _by_the_book(prompt: bytes, block: str) -> bytes:
    """Line by line, as the rule is told to people."""
    mark = b"\xef\xbb\xbf" if prompt.startswith(b"\xef\xbb\xbf") else b""
    text = block.removesuffix("\n").encode()
    out = []
    for line in prompt.removeprefix(mark).split(b"\n"):
        found = placements(line)
        rest = line
        got = False
        for start, end in reversed(found):
            first = bool(text) and start == found[0][0]
            rest = rest[:start] + (text if first else b"") + rest[end:]
            got = got or first
        text = b"" if got else text
        out.append(None if found and not got and not rest.strip() else rest)
    last = out.pop()
    kept = [line + b"\n" for line in out if line is not None]
    return mark + b"".join([*kept, last or b""])
