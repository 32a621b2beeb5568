"""Errors between actors. Every message says what was wrong, where, and what would be right."""

from typing import Any

from events.untrusted.safe_text import shortened
from events.wire.messages import Posed, RefusalCode


class RuntimeFault(Exception):
    """The root of the runtime's own errors."""


class CommandRefused(RuntimeFault):
    """An actor's rules say no to a command: nothing was stored, and the actor lives on."""

    def __init__(
        self, reason: str, code: RefusalCode = "refused", questions: tuple[Posed, ...] = ()
    ) -> None:
        """``questions``: what waits for another answer."""
        super().__init__(reason)
        self.reason, self.code, self.questions = reason, code, questions


class OwnershipLost(RuntimeFault):
    """Another writer owns the stream now: this actor has stopped, and the command at hand was not
    stored. The next message to the same address finds an actor that has read the stream again."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(
            f"the actor of stream {shortened(stream)!r} lost its ownership: it knew version "
            f"{expected}, but another writer had brought the stream to version {actual}; send the "
            "message again"
        )
        self.stream, self.expected, self.actual = stream, expected, actual


class InboxFull(RuntimeFault):
    """As many messages wait for an actor as may; this one was not taken."""

    def __init__(self, actor: str, limit: int) -> None:
        super().__init__(
            f"{shortened(actor)} has {limit} messages waiting already; send it again later"
        )
        self.actor, self.limit = actor, limit


class LoopWouldBlock(RuntimeFault):
    """``get()`` on the event loop would wait for ever, for the answer needs this very loop."""

    def __init__(self, future: Any) -> None:
        super().__init__(
            "get() would block the event loop and with it the actor that is to answer; "
            "await the future instead: `await ref.ask(message, block=False)`"
        )
        self.future = future


class NoLoop(RuntimeFault):
    """An actor was started where there is no event loop to run on."""

    def __init__(self, actor: str) -> None:
        super().__init__(
            f"{shortened(actor)} was started in a thread without a running event loop, and none "
            "is the default; start it from a coroutine, or run the program with "
            "actors.runtime.actors.event_loop.run"
        )
        self.actor = actor


class HandlerCancelled(RuntimeFault):
    """An actor's ``on_receive`` ended as cancelled though nobody stopped the actor."""

    def __init__(self, actor: str) -> None:
        super().__init__(
            f"{shortened(actor)} did not finish a message: something it awaited was cancelled; "
            "on_receive should catch that or raise an error of its own"
        )
        self.actor = actor


class UnknownKind(RuntimeFault):
    """No factory makes actors of this kind."""

    def __init__(self, kind: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"no factory for actors of kind {shortened(kind)!r}; there are "
            f"{', '.join(known) or 'none'}"
        )
        self.kind, self.known = kind, known


class HostStopped(RuntimeFault):
    """The host takes no more messages."""

    def __init__(self, kind: str, id_: str) -> None:
        super().__init__(
            f"{kind} {shortened(id_)} cannot be reached: its host is stopped or stopping"
        )
        self.kind, self.id = kind, id_
