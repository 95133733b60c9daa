#!/usr/bin/env python3
"""The commands of the chat ledger as a script: `ledger_input.py owner-view …`.

It is `git intent ledger` under another name, with the same output byte for byte and the
same exit codes: for hosts and instructions that call a file rather than git. It runs
next to the package in a checkout, and anywhere with the Python that has it installed.
"""

import sys
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[1]


def main() -> int:
    if (_CHECKOUT / "git_intent" / "__main__.py").is_file():
        sys.path.insert(0, str(_CHECKOUT))
    from git_intent.__main__ import main as program

    sys.argv[1:] = ["ledger", *sys.argv[1:]]
    return program()


if __name__ == "__main__":
    sys.exit(main())
