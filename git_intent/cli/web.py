"""`git intent web`: the console over this project, on this machine only."""

import os
import sys
import threading
from importlib.util import find_spec

import click

from git_intent.cli import output
from git_intent.cli.options import actor_option, examples
from git_intent.errors import IntentError

_EXTRA = ("starlette", "uvicorn", "jinja2")
_HERE = ("127.0.0.1", "::1", "localhost")


@click.command(epilog=examples("web", "web --port 8400 --no-open", "web --read-only"))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="The port to listen on; a free one if not given.",
)
@click.option("--no-open", is_flag=True, help="Open no browser.")
@click.option("--read-only", is_flag=True, help="Refuse every change.")
@click.option(
    "--host",
    default=_HERE[0],
    metavar="ADDRESS",
    help="Listen on another address than this machine's own; not encrypted.",
)
@actor_option
@click.pass_obj
def command(
    directory: str,
    port: int,
    no_open: bool,
    read_only: bool,
    host: str,
    actor: str | None,
) -> int:
    """Serve the console of this project, and open it in a browser.

    The first line printed is its address. Whoever has it may read and change what you
    may: it holds a token that is made anew each time. Changes are edits of files below
    .cloche/intent/; nothing is staged or committed, except by a scan. Ctrl-C ends it.

    Needs the extra: pip install 'git-intent[web]'.
    """
    if missing := [name for name in _EXTRA if find_spec(name) is None]:
        raise IntentError(
            f"the console needs {', '.join(missing)}",
            "pip install 'git-intent[web]'",
        )
    from git_intent.cli.web_services import console
    from git_intent.web import server

    made = console(directory, actor, read_only=read_only)
    listening = server.listen(host, port)
    door = server.door_of(listening, host)
    output.say(server.address(door, host, door.token))
    if host not in _HERE:
        output.note(
            f"warning: listening on {host}: whoever can reach it and has the token, or "
            "reads it on the way, may do what you may; nothing is encrypted"
        )

    def ready() -> None:
        if not no_open:
            open_browser(server.address(door, host, door.ticket()))

    server.serve(made, door, listening, ready)
    return 0


def open_browser(address: str) -> threading.Thread | None:
    """Open a browser, unless that would be one in this very terminal."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if sys.platform == "linux" and not any(map(os.environ.get, screens)):
        return None
    import webbrowser

    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening
