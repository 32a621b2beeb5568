"""What a match is made of: settings, setup, question, action, change, catalog, what is seen of it,
and its state."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from actors.episodes.port.defaults import PlainView
from events.base import Value
from events.environments import Action, Catalog, Change, Question, Settings, Setup, Vocabulary

NAME: Final = "rock_paper_scissors"


class Match(Settings, frozen=True, kw_only=True, tag=f"{NAME}.Match"):
    """A plan's ``[rock_paper_scissors]``: who wins more than half of so many rounds has won."""

    best_of: Annotated[int, Meta(ge=1, le=99)] = 3


class Lineup(Setup, frozen=True, kw_only=True, tag=f"{NAME}.Lineup"):
    """Who plays, how long, and the seed of chance."""

    players: tuple[str, ...]
    best_of: int = 3
    seed: int = 0


class Choose(Question, frozen=True, kw_only=True, tag=f"{NAME}.Choose"):
    """Which hand?"""

    round: int


class Throw(Action, frozen=True, kw_only=True, tag=f"{NAME}.Throw"):
    """A hand; ``none``, which no mind chooses, beats nothing."""

    hand: Literal["rock", "paper", "scissors", "none"]


class Answer(Struct, frozen=True):
    """What a model answers."""

    hand: Literal["rock", "paper", "scissors"]


class Decided(Change, frozen=True, kw_only=True, tag=f"{NAME}.Decided"):
    """All have thrown. ``winners`` are seats; there is none in a draw."""

    hands: tuple[str, ...]
    winners: tuple[int, ...]


class Task(Value, frozen=True, kw_only=True):
    """Some players."""

    id: str
    players: tuple[str, ...]


class Players(Catalog, frozen=True, kw_only=True, tag=f"{NAME}.Players"):
    """Who can play whom."""

    tasks: tuple[Task, ...]


class Round(Value, frozen=True, kw_only=True):
    """What everybody notices: a round, once all have thrown."""

    number: int
    turn: int
    hands: tuple[str, ...]
    winners: tuple[int, ...]


class Score(PlainView[Lineup, Round], frozen=True, kw_only=True):
    """The match as a viewer sees it."""


class World(Struct, frozen=True, kw_only=True):
    """The match after some event."""

    lineup: Lineup
    wins: tuple[int, ...]
    rounds: int = 0
    thrown: tuple[tuple[int, str], ...] = ()
    """Seat and hand, in the round under way."""


VOCABULARY: Final = Vocabulary(
    setups=(Lineup,),
    settings=(Match,),
    questions=(Choose,),
    actions=(Throw,),
    changes=(Decided,),
    catalogs=(Players,),
)
