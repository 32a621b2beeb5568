"""See ``tests.browser.playing``."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.browser.playing import Playing, playing
from tests.gateway.applied import handlers_copied

__all__ = ["handlers_copied"]


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Playing]:
    """A server of its own and a Chromium."""
    async with playing(tmp_path) as at:
        yield at
