"""Write the block: heading, preamble, a line for each requirement, what was left out.

A line is `- [id] (domains) statement and reason`. No statement can leave its line or
become code on the way: white space is collapsed, controls and invisible characters are
dropped, what would open a placeholder, comment, fence or a host's tag is broken up.
Lines are written when the store is read; only `cost` and `block` serve hot paths, and
this module loads nothing for them.
"""

from git_intent.store import marks

#: What is broken up by a blank behind its first character, whatever follows.
_OPENERS = ("{{", "{%", "{#", "<!", "</", "<?", "<|", "-->")
#: Elements by which hosts and models mark who speaks; the rest is honest markup.
_SPEAKERS = (
    "antml",
    "assistant",
    "context",
    "developer",
    "function",
    "human",
    "instruction",
    "policy",
    "prompt",
    "result",
    "system",
    "thinking",
    "tool",
    "user",
)


def line(id: str, domains: tuple[str, ...], statement: str, rationale: str) -> str:
    """One requirement as a list item, without its newline."""
    scope = f"({', '.join(map(inert, domains))}) " if domains else ""
    text = f"{statement} **Why:** {rationale}" if rationale else statement
    return f"- [{id}] {scope}{inert(text)}"


def inert(text: str) -> str:
    """`text` on one line, with nothing in it that could be more than words."""
    from git_intent.store.characters import strip_hidden

    words = " ".join(strip_hidden(" ".join(text.split())).split())
    for opener in _OPENERS:
        while opener in words:
            words = words.replace(opener, f"{opener[0]} {opener[1:]}")
    for run in ("```", "~~~"):
        while run in words:
            words = words.replace(run, run[:2])
    return _no_speakers(words) if "<" in words else words


def _no_speakers(words: str) -> str:
    first, *others = words.split("<")
    parts = [first]
    for part in others:
        name = part.lstrip("[").casefold()
        parts.append("< " if name.startswith(_SPEAKERS) else "<")
        parts.append(part)
    return "".join(parts)


def cost(line: str) -> int:
    """What a line takes of the budget: a token is four bytes, its newline included."""
    return max(1, (len(line.encode()) + 1 + 3) // 4)


def fitting(lines: list[str], budget: int) -> int:
    """How many of the lines fit, from the first on."""
    for count, one in enumerate(lines):
        budget -= cost(one)
        if budget < 0:
            return count
    return len(lines)


def fitting_bytes(lines: list[str], of: int, room: int) -> int:
    """How many of the lines fit into a block of so many bytes, from the first on; `of`
    is how many there are in all. A block without a line may still be too long."""
    room -= len(block([], of).encode()) + len("\n\n")
    for count, one in enumerate(lines):
        room -= len(one.encode()) + 1
        if room < 0:
            return count
    return len(lines)


def block(lines: list[str], omitted: int) -> str:
    """The block as it stands in a prompt; empty if there is nothing to tell."""
    if not lines and not omitted:
        return ""
    parts = [marks.HEADING, marks.PREAMBLE]
    if lines:
        parts.append("\n".join(lines))
    if omitted:
        parts.append(marks.OMITTED.format(count=omitted))
    return "\n\n".join(parts) + "\n"
