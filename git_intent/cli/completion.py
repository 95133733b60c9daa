"""`git intent completion`: the script that completes commands and options."""

import click

from git_intent.cli import output
from git_intent.cli.options import examples

# git's own bash completion calls `_git_NAME` for `git NAME`; where NAME stands among
# the words it says in `__git_cmd_idx`. Hand on the words from there.
_BASH_BRIDGE = """
_git_intent() {
    local at=${__git_cmd_idx:-1} line
    local words=(git-intent "${COMP_WORDS[@]:at+1}")
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            plain,*) COMPREPLY+=("${line#*,}") ;;
            dir,*) compopt -o dirnames ;;
            file,*) compopt -o default ;;
        esac
    done < <(COMP_WORDS="${words[*]}" COMP_CWORD=$((COMP_CWORD - at)) \\
        _GIT_INTENT_COMPLETE=bash_complete git-intent 2>/dev/null)
}
"""

_BASH_PLACE = "~/.local/share/bash-completion/completions/git-intent"


@click.command(epilog=examples(f"completion bash > {_BASH_PLACE}"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
def command(shell: str) -> None:
    """Print the completion script of SHELL: bash, zsh or fish.

    It completes `git-intent` and, in bash, `git intent` as well. Put it where your
    shell looks for it.
    """
    from click.shell_completion import get_completion_class

    from git_intent.cli.main import COMPLETION, root

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"no completion for {shell}")
    script = made(root, {}, "git-intent", COMPLETION).source()
    output.say(script + (_BASH_BRIDGE if shell == "bash" else ""))
