"""Schedules actors: all actors of an event loop share a few callbacks of that loop."""

import asyncio
import contextvars
import threading
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Final

from pykka import ActorDeadError

from actors.runtime.errors import NoLoop

if TYPE_CHECKING:
    from actors.runtime.actors.inbox import LoopInbox

SLICE_S: Final = 0.005
"""Seconds after which actors let the loop look after its sockets."""
_UNTIMED: Final = 4
"""Actors that run between two looks at the clock."""


class LoopDispatcher:
    """Runs the actors that have messages, in the order in which they got them.

    Everything but ``schedule`` happens on the loop's own thread, so nothing here needs a lock.
    They run in a context of their own: they do not inherit context variables of whoever sent.
    """

    default: ClassVar["LoopDispatcher | None"] = None
    """The one of actors that are started from a thread without a loop; see ``loop.run``."""

    _by_loop: ClassVar[dict[asyncio.AbstractEventLoop, "LoopDispatcher"]] = {}

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._thread = threading.get_ident() if asyncio._get_running_loop() is loop else 0
        self.ready: deque[LoopInbox] = deque()
        """Of the actors that run next."""
        self.armed = False
        """Whether the loop will run them."""
        self._outside: deque[LoopInbox] = deque()
        self._called = False
        self._context = contextvars.Context()

    @classmethod
    def of(cls, loop: asyncio.AbstractEventLoop) -> "LoopDispatcher":
        """The dispatcher of a loop; made at the first question."""
        found = cls._by_loop.get(loop)
        if found is None:
            for closed in [known for known in cls._by_loop if known.is_closed()]:
                del cls._by_loop[closed]
            found = cls._by_loop[loop] = cls(loop)
        return found

    @classmethod
    def current(cls, actor: str) -> "LoopDispatcher":
        """The dispatcher of the loop running here, else the default. Raises ``NoLoop``."""
        loop = asyncio._get_running_loop()
        if loop is not None:
            return cls.of(loop)
        if cls.default is None or cls.default.loop.is_closed():
            raise NoLoop(actor)
        return cls.default

    def schedule(self, inbox: "LoopInbox") -> None:
        """Have an actor run soon. From any thread. Raises ``ActorDeadError`` if the loop is
        closed: no actor of it lives any more."""
        if threading.get_ident() == self._thread:
            inbox.scheduled = True
            self.ready.append(inbox)
            if not self.armed:
                self.arm()
            return
        self._outside.append(inbox)
        if not self._called:
            # Set before the call: _admit may run, and clear it, before the call returns.
            self._called = True
            try:
                self.loop.call_soon_threadsafe(self._admit, context=self._context)
            except RuntimeError:
                self._called = False
                raise ActorDeadError("the event loop of the actor is closed") from None

    def arm(self) -> None:
        """Have the loop run those that are ready. On the loop only. Raises ``ActorDeadError``."""
        self.armed = True
        try:
            self.loop.call_soon(self._run_ready, context=self._context)
        except RuntimeError:
            self.armed = False
            raise ActorDeadError("the event loop of the actor is closed") from None

    def _admit(self) -> None:
        """Take over what other threads have scheduled."""
        self._thread = threading.get_ident()
        # Cleared before the check, so that a message that arrives after the last check triggers a
        # new call.
        self._called = False
        while self._outside:
            inbox = self._outside.popleft()
            if not inbox.scheduled:
                self.schedule(inbox)

    def _run_ready(self) -> None:
        ready = self.ready
        end = perf_counter() + SLICE_S
        try:
            while ready and perf_counter() < end:
                for _ in range(_UNTIMED):
                    inbox = ready.popleft()
                    actor = inbox.actor
                    if actor is None:
                        inbox.refuse_all()
                    else:
                        actor._run()
                    if not ready:
                        break
        finally:
            if ready:
                self.arm()
            else:
                self.armed = False
