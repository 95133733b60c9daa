"""A walk through offers on a terminal: one at a time, one key each."""

import textwrap
from collections.abc import Callable, Sequence

import click

from git_intent.cli import output
from git_intent.cli.review_answers import Answer
from git_intent.errors import IntentError
from git_intent.scan.inbox import Offer, Sort

_WIDTH = 80
_TITLES = {
    Sort.WRITTEN: "written by a scan",
    Sort.LOW: "low confidence, not written",
    Sort.PERSON: "needs a person, written disabled",
    Sort.REPORTED: "worth a look",
}
_KEYS = {
    Sort.WRITTEN: "[a]ccept  [e]dit  [d]isable  [s]kip  [q]uit",
    Sort.LOW: "[a]ccept  [e]dit  [r]eject  [s]kip  [q]uit",
    Sort.PERSON: "[a]ccept and enable  [e]dit  [r]eject  [s]kip  [q]uit",
    Sort.REPORTED: "[a]ccept as it is  [e]dit  [d]isable  [s]kip  [q]uit",
}
_ANSWERS = {"a": Answer.ACCEPT, "d": Answer.DISABLE, "r": Answer.REJECT}
_QUIT = ("q", "\x1b", "\x03", "\x04")

Apply = Callable[[Offer, Answer], str]
Edit = Callable[[Offer], str]


def walk(offers: Sequence[Offer], answer: Apply, edit: Edit) -> int:
    """Show each offer and do what its key says; how many were answered.

    What a rule forbids is said, and the same offer is shown again.
    """
    done = 0
    for number, offer in enumerate(offers, 1):
        output.say(f"{number} of {len(offers)}")
        show(offer)
        while True:
            output.say(_KEYS[offer.sort])
            key = click.getchar().lower()
            if key in _QUIT:
                return done
            if key in ("s", " ", "\r", "\n"):
                break
            try:
                if key == "e":
                    output.say(edit(offer))
                elif key in _ANSWERS and f"[{key}]" in _KEYS[offer.sort]:
                    output.say(answer(offer, _ANSWERS[key]))
                else:
                    continue
            except IntentError as error:
                output.error(error.message, error.hint)
                continue
            done += 1
            break
        output.say()
    return done


def show(offer: Offer) -> None:
    """One offer: its words first, then all that helps to judge them."""
    told = offer.told
    output.say(f"{offer.key}  {_TITLES[offer.sort]}  ({told.confidence} confidence)")
    _paragraph(told.statement)
    if told.rationale:
        _paragraph(f"Why: {told.rationale}")
    scope = told.scope
    parts = [*scope.domains] or [str(scope.level)]
    parts += [f"paths {path}" for path in scope.paths]
    _field("scope", ", ".join([*parts, *scope.languages]))
    _field("from", offer.place)
    _field("look", offer.detail)
    _field("hints", "; ".join(told.hints))


def _paragraph(text: str) -> None:
    for part in text.split("\n\n"):
        lines = textwrap.wrap(" ".join(part.split()), _WIDTH - 2)
        for line in lines:
            output.say(f"  {output.one_line(line)}")
    output.say()


def _field(name: str, text: str) -> None:
    if text:
        output.say(f"  {name + ':':7}{output.one_line(text)}")
