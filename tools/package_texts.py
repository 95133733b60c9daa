"""Unlabelled statements: the documentation inside source distributions of packages.

`packages.txt` pins well-known public packages. `fetch` has pip download each into a
cache folder and keeps only what reads as documentation; `statements_of` cuts that into
the statements that a soft label can be given to. No text of a package enters the
project: soft labels are found again by a hash of the statement and its context
(`tools/soft_labels.py`).
"""

import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import compress
from pathlib import Path, PurePosixPath

from git_intent.scan import language
from git_intent.scan.document import Mode, statements
from git_intent.scan.statement import Segment, Statement

PACKAGES = Path(__file__).parent / "packages.txt"
CACHE = Path.home() / ".cache" / "git-intent-packages"
DOWNLOADS = 2  # at a time
LARGEST_FILE = 400_000  # bytes
_TEXTS = frozenset((".md", ".rst", ".txt", ".adoc", ".mdc", ""))
_ELSEWHERE = re.compile(
    r"(?:^|/)(?:tests?|testing/data|fixtures?|vendor|_vendor|_?vendored|third_?party"
    r"|node_modules|site-packages|locale|translations?|[\w.-]+\.egg-info|licenses?"
    r"|src/[^/]+/static|_static|_templates?|i18n)/",
    re.IGNORECASE,
)
_NO_PROSE = re.compile(
    r"(?:^|/)(?:licen[sc]e|copying|notice|authors|contributors|pkg-info|sources"
    r"|requirements[\w.-]*|manifest|entry_points|top_level|makefile|thanks|credits"
    r"|dockerfile|cmakelists|codeowners|constraints[\w.-]*)(?:\.[a-z]+)?$",
    re.IGNORECASE,
)
# What a file is about, by its name, and how many of its package's statements are taken.
_PROCESS = (
    r"contribut|hacking|develop|maintain|polic|govern|style|convention|standards?\b"
    r"|releas(?:e|ing)[-_]?(?:process|checklist|guide|ing)|releasing|security|triag"
    r"|review|\brfcs?\b|\badrs?\b|decision|design|architect|guideline|deprecat"
    r"|best[-_]practice|code[-_]of|support|backward|compat|internals|committ|coding"
    r"|pull[-_]request|workflow|testing"
)
_AGENT = r"agents\.md|claude\.md|copilot|gemini\.md|\.cursor|skill\.md|\.mdc$"
_GROUPS = (
    ("agent", _AGENT, 240),
    ("process", _PROCESS, 360),
    ("changelog", r"change|news|history|release|whatsnew", 30),
    ("readme", r"readme", 60),
    ("docs", r"", 110),
)
_FILE_SHARE = 80  # statements of one file
_RULE_WORD = re.compile(
    r"\b(?:must|never|always|should|shall|do not|don't|required?|prefer|avoid|only"
    r"|ensure|make sure|please|use|keep|add|no longer)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Page:
    """One file of a package's documentation."""

    package: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """A statement that nobody has labelled, in its place."""

    package: str
    path: str
    mode: Mode
    statement: Statement


def pinned(packages: Path = PACKAGES) -> list[str]:
    """The pinned packages, `name==version`."""
    lines = packages.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def fetch(pins: Sequence[str], cache: Path = CACHE) -> list[Path]:
    """The documentation of each package as a file in `cache`, downloaded if missing.

    A package that cannot be had is told of and left out.
    """
    cache.mkdir(parents=True, exist_ok=True)
    missing = [pin for pin in pins if not (cache / f"{pin}.json").exists()]
    if missing:
        print(f"{len(missing)} packages to fetch with pip", file=sys.stderr)
    with ThreadPoolExecutor(DOWNLOADS) as pool:
        problems = list(pool.map(lambda pin: _download(pin, cache), missing))
    for problem in filter(None, problems):
        print(problem, file=sys.stderr)
    return [path for pin in pins if (path := cache / f"{pin}.json").exists()]


def _download(pin: str, cache: Path) -> str:
    """Why the documentation of a package could not be kept; empty if it was.

    pip asks the package's build system for its name; one that is installed already
    answers at once, else pip installs it for the purpose.
    """
    name = pin.partition("==")[0]
    with tempfile.TemporaryDirectory(prefix="git-intent-package-") as folder:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        command += ["--no-binary", name, "-d", folder, pin]
        for more in (["--no-build-isolation"], []):
            done = subprocess.run(command + more, capture_output=True, text=True)
            if done.returncode == 0:
                keep(next(Path(folder).iterdir()), cache / f"{pin}.json")
                return ""
    reason = done.stderr.strip().splitlines() or ["no reason given"]
    return f"{pin}: cannot be fetched: {reason[-1]}"


def keep(archive: Path, kept: Path) -> None:
    """Write the documentation in a source distribution to the file `kept`."""
    pages = dict(sorted(_documentation(archive)))
    kept.write_text(json.dumps(pages, ensure_ascii=False), encoding="utf-8")


def _documentation(archive: Path) -> Iterator[tuple[str, str]]:
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            for one in packed.infolist():
                path = one.filename.partition("/")[2]
                if _is_documentation(path, one.file_size):
                    yield path, packed.read(one).decode("utf-8", "replace")
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            path = member.name.partition("/")[2]
            if member.isfile() and _is_documentation(path, member.size):
                data = tar.extractfile(member)
                if data is not None:
                    yield path, data.read().decode("utf-8", "replace")


def _is_documentation(path: str, size: int) -> bool:
    name = PurePosixPath(path)
    if name.suffix.lower() not in _TEXTS or size > LARGEST_FILE:
        return False
    if not name.suffix and not re.match(r"[A-Z.]", name.name):
        return False
    if not name.suffix and name.name.startswith(".") and "rules" not in name.name:
        return False
    return not (_ELSEWHERE.search(path) or _NO_PROSE.search(path))


def pages(kept: Path) -> Iterator[Page]:
    """The pages that `keep` has written."""
    package = kept.name.removesuffix(".json")
    for path, text in json.loads(kept.read_text(encoding="utf-8")).items():
        yield Page(package, path, text)


def group(path: str) -> tuple[str, int]:
    """What a file is about, and the share of its package for such files."""
    lowered = path.lower()
    return next((name, cap) for name, like, cap in _GROUPS if re.search(like, lowered))


def statements_of(
    files: Sequence[Path], known: Collection[str] = frozenset()
) -> list[Unlabelled]:
    """The chosen statements of the packages, none equal to one of the `known` texts.

    Which are chosen depends on hashes of their texts alone. No text is taken twice.
    """
    seen = {_bare(text) for text in known}
    found: list[Unlabelled] = []
    for kept in files:
        shares: dict[str, list[Unlabelled]] = defaultdict(list)
        for page in pages(kept):
            name, _ = group(page.path)
            shares[name] += _of_page(page, name, seen)
        for name, _, cap in _GROUPS:
            found += _sample(shares[name], cap)
    return found


def _of_page(page: Page, name: str, seen: set[str]) -> list[Unlabelled]:
    modes: tuple[Mode, ...] = ("commit", "doc")
    mode = modes[0] if name == "changelog" and _is_log(page.path) else modes[1]
    place = statements(page.text, page.path, "doc")
    readable = language.trained([s.text for s in place])
    fresh = []
    for s in compress(place, readable):
        bare = _bare(s.text)
        if len(bare) < 8 or bare in seen or s.segment is Segment.FENCE:
            continue
        seen.add(bare)
        fresh.append(Unlabelled(page.package, page.path, mode, s))
    return _sample(fresh, _FILE_SHARE)


def _is_log(path: str) -> bool:
    """Whether a file holds the subjects of commits (pbr writes such a `ChangeLog`)."""
    return PurePosixPath(path).name == "ChangeLog"


def _sample(rows: list[Unlabelled], cap: int) -> list[Unlabelled]:
    """At most `cap` rows; six in ten have a word of rules, if there are so many."""
    if len(rows) <= cap:
        return rows
    ordered = sorted(rows, key=lambda row: _shuffled(row.statement.text))
    taken: Counter[bool] = Counter()
    chosen: list[Unlabelled] = []
    spare: list[Unlabelled] = []
    for row in ordered:
        kind = bool(_RULE_WORD.search(row.statement.text))
        taken[kind] += 1
        fits = taken[kind] <= cap * (0.6 if kind else 0.4)
        (chosen if fits else spare).append(row)
    return chosen + spare[: cap - len(chosen)]


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _shuffled(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
