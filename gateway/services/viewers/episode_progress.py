"""How an episode stands after each of its events, as far as those who watch it are told."""

from actors.episodes.delivery.deadlines import Deadlines
from actors.episodes.delivery.missed_turns import MissedTurns
from actors.episodes.rules.decide import INITIAL, EpisodeState, evolve, posed
from events.base import Event
from events.episode import (
    Asked,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeReopened,
    EpisodeStarted,
    TurnOpened,
)
from events.wire.messages import Posed
from gateway.services.viewers.frames import LOCAL_MODEL, Seated


class EpisodeProgress:
    """One episode, event by event: what its rules know, and when what happened."""

    __slots__ = ("_deadlines", "asked", "detail", "missed", "state")

    def __init__(self) -> None:
        self.state: EpisodeState = INITIAL
        """By the rules."""
        self.asked: tuple[Asked, ...] = ()
        """All questions of the last turn."""
        self._deadlines = Deadlines()
        self.missed = MissedTurns()
        """Turns in which time was up for people."""
        self.detail = ""
        """More about the end, for those who know everything."""

    def apply(self, event: Event, at: int) -> None:
        """One more event, which happened at ``at`` microseconds since 1970-01-01 UTC. Raises as
        ``evolve`` does."""
        self.state = evolve(self.state, event)
        self._deadlines.note(event, at)
        self.missed.note(event)
        match event:
            case TurnOpened(asked=asked):
                self.asked = asked
            case EpisodeEnded(detail=detail) | EpisodeFailed(reason=detail):
                self.detail = detail
            case EpisodeReopened():
                self.detail = ""

    @property
    def started(self) -> EpisodeStarted:
        """How it began."""
        assert self.state.started is not None, "nothing is told before"
        return self.state.started

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.state.minds)

    @property
    def ended(self) -> str:
        """The ending's name; empty while it goes on."""
        return self.state.ended or ""

    def posed(self, seat: int) -> tuple[Posed, ...]:
        """The questions that wait for a seat's answer."""
        return posed(self.state, seat)

    def participant(self, seat: int) -> str:
        """The pseudonym of the person in a seat; empty: nobody."""
        return self.state.people.participant(seat)

    def free(self, seat: int) -> bool:
        """Whether nobody sits there who would act."""
        return self.state.minds[seat].kind == "person" and not self.participant(seat)

    def seated(self) -> tuple[Seated, ...]:
        """Who sits where, for those who know everything."""
        waiting = self.state.waiting
        return tuple(
            Seated(
                seat=seat,
                mind=mind.name,
                kind=LOCAL_MODEL if mind.offline == "local" else mind.kind,
                participant=self.participant(seat),
                waiting=seat in waiting,
            )
            for seat, mind in enumerate(self.state.minds)
        )

    def until(self, seat: int) -> int | None:
        """When a person's time to answer is up, in microseconds since 1970-01-01 UTC; None: there
        is no limit, or nothing to answer."""
        return self._deadlines.until(self.state, seat)

    def nudge_at(self, seat: int) -> int | None:
        """When a person who has not answered is reminded, as ``until``."""
        return self._deadlines.nudge_at(self.state, seat)
