"""The state of an interview, folded from its events. Pure, except for reading the stream."""

from collections.abc import Iterator

import msgspec

from actors.models.recording.call_log import CallLog
from events.base import Event
from events.interview import InterviewAnswered, InterviewAsked, InterviewBegan
from events.serialization.codec import event_of
from events.wire.subjects import interview_stream
from store.log.event_store import NEW, EventStore


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """A question and what was answered."""

    number: int
    """1, 2, 3, …"""
    question: str
    """In the researcher's words."""
    text: str | None = None
    """The answer; None: there is none yet."""
    failure: str = ""
    """Why there is none, as a sentence, where nothing more is tried."""


class Interview(msgspec.Struct, frozen=True, kw_only=True):
    """All that was asked and answered."""

    episode: str
    """The episode's id."""
    number: int
    """Which of the episode's interviews it is: 1, 2, 3, …"""
    version: int = NEW
    """The last of its stream."""
    begun: InterviewBegan | None = None
    """None: there is no such interview."""
    exchanges: tuple[Exchange, ...] = ()
    """In order."""
    calls: CallLog = CallLog()
    """What models were asked for the last question."""

    def evolve(self, event: Event) -> "Interview":
        change = msgspec.structs.replace
        after = change(self, version=self.version + 1, calls=self.calls.evolve(event))
        match event:
            case InterviewBegan():
                return change(after, begun=event)
            case InterviewAsked(number=number, question=question):
                asked = Exchange(number=number, question=question)
                return change(after, exchanges=(*self.exchanges, asked))
            case InterviewAnswered(text=text, failure=failure) if self.exchanges:
                *before, last = self.exchanges
                answered = change(last, text=text, failure=failure)
                return change(after, exchanges=(*before, answered))
        return after


def load(store: EventStore, episode: str, number: int) -> Interview:
    """One interview of an episode (its id in full). Blocking."""
    interview = Interview(episode=episode, number=number)
    for envelope in store.read(interview_stream(episode, number)):
        interview = interview.evolve(event_of(envelope))
    return interview


def interviews_of(store: EventStore, episode: str) -> Iterator[Interview]:
    """All interviews of an episode (its id in full), the oldest first. Blocking."""
    number = 1
    while (found := load(store, episode, number)).begun is not None:
        yield found
        number += 1
