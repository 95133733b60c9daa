"""Topics that most projects have rules about: the vocabulary of proposed domains.

A topic is recognised by words in a heading or a statement. Whether it becomes a domain
of the project is `discover`'s decision; which domain a statement gets is `scope`'s.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from git_intent.scan.folding import Marks, bits_of, folded
from git_intent.store.domains import Domain


@dataclass(frozen=True, slots=True)
class Topic:
    """`cues` matches wording, `globs` the places where work on the topic happens.

    A match of the cues begins with a word that `opens` matches from its start.
    """

    name: str
    description: str
    cues: re.Pattern[str]
    opens: re.Pattern[str]
    globs: tuple[str, ...] = ()


def _topic(name: str, description: str, cues: str, *globs: str) -> Topic:
    pattern = re.compile(rf"\b(?:{cues})\b", re.I)
    return Topic(name, description, pattern, _openings(cues), globs)


def _openings(cues: str) -> re.Pattern[str]:
    """What the first word of a match looks like: all of it, or the letters before
    anything but letters (`releas(?:e|ing)`, `hot paths?`)."""
    found = []
    for cue in re.sub(r"\([^)]*\)", "(", cues).split("|"):
        alone = re.fullmatch(r"[a-z0-9_]+(?:s\?)?", cue)
        front = re.match(r"[a-z0-9_]+(?!\?)", cue)
        found += [rf"{cue}\Z"] if alone else [front[0]] if front else []
    return re.compile("|".join(found))


CODE_STYLE = "code-style"
TOPICS: tuple[Topic, ...] = (
    _topic(
        "testing",
        "Tests: what to write, where they live, how they are run.",
        r"tests?|testing|unit[- ]tests?|e2e|coverage|mocks?|mocking|fixtures?|test"
        r" suites?|assertions?|benchmarks?|snapshots?|pytest|flaky",
        "tests/**",
        "test/**",
        "spec/**",
    ),
    _topic(
        "commits",
        "Commit messages, and what belongs into one commit.",
        r"commits?|commit messages?|committing|conventional commits|squash|sign-off"
        r"|dco",
    ),
    _topic(
        "branching",
        "Branches, merging and rebasing.",
        r"branch(?:es)?|branching|rebas(?:e|ing)|merg(?:e|ing)|force[- ]push|trunk",
    ),
    _topic(
        "pull-requests",
        "Pull requests: their size, description and checks.",
        r"pull requests?|prs?|merge requests?|patch(?:es)? submission",
    ),
    _topic(
        "code-review",
        "How changes are reviewed and approved.",
        r"review(?:s|er|ers|ing)?|code review|approvals?",
    ),
    _topic(
        "issues",
        "Bug reports, feature requests and triage.",
        r"issues?|bug reports?|triage|feature requests?|reporting bugs?",
    ),
    _topic(
        "versioning",
        "Version numbers and compatibility promises.",
        r"versions?|versioning|semver|semantic versioning|breaking changes?|"
        r"backwards?[- ]compatib\w+|deprecat\w+",
    ),
    _topic(
        "release",
        "How and when releases are made.",
        r"releas(?:e|es|ing)|publish(?:ing)?|backports?|hotfix(?:es)?|support window",
    ),
    _topic(
        "changelog",
        "The change log and its entries.",
        r"change ?logs?|changesets?|release notes|news fragments?",
        "CHANGELOG*",
        "changelog.d/**",
        ".changeset/**",
    ),
    _topic(
        "documentation",
        "Documentation and how it is written.",
        r"docs?|documentation|readme|docstrings?|guides?|tutorials?|writing style"
        r"|prose",
        "docs/**",
        "doc/**",
    ),
    _topic(
        "comments",
        "Comments in the code.",
        r"comments?|commenting|todo comments?",
    ),
    _topic(
        "naming",
        "Names of files, types, functions and variables.",
        r"nam(?:es|ing)|naming conventions?|identifiers?|prefix(?:es)?|suffix(?:es)?|"
        r"snake_case|camelcase|pascalcase|kebab-case",
    ),
    _topic(
        CODE_STYLE,
        "Style and formatting of the code.",
        r"style|code style|coding (?:style|conventions?|standards?)|lint(?:er|ing)?|"
        r"format(?:s|ter|ting)?|indent(?:ation)?|whitespace|line length|imports?|"
        r"conventions?",
    ),
    _topic(
        "errors",
        "Error handling and error messages.",
        r"errors?|error handling|exceptions?|panics?|error messages?|failures?",
    ),
    _topic(
        "logging",
        "Logs, metrics and traces.",
        r"logs?|logging|log levels?|metrics?|tracing|telemetry|observability",
    ),
    _topic(
        "security",
        "Secrets, permissions and vulnerabilities.",
        r"secur(?:e|ity)|vulnerabilit\w+|secrets?|credentials?|passwords?|tokens?|"
        r"permissions?|encryption|sanitiz\w+",
    ),
    _topic(
        "performance",
        "Speed, memory and allocations.",
        r"performance|fast|slow|latency|memory|allocations?|hot paths?|throughput",
    ),
    _topic(
        "dependencies",
        "Third-party packages and their versions.",
        r"dependenc(?:y|ies)|third[- ]party|vendor(?:ed|ing)?|lock ?files?|packages?"
        r" versions?|upgrades?",
    ),
    _topic(
        "ci",
        "Continuous integration.",
        r"ci|continuous integration|pipelines?|github actions|workflows?",
        ".github/workflows/**",
        ".gitlab-ci.yml",
        ".ci/**",
    ),
    _topic(
        "build",
        "Building and packaging.",
        r"build(?:s|ing)?|compil(?:e|er|ing|ation)|makefile|packag(?:e|ing)|bundl\w+|"
        r"toolchain",
    ),
    _topic(
        "api-design",
        "The public interface and its shape.",
        r"apis?|public interface|endpoints?|signatures?|interfaces?",
    ),
    _topic(
        "database",
        "Schemas, migrations and queries.",
        r"databases?|sql|migrations?|schemas?|quer(?:y|ies)|transactions?",
        "migrations/**",
    ),
    _topic(
        "user-interface",
        "What users see: components, styling, accessibility, wording.",
        r"ui|components?|css|styling|accessib\w+|a11y|layouts?|themes?|i18n|"
        r"translations?",
    ),
    _topic(
        "architecture",
        "How the code is divided, and who may depend on whom.",
        r"architecture|layers?|modules?|directory structure|folder structure|monorepo|"
        r"dependency direction|design principles?",
    ),
    _topic(
        "ai-agents",
        "How coding agents work in this project.",
        r"agents?|ai[- ]generated|llms?|copilot|claude|assistants?|ai policy",
    ),
    _topic(
        "community",
        "Behaviour, licensing and governance.",
        r"code of conduct|licen[sc]\w*|governance|maintainers?|copyright|cla",
    ),
)

# The title of an agents' file says who reads it, not what it is about.
_FOR_AGENTS = re.compile(
    r"\W*(?:(?:agents?|claude|copilot|gemini)(?:\.md|\W*$)|"
    r"(?:[\w.-]+ (?:[-–—] )?){0,3}"
    r"(?:agents?|claude|copilot|gemini|cursor|windsurf|codex)\b"
    r".*\b(?:code|guide|guidelines?|instructions?|notes|rules)\b)",
    re.I,
)
_WORD = re.compile(r"\w+")
_OPENS_ANY = re.compile("|".join(topic.opens.pattern for topic in TOPICS))


def _opened(text: str) -> int:
    """Bit n is set if a word of the folded text opens a cue of the n-th topic."""
    words = [word for word in _WORD.findall(text) if _OPENS_ANY.match(word)]
    if not words:
        return 0
    return bits_of(any(map(topic.opens.match, words)) for topic in TOPICS)


_POSSIBLE = Marks(_opened)


def usual_domains() -> tuple[Domain, ...]:
    """The topics as domains, for a project that has no domain map yet."""
    return tuple(Domain(t.name, t.description, t.globs) for t in TOPICS)


def topic_of(headings: tuple[str, ...], statement: str) -> Topic | None:
    """The topic that a statement in its place is about, or None.

    A heading says more than the wording, and a near heading more than a far one; the
    earliest topic of the table wins a tie, so the answer never depends on chance.
    """
    if headings and _is_for_agents(headings[0]):
        headings = headings[1:]
    weights = list(_spoken(headings[-3:]))
    for number in _possible(statement):
        weights[number] += min(2, len(TOPICS[number].cues.findall(statement)))
    best = max(weights)
    return TOPICS[weights.index(best)] if best else None


@lru_cache(maxsize=256)
def _is_for_agents(title: str) -> bool:
    return _FOR_AGENTS.match(title) is not None


@lru_cache(maxsize=256)
def _spoken(headings: tuple[str, ...]) -> tuple[float, ...]:
    """How much a heading path speaks of each topic; its statements share the answer."""
    weights = [0.0] * len(TOPICS)
    for far, text in enumerate(reversed(headings)):
        for number in _possible(text):
            if TOPICS[number].cues.search(text):
                weights[number] += 3.0 / (1 + far)
    return tuple(weights)


def _possible(text: str) -> Iterator[int]:
    """The numbers of the topics whose cues may stand in the text, and a few more.

    Told by its words: most topics need not be asked at all.
    """
    bits = _POSSIBLE.of(folded(text))
    return (number for number in range(bits.bit_length()) if bits >> number & 1)
