"""What a catalog of games holds."""

from typing import Annotated

from msgspec import Meta

from actors.games.ruleset import MOST_SEATS, NAME, Id, Line, Ruleset, Text
from actors.games.setup import Player
from events.base import Value
from events.environments import Catalog as AnyCatalog


class WordBank(Value, frozen=True, kw_only=True):
    """Rows of words of which a game draws one."""

    id: Id
    columns: Annotated[tuple[Id, ...], Meta(min_length=1, max_length=6)]
    rows: Annotated[tuple[tuple[Line, ...], ...], Meta(min_length=1)]
    """A word for each column."""


class GameScene(Value, frozen=True, kw_only=True):
    """Where people play a game, and why."""

    id: Id
    text: Text
    rulesets: tuple[Id, ...] = ()
    """The games that are played there; none: any."""


class GameSet(Value, frozen=True, kw_only=True):
    """Games by one ruleset with so many players. Its tasks are ``<id>-1``, ``<id>-2``, …"""

    id: Id
    ruleset: Id
    players: Annotated[int, Meta(ge=2, le=MOST_SEATS)]
    games: Annotated[int, Meta(ge=1, le=100_000)] = 1_000
    tags: tuple[str, ...] = ()
    variant: bool = False
    """Whether plans choose it only by the tag that is its id, or by task."""


class Catalog(AnyCatalog, frozen=True, kw_only=True, tag=f"{NAME}.Catalog"):
    """Games that can be played."""

    rulesets: tuple[Ruleset, ...] = ()
    banks: tuple[WordBank, ...] = ()
    players: tuple[Player, ...] = ()
    scenes: tuple[GameScene, ...] = ()
    sets: tuple[GameSet, ...] = ()
