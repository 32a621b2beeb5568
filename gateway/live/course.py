"""How an episode stands after each of its events, as far as those who watch it are told."""

from actors.episodes.rules import INITIAL, State, evolve, posed
from events.base import Event
from events.episode import (
    Asked,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeReopened,
    EpisodeStarted,
    SeatReleased,
    SeatTaken,
    TurnOpened,
)
from events.messages import Posed
from gateway.live.frames import Seated


class Course:
    """One episode, event by event: what its rules know, and when what happened."""

    __slots__ = ("asked", "detail", "opened_at", "since", "state")

    def __init__(self) -> None:
        self.state: State = INITIAL
        """By the rules."""
        self.asked: tuple[Asked, ...] = ()
        """All questions of the last turn."""
        self.opened_at = 0
        """When that was opened, in microseconds since 1970-01-01 UTC."""
        self.since: dict[int, int] = {}
        """When who sits in a seat sat down, where that was after the beginning."""
        self.detail = ""
        """More about the end, for those who know everything."""

    def apply(self, event: Event, at: int) -> None:
        """One more event, which happened at ``at`` microseconds since 1970-01-01 UTC. Raises as
        ``evolve`` does."""
        self.state = evolve(self.state, event)
        match event:
            case TurnOpened(asked=asked):
                self.asked, self.opened_at = asked, at
            case SeatTaken(seat=seat) | SeatReleased(seat=seat):
                self.since[seat] = at
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
                kind=mind.kind,
                participant=self.participant(seat),
                waiting=seat in waiting,
            )
            for seat, mind in enumerate(self.state.minds)
        )

    def until(self, seat: int) -> int | None:
        """When a person's time to answer is up, in microseconds since 1970-01-01 UTC; None: there
        is no limit, or nothing to answer."""
        return self._after(seat, self.started.people.deadline_s)

    def nudge_at(self, seat: int) -> int | None:
        """When a person who has not answered is reminded, as ``until``."""
        return self._after(seat, self.started.people.nudge_s)

    def _after(self, seat: int, seconds: float) -> int | None:
        if not seconds or not self.participant(seat) or not self.posed(seat):
            return None
        return max(self.opened_at, self.since.get(seat, 0)) + int(seconds * 1e6)
