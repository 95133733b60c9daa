"""Phrases of commits and prompts that tell a lasting rule from the task at hand.

"From now on" and "we've agreed" outlive what is being done; "for now" and "in this PR"
do not. Documents have no need of them: there a rule needs no announcement.
"""

import re

_PHRASES = {
    "from-now": r"from (?:now|here) on(?:wards?)?|going forward|in (?:the )?future"
    r"|for the future|future reference|next time|hence ?forth|as of now|and future ones"
    r"|\bfrom here\b|starting (?:now|today|with)",
    "agreed": r"we(?:['’]ve| have)? (?:just )?(?:agreed|decided|settled)|decided with"
    r"|decision|(?:was|is|been) (?:agreed|decided) |team (?:agreed|decided)|agreement",
    "norm": r"convention|polic(?:y|ies)|guidelines?|guidance|principle"
    r"|(?:our|a|the|as a|project|general) rules?\b|standard(?:i[sz]e|i[sz]ing) on"
    r"|best practice|that['’]?s (?:our|the) (?:rule|pattern)|requirement",
    "remember": r"remember|keep in mind|note for later|lesson"
    r"|don['’]?t (?:ever )?forget"
    r"|last time|i(?:['’]ve)? (?:said|told)|(?:third|second) time|again$",
    "absolute": r"no exceptions?|without exception|period\.?$|full stop|hard limit"
    r"|off[- ]limits|not (?:be )?allowed|mandatory|forbidden|compliance"
    r"|non-negotiable|hands off|never ever|under any circumstances",
    "everywhere": r"everywhere|anywhere|every (?:\w+ ){1,2}(?:gets?|needs?|has|must)"
    r"|in (?:this|the|our) (?:repo|repository|code ?base|project|crate|firmware)"
    r"|in all |for all |all (?:our|new)|any new|every time|at all$|code base",
    "never-did": r"(?:^|: |, )(?:we|nothing|nobody|no one|never|no|none)\b",
    "drop-support": r"^(?:\w+: )?(?:end |drop(?:s|ped|ping)? |remove[sd]? )"
    r"(?:\w+ )?(?:support for|python|node)|drop(?:s|ped)? support for"
    r"|^drop [\w.+-]+ ?[<>=\d]",
    "require": r"^(?:now )?requires? \S+ v?[<>=\d]|requires? >?="
    r"|minimum (?:supported )?"
    r"(?:version|\w+ version)|msrv|min(?:imum)? target|to require [A-Z\d`]"
    r"|we (?:still )?(?:support|maintain)",
    "ban": r"\b(?:ban|banned|forbid|disallow|prohibit)s?\b"
    r"|(?:rule|lint\w*|check) to (?:prevent|forbid|ban|disallow|enforce)",
    "do-not": r"^(?:please )?(?:don['’]?t|do not|never|avoid|stop|no"
    r" longer|prefer|always"
    r"|only) (?!(?:be|crash|fail|throw|show|return|panic|ignore|reset|hide|mind)\b)",
    "use-of": r"^(?:stop |do not |don['’]?t |never"
    r" )(?:use|using|import|importing|rely)",
    "now-style": r"we(?:['’]re| are)? (?:now )?(?:using|use) [^.]{0,60}\bnow\b"
    r"|should no longer|no longer should",
    "agents": r"agents?(?:\.md)?\b|claude\.md|contributing(?:\.md)?|contributors?"
    r"|maintainers?|reviewers?",
    "directs": r"^(?:direct|require|ask|tell|forbid|capture|note|document)s? "
    r"|should be (?:committed|flagged|avoided|used|kept)",
    "task": r"(?:this|the) (?:pr|pull request|branch|ticket|task|pass|commit|patch|file"
    r"|function|change|time|hotfix|release|sprint|one)\b|in this \w+ (?:we|i)\b",
    "for-now": r"for now|today|tonight|tomorrow|right now|at the moment|currently"
    r"|temporar\w+|for the moment|yet\b|until i|first pass|this time|just (?:look|this"
    r"|curious|once)|only look|hotfix|until (?:then|we)|while (?:at it|here)",
    "doubt": r"\?$|maybe|not sure|perhaps|could we|should we|i think|might be|i guess"
    r"|curious|why\b|what if|would it",
    "fixing": r"\b(?:fix(?:es|ed)?|bug|crash(?:es)?|regression|typo|race|leak|panic)\b",
    "told": r"(?:was|were|had|did|used to|previously|before this|introduced|caused)\b",
    "runtime": r"\b(?:returns?|called|calls?|error|exception|null|value|when the|if the"
    r"|button|field|header|response|user|server|client|callback)\b",
    "this-does": r"^(?:this|it|these|that|which|so|also|now|instead|the) ",
    "question": r"^(?:what|why|how|can|could|would|is|are|do|does|did|shall|should) ",
    "quoted": r"[\"“«].*[\"”»]|(?:says|said|wrote|claims)[:,]? ",
}
_CUES = tuple((name, re.compile(like, re.I)) for name, like in _PHRASES.items())
_SUBJECT = re.compile(r"^(?:\[[^\]]{1,30}\]\s*|[\w/.,-]+(?:\([^)]*\))?!?:\s+)+")
_TICKET = re.compile(
    r"\s*(?:\([#A-Za-z][\w-]*\d\w*\)|,?\s*(?:refs?|closes?|fixes) #\d+)\W*$", re.I
)


def bare(text: str) -> str:
    """A subject without its prefix (`chore(server): `) and the number of its ticket."""
    text = _TICKET.sub("", text)
    return text[match.end() :] if (match := _SUBJECT.match(text)) else text


def cues(text: str) -> list[str]:
    """The names of the cues in a text."""
    return [name for name, like in _CUES if like.search(text)]
