"""A table of friends and strangers to play at, and a hand that moves the pieces."""

from actors.episodes.rules.decide import (
    INITIAL,
    EpisodeCommand,
    EpisodeState,
    Start,
    decide,
    evolve,
)
from actors.social.actions import Action
from actors.social.catalog_items import RelationshipKind
from actors.social.setup import EpisodeRules, SeatRelationship
from events.base import Event
from events.episode import EpisodeStarted
from events.wire.messages import TakeAction
from tests.support.builders import character, mind, scenario, started

NAMES = ("Ada Reyes", "Ben Okafor", "Cyd Lund", "Dov Amir", "Eve Moss")


def table(
    seats: int = 2, relationships: tuple[SeatRelationship, ...] = (), **rules: object
) -> EpisodeStarted:
    """An episode of some seats, whose rules may be given."""
    return started(
        scenario=scenario(goals=tuple(f"Goal {seat}." for seat in range(seats))),
        cast=tuple(character(name) for name in NAMES[:seats]),
        relationships=relationships,
        minds=tuple(mind(f"mind{seat}") for seat in range(seats)),
        rules=EpisodeRules(**rules),
    )


def tie(one: int, other: int, kind: str = "friend", story: str = "") -> SeatRelationship:
    """A relationship between two seats."""
    return SeatRelationship(seats=(one, other), kind=RelationshipKind(kind), story=story)


class Game:
    """An episode as it is played."""

    def __init__(self, first: EpisodeStarted) -> None:
        self.history: list[Event] = []
        self.state: EpisodeState = INITIAL
        self.do(Start(started=first))

    def do(self, command: EpisodeCommand) -> tuple[Event, ...]:
        """Carry a command out."""
        events = decide(self.state, command)
        for event in events:
            self.history.append(event)
            self.state = evolve(self.state, event)
        return events

    def act(self, kind: str = "speak", text: str = "Well.", seat: int | None = None, **fields):
        """A seat, by default the first that is asked, acts in the open turn."""
        seat = self.state.waiting[0] if seat is None else seat
        action = Action(kind=kind, text="" if kind == "none" else text, **fields)
        return self.do(TakeAction(seat=seat, turn=self.state.turn, action=action))
