"""Change single fields, or the body, of a requirement file; every other byte stays.

Keys are dotted: `status`, `scope.paths`. Byte order mark, newlines, comments, quoting,
order and unknown keys survive. Whatever cannot be changed without touching more than
was asked raises IntentError; so does a file that is not sound to begin with.
"""

from collections.abc import Mapping, Sequence

from git_intent.store.body import cut, join, reason, reason_start, tidy, wrap
from git_intent.store.fences import split
from git_intent.store.frontmatter import parse
from git_intent.store.quoting import flow
from git_intent.store.quoting import quote as quote
from git_intent.store.requirement_file import KEYS
from git_intent.store.strict_yaml import Pointer, decode, encode, parse_text
from git_intent.store.yaml_edit import Shape, Value, change, refuse, verified
from git_intent.store.yaml_spans import Edit, content_end, newline

_SHAPE = Shape(
    keys=KEYS,
    block=frozenset({"hints"}),
    quoted=frozenset({"hints", "paths", "ref"}),
    stamps=frozenset({"created", "updated", "extracted_at"}),
)


def set_fields(
    data: bytes, changes: Mapping[str, str | bool | Sequence[str]], path: str = ""
) -> bytes:
    """The file with these fields set; the same bytes if they had these values.

    A missing key is an empty text or list already.
    """
    name = path or "requirement"
    before = parse(data, name)
    text = decode(data, name)
    parts = split(text, name)
    header = text[parts.header_start : parts.header_end]
    document = parse_text(header, name, first_line=2)
    for key, given in changes.items():
        pointer, value = _pointer(key), _value(given)
        if value not in ("", []) or document.node(pointer) is not None:
            document = change(document, pointer, value, _SHAPE)
    changed = text[: parts.header_start] + document.text + text[parts.header_end :]
    result = encode(changed, data)
    after = parse(result, name)
    if after.body != before.body:
        refuse(before.document, _pointer(next(iter(changes))))
    return result


def make_list(data: bytes, key: str, path: str = "") -> bytes:
    """The file with the one text at `key` in a list of one."""
    name = path or "requirement"
    parse(data, name)
    text = decode(data, name)
    parts = split(text, name)
    header = text[parts.header_start : parts.header_end]
    document = parse_text(header, name, first_line=2)
    pointer = _pointer(key)
    node = document.node(pointer)
    if node is None or not isinstance(node.value, str):
        refuse(document, pointer)
    spelled = flow([node.value], always=pointer[-1] in _SHAPE.quoted)
    edit = Edit(node.start_mark.index, content_end(header, node), spelled)
    changed = verified(document, [edit], pointer, [node.value])
    whole = text[: parts.header_start] + changed.text + text[parts.header_end :]
    return encode(whole, data)


def set_body(data: bytes, statement: str, rationale: str, path: str = "") -> bytes:
    """The file with another statement or reason; the one that stays keeps its lines."""
    name = path or "requirement"
    parse(data, name)
    text = decode(data, name)
    start = split(text, name).body_start
    raw = text[start:]
    core = raw.strip()
    if core and cut(core) == (tidy(statement), tidy(rationale)):
        return data
    join(statement, rationale)  # refuses what would be read differently
    body = _body(core, statement, rationale, newline(text))
    if core:
        at = raw.index(core)
        new = raw[:at] + body + raw[at + len(core) :]
    else:
        fence_ends = text[:start].endswith(("\n", "\r"))
        blank = newline(text) * (1 if fence_ends else 2)
        new = blank + body + newline(text)
    result = encode(text[:start] + new, data)
    parse(result, name)
    return result


def _body(core: str, statement: str, rationale: str, glue: str) -> str:
    """Both paragraphs; one whose words do not change is taken from `core`."""
    old = cut(core)
    at = reason_start(core)
    said = core[:at].rstrip()
    gap = core[len(said) : at] or glue * 2
    if tidy(statement) != old[0]:
        said = wrap(statement).replace("\n", glue)
    why = core[at:]
    if tidy(rationale) != old[1]:
        why = reason(rationale).replace("\n", glue)
    return said + gap + why if said and why else said or why


def _pointer(key: str) -> Pointer:
    return tuple(key.split("."))


def _value(value: str | bool | Sequence[str]) -> Value:
    return value if isinstance(value, str | bool) else list(value)
