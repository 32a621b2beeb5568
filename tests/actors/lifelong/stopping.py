"""A process that ends between two appends: what it does after that reaches nobody."""

import asyncio
from collections.abc import Sequence
from typing import Any

from events.base import Event
from store.errors import StoreClosed
from store.log.event_store import Appended, EventStore


class StoppingStore:
    """A store that takes so many appends and then no more, as if the process had been killed."""

    def __init__(self, store: EventStore, appends: int) -> None:
        self._store = store
        self.left = appends
        self.stopped = asyncio.Event()
        self._taken: list[asyncio.Future[Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append_soon(
        self, stream: str, expected: int, events: Sequence[Event], **options: Any
    ) -> asyncio.Future[Appended]:
        """Append, or never come to it."""
        if self._runs_out():
            return asyncio.get_running_loop().create_future()
        self._taken.append(self._store.append_soon(stream, expected, events, **options))
        return self._taken[-1]

    def append_then(
        self, stream: str, expected: int, events: Sequence[Event], done: Any, **options: Any
    ) -> None:
        """Append, or never come to it."""
        if self._runs_out():
            return
        taken: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._taken.append(taken)

        def then(answer: Appended | Exception) -> None:
            taken.set_result(None)
            done(answer)

        self._store.append_then(stream, expected, events, then, **options)

    async def settled(self) -> None:
        """All that was taken is stored. What is stored only later would be taken for another's."""
        if self._taken:
            await asyncio.wait(self._taken)

    def append(self, *_: Any, **__: Any) -> Appended:
        """What is appended from threads is not counted here, so it must not happen."""
        raise StoreClosed(self._store.url)

    def _runs_out(self) -> bool:
        if self.left <= 0:
            self.stopped.set()
            return True
        self.left -= 1
        return False
