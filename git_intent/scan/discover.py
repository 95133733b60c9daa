"""Step discover-domains: what the domain map should hold that it does not.

Pure: tracked paths and headings in, new entries out. Topics come first (tests, docs, CI
and the like, where files or headings speak of them), then the parts of the code. An
entry that stands is never changed and never dropped; one that somebody removed is not
proposed again. The map grows to at most 20 entries, and a second look adds nothing.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from git_intent.scan.components import Component, components
from git_intent.scan.places import PLACES
from git_intent.scan.topics import TOPICS, Topic
from git_intent.store import globs
from git_intent.store.domains import Domain, Domains

MOST = 20
_TOPICS_FIRST = 12  # so many topics before the parts of the code have their turn

#: Topics that files alone make worth an entry; the others need a heading as well.
_BY_FILES = frozenset(
    "testing documentation ci changelog database build ai-agents".split()
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r"^ {0,3}#{1,4}[ \t]+(.+?)[ \t#]*$")
_SETEXT = re.compile(r"^(?:={3,}|-{3,})\s*$")


def propose(
    paths: Collection[str],
    headings: Mapping[str, Sequence[str]],
    existing: Domains,
    removed: Collection[str] = (),
) -> list[Domain]:
    """New entries for the map. `paths` are the tracked files, `headings` those of each
    document, `removed` the names that stood in the map once and do not any more."""
    files = _Files(tuple(sorted(paths)), "\n".join(sorted(paths)))
    topics = [d for t in TOPICS if (d := _topic(t, files, headings))]
    parts = [_part(component) for component in components(files.paths)[:MOST]]
    ranked = [*topics[:_TOPICS_FIRST], *parts, *topics[_TOPICS_FIRST:]]
    names = {d.name for d in existing.domains} | set(removed)
    covered = {pattern for d in existing.domains for pattern in d.paths}
    room = MOST - len(existing.domains)
    chosen: list[Domain] = []
    for domain in ranked:
        if len(chosen) >= room:
            break
        if domain.name in names or _stands_already(domain, covered):
            continue
        names.add(domain.name)
        chosen.append(domain)
    return sorted(chosen, key=_place)


@dataclass(frozen=True, slots=True)
class _Files:
    """Tracked paths, and all of them in one text: most patterns of ours match nowhere,
    and looking for their longest literal part tells so at once."""

    paths: tuple[str, ...]
    text: str

    def matched_by(self, pattern: str) -> bool:
        literal = max(re.split(r"[*?\[\]]+", pattern), key=len).lstrip("/")
        return literal in self.text and globs.matching(pattern, self.paths)


def _stands_already(domain: Domain, covered: Collection[str]) -> bool:
    """Whether the map covers the same folders under another name. Several topics may
    share one document, so single files prove nothing."""
    folders = [pattern for pattern in domain.paths if "*" in pattern]
    return bool(folders) and all(pattern in covered for pattern in domain.paths)


def _topic(
    topic: Topic, files: _Files, headings: Mapping[str, Sequence[str]]
) -> Domain | None:
    """The topic as a domain, if files or headings of the project speak of it."""
    patterns = dict.fromkeys((*topic.globs, *PLACES.get(topic.name, ())))
    matched = [p for p in patterns if files.matched_by(p)]
    spoken = any(topic.cues.search(h) for found in headings.values() for h in found)
    if not (spoken or (matched and topic.name in _BY_FILES)):
        return None
    # A document that speaks of a topic is not where work on the topic happens.
    return Domain(topic.name, topic.description, tuple(matched))


def _part(component: Component) -> Domain:
    what = f": {', '.join(component.contents)}" if component.contents else ""
    place = component.folder.rstrip("/")
    return Domain(
        component.name, f"What lies in {place}{what}.", (f"{escaped(place)}/**",)
    )


def _place(domain: Domain) -> tuple[int, str]:
    order = {topic.name: number for number, topic in enumerate(TOPICS)}
    return order.get(domain.name, len(order)), domain.name


def escaped(path: str) -> str:
    """The pattern that matches exactly this path; a slash in it anchors it."""
    literal = re.sub(r"([*?\[\]\\])", r"\\\1", path)
    return literal if "/" in path else f"/{literal}"


def headings_of(text: str) -> list[str]:
    """The headings of a Markdown document, down to the fourth level."""
    found: list[str] = []
    fence = ""
    previous = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1][:3]
        elif not fence and (heading := _ATX.match(line)):
            found.append(heading[1])
        elif not fence and previous.strip() and _SETEXT.match(line):
            found.append(previous.strip())
        previous = line
    return found


def hand_made(existing: Domains, written: Iterable[Domain]) -> list[str]:
    """Names of entries that are as no scan ever left them, and do not say so."""
    known = {(d.name, d.description, d.paths) for d in written}
    return [
        d.name
        for d in existing.domains
        if not d.user_edited and (d.name, d.description, d.paths) not in known
    ]
