"""`provenance.ref`: a few characters that lead back to where a statement stands."""

from functools import lru_cache

from git_intent.scan.artifacts import Source
from git_intent.store.requirement import Kind


def reference(source: Source, heading: str) -> str:
    """`CLAUDE.md#versioning` for a document; the commit or run for anything else."""
    if source.kind is not Kind.DOC or not heading:
        return source.ref
    return f"{source.ref}#{anchor(heading)}"


@lru_cache(maxsize=256)
def anchor(heading: str) -> str:
    """The fragment under which hosting sites find a heading."""
    kept = [c for c in heading.lower().strip() if c.isalnum() or c in " -_"]
    return "".join(kept).replace(" ", "-")
