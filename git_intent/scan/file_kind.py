"""What a document is for, by its name."""

import re
from functools import lru_cache

# The instructions of coding agents; `docs/agents.md` is a page about agents.
_AGENT = re.compile(
    r"AGENTS?\.md|CLAUDE|GEMINI\.md|\.(?:claude|gemini|codex)/|(?i:copilot|\.cursor"
    r"|\.windsurf|\.rules$|\.mdc$|\bskill\b|\.?instructions\.md)"
)
# Folders of documentation that is not about how the project works.
_PRODUCT = (
    r"how-?tos?|ref|references?|topics|tutorials?|api|deprecated|legacy|examples?|faqs?"
    r"|usage|user[-_]?(?:guides?|manual)?|[\w-]*research[\w-]*"
)
_KINDS = tuple(
    (kind, re.compile(like))
    for kind, like in (
        # pages about a part of the product, which has such names too
        (
            "howto",
            r"docs?/(?:.*/)?(?:security|reviews?|versions?|support|models?)\.\w+$",
        ),
        ("howto", rf"docs?/(?:.*/)?(?:{_PRODUCT})/"),
        ("template", r"template"),
        ("changelog", r"change|news|history|release.?notes"),
        ("readme", r"readme"),
        ("style", r"style|convention|standard|guidelines?"),
        ("contributing", r"contribut|hacking|develop|commit"),
        ("policy", r"polic|governance|release|support|security|version|backport"),
        ("policy", r"\blts\b|\bscope\b|roadmap|deprecat|cherry"),
        (
            "adr",
            r"\badrs?\b|\brfcs?\b|\bhips?\b|decision|proposal|enhancement|/0\d\d\d",
        ),
        ("runbook", r"runbook|alert|playbook"),
        ("maintaining", r"maintain|triag|review"),
        ("design", r"design|architect|internals|model|\bspec"),
        ("howto", r"howto|guide|tutorial|manual|docs?/"),
    )
)


@lru_cache(maxsize=256)
def file_kind(path: str, mode: str) -> str:
    """The kind of the document at `path`; a commit or prompt is its own kind."""
    if mode != "doc":
        return mode
    if _AGENT.search(path):
        return "agent"
    lowered = path.lower()
    return next((kind for kind, like in _KINDS if like.search(lowered)), "other")
