"""Places for tests that sync thousands of files."""

import pytest

from tests.support.ledgers import in_memory


@pytest.fixture
def memory():
    """A folder in memory, if there is one."""
    with in_memory() as folder:
        yield folder
