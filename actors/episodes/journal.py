"""An agent's event stream, as its mind reads and appends to it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pykka import ActorDeadError

from actors.models.recording.call_log import CallLog
from actors.models.recording.stream_calls import StreamCalls
from actors.runtime.errors import OwnershipLost
from events.base import Event
from events.serialization.codec import event_of
from events.thoughts import Decided
from events.wire.subjects import agent_stream
from store.errors import StoreError
from store.log.event_store import EventStore


class Dismissed(Exception):
    """The agent was told that it is over; its mind is to ask and conclude nothing more."""


NOT_WRITTEN: Final = (Dismissed, OwnershipLost, ActorDeadError, StoreError)
"""What a journal raises where nothing more can be written: no failure of the mind."""


class SharedPast(NamedTuple):
    """A stretch of an episode that a fork goes on from, as far as it concerns agents."""

    episode: str
    """The episode whose agents have decided in it."""
    turn: int
    """The last turn that was opened in it."""
    open: Mapping[int, int]
    """By seat the first question of that turn which has no answer yet."""

    def holds(self, seat: int, decided: Decided) -> bool:
        """Whether what a seat's agent decided there lies before what it is asked in the fork."""
        first = (self.turn, self.open[seat]) if seat in self.open else (self.turn + 1, 0)
        return (decided.turn, decided.question) < first


def past_decisions(store: EventStore, seat: int, pasts: Sequence[SharedPast]) -> Iterator[Decided]:
    """What a seat decided in the stretches that its episode goes on from, the oldest first."""
    for past in pasts:
        for envelope in store.read(agent_stream(past.episode, seat)):
            if envelope.tag == Decided.__name__:
                decided = event_of(envelope)
                assert isinstance(decided, Decided), "it says so"
                if past.holds(seat, decided):
                    yield decided


class AgentJournal(StreamCalls):
    """A ``Journal`` over an agent."""

    __slots__ = ("_decisions", "conclusion")

    def __init__(
        self,
        log: Callable[[], CallLog],
        decisions: Callable[[], Sequence[Decided]],
        record_soon: Callable[..., asyncio.Future[int]],
        claim: Callable[[Sequence[Event]], Awaitable[None]],
    ) -> None:
        """``log``, ``decisions``: raise ``Dismissed`` where the mind no longer has the seat."""
        super().__init__(log, record_soon, claim)
        self._decisions = decisions
        self.conclusion: asyncio.Future[int] | None = None
        """The last one, so that nothing is answered before it is durable."""

    def decisions(self) -> Sequence[Decided]:
        """What was decided so far."""
        return self._decisions()

    def conclude(self, decided: Decided) -> asyncio.Future[int]:
        """Append it, beginning now. Raises one of ``NOT_WRITTEN``, then or when it is awaited."""
        self._decisions()
        self.conclusion = self._record_soon((decided,))
        return self.conclusion
