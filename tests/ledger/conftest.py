"""Places for tests that sync thousands of files."""

import os
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def memory(tmp_path):
    """A folder in memory, if there is one."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)
