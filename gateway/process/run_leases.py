"""The leases of one process: what it carries out, and no other does meanwhile.

A process that is to carry out a run takes its lease first (``store.leases``) and renews it. Where
another process has it, that one is named; where that one is known to have ended, or has been silent
for ``TROUPE_ACK_WAIT_S`` seconds, the lease changes hands. A process that comes back from such a
silence asks no model before it has renewed what it holds (``actors.runtime.ownership.lease``), and
finds out then what it has lost.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic
from typing import Final

import structlog

from actors.runtime.actors.supervision import is_outage
from actors.runtime.ownership.lease import Lease as OwnWork
from gateway.process.lease_holders import HeldElsewhere, waiting_words
from gateway.process.process_registry import ProcessRegistration, is_gone
from gateway.settings import Settings
from store.errors import StoreUnavailable
from store.leases import MICRO, Lease, leases, leave, renew, take
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)

RENEWALS: Final = 6
"""So many in the time after which a lease lapses; a process relies on those of the last half."""
LOOK_S: Final = 0.1
"""How often a silent holder is looked at, in seconds."""
_PART: Final = "runs"


class RunLease:
    """What a process carries out for a while."""

    def __init__(self, run: str, names: Collection[str]) -> None:
        self.run, self.names = run, frozenset(names)
        self.lost: HeldElsewhere | None = None
        """Why it goes on no longer: it had been silent, and another process has taken over."""
        self._on_lost: list[Callable[[], None]] = []

    def on_lost(self, callback: Callable[[], None]) -> None:
        """Have something called when it is lost."""
        self._on_lost.append(callback)

    def lose(self, by: HeldElsewhere) -> None:
        """It is another's now."""
        self.lost = by
        for callback in self._on_lost:
            callback()


class RunLeases:
    """Takes, renews and leaves the leases of this process. Lives on one event loop."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        presence: ProcessRegistration,
        own_work: OwnWork,
        runs: set[str],
        on_lost: Callable[[RunLease, HeldElsewhere], None],
    ) -> None:
        """``own_work``: is renewed along with the leases, and waits with them. ``runs`` has those
        that leases are held of."""
        self.settings, self.store, self.own_work = settings, store, own_work
        self.holder = presence.holder
        self.lapse_s = settings.tuning.ack_wait_s
        self.every_s = self.lapse_s / RENEWALS
        self.runs = runs
        self._on_lost = on_lost
        self.outage: StoreUnavailable | None = None
        """Why leases could not be taken or renewed when that was last tried."""
        self._tenures: list[RunLease] = []
        self._changing = asyncio.Lock()
        """Renewing must not take for lost what is being taken or left."""

    @asynccontextmanager
    async def held(
        self,
        run: str,
        names: Collection[str],
        say: Callable[[str], None] | None = None,
    ) -> AsyncIterator[RunLease]:
        """Hold leases as long as this lasts. ``run``: what they are of; empty: of no run.

        Where their holder is silent it is waited until it is back or its leases lapse; ``say`` is
        told so first. Raises ``HeldElsewhere``, ``StoreUnavailable``.
        """
        seen: dict[str, int] = {}
        tenure: RunLease | Lease
        while isinstance(tenure := await self.take(run, names), Lease):
            if self._at_work(tenure, seen.get(tenure.name)):
                raise HeldElsewhere(tenure.name, tenure)
            if not seen and say is not None:
                say(waiting_words(tenure))
            seen.setdefault(tenure.name, tenure.version)
            await asyncio.sleep(LOOK_S)
        try:
            yield tenure
        finally:
            await self.leave(tenure)

    async def take(self, run: str, names: Collection[str]) -> RunLease | Lease:
        """Take leases, all or none; or whose lease stands in the way."""
        gone = partial(is_gone, self.settings)
        begun = monotonic()
        async with self._changing:
            others = await self._in_thread(take, self.store, names, self.holder, self.lapse_s, gone)
            if others:
                return others[0]
            if not self._tenures:
                # Else renewing will find out first what of the others was lost meanwhile.
                self.own_work.renew(_PART, begun)
            tenure = RunLease(run, names)
            self._tenures.append(tenure)
            self.runs.update({run} - {""})
            self.own_work.lost.discard(run)
        return tenure

    async def leave(self, tenure: RunLease) -> None:
        """Give back what was taken."""
        async with self._changing:
            self._forget(tenure)
            if not self._tenures:
                self.own_work.end(_PART)
            try:
                await asyncio.to_thread(leave, self.store, self.holder.process, tenure.names)
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("leases_not_left", run=tenure.run, error_type=type(error).__name__)

    async def keep(self) -> None:
        """Renew what is held, for ever."""
        while True:
            await asyncio.sleep(self.every_s)
            try:
                await self._renew()
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("leases_not_renewed", error_type=type(error).__name__)

    async def _renew(self) -> None:
        begun = monotonic()
        async with self._changing:
            if not self._tenures:
                return
            held = await self._in_thread(renew, self.store, self.holder.process, self.lapse_s)
            mine = {lease.name for lease in held}
            for tenure in tuple(self._tenures):
                if missing := tenure.names - mine:
                    name = min(missing)
                    found = await asyncio.to_thread(leases, self.store, [name])
                    by = HeldElsewhere(name, next(iter(found), None), taken_over=True)
                    log.warning("run_taken_over", run=tenure.run, by=str(by))
                    # Before the process's own work counts as renewed: then models are asked again.
                    self._on_lost(tenure, by)
                    self._forget(tenure)
                    tenure.lose(by)
            self.own_work.renew(_PART, begun)

    async def _in_thread(self, change: Callable[..., list[Lease]], *given: object) -> list[Lease]:
        try:
            found = await asyncio.to_thread(change, *given)
        except StoreUnavailable as error:
            self.outage = error
            raise
        self.outage = None
        return found

    def _forget(self, tenure: RunLease) -> None:
        if tenure in self._tenures:
            self._tenures.remove(tenure)
        if all(other.run != tenure.run for other in self._tenures):
            self.runs.discard(tenure.run)

    def _at_work(self, lease: Lease, seen: int | None) -> bool:
        """Whether the holder of a lease is at work: it has renewed it lately, or since it was seen
        with a version."""
        if seen is not None:
            return lease.version != seen
        return lease.now - lease.renewed_at < 2 * self.every_s * MICRO
