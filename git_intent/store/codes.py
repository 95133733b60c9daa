"""Every code that a finding about the store can carry, and what to do about it.

Numbers are stable: a code is never reused for another fault. I001 to I019 are what the
readers meet (`store.malformed`), I02x about names and scope, I03x about the body, I04x
about characters and secrets, I06x about scan-state.yaml; I10x are the hard rules. The
readers give a warning under I007 where a missing key has a default. The table in the
documentation is generated from this one.
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
    "I001": Code("the file is not UTF-8", "save the file as UTF-8"),
    "I002": Code(
        "the file has no frontmatter",
        "start the file with `---`, the keys, and a second `---`",
    ),
    "I003": Code(
        "the YAML is not readable, or uses what the formats leave out",
        "quote a value that holds `: ` or ` #` or starts with a sign; write out "
        "anchors, aliases and tags",
    ),
    "I004": Code("a key stands twice", "keep one of the two lines"),
    "I005": Code(
        "a second block of frontmatter",
        "move the second requirement into a file of its own",
    ),
    "I006": Code(
        "a conflict marker",
        "`git intent resolve` decides what rules can; of the rest keep what holds and "
        "remove the marker lines",
    ),
    "I007": Code("a key is missing", "add the key"),
    "I008": Code(
        "a value of the wrong type, or a word that its key does not know",
        "write what the message asks for",
    ),
    "I009": Code(
        "the file was written by a newer program",
        "update git-intent, or set `version: 1`",
    ),
    "I010": Code("the statement is empty", "write the statement below the frontmatter"),
    "I011": Code(
        "the file's name and its id disagree, or one is no id",
        "name the file `req-`, four of 0-9 a-f, `.md`, and set `id:` to that name",
    ),
    "I020": Code(
        "the domain is not in domains.yaml",
        "add it with `git intent domains add`, or correct the name",
        Severity.WARNING,
    ),
    "I021": Code(
        "the level is domain, but no domain is named",
        "name one in `scope.domains`, or set `level: project`",
    ),
    "I022": Code("the glob is not valid", "write a pattern as in .gitignore"),
    "I023": Code(
        "the glob matches no tracked file",
        "correct it; patterns are relative to the project's root",
        Severity.WARNING,
    ),
    "I024": Code(
        "superseded_by is set although the requirement is not superseded",
        "remove the line, or set `status: superseded`",
        Severity.WARNING,
    ),
    "I025": Code(
        "two names differ by case only",
        "rename one: many file systems cannot hold both",
    ),
    "I031": Code(
        "another active requirement says the same",
        "disable one, or supersede it by the other",
    ),
    "I032": Code(
        "a heading, list or fenced block in the body",
        "prefer plain sentences: the body becomes one line of a prompt",
        Severity.WARNING,
    ),
    "I033": Code(
        "a line like a conflict marker inside a fenced block",
        "indent the line if it is meant",
        Severity.WARNING,
    ),
    "I034": Code(
        "another active requirement says nearly the same",
        "disable one, or supersede it by the other",
        Severity.WARNING,
    ),
    "I035": Code(
        "another active requirement asks for the opposite",
        "supersede the outdated one, or narrow the scope of one of them",
        Severity.WARNING,
    ),
    "I040": Code(
        "an invisible or bidirectional control character",
        "remove it; nobody who reviews the file can see it",
    ),
    "I041": Code(
        "a secret",
        "remove and revoke it; `git intent redact` if it is already committed",
    ),
    "I060": Code(
        "a cursor that is no commit id",
        "remove the line: the next scan falls back to the merge base",
        Severity.WARNING,
    ),
    "I061": Code(
        "a digest that is no sha256",
        "remove the line: the next scan reads the document again",
        Severity.WARNING,
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
        "set `user_edited: true` and a new `updated`",
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
