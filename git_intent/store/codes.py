"""Every code that a finding about the store can carry, and what to do about it.

Numbers are stable: a code is never reused for another fault. I00x is about the file as
a whole, I01x about its fields, I02x about scope, I03x about the body, I04x about
characters and secrets, I05x about domains.yaml, I06x about scan-state.yaml; I10x are
the hard rules. The table in the documentation is generated from this one.
"""

from dataclasses import dataclass

from git_intent.store.issue import Issue, Severity


@dataclass(frozen=True, slots=True)
class Code:
    """What the finding means, in one line, and how it is repaired."""

    title: str
    repair: str
    severity: Severity = Severity.ERROR


CODES: dict[str, Code] = {
    "I001": Code(
        "the file has no readable frontmatter",
        "start the file with `---`, the keys, and a second `---`",
    ),
    "I002": Code(
        "the YAML does not parse",
        "correct the line; quote a value that holds `: ` or ` #` or starts with a sign",
    ),
    "I003": Code("a key stands twice", "keep one of the two lines"),
    "I004": Code(
        "a second frontmatter block follows the first",
        "keep one block; merge what the second says into it",
    ),
    "I005": Code("the file is not UTF-8", "save the file as UTF-8"),
    "I006": Code(
        "a YAML feature that the store does not use",
        "write the value out; anchors, aliases, tags and merge keys are not read",
    ),
    "I007": Code(
        "a conflict marker",
        "finish the merge (`git intent resolve` does it for the store)",
    ),
    "I008": Code(
        "a marker like that of a conflict inside a fenced block",
        "indent the line if it is meant",
        Severity.WARNING,
    ),
    "I010": Code("a value of the wrong type", "write the type that the message names"),
    "I011": Code("a key is missing", "add the key"),
    "I012": Code(
        "a word that this key does not know", "use one of the words in the message"
    ),
    "I013": Code(
        "not a date", "write a stamp such as `2026-09-13T10:00:00Z`, or a date"
    ),
    "I014": Code(
        "the id differs from the file's name",
        "set `id:` to the name of the file, without `.md`",
    ),
    "I015": Code(
        "the name is not an id",
        "name the file `req-` and four lower-case hex digits, then `.md`",
    ),
    "I016": Code(
        "two names differ by case only",
        "rename one: many file systems cannot hold both",
    ),
    "I017": Code(
        "superseded_by is set although the requirement is not superseded",
        "remove the line, or set `status: superseded`",
        Severity.WARNING,
    ),
    "I020": Code(
        "the domain is not in domains.yaml",
        "add it with `git intent domains add`, or correct the name",
        Severity.WARNING,
    ),
    "I021": Code(
        "level is domain, but no domain is named",
        "name one in `scope.domains`, or set `level: project`",
    ),
    "I022": Code("the glob is not valid", "write a pattern as in .gitignore"),
    "I023": Code(
        "the glob matches no tracked file",
        "correct it; patterns are relative to the project's root",
        Severity.WARNING,
    ),
    "I030": Code("the statement is empty", "write the statement below the frontmatter"),
    "I031": Code(
        "another active requirement says the same",
        "disable one, or supersede it by the other",
    ),
    "I032": Code(
        "a heading, list or fence in the body",
        "prefer plain sentences: the body becomes one line of a prompt",
        Severity.WARNING,
    ),
    "I040": Code(
        "an invisible or bidirectional control character",
        "remove the character; nobody who reviews the file can see it",
    ),
    "I041": Code(
        "a secret",
        "remove it and revoke it; `git intent redact` if it is already committed",
    ),
    "I050": Code(
        "the name of the domain is not lower-case words joined by `-`",
        "write it as in `release-process`",
    ),
    "I051": Code("two domains bear one name", "keep one of the two"),
    "I052": Code(
        "a version of the file that this program does not know",
        "set `version: 1`, or update git-intent",
    ),
    "I060": Code(
        "a cursor that is no commit id",
        "remove the line: the next scan falls back to the merge base",
    ),
    "I061": Code(
        "a digest that is no sha256",
        "remove the line: the next scan reads the document again",
    ),
    "I101": Code(
        "a requirement was deleted or renamed, or its id was changed",
        "bring the file back and use `git intent disable` or `git intent redact`",
    ),
    "I102": Code(
        "a supersede that is undone, dangling or circular",
        "superseded is final; `superseded_by` names one other existing requirement",
    ),
    "I103": Code(
        "an agent enabled, superseded or reworded a disabled requirement",
        "leave it disabled; a person can enable it",
    ),
    "I104": Code(
        "an agent rewrote statement or scope that a person wrote",
        "leave the words and supersede the requirement instead",
    ),
    "I105": Code(
        "a person changed statement or scope without saying so in the file",
        "set `user_edited: true` and a new `updated`; the hook does it",
    ),
    "I106": Code(
        "an agent removed or rewrote a domain that a person wrote",
        "bring the entry back as it was",
    ),
    "I107": Code(
        "`created` or the provenance of an existing requirement changed",
        "bring the old values back",
    ),
}


def issue(code: str, path: str, message: str, line: int = 1, col: int = 1) -> Issue:
    """A finding with the severity that its code has."""
    return Issue(path, line, col, code, message, CODES[code].severity)
