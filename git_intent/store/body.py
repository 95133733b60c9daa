"""The Markdown body of a requirement: a statement, then `**Why:**` and the reason.

In the model a paragraph is one line and white space is collapsed; in the file it is
wrapped. Lists, headings, tables, quotes, rules and fenced code keep their lines. What
`join` writes, `cut` reads back.
"""

import re

from git_intent.errors import IntentError
from git_intent.store.strict_yaml import lines

WIDTH = 88
WHY = "**Why:**"

_BLANKS = re.compile(r"[ \t]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
#: A line that means something to Markdown by how it starts; it is neither joined to
#: the line before nor made by wrapping.
_BLOCK = re.compile(
    r"[-*+](?= |$)|[0-9]{1,9}[.)](?= |$)|#{1,6}(?= |$)|>|\||`{3}|~{3}"
    r"|(?:-[ ]*){3,}$|(?:_[ ]*){3,}$|(?:\*[ ]*){3,}$|=+$|-+$|<[a-zA-Z/!?]"
    r"|\[[^\]]+\]:|<{7}|>{7}" + f"|{re.escape(WHY)}"
)


def cut(body: str) -> tuple[str, str]:
    """Statement and reason: what stands before and after the first `**Why:**`.

    A later `**Why:**` stays in the reason, and so does a line of hyphens.
    """
    at = reason_start(body)
    return tidy(body[:at]), tidy(body[at:].removeprefix(WHY))


def join(statement: str, rationale: str) -> str:
    """The body for both texts, wrapped, ending in one newline; empty for nothing."""
    parts = [wrap(statement)] if statement.strip() else []
    if rationale.strip():
        parts.append(reason(rationale))
    body = "\n\n".join(parts)
    if cut(body) != (tidy(statement), tidy(rationale)):
        raise IntentError(
            "the statement or its reason holds a line that would be read differently",
            f"no paragraph of a statement may begin with {WHY}",
        )
    return body + "\n" if body else ""


def reason(rationale: str) -> str:
    """The paragraph that gives the reason, wrapped."""
    text = tidy(rationale)
    between = "\n\n" if _stands_alone(text) else " "
    return wrap(f"{WHY}{between}{text}") if text else ""


def reason_start(body: str) -> int:
    """The index of the line that begins the reason, else the end of the body."""
    fence = ""
    for index, line in lines(body):
        if not fence and line.startswith(WHY):
            return index
        fence = _next_fence(fence, line)
    return len(body)


def tidy(text: str) -> str:
    """`text` as the model has it: each paragraph one line, nothing at either end."""
    out: list[list[str]] = []
    fence = ""
    open_paragraph = False
    for _, line in lines(text.strip()):
        mark = _FENCE.match(line)
        if fence or mark:
            out.append([line.rstrip()])
            fence = _next_fence(fence, line)
            open_paragraph = False
        elif not line.strip(" \t"):
            if out and out[-1] != [""]:
                out.append([""])
            open_paragraph = False
        elif open_paragraph and not _stands_alone(line):
            out[-1].append(_collapse(line))
        else:
            open_paragraph = not _misread(line)
            out.append([_collapse(line) if open_paragraph else line.rstrip()])
    return "\n".join(" ".join(paragraph) for paragraph in out)


def wrap(text: str) -> str:
    """Break each long paragraph at blanks; other lines stay as they are."""
    out: list[str] = []
    fence = ""
    for line in tidy(text).split("\n"):
        fenced = bool(fence) or bool(_FENCE.match(line))
        fence = _next_fence(fence, line)
        plain = not _misread(line)
        out.extend(_fill(line) if plain and not fenced else [line])
    return "\n".join(out)


def _next_fence(fence: str, line: str) -> str:
    """The mark of the code fence that is open after `line`; empty for none."""
    mark = _FENCE.match(line)
    if mark is None:
        return fence
    if not fence:
        return mark[1]
    return "" if line.strip() == mark[1] and mark[1].startswith(fence) else fence


def _stands_alone(line: str) -> bool:
    return line[:1] in (" ", "\t") or bool(_BLOCK.match(line))


def _collapse(line: str) -> str:
    return _BLANKS.sub(" ", line).strip(" ")


def _fill(line: str) -> list[str]:
    """Lines of at most WIDTH where blanks allow, none of which reads as a block."""
    filled: list[str] = []
    current = ""
    for word in line.split(" "):
        if current and len(current) + 1 + len(word) > WIDTH:
            filled.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    filled.append(current)
    return _rejoin(filled)


def _rejoin(filled: list[str]) -> list[str]:
    """Undo a break that would make a list item, a heading or a rule of a line."""
    safe: list[str] = []
    for line in filled:
        if safe and (_stands_alone(line) or _misread(safe[-1])):
            safe[-1] += " " + line
        else:
            safe.append(line)
    return safe


def _misread(line: str) -> bool:
    """Whether a line, or what stands behind its `**Why:**`, stands alone."""
    if line.startswith(WHY):
        line = line.removeprefix(WHY).lstrip(" \t")
    return _stands_alone(line)
