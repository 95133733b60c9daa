"""Whether completed runs wait for their scan: a look at one folder, without git.

Every command asks this at its end, so it must cost nothing where there is no queue.
"""

# pathlib costs more than everything that is done here:
# ruff: noqa: PTH100, PTH208

import os

from git_intent.git.look import find_project

#: With one of these, git has started this command while it is at work itself, or the
#: repository is not where its files say.
_ELSEWHERE = ("GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")


def waiting(directory: str) -> bool:
    if any(os.environ.get(name) for name in _ELSEWHERE):
        return False
    try:
        found = find_project(os.path.abspath(directory))
        return found is not None and bool(os.listdir(f"{found[3]}/intent/queue"))
    except OSError:
        return False
