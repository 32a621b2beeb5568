"""Which seats wait for a remote program, and since when."""

from collections.abc import Iterable, Sequence

from actors.episodes.rules import INITIAL, evolve
from events import subjects
from events.base import Envelope, Value
from events.codec import event_of
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted, TurnOpened
from events.minds import MindSpec
from store import queries
from store.history import read_history
from store.log import EventStore
from store.open_turns import first_events, last_turns


class AwaitedSeat(Value, frozen=True, kw_only=True):
    """A seat that is asked something, and whose mind is a program elsewhere."""

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


def awaited_seats(
    store: EventStore, runs: Sequence[str] | None = None, *, space: str
) -> list[AwaitedSeat]:
    """The remote seats that are to answer now, in episodes of some runs (ids in full) or of all,
    whoever has waited longest first.

    Costs two queries and what the open turns hold. Blocking.
    """
    remote: dict[str, tuple[str, tuple[MindSpec, ...]]] = {}
    for envelope in first_events(store, runs):
        if minds := _minds_with_remote(envelope):
            remote[subjects.split_stream(envelope.stream)[1]] = envelope.correlation, minds
    found = []
    for episode, past in last_turns(store, list(remote)).items():
        run, minds = remote[episode]
        seats, since = _asked(store, episode, past)
        found += [
            AwaitedSeat(
                run=run,
                episode=episode,
                seat=seat,
                mind=minds[seat].name,
                subject=subjects.seat(space, episode, seat),
                since=since,
            )
            for seat in seats
            if minds[seat].kind == "remote"
        ]
    return sorted(found, key=lambda one: (one.since, one.episode, one.seat))


def has_remote_seats(store: EventStore, run: str, episodes: Iterable[str]) -> bool:
    """Whether a run (its id in full), or any of these episodes where it is empty, has seats that
    are played from elsewhere. Blocking."""
    if run:
        return any(mind.kind == "remote" for mind in queries.plan(store, run).plan.minds)
    streams = (subjects.stream_name("episode", episode) for episode in episodes)
    return any(_minds_with_remote(one) for stream in streams for one in store.read(stream, 0, 0))


def _minds_with_remote(first: Envelope) -> tuple[MindSpec, ...]:
    """The minds of an episode, from its first event; empty where none of them is remote."""
    event = event_of(first)
    assert isinstance(event, EpisodeStarted | EpisodeForked), "an episode begins so"
    return event.minds if any(mind.kind == "remote" for mind in event.minds) else ()


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
        if isinstance(event, ActionTaken)
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
