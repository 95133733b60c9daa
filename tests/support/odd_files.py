"""Requirement files as people and other programs really write them.

Every file is sound and says what `Odd.requirement` says; how it is spelled is left to
the dice: key order, quoting, comments, blank lines, brackets or lines, indentation,
newlines, byte order mark, fences with blanks, an end without newline.
"""

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from git_intent.store.quoting import double, quote, single
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)

_COMMENTS = ("# kept", "  # it's: a [comment], {really}", "# status: superseded", "#")
_WORDS = (
    "no",
    "go",
    "c#",
    "0777",
    "12:30",
    "1e10",
    "naïve",
    "a b",
    "x: y",
    "it's",
    "~",
)
_ODD_TEXTS = (
    'say "no"',
    "back\\slash",
    "a # b",
    "100% *sure*",
    "ünï, [x] {y}",
    "- dash",
)


#: A plain seed: what is drawn from `randoms` is too much for one example.
dice = st.integers(0, 10**9).map(Random)


@dataclass(frozen=True)
class Odd:
    data: bytes
    requirement: Requirement


def odd_file(roll: Random, newlines: tuple[str, ...] = ("\n", "\r\n", "mixed")) -> Odd:
    """One file, and what it says."""
    says = _requirement(roll)
    lines = _header(roll, says)
    lines = [
        "---" + roll.choice(["", "  ", "\t"]),
        *lines,
        "---" + roll.choice(["", " "]),
    ]
    lines += [""] * roll.randrange(3)
    lines += [says.statement, "", f"**Why:** {says.rationale}"]
    lines += [""] * roll.choice([0, 1, 1, 3])
    kind = roll.choice(newlines)
    ends = [roll.choice(["\n", "\r\n"]) if kind == "mixed" else kind for _ in lines]
    if roll.random() < 0.3:
        ends[-1] = ""
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    mark = "\ufeff" if roll.random() < 0.3 else ""
    return Odd((mark + text).encode(), says)


def _requirement(roll: Random) -> Requirement:
    some = lambda words: tuple(roll.sample(words, roll.randrange(3)))  # noqa: E731
    return Requirement(
        id=f"req-{roll.randrange(0x10000):04x}",
        statement=f"Never {roll.choice(_ODD_TEXTS)}.",
        rationale="It broke once.",
        status=Status.ACTIVE,
        scope=Scope(
            roll.choice(list(Level)), some(_WORDS), some(("a/**", "*.py")), some(_WORDS)
        ),
        hints=some(_ODD_TEXTS),
        confidence=roll.choice(list(Confidence)),
        user_edited=roll.random() < 0.5,
        provenance=Provenance(
            roll.choice(list(Kind)), roll.choice(_ODD_TEXTS), "2026-09-13T10:00:00Z"
        ),
        created="2026-09-13T10:00:00Z",
        updated="2026-09-13T10:00:00.123456789+02:00",
    )


def _header(roll: Random, r: Requirement) -> list[str]:
    blocks = [
        _scalar(roll, "id", r.id),
        _scalar(roll, "status", r.status.value),
        _mapping(
            roll,
            "scope",
            [
                ("level", r.scope.level.value),
                ("domains", r.scope.domains),
                ("paths", r.scope.paths),
                ("languages", r.scope.languages),
            ],
        ),
        _list(roll, "hints", r.hints),
        _scalar(roll, "confidence", r.confidence.value),
        [f"user_edited: {str(r.user_edited).lower()}" + _comment(roll)],
        _mapping(
            roll,
            "provenance",
            [
                ("kind", r.provenance.kind.value),
                ("ref", r.provenance.ref),
                ("extracted_at", r.provenance.extracted_at),
            ],
        ),
        _scalar(roll, "created", r.created),
        _scalar(roll, "updated", r.updated),
        _unknown(roll),
    ]
    if roll.random() < 0.5:
        blocks.append([roll.choice(["superseded_by:", 'superseded_by: ""'])])
    if roll.random() < 0.5:
        roll.shuffle(blocks)
    lines: list[str] = []
    for block in blocks:
        while roll.random() < 0.25:
            lines.append(roll.choice([*_COMMENTS, ""]))
        lines += block
    return lines + ([roll.choice(_COMMENTS)] if roll.random() < 0.3 else [])


def _unknown(roll: Random) -> list[str]:
    return roll.choice(
        [
            [],
            ["x-team: 'core' # ours"],
            ["x-notes: |", "  first", "", "  # no comment", "  last"],
            ["x-long: this goes", "  on and on", "  for three lines"],
            ["x-map: {a: [1, 2], b: {c: no}}"],
            ['"x quoted key": yes'],
        ]
    )


def _comment(roll: Random) -> str:
    return roll.choice(["", "", "  # behind", "\t# tab", "   "])


def _spell(roll: Random, text: str) -> str:
    return roll.choice([quote, double, single])(text)


def _scalar(roll: Random, key: str, text: str) -> list[str]:
    plain = text if roll.random() < 0.5 and " " not in text else _spell(roll, text)
    return [f"{key}:{roll.choice([' ', '  '])}{plain}{_comment(roll)}"]


def _list(roll: Random, key: str, texts: tuple[str, ...]) -> list[str]:
    spelled = [_spell(roll, text) for text in texts]
    if not texts:
        return roll.choice([[], [f"{key}: []" + _comment(roll)], [f"{key}:"]])
    if roll.random() < 0.3:
        return [f"{key}: [{', '.join(spelled)}]" + _comment(roll)]
    if roll.random() < 0.2:
        inner = [f"    {text}," for text in spelled]
        return [f"{key}: [", *inner, "  ]" + _comment(roll)]
    margin = roll.choice(["", "  ", "    "])
    lines = [f"{key}:" + _comment(roll)]
    for text in spelled:
        if roll.random() < 0.2:
            lines.append(f"{margin}# about the next")
        lines.append(f"{margin}-{roll.choice([' ', '   '])}{text}" + _comment(roll))
    return lines


def _mapping(
    roll: Random, key: str, held: list[tuple[str, str | tuple[str, ...]]]
) -> list[str]:
    if roll.random() < 0.3:
        inner = [
            f"{name}: {_spell(roll, value)}"
            if isinstance(value, str)
            else f"{name}: [{', '.join(_spell(roll, text) for text in value)}]"
            for name, value in held
        ]
        return [f"{key}: {{{', '.join(inner)}}}" + _comment(roll)]
    margin = roll.choice(["  ", "    ", " "])
    lines = [f"{key}:" + _comment(roll)]
    for name, value in held:
        if isinstance(value, str):
            block = _scalar(roll, name, value)
        else:
            block = _list(roll, name, value)
        lines += [margin + line for line in block]
    return lines
