"""Which project is shown, and what stands in its store."""

from collections import Counter

from git_intent.store.requirement import Status
from git_intent.web.console import Console
from git_intent.web.rows import issues
from git_intent.web.served import Answer, Asked


def project(console: Console, asked: Asked) -> Answer:
    held, head = console.stored.now(), console.repo.head()
    counts = Counter(r.status for r in held.store.requirements.values())
    return Answer(
        {
            "name": console.root.name,
            "root": str(console.root),
            "branch": head.branch.removeprefix("refs/heads/") or None,
            "head": head.oid or None,
            "read_only": console.read_only or console.repo.bare,
            "actor": console.services.actor.value,
            "counts": {status.value: counts[status] for status in Status},
            "domains": [domain.name for domain in held.store.domains.domains],
            "issues": issues(held),
        }
    )
