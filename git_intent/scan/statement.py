"""A statement: one sentence, bullet or table row, in its place in a document.

Every source format is cut into these before anything judges them, so that the
classifier, the hints and the reconciler see one shape whatever the markup was.
"""

from enum import StrEnum
from typing import NamedTuple


class Segment(StrEnum):
    """What a statement was in the document."""

    SENTENCE = "sentence"
    BULLET = "bullet"  # a list item that is one sentence or fragment
    BULLET_SENTENCE = "bullet-sentence"  # one sentence of a longer list item
    TABLE = "table"
    FENCE = "fence"  # a line inside a code fence: never a rule of its own


class Statement(NamedTuple):
    """A tuple, since every sentence becomes one: a fifth of a frozen dataclass's time.

    `text` has its line breaks joined and its inline markup kept.

    `line` and `end_line` count from 1. `headings` runs from the document's title to
    the nearest heading above. `lead_in` is the parent bullet, the last sentence of the
    paragraph before the list, or the header row of a table; it is empty for a plain
    sentence. `previous` and `following` are the neighbours under the same heading.
    """

    text: str
    line: int
    end_line: int
    segment: Segment = Segment.SENTENCE
    headings: tuple[str, ...] = ()
    lead_in: str = ""
    previous: str = ""
    following: str = ""
    depth: int = 0  # nesting of the list item, 0 outside lists
    quoted: bool = False  # inside a block quote

    @property
    def heading(self) -> str:
        """The nearest heading above, or an empty text."""
        return self.headings[-1] if self.headings else ""
