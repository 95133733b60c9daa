"""The words by which hostile text gives itself away.

The tables are data, one pattern a line. In those that are matched against a sentence
(lower case, no markup) a blank matches whatever stands between two words, and `{name}`
one of the words listed under that name. Whatever is added needs an example on either
side in the tests.
"""

import re

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
        r" work code results? right away origin immediately head and deploy -[\w-]+"
    ),
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
    "where": r"https? \S+@\S+ [\w.-]+\.(?:com|net|org|io|xyz|ru|invalid|example)\b",
}


def _compile(line: str) -> re.Pattern[str]:
    spaced = line.strip().replace(" ", r"\W+")
    return re.compile(re.sub(r"\{([a-z]+)\}", lambda found: _one_of(found[1]), spaced))


def _one_of(name: str) -> str:
    return "(?:" + _LISTS[name].replace(" ", "|").replace("_", "[ -]") + ")"


def _table(text: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_compile(line) for line in text.strip().splitlines())


#: Said to a model, whatever the sentence around it.
TO_MODELS = _table(
    r"""
    \b{disregard}\b(?: \w+){0,3}? {earlier}(?: \w+){0,2}? {instructions}\b
    \b{disregard} (?:everything|all)(?: that)?(?: (?:was|is|were))? (?:you|above|before)
    \b{disregard} (?:everything|all)(?: that)? (?:was|is|were) (?:said|told|written)
    \byour (?:new|real|actual|true|updated) {instructions}\b
    ^(?:new|updated|revised)(?: system)? instructions?(?: for you)?\W*$
    \byou are(?: now| no longer| actually)?(?: an?| the)?(?: \w+){0,2}? {model}\b
    \byou are (?:now|no longer) (?:an?|in|bound|free|called|under|restricted)\b
    \b(?:act|behave|respond) as (?:if you (?:were|are)|an unrestricted)\b
    \bpretend (?:to be|that you|you)\b
    \bas an? {model} (?:you|do|please|ignore|always|never|i)\b
    ^(?:attention|notice|message|instructions?)(?: to| for)?(?: all| any)? {model}s?
    ^important(?: note)? (?:to|for)(?: all| any| every)? {model}s?\b
    ^(?:dear |hey |hello |hi )?{model}s?(?: please| you| now| kindly)? {act}\b
    \b(?:do not|dont|never) (?:tell|inform|alert|notify)(?: the| any)? {people}\W*$
    \b(?:do not|dont|never) tell(?: the| any)? {people} about (?:this|it|that)\b
    \b(?:do not|dont|never) mention (?:this|it|that) to(?: the| any)? {people}\b
    \b{act}\b.{0,60}\bwithout {telling}(?: the| any)? {people}\b
    \bwithout {telling}(?: the| any)? {people} {act}\b
    \b(?:reveal|print|repeat|output|show|leak) (?:your|the) (?:\w+ )?system prompt
    \byour (?:system prompt|training|guardrails|safety rules)\b
    \bfrom now on you\b
    \bignorier(?:e|t|en sie)(?: bitte)? (?:alle|die|deine)(?: \w+)? \w*(?:anweis|regel)
    \bignor(?:a|ad|ar|are)(?: \w+){0,3}? (?:instrucciones|órdenes|istruzioni)\b
    \bignore[rz](?: \w+){0,3}? (?:consignes|instructions|règles)\b
    忽略.{0,8}(?:指令|指示|提示|规则)
    無視.{0,8}(?:指示|命令)|(?:指示|命令).{0,4}無視
    игнорируй.{0,20}(?:инструкции|указания|правила)
    """
)

_ACTS = {
    "asks to push": r"""
    (?:git )?(?:force[- ]?)?push\b(?: {freight})*? (?:in)?to(?: the)? {main}(?![\w/-])
    (?:git )?push\b(?: {freight})*? to the (?:default|release|protected) branch
    git push(?: {freight})*? (?:origin|upstream)(?: head)? {main}(?![\w/-])
    (?:git )?push(?: {freight})*? --?f(?:orce)?(?![\w-])
    force[- ]push\b
    """,
    "asks to delete": r"""
    {destroy}(?: out)?(?: {all})+(?: {kind})* {goods}\b
    rm -(?:rf|fr|r -f|f -r)\s(?:\.git|\.cloche|\$home)\b
    rm -(?:rf|fr|r -f|f -r)\s(?:/|~|\*|\.)(?=\s|\*|$)
    """,
    "asks to disable checks": r"""
    {evade}(?: {all})*(?: {kind})* {checks}\b
    (?:turn|switch) off(?: {all})*(?: {kind})* {checks}\b
    (?:use|pass|add|set|(?:commit|push|merge) with|git commit)(?: the)?\s{flag}
    (?:approve|merge|accept) (?:all|every|any|the)(?: \w+){1,3} (?:without|blindly)\b
    """,
    "asks to send data away": r"""
    {hand}(?: \S+){0,6}? {secrets}\b(?: \S+){0,6}? (?:to|at) {where}
    """,
    "asks to run what it fetches": r"""
    (?:curl|wget)\s[^|]{3,200}\|\s?(?:sudo\s)?(?:ba|z|da)?sh\b
    """,
}
#: Reason and pattern of acts, each from its verb to its object.
ACTS = tuple(
    (reason, pattern) for reason, text in _ACTS.items() for pattern in _table(text)
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


def _marker(reason: str, pattern: str) -> tuple[str, re.Pattern[str]]:
    return reason, re.compile(pattern, re.IGNORECASE | re.MULTILINE)


#: Reason and pattern of what belongs into no sentence; matched against the whole text.
MARKERS = (
    # `<system>-<name>` is a pattern for names; `<system>` alone is a tag.
    _marker(
        "carries a tag of prompts",
        rf"(?:</|(?<![\w/-])<)(?:{_TAGS})(?:\s[^<>\n]{{0,200}})?/?>(?![-_./][\w<])",
    ),
    _marker("closes a frame around quoted text", rf"</(?:{_FRAMES})[-_\w]{{0,40}}>"),
    _marker(
        "closes a frame around quoted text",
        rf"^\W*(?:end|begin|start)(?: of)?(?: the)?(?: (?:{_RULERS})){{1,2}}\W*$",
    ),
    _marker(
        "carries a marker of chat templates",
        r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>",
    ),
    _marker("carries a result marker", r"CLOCHE_RESULT|##vso\[|^\s*::(?:set|add)-\w+"),
    _marker(
        "carries a message of a tool or role",
        r"[\"'](?:type|role)[\"']\s*:\s*[\"'](?:tool_\w+|system|function_call)[\"']",
    ),
    _marker(
        "plays a turn of a conversation",
        r"^\W*(?:system|assistant|human)\**:\**\s+(?:you|please|i|sure|always|ok)\b",
    ),
)
