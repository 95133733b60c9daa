"""A file of the store that cannot be used, and the codes that say why.

Codes I001 to I019 belong to the readers in this room: whoever parses a file may meet
them. Later codes belong to `store.check` (I02x and up) and `store.rules` (I1xx).
"""

from enum import StrEnum

from git_intent.errors import IntentError
from git_intent.store.issue import Issue, Severity


class Code(StrEnum):
    """What the readers may find."""

    ENCODING = "I001"  # not UTF-8
    NO_FRONTMATTER = "I002"  # no opening fence, or no closing one
    SYNTAX = "I003"  # not YAML, or a part of YAML that the formats leave out
    DUPLICATE_KEY = "I004"
    SECOND_FRONTMATTER = "I005"
    CONFLICT = "I006"  # a conflict marker
    MISSING = "I007"  # a key that has no default
    VALUE = "I008"  # wrong type, or not one of the words allowed
    VERSION = "I009"  # written by a newer program
    EMPTY_STATEMENT = "I010"
    NAME = "I011"  # file name and `id` disagree, or either is no id


class MalformedFile(IntentError):
    """One file is broken; the others are not concerned."""

    def __init__(
        self, path: str, line: int, col: int, code: str, text: str, hint: str = ""
    ) -> None:
        super().__init__(f"{path}:{line}:{col}: {code} {text}", hint)
        self.path = path
        self.line = line
        self.col = col
        self.code = code
        self.text = text

    @classmethod
    def of(cls, issue: Issue) -> "MalformedFile":
        return cls(issue.path, issue.line, issue.col, issue.code, issue.message)

    def issue(self) -> Issue:
        return Issue(
            self.path, self.line, self.col, self.code, self.text, Severity.ERROR
        )
