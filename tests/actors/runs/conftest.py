"""What runs under test need."""

from collections.abc import AsyncIterator

import pytest

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.queue import JobQueue


@pytest.fixture
async def jobs(bus: Bus) -> AsyncIterator[JobQueue]:
    """A queue that is there."""
    jobs = JobQueue(bus)
    await jobs.ensure()
    yield jobs
    await jobs.stop(1.0)
