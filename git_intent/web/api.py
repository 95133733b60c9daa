"""The addresses of the API, and what answers at each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from git_intent.web import domains, ledgers, project, requirements, runs, sources
from git_intent.web.console import Console
from git_intent.web.edits import Edits
from git_intent.web.ranking import Ranking
from git_intent.web.rows import Rows
from git_intent.web.scans import Scans
from git_intent.web.served import Answer, Asked, Handler


@dataclass(frozen=True, slots=True)
class Served:
    """One address; `slow` asks git, a model or a whole ledger, `writes` edits files."""

    method: str
    path: str
    handler: Handler
    slow: bool = False
    writes: bool = False


def api(console: Console, scans: Scans, rows: Rows) -> list[Served]:
    """Every address of the API that answers once."""
    edits, ranking = Edits(rows), Ranking(console)
    one = "/api/requirements/{id}"

    def of(act: Callable[[Console, Asked], Answer]) -> Handler:
        return partial(act, console)

    return [
        Served("GET", "/api/project", of(project.project)),
        Served("GET", "/api/requirements", rows.table),
        Served("POST", "/api/requirements", edits.add, writes=True),
        Served("GET", one, edits.detail),
        Served("PATCH", one, edits.save, writes=True),
        Served("POST", f"{one}/preview", edits.preview),
        Served("GET", f"{one}/history", partial(requirements.history, rows), slow=True),
        Served("GET", "/api/domains", of(domains.show)),
        Served("POST", "/api/domains", of(domains.add), writes=True),
        Served("PATCH", "/api/domains/{name}", of(domains.edit), writes=True),
        Served("GET", "/api/globs", of(domains.glob)),
        Served("GET", "/api/search", ranking.search, slow=True),
        Served("POST", "/api/preview", ranking.preview, slow=True),
        Served("GET", "/api/scan", scans.state),
        Served("POST", "/api/scan", scans.start, slow=True),
        Served("GET", "/api/scans", scans.listed),
        Served("GET", "/api/scans/{run}", scans.one),
        Served("GET", "/api/runs", of(runs.listed), slow=True),
        Served("GET", "/api/runs/{run:path}", of(runs.one), slow=True),
        Served("GET", "/api/ledger", of(ledgers.listed), slow=True),
        Served("GET", "/api/ledger/{chat}", of(ledgers.one), slow=True),
        Served("GET", "/api/ledger/{chat}/events", of(ledgers.events), slow=True),
        Served("GET", "/api/doc", of(sources.document)),
        Served("GET", "/api/commit/{oid}", of(sources.commit)),
    ]
