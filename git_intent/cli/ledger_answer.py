"""What the commands of the ledger print: JSON on one line, ASCII, sorted keys.

A refusal is printed where the answer would have been, as JSON, and in words on standard
error. Commands that print text say it on standard error alone.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from git_intent.cli import output
from git_intent.errors import IntentError

if TYPE_CHECKING:
    from git_intent.ledger.answer import Answer


def document(value: dict[str, Any]) -> None:
    """A JSON result."""
    from git_intent.files import canonical_json

    output.exact(canonical_json({"version": 1, **value}))


def tell(answer: "Answer") -> int:
    """Print what came of a write, and give the exit code."""
    from git_intent.files import canonical_json

    output.exact(canonical_json(answer.as_json()))
    refusal = answer.refusal
    if refusal is not None:
        where = f"{refusal.pointer}: " if refusal.pointer else ""
        words = output.one_line(f"{refusal.code}: {where}{refusal.message}")
        output.error(words, output.one_line(refusal.hint))
    for fault in answer.faults:
        words = f"{fault.kind} fault: {fault.message}"
        output.error(f"{words}: {fault.path}" if fault.path else words)
    if answer.recorded and answer.faults:
        output.note("  it is recorded all the same: do not repeat it")
    for note in answer.notes:
        output.note(f"note: {note}")
    return answer.exit_code


def answers(act: Callable[..., int | None]) -> Callable[..., int]:
    """A command whose failures are answered as JSON, unless it has an option `--json`
    that was not given: then they are said on standard error."""

    @wraps(act)
    def answered(*args: Any, **options: Any) -> int:
        try:
            return act(*args, **options) or 0
        except BrokenPipeError:
            raise
        except (IntentError, OSError) as error:
            if options.get("as_json", True):
                return tell(_failed(error))
            if isinstance(error, IntentError):
                raise
            raise IntentError(_words(error)) from error

    return answered


def _failed(error: Exception) -> "Answer":
    from git_intent.ledger.answer import Answer
    from git_intent.ledger.faults import fault_of
    from git_intent.ledger.refusal import Refusal

    if isinstance(error, Refusal):
        return Answer(False, refusal=error)
    return Answer(False, faults=(fault_of("read", error),))


def _words(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
