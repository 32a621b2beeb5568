"""Actors whose state is their stream: load, decide, append, evolve, react."""

import asyncio
from collections import deque
from collections.abc import Coroutine, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import ClassVar, Final, TypeVar, cast

import msgspec
import structlog
from pykka import ActorDeadError

from actors.runtime.actors.loop_actor import UNFINISHED
from actors.runtime.actors.stateful_actor import Stateful
from actors.runtime.errors import OwnershipLost
from actors.runtime.spans import TurnKey, tracing
from events.base import Event
from store.errors import Conflict
from store.log.event_store import ANY, Appended, EventStore

S = TypeVar("S")

_GIVEN: Final = object()

log = structlog.get_logger(__name__)


class Write(msgspec.Struct, eq=False):
    """One append, wished for or under way."""

    command: object
    """What the events are decided from, unless they are given."""
    events: Sequence[Event] = ()
    causation: str = ""
    """The id of the event behind events that are given."""
    event_ids: Sequence[str] | None = None
    late: bool = False
    """Appended by an actor that has stopped, too, behind whatever is there."""
    done: asyncio.Future[int] | None = None
    """Who waits for it; None: the message being handled."""
    again: bool = False
    """The second try, after the stream was read again."""
    begun: float = 0.0
    """When the append was handed in."""


class PersistentActor(Stateful[S]):
    """The one writer of a stream.

    The state is read back from the stream before the first message. A message is a command: it is
    decided on, the events are appended, and only when they are durable does the state evolve and
    ``react`` say so to others. Messages that come meanwhile wait. Whoever asked gets the stream's
    version after the command, unless its ``acknowledgement`` says more, or ``CommandRefused``. What
    a subclass supplies is in ``Stateful``.

    Every append names the version it expects, so two writers notice each other. An actor that has
    not appended anything yet is the newcomer: it reads the stream and decides again, once. One
    that has appended before has lost the stream to another and stops (``OwnershipLost``).

    Long work, such as a model call, does not belong into ``on_receive``. The pattern::

        def on_receive(self, message):
            if isinstance(message, Observation):
                if message.turn != self.deciding:      # a repeat costs nothing
                    self.deciding = message.turn
                    self.spawn(self.decide_action(message))
                return None
            return super().on_receive(message)

        async def decide_action(self, observation):    # cancelled at stop; its failure fails us
            await self.record([ModelAsked(...)])       # in order with all other appends
            answer = await model.complete(...)         # messages are handled meanwhile
            await self.record([ModelAnswered(...)])
            ...
    """

    __slots__ = ("_has_appended", "_waiting", "_write")

    beside: ClassVar[frozenset[str]] = frozenset()
    """Tags of events that others may append to the stream: they come late from an actor that owned
    it before, and are no sign of another owner."""

    def __init__(
        self, store: EventStore, stream: str, *, correlation: str = "", fresh: bool = False
    ) -> None:
        """``fresh``: the stream is known not to exist, so nothing is read."""
        super().__init__(store, stream, correlation=correlation, fresh=fresh)
        self._write: Write | None = None
        """The append under way."""
        self._waiting: deque[Write] | None = None
        self._has_appended = False

    # ------------------------------------------------------------ for subclasses to call

    def on_receive(self, message: object) -> object:
        """Carry out a command. The answer to an ``ask`` is the stream's version afterwards."""
        if self._write is not None:
            self._wait(Write(message))
            return UNFINISHED
        events = self.decide(self.state, message)
        if not events:
            return self.acknowledgement(message, events)
        self._append(Write(message, events))
        return UNFINISHED

    async def record(
        self,
        events: Sequence[Event],
        *,
        causation: str = "",
        event_ids: Sequence[str] | None = None,
    ) -> int:
        """Append events outside a command, from the actor's own asynchronous code; the version
        afterwards. They are appended in order with everything else, as they are: if another writer
        was there first, the actor stops (``OwnershipLost``).

        ``causation``: the id of the event behind them. ``event_ids``: theirs, for who has to name
        one as the cause of what follows (``events.ids.new_event_id``); else they are drawn."""
        return await self.record_soon(events, causation=causation, event_ids=event_ids)

    def record_soon(
        self,
        events: Sequence[Event],
        *,
        causation: str = "",
        event_ids: Sequence[str] | None = None,
        late: bool = False,
    ) -> asyncio.Future[int]:
        """``record`` that is under way when it returns; the future answers when durable.

        ``late``: what happened elsewhere, such as a model's answer that was paid for. It is
        appended even if the actor has stopped by now, and no later owner steps down for it, if
        ``beside`` says so."""
        return self._in_order(Write(_GIVEN, tuple(events), causation, event_ids, late=late))

    async def execute(self, command: object) -> int:
        """Carry out a command from the actor's own asynchronous code; the version afterwards."""
        return await self._in_order(Write(command))

    async def claim(self, events: Sequence[Event]) -> None:
        """Be the only one to go on with the stream, by an append that one of several wins; the
        others stop (``OwnershipLost``). To be awaited before what costs money, and cannot be undone
        by a refused append.

        Nothing is appended where it is sure already: since this actor began the stream, or since an
        append of its own, one under way included, its process has been at work all the time. Else
        ``events`` are. Waits as long as the process is cut off from those who hand out its work.
        Raises ``OwnershipLost``, too, where another process carries out the run by now.
        """
        self._check_run()
        while not self._is_alone:
            if self.lease is not None:
                await self.lease.held()
                self._check_run()
            await self.record(())  # behind all appends that are under way
            if not self._is_alone:
                await self.record(events)

    def _check_run(self) -> None:
        if self.lease is not None and self.correlation in self.lease.lost:
            raise self._ownership_lost(self.version)

    @property
    def _is_alone(self) -> bool:
        if self.lease is None:
            return self.owned_at > -inf
        return self.lease.held_since(self.owned_at)

    def _in_order(self, write: Write) -> asyncio.Future[int]:
        stopped = self.actor_stopped._flag
        if stopped and not write.late:
            raise ActorDeadError(f"{self} has stopped; it appends nothing any more")
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        write.done = done
        if stopped:
            self._append_late(write)
        elif self._write is None:
            self._start(write)
        else:
            self._wait(write)
        return done

    def kept(self, events: Sequence[Event]) -> Sequence[Event]:
        """Events as they are appended: a subclass may have some of what they say sealed. The state
        evolves by them as they are."""
        return events

    # ------------------------------------------------------------ reading

    def _begin(self) -> Coroutine[object, None, None] | None:
        return super()._begin() if self.fresh else self._begin_from_stream()

    async def _begin_from_stream(self) -> None:
        await self._read()
        starting = super()._begin()
        if starting is not None:
            await starting
        self.recovered()

    # ------------------------------------------------------------ writing: one append at a time

    def _wait(self, write: Write) -> None:
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(write)

    def _start(self, write: Write) -> None:
        """Decide, if it is a command, and append; the write is answered in any case."""
        try:
            if write.command is not _GIVEN:
                write.events = self.decide(self.state, write.command)
            if write.events:
                self._append(write)
                return
        except Exception as error:  # noqa: BLE001 goes to who asked, or to supervision
            self._answer(write, error)
        else:
            self._answer(write, None)

    def _append(self, write: Write) -> None:
        command = write.command
        self.store.append_then(
            self.stream,
            self.version,
            self.kept(write.events),
            self._append_ended,
            correlation=self.correlation,
            causation=write.causation if command is _GIVEN else self.causation(command),
            event_ids=write.event_ids,
        )
        self._write = write
        write.begun = monotonic()

    def _append_ended(self, outcome: Appended | Exception) -> None:
        write = self._write
        assert write is not None
        if type(outcome) is Appended:
            self._stored(write, outcome)
            return
        error = cast(Exception, outcome)
        if not isinstance(error, Conflict):
            self._settle(write, error)
        elif self._has_appended or write.again or write.command is _GIVEN:
            if self.beside:
                self._follow(self._read_beside(), partial(self._read_beside_ended, error))
            else:
                self._lose_ownership(write, error)
        else:
            write.again = True
            self._follow(self._read_again(), self._read_again_ended)

    def _stored(self, write: Write, appended: Appended) -> None:
        self._has_appended = True
        # Not now: this process may have stood still since.
        self.owned_at = write.begun
        if tracing.sink is not None and (key := self.turn_of(write.events)) is not None:
            stored: dict[str, str | int] = {"db.operation.name": "append"}
            stored |= {"troupe.stream": self.stream, "troupe.events": len(write.events)}
            tracing.ended("append", key, monotonic() - write.begun, stored)
        try:
            before = self.version
            numbered = tuple(enumerate(write.events, before + 1))
            self.state = self.evolve_all(self.state, write.events)
            self.version = numbered[-1][0]
            self.announce(appended.envelopes)
            if not self.actor_stopped._flag:
                self.react(numbered, appended.envelopes)
            if self.snapshot_schema:
                self._snapshot(before)
        except Exception as error:  # noqa: BLE001 goes to who asked and to supervision
            self._broken(write, error)
            return
        if self._waiting or write.done is not None or self._open is None:
            self._settle(write, None)
            return
        # A command behind which nothing waits: what ``_settle`` comes to.
        self._write = None
        asked = self._open.reply_to is not None
        self._finish(self.acknowledgement(write.command, write.events) if asked else None)

    def turn_of(self, events: Sequence[Event]) -> TurnKey | None:
        """The seat's turn that events are of, for who traces; None: of none."""
        return None

    def _snapshot(self, before: int) -> None:
        """Keep the state, if a snapshot is due after the events behind version ``before``."""
        every, version = self.snapshot_every, self.version
        if version // every != before // every:
            state = self.dump(self.state)
            self.store.save_snapshot(self.stream, version, self.snapshot_schema, state)

    async def _read_beside(self) -> bool:
        """Whether all that others have appended is no sign of another owner; it is read then."""
        new = await asyncio.to_thread(self.store.read, self.stream, self.version + 1)
        if not all(envelope.tag in self.beside for envelope in new):
            return False
        await self._read()
        return True

    def _read_beside_ended(self, conflict: Conflict, task: asyncio.Task[bool]) -> None:
        self._forget(task)
        write = self._write
        assert write is not None
        if task.cancelled() or self.actor_stopped.is_set():
            self._write = None
            if write.late:
                self._append_late(write)
            else:
                self._answer(write, self._dead())
            self._go_on()
            self._wind_up()
        elif (error := task.exception()) is not None:
            self._broken(write, error)
        elif task.result():
            self._append(write)
        elif write.late:
            # It stays a fact, whoever owns the stream.
            self._write = None
            self._append_late(write)
            self._ownership_lost(conflict.actual)
            self._go_on()
            self._wind_up()
        else:
            self._lose_ownership(write, conflict)

    def _append_late(self, write: Write) -> None:
        """Append what an actor has to say that has stopped."""
        soon = self.store.append_soon(
            self.stream,
            ANY,
            self.kept(write.events),
            correlation=self.correlation,
            causation=write.causation,
            event_ids=write.event_ids,
        )
        soon.add_done_callback(partial(self._late_ended, write))

    def _late_ended(self, write: Write, soon: asyncio.Future[Appended]) -> None:
        assert write.done is not None
        if write.done.done():
            return
        if soon.cancelled():
            write.done.cancel()
        elif (error := soon.exception()) is not None:
            write.done.set_exception(error)
        else:
            self.announce(soon.result().envelopes)
            write.done.set_result(soon.result().envelopes[-1].version)

    async def _read_again(self) -> None:
        await self._read()
        self.recovered()

    def _read_again_ended(self, task: asyncio.Task[None]) -> None:
        self._forget(task)
        write = self._write
        assert write is not None
        if task.cancelled() or self.actor_stopped.is_set():
            self._settle(write, self._dead())
        elif (error := task.exception()) is not None:
            self._broken(write, error)
        else:
            self._write = None
            self._start(write)
            if self._write is None:
                self._go_on()

    def _settle(self, write: Write, error: BaseException | None) -> None:
        """The append has ended. Those that wait go before the next message, which ``_answer``
        may take."""
        self._write = None
        if self._waiting:
            self._go_on()
        self._answer(write, error)

    def _go_on(self) -> None:
        while self._waiting and self._write is None:
            write = self._waiting.popleft()
            if self.actor_stopped.is_set() and write.late:
                self._append_late(write)
            elif self.actor_stopped.is_set():
                self._answer(write, self._dead())
            elif write.done is None or not write.done.cancelled():
                self._start(write)

    def _answer(self, write: Write, error: BaseException | None) -> None:
        if write.done is None:
            nobody_asked = self._open is None or self._open.reply_to is None
            if error is None or (nobody_asked and self.actor_stopped.is_set()):
                self._finish(self.acknowledgement(write.command, write.events))
            else:
                self._finish_with(error)
            return
        if not write.done.done():
            if error is None:
                write.done.set_result(self.version)
            else:
                write.done.set_exception(error)
                if self.actor_stopped.is_set():
                    # Whoever would have awaited it later is cancelled with the actor; asyncio is
                    # not to take that for an error which nobody looked at.
                    write.done.exception()
        if self.actor_stopped._flag:
            self._wind_up()

    def _broken(self, write: Write, error: BaseException) -> None:
        """What is stored and what this actor knows may differ: it must begin again."""
        self.fail(error)
        self._settle(write, error)

    def _lose_ownership(self, write: Write, conflict: Conflict) -> None:
        error = self._ownership_lost(conflict.actual)
        self._settle(write, error)
        self._wind_up()

    def _ownership_lost(self, actual: int) -> OwnershipLost:
        """Stop, because another writer has brought the stream to version ``actual``."""
        error = OwnershipLost(self.stream, self.version, actual)
        log.warning(
            "actor_ownership_lost", stream=self.stream, expected=self.version, actual=actual
        )
        self._cause = error
        self._stop()
        return error

    def _dead(self) -> ActorDeadError:
        return ActorDeadError(f"{self} stopped before handling the message")

    def _under_way(self) -> bool:
        return self._write is not None or super()._under_way()
