"""Write the record of the hot path, at the end of an answer that read everything.

    watch = Watch.begin(repo, os.environ, time.time_ns())  # before anything is read
    ...the settings, the store, the index...
    if watch and not warnings:
        watch.end(active, domains, config, backend)

`hot_file` says what the record holds and when it counts.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from git_intent import cache
from git_intent.config import CONFIG, Config
from git_intent.embed.backends import KEYWORD, Backend
from git_intent.embed.index import FILE, FOLDER
from git_intent.embed.index_file import read_index
from git_intent.git import look
from git_intent.git.config_files import config_files
from git_intent.git.repository import Repository
from git_intent.inject import hot_file
from git_intent.inject.entry import PROJECT, Entry
from git_intent.inject.render import cost
from git_intent.inject.select import by_confidence
from git_intent.store.domains import Domains
from git_intent.store.intent_dir import is_requirement

#: A file that changed so shortly before it was looked at may change again unseen.
_TICK = 50_000_000  # nanoseconds
#: Whoever works on these words and scores has one version for many of them.
_PACKAGE, _ROOMS = Path(__file__).parents[1], ("embed", "inject", "store")
#: Other embedders are not opened on the hot path.
_EMBEDDERS = ("", "model2vec", "keyword")


@dataclass(frozen=True, slots=True)
class Watch:
    """What the sources were before they were read."""

    common: str
    record: Mapping[str, Any]
    stamps: cache.Stamps

    @classmethod
    def begin(
        cls, repo: Repository, environ: Mapping[str, str], now_ns: int
    ) -> "Watch | None":
        """None where the hot path will never be certain, or has nothing to gain."""
        if look.led_elsewhere(environ):
            return None
        try:
            found = look.find_project(str(repo.root))
            if found is None or found[0] != str(repo.root):
                return None
            root, common, chosen = found[0], found[3], look.choosing(environ)
            known = hot_file.load(common, root, chosen)
            if known and known.current():
                return None
            record, newest = _observed(root, chosen, now_ns)
            stamps = cache.stamps(_sources(repo, environ, record["workflows"]))
        except OSError:
            return None
        if max(newest, *(s[2] for s in stamps.values() if s)) > now_ns - _TICK:
            return None
        return cls(common, record, stamps)

    def end(
        self,
        active: Sequence[Entry],
        domains: Domains,
        config: Config,
        backend: Backend | None,
    ) -> None:
        """Write the record, if the hot path can answer as this answer was made."""
        stamps, value = self.stamps, {**self.record, "nothing": True}
        if config.inject and active:
            if backend is None or not _usable(config, backend):
                return
            value |= {"nothing": False, **_prepared(active, domains, config, backend)}
            value["index"] = f"{value['root']}/{FOLDER}/{FILE}"
            if value["meaning"]:
                index = _index_stamp(value["index"], backend)
                if index is None:
                    return
                stamps = stamps | index
        cache.save(self.common, hot_file.record_name(value["root"]), stamps, value)


def _observed(root: str, choosing: str, now_ns: int) -> tuple[dict[str, Any], int]:
    """The beginning of a record, and when the newest of the files changed."""
    before = hot_file.signs(root, ["."])
    names = sorted(path.name for path in Path(root, hot_file.REQUIREMENTS).iterdir())
    watched = [
        *hot_file.BESIDE,
        *(n for n in names if is_requirement(f"{hot_file.REQUIREMENTS}/{n}")),
    ]
    signs = hot_file.signs(root, watched)
    if signs[0] != before[0]:
        raise OSError("the folder changes while it is looked at")
    newest = max(sign[2] for sign in signs if sign)
    record = {
        "form": hot_file.HEADER,
        "key": now_ns,
        "root": root,
        "choosing": choosing,
        "folders": hot_file.folders(root),
        "workflows": hot_file.workflow_names(root),
        "names": "/".join(watched[len(hot_file.BESIDE) :]),
        "signs": hash(tuple(signs)),
    }
    return record, newest


def _sources(
    repo: Repository, environ: Mapping[str, str], workflows: Sequence[str]
) -> list[str]:
    """What is read besides the store. History ends where `shallow` and its like say."""
    inner = (CONFIG, *(f".cloche/{name}" for name in workflows))
    cuts = ("shallow", "info/grafts", "refs/replace")
    return sorted(
        {
            *config_files(repo, environ),
            *(f"{repo.root}/{path}" for path in inner),
            *(f"{repo.common_dir}/{path}" for path in cuts),
            *(str(_PACKAGE / room) for room in _ROOMS),
        }
    )


def _usable(config: Config, backend: Backend) -> bool:
    return config.embedder in _EMBEDDERS and backend.stored and not backend.warning


def _index_stamp(path: str, backend: Backend) -> cache.Stamps | None:
    """The stamp of the index, if the file is the one that was compared with."""
    stamp, used = cache.stamps([path]), backend.prepared.index
    stored = read_index(path)
    if stored is None or used is None or stored.keys != used.keys:
        return None
    return stamp


def _prepared(
    active: Sequence[Entry], domains: Domains, config: Config, backend: Backend
) -> dict[str, Any]:
    """Everything about the requirements, by row: the order of their ids."""
    entries = sorted(active, key=lambda entry: entry.id)
    rows = sorted(range(len(entries)), key=lambda row: by_confidence(entries[row]))
    rank = [0] * len(rows)
    for place, row in enumerate(rows):
        rank[row] = place
    project = [row for row in rows if entries[row].level == PROJECT]
    lines = [entry.statement_line for entry in entries]
    return {
        "budget": config.token_budget,
        "floor": backend.floor,
        "meaning": backend.id != KEYWORD,
        "count": len(lines),
        "ids": " ".join(backend.prepared.ids),
        "terms": backend.prepared.words.postings,
        "groups": backend.prepared.groups,
        "lines": "".join(lines).encode(),
        "ends": array("I", accumulate(len(line.encode()) for line in lines)).tobytes(),
        "rank": rank,
        "project": project,
        "project_cost": sum(cost(lines[row]) for row in project),
        "places": {domain.name: domain.paths for domain in domains.domains},
        **_scoped(entries),
    }


def _scoped(entries: Sequence[Entry]) -> dict[str, Any]:
    domains: dict[str, list[int]] = {}
    narrow: dict[int, tuple[int, tuple[str, ...]]] = {}
    patterns: dict[tuple[str, ...], int] = {}
    for row, entry in enumerate(entries):
        if entry.level == PROJECT:
            continue
        for name in dict.fromkeys(entry.domains):
            domains.setdefault(name, []).append(row)
        if entry.paths or entry.languages:
            number = -1
            if entry.paths:
                number = patterns.setdefault(entry.paths, len(patterns))
            narrow[row] = number, entry.languages
    return {"domains": domains, "narrow": narrow, "patterns": list(patterns)}
