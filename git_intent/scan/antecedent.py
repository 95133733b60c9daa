"""What a sentence leaves to the one before it, put into the sentence.

"It must be short" gets the subject of the sentence before, if that is plain and of the
same number. "Instead, …", "If so, …" and "Do this …" cannot be read without that
sentence, so it is put in front. "Also, …" loses nothing without its first word.
"""

import re

from git_intent.scan.inline import clean
from git_intent.scan.verbs import VERBS

_LIGHT = re.compile(
    r"(?:(?:also|additionally|furthermore|moreover|in addition(?: to (?:this|that))?|"
    r"in particular|however|"
    r"but|and|so|finally|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|last(?:ly)?|"
    r"again|likewise|similarly|of course|besides|one (?:gotcha|caveat|note)|"
    r"as a reminder|for example|in other words),\s+|"
    r"(?:note|nb|tip|hint):\s+|"
    r"(?:please )?(?:also )?(?:note|remember|keep in mind) that\s+|"
    r"(?:and|but)\s+(?=\w+ \w+ \w+))",
    re.I,
)
_HEAVY = re.compile(
    r"(?:instead|alternatively|conversely|if so|if not|otherwise|"
    r"unless (?:it|they|this)|"
    r"if (?:it|they) (?:is|are|does|do|has|have)(?: not|n['’]t)?,|"
    r"in (?:this|that|these|those|such|both|either) cases?|"
    r"(?:for|because of) (?:this|that)(?: reason| purpose)?|"
    r"to (?:do|achieve) (?:so|this|that)|doing (?:this|so)|"
    r"(?:please |especially |always |never |only )?do (?:this|so|that|it|these)|"
    r"(?:the )?same (?:goes|is true|applies|rules?|holds|for)|"
    r"(?:this|that) (?:also |rule )?(?:applies|includes|goes for)|"
    r"apart from (?:this|that)|other than that)(?!\w)",
    re.I,
)
_FINITE = (
    r"(?:must|should|shall|may|might|can|cannot|will|need(?:s)? to|ha(?:s|ve)|is|"
    r"are|do(?:es)?(?: not|n't)|lives?|belongs?|goes?|gets?|follows?|contains?|"
    r"includes?|"
    r"stays?|starts?|ends?|uses?|requires?)"
)
_PRONOUN = re.compile(
    rf"(it|they|this|these|those)\s+(?=(?:also |only |always |never )?{_FINITE}\b)",
    re.I,
)
# "It is important that", "This is why": no subject stands for these.
_EXPLETIVE = re.compile(
    r"it (?:is|may be|can be|should be|will be) .{0,60}?\b(?:that|to)\b|"
    r"(?:this|it) is (?:\w+ )?(?:why|because|how|what|where|when)\b",
    re.I,
)
_SUBJECT = re.compile(
    rf"((?:[\w`'’/.-]+\s+){{0,5}}?[\w`'’/.-]+)\s+(?:also |only |always |never )?"
    rf"({_FINITE})\b"
)
_NO_SUBJECT = re.compile(
    rf"(?:{VERBS}|if|when|whenever|while|where|unless|once|before|after|for|in|on|at|"
    rf"to|"
    r"by|with|from|it|its|this|that|these|those|they|their|there|here|you|we|i|he|she|"
    r"who|what|which|how|why|please|as|since|because|also|instead|note|remember|not|"
    r"no|nothing|none|all|both|but|and|or|so)\b",
    re.I,
)
_PLURAL_VERBS = frozenset(
    "are have do live belong go get follow contain include".split()
)
_WRAPPED = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)\.?")
#: What such a sentence begins with: most need not be looked at any further.
_OPENINGS = frozenset(
    "additionally again also alternatively always and apart as because besides but "
    "conversely do doing especially finally first firstly for furthermore hint however "
    "if in instead it keep last lastly likewise moreover nb never next note of one "
    "only other otherwise please remember same second secondly similarly so that "
    "the these they third thirdly this those tip to unless".split()
)
_LONGEST = 30  # words of a sentence that is put in front


def resolved(text: str, previous: str, topics: tuple[str, ...]) -> str:
    """`text` with what it takes from `previous`, or from a heading.

    `previous` may have its markup still. `topics` are names of what the text stands
    under, the nearest first.
    """
    if "(" in text or ")" in text:
        text = _unwrapped(text)
    elif text.split(maxsplit=1)[0].rstrip(",:").lower() not in _OPENINGS:
        return text
    return _with_antecedent(text, clean(previous), topics)


def _with_antecedent(text: str, previous: str, topics: tuple[str, ...]) -> str:
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped:
        inner = wrapped.group(1).strip()
        if _can_lead(previous):
            return f"{previous.rstrip('.! ')} ({inner.rstrip('.')})."
        text = inner
    text = _lightened(text)
    if _HEAVY.match(text):
        if not _can_lead(previous):
            return text
        previous = _lightened(previous)
        return f"{previous}{'' if previous[-1:] in '.!。' else '.'} {text}"
    pronoun = _PRONOUN.match(text)
    if pronoun is None or _EXPLETIVE.match(text):
        return text
    many = pronoun.group(1).lower() in ("they", "these", "those")
    subject = _subject(previous, many) or _named(topics, many)
    return f"{subject} {text[pronoun.end() :]}" if subject else text


def _lightened(text: str) -> str:
    """Without a first word that says nothing by itself."""
    light = _LIGHT.match(text)
    rest = text[light.end() :] if light else ""
    return rest[:1].upper() + rest[1:] if len(rest.split()) >= 3 else text


def _unwrapped(text: str) -> str:
    """Without the bracket whose other half is in another sentence."""
    if text.startswith("(") and ")" not in text:
        return text[1:].lstrip()
    if "(" not in text and re.search(r"\)[.!]?$", text):
        return re.sub(r"\)([.!]?)$", r"\1", text)
    return text


def _can_lead(previous: str) -> bool:
    words = previous.split()
    if not 3 <= len(words) <= _LONGEST or previous.endswith((":", "?", ",")):
        return False
    return not (_HEAVY.match(previous) or previous.startswith(("|", "(")))


def _subject(sentence: str, many: bool) -> str:
    """The subject of a sentence, if it is plain and of that number."""
    found = _SUBJECT.match(sentence)
    if found is None or _NO_SUBJECT.match(found.group(1)):
        return ""
    subject, verb = found.groups()
    return subject if _is_many(subject, verb) == many else ""


def _is_many(subject: str, verb: str) -> bool:
    first = verb.split()[0]
    if first in _PLURAL_VERBS:
        return True
    if first in ("is", "has", "does") or re.match(
        r"(?:an?|each|every)\b", subject, re.I
    ):
        return False
    return _looks_many(subject)


def _looks_many(name: str) -> bool:
    last = name.split()[-1].strip("`")
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))


def _named(topics: tuple[str, ...], many: bool) -> str:
    """The first of the names that fits the number and is no more than a name."""
    for topic in topics:
        words = topic.split()
        if (
            not 1 <= len(words) <= 3
            or not topic.replace(" ", "").replace("-", "").isalpha()
        ):
            continue
        if many and _looks_many(topic) and not _NO_SUBJECT.match(topic):
            return topic
    return ""
