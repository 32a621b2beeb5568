"""Which seats wait for somebody outside, a program or a person, and since when."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from actors.episodes.rules.decide import INITIAL, evolve
from actors.episodes.rules.people import is_outside
from events.base import Envelope, Event, Value
from events.episode import (
    ActionProposed,
    ActionTaken,
    EpisodeForked,
    EpisodeStarted,
    SeatReleased,
    SeatTaken,
    TurnOpened,
)
from events.minds import MindKind, MindSpec
from events.serialization.codec import event_of
from events.wire import subjects
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.open_turns import first_events, last_turns, seat_changes


class AwaitedSeat(Value, frozen=True, kw_only=True):
    """A seat that is asked something, and whose mind is a person, or a program elsewhere."""

    run: str
    """Empty when its episode belongs to no run."""
    episode: str
    """Id in full."""
    seat: int
    """From 0."""
    mind: str
    """How the plan calls its mind."""
    subject: str
    """Where it is asked."""
    since: int
    """When the turn was opened, in microseconds since 1970-01-01 UTC."""
    kind: MindKind = "remote"
    """``remote`` or ``person``."""
    participant: str = ""
    """The pseudonym of the person there; empty: nobody."""

    @property
    def free(self) -> bool:
        """Whether it waits for a person to take it."""
        return self.kind == "person" and not self.participant


class _Sitting(NamedTuple):
    """Who sits in an episode."""

    run: str
    minds: dict[int, MindSpec]
    """By seat."""
    participants: dict[int, str]
    """By seat that a person has taken."""

    @property
    def has_outside(self) -> bool:
        """Whether any seat is played from elsewhere."""
        return any(map(is_outside, self.minds.values()))


def awaited_seats(
    store: EventStore, runs: Sequence[str] | None = None, *, space: str
) -> list[AwaitedSeat]:
    """The seats outside that are to answer now, in episodes of some runs (ids in full) or of all,
    whoever has waited longest first.

    Costs three queries and what the open turns hold. Blocking.
    """
    sitting = {
        subjects.split_stream(envelope.stream)[1]: _Sitting(
            envelope.correlation, dict(enumerate(_minds(envelope))), {}
        )
        for envelope in first_events(store, runs)
    }
    for envelope in seat_changes(store, runs):
        _seat(sitting.get(subjects.split_stream(envelope.stream)[1]), event_of(envelope))
    outside = {episode: one for episode, one in sitting.items() if one.has_outside}
    found = []
    for episode, past in last_turns(store, list(outside)).items():
        there = outside[episode]
        seats, since = _asked(store, episode, past)
        found += [
            AwaitedSeat(
                run=there.run,
                episode=episode,
                seat=seat,
                mind=there.minds[seat].name,
                subject=subjects.seat(space, episode, seat),
                since=since,
                kind=there.minds[seat].kind,
                participant=there.participants.get(seat, ""),
            )
            for seat in seats
            if is_outside(there.minds[seat])
        ]
    return sorted(found, key=lambda one: (one.since, one.episode, one.seat))


def _seat(sitting: _Sitting | None, event: Event) -> None:
    match event:
        case SeatTaken(seat=seat, participant=participant, mind=mind) if sitting is not None:
            sitting.minds[seat], sitting.participants[seat] = mind, participant
        case SeatReleased(seat=seat, mind=mind) if sitting is not None:
            sitting.minds[seat], sitting.participants[seat] = mind, ""


def has_remote_seats(store: EventStore, run: str, episodes: Iterable[str]) -> bool:
    """Whether a run (its id in full), or any of these episodes where it is empty, began with seats
    that are played from elsewhere. Blocking."""
    if run:
        return any(map(is_outside, queries.plan(store, run).plan.minds))
    streams = (subjects.stream_name("episode", episode) for episode in episodes)
    firsts = (one for stream in streams for one in store.read(stream, 0, 0))
    return any(is_outside(mind) for first in firsts for mind in _minds(first))


def _minds(first: Envelope) -> tuple[MindSpec, ...]:
    """The minds of an episode, from its first event."""
    event = event_of(first)
    assert isinstance(event, EpisodeStarted | EpisodeForked), "an episode begins so"
    return event.minds


def _asked(
    store: EventStore, episode: str, past: Sequence[Envelope]
) -> tuple[tuple[int, ...], int]:
    """The seats that are asked something, and since when."""
    opened = event_of(past[0])
    if isinstance(opened, EpisodeForked):
        return _asked_before(store, episode)
    if not isinstance(opened, TurnOpened):
        return (), 0
    answered = {
        (event.seat, event.question)
        for event in map(event_of, past[1:])
        if isinstance(event, ActionTaken | ActionProposed)
    }
    seats = [asked.seat for asked in opened.asked if (asked.seat, asked.id) not in answered]
    return tuple(dict.fromkeys(seats)), past[0].recorded_at


def _asked_before(store: EventStore, episode: str) -> tuple[tuple[int, ...], int]:
    """The same of a fork that goes on in a turn which its parent opened: since it was forked."""
    state, since = INITIAL, 0
    for numbered in read_history(store, episode):
        state = evolve(state, numbered.event)
        since = numbered.envelope.recorded_at
    return state.waiting, since
