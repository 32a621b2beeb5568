"""The slots of a worker: how many jobs of its kind it carries out at once."""

import asyncio
from collections import Counter

from actors.runtime.jobs.delivery import Delivery


class WorkerSlots:
    """Which deliveries are under way. One that is set aside waits for people and takes no place;
    one that goes on has its place back at once, also where all are taken, for somebody waits."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: set[Delivery] = set()
        self._aside: set[Delivery] = set()
        self._vacated = asyncio.Event()

    @property
    def aside(self) -> int:
        """Deliveries under way that take no place."""
        return len(self._aside)

    async def enter(self, delivery: Delivery) -> None:
        """Take a place, once there is one. One that was begun before does not wait."""
        while not (delivery.begun or delivery.aside) and len(self._taken) >= self._most:
            self._vacated.clear()
            await self._vacated.wait()
        self.set_aside(delivery, delivery.aside)

    def set_aside(self, delivery: Delivery, aside: bool) -> None:
        """Say whether a delivery under way waits for people."""
        delivery.aside = aside
        (self._aside if aside else self._taken).add(delivery)
        (self._taken if aside else self._aside).discard(delivery)
        self._vacated.set()

    def leave(self, delivery: Delivery) -> None:
        """A delivery is no longer under way."""
        self._taken.discard(delivery)
        self._aside.discard(delivery)
        self._vacated.set()

    def waiting(self) -> Counter[str]:
        """How many deliveries are set aside, by run."""
        return Counter(delivery.run for delivery in self._aside)
