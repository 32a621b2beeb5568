"""An episode read from the store: all that its actor has to know to go on with it."""

from collections.abc import Callable

import msgspec

from actors.episodes.delivery.deadlines import ShownDeadlines
from actors.episodes.delivery.notices import NOTICED, Noticing
from actors.episodes.encrypted_words import Seals
from actors.episodes.journal import SharedPast
from actors.episodes.rules.decide import INITIAL, EpisodeState, evolve
from actors.episodes.views.inconsistent_history import OddHistory, telling
from events.base import Event
from events.episode import EpisodeForked, EpisodeStarted, SeatTaken, TurnOpened
from events.wire import subjects
from store.log.event_store import NEW, EventStore
from store.log.forked_history import Numbered
from store.read_model.episode_history import read_history


class StoredEpisode:
    """An episode after its whole history, which for a fork begins in its parent's stream."""

    __slots__ = (
        "_before",
        "_stream",
        "deadlines",
        "memories",
        "noticing",
        "odd",
        "opening",
        "pasts",
        "run",
        "state",
        "version",
    )

    def __init__(self, stream: str) -> None:
        """Nothing was read yet."""
        self.state, self.version = INITIAL, NEW
        self.noticing, self.deadlines = Noticing(), ShownDeadlines()
        self.odd: OddHistory | None = None
        """Why the episode can neither be told nor gone on with."""
        self.pasts: tuple[SharedPast, ...] = ()
        """What it goes on from, where it is a fork, the oldest first."""
        self.opening = ""
        """The id of the event that opened the last turn."""
        self.run = ""
        """The run that it belongs to."""
        self.memories: tuple[str, ...] = ()
        """What each seat remembers; empty where it belongs to no chain, or cannot be gone on
        with."""
        self._stream, self._before = stream, ""

    @classmethod
    def read(
        cls,
        store: EventStore,
        episode: str,
        seals: Seals,
        recollect: Callable[[EpisodeStarted], tuple[str, ...]] = lambda _: (),
    ) -> "StoredEpisode":
        """Read one. ``seals`` gets to know its participants' keys, and what they said;
        ``recollect`` says what each seat remembers, if the episode can be gone on with."""
        found = cls(subjects.stream_name("episode", episode))
        if store.version(found._stream) == NEW:
            return found
        for numbered in read_history(store, episode):
            event = numbered.event
            if isinstance(event, SeatTaken):
                # Earlier versions did not say it; participants of studies have keys all the same.
                seals.know(event.participant, sealed=event.sealed or event.by == "study")
            seals.heard(event, found.state)
            found.add(numbered)
        state = found.state
        if state.started is not None and state.ended is None and found.odd is None:
            found.memories = recollect(state.started)
        return found

    def add(self, numbered: Numbered) -> None:
        """One more event of the history."""
        number, envelope, event = numbered
        if isinstance(event, EpisodeForked):
            self.pasts += (_shared_past(self._before, self.state),)
        self._before = envelope.stream
        self.state = self._after(number, event)
        if self.odd is None:
            self.deadlines.note_stored(numbered)
        match event:
            case TurnOpened():
                self.opening = envelope.event_id
            case EpisodeStarted(run=run) | EpisodeForked(run=run):
                self.run = run
        if envelope.stream == self._stream:
            self.version = envelope.version

    def _after(self, number: int, event: Event) -> EpisodeState:
        """The state after a stored event. From one on that does not follow from the environment's
        rules only what these have no part in is known: who sits there, and whether it has ended."""
        state = self.state
        begun = event if isinstance(event, EpisodeStarted) else state.started
        try:
            if self.odd is None or type(event) not in NOTICED:
                with telling("" if begun is None else begun.environment):
                    after = evolve(state, event)
                    self.noticing.look(number, event)
                    return after
        except OddHistory as odd:
            self.odd = odd
            if isinstance(event, EpisodeStarted):
                state = EpisodeState(started=event, minds=event.minds)
        return msgspec.structs.replace(state, number=number, unanswered=())


def _shared_past(stream: str, state: EpisodeState) -> SharedPast:
    """The stretch of an episode that ends in a state, and whose last event is of a stream."""
    first: dict[int, int] = {}
    for asked in state.unanswered:
        first[asked.seat] = min(asked.id, first.get(asked.seat, asked.id))
    return SharedPast(subjects.split_stream(stream)[1], state.turn, first)
