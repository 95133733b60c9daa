"""What a check of the hard rules is asked, and what it found.

`git intent check` fills in a Request from its command line and its environment;
`guard.rules.judge` answers with a Judgement. Nothing here looks anything up.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from git_intent.store.issue import Issue
from git_intent.store.rules import Actor


@dataclass(frozen=True, slots=True)
class Request:
    """Which states are compared, and who is taken for the one that changed them.

    `root` is the root of one project. Neither `staged` nor `from_ref` means: from HEAD
    to the work tree. `hook` is set by `check --rules`, which pre-commit runs: what is
    about to be committed is judged, and where nothing is, what a CI run is about. With
    `hook` or `fix` a missing mark of a person's change is set; `fix` also repairs
    formats if the work tree is what is checked. `environ` is the environment (the
    variables of git, pre-commit and CI). `told` is whether `actor` was named on the
    command line, and so goes for every commit.
    """

    root: Path
    staged: bool = False
    from_ref: str = ""
    to_ref: str = ""
    hook: bool = False
    actor: Actor = Actor.PERSON
    actor_reason: str = ""
    told: bool = False
    fix: bool = False
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Findings with paths relative to the project's root, and who was judged and why.

    `notes` are lines for a person (which states were compared). `repaired` are the
    files that were rewritten, relative to the root: a hook that wrote any ends with 1.
    """

    issues: tuple[Issue, ...] = ()
    actor: Actor = Actor.PERSON
    reason: str = ""
    notes: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
