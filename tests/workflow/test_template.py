"""The template language: constructs, values as data, the place of the block."""

import os
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.inject import prompt
from git_intent.workflow.template import LONGEST_VALUE, Kind, parse, resolve
from git_intent.workflow.trust import runs_command

VALUES = {
    "x": b"1",
    "task_description": b"do it",
    "prev_output": b"said",
    "main:build:result": b"fail",
    "evil": b"{{ $x }}{{! touch pwned }}{{ $intent }}$(touch pwned)`touch pwned`'\"",
}


class World:
    """Commands and files that are asked for."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.files = files or {}
        self.ran: list[bytes] = []

    def shell(self, command: bytes, values) -> bytes:
        self.ran.append(command)
        done = subprocess.run(
            ["sh", "-c", command],
            env={
                b"PATH": os.environb[b"PATH"],
                **{n.encode(): v for n, v in values.items()},
            },
            capture_output=True,
            check=True,
        )
        return done.stdout

    def read(self, path: str) -> bytes:
        return self.files[path]


def render(text: bytes, block: str = "", values=VALUES, **files: bytes) -> bytes:
    world = World({name.replace("_", "/"): data for name, data in files.items()})
    return resolve(
        parse(text, "p.md"),
        values,
        shell=world.shell,
        read=world.read,
        place=lambda own: prompt.place(own, block),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", b""),
        (b"no construct", b"no construct"),
        (b"{{ $x }}", b"1"),
        (b"{{$x}}", b"1"),
        (b"a {{\t $x \t}} b{{ $x }}", b"a 1 b1"),
        (b"{{{ $x }}}", b"{1}"),
        (b"{{ {{ $x }} }}", b"{{ 1 }}"),
        (b"{{ $main:build:result }}", b"fail"),
        (b"{{! printf 'a b' }}", b"a b"),
        (b"{{!printf a}}", b"a"),
        (b"{{! printf a\nprintf b }}", b"ab"),
        (b"{{! printf '%s' \"$x\" }}", b"1"),
        (b"{{! v=7; printf '%s' $$v }}", b"7"),
        (b"{{! printf '%s' '$$5' ${x}$(printf q) }}", b"$5q"),
        (b"{{@ f }}", b"bytes \xff {{ $x }}"),
        (b"{{@f}}", b"bytes \xff {{ $x }}"),
        (b"{{@ d/$x }}", b"in a folder"),
        (b"{task_description} {previous_output}", b"do it said"),
    ],
)
def test_constructs(text: bytes, expected: bytes):
    files = {"f": b"bytes \xff {{ $x }}", "d/1": b"in a folder"}
    world = World(files)
    assert resolve(parse(text), VALUES, shell=world.shell, read=world.read) == expected


@pytest.mark.parametrize(
    "text",
    [
        b"$x",
        b"{ { $x } }",
        b"{{ x }}",
        b"{{ $x }",
        b"{{ $x",
        b"{{ $ x }}",
        b"{{ $1 }}",
        b"{{ $x y }}",
        b"{{ $x\n}}",
        b"{{ $x }\n}",
        b"{{\n$x }}",
        b"{{",
        b"}}",
        b"{{}}",
        b"{{!}}",
        b"{{! }}",
        b"{{! never closed",
        b"{{@ never closed",
        b"{{@ }}",
        b"{{@ a\nb }}",
        b"{{! outer {{ inner }}",
        b"{{# comment }}",
        b"{{ % x }}",
        b"{{task_description}}",
        b"{task_description",
        b"{other}",
        b"\xff\xfe{{ \xff }}",
        b"\xef\xbb\xbf{{ x }}\r\n",
    ],
)
def test_what_is_no_construct_stays(text: bytes):
    assert render(text) == text
    assert parse(text).names == frozenset()


def test_an_unclosed_opener_does_not_swallow_what_follows():
    assert (
        render(b"{{! rm it {{ $x }} and {{@ oh {{$x}}") == b"{{! rm it 1 and {{@ oh 1"
    )


def test_what_is_put_in_is_not_looked_at_again():
    evil = VALUES["evil"]
    assert render(b"<{{ $evil }}>") == b"<" + evil + b">"
    assert render(b"<{{@ f }}>", f=evil) == b"<" + evil + b">"


def test_values_reach_commands_as_data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert render(b"{{! printf '%s' \"$evil\" }}") == VALUES["evil"]
    assert render(b"{{! printf '%s' $evil >/dev/null }}") == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"{{ $gone }}", "p.md:1:1"),
        (b"\xc3\xa4\n \xc3\xa4 {{ $gone }}", "p.md:2:4"),
        (b"{{@ a/$gone }}", "p.md:1:1"),
        (b"{{ $x }}\n\n{{! echo $gone }}", "p.md:3:1"),
    ],
)
def test_an_unresolved_variable_is_refused_with_its_place_before_anything_runs(
    text: bytes, place: str
):
    world = World()
    with pytest.raises(IntentError) as caught:
        resolve(
            parse(text + b"{{! printf later }}", "p.md"),
            VALUES,
            shell=world.shell,
            read=world.read,
        )
    assert caught.value.message == f"{place}: there is no value for '$gone'"
    assert "task_description" in caught.value.hint
    assert world.ran == []


def test_a_shell_variable_in_a_command_is_explained():
    with pytest.raises(IntentError) as caught:
        render(b"{{! echo $HOME }}")
    assert "$$HOME" in caught.value.hint


@pytest.mark.parametrize(
    ("value", "why"),
    [(b"a\0b", "holds a NUL byte"), (b"a" * (LONGEST_VALUE + 1), "is too long")],
)
def test_a_value_that_no_command_can_get_is_refused(value: bytes, why: str):
    world = World()
    text = parse(b"{{! printf first }}{{! printf '%s' \"$v\" }}")
    with pytest.raises(IntentError, match=why):
        resolve(text, {"v": value}, shell=world.shell, read=world.read)
    assert world.ran == []
    assert resolve(parse(b"{{ $v }}"), {"v": value}, shell=world.shell, read=world.read)


def test_names_and_warnings():
    found = parse(b"{{ $a }} {{! $b $$c }} {{@ $d/$$e }}\n {previous_output}", "p.md")
    assert found.names == {"a", "b", "d", "prev_output"}
    assert found.warnings == (
        "p.md:2:2: variables in single braces are outdated: write {{ $name }}",
    )
    assert parse(b"{{ $a }}").warnings == ()


# The block


BLOCK = "## Standing\n\n- [req-0001] x\n"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (b"a {{ $intent }} b", True),
        (b"{{$intent}}", True),
        (b"{{ $intentionally }}", False),
        (b"$intent", False),
        (b"{ { $intent } }", False),
        (b"{{! cat {{ $intent }}", True),
        (b"{{! echo \"$x\" '$$intent' }}", False),
    ],
)
def test_whether_the_block_has_a_place(text: bytes, places: bool):
    assert parse(text).places_intent is places


def test_the_block_gets_its_place_once():
    text = b"{{ $x }}\n{{ $intent }}\n{{ $intent }}\n{{ $x }}{{$intent}}{{ $x }}"
    assert render(text, BLOCK) == b"1\n" + BLOCK.encode() + b"11"
    assert render(text) == b"1\n11"


def test_without_a_place_the_block_stands_first():
    assert render(b"do {{ $x }}", BLOCK) == BLOCK.encode() + b"\ndo 1"
    values = {"intentionally": b"yes"}
    assert render(b"{{ $intentionally }}", BLOCK, values) == BLOCK.encode() + b"\nyes"


def test_a_place_in_a_value_or_in_a_file_is_text():
    evil = {"evil": b"{{ $intent }}"}
    head = BLOCK.encode()
    assert render(b"{{ $evil }}", BLOCK, evil) == head + b"\n{{ $intent }}"
    assert render(b"{{@ f }}", BLOCK, f=b"{{ $intent }}") == head + b"\n{{ $intent }}"
    assert render(
        b"{{ $evil }}{{ $intent }}", BLOCK, evil
    ) == b"{{ $intent }}" + head.rstrip(b"\n")


def test_the_block_is_never_looked_at_again():
    block = "{{ $x }} {{! touch pwned }} {task_description}\n"
    assert render(b"{{ $intent }} {{ $x }}", block) == block.strip().encode() + b" 1"


def test_text_that_looks_like_a_mark_is_text():
    for text in (b"\x000\x01{{ $x }}", b"\x000{{ $intent }}\x01{{ $x }}\x001\x01"):
        assert render(text) == prompt.place(text, "").replace(b"{{ $x }}", b"1")


# Any bytes

PIECES = st.sampled_from(
    [
        *(b"{{", b"}}", b"{", b"}", b"$", b"$$", b"!", b"@", b" ", b"\n", b"\r\n"),
        *(b"{{ $x }}", b"{{ $intent }}", b"{{ $intent", b"x", b"intent", b"\x000\x01"),
        *(b"{task_description}", b"\xff", b"\xef\xbb\xbf", b"{{! x }}", b"{{@ x }}"),
    ]
)
TEXTS = st.lists(PIECES | st.binary(max_size=5), max_size=25).map(b"".join)


class Anything(dict):
    def __missing__(self, name: str) -> bytes:
        return b"{{ $v }}"

    def __contains__(self, name: object) -> bool:
        return True


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(["", BLOCK]))
@example(b"{{! {{@ {{ $x }}", BLOCK)
def test_any_bytes_resolve_and_parts_cover_them(text: bytes, block: str):
    found = parse(text)
    commands = [part for part in found.parts if part.kind is Kind.COMMAND]
    # what trust does not ask about can start nothing
    assert runs_command(text) or not commands
    asked: list[bytes] = []

    def shell(command: bytes, values) -> bytes:
        asked.append(command)
        return b"{{ $intent }}"

    done = resolve(
        found,
        Anything(),
        shell=shell,
        read=lambda path: b"{{! y }}",
        place=lambda own: prompt.place(own, block),
    )
    assert len(asked) == len(commands)
    assert not block or block.rstrip("\n").encode() in done


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["", BLOCK]))
def test_a_template_of_placements_alone_is_what_inject_makes_of_it(text, block):
    found = parse(text)
    assert found.places_intent is bool(prompt.placements(text)) or any(
        part.kind in (Kind.COMMAND, Kind.FILE) for part in found.parts
    )
    if all(part.kind is Kind.TEXT for part in found.parts):
        assert render(text, block) == prompt.place(text, block)


@pytest.mark.parametrize(
    "piece",
    [
        b"{{",
        b"{",
        b"{{! ",
        b"{{@ ",
        b"{{! x }",
        b"{{ $x ",
        b"{{ $",
        b"{{! a {{ $x }} ",
        b"{{@ \n}}",
        b"{{@ \n",
        b"{{ $x }}",
        b"{task_description}",
        b"$x",
        b"{{ \t",
    ],
)
def test_hostile_text_is_read_in_linear_time(piece: bytes):
    text = piece * (600_000 // len(piece))
    assert parse(text).source == text  # quadratic work would take minutes


def test_bytes_of_the_template_are_all_kept():
    text = bytes(range(256)) * 4 + b"{{ x }}\r\n"
    assert render(text) == text
