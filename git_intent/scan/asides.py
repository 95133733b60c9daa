"""What rules nothing, however its words sound.

A document about itself, a pointer to rules that stand elsewhere, the reason for a
rule, an offer, a step of every contribution, a bare quotation or exhortation.
"""

import re

_RULING = r"(?![^.]*\b(?:but|first|instead|must|never|only|should|unless)\b)"
_TO_WHERE = r"(?: up)?(?: (?:in|on|to) [^.,;]{1,60})?(?: \(.*\))?\W*$"
# each whole or from the first word, in any case
_ABOUT_ITSELF = (
    r"this (?:\w+ ){0,2}(?:chapter|document|file|guide|page|readme|section)s? (?:\w+ )?"
    r"(?:contain|cover|describe|explain|give|list|outline|provide|summari[sz]e)s?\b"
    rf"{_RULING}"
)
_POINTER = (
    r"(?:[^.,:]{1,80}, )?(?:please )?(?:follow|heed|observe|read|refer to|see|use)"
    r" (?:this|these) (?:\w+ )?(?:checklist|conventions?|guidelines?|instructions"
    rf"|process|rules|steps)\b{_RULING}[^.:;]*[.:]?$"
)
_REASON = (
    rf"(?:the )?(?:\w+ )?(?:reason|rationale) (?:is|was|for|behind)\b{_RULING}"
    rf"|(?:this|that|it)(?: i|['’])s (?:because|why)\b{_RULING}"
)
_OFFER = rf"(?:[^.,:]{{1,80}},? )?(?:please )?feel free to\b{_RULING}"
_STEP = (
    r"(?:fork|clone) (?:our|the|this) (?:\w+ )?repo(?:sitory)?\b[^.,;]*\W*$"
    r"|make (?:your|the|any) (?:\w+ )?change(?:s|\(s\))?"
    rf"(?=\W*$| (?:in|to) (?:the|your)\b){_TO_WHERE}"
    rf"|push (?=[^.]*\b(?:your|up)\b)(?:\w+ )?(?:branch|changes|commits){_TO_WHERE}"
    r"|create a (?:new )?(?:\w+ )?branch(?: for your [\w ]+)?\W*$"
)
_EXHORTATION = r"(?:be|stay) \w+\W*$"
_ALL = (_ABOUT_ITSELF, _POINTER, _REASON, _OFFER, _STEP, _EXHORTATION)
_ASIDE = re.compile(rf"\W*(?:{'|'.join(_ALL)})", re.IGNORECASE)
_QUOTATION = re.compile(
    r"(?!.*\b(?:always|do not|don['’]t|must|never|should)\b)"
    r"[\W_]{0,3}[\"“][^\"“”]*[\"”]\W*",
    re.IGNORECASE,
)


def is_aside(text: str) -> bool:
    """
    >>> is_aside("This page lists the rules of the house.")
    True
    >>> is_aside("The page must list the rules of the house.")
    False
    """
    return bool(_ASIDE.match(text) or _QUOTATION.fullmatch(text))
