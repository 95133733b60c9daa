"""What comes of one event of a host, as text and then as bytes.

Light.
"""

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable


class Said:
    """Text for the model, lines for stderr, and what is left to do afterwards, which
    gives lines for stderr as well. `task` is what the user asked for, if anything."""

    __slots__ = ("after", "notes", "task", "text")

    def __init__(self, text: str = "", *notes: str) -> None:
        self.text = text
        self.task = ""
        self.notes = list(notes)
        self.after: Callable[[], list[str]] | None = None


class Outcome:
    """What a hook prints on stdout, lines for stderr, and what is left to do; `denies`
    if it keeps somebody from something."""

    __slots__ = ("after", "denies", "notes", "out")

    def __init__(self, out: bytes = b"", *notes: str) -> None:
        self.out = out
        self.denies = False
        self.notes = list(notes)
        self.after: Callable[[], list[str]] | None = None
