"""`git intent completion`: the script that completes commands and options."""

import click

from git_intent.cli import output
from git_intent.cli.project import examples

# git's own bash completion calls `_git_NAME` for `git NAME`: hand the words on.
_BASH_BRIDGE = """
_git_intent() {
    local words=("git-intent" "${COMP_WORDS[@]:2}") line kind
    COMPREPLY=()
    while IFS= read -r line; do
        kind=${line%%,*}
        [ "$kind" = plain ] && COMPREPLY+=("${line#*,}")
    done < <(COMP_WORDS="${words[*]}" COMP_CWORD=$((COMP_CWORD - 1)) \\
        _GIT_INTENT_COMPLETE=bash_complete git-intent 2>/dev/null)
}
"""


@click.command(epilog=examples("completion bash >> ~/.bashrc"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of SHELL.

    It completes `git-intent` and, in bash, `git intent` as well.

    zsh and fish complete `git-intent`; put the script where your shell looks for it.
    """
    from click.shell_completion import get_completion_class

    from git_intent.cli.main import root

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"no completion for {shell}")
    script = made(root, {}, "git-intent", "_GIT_INTENT_COMPLETE").source()
    output.say(script + (_BASH_BRIDGE if shell == "bash" else ""))
