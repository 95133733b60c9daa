"""What a scan has done, for a person to read."""

import re
from collections.abc import Sequence

from git_intent.cli import output
from git_intent.scan.apply import Item
from git_intent.scan.artifacts import Notice
from git_intent.scan.summary import ScanReport

_WIDTH = 88
_MOST = 40


def print_report(report: ScanReport) -> None:
    """New and changed requirements first, then what wants attention, then the rest."""
    if report.quiet and not report.person and not report.deferred:
        _extras(report)
        output.say(_nothing(report))
        return
    waiting = {item.id for item in report.person}
    _created([item for item in report.created if item.id not in waiting])
    _section("Superseded", report.superseded)
    _section("Needs a person (written disabled)", report.person)
    _section("Deferred to the next scan", report.deferred)
    _section("Worth a look", report.reported)
    _extras(report)
    output.say(_total(report))
    if report.created and not report.dry_run:
        review = "git show" if report.commit else "git diff"
        output.say(f"Look at them with `git intent review`, or with `{review}`.")


def _nothing(report: ScanReport) -> str:
    if report.dry_run and (report.created or report.merged):
        return _total(report)
    return "Nothing new." if report.quiet else _total(report)


def _created(items: Sequence[Item]) -> None:
    """New requirements under the document, commit or run that they come from."""
    if not items:
        return
    output.say(f"Created ({len(items)})")
    source = ""
    for item in items[:_MOST]:
        found = output.one_line(re.sub(r":\d+$", "", item.detail))
        if found != source:
            output.say(f"  {found}")
            source = found
        output.say(_cut(f"    {item.id}  {' '.join(item.statement.split())}"))
    _rest(items)


def _section(title: str, items: Sequence[Item]) -> None:
    if not items:
        return
    output.say(f"{title} ({len(items)})")
    for item in items[:_MOST]:
        output.say(_cut(f"  {item.id or '-':8}  {' '.join(item.statement.split())}"))
        if item.detail:
            output.say(f"            {output.one_line(item.detail)}")
    _rest(items)


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1].rstrip() + "…"


def _rest(items: Sequence[Item]) -> None:
    if len(items) > _MOST:
        output.say(f"  … and {len(items) - _MOST} more")
    output.say()


def _extras(report: ScanReport) -> None:
    for remark in report.remarks:
        output.note(f"note: {remark}")
    for notice in _few(report.skipped):
        output.note(f"skipped {output.one_line(notice.path)}: {notice.reason}")


def _few(notices: Sequence[Notice]) -> Sequence[Notice]:
    more = len(notices) - 10
    if more <= 0:
        return notices
    return [
        *notices[:10],
        Notice(f"{more} more", "`git intent scan --json` names each"),
    ]


def _total(report: ScanReport) -> str:
    counts = []
    for what, items in (
        ("superseded", report.superseded),
        ("merged", report.merged),
        ("dropped", report.dropped),
        (
            "domain added" if len(report.domains) == 1 else "domains added",
            report.domains,
        ),
        ("of low confidence left out (`git intent review` shows them)", report.low),
    ):
        if items:
            counts.append(f"{len(items)} {what}")
    if counts or report.created:
        total = ", ".join([f"{len(report.created)} created", *counts]) + "."
    else:
        total = "Nothing new to keep."
    if report.commit:
        return f"{total} Commit {report.commit[:12]}, run {report.run}."
    if report.dry_run:
        return f"{total} Dry run: nothing was written."
    return f"{total} Nothing was committed."
