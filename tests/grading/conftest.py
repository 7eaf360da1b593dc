"""One sandbox for all grading tests: as strong as the machine allows, and it must be bubblewrap."""

import pytest

from ffnbook.grading.bwrap import bubblewrap_fault
from ffnbook.grading.sandbox import Sandbox


@pytest.fixture(scope="session")
def sandbox():
    if bubblewrap_fault():
        pytest.fail(f"these tests need bubblewrap (apt-get install bubblewrap): {bubblewrap_fault()}", pytrace=False)
    with Sandbox() as made:
        yield made
