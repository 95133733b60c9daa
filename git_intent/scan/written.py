"""What a workflow's own steps wrote into the store, while a scan ran step by step.

A project may replace apply-reconcile by a script. What that writes is committed like a
plan of ours, under the same hard rules, or put back. So a run by steps begins with a
copy of the store: `store.json` in its directory names each file, `store.bin` holds
their bytes one after the other.

    {"version": 1, "files": [{"path", "size"}, …], "held": [path, …],
     "index": [{"mode", "oid", "path"}, …]}

`held` are the files with changes of the user's, which stay theirs. `index` is what was
staged: a script may use `git rm`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from git_intent import files
from git_intent.errors import IntentError
from git_intent.git import objects
from git_intent.git.repository import Repository
from git_intent.scan.apply import Item, Outcome
from git_intent.scan.changeset import Side
from git_intent.scan.run import Run
from git_intent.store.check import check_file
from git_intent.store.intent_dir import STORE, load_store
from git_intent.store.issue import Severity
from git_intent.store.requirement import Status
from git_intent.store.rules import Actor, judge

NAME = "store.json"
_BYTES = "store.bin"
_DETAIL = "written by a step of the workflow"


@dataclass(frozen=True, slots=True)
class Made:
    """What became of the store `was`: the new bytes of each file that is not as it
    was, None for one that is gone."""

    was: Mapping[str, bytes]
    files: Mapping[str, bytes | None]

    @property
    def sides(self) -> list[Side]:
        return [(p, self.was.get(p), d) for p, d in sorted(self.files.items())]

    def refuse(self) -> None:
        """Raise IntentError if formats or hard rules speak against it."""
        gone = {path for path, data in self.files.items() if data is None}
        kept = {path: data for path, data in self.was.items() if path not in gone}
        issues = judge([self.was], {**kept, **self.present}, Actor.AGENT)
        for path, data in self.present.items():
            known = {i.message for i in check_file(path, self.was.get(path, b""))}
            issues += [
                found
                for found in check_file(path, data)
                if found.severity is Severity.ERROR and found.message not in known
            ]
        if issues:
            raise IntentError("\n  ".join(map(str, issues)), "the store is as before")

    @property
    def present(self) -> dict[str, bytes]:
        return {path: data for path, data in self.files.items() if data is not None}

    def outcome(self) -> Outcome:
        """The same in the words of a plan."""
        before = load_store(self.was).requirements
        lists: dict[str, list[Item]] = {"created": [], "superseded": [], "merged": []}
        for id, found in sorted(load_store(self.present).requirements.items()):
            old = before.get(id)
            if old is None:
                name = "created"
            elif found.status is Status.SUPERSEDED is not old.status:
                name = "superseded"
            else:
                name = "merged"
            lists[name].append(Item(id, found.statement, _DETAIL))
        return Outcome(**{name: tuple(items) for name, items in lists.items()})


def keep(
    run: Run, repo: Repository, store: Mapping[str, bytes], held: Collection[str]
) -> None:
    """Copy the store into the directory of a run that begins."""
    files.write_atomic(run.folder / _BYTES, b"".join(store.values()), 0o600)
    staged = objects.index_entries(repo, STORE)
    run.write(
        NAME,
        {
            "version": 1,
            "files": [{"path": p, "size": len(data)} for p, data in store.items()],
            "held": sorted(held),
            "index": [{"mode": e.mode, "oid": e.oid, "path": e.path} for e in staged],
        },
    )


def made(run: Run, now: Mapping[str, bytes]) -> Made:
    """What differs from the copy; what had changes of the user's stays the user's."""
    listed = run.read(NAME)
    data = (run.folder / _BYTES).read_bytes()
    was, start = {}, 0
    for one in listed["files"]:
        was[str(one["path"])] = data[start : start + one["size"]]
        start += one["size"]
    paths = sorted({*was, *now} - set(listed["held"]))
    return Made(was, {p: now.get(p) for p in paths if was.get(p) != now.get(p)})


def unstage(run: Run, repo: Repository, paths: Collection[str]) -> None:
    """Give the index its old entries of `paths` again."""
    old = {e["path"]: (e["mode"], e["oid"]) for e in run.read(NAME)["index"]}
    now = {e.path: (e.mode, e.oid) for e in objects.index_entries(repo, STORE)}
    lines = []
    for path in sorted(paths):
        if old.get(path) != now.get(path):
            mode, oid = old.get(path, ("0", repo.zero))
            lines.append(f"{mode} {oid}\t{repo.to_top(path)}\0".encode())
    if lines:
        files.effect("unstage")
        repo.git("update-index", "-z", "--index-info", input=b"".join(lines))
