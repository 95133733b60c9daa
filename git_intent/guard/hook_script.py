"""The text of a git hook that checks what is about to be committed.

A hook that was there before runs first, under its own name and with its arguments, and
its failure blocks the commit. There are two forms, each a block between two marks:

- In a shell script the block stands behind the `#!` line. It runs the whole script once
  more with a variable that makes the block step aside, then checks.
- Anything else (a program, another language, a link, a file that git does not run) is
  put aside as `NAME.before-git-intent`, and a script of ours takes its place.

Taking the block away gives back every byte. Pure: bytes in, bytes out; the glue itself
is `glue/check.sh`, whatever line ends a checkout gave it.
"""

import re
import shlex
from pathlib import Path

BESIDE = ".before-git-intent"

_GLUE = Path(__file__).parent / "glue" / "check.sh"
_BEGIN = (
    b"# >>> git-intent >>> made by `git intent install git`, --uninstall removes it"
)
_WHOLE = b"# >>> git-intent: whole file >>> made by `git intent install git`"
_FOLDER = b"# the folder was made with it"
_END = b"# <<< git-intent <<<\n"
_BLOCK = re.compile(
    rb"^# >>> git-intent(?P<whole>: whole file)? >>> .*?^# <<< git-intent <<<\n",
    re.MULTILINE | re.DOTALL,
)
_SHELL = re.compile(
    rb"#![ \t]*(?:/\S+/)?(?:env[ \t]+)?(?:/\S+/)?(\w+)(?:[ \t][^\r\n]*)?\n"
)
_SHELLS = {b"sh", b"bash", b"dash", b"ash", b"ksh", b"zsh", b"busybox"}
_SHEBANG = b"#!/bin/sh\n"

_AGAIN = """\
if [ "${GIT_INTENT_HOOK-}" = "$0" ]; then
    unset GIT_INTENT_HOOK
else
GIT_INTENT_HOOK=$0 "$0" "$@" || exit
"""
_PRIOR = """\
prior=${0%/*}/@PRIOR@
if [ -x "$prior" ]; then
    "$prior" "$@" || exit
fi
"""


def is_ours(data: bytes) -> bool:
    """Whether a hook has our block."""
    return _BLOCK.search(data) is not None


def is_whole(data: bytes) -> bool:
    """Whether the file was made by us, block and all around it."""
    found = _BLOCK.search(data)
    return found is not None and found["whole"] is not None


def made_folder(data: bytes) -> bool:
    """Whether the hook says that its folder was made for it."""
    found = _BLOCK.search(data)
    return found is not None and _FOLDER in found[0]


def is_shell(data: bytes) -> bool:
    """Whether a block can stand in this script."""
    found = _SHELL.match(data)
    return found is not None and found[1] in _SHELLS and b"\0" not in data


def inserted(data: bytes, hook: str, python: str) -> bytes:
    """A shell script of somebody else with our block behind its first line."""
    found = _SHELL.match(data)
    at = found.end() if found else 0
    return data[:at] + _block(hook, python) + data[at:]


def renewed(data: bytes, hook: str, python: str) -> bytes:
    """A hook of ours with the block as it is made today; other lines stay."""
    block = _block(hook, python)
    if is_whole(data):
        fresh = whole(hook, python, folder=made_folder(data))
        block = fresh.removeprefix(_SHEBANG)
    return _BLOCK.sub(lambda _: block, data, count=1)


def whole(hook: str, python: str, *, folder: bool) -> bytes:
    """A script of ours; one beside it, put aside by the same name, runs first."""
    prior = _PRIOR.replace("@PRIOR@", shlex.quote(hook + BESIDE))
    head = [_WHOLE, *([_FOLDER] if folder else [])]
    text = prior + _check(hook, python)
    return _SHEBANG + b"\n".join(head) + b"\n" + text.encode() + _END


def removed(data: bytes) -> bytes:
    """The script without our block; empty if the file was ours and nothing is left."""
    rest = _BLOCK.sub(b"", data, count=1)
    if is_whole(data) and rest.strip() == _SHEBANG.strip():
        return b""
    return rest


def _block(hook: str, python: str) -> bytes:
    text = _AGAIN + _check(hook, python) + "exit 0\nfi\n"
    return _BEGIN + b"\n" + text.encode() + _END


def _check(hook: str, python: str) -> str:
    text = _GLUE.read_bytes().replace(b"\r\n", b"\n").decode()
    return text.replace("@HOOK@", hook).replace("@PYTHON@", shlex.quote(python))
