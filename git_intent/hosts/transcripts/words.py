"""What a person wrote in a text that hosts, and we ourselves, have put things into.

Taken out are reminders of the host wherever they stand, one block of hook context at
the beginning, and our own text.
"""

import re

from git_intent.hosts.own_text import spans

_REMINDER = re.compile(r"<(system[-_]reminder)\b[^<>]{0,200}>", re.IGNORECASE)
_CONTEXT = re.compile(r"\s*<(hook_context)\b[^<>]{0,200}>")


def without_wrappers(text: str) -> str:
    """The text without what others put into it, blanks around it; empty if no word
    is left."""
    context = _CONTEXT.match(text)
    if context:
        text = text[_end(text, context) :]
    found = _without_ours(_without_reminders(text)).strip()
    return found if any(map(str.isalnum, found)) else ""


def _without_reminders(text: str) -> str:
    """One that is not closed goes on to the end."""
    kept, at = [], 0
    while found := _REMINDER.search(text, at):
        kept.append(text[at : found.start()])
        at = _end(text, found)
    return "".join([*kept, text[at:]])


def _end(text: str, opened: re.Match[str]) -> int:
    """Where the element ends that `opened` begins."""
    close = f"</{opened[1]}>"
    at = text.find(close, opened.end())
    return at + len(close) if at >= 0 else len(text)


def _without_ours(text: str) -> str:
    found = sorted(spans(text))
    if not found:
        return text
    data, kept, at = text.encode(), [], 0
    for start, end in found:
        kept.append(data[at : max(start, at)])
        at = max(end, at)
    return b"".join([*kept, data[at:]]).decode("utf-8", "replace")
