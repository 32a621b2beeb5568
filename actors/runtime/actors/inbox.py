"""The inbox of an actor: its waiting messages."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from pykka import ActorDeadError
from pykka._envelope import Envelope
from pykka.messages import _ActorStop

from actors.runtime.errors import InboxFull

if TYPE_CHECKING:
    from actors.runtime.actors.dispatcher import LoopDispatcher
    from actors.runtime.actors.loop_actor import LoopActor

refusals: Counter[str] = Counter()
"""Messages of this process that were not taken because too many waited already, by the class of
the actor they were for."""


class LoopEnvelope(msgspec.Struct, eq=False):
    """Pykka's envelope, which is made by Python code, made by msgspec's."""

    message: Any
    reply_to: Any = None


AnyEnvelope = Envelope[Any] | LoopEnvelope


class LoopInbox:
    """An actor's messages in order. ``put`` may be called from any thread.

    ``scheduled`` says that the actor runs or is about to. The loop clears the flag and then checks
    for messages once more; a sender appends its message and then checks the flag. So at least one
    of them notices the other, without a lock.
    """

    __slots__ = ("actor", "backlog", "dispatcher", "limit", "messages", "name", "scheduled")

    def __init__(self) -> None:
        # An empty deque takes half a KiB more, and nearly all inboxes are empty. Appending to a
        # list and taking from it are atomic, and whether it is empty shows without a call.
        self.messages: list[AnyEnvelope] = []
        """What has come, the oldest first."""
        self.backlog: list[AnyEnvelope] = []
        """What has come before that, the oldest last; used on the loop only."""
        self.limit = 0
        """The most messages that may wait; 0: no limit."""
        self.scheduled = True  # until the actor is launched, messages only wait
        self.actor: LoopActor | None = None
        self.dispatcher: LoopDispatcher | None = None
        self.name = ""

    def open(self, actor: "LoopActor", dispatcher: "LoopDispatcher") -> None:
        """From now on a message has the actor run. (Keeps it alive: references hold inboxes.)"""
        self.actor, self.dispatcher = actor, dispatcher
        self.scheduled = False
        dispatcher.schedule(self)

    def close(self) -> None:
        """The actor is gone; what still comes in is refused."""
        self.name = str(self.actor)
        self.actor = None
        self.refuse_all()

    def put(self, envelope: AnyEnvelope) -> None:
        """Hand in a message. Raises ``InboxFull``; a request to stop is taken even then."""
        if self.messages and self.limit:
            self._check_room(envelope)
        self.messages.append(envelope)
        if not self.scheduled and self.dispatcher is not None:
            self.dispatcher.schedule(self)

    def put_here(self, envelope: AnyEnvelope) -> None:
        """``put``, on the loop of the actor."""
        if self.messages and self.limit:
            self._check_room(envelope)
        self.messages.append(envelope)
        if not self.scheduled and (dispatcher := self.dispatcher) is not None:
            # What ``schedule`` would do: it is on the way of every message.
            self.scheduled = True
            dispatcher.ready.append(self)
            if not dispatcher.armed:
                dispatcher.arm()

    def admit(self, waiting: int) -> None:
        """Let at least so many messages wait."""
        if self.limit:
            self.limit = max(self.limit, waiting)

    def _check_room(self, envelope: AnyEnvelope) -> None:
        limit = self.limit
        if self.waiting() >= limit and not isinstance(envelope.message, _ActorStop):
            if self.actor is not None:
                refusals[type(self.actor).__name__] += 1
            raise InboxFull(str(self.actor or self.name), limit)

    def get(self) -> Envelope[Any]:
        """The next message. Raises ``IndexError`` when there is none."""
        # One of either type has what Pykka looks at.
        return self.backlog.pop() if self.backlog else self.messages.pop(0)  # type: ignore[return-value]

    def shorten(self) -> None:
        """Move what waits to ``backlog``, if there is much: taking the first of a long list moves
        all the others. On the loop only."""
        if not self.backlog:
            waiting = self.messages[:]
            del self.messages[: len(waiting)]
            self.backlog = waiting[::-1]

    def put_back(self, envelopes: Iterable[AnyEnvelope]) -> None:
        """Hand in messages that were taken once, whatever the limit."""
        self.messages.extend(envelopes)

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self.messages and not self.backlog

    def waiting(self) -> int:
        """How many wait."""
        return len(self.messages) + len(self.backlog)

    def take_all(self) -> list[AnyEnvelope]:
        """Everything that waits, oldest first; it is the caller's from now on."""
        taken = self.messages[:]
        del self.messages[: len(taken)]
        before, self.backlog = self.backlog, []
        return [*reversed(before), *taken] if before else taken

    def take(self, wanted: Callable[[AnyEnvelope], bool]) -> list[AnyEnvelope]:
        """Those that wait and are wanted, oldest first; the others wait on in their order. For the
        actor itself, while it handles a message."""
        taken: list[AnyEnvelope] = []
        left: list[AnyEnvelope] = []
        for one in self.take_all():
            (taken if wanted(one) else left).append(one)
        self.put_back(left)
        return taken

    def refuse_all(self) -> None:
        """Answer what has come since the actor has gone. Called by the dispatcher."""
        self.scheduled = False
        for envelope in self.take_all():
            refuse(envelope, self.name)


def refuse(envelope: AnyEnvelope, actor: str) -> None:
    """Answer a message that no actor will handle."""
    if envelope.reply_to is None:
        return
    if isinstance(envelope.message, _ActorStop):
        envelope.reply_to.set(None)
        return
    error = ActorDeadError(f"{actor} stopped before handling the message")
    envelope.reply_to.set_exception((ActorDeadError, error, None))
