"""The services on a store of the test's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.helpers.desk_parts import Parts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agentbox.db"


@pytest.fixture
async def parts(path: Path) -> AsyncIterator[Parts]:
    started = await Parts(path).start()
    yield started
    await started.stop()
