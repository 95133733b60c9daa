"""`python -m tests.real_hosts [HOST…]`: install the clients, then drive them.

The tests run in namespaces of their own for the network, where only the loopback is,
and for processes, so that whatever a client leaves running ends with them.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.real_hosts.packages import PACKAGES

_INSIDE = 'ip link set lo up && exec "$@"'
_NAMESPACES = ("--net", "--pid", "--fork", "--kill-child", "--mount-proc")


def main(hosts: list[str]) -> int:
    unknown = [host for host in hosts if host not in PACKAGES]
    if unknown:
        print(f"no such host: {', '.join(unknown)}; there are {', '.join(PACKAGES)}")
        return 2
    wanted = hosts or list(PACKAGES)
    for host in wanted:
        if why := PACKAGES[host].install():
            print(f"{PACKAGES[host].name}: not installed: {why}", file=sys.stderr)
    folder = Path(__file__).parent
    words = [*_namespaces(), sys.executable, "-m", "pytest", "-q", "--no-header"]
    words += ["-m", "real_hosts", "-o", "tmp_path_retention_policy=failed", str(folder)]
    environ = {**os.environ, "REAL_HOSTS": " ".join(wanted)}
    return subprocess.run(words, env=environ, check=False).returncode


def _namespaces() -> list[str]:
    """What to put in front of a command; nothing if the system has none for us, and
    then the tests say why they are skipped."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return []
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    words = ["unshare", *user, *_NAMESPACES, "sh", "-c", _INSIDE, "sh"]
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
