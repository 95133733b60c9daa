"""The keys of workflows and steps, and which of their values are refused.

An unknown key of a workflow is an error, one of a step a warning, as in Cloche.
`domains` is read at both levels. The opt-out key is `intent_tracking`; its first
spelling `intent = "off"` is honoured with a warning, and a value that is neither on nor
off is an error at the value: a guess could let a log be mined that was to stay out.
"""

from collections.abc import Iterator

from git_intent.workflow.lexer import Malformed
from git_intent.workflow.model import Field, Finding, Form

WORKFLOW_KEYS = frozenset({"repos", "token-limit", "intent_tracking", "domains"})
STEP_KEYS = frozenset(
    {
        "prompt",
        "run",
        "workflow_name",
        "poll",
        "results",
        "timeout",
        "max_attempts",
        "agent",
        "agent_command",
        "agent_args",
        "prompt_step",
        "usage_command",
        "repository",
        "interval",
        "skip",
        "token-limit",
        "intent_tracking",
        "domains",
    }
)
OLD_OPT_OUT = "intent"
#: Settings of the place a step runs in: `container.image` and the like.
STEP_BLOCKS = ("container.", "host.")


def checked_workflow_field(field: Field, path: str) -> Iterator[Finding]:
    """Raises IntentError for a key or value that no workflow may have."""
    if field.key not in WORKFLOW_KEYS and field.key != OLD_OPT_OUT:
        known = ", ".join(sorted(WORKFLOW_KEYS))
        raise Malformed(
            path, field.at, f"unknown workflow field '{field.key}': expected {known}"
        )
    if field.key == "repos" and field.value.form is not Form.LIST:
        raise Malformed(path, field.value.at, "expected a list of names for 'repos'")
    yield from _checked_value(field, path)


def checked_step_field(field: Field, path: str) -> Iterator[Finding]:
    """Raises IntentError for a value that no step may have."""
    known = field.key in STEP_KEYS or field.key == OLD_OPT_OUT
    if not known and not field.key.startswith(STEP_BLOCKS):
        message = f"unknown step key '{field.key}'"
        yield Finding(path, field.at.line, field.at.col, "W002", message)
    yield from _checked_value(field, path)


def _checked_value(field: Field, path: str) -> Iterator[Finding]:
    value = field.value
    if field.key == "intent_tracking":
        if value.form is Form.LIST or value.text not in ("true", "false"):
            raise Malformed(
                path, value.at, "expected true or false for 'intent_tracking'"
            )
    elif field.key == OLD_OPT_OUT:
        if value.form is Form.LIST or value.text not in ("on", "off", "true", "false"):
            raise Malformed(path, value.at, 'expected "on" or "off" for \'intent\'')
        tracked = "false" if value.text in ("off", "false") else "true"
        message = f"'intent' is the old spelling: write intent_tracking = {tracked}"
        yield Finding(path, field.at.line, field.at.col, "W001", message)
    elif field.key == "token-limit" and not _is_limit(value.text, value.form):
        raise Malformed(
            path, value.at, "expected a whole number from -1 up for 'token-limit'"
        )
    elif field.key == "max_attempts" and value.form is not Form.NUMBER:
        raise Malformed(path, value.at, "expected a whole number for 'max_attempts'")


def _is_limit(text: str, form: Form) -> bool:
    return form is Form.NUMBER and (text == "-1" or not text.startswith("-"))
