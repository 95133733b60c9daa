"""python-frontmatter's seam: our fences and our YAML instead of its own.

Its own YAML handler guesses types, lets the last of two equal keys win, and finds no
header behind a byte order mark.
"""

import re

from frontmatter.default_handlers import BaseHandler

from git_intent.store.fences import split
from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.strict_yaml import StrictDocument, parse_text


class StrictHandler(BaseHandler):
    """Used for one file; keeps the document, which knows where each value stands."""

    FM_BOUNDARY = re.compile(r"^---[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.document = StrictDocument("", path, 2, None)

    def split(self, text: str) -> tuple[str, str]:
        parts = split(text, self.path)
        return text[parts.header_start : parts.header_end], text[parts.body_start :]

    def load(self, fm: str) -> dict[str, object]:
        self.document = parse_text(fm, self.path, first_line=2)
        value = self.document.value
        if not isinstance(value, dict):
            raise MalformedFile(
                self.path, 2, 1, Code.SYNTAX, "the frontmatter is not key: value"
            )
        return value
