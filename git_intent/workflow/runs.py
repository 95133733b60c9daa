"""Records of runs: what each step was given, and what a scan may read of the run.

`refs/intent/runs/<run>` (the name as `run_names` writes it) is a chain of commits, the
newest of which holds all there is:

    meta.json                     {"version": 1, "run", "state", "start", "end",
                                   "started_at", "ended_at", "opted_out"}
    kv.json                       "<workflow>:<step>:intent": ids, joined by commas
    prompt                        what the run was asked to do
    transcript/NNN                what was said in it, in the order it came in
    transcript/<workflow>/<step>/NNN   the same, where the step is known
    blocks/<workflow>/<step>      the text that the step was given, byte for byte

`state` is `running`, `done` or `aborted`, `start` and `end` are commits, empty if there
was none. What `git intent run` did lies in `run.json` (`run_state`) and `definitions/`.
An opted-out run has neither prompt nor transcript, and a chain that begins anew.

A block is written once: whoever asks again gets the first one. Writers take turns by a
lock, and move the ref by compare-and-swap all the same, as the lock binds only those
that share a file system. Names in `kv.json` that hold a `:` or `%` are escaped.
"""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json
from git_intent.git import objects, refs
from git_intent.git.make_objects import write_snapshot
from git_intent.git.objects import blob_id
from git_intent.git.repository import Repository
from git_intent.workflow.run_names import PREFIX, escape, ref_of, run_of, unescape

VERSION = 1
META = "meta.json"
KV = "kv.json"
PROMPT = "prompt"
TRANSCRIPT = "transcript/"
_BLOCKS = "blocks/"
#: How often a ref may refuse to move without having moved.
_REFUSALS = 5
#: How often, and how many seconds apart, the lock is tried.
_PATIENCE, _PAUSE = 1000, 0.01


class State(StrEnum):
    RUNNING = "running"
    DONE = "done"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Meta:
    """`others` are keys of other writers, which are kept."""

    state: str = State.RUNNING
    start: str = ""
    end: str = ""
    started_at: str = ""
    ended_at: str = ""
    opted_out: bool = False
    others: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """A run's record. `oid` is empty if there is none yet; `files` are path → blob.

    `broken` says why `meta` tells nothing.
    """

    run: str
    ref: str
    oid: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    meta: Meta = Meta()
    broken: str = ""

    @property
    def prompt(self) -> str:
        return self.files.get(PROMPT, "")

    @property
    def transcripts(self) -> dict[str, str]:
        return {p: o for p, o in self.files.items() if p.startswith(TRANSCRIPT)}

    @property
    def steps(self) -> list[tuple[str, str]]:
        """Workflow and step of each block."""
        places = (p.split("/") for p in self.files if p.startswith(_BLOCKS))
        return sorted((unescape(p[1]), unescape(p[2])) for p in places if len(p) == 3)


@dataclass(frozen=True, slots=True)
class Change:
    """What a record becomes: `files` are written, or removed where they are None.

    With `forget`, what it was before is cut off.
    """

    meta: Meta
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    forget: bool = False


def run_refs(repo: Repository) -> dict[str, str]:
    """Run → ref of every record; none is opened."""
    found: dict[str, str] = {}
    for ref in refs.for_each_ref(repo, PREFIX):
        run = run_of(ref)
        if run not in found or ref == ref_of(run):
            found[run] = ref
    return found


def read(repo: Repository, run: str, ref: str = "") -> Record:
    """The record of `run`, which may lie at a `ref` that others have named."""
    ref = ref or ref_of(run)
    oid = refs.read_ref(repo, ref)
    if not oid:
        return Record(run, ref)
    files = _files(repo, oid)
    blob = files.get(META, "")
    meta, broken = parse_meta(
        objects.read_blobs(repo, [blob]).get(blob, b"") if blob else b""
    )
    return Record(run, ref, oid, files, meta, broken)


def _files(repo: Repository, oid: str) -> dict[str, str]:
    """Path → blob; asked with --full-tree, as a project may be a subfolder."""
    out = repo.git("ls-tree", "-r", "-z", "--full-tree", oid, check=False)
    found = {}
    for row in out.split(b"\0"):
        head, _, path = row.partition(b"\t")
        if head.startswith(b"100"):
            found[os.fsdecode(path)] = head.split(b" ")[2].decode()
    return found


def parse_meta(data: bytes) -> tuple[Meta, str]:
    """What `meta.json` says, or why it says nothing."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return Meta(), f"its {META} cannot be read"
    if not isinstance(value, dict):
        return Meta(), f"its {META} is no object"
    version = value.pop("version", VERSION)
    if version != VERSION:
        return Meta(), f"its {META} has version {version!r}, unknown to this program"
    value.pop("run", None)
    texts = ("state", "start", "end", "started_at", "ended_at")
    known = {key: str(value.pop(key, "") or "") for key in texts}
    out = bool(value.pop("opted_out", False))
    return Meta(**known, opted_out=out, others=value), ""


def meta_json(run: str, meta: Meta) -> bytes:
    return canonical_json(
        {
            **meta.others,
            "version": VERSION,
            "run": run,
            "state": meta.state,
            "start": meta.start,
            "end": meta.end,
            "started_at": meta.started_at,
            "ended_at": meta.ended_at,
            "opted_out": meta.opted_out,
        }
    )


# What steps were given


def block(repo: Repository, record: Record, workflow: str, step: str) -> bytes | None:
    """The text that the step was given; None if it is not recorded."""
    blob = record.files.get(block_path(workflow, step))
    return objects.read_blobs(repo, [blob]).get(blob) if blob else None


def keep_block(
    repo: Repository,
    run: str,
    step: tuple[str, str],
    text: bytes,
    ids: Sequence[str],
    begin: Meta,
) -> bytes:
    """Record what a step (workflow and name) is given, and give what it has to get:
    `text`, or what somebody else recorded meanwhile."""
    path = block_path(*step)

    def change(record: Record) -> Change:
        if path in record.files:
            return Change(record.meta)
        rows = {**kv(repo, record), _key(*step): ",".join(ids)}
        return Change(record.meta, {path: text, KV: canonical_json(rows)})

    record = update(repo, run, change, begin)
    found = block(repo, record, *step)
    return text if found is None else found


def kv(repo: Repository, record: Record) -> dict[str, str]:
    """The rows of `kv.json`; nothing if it cannot be read."""
    blob = record.files.get(KV, "")
    return parse_kv(objects.read_blobs(repo, [blob]).get(blob, b"") if blob else b"")


def parse_kv(data: bytes) -> dict[str, str]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    rows = value.items() if isinstance(value, dict) else ()
    return {key: text for key, text in rows if isinstance(text, str)}


def ids_of(rows: Mapping[str, str], workflow: str, step: str) -> tuple[str, ...]:
    """The requirements that a step was given, by the rows of `kv.json`."""
    return _split(rows.get(_key(workflow, step), ""))


def all_ids(rows: Mapping[str, str]) -> tuple[str, ...]:
    """The requirements that any step was given."""
    given = (_split(text) for key, text in rows.items() if key.endswith(":intent"))
    return tuple(sorted({id for ids in given for id in ids}))


def given(rows: Mapping[str, str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Workflow, step and requirements of each step that was given any text."""
    found = []
    for key, text in sorted(rows.items()):
        parts = key.split(":")
        if len(parts) == 3 and parts[2] == "intent":
            workflow, step = (
                p.replace("%3a", ":").replace("%25", "%") for p in parts[:2]
            )
            found.append((workflow, step, _split(text)))
    return found


def _split(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


def block_path(workflow: str, step: str) -> str:
    return f"{_BLOCKS}{escape(workflow)}/{escape(step)}"


def _key(workflow: str, step: str) -> str:
    names = (n.replace("%", "%25").replace(":", "%3a") for n in (workflow, step))
    return ":".join([*names, "intent"])


# What a scan reads


def transcript_folder(workflow: str = "", step: str = "") -> str:
    """Where the transcripts of a step lie, or those of the whole run."""
    if not workflow:
        return TRANSCRIPT
    name = escape(workflow)
    if name.isdigit():  # or it would be called like a transcript of the whole run
        name = f"%{ord(name[0]):02x}{name[1:]}"
    return f"{TRANSCRIPT}{name}/{escape(step)}/"


def step_of(path: str) -> tuple[str, str]:
    """Workflow and step of a transcript; both empty for one of the whole run.

    Others may name it `transcript/<workflow>/<step>.log`.
    """
    parts = path.removeprefix(TRANSCRIPT).split("/")
    if len(parts) < 2:
        return "", ""
    return unescape(parts[0]), unescape(parts[1].partition(".")[0])


def free_paths(record: Record, folder: str) -> Iterator[str]:
    """Names for more transcripts in `folder`."""
    names = (f"{folder}{number:03}" for number in count())
    return (name for name in names if name not in record.files)


def opt_out(record: Record) -> Change:
    """Leave the run out of every scan, for good: nothing that was said stays."""
    said = [path for path in record.files if path.startswith((PROMPT, TRANSCRIPT))]
    return Change(
        replace(record.meta, opted_out=True),
        dict.fromkeys(said),
        forget=bool(said) or not record.meta.opted_out,
    )


# Writing


def update(
    repo: Repository, run: str, change: Callable[[Record], Change], begin: Meta
) -> Record:
    """Change a run's record, made with `begin` if there is none; give what it is now.

    `change` may be asked again, with a newer record, if somebody else was faster.
    """
    with _turn(repo):
        stuck = 0
        while True:
            record = read(repo, run)
            if record.broken:
                raise IntentError(
                    f"{record.ref}: {record.broken}",
                    f"to begin it anew: git update-ref -d {record.ref}",
                )
            if not record.oid:
                record = replace(record, meta=begin)
            try:
                return _write(repo, record, change(record))
            except refs.RefMovedError:
                moved = refs.read_ref(repo, record.ref) != record.oid
                stuck = 0 if moved else stuck + 1
                if stuck == _REFUSALS:
                    raise


def _write(repo: Repository, record: Record, change: Change) -> Record:
    files: dict[str, bytes | str] = dict(record.files)
    meta = meta_json(record.run, change.meta)
    for path, data in {**change.files, META: meta}.items():
        if data is None:
            files.pop(path, None)
        elif record.files.get(path) != blob_id(data, repo.object_format):
            files[path] = data
    if record.oid and files == record.files:
        return record
    parents = [record.oid] if record.oid and not change.forget else []
    message = f"run {escape(record.run)}\n"
    oid, blobs = write_snapshot(repo, files, parents, message)
    refs.swap_ref(repo, record.ref, oid, record.oid, "git intent record")
    return replace(record, oid=oid, files=blobs, meta=change.meta)


@contextmanager
def _turn(repo: Repository) -> Iterator[None]:
    """One writer at a time. Where a file cannot be locked, the swap alone decides."""
    path = repo.common_dir / "intent" / "records.lock"
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError:
        yield
        return
    try:
        _wait_for(handle)
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int) -> None:
    """Lock a file, unless its owner hangs: a prompt must not wait for that one."""
    for _ in range(_PATIENCE):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:  # this file system knows no locks
            return
        else:
            return


def summaries(repo: Repository) -> Iterable[tuple[str, Meta, str, dict[str, str]]]:
    """Of every record: run, meta, why that is broken, and the rows of `kv.json`."""
    runs = sorted(run_refs(repo).items())
    names = [f"{ref}:{file}" for _, ref in runs for file in (META, KV)]
    contents = objects.read_names(repo, names)
    for at, (run, _) in enumerate(runs):
        meta, broken = parse_meta(contents[2 * at] or b"")
        yield run, meta, broken, parse_kv(contents[2 * at + 1] or b"")
