"""Wait for something to become true, without guessing how long it takes."""

import asyncio
from collections.abc import Callable


async def eventually(condition: Callable[[], bool], within: float = 60.0) -> None:
    """Returns when ``condition()`` holds; raises ``TimeoutError`` after ``within`` seconds."""
    async with asyncio.timeout(within):
        while not condition():
            await asyncio.sleep(0.001)
