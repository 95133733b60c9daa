"""A process of its own that brings spooled prompts into the journal.

    python -m git_intent.hosts.drainer GUARD HOME NAMESPACE CHAT SPOOL

A hook starts it detached and leaves it GUARD, an open file that is locked as long as
this process holds it: so a burst of prompts starts one drainer. It looks into the spool
once more after it has let go, since whoever came before that started none.
"""

import os
import sys

from git_intent.ledger import drain


def main(arguments: list[str]) -> int:
    guard, *chat = arguments
    code = drain.main(chat)
    os.close(int(guard))
    return drain.main(chat) or code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
