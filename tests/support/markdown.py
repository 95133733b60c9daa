"""What tests want to know of our own Markdown pages: headings, links, code blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(`{3,})(\w*)$")
_HEADING = re.compile(r"^(#{1,6}) (.+)$")
_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
_LINK_TEXT = re.compile(r"\[([^\]]+)\]\([^)]+\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, text, and the heading that it stands under."""

    language: str
    text: str
    heading: str
    line: int


class Page:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.blocks: list[Block] = []
        self.headings: list[str] = []
        self.prose: list[str] = []
        self._read()

    def _read(self) -> None:
        fence, language, start, inside = "", "", 0, list[str]()
        for number, line in enumerate(self.text.split("\n"), 1):
            mark = _FENCE.match(line)
            if fence:
                if line == fence:
                    heading = self.headings[-1] if self.headings else ""
                    text = "".join(f"{one}\n" for one in inside)
                    self.blocks.append(Block(language, text, heading, start))
                    fence = ""
                else:
                    inside.append(line)
            elif mark:
                fence, language, start, inside = mark[1], mark[2], number, []
            else:
                if heading := _HEADING.match(line):
                    self.headings.append(heading[2])
                self.prose.append(line)
        assert not fence, f"{self.path}:{start}: the block is not closed"

    @property
    def anchors(self) -> set[str]:
        """The fragments of the headings, as hosting sites make them."""
        found: dict[str, int] = {}
        anchors = set()
        for heading in self.headings:
            plain = _LINK_TEXT.sub(r"\1", heading).replace("`", "").lower()
            slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
            count = found.get(slug, 0)
            found[slug] = count + 1
            anchors.add(f"{slug}-{count}" if count else slug)
        return anchors

    @property
    def links(self) -> Iterator[str]:
        for line in self.prose:
            yield from _LINK.findall(re.sub(r"`[^`]*`", "", line))

    def under(self, heading: str, language: str) -> list[Block]:
        """The blocks of one language that stand directly under a heading."""
        return [
            b for b in self.blocks if b.language == language and b.heading == heading
        ]
