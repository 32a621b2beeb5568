"""Moments at which nothing is under way: what is held then is held for nothing.

Under load each episode that is being played has tasks and objects of its own, and how many those
are changes by the second: a line through such figures rises or falls by chance.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

ENDS_S: Final = 120.0
"""In which everything that is under way ends by itself."""


class Gate:
    """Lets work begin while nobody wants rest."""

    def __init__(self) -> None:
        self._open, self._idle = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._idle.set()
        self._under_way = 0

    @asynccontextmanager
    async def work(self) -> AsyncIterator[None]:
        """Something that is under way; waits until it may begin."""
        await self._open.wait()
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    @asynccontextmanager
    async def rest(self) -> AsyncIterator[None]:
        """Nothing is under way, and nothing begins. Raises ``TimeoutError`` if something does not
        end within ``ENDS_S``."""
        self._open.clear()
        try:
            async with asyncio.timeout(ENDS_S):
                await self._idle.wait()
            yield
        finally:
            self._open.set()
