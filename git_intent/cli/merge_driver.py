"""`git intent merge-driver`: what git runs for a file of the store; nobody else does.

`git intent install git` registers it:

    merge.git-intent.driver = git intent merge-driver %O %A %B %L %P
"""

import click

from git_intent.cli.merging import drive


@click.command(hidden=True)
@click.argument("base", metavar="%O")
@click.argument("ours", metavar="%A")
@click.argument("theirs", metavar="%B")
@click.argument("size", metavar="%L", type=click.IntRange(1))
@click.argument("path", metavar="%P")
def command(base: str, ours: str, theirs: str, size: int, path: str) -> int:
    """Merge three versions of a file of the store into the file %A.

    Ends with 0 if the merge is clean, with 1 if a person has to decide. git calls this
    if `merge.git-intent.driver` is set; `git intent install git` sets it.
    """
    return drive(base, ours, theirs, size, path)
