"""The click layer's root: lazily loaded commands and the one error boundary.

Exit codes: 0 fine, 1 an expected failure or findings, 2 usage, 3 our own bug (with a
log file to send), 130 interrupted.
"""

import errno
import sys
from collections.abc import Sequence
from typing import Any

import click

from git_intent import __version__
from git_intent.cli import output
from git_intent.cli.lazy import LazyGroup
from git_intent.cli.options import examples
from git_intent.errors import IntentError

#: Command name -> module that holds it as `command`, and its line in the overview.
COMMANDS = {
    "init": ("init", "Write a commented configuration and say what comes next."),
    "scan": ("scan", "Extract what documents and commits decide, in one commit."),
    "scan-step": ("scan_step", "Run one of the six steps of a scan."),
    "extract": ("extract", "Print what would be extracted from some files."),
    "list": ("list", "List requirements."),
    "show": ("show", "Show one requirement and where it came from."),
    "review": ("review", "Look at what scans wrote, and what they left out."),
    "add": ("add", "Write a requirement by hand."),
    "edit": ("edit", "Open a requirement in your editor."),
    "disable": ("disable", "Take requirements out of use."),
    "enable": ("enable", "Put disabled requirements back into use."),
    "supersede": ("supersede", "Replace a requirement by another one."),
    "redact": ("redact", "Remove a requirement's text, keep its id."),
    "resolve": ("resolve", "Finish what a merge left undone in the store."),
    "check": ("check", "Check the store, and the step from one state to the next."),
    "diff": ("diff", "Say what changed in the requirements, and by whom."),
    "log": ("log", "Tell the history of one requirement."),
    "blame": ("blame", "Say which commit and which source said so."),
    "preview": ("preview", "Show what a prompt would get, and why."),
    "inject": ("inject", "Put the requirements that matter into a prompt."),
    "export": ("export", "Keep the requirements in a host's instruction file."),
    "record": ("record", "Put on record what a run was asked and said."),
    "runs": ("runs", "Show what the steps of recorded runs were given."),
    "transcripts": ("transcripts", "Read what was said in chats with coding agents."),
    "run": ("run", "Run the steps of a workflow to its end."),
    "workflow": ("workflow", "Look at workflows, and check their files."),
    "domains": ("domains", "List and edit the domain map."),
    "status": ("status", "Say what the store holds and what a scan would do."),
    "trust": ("trust", "Approve commands that come from the work tree."),
    "config": ("config", "Print every setting and where it came from."),
    "index": ("index", "Look at the index of vectors, or make it anew."),
    "install": ("install", "Let git, and agents' hosts, call git-intent."),
    "doctor": ("doctor", "Say what works, what is broken, and what to do."),
    "ledger": ("ledger", "Keep a chat's objective, outcomes and effects in git."),
    "hook": ("hook", "Answer an event of a coding agent."),
    "web": ("web", "Show the project in a browser, and edit it there."),
    "mcp": ("mcp", "Serve the same over the Model Context Protocol."),
    "completion": ("completion", "Print the completion script of a shell."),
}

#: The same for what git calls and no person does: in no overview.
HIDDEN = {"merge-driver": "merge_driver"}

#: After these, nobody looks for runs that wait to be scanned: git or a coding agent
#: calls them while it is at work, or they see to the queue themselves.
_NO_QUEUE = {
    *("check", "completion", "doctor", "hook", "inject", "ledger", "merge-driver"),
    *("mcp", "record", "scan", "scan-step"),
}

#: Set by the script that `git intent completion` prints.
COMPLETION = "_GIT_INTENT_COMPLETE"


@click.command(
    cls=LazyGroup,
    table=COMMANDS,
    unlisted=HIDDEN,
    name="git intent",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    epilog=examples("scan", "list --domain testing"),
)
@click.version_option(__version__, message="git-intent %(version)s")
@click.option("-v", "--verbose", is_flag=True, help="Say which project is acted on.")
@click.option(
    "-C",
    "directory",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    help="Run as if started in DIR.",
)
@click.option("--no-queue", is_flag=True, help="Start no scan of runs that wait.")
@click.pass_context
def root(ctx: click.Context, verbose: bool, directory: str, no_queue: bool) -> None:
    """Keep what a project has decided in reviewable files under .cloche/intent/."""
    output.set_verbose(verbose)
    ctx.obj = directory


@root.result_callback()
@click.pass_context
def look_into_queue(ctx: click.Context, /, value: Any, **options: Any) -> Any:
    """Have runs scanned that wait since a machine stopped or a rebase ended."""
    if ctx.invoked_subcommand not in _NO_QUEUE and not options["no_queue"]:
        from git_intent.cli import queue_look

        if queue_look.waiting(ctx.obj):
            from git_intent.cli.queued import start_due

            start_due(ctx.obj)
    return value


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (without the program's name); give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    output.open_closed_streams()
    try:
        return _run(arguments)
    except IntentError as error:
        output.error(error.message, error.hint)
        return error.exit_code
    except click.ClickException as error:
        return _usage(error)
    except (click.Abort, KeyboardInterrupt):
        output.error("interrupted")
        return 130
    except BrokenPipeError:
        output.silence()
        return 1
    except OSError as failure:
        if not _full(failure):
            return _bug(arguments)
        output.error(f"{failure.strerror}", "make room and try again")
        output.silence()
        return 1
    except Exception:  # the boundary: our own bug becomes a log and exit 3
        return _bug(arguments)


def _run(arguments: list[str]) -> int:
    value: Any = root.main(
        arguments,
        prog_name="git intent",
        complete_var=COMPLETION,
        standalone_mode=False,
    )
    output.flush()
    return value if isinstance(value, int) else 0


def _full(failure: OSError) -> bool:
    """Whether the machine has run out of something, which is no fault of ours."""
    out_of = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE)
    # tempfile says so in these words, under the number of a missing file
    return failure.errno in out_of or "temporary directory" in str(failure)


def _usage(error: click.ClickException) -> int:
    """What is wrong with the command line, in the form of every other error."""
    context = getattr(error, "ctx", None)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        output.note(error.format_message())
    else:
        command = context.command_path if context else "git intent"
        output.error(error.format_message(), f"`{command} -h` shows how it is used")
    return error.exit_code


def _bug(arguments: list[str]) -> int:
    """Keep what a report needs: in a log, or on stderr if no log can be written."""
    import traceback

    text = (
        f"git-intent {__version__}\narguments: {arguments!r}\n\n"
        f"{traceback.format_exc()}"
    )
    try:
        output.error(
            "this is a bug in git-intent", f"please report it with {_log(text)}"
        )
    except OSError:
        output.error("this is a bug in git-intent", f"please report it:\n{text}")
    return 3


def _log(text: str) -> str:
    import tempfile

    with tempfile.NamedTemporaryFile(
        "wb", prefix="git-intent-", suffix=".log", delete=False
    ) as log:
        log.write(text.encode(errors="backslashreplace"))
    return log.name
