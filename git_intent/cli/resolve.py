"""`git intent resolve`: finish in the store what a merge left undone."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePath

import click

from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, claim, open_project
from git_intent.review.merge_resolve import Resolution, findings, resolve
from git_intent.review.merge_split import Side, Split
from git_intent.store.intent_dir import requirement_path, write_changes
from git_intent.store.issue import Issue
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules_links import judge_links
from git_intent.store.rules_view import Reader, view

_SHORT = 60


@click.command(epilog=examples("resolve", "resolve req-a3f8", "resolve --dry-run"))
@click.argument("paths", nargs=-1, metavar="[PATH|ID]...")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@json_option
@click.pass_obj
def command(
    directory: str, paths: tuple[str, ...], dry_run: bool, as_json: bool
) -> int:
    """Merge the files of the store that a merge, rebase or cherry-pick left undone.

    Each field is merged by the rules of the merge driver. Where two different
    requirements met under one id, one gets a new id. Nothing is staged: the last line
    says what to add. What only a person can decide stays marked, is listed, and makes
    this end with 1.
    """
    project = open_project(directory)
    project.need_worktree()
    files = project.files()
    done = resolve(project.repo, files, _wanted(project, Path(directory), paths))
    result = {**files, **done.changes, **done.new}
    if done.undone:
        found = findings(project.repo, done, result, claim(None).actor)
    else:
        found = list(judge_links(view(files, Reader())))
    written: set[str] = set()
    for part in () if dry_run else done.in_order():
        written.update(write_changes(project.root, part))
    if as_json:
        output.document(_document(done, found, dry_run))
    else:
        _report(done, found, dry_run)
        if not dry_run and (decided := written.union(done.touched) - _open(done)):
            places = (project.root / path for path in sorted(decided))
            output.say(f"git add {_arguments(places, directory)}")
    return 1 if done.conflicts or found else 0


def _wanted(
    project: Project, here: Path, given: Sequence[str]
) -> Callable[[str], bool]:
    """Whether a path of the store is, or lies below, one of those given."""
    names = {PurePath(one).name.removesuffix(".md") for one in given}
    names |= {f"req-{name}" for name in names}
    places = [(here / one).resolve() for one in given]

    def wanted(path: str) -> bool:
        place = (project.root / path).resolve()
        named = PurePath(path).stem in names
        return not given or named or any(place.is_relative_to(p) for p in places)

    return wanted


def _open(done: Resolution) -> set[str]:
    """The files in which something is undecided."""
    return {issue.path for issue in done.conflicts}


def _report(done: Resolution, found: Sequence[Issue], dry_run: bool) -> None:
    told = {requirement_path(one.id) for one in done.splits}
    for path in done.undone:
        if path not in _open(done) | told:
            output.say(f"{'would merge' if dry_run else 'merged'} {path}")
    for one in done.splits:
        output.say(_told(one))
    for note in done.notes:
        output.note(f"note: {note}")
    for issue in (*done.conflicts, *found):
        output.say(f"{issue}")
    if not done.undone and not found:
        output.say("nothing to resolve")


def _told(one: Split) -> str:
    side = "theirs" if one.moved is Side.OURS else "ours"
    kept = _short(parse_requirement(one.kept, "requirement").statement)
    moved = _short(one.said)
    verb = "is new:" if one.is_new else "has it already:"
    return f'{one.id} stays "{kept}" ({side}); {one.new} {verb} "{moved}"'


def _short(statement: str) -> str:
    text = output.one_line(statement)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def _arguments(places: Iterable[Path], here: str) -> str:
    """Paths as a shell wants them, from the folder that the command acts in."""
    import shlex

    return " ".join(shlex.quote(os.path.relpath(place, here)) for place in places)


def _document(
    done: Resolution, found: Sequence[Issue], dry_run: bool
) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "resolved": [p for p in done.touched if p in done.undone],
        "changed": sorted({*done.new, *done.changes}),
        "split": [
            {
                "id": one.id,
                "kept": "theirs" if one.moved is Side.OURS else "ours",
                "new_id": one.new,
                "new_path": one.path,
            }
            for one in done.splits
        ],
        "conflicts": [_issue(issue) for issue in done.conflicts],
        "findings": [_issue(issue) for issue in found],
        "notes": list(done.notes),
    }


def _issue(found: Issue) -> Mapping[str, object]:
    return {
        "path": found.path,
        "line": found.line,
        "col": found.col,
        "code": found.code,
        "message": found.message,
    }
