"""The folder `.cloche/intent/`, as a mapping from path to bytes.

Only the files of the store are read: domains.yaml, scan-state.yaml, .gitattributes and
`requirements/req-*.md`. Whatever else a person keeps there is left alone. A symbolic
link in their place, or in that of a folder above them, is refused by name: what it
points at is neither read nor written.
"""

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.files import effect, write_atomic
from git_intent.store.domains import Domains, examine_domains
from git_intent.store.fields import shown
from git_intent.store.ids import ID
from git_intent.store.issue import Issue, Severity
from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import examine
from git_intent.store.scan_state import ScanStates, parse_scan_state

STORE = ".cloche/intent"
REQUIREMENTS = f"{STORE}/requirements"
DOMAINS = f"{STORE}/domains.yaml"
SCAN_STATE = f"{STORE}/scan-state.yaml"
ATTRIBUTES = f"{STORE}/.gitattributes"

_DRIVERS = (
    "requirements/*.md merge=git-intent diff=git-intent",
    "domains.yaml merge=git-intent",
    "scan-state.yaml merge=git-intent",
)
_CHUNK = 1 << 16
ReadRequirement = Callable[[str, bytes], "tuple[Requirement | None, Issue | None]"]
_NAME = re.compile(r"req-[^/]*\.md", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Store:
    """What the good files say; the broken ones are in `issues` and nowhere else."""

    requirements: Mapping[str, Requirement] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)
    bytes: Mapping[str, bytes] = field(default_factory=dict)
    domains: Domains = field(default_factory=Domains)
    scan_state: ScanStates = field(default_factory=ScanStates)
    issues: tuple[Issue, ...] = ()


def requirement_path(id: str) -> str:
    return f"{REQUIREMENTS}/{id}.md"


def is_requirement(path: str) -> bool:
    """Whether a path is, or was meant to be, a requirement file."""
    folder, _, name = path.rpartition("/")
    return folder == REQUIREMENTS and _NAME.fullmatch(name) is not None


def load_store(
    snapshot: Mapping[str, bytes], read: ReadRequirement | None = None
) -> Store:
    """Read every file that can be read; one error for each that cannot.

    `read` may know some of the files already; it stands for `read_requirement`.
    """
    read = read or read_requirement
    requirements: dict[str, Requirement] = {}
    paths: dict[str, str] = {}
    issues: list[Issue] = []
    for path in sorted(filter(is_requirement, snapshot)):
        found, issue = read(path, snapshot[path])
        if issue is not None:
            issues.append(issue)
        if found is not None:
            requirements[found.id] = found
            paths[found.id] = path
    domains = Domains()
    if DOMAINS in snapshot:
        examined = examine_domains(snapshot[DOMAINS], DOMAINS)
        domains = examined.domains or domains
        issues += _first_error(examined.issues)
    states = ScanStates()
    if SCAN_STATE in snapshot:
        try:
            states = parse_scan_state(snapshot[SCAN_STATE], SCAN_STATE)
        except MalformedFile as error:
            issues.append(error.issue())
    contents = {id: snapshot[path] for id, path in paths.items()}
    return Store(requirements, paths, contents, domains, states, tuple(issues))


def read_requirement(path: str, data: bytes) -> tuple[Requirement | None, Issue | None]:
    """The requirement in a file; what stands in its way, or why it is not its file's.

    A file that is named differently from its requirement has none.
    """
    found = examine(data, path)
    r = found.requirement
    if r is not None and path != requirement_path(r.id):
        return None, misnamed(path, r.id)
    return r, next(iter(_first_error(found.issues)), None)


def misnamed(path: str, id: str) -> Issue:
    """The name of a requirement file is its id."""
    name = path.rpartition("/")[2].removesuffix(".md")
    if not ID.fullmatch(name):
        text = f"{shown(name)} is no id: req- and four of 0-9 a-f are wanted"
    else:
        text = f"the file is named {name} and its id is {id}"
    return Issue(path, 1, 1, Code.NAME.value, text)


def _first_error(issues: tuple[Issue, ...]) -> list[Issue]:
    return [i for i in issues if i.severity is Severity.ERROR][:1]


def read_snapshot(root: Path) -> dict[str, bytes]:
    """The store in the work tree below `root`; empty if there is none."""
    refuse_links(root)
    found: dict[str, bytes] = {}
    for path in _files(root):
        data = read_file(root, path)
        if data is not None:
            found[path] = data
    return found


def refuse_links(root: Path) -> None:
    """Raise if a folder on the way to a requirement is a symbolic link."""
    for folder in (".cloche", STORE, REQUIREMENTS):
        if (root / folder).is_symlink():
            raise _link(folder)


def _files(root: Path) -> Iterator[str]:
    yield from (DOMAINS, SCAN_STATE, ATTRIBUTES)
    try:
        names = sorted(os.listdir(root / REQUIREMENTS))  # noqa: PTH208 - much faster
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise IntentError(f"{REQUIREMENTS}: {error.strerror}") from error
    yield from (f"{REQUIREMENTS}/{n}" for n in names if _NAME.fullmatch(n))


def read_file(root: Path, path: str) -> bytes | None:
    """The bytes of a regular file, None if there is none; links are not followed."""
    return _read(f"{root}/{path}", path)


def _read(file: str, path: str) -> bytes | None:
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _link(path) from None
        raise IntentError(f"{path}: {error.strerror}") from error
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise IntentError(
                f"{path}: is not a regular file", "move it out of the store"
            )
        pieces = [os.read(handle, found.st_size + 1)]
        while pieces[-1]:  # it may grow meanwhile, and one read need not give all
            pieces.append(os.read(handle, _CHUNK))
    finally:
        os.close(handle)
    return pieces[0] if len(pieces) == 2 else b"".join(pieces)


def _link(path: str) -> IntentError:
    return IntentError(
        f"{path}: is a symbolic link; the store holds regular files only",
        "replace it by what it points at",
    )


def write_changes(root: Path, changes: Mapping[str, bytes]) -> tuple[str, ...]:
    """Write what differs, each file atomically; give the paths written.

    The cursors come last: a kill in between leaves material that is read twice, never
    material that is lost. If a file cannot be written, those before it are put back.
    The first write makes `.gitattributes`.
    """
    refuse_links(root)
    for path in changes:
        if not _writable(path):
            raise IntentError(f"{path}: is not a file of the store")
    before = {path: read_file(root, path) for path in (*changes, ATTRIBUTES)}
    differing = {path: data for path, data in changes.items() if before[path] != data}
    if not differing:
        return ()
    attributes = with_drivers(before[ATTRIBUTES])
    if ATTRIBUTES not in changes and attributes is not None:
        differing[ATTRIBUTES] = attributes
    order = sorted(differing, key=lambda path: (path == SCAN_STATE, path))
    for number, path in enumerate(order):
        try:
            write_atomic(root / path, differing[path])
        except IntentError:
            for done in reversed(order[:number]):
                _put_back(root / done, before[done])
            raise
    return tuple(order)


def _put_back(file: Path, data: bytes | None) -> None:
    if data is None:
        effect(f"unlink {file.name}")
        file.unlink()
    else:
        write_atomic(file, data)


def with_drivers(data: bytes | None) -> bytes | None:
    """`.gitattributes` with our drivers named; None if nothing is to be added.

    A pattern that a person already gave a merge driver keeps the person's line.
    """
    text = (data or b"").decode("utf-8", "surrogateescape")
    named = {
        words[0]
        for line in text.splitlines()
        if (words := line.split()) and any("merge" in word for word in words[1:])
    }
    wanted = [line for line in _DRIVERS if line.split()[0] not in named]
    if not wanted:
        return None
    newline = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith("\n"):
        text += newline
    text += "".join(line + newline for line in wanted)
    return text.encode("utf-8", "surrogateescape")


def _writable(path: str) -> bool:
    if path in (DOMAINS, SCAN_STATE, ATTRIBUTES):
        return True
    return any(path == requirement_path(id) for id in ID.findall(path))
