"""The actor host: finds actors by name, starts them at their first message, passivates and restarts
them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

import structlog
from pykka.messages import _ActorStop

from actors.runtime.actors.future import LoopFuture
from actors.runtime.actors.inbox import AnyEnvelope, LoopEnvelope, refusals, refuse
from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.actors.supervision import OUTAGES, RestartPolicy, is_outage
from actors.runtime.errors import HostStopped, InboxFull, OwnershipLost, UnknownKind
from actors.runtime.ownership.lease import Lease
from store.database.transient_errors import reason

_SWEEP_BATCH: Final = 500

log = structlog.get_logger(__name__)


class Factory(Protocol):
    """Makes the actors of one kind."""

    kind: str

    def create(self, id_: str, /) -> LoopActor:
        """An actor, not started. Called for each start, restart and revival."""
        ...

    async def give_up(self, id_: str, reason: str, attempts: int, /) -> None:
        """Note that an actor failed too often. Repeated until it succeeds."""
        ...


class Cell:
    """What the host knows about one of its actors."""

    __slots__ = (
        "actor",
        "counted",
        "factory",
        "failures",
        "held",
        "host",
        "id",
        "started",
        "timer",
    )

    def __init__(self, host: "ActorHost", factory: Factory, id_: str) -> None:
        self.host = host
        self.factory = factory
        self.id = id_
        self.actor: LoopActor | None = None
        self.held: deque[AnyEnvelope] | None = None
        """What came while there was no actor to take it."""
        self.timer: asyncio.TimerHandle | None = None
        self.started = 0.0
        self.failures = 0
        """Failures in a row."""
        self.counted = 0
        """Those of them that were no outage."""

    def ended(self, _actor: LoopActor, cause: BaseException | None) -> None:
        """The actor is gone; the host decides what follows."""
        self.host._ended(self, cause)


class ActorHost:
    """Actors by kind and id. Used on the event loop only.

    A message to an address starts its actor if it is not in memory. An actor that nobody wrote to
    for ``idle_s`` to twice that many seconds, and that has nothing under way, leaves memory. One
    that fails is made again after a growing delay; meanwhile up to ``hold_limit`` messages are held
    for it, those left in its inbox first. (The message it failed on is lost, as with Pykka.)
    One whose stream another writer owns is dropped, and ``on_ownership_lost`` callbacks hear of it.
    """

    def __init__(
        self,
        factories: Iterable[Factory] = (),
        *,
        idle_s: float = 300.0,
        hold_limit: int = 1000,
        inbox_limit: int = 0,
        lease: Lease | None = None,
        policy: RestartPolicy | None = None,
        outages: tuple[type[BaseException], ...] = OUTAGES,
    ) -> None:
        """``inbox_limit`` replaces the limit of the inboxes that have one; 0: they keep theirs.
        ``lease``: where another process may take this one for dead and do its actors' work."""
        self.idle_s = idle_s
        self.hold_limit = hold_limit
        self.inbox_limit = inbox_limit
        self.lease = lease
        self.policy = policy or RestartPolicy()
        self.outages = outages
        self.on_ownership_lost: list[Callable[[str, str], None]] = []
        """Called with kind and id when another writer has taken over an actor's stream."""
        self.on_failure: list[Callable[[BaseException], None]] = []
        """Called with the error that an actor has failed with."""
        self._factories = {factory.kind: factory for factory in factories}
        self._class_names: dict[str, str] = {}
        """Of the actors of a kind, once there was one."""
        self._cells: dict[tuple[str, str], Cell] = {}
        self._sweeping: asyncio.Handle | None = None
        self._giving_up: set[asyncio.Task[None]] = set()
        self._stopping = False
        self._emptied: asyncio.Future[None] | None = None

    def register(self, factory: Factory) -> None:
        """Add the factory of a kind."""
        self._factories[factory.kind] = factory

    def __len__(self) -> int:
        """How many actors are in memory or about to be restarted."""
        return len(self._cells)

    def __contains__(self, key: tuple[str, str]) -> bool:
        """Whether the actor of a (kind, id) is in memory or about to be restarted."""
        return key in self._cells

    # ------------------------------------------------------------ messages

    def tell(self, kind: str, id_: str, message: object) -> None:
        """Send a message. Raises ``UnknownKind``, ``HostStopped``, ``InboxFull``."""
        cells, key = self._cells, (kind, id_)
        cell = cells[key] if key in cells else self._cell(kind, id_)
        actor = cell.actor
        if actor is None or actor.actor_stopped._flag or self._stopping:
            self._deliver(cell, LoopEnvelope(message))
        else:
            actor.actor_inbox.put_here(LoopEnvelope(message))

    def ask(self, kind: str, id_: str, message: object) -> LoopFuture[Any]:
        """Send a message; await the answer. Raises ``UnknownKind``, ``HostStopped``,
        ``InboxFull``; the future raises ``ActorDeadError`` if the actor is given up or stops."""
        answer: LoopFuture[Any] = LoopFuture()
        self._deliver(self._cell(kind, id_), LoopEnvelope(message, answer))
        return answer

    def fail(self, kind: str, id_: str, error: BaseException) -> None:
        """End an actor that is in memory over what a message brought about: it is restarted."""
        cell = self._cells.get((kind, id_))
        if cell is not None and cell.actor is not None:
            cell.actor.fail(error)

    def _cell(self, kind: str, id_: str) -> Cell:
        cell = self._cells.get((kind, id_))
        if cell is not None:
            return cell
        if self._stopping:
            raise HostStopped(kind, id_)
        factory = self._factories.get(kind)
        if factory is None:
            raise UnknownKind(kind, tuple(sorted(self._factories)))
        cell = self._cells[kind, id_] = Cell(self, factory, id_)
        self._start(cell)
        if self._sweeping is None:
            loop = asyncio.get_running_loop()
            self._sweeping = loop.call_later(self.idle_s, self._sweep_some, [])
        return cell

    def _deliver(self, cell: Cell, envelope: AnyEnvelope) -> None:
        if self._stopping:
            raise HostStopped(cell.factory.kind, cell.id)
        actor = cell.actor
        if actor is not None and not actor.actor_stopped._flag:
            actor.actor_inbox.put_here(envelope)
            return
        if cell.held is None:
            cell.held = deque()
        if len(cell.held) >= self.hold_limit:
            refusals[self._class_names.get(cell.factory.kind, cell.factory.kind)] += 1
            raise InboxFull(f"{cell.factory.kind} {cell.id}", self.hold_limit)
        cell.held.append(envelope)

    # ------------------------------------------------------------ life

    def _start(self, cell: Cell) -> None:
        cell.timer = None
        cell.started = asyncio.get_running_loop().time()
        try:
            actor = cell.factory.create(cell.id)
            self._class_names[cell.factory.kind] = type(actor).__name__
            actor.lease = self.lease
            if self.inbox_limit and actor.actor_inbox.limit:
                actor.actor_inbox.limit = self.inbox_limit
            actor.launch(cell.ended)
        except Exception as error:
            if is_outage(error, self.outages):
                why = reason(error)
                log.warning("actor_not_made", kind=cell.factory.kind, id=cell.id, error=why)
            else:
                log.exception("actor_not_made", kind=cell.factory.kind, id=cell.id)
            self._failed(cell, error)
            return
        cell.actor = actor
        held, cell.held = cell.held, None
        # Past the inbox's limit: these were taken already.
        actor.actor_inbox.put_back(held or ())

    def _ended(self, cell: Cell, cause: BaseException | None) -> None:
        actor, cell.actor = cell.actor, None
        if self._stopping:
            self._drop(cell)
        elif cause is None:
            if cell.held:
                self._start(cell)
            else:
                self._drop(cell)
        elif isinstance(cause, OwnershipLost):
            self._drop(cell)
            for callback in self.on_ownership_lost:
                callback(cell.factory.kind, cell.id)
        else:
            left = actor.actor_inbox.take_all() if actor is not None else []
            if any(isinstance(envelope.message, _ActorStop) for envelope in left):
                cell.held = deque([*left, *(cell.held or ())])
                self._drop(cell)
                return
            if left:
                cell.held = deque([*left, *(cell.held or ())])
            self._failed(cell, cause)

    def _failed(self, cell: Cell, error: BaseException) -> None:
        for callback in self.on_failure:
            callback(error)
        loop = asyncio.get_running_loop()
        if loop.time() - cell.started > self.policy.forget_after_s:
            cell.failures = cell.counted = 0
        cell.failures += 1
        if not isinstance(error, self.outages):
            cell.counted += 1
        if cell.counted >= self.policy.attempts:
            reason = f"{type(error).__name__}: {error}"
            task = loop.create_task(self._give_up(cell, reason))
            self._giving_up.add(task)
            task.add_done_callback(self._giving_up.discard)
            return
        delay = self.policy.delay(cell.failures)
        log.info(
            "actor_restarts",
            kind=cell.factory.kind,
            id=cell.id,
            failures=cell.failures,
            delay_s=round(delay, 3),
        )
        cell.timer = loop.call_later(delay, self._start, cell)

    async def _give_up(self, cell: Cell, reason: str) -> None:
        kind = cell.factory.kind
        tries = 0
        while True:
            try:
                await cell.factory.give_up(cell.id, reason, cell.counted)
                break
            except Exception:
                tries += 1
                log.exception("give_up_failed", kind=kind, id=cell.id)
                await asyncio.sleep(self.policy.delay(tries))
        log.error("actor_given_up", kind=kind, id=cell.id, attempts=cell.counted)
        self._drop(cell)

    def _drop(self, cell: Cell) -> None:
        del self._cells[cell.factory.kind, cell.id]
        if self._emptied is not None and not self._cells and not self._emptied.done():
            self._emptied.set_result(None)
        for envelope in cell.held or ():
            refuse(envelope, f"{cell.factory.kind} {cell.id}")

    # ------------------------------------------------------------ passivation

    def passivate(self, kind: str, id_: str) -> bool:
        """Have an actor leave memory now; False where it cannot: it has something under way."""
        cell = self._cells.get((kind, id_))
        return cell is None or (cell.actor is not None and cell.actor.passivate(now=True))

    def sweep(self) -> int:
        """Passivate the actors that had nothing to do since the last sweep; says how many."""
        return sum(self._passivate(cell) for cell in list(self._cells.values()))

    def _sweep_some(self, cells: list[Cell]) -> None:
        """The same, a few at a time so that the loop is not held up."""
        loop = asyncio.get_running_loop()
        if not cells:
            cells = list(self._cells.values())
        for _ in range(min(_SWEEP_BATCH, len(cells))):
            self._passivate(cells.pop())
        if cells:
            self._sweeping = loop.call_soon(self._sweep_some, cells)
        else:
            self._sweeping = loop.call_later(self.idle_s, self._sweep_some, [])

    def _passivate(self, cell: Cell) -> bool:
        return cell.actor is not None and cell.actor.passivate()

    # ------------------------------------------------------------ the end

    async def stop(self, grace_s: float = 10.0) -> None:
        """Stop all actors: each handles what waits in its inbox first. Returns when they are gone
        or after ``grace_s`` seconds; messages held for restarts are refused."""
        loop = asyncio.get_running_loop()
        self._stopping = True
        self._emptied = loop.create_future()
        if self._sweeping is not None:
            self._sweeping.cancel()
        for task in self._giving_up:
            task.cancel()
        for cell in list(self._cells.values()):
            if cell.timer is not None:
                cell.timer.cancel()
            if cell.actor is None:
                self._drop(cell)
            else:
                cell.actor.actor_ref.stop(block=False)
        try:
            async with asyncio.timeout(grace_s):
                await asyncio.gather(*self._giving_up, return_exceptions=True)
                if self._cells:
                    await self._emptied
        except TimeoutError:
            log.warning("actors_still_running", actors=len(self._cells), grace_s=grace_s)
