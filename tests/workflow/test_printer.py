"""Printing is the inverse of reading, and reading is total."""

import random
import re
import signal
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.workflow.catalog import builtins
from git_intent.workflow.lexer import quote
from git_intent.workflow.model import (
    Agent,
    Block,
    Collect,
    Field,
    Form,
    GlobalWire,
    Ref,
    Step,
    Value,
    Wire,
    Workflow,
)
from git_intent.workflow.parser import parse
from git_intent.workflow.printer import render
from git_intent.workflow.soundness import examine

names = st.from_regex(r"[a-zé_][a-z0-9_]{0,5}(-[a-z0-9]{1,3})?", fullmatch=True)
texts = st.text(st.characters(codec="utf-8"), max_size=12)
text_values = st.builds(Value, st.just(Form.TEXT), texts)
name_values = names.map(lambda n: Value(Form.NAME, n))
dotted = st.lists(names, min_size=1, max_size=3).map(
    lambda parts: Value(Form.NAME, ".".join(parts))
)
numbers = st.from_regex(r"[0-9]{1,30}", fullmatch=True).map(
    lambda n: Value(Form.NUMBER, n)
)
calls = st.tuples(names, texts).map(
    lambda made: Value(
        Form.CALL, f"{made[0]}({quote(made[1])})", (Value(Form.TEXT, made[1]),)
    )
)
lists = st.lists(text_values | name_values, max_size=4).map(
    lambda items: Value(Form.LIST, ",".join(i.text for i in items), tuple(items))
)
scalars = text_values | dotted | numbers | calls
SPECIAL = ("intent", "intent_tracking", "token-limit", "max_attempts")
keys = names.filter(lambda n: n not in SPECIAL)


def tupled(one, most=3):
    return st.lists(one, max_size=most).map(tuple)


step_fields = st.builds(
    Field,
    st.lists(keys, min_size=1, max_size=3).map(".".join),
    scalars | lists,
)
workflow_fields = st.sampled_from(
    [
        (),
        (Field("intent_tracking", Value(Form.NAME, "false")),),
        (Field("token-limit", Value(Form.NUMBER, "-1")),),
        (Field("repos", Value(Form.LIST, "a", (Value(Form.NAME, "a"),))),),
    ]
)
refs = st.builds(Ref, names, names)
agents = st.lists(
    st.builds(Agent, names, texts, texts), max_size=2, unique_by=lambda a: a.name
).map(tuple)
workflows = st.builds(
    Workflow,
    name=names | texts.filter(lambda t: t.strip()),
    fields=workflow_fields,
    blocks=tupled(
        st.builds(
            Block,
            names.filter(lambda n: n not in ("step", "agent", "collect")),
            tupled(st.builds(Field, keys, scalars)),
        )
    ),
    agents=agents,
    steps=tupled(st.builds(Step, names, tupled(step_fields))),
    collects=tupled(
        st.builds(
            Collect,
            st.sampled_from(["all", "any"]),
            st.lists(refs, min_size=1, max_size=3).map(tuple),
            names,
        )
    ),
    wires=tupled(st.builds(Wire, refs, names)),
    global_wires=tupled(st.builds(GlobalWire, st.just("token-limit"), names)),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(workflows, max_size=2))
def test_what_is_printed_reads_back_equal(made: list[Workflow]):
    printed = render(made)
    again = parse(printed.encode(), "x").workflows
    assert again == tuple(made)
    assert render(again) == printed


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_parse_or_are_refused_in_one_line(data: bytes):
    settle(data)


SEED_FILE = b"""// both eras
workflow "develop" {
  repos = ["api", web]
  token-limit = -1
  intent_tracking = false
  agent fast { command = "claude" args = "-p \\"x\\"" }
  container { image = "i" }
  step plan { prompt = file(".cloche/prompts/plan.md") results = [success, fail]
    container { image = "a" } domains = ["versioning" b] timeout = "30m" }
  step check { run = "make
    test" max_attempts = 3 }
  plan:success -> check
  plan:fail -> abort [ X = output.f ]
  collect all(plan:success, check:success) -> done
  token-limit -> abort
}
workflow intent-scan { step s { poll = "x" interval = "30s" } s:success -> done }
"""
PIECES = [
    *(bytes([b]) for b in b'{}[](),=:.-"\\/#\n\r\0\xff\xc3'),
    *b"step agent collect workflow -> // -1 99 intent_tracking true".split(),
    *b"workflow {w { step s { run = x } all any ( host file( -> a:b".split(),
    b"\xef\xbb\xbf",
]


def settle(data: bytes) -> None:
    """Parse, or be refused by one IntentError that names a place in the file."""
    try:
        parsed = parse(data, "f.cloche")
    except IntentError as refused:
        message = refused.message
    else:
        again = parse(render(parsed.workflows).encode(), "x")
        assert again.workflows == parsed.workflows
        message = ""
    places = [message] if message else []
    places += [str(found) for found in examine({"f.cloche": data}, bool)]
    for place in places:
        stands_in(data, place)


def stands_in(data: bytes, message: str) -> None:
    """What was found names a line and a column of the file, in one line."""
    found = re.fullmatch(r"f\.cloche:(\d+):(\d+): .+", message, re.DOTALL)
    assert found, message
    assert 1 <= int(found[1]) <= data.count(b"\n") + 1
    assert 1 <= int(found[2]) <= len(data) + 1


def mutated(chance: random.Random) -> bytes:
    data = bytearray(SEED_FILE)
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice([0, 0, 1, 2, 30, len(data)]))
        kind = chance.randrange(3)
        if kind == 0:
            del data[start:end]
        elif kind == 1:
            data[start:end] = chance.choice(PIECES)
        else:
            data[start:start] = data[start:end]
        if len(data) > 20_000:
            break
    return bytes(data)


def soup(chance: random.Random) -> bytes:
    """Words and marks of the language in any order."""
    return b" ".join(chance.choices(PIECES, k=chance.randrange(60)))


def noise(chance: random.Random) -> bytes:
    return chance.randbytes(chance.randrange(200))


def fuzz(seed: int, count: int) -> None:
    chance = random.Random(seed)
    for turn in range(count):
        make = (mutated, mutated, soup, noise)[turn % 4]
        data = make(chance)
        with within(seconds=60, what=data):
            settle(data)


@contextmanager
def within(seconds: int, what: bytes):
    """A hang is a failure that shows its input."""

    def ring(number, frame):
        raise AssertionError(f"still at it after {seconds} s: {what!r}")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_random_and_mutated_files_parse_or_are_refused():
    fuzz(seed=20260102, count=1_600)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_thousand_files_parse_or_are_refused(seed: int):
    fuzz(seed, count=10_000)


def test_the_builtin_scan_prints_and_reads_back():
    made = builtins()["intent-scan"]
    assert parse(render([made]).encode(), "x").workflows == (made,)
