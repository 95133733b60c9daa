"""The documents of a project: which they are, and which say something new.

A document is a file of HEAD's tree that people or agents read as instructions. What it
says is what git holds of it: the committed bytes, or, if the work tree's differ, those
bytes as git would store them. A document is new if no document read before had the same
bytes, whatever its path. On an unborn branch the files of the work tree stand in.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from git_intent.files import sha256
from git_intent.git import objects
from git_intent.git.objects import Entry
from git_intent.git.process import GitError
from git_intent.git.repository import Repository
from git_intent.scan.artifacts import Notice, Source
from git_intent.scan.noise import strip_own
from git_intent.store import globs
from git_intent.store.requirement import Kind

LARGEST = 1 << 20

_ANYWHERE = frozenset({"CLAUDE.md", "AGENTS.md", "GEMINI.md"})
_EXACT = frozenset(
    {".github/copilot-instructions.md", ".cursorrules", ".windsurfrules"}
)
_ROOT_STEMS = (
    "readme",
    "contributing",
    "style",
    "governance",
    "security",
    "maintainers",
)
_MARKUP = frozenset({".md", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt"})
_FOLDERS = (".cloche/prompts/", ".cursor/rules/")
_FOREIGN = frozenset({"node_modules", "vendor", "third_party", "fixtures", "testdata"})
_LICENCES = ("license", "licence", "copying", "notice")
_LFS = b"version https://git-lfs.github.com/spec/"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class DocumentMaterial:
    """`hashes` holds every readable document, `items` those that are new."""

    hashes: Mapping[str, str] = field(default_factory=dict)
    items: tuple[Source, ...] = ()
    skipped: tuple[Notice, ...] = ()


def is_document(path: str, doc_globs: Sequence[str] = ()) -> bool:
    """Whether the file at `path` (from the project's root) is read as a document.

    `doc_globs` adds to the default places, or takes away from them with `!`.
    """
    found = _by_default(path)
    for pattern in doc_globs:
        if globs.matching(pattern, [path]):
            found = not pattern.startswith("!")
    return found


def _by_default(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if name in _ANYWHERE:
        return _FOREIGN.isdisjoint(folder.split("/"))
    low = name.casefold()
    if low.startswith(_LICENCES):
        return False
    suffix = PurePosixPath(low).suffix
    if not folder:
        known = low.startswith(_ROOT_STEMS) and (not suffix or suffix in _MARKUP)
        return known or path in _EXACT
    if folder == ".github" and low.startswith("contributing"):
        return not suffix or suffix in _MARKUP
    if path.startswith("docs/"):
        return suffix in _MARKUP and _FOREIGN.isdisjoint(folder.split("/"))
    return path in _EXACT or path.startswith(_FOLDERS)


def collect_documents(
    repo: Repository,
    head: str,
    known: Mapping[str, str],
    *,
    doc_globs: Sequence[str] = (),
    full: bool = False,
    name: str = "",
) -> DocumentMaterial:
    """Read all documents; `known` is scan-state's `scanned_docs`.

    With `full`, none counts as known. `name` is that of a repository listed beside the
    project's own: it goes into refs and paths.
    """
    reader = _Reader(repo, head, doc_globs)
    contents = reader.read()
    hashes = {path: sha256(data) for path, (_, data) in contents.items()}
    read_before = frozenset() if full else frozenset(known.values())
    prefix = f"repos/{name}/" if name else ""
    items = []
    skipped = dict(reader.skipped)
    for path, (blob, data) in sorted(contents.items()):
        text = _text(data)
        if text is None:
            skipped[path] = _unreadable(data)
            del hashes[path]
        elif hashes[path] not in read_before:
            items.append(_source(prefix + path, blob, hashes[path], text))
    return DocumentMaterial(
        dict(sorted(hashes.items())),
        tuple(items),
        tuple(Notice(prefix + p, reason) for p, reason in sorted(skipped.items())),
    )


def _source(path: str, blob: str, digest: str, text: str) -> Source:
    kept = strip_own(text)
    return Source(Kind.DOC, path, kept, path=path, blob=blob, sha256=digest)


def _text(data: bytes) -> str | None:
    if b"\0" in data or data.startswith((_LFS, *_UTF16)):
        return None
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None


def _unreadable(data: bytes) -> str:
    if data.startswith(_LFS):
        return "a pointer to a file in Git LFS"
    if data.startswith(_UTF16):
        return "UTF-16; only UTF-8 is read"
    return "binary" if b"\0" in data else "not UTF-8"


class _Reader:
    """Finds the documents and gets their bytes; what it cannot read is `skipped`."""

    def __init__(self, repo: Repository, head: str, doc_globs: Sequence[str]) -> None:
        self.repo = repo
        self.head = head
        self.doc_globs = doc_globs
        self.skipped: dict[str, str] = {}

    def read(self) -> dict[str, tuple[str, bytes]]:
        """Path → blob id and bytes as git stores them."""
        if not self.head:
            return self._from_work_tree(self._present())
        entries = objects.tree(self.repo, self.head)
        others = nested_projects(entry.path for entry in entries)
        mine = [
            e
            for e in entries
            if is_document(e.path, self.doc_globs) and not e.path.startswith(others)
        ]
        regular = [e for e in mine if self._is_regular(e)]
        committed = {e.path: e.oid for e in regular}
        changed = self._changed(committed)
        found = self._committed(
            {p: o for p, o in committed.items() if p not in changed}
        )
        found |= self._from_work_tree(changed)
        self._name_strangers({e.path for e in entries})
        return found

    def _is_regular(self, entry: Entry) -> bool:
        if entry.mode == "120000":
            self.skipped[entry.path] = "a symbolic link"
        return entry.regular

    def _changed(self, committed: Mapping[str, str]) -> list[str]:
        """Documents whose bytes in the work tree are not those of HEAD.

        One that is missing there (deleted, or outside a sparse checkout) is not among
        them: what HEAD has of it still stands.
        """
        if self.repo.worktree is None:
            return []
        dirty = set(objects.dirty(self.repo, committed))
        root = self.repo.root
        return [p for p in committed if p in dirty and os.path.lexists(root / p)]

    def _committed(self, oids: Mapping[str, str]) -> dict[str, tuple[str, bytes]]:
        sizes = objects.sizes(self.repo, oids.values())
        for path, oid in oids.items():
            if oid not in sizes:
                self.skipped[path] = "not in this partial clone"
            elif sizes[oid] > LARGEST:
                self.skipped[path] = _too_large(sizes[oid])
        wanted = {p: oid for p, oid in oids.items() if p not in self.skipped}
        blobs = objects.read_blobs(self.repo, wanted.values())
        return {p: (oid, blobs[oid]) for p, oid in wanted.items() if oid in blobs}

    def _from_work_tree(self, paths: Iterable[str]) -> dict[str, tuple[str, bytes]]:
        found = {}
        for path in paths:
            target = self.repo.root / path
            if target.is_symlink():
                self.skipped[path] = "a symbolic link"
            elif not target.is_file():
                self.skipped[path] = "not a regular file"
            elif (size := target.stat().st_size) > LARGEST:
                self.skipped[path] = _too_large(size)
            else:
                try:
                    found[path] = objects.filtered(self.repo, path)
                except (GitError, OSError) as error:
                    self.skipped[path] = f"cannot be read: {error}"
        return found

    def _present(self) -> list[str]:
        """Documents of a work tree without a commit: all that git does not ignore."""
        out = self.repo.git(
            "ls-files", "-z", "--cached", "--others", "--exclude-standard"
        )
        paths = sorted({os.fsdecode(path) for path in out.split(b"\0") if path})
        others = nested_projects(paths)
        return [
            path
            for path in paths
            if is_document(path, self.doc_globs) and not path.startswith(others)
        ]

    def _name_strangers(self, tracked: set[str]) -> None:
        """Name the documents that lie in the work tree and are in no commit."""
        if self.repo.worktree is None:
            return
        found = {
            path
            for path in _candidates(self.repo)
            if path not in tracked and is_document(path, self.doc_globs)
        }
        ignored = {one.path for one in self.repo.ignored(sorted(found))}
        for path in found:
            self.skipped[path] = (
                "ignored by git" if path in ignored else "not committed"
            )


def _candidates(repo: Repository) -> set[str]:
    """Files at the root, and untracked ones in the usual places of documents.

    Ignored folders are not entered: `docs/node_modules` is nobody's document.
    """
    root = repo.root
    found = {e.name for e in os.scandir(root) if e.is_file(follow_symlinks=False)}
    usual = ("docs", ".cloche/prompts", ".github", ".cursor")
    places = [place for place in usual if (root / place).is_dir()]
    if places:
        ls = ("ls-files", "-z", "--others", "--exclude-standard")
        for options in ((), ("--ignored", "--directory")):
            out = repo.git(*ls, *options, "--", *places)
            found.update(os.fsdecode(path) for path in out.split(b"\0") if path)
    return found


def nested_projects(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders below the root that are projects of their own (`svc/`)."""
    inner = (p.partition("/.cloche/")[0] for p in paths if "/.cloche/" in p)
    return tuple(sorted({f"{folder}/" for folder in inner}))


def _too_large(size: int) -> str:
    return f"{size / LARGEST:.1f} MiB; at most 1 MiB is read"
