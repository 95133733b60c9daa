"""`git intent check --semantic`: pairs over the whole store, and how they are shown."""

from collections.abc import Iterator
from dataclasses import dataclass

from git_intent.cli import output
from git_intent.embed.bulk import encode
from git_intent.embed.neighbours import neighbours
from git_intent.scan.kinship import FLOOR, Kinship, Pair, pairs
from git_intent.store.codes import issue
from git_intent.store.intent_dir import Store
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.requirement_file import examine

_CODES = {Kinship.DUPLICATE: "I034", Kinship.CONTRADICTION: "I035"}
_SAYS = {
    Kinship.DUPLICATE: "says nearly the same as",
    Kinship.CONTRADICTION: "contradicts",
}


@dataclass(frozen=True, slots=True)
class Kin:
    """The pairs as findings, each at the statement of its second requirement, and as
    text that shows both statements."""

    issues: tuple[Issue, ...]
    text: str


def kin(store: Store) -> Kin:
    """Compare every two active requirements of a store."""
    ids = [r.id for r in store.requirements.values() if r.status is Status.ACTIVE]
    vectors = encode([store.requirements[id].statement for id in ids])
    near = ((ids[a], ids[b], score) for a, b, score in neighbours(vectors, FLOOR))
    found = pairs(store.requirements, near)
    return Kin(tuple(_issues(store, found)), "\n".join(_text(store, found)))


def _issues(store: Store, found: list[Pair]) -> Iterator[Issue]:
    for pair in found:
        path = store.paths[pair.second]
        document = examine(store.bytes[pair.second], path).document
        line = document.body_line if document else 1
        text = f"{_SAYS[pair.kinship]} {pair.first}: {pair.why}"
        yield issue(_CODES[pair.kinship], path, text, line)


def _text(store: Store, found: list[Pair]) -> Iterator[str]:
    for pair in found:
        yield ""
        yield f"{pair.kinship}: {pair.why}"
        for name in (pair.first, pair.second):
            known = store.requirements[name]
            scope = ", ".join(known.scope.domains)
            words = " ".join(known.statement.split())
            where = f" ({output.one_line(scope)})" if scope else ""
            yield f"  {name}{where} {output.one_line(words)}"
    yield ""
    yield f"{len(found)} pair{'' if len(found) == 1 else 's'} to look at."
