"""A cache of responses as bytes; an entry is valid until an event that changes it is appended."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Final, NamedTuple

from cachetools import LRUCache

from events.ids import digest_of
from store.log.event_store import EventStore

MOST_BYTES: Final = 64 * 1024 * 1024
"""Bytes of all answers that are kept."""
MOST_OF_ONE: Final = 4 * 1024 * 1024
"""Bytes of an answer; a larger one is not kept."""
LEAST_OF_ONE: Final = 4 * 1024
"""Bytes that an answer counts for at least, so that there is a limit to their number, too."""
FEW: Final = 5_000
"""Events that are looked through for one that changes an answer; beyond, it is made anew."""
MOMENT_S: Final = 1.0
"""How long an answer is kept that depends on more than the log, in seconds."""


class Made(NamedTuple):
    """An answer as it is sent."""

    body: bytes
    media_type: str
    etag: str
    headers: tuple[tuple[str, str], ...] = ()
    volatile: bool = False
    """Right for a moment only."""
    depends: tuple[str, ...] = ()
    """The tags of all events that can change it; empty: any may."""


def etag_of(body: bytes) -> str:
    """What names a body."""
    return f'"{digest_of(body)}"'


class Head:
    """How far the log is. All who ask at the same time are told after one look, which began after
    they asked: nobody is told what was no longer true by then."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._looking: asyncio.Task[int] | None = None
        self._next: asyncio.Task[int] | None = None

    async def now(self) -> int:
        """The last position, as it was at some moment from this call on."""
        if self._looking is None or self._looking.done():
            self._looking = self._next = asyncio.get_running_loop().create_task(self._look())
            return await asyncio.shield(self._looking)
        if self._next is None or self._next is self._looking or self._next.done():
            self._next = asyncio.get_running_loop().create_task(self._after(self._looking))
        return await asyncio.shield(self._next)

    async def _look(self) -> int:
        return await asyncio.to_thread(self.store.head)

    async def _after(self, other: asyncio.Task[int]) -> int:
        await asyncio.wait({other})
        self._looking = asyncio.current_task()
        return await self._look()


class _Kept(NamedTuple):
    made: Made
    head: int
    until: float
    """Of the loop's clock; infinite where the log alone decides."""


class Answers:
    """What was answered of late, by what was asked."""

    def __init__(self, store: EventStore, most_bytes: int = MOST_BYTES) -> None:
        self.head = Head(store)
        self.beside: dict[str, object] = {}
        """What operations keep from one answer to the next, by name."""
        self._kept: LRUCache[Hashable, _Kept] = LRUCache(most_bytes, _size_of)
        self._making: dict[tuple[Hashable, int], asyncio.Task[Made]] = {}

    async def get(self, key: Hashable, make: Callable[[], Coroutine[None, None, Made]]) -> Made:
        """The answer to what ``key`` names; made anew where something was appended since. What is
        asked by several at once is made once."""
        loop = asyncio.get_running_loop()
        head = await self.head.now()
        kept = self._kept.get(key)
        if kept is not None and loop.time() < kept.until and await self._stands(key, kept, head):
            return kept.made
        making = self._making.get((key, head))
        if making is None:
            # A task of its own: whoever asked first may go away before it is made.
            making = self._making[key, head] = loop.create_task(self._make(key, head, make))
            making.add_done_callback(lambda _: self._making.pop((key, head), None))
        return await asyncio.shield(making)

    async def _stands(self, key: Hashable, kept: _Kept, head: int) -> bool:
        """Whether an answer is right still, now that the log has come to ``head``."""
        if kept.head != head:
            if not kept.made.depends or head - kept.head > FEW:
                return False
            store, tags = self.head.store, kept.made.depends
            if await asyncio.to_thread(store.read_all, kept.head, tags=tags, limit=1):
                return False
            self._keep(key, kept._replace(head=max(head, kept.head)))
        return True

    async def _make(
        self, key: Hashable, head: int, make: Callable[[], Coroutine[None, None, Made]]
    ) -> Made:
        made = await make()
        # What was appended while it was made may be in it or not: by the older head it is made
        # again.
        until = asyncio.get_running_loop().time() + MOMENT_S if made.volatile else float("inf")
        self._keep(key, _Kept(made, head, until))
        return made

    def _keep(self, key: Hashable, kept: _Kept) -> None:
        if len(kept.made.body) > MOST_OF_ONE:
            self._kept.pop(key, None)
        else:
            self._kept[key] = kept


def _size_of(kept: _Kept) -> int:
    return max(len(kept.made.body), LEAST_OF_ONE)
