"""How an episode stands after each of its events, as far as those who watch it are told: whatever
its environment, and at constant cost an event."""

from actors.episodes.environment import Entry
from events.base import Event
from events.episode import (
    ActionFailure,
    ActionTaken,
    Asked,
    EpisodeContinued,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodePaused,
    EpisodeReopened,
    EpisodeStarted,
    EpisodeStepped,
    SeatReleased,
    SeatTaken,
    TurnOpened,
)
from events.minds import MindSpec
from gateway.live.frames import Seated


class Course:
    """One episode, event by event."""

    __slots__ = (
        "asked",
        "detail",
        "ended",
        "last_answer",
        "minds",
        "opened_at",
        "paused",
        "people",
        "proposals",
        "since",
        "started",
        "turn",
        "unanswered",
    )

    def __init__(self, started: EpisodeStarted) -> None:
        self.started = started
        self.minds: tuple[MindSpec, ...] = started.minds
        """One a seat."""
        seats = len(started.minds)
        self.people: list[str] = [""] * seats
        """For each seat the pseudonym of the person there; empty: nobody."""
        self.since: list[int] = [0] * seats
        """When they sat down, in microseconds since 1970-01-01 UTC."""
        self.turn = 0
        """The last turn opened."""
        self.opened_at = 0
        """When that was, in microseconds since 1970-01-01 UTC."""
        self.asked: tuple[Asked, ...] = ()
        """All its questions."""
        self.unanswered: tuple[Asked, ...] = ()
        """Those without an answer."""
        self.last_answer: list[tuple[int, ActionFailure | None]] = [(0, None)] * seats
        """For each seat the last turn it has an answer in, and why that is none of its own."""
        self.ended = ""
        """The ending's name; empty while it goes on."""
        self.detail = ""
        """More about the end, for those who know everything."""
        self.paused = False
        """It waits for a researcher."""
        self.proposals: dict[tuple[int, int], tuple[Entry, ...]] = {}
        """What minds answered while it was, by seat and question, in words."""

    def apply(self, event: Event, at: int) -> None:
        """One more event, which happened at ``at`` microseconds since 1970-01-01 UTC."""
        match event:
            case ActionTaken(turn=turn, seat=seat, question=question):
                self.unanswered = tuple(
                    one for one in self.unanswered if (one.seat, one.id) != (seat, question)
                )
                self.last_answer[seat] = (turn, event.failure)
                self.proposals.pop((seat, question), None)
            case TurnOpened():
                self.turn, self.opened_at = event.turn, at
                self.asked = self.unanswered = event.asked
                self.proposals = {}
            case SeatTaken(seat=seat):
                self._seat(seat, event.mind, event.participant, at)
            case SeatReleased(seat=seat):
                self._seat(seat, event.mind, "", at)
            case EpisodePaused():
                self.paused = True
            case EpisodeContinued():
                self.paused, self.proposals = False, {}
            case EpisodeStepped():
                self.proposals = {}
            case EpisodeForked(minds=minds):
                # Who sat in the parent's seats stays there.
                self.minds, self.people = minds, [""] * len(minds)
                self.paused, self.proposals = False, {}
            case EpisodeEnded():
                self.ended, self.detail, self.unanswered = event.reason, event.detail, ()
            case EpisodeFailed():
                self.ended, self.detail = "failed", event.reason
            case EpisodeReopened():
                self.ended, self.detail = "", ""

    def _seat(self, seat: int, mind: MindSpec, participant: str, at: int) -> None:
        self.minds = (*self.minds[:seat], mind, *self.minds[seat + 1 :])
        self.people[seat], self.since[seat] = participant, at

    @property
    def open(self) -> tuple[Asked, ...]:
        """The questions that wait for an answer."""
        return () if self.ended else self.unanswered

    def posed(self, seat: int) -> tuple[Asked, ...]:
        """Those that wait for a seat's."""
        return tuple(one for one in self.open if one.seat == seat)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have still to answer, each once."""
        return tuple(dict.fromkeys(one.seat for one in self.open))

    def free(self, seat: int) -> bool:
        """Whether nobody sits there who would act."""
        return self.minds[seat].kind == "person" and not self.people[seat]

    def seated(self) -> tuple[Seated, ...]:
        """Who sits where, for those who know everything."""
        waiting = self.waiting
        return tuple(
            Seated(
                seat=seat,
                mind=mind.name,
                kind=mind.kind,
                participant=self.people[seat],
                waiting=seat in waiting,
            )
            for seat, mind in enumerate(self.minds)
        )

    def until(self, seat: int) -> int | None:
        """When a person's time to answer is up, in microseconds since 1970-01-01 UTC; None: there
        is no limit, or nothing to answer."""
        return self._after(seat, self.started.people.deadline_s)

    def nudge_at(self, seat: int) -> int | None:
        """When a person who has not answered is reminded, as ``until``."""
        return self._after(seat, self.started.people.nudge_s)

    def _after(self, seat: int, seconds: float) -> int | None:
        if not seconds or self.minds[seat].kind != "person" or not self.posed(seat):
            return None
        return self.opened_at + int(seconds * 1e6)
