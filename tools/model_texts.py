"""The sentences that the embedding model learns from: documentation of packages.

What is installed beside the running Python is read: the description in each METADATA,
docstrings, Markdown and reStructuredText files. Only vectors and a list of words leave
this; no sentence does.
"""

import ast
import hashlib
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

#: Half of the sample are sentences like these, as requirements are.
_PRESCRIBES = re.compile(
    r"\b(must|should|shall|never|always|avoid|prefer|do not|don't|ensure|only|required"
    r"|not allowed|make sure|instead of|use)\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"`{3}.*?`{3}|:[a-z:]+:(?=`)|[`*]|^\s*[-#>|=~.]+\s*|<[^>]+>|https?://\S+",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z0-9])")
_WORD = re.compile(r"[a-z][a-z0-9]+")
LARGEST_FILE = 1 << 20


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentences, each with the package that said it first."""

    sentences: dict[str, str]

    def sample(self, limit: int) -> list[str]:
        """At most `limit` sentences, no package with more than a twentieth of them.

        Half prescribe something, if there are so many. The choice depends on the
        sentences alone, not on the order in which files were found.
        """
        chosen: dict[bool, list[str]] = {True: [], False: []}
        taken: Counter[str] = Counter()
        for sentence in sorted(self.sentences, key=_shuffled):
            package = self.sentences[sentence]
            group = chosen[bool(_PRESCRIBES.search(sentence))]
            if len(group) < limit // 2 and taken[package] < max(limit // 20, 1):
                taken[package] += 1
                group.append(sentence)
        return sorted(chosen[True] + chosen[False], key=_shuffled)

    def new_words(self, known: Container[str], least: int = 25) -> list[str]:
        """Words said at least so often, in three packages, that are not `known`."""
        counts: Counter[str] = Counter()
        packages = defaultdict(set)
        for sentence, package in self.sentences.items():
            for word in _WORD.findall(sentence.lower()):
                if word not in known:
                    counts[word] += 1
                    packages[word].add(package)
        return [
            word
            for word, count in sorted(counts.items(), key=lambda item: (-item[1], item))
            if count >= least and len(packages[word]) >= 3
        ]


def gather(roots: Iterable[Path]) -> Corpus:
    """Every sentence in the documentation below `roots`."""
    found: dict[str, str] = {}
    for root in roots:
        for path in sorted(root.rglob("*")):
            parts = path.relative_to(root).parts
            package = parts[0].partition("-")[0].removesuffix(".py")
            if not path.is_file() or path.stat().st_size > LARGEST_FILE:
                continue
            for text in documentation(path):
                for sentence in sentences(text):
                    found.setdefault(sentence, package)
    return Corpus(found)


def documentation(path: Path) -> Iterator[str]:
    """The prose in a file, if it is of a kind that holds any."""
    if path.suffix == ".py":
        yield from _docstrings(path)
    elif path.name == "METADATA":
        yield path.read_text(encoding="utf-8", errors="replace").partition("\n\n")[2]
    elif path.suffix in (".md", ".rst"):
        yield path.read_text(encoding="utf-8", errors="replace")


def _docstrings(path: Path) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other people's escapes
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError):
            return
    for node in ast.walk(tree):
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ):
            text = ast.get_docstring(node)
            if text:
                yield text


def sentences(text: str) -> Iterator[str]:
    """Sentences of 5 to 60 words that look like prose."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*+] )", text):
        if ">>>" in paragraph or paragraph.startswith(("    ", "\t")):
            continue
        plain = _MARKUP.sub(" ", _LINK.sub(r"\1", paragraph))
        for sentence in _END.split(" ".join(plain.split())):
            count = sentence.count(" ") + 1
            letters = sum(char.isalpha() or char == " " for char in sentence)
            if 5 <= count <= 60 and letters > 0.8 * len(sentence):
                yield sentence


def _shuffled(sentence: str) -> bytes:
    """A place in an order that no file has a say in."""
    return hashlib.sha256(sentence.encode("utf-8", "replace")).digest()
