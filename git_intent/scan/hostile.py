"""Does a text try to steer its reader instead of telling a rule of the project?

Mined text is data, but a requirement made from it will stand in prompts. So text that
addresses the reader as a model, carries tags, tool or result markers, asks to push, to
delete or to switch checks off, hides characters, or closes a fence that it did not open
is kept for a person to look at: `suspicion` says why. Ordinary rules forbid or limit
such acts ("Never push to main", "Skip the slow tests on Windows") and pass. A wrong
alarm costs a look, so quoting an attack is reason enough.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import chain

from git_intent.scan.folding import folded, holding
from git_intent.scan.hostile_words import (
    ACTS,
    LIMITS,
    MARKERS,
    RESTRAINTS,
    TO_MODELS,
    Cue,
)
from git_intent.store.characters import hidden

_MARKUP = re.compile(r"[*_`~\"'\u201c\u201d\u2018\u2019\u00ab\u00bb]+")
_BLANKS = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n(?=\s*(?:[-*+#>]|\d+[.)])\s)|:\s")
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})(.*)$", re.MULTILINE)
#: What may stand between the start of a clause and the verb of a demand.
_LEAD = re.compile(
    r"(?:^|[,(\-–—]|\b(?:and|then|or|please|now|always|just|simply|immediately|first"
    r"|also|finally|next|must|should|shall|will|you|to|agents?|remember|instead))\W*\Z"
)
_LONGEST, _OVERLAP = 2_000, 300
#: Letters of other scripts that look Latin: `Ignоre` with a Cyrillic o is no accident.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁһԛԝοαν", "aeopcyxijsdhqwoav")

#: Which markers' signs, and which cues' stems, a text holds. Asked word by word and
#: remembered, that takes a quarter of looking for each of them in each text.
_SIGNED = holding([marker.signs for marker in MARKERS])
_STEMMED = holding([cue.stems for cue in (*TO_MODELS, *ACTS)])


def suspicion(text: str) -> str:
    """Why a person should look at the text first; empty if nothing is wrong with it."""
    found = next(hidden(text), None)
    if found is not None:
        return f"holds an unseen character, {found.name}"
    plain = unicodedata.normalize("NFKC", text)
    low = folded(plain)
    signed = _SIGNED.of(low)
    for number, marker in enumerate(MARKERS):
        if signed >> number & 1 and marker.pattern.search(plain):
            return marker.reason
    if _breaks_out(plain):
        return "closes a code fence that it did not open"
    return _said(plain)


def _said(text: str) -> str:
    """The first sentence's reason that has one.

    Its words stand in the whole text too, so cues without a stem there are left out.
    """
    stems = _STEMMED.of(_flat(text))
    if not stems:
        return ""
    addresses = [cue for n, cue in enumerate(TO_MODELS) if stems >> n & 1]
    acts = [cue for n, cue in enumerate(ACTS, len(TO_MODELS)) if stems >> n & 1]
    for sentence in _sentences(text):
        for cue in addresses:
            if any(pattern.search(sentence) for pattern in cue.patterns):
                return cue.reason
        if reason := _demand(sentence, acts):
            return reason
    return ""


def _demand(sentence: str, acts: Sequence[Cue]) -> str:
    """An act that no requirement should ask for, asked for without restraint."""
    for cue in acts:
        for match in chain.from_iterable(p.finditer(sentence) for p in cue.patterns):
            before, after = sentence[: match.start()], sentence[match.end() :]
            if RESTRAINTS.search(before) or LIMITS.match(after):
                continue
            if not before.strip() or _LEAD.search(before):
                return cue.reason
    return ""


def _sentences(text: str) -> list[str]:
    """In lower case, without markup, one blank between words.

    A sentence without end is taken in stretches that overlap.
    """
    found = []
    for part in _SENTENCE.split(text):
        sentence = _flat(part or "")
        while len(sentence) > _LONGEST:
            found.append(sentence[:_LONGEST])
            sentence = sentence[_LONGEST - _OVERLAP :]
        found.append(sentence)
    return found


def _flat(text: str) -> str:
    bare = _MARKUP.sub("", text.casefold())
    if not bare.isascii():
        bare = re.sub(r"\w*[a-z]\w*", lambda m: m[0].translate(_LOOKALIKES), bare)
    return _BLANKS.sub(" ", bare).strip(" #>-+")


def _breaks_out(text: str) -> bool:
    """Is a fence left open or closed at the end? Whole blocks are ordinary."""
    if "```" not in text and "~~~" not in text:
        return False
    fence = ""
    for mark, info in _FENCE.findall(text):
        if not fence:
            fence = mark
        elif mark.startswith(fence) and not info.strip():
            fence = ""
    return bool(fence)
