"""The words by which hostile text gives itself away.

The tables are data, one pattern a line. In those that are matched against a sentence
(lower case, no markup) a blank matches whatever stands between two words, and `{name}`
one of the words listed under that name. Whatever is added needs an example on either
side in the tests.
"""

import re
from dataclasses import dataclass

_LISTS = {
    "act": (
        "push delete disable skip ignore run execute approve merge send remove install"
        " deploy commit forget output print reveal"
    ),
    "all": "all every any the these those this your our its whole entire of",
    "checks": (
        "checks? ci tests? test_suite hooks? linters? linting reviews? protections?"
        " branch_protections? verifications? approvals? sandbox(?:ing)? scanners?"
        " validation safeguards? guardrails? permission_prompts? auditing audit_logs?"
    ),
    "destroy": "delete remove erase wipe destroy drop purge nuke",
    "disregard": (
        "ignore disregard forget override overrule discard bypass do_not_follow"
        " dont_follow stop_following"
    ),
    "earlier": (
        "previous prior above preceding earlier existing foregoing former other initial"
        " original system developer safety your current"
    ),
    "evade": "disable skip bypass circumvent deactivate suppress evade",
    "flag": r"--no-verify --no-gpg-sign --dangerously-[\w-]+ --admin",
    "freight": (
        "directly straight it them everything all your the these any changes? commits?"
        r" work code results? right away origin immediately head and deploy -\w[\w-]*+"
    ),
    "fresh": "new real actual true updated",
    "goods": (
        "tests? test_suites? repository repositories repos? history branches databases?"
        " backups? hooks? requirements commits source files logs? evidence data"
        r" home_directory intent_store project workflows? \.git \.cloche"
    ),
    "hand": "send post upload exfiltrate copy e-?mail leak forward",
    "instructions": (
        "instructions? directions? directives? guidelines? prompts? rules? commands?"
        " messages? context constraints? safeguards? polic(?:y|ies) orders?"
    ),
    "kind": (
        "ci code security safety unit integration pre-commit lint status required git"
        " static type quality permission signature commit failing remaining source"
        " production test local remote user project audit intent existing"
    ),
    "main": "main master trunk production prod origin upstream live remote",
    "model": (
        "ai llm language_model large_language_model ai_assistant ai_agent ai_model"
        " coding_agent chatbot gpt chatgpt claude copilot gemini codex"
    ),
    "people": (
        "users? humans? developers? operators? maintainers? reviewers? owners? anyone"
        " anybody"
    ),
    "secrets": (
        r"secrets? credentials? tokens? passwords? api_keys? \.?env source_code"
        " environment_variables? private_keys? ssh_keys?"
    ),
    "telling": "telling informing notifying alerting",
    # Whole words, so that there is one way only to take a text apart; the last may be
    # the front of a longer one.
    "upto6": r"(?:\W++\S++){0,5}?(?:\W++\S{1,40}?)?",
    "where": r"https? \S+@\S+ [\w.-]+\.(?:com|net|org|io|xyz|ru|invalid|example)\b",
}


def _compile(line: str) -> re.Pattern[str]:
    spaced = line.strip().replace(" ", r"\W+")
    return re.compile(
        re.sub(r"\{([a-z]\w*)\}", lambda found: _one_of(found[1]), spaced)
    )


def _one_of(name: str) -> str:
    return "(?:" + _LISTS[name].replace(" ", "|").replace("_", "[ -]") + ")"


def _table(text: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_compile(line) for line in text.strip().splitlines())


@dataclass(frozen=True, slots=True)
class Cue:
    """Patterns of one reason, tried where one of `stems` stands in the text.

    Every match of every pattern holds a stem, so a text without any is let go.
    """

    reason: str
    stems: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]


def _cues(reason: str, rows: dict[str, str]) -> tuple[Cue, ...]:
    return tuple(
        Cue(reason, tuple(stems.split()), _table(text)) for stems, text in rows.items()
    )


#: Said to a model, whatever the sentence around it.
TO_MODELS = _cues(
    "speaks to the reader as to a model",
    {
        "ignor disregard forget overrid overrul discard bypass follow": r"""
    \b{disregard}\b(?: \w+){0,3}? {earlier}(?: \w+){0,2}? {instructions}\b
    \b{disregard} (?:everything|all)(?: that)?(?: (?:was|is|were))? (?:you|above|before)
    \b{disregard} (?:everything|all)(?: that)? (?:was|is|were) (?:said|told|written)
    \bignorier(?:e|t|en sie)(?: bitte)? (?:alle|die|deine)(?: \w+)? \w*(?:anweis|regel)
    \bignor(?:a|ad|ar|are)(?: \w+){0,3}? (?:instrucciones|órdenes|istruzioni)\b
    \bignore[rz](?: \w+){0,3}? (?:consignes|instructions|règles)\b
    """,
        "you": r"""
    \byour {fresh} (?:instructions?|directives?|orders)\b
    \b(?:here are|these are|follow|obey|given|is) your {fresh} {instructions}\b
    ^your {fresh} {instructions} (?:is|are)\b
    ^your {fresh} {instructions}\W*$
    \byour (?:system prompt|training|guardrails|safety rules)\b
    \byou are(?: now| no longer| actually)?(?: an?| the)?(?: \w+){0,2}? {model}\b
    \byou are (?:now|no longer) (?:an?|in|bound|free|called|under|restricted)\b
    \b(?:act|behave|respond) as if you (?:were|are)\b
    \bfrom now on you\b
    """,
        "unrestricted": r"\b(?:act|behave|respond) as an unrestricted\b",
        "pretend": r"\bpretend (?:to be|that you|you)\b",
        "ai llm model agent chatbot gpt claude copilot gemini codex": r"""
    \bas an? {model} (?:you|do|please|ignore|always|never|i)\b
    ^(?:attention|notice|message|instructions?)(?: to| for)?(?: all| any)? {model}s?
    ^important(?: note)? (?:to|for)(?: all| any| every)? {model}s?\b
    ^(?:dear |hey |hello |hi )?{model}s?(?: please| you| now| kindly)? {act}\b
    """,
        "instruction": r"""
    ^(?:new|updated|revised)(?: system)? instructions?(?: for you)?\W*$
    """,
        "tell inform alert notify mention": r"""
    \b(?:do not|dont|never) (?:tell|inform|alert|notify)(?: the| any)? {people}\W*$
    \b(?:do not|dont|never) tell(?: the| any)? {people} about (?:this|it|that)\b
    \b(?:do not|dont|never) mention (?:this|it|that) to(?: the| any)? {people}\b
    \b{act}\b.{0,60}\bwithout {telling}(?: the| any)? {people}\b
    \bwithout {telling}(?: the| any)? {people} {act}\b
    """,
        "prompt": r"""
    \b(?:reveal|print|repeat|output|show|leak) (?:your|the) (?:\w+ )?system prompt
    """,
        "忽略": r"忽略.{0,8}(?:指令|指示|提示|规则)",
        "無視": r"無視.{0,8}(?:指示|命令)|(?:指示|命令).{0,4}無視",
        "игнорируй": r"игнорируй.{0,20}(?:инструкции|указания|правила)",
    },
)

#: Acts by reason, each pattern from its verb to its object.
ACTS = (
    *_cues(
        "asks to push",
        {
            "push": r"""
    (?:git )?(?:force[- ]?)?push\b(?: {freight})*? (?:in)?to(?: the)? {main}(?![\w/-])
    (?:git )?push\b(?: {freight})*? to the (?:default|release|protected) branch
    git push(?: {freight})*? (?:origin|upstream)(?: head)? {main}(?![\w/-])
    (?:git )?push(?: {freight})*? --?f(?:orce)?(?![\w-])
    force[- ]push\b
    """
        },
    ),
    *_cues(
        "asks to delete",
        {
            _LISTS["destroy"]: r"""
    {destroy}(?: out)?(?: {all})+(?: {kind})* {goods}\b
    """,
            "rm": r"""
    rm -(?:rf|fr|r -f|f -r)\s(?:\.git|\.cloche|\$home)\b
    rm -(?:rf|fr|r -f|f -r)\s(?:/|~|\*|\.)(?=\s|\*|$)
    """,
        },
    ),
    *_cues(
        "asks to disable checks",
        {
            _LISTS["evade"]: r"{evade}(?: {all})*(?: {kind})* {checks}\b",
            "off": r"(?:turn|switch) off(?: {all})*(?: {kind})* {checks}\b",
            "no-verify no-gpg-sign dangerously admin": r"""
    (?:use|pass|add|set|(?:commit|push|merge) with|git commit)(?: the)?\s{flag}
    """,
            "without blindly": r"""
    (?:approve|merge|accept) (?:all|every|any|the)(?: \w+){1,3} (?:without|blindly)\b
    """,
        },
    ),
    *_cues(
        "asks to send data away",
        {
            "send post upload exfiltrate copy mail leak forward": r"""
    {hand}{upto6} {secrets}\b{upto6} (?:to|at) {where}
    """
        },
    ),
    *_cues(
        "asks to run what it fetches",
        {"curl wget": r"(?:curl|wget)\s[^|]{3,200}\|\s?(?:sudo\s)?(?:ba|z|da)?sh\b"},
    ),
)

_RESTRAINTS = (
    "never not no nor neither avoid\\w* without forbid\\w* prohibit\\w* refuse\\w*"
    " instead_of rather_than cannot cant dont doesnt mustnt shouldnt wont prevent\\w*"
    " block\\w* disallow\\w* reject\\w* nobody no_one none banned bans? refrain unless"
    " if when whenever once after before until only who that which may can could might"
    " how why wants? tries allow\\w* permission able rights? attempts? nie niemals"
    " kein\\w* nicht"
)
#: Before the act: it is forbidden, conditional, or somebody else's.
RESTRAINTS = re.compile(
    r"\b(?:" + _RESTRAINTS.replace(" ", "|").replace("_", " ") + r")\b"
)
_LIMITS = (
    "marked for when whenever if in on inside under below from that which whose unless"
    " with while where until once after older left created generated named only via"
    " through by during between of at as tagged labell?ed listed you we they is are"
    " must requires? needs? should may can will"
)
#: After the act: it concerns some case, place or manner, so it is a rule.
LIMITS = re.compile(r"[ ,(]*(?:" + _LIMITS.replace(" ", "|") + r")\b")

_TAGS = (
    "system system[-_](?:reminder|prompt|message|note|instructions?) assistant"
    " developer human instructions? important[-_]?instructions?"
    r" admin[-_]?(?:note|message) invoke antml:[\w-]+ function_(?:calls?|results?)"
    " thinking user[-_](?:query|prompt|message)"
    " tool[-_](?:use|calls?|results?|response|output)"
).replace(" ", "|")
_FRAMES = (
    "documents? docs? data sources? contents? context untrusted input quote text"
    " material user intent requirements? statements? candidates?"
).replace(" ", "|")
_RULERS = (
    "untrusted quoted documents? data sources? context system user prompt text input"
    " content material instructions?"
).replace(" ", "|")


@dataclass(frozen=True, slots=True)
class Marker:
    """A pattern tried where one of `signs` stands in the folded text."""

    reason: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]


def _marker(reason: str, signs: str, pattern: str) -> Marker:
    flags = re.IGNORECASE | re.MULTILINE
    return Marker(reason, tuple(signs.split()), re.compile(pattern, flags))


#: What belongs into no sentence; matched against the whole text.
MARKERS = (
    # `<system>-<name>` is a pattern for names; `<system>` alone is a tag.
    _marker(
        "carries a tag of prompts",
        "<",
        rf"(?:</|(?<![\w/-])<)(?:{_TAGS})(?:\s[^<>\n]{{0,200}})?/?>(?![-_./][\w<])",
    ),
    _marker(
        "closes a frame around quoted text",
        "</",
        rf"</(?:{_FRAMES})[-_\w]{{0,40}}>",
    ),
    _marker(
        "closes a frame around quoted text",
        "end begin start",
        r"^[^\w\n]*(?:end|begin|start)(?: of)?(?: the)?"
        rf"(?: (?:{_RULERS})){{1,2}}[^\w\n]*$",
    ),
    _marker(
        "carries a marker of chat templates",
        "<| inst] <<sys <</sys _of_turn",
        r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>",
    ),
    _marker(
        "carries a result marker",
        "cloche_result ##vso[ ::",
        r"CLOCHE_RESULT|##vso\[|^\s*::(?:set|add)-\w+",
    ),
    _marker(
        "carries a message of a tool or role",
        "type role",
        r"[\"'](?:type|role)[\"']\s*:\s*[\"'](?:tool_\w+|system|function_call)[\"']",
    ),
    _marker(
        "plays a turn of a conversation",
        "system assistant human",
        r"^[^\w\n]*(?:system|assistant|human)\**:\**\s+"
        r"(?:you|please|i|sure|always|ok)\b",
    ),
)
