"""What hides in the text of a store file: unseen characters and secrets.

Both are sought in the bytes as they stand, comments included, and again in values that
YAML puts together from escapes or several lines: what a reader would get counts.
"""

from collections.abc import Callable, Iterator, Sequence

from git_intent.secrets import Secret
from git_intent.store.characters import hidden
from git_intent.store.codes import issue
from git_intent.store.issue import Issue
from git_intent.store.malformed import MalformedFile
from git_intent.store.strict_yaml import StrictDocument, decode, place

Finder = Callable[[str], Sequence[Secret]]


def hidden_text(
    path: str, data: bytes, document: StrictDocument | None
) -> Iterator[Issue]:
    text = _text(data)
    for found in hidden(text):
        yield issue("I040", path, found.name, *place(text, found.offset))
    for value, spelled, at in _composed(document):
        if next(hidden(spelled), None) is None:
            for found in hidden(value):
                yield issue("I040", path, f"{found.name}, written as an escape", *at)


def secret_text(
    path: str,
    data: bytes,
    document: StrictDocument | None,
    finders: Sequence[Finder],
) -> Iterator[Issue]:
    text = _text(data)
    for finder in finders:
        for found in finder(text):
            yield _secret(path, found, place(text, found.start))
        for value, spelled, at in _composed(document):
            if not finder(spelled):
                for found in finder(value):
                    yield _secret(path, found, at)


def _secret(path: str, found: Secret, at: tuple[int, int]) -> Issue:
    text = f"{found.kind} ({found.end - found.start} characters, not shown)"
    return issue("I041", path, text, *at)


def _composed(
    document: StrictDocument | None,
) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Each scalar that reads otherwise than it is spelled: value, spelling, place."""
    if document is None or document.root is None:
        return
    pending = [document.root]
    while pending:
        node = pending.pop()
        if isinstance(node.value, str):
            spelled = document.text[node.start_mark.index : node.end_mark.index]
            if node.value not in spelled:
                yield node.value, spelled, document.at(node.start_mark.index)
            continue
        for item in node.value:
            pending.extend(item if isinstance(item, tuple) else (item,))


def _text(data: bytes) -> str:
    """The text, or as much of it as can be read."""
    try:
        return decode(data, "")
    except MalformedFile:
        return data.decode("utf-8", "replace")
