"""Passivated jobs: held by this process, but with nothing to do at present. Each takes a few
hundred bytes and no task."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from typing import Final

import msgspec
import structlog
from nats.aio.msg import Msg

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.delivery import Delivery
from actors.runtime.jobs.streams import JobsUnavailable
from events.serialization.struct_types import decodable

_BATCH: Final = 500
"""So many are looked after before others have their turn."""

_log = structlog.get_logger(__name__)


class _Kept(msgspec.Struct, array_like=True, frozen=True):
    """What of a delivery cannot be found out again."""

    data: bytes
    reply: str
    id: str
    tries: int
    sequence: int


_decoder = msgspec.msgpack.Decoder(decodable(_Kept))


class PassivatedJobs:
    """Passivated jobs by target, encoded: as objects they would take three times as much."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._kept: dict[str, bytes] = {}
        self._aside: dict[str, str] = {}
        """The runs of those that wait for people."""

    def __len__(self) -> int:
        return len(self._kept)

    def waiting(self) -> Counter[str]:
        """How many wait for people, by run."""
        return Counter(self._aside.values())

    async def keep(self, delivery: Delivery) -> None:
        """Passivate a job. An older one for the same target is acknowledged: one is enough."""
        older = self.take(delivery.target)
        kept = _Kept(
            data=delivery.message.data,
            reply=delivery.message.reply,
            id=delivery.id,
            tries=delivery.tries,
            sequence=delivery.sequence,
        )
        self._kept[delivery.target] = msgspec.msgpack.encode(kept)
        if delivery.aside:
            self._aside[delivery.target] = delivery.run
        if older is not None and older.sequence != delivery.sequence:
            await older.ack()

    def take(self, target: str) -> Delivery | None:
        """A passivated job, which is the caller's from now on; None where there is none."""
        encoded = self._kept.pop(target, None)
        if encoded is None:
            return None
        delivery = self._delivery(target, encoded)
        self._aside.pop(target, None)
        return delivery

    async def redelivered(self, delivery: Delivery) -> bool:
        """Whether a delivery is of a job passivated here; it stays so, as this delivery."""
        encoded = self._kept.get(delivery.target)
        if encoded is None or _decoder.decode(encoded).sequence != delivery.sequence:
            return False
        run = self._aside.get(delivery.target)
        delivery.aside, delivery.run = run is not None, run or ""
        await self.keep(delivery)
        await delivery.in_progress()
        return True

    def clear(self) -> None:
        """The server has given them to others, or has none of them any more."""
        self._kept.clear()
        self._aside.clear()

    async def renew(self) -> None:
        """Tell the server that all of them are still this process's."""
        for some in self._batches():
            try:
                for target in some:
                    if (encoded := self._kept.get(target)) is not None:
                        await self._delivery(target, encoded).in_progress()
            except JobsUnavailable as error:
                _log.warning("job_heartbeat_failed", error=str(error))
                return
            await asyncio.sleep(0)

    async def put_back(self, put_back: Callable[[Delivery], Awaitable[None]]) -> None:
        """Put all of them back. Where NATS is away their time runs out instead."""
        for some in self._batches():
            if not self._bus.connected:
                break
            taken = [one for one in map(self.take, some) if one is not None]
            await asyncio.gather(*map(put_back, taken))
        self.clear()

    def _batches(self) -> Iterator[tuple[str, ...]]:
        left = iter(tuple(self._kept))
        while some := tuple(islice(left, _BATCH)):
            yield some

    def _delivery(self, target: str, encoded: bytes) -> Delivery:
        kept = _decoder.decode(encoded)
        return Delivery(
            message=Msg(_client=self._bus.nats, reply=kept.reply, data=kept.data),
            target=target,
            id=kept.id,
            tries=kept.tries,
            sequence=kept.sequence,
            not_before=0.0,
            run=self._aside.get(target, ""),
            aside=target in self._aside,
        )
