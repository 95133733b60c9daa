"""What stands in the page before a script has run: the first rows of the table.

The browser paints them as soon as it has the page. Then the scripts read the whole
table and put theirs in its place, with the same elements, so that nothing moves;
`toolbar.js`, `requirements.js` and `badges.js` make them there. Only the usual choice
is drawn here: active ones, the newest first.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from git_intent.store.requirement import Status
from git_intent.web.page import Page
from git_intent.web.rows import Rows, Table

#: As many as the tallest of usual screens shows.
ROWS = 32
KINDS = {
    "doc": "document",
    "commit": "commit",
    "transcript": "run",
    "prompt": "task",
    "user": "by hand",
}
_CHIPS = 3
_LONGEST = 400
_OID = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{32}\b", re.ASCII)
#: What encodeURIComponent leaves as it is, beside letters and digits.
_PLAIN = "-_.!~*'()"


@dataclass(slots=True)
class First:
    """The first rows as a part of the page, kept for as long as nothing changes."""

    rows: Rows
    page: Page
    _kept: tuple[Table, bytes] | None = None

    def now(self) -> bytes:
        """Without rows if there are none to show."""
        table, kept = self.rows.now(), self._kept
        if kept is None or kept[0] is not table:
            kept = self._kept = table, self.page.main(_first(table))
        return kept[1]


def _first(table: Table) -> Mapping[str, Any] | None:
    rows = table.rows.values()
    counts = Counter(row["status"] for row in rows)
    active = [row for row in rows if row["status"] == Status.ACTIVE]
    if not active:
        return None
    active.sort(key=lambda row: row["updated"], reverse=True)
    names = {one.name for one in table.held.store.domains.domains}
    return {
        "domains": sorted(names.union(*(row["domains"] for row in rows))),
        "hidden": {name: counts[name] for name in (Status.DISABLED, Status.SUPERSEDED)},
        "shown": len(active),
        "all": len(rows),
        "problems": len(table.held.issues),
        "rows": [_row(row) for row in active[:ROWS]],
    }


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    chips = [("project", "project")] if row["level"] == "project" else []
    for kind in ("domain", "path", "language"):
        chips += [(kind, name) for name in row[f"{kind}s"]]
    most = _CHIPS + 1 if len(chips) == _CHIPS + 1 else _CHIPS
    text = row["statement"]
    return {
        **row,
        "statement": f"{text[:_LONGEST]} …" if len(text) > _LONGEST else text,
        "chips": chips[:most],
        "more": [name for _, name in chips[most:]],
        "source": _source(row),
    }


def _source(row: Mapping[str, Any]) -> dict[str, str]:
    kind, ref = row["kind"], row["ref"]
    return {
        "kind": KINDS.get(kind, kind),
        "title": ref or KINDS.get(kind, kind),
        "said": _OID.sub(r"\1", ref, count=1) if kind == "commit" else ref,
        "href": _href(row["link"]) if row["link"] else "",
    }


def _href(link: Mapping[str, Any]) -> str:
    """A place within the page, as `router.js` writes it."""
    if link["kind"] == "doc":
        return f"#/doc/{_escaped(link['path'])}?line={link['line'] or 1}"
    if link["kind"] == "commit":
        return f"#/commit/{_escaped(link['oid'])}"
    return f"#/runs/{_escaped(link['run'])}"


def _escaped(part: str) -> str:
    return quote(part, safe=_PLAIN, errors="replace")
