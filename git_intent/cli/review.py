"""`git intent review`: look at what the scans of this clone wrote, and left out."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.options import actor_option, examples, json_option
from git_intent.cli.project import Project, claim, open_project
from git_intent.cli.review_answers import Answer, apply, edit
from git_intent.errors import IntentError
from git_intent.scan import inbox
from git_intent.scan.inbox import Offer, Seen


@click.command(
    epilog=examples("review", "review --accept req-a3f8 --reject low-1b2c3d4e")
)
@click.option("--accept", multiple=True, metavar="KEY", help="Keep it, or write it.")
@click.option("--disable", multiple=True, metavar="KEY", help="Take it out of use.")
@click.option("--reject", multiple=True, metavar="KEY", help="Never offer it again.")
@json_option
@actor_option
@click.pass_obj
def command(
    directory: str,
    accept: tuple[str, ...],
    disable: tuple[str, ...],
    reject: tuple[str, ...],
    as_json: bool,
    actor: str | None,
) -> None:
    """Walk through what scans wrote, and what they left for a person.

    On a terminal every offer is shown and a key answers it: accept, edit, disable,
    reject. Elsewhere they are listed; --accept, --disable and --reject answer by key.
    All answers are plain edits of files in the store; nothing is staged or committed. A
    rejected candidate stays in the store as a disabled requirement, so that no scan
    offers it again.
    """
    project = open_project(directory)
    given = [
        *((key, Answer.ACCEPT) for key in accept),
        *((key, Answer.DISABLE) for key in disable),
        *((key, Answer.REJECT) for key in reject),
    ]
    seen = Seen.load(project.repo.common_dir)
    found = _offers(project, seen)
    if given:
        project.need_worktree()
        answers = _named(found, given)
        lines = apply(project, answers, seen, claim(actor))
        if as_json:
            output.document({"offers": [_row(o) for o in _offers(project, seen)]})
        else:
            output.say("\n".join(lines))
    elif as_json:
        output.document({"offers": [_row(offer) for offer in found]})
    elif not found:
        output.say("Nothing waits for a review.")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _walk(project, found, seen, actor)
    else:
        _list(found)


def _offers(project: Project, seen: Seen) -> list[Offer]:
    scans = inbox.finished(project.repo.common_dir, project.root)
    return inbox.offers(scans, project.store(), seen.rows)


def _named(
    found: Sequence[Offer], given: Sequence[tuple[str, Answer]]
) -> list[tuple[Offer, Answer]]:
    known = {offer.key: offer for offer in found}
    answers: dict[str, tuple[Offer, Answer]] = {}
    for key, answer in given:
        if key not in known:
            raise IntentError(
                f"{key}: nothing of this name waits for a review",
                "nothing was written; `git intent review --json` lists the keys",
            )
        if key in answers:
            raise IntentError(f"{key}: answered twice", "nothing was written")
        answers[key] = known[key], answer
    return list(answers.values())


def _walk(
    project: Project, found: Sequence[Offer], seen: Seen, actor: str | None
) -> None:
    from git_intent.cli.review_walk import walk

    project.need_worktree()
    who = claim(actor)
    done = walk(
        found,
        lambda offer, answer: apply(project, [(offer, answer)], seen, who)[0],
        lambda offer: edit(project, offer, seen, who),
    )
    output.say(f"{done} of {len(found)} answered.")


def _list(found: Sequence[Offer]) -> None:
    from git_intent.cli.review_walk import show

    for offer in found:
        show(offer)
        output.say()


def _row(offer: Offer) -> dict[str, Any]:
    told, scope = offer.told, offer.told.scope
    return {
        "key": offer.key,
        "sort": offer.sort.value,
        "statement": told.statement,
        "why": told.rationale,
        "scope": {
            "level": scope.level.value,
            "domains": list(scope.domains),
            "paths": list(scope.paths),
            "languages": list(scope.languages),
        },
        "hints": list(told.hints),
        "confidence": told.confidence.value,
        "place": offer.place,
        "detail": offer.detail,
    }
