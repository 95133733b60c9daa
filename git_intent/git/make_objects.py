"""Write blobs, trees and commits, without an index and without a work tree.

Nothing here moves a ref: what is written stays unseen until one points to it.
"""

import os
from collections.abc import Mapping, Sequence

from git_intent.git.identity import identities
from git_intent.git.repository import Repository


def write_blob(repo: Repository, data: bytes) -> str:
    """Keep `data` as it is, and give its id."""
    return repo.git("hash-object", "-w", "--stdin", input=data).decode().strip()


def write_tree(repo: Repository, files: Mapping[str, str]) -> str:
    """The id of a tree that holds `files` (path → blob), which may not be empty."""
    folders: dict[str, list[str]] = {"": []}
    for path, blob in files.items():
        folder, _, name = path.rpartition("/")
        _reach(folders, folder)
        folders[folder].append(f"100644 blob {blob}\t{name}\0")
    trees: dict[str, str] = {}
    for depth in sorted({_depth(folder) for folder in folders}, reverse=True):
        level = [folder for folder in folders if _depth(folder) == depth]
        asked = "\0".join("".join(folders[folder]) for folder in level)
        out = repo.git("mktree", "--batch", "-z", input=os.fsencode(asked))
        for folder, made in zip(level, out.decode().split(), strict=True):
            trees[folder] = made
            if folder:
                parent, _, name = folder.rpartition("/")
                folders[parent].append(f"040000 tree {made}\t{name}\0")
    return trees[""]


def _reach(folders: dict[str, list[str]], folder: str) -> None:
    """Know `folder` and all that it lies in."""
    while folder not in folders:
        folders[folder] = []
        folder = folder.rpartition("/")[0]


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


def write_commit(
    repo: Repository, tree: str, parents: Sequence[str], message: str
) -> str:
    """A commit by whoever git says, unsigned; no hook sees it."""
    known = [part for parent in parents for part in ("-p", parent)]
    args = ("-c", "i18n.commitEncoding=UTF-8", "commit-tree", *known, "-F", "-", tree)
    out = repo.git(*args, input=message.encode(), env=identities(repo))
    return out.decode().strip()
