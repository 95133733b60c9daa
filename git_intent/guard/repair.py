"""The one thing that the rules put right by themselves: the mark of a person's change.

Whoever changes statement or scope by hand forgets `user_edited: true` and a new
`updated` (I105). If the work tree has the bytes that were judged, both are set in the
file, by the editor that leaves every other byte alone, and the person stages it again.
A file with further changes is left as it is: the finding says which line to add.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from git_intent.errors import IntentError
from git_intent.files import write_atomic
from git_intent.git.objects import filtered
from git_intent.guard.states import Place
from git_intent.store.domains import edit_domain
from git_intent.store.field_editor import set_fields
from git_intent.store.intent_dir import DOMAINS, read_file, refuse_links
from git_intent.store.issue import Issue
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.stamps import later, stamp

_DOMAIN = re.compile(r"domain ([a-z0-9-]+):")


def repair(
    place: Place,
    judged: Mapping[str, bytes],
    issues: Sequence[Issue],
    now: datetime,
) -> list[str]:
    """Mark the files that lack it; gives the paths of those that were written.

    `judged` are the bytes that the findings are about.
    """
    done = []
    refuse_links(place.root)
    missing = sorted({found.path for found in issues if found.code == "I105"})
    for path in missing:
        data = read_file(place.root, path)
        if data is None or not _same(place, path, data, judged[path]):
            continue
        about = [i for i in issues if i.path == path and i.code == "I105"]
        try:
            marked = _marked(path, data, about, now)
        except IntentError:
            continue  # not a file that can be edited line by line
        write_atomic(place.root / path, marked)
        done.append(path)
    return done


def _same(place: Place, path: str, data: bytes, judged: bytes) -> bool:
    """Whether a file holds the judged bytes, but for what git's filters make of it."""
    return data == judged or filtered(place.repo, place.prefix + path)[1] == judged


def _marked(path: str, data: bytes, about: Sequence[Issue], now: datetime) -> bytes:
    if path != DOMAINS:
        moment = later(parse_requirement(data, path).updated, now)
        return set_fields(data, {"user_edited": True, "updated": stamp(moment)}, path)
    for found in about:
        if named := _DOMAIN.match(found.message):
            data = edit_domain(data, named[1], user_edited=True, path=path)
    return data
