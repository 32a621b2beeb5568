"""What waits for an actor."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from pykka import ActorDeadError
from pykka.messages import _ActorStop

from actors.runtime.errors import InboxFull

if TYPE_CHECKING:
    from pykka._envelope import Envelope

    from actors.runtime.dispatcher import LoopDispatcher
    from actors.runtime.pooled import LoopActor

refusals: Counter[str] = Counter()
"""Messages of this process that were not taken because too many waited already, by the class of
the actor they were for."""


class LoopInbox:
    """An actor's messages in order. ``put`` may be called from any thread.

    ``scheduled`` says that the actor runs or is about to. The loop clears it and then looks once
    more for messages; a sender appends and then looks whether it is set. So one of them sees the
    other, without a lock.
    """

    __slots__ = ("actor", "dispatcher", "limit", "messages", "name", "scheduled")

    def __init__(self) -> None:
        # An empty deque takes half a KiB more, and nearly all inboxes are empty.
        self.messages: SimpleQueue[Envelope[Any]] = SimpleQueue()
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

    def put(self, envelope: "Envelope[Any]") -> None:
        """Hand in a message. Raises ``InboxFull``; a request to stop is taken even then."""
        messages, limit = self.messages, self.limit
        if limit and messages.qsize() >= limit and not isinstance(envelope.message, _ActorStop):
            if self.actor is not None:
                refusals[type(self.actor).__name__] += 1
            raise InboxFull(str(self.actor or self.name), limit)
        messages.put(envelope)
        if not self.scheduled and self.dispatcher is not None:
            self.dispatcher.schedule(self)

    def get(self) -> "Envelope[Any]":
        """The next message. Raises ``queue.Empty`` when there is none."""
        return self.messages.get_nowait()

    def put_back(self, envelopes: "Iterable[Envelope[Any]]") -> None:
        """Hand in messages that were taken once, whatever the limit."""
        for envelope in envelopes:
            self.messages.put(envelope)

    def empty(self) -> bool:
        """Whether nothing waits."""
        return self.messages.empty()

    def take_all(self) -> list["Envelope[Any]"]:
        """Everything that waits, oldest first; it is the caller's from now on."""
        taken = []
        with contextlib.suppress(Empty):
            while True:
                taken.append(self.messages.get_nowait())
        return taken

    def take(self, wanted: "Callable[[Envelope[Any]], bool]") -> list["Envelope[Any]"]:
        """Those that wait and are wanted, oldest first; the others wait on in their order. For the
        actor itself, while it handles a message."""
        waiting = self.take_all()
        self.put_back([one for one in waiting if not wanted(one)])
        return [one for one in waiting if wanted(one)]

    def refuse_all(self) -> None:
        """Answer what has come since the actor has gone. Called by the dispatcher."""
        self.scheduled = False
        for envelope in self.take_all():
            refuse(envelope, self.name)


def refuse(envelope: "Envelope[Any]", actor: str) -> None:
    """Answer a message that no actor will handle."""
    if envelope.reply_to is None:
        return
    if isinstance(envelope.message, _ActorStop):
        envelope.reply_to.set(None)
        return
    error = ActorDeadError(f"{actor} stopped before handling the message")
    envelope.reply_to.set_exception((ActorDeadError, error, None))
