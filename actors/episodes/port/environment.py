"""An environment: a kind of world, as the record that an entry point names."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, cast

from actors.episodes.port.game import AnyGame, GameBase
from actors.episodes.port.parts import LazyPart, Whole
from actors.episodes.port.plans import PlainPlans
from actors.episodes.port.words import OTHER_ENDINGS
from events.environments import Catalog, Settings, Setup, Vocabulary
from events.untrusted.safe_text import shortened

if TYPE_CHECKING:
    import msgspec

    from actors.episodes.catalogs.entries import Beginning, TaskEntry
    from actors.episodes.chain_support import AnyChains
    from actors.episodes.formats import Formats
    from actors.episodes.port.authoring import Authoring
    from actors.episodes.port.plans import Plans
    from actors.episodes.port.sight import Viewer

Summary = Mapping[str, str | int | float | bool]
"""What the end of an episode says of it, by a short name."""


def no_starter() -> None:
    """Where an environment brings no catalog."""


def plain_outcome(reason: str, summary: Summary) -> str:
    """The ending's name."""
    del summary
    return reason.replace("_", " ")


class Environment(Whole):
    """One or several games that have their catalogs, plans and files in common. Parts are given as
    in a ``Game``."""

    plans: "LazyPart[Plans[msgspec.Struct, Settings]]" = LazyPart()
    """Its section of a plan file."""
    authoring: "LazyPart[Authoring[Catalog]]" = LazyPart()
    """What helps those who write a catalog."""
    chains: "LazyPart[AnyChains | None]" = LazyPart()
    """What plays its episodes in chains, where the same characters meet again and remember; None:
    there are none."""
    formats: "LazyPart[Formats]" = LazyPart()
    """The files of other programs that it reads and writes."""
    starter: "LazyPart[Callable[[], Catalog | None]]" = LazyPart()
    """Makes the catalog that comes with the environment; it has a name of its own."""
    outcome: "LazyPart[Callable[[str, Summary], str]]" = LazyPart()
    """How an episode ended, in a few words for lists: by the ending's name and what the end's
    summary says."""

    def __init__(
        self,
        *,
        name: str,
        vocabulary: Vocabulary,
        endings: Mapping[str, str],
        games: Sequence[GameBase],
        tempers: tuple[str, ...] = (),
        endings_of_seats: Mapping[str, str] | None = None,
        stage: Path | None = None,
        plans: "Plans[msgspec.Struct, Settings] | str" = "",
        authoring: "Authoring[Catalog] | str" = "actors.episodes.port.authoring:PLAIN",
        chains: "AnyChains | str | None" = None,
        formats: "Formats | str" = "actors.episodes.formats:NO_FORMATS",
        starter: Callable[[], Catalog | None] | str = no_starter,
        outcome: Callable[[str, Summary], str] | str = plain_outcome,
    ) -> None:
        self.name = name
        """The entry point's name; letters, digits and ``_``."""
        self.vocabulary = vocabulary
        self.endings = endings
        """How its episodes can end, by the reason's name, as half a sentence: ``stopped``,
        ``abandoned`` and ``failed`` are known to all."""
        self.endings_of_seats = endings_of_seats or {}
        """The endings that who sat in a seat is told in other words."""
        self.games = games
        self.tempers = tempers
        """How its rehearsal minds can behave, by name. A plan names one of them."""
        self.stage = stage
        """The folder of its stage piece, served at ``/static/environments/<name>/``: an ES module
        ``stage.js`` that draws what a viewer was told, or brings a form for its questions, or both.
        None: the plain ones serve."""
        self.given = {
            "plans": plans or PlainPlans(vocabulary.settings[-1]),
            "authoring": authoring,
            "chains": chains,
            "formats": formats,
            "starter": starter,
            "outcome": outcome,
        }
        self._by_setup = {setup: game for game in games for setup in game.setups}
        for setup in self._by_setup:
            # Its episodes would be stored and could not be read.
            if setup not in vocabulary.setups:
                raise ValueError(f"{setup.__name__} is not in the vocabulary's setups")

    def game_of(self, setup: Setup) -> AnyGame:
        """The game of an episode that begins with this setup. Raises ``TypeError`` where there is
        none."""
        return self.game_with(type(setup))

    def game_with(self, setup: type[Setup]) -> AnyGame:
        """As ``game_of``, by the type of the setup."""
        game = self._by_setup.get(setup)
        if game is None:
            raise TypeError(f"{setup.__name__} is no setup of environment {shortened(self.name)!r}")
        # Values of the game's own types go from one of its parts to another; who carries them
        # knows no more of them than that.
        return cast(AnyGame, game)

    def tasks(self, catalog: Catalog) -> "Sequence[TaskEntry]":
        """What a plan can choose from, game by game."""
        return [task for game in self.games for task in game.tasks.entries(catalog)]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> "Beginning":
        """How an episode of a task begins. ``seed`` is the episode's own. Raises
        ``MissingItem``."""
        fitting = [game for game in self.games if task.startswith(game.prefix)]
        game = max(fitting or self.games, key=lambda game: len(game.prefix))
        return game.tasks.begin(catalog, task, settings, seed)

    def ending(self, reason: str) -> str:
        """Why an episode is over, as half a sentence; empty where it goes on."""
        return {**self.endings, **OTHER_ENDINGS}.get(reason, reason)

    def ending_for(self, viewer: "Viewer", reason: str) -> str:
        """As ``ending``, in words for the viewer."""
        own = self.endings_of_seats.get(reason) if isinstance(viewer, int) else None
        return own or self.ending(reason)

    def game_showing(self, view: object) -> AnyGame:
        """A game whose views are of this type; all games with the same type of view render it in
        the same way. Raises ``TypeError`` if there is none."""
        for game in self.games:
            if game.shapes.view is type(view):
                return self.game_with(game.setups[0])
        raise TypeError(f"{type(view).__name__} is no view of environment {shortened(self.name)!r}")

    @property
    def backgrounds(self) -> object:
        """What a seat of any of its games may be sent as its background: a type, or a union."""
        return reduce(or_, (game.shapes.background for game in self.games))

    @property
    def notices(self) -> object:
        """What a seat of any of its games may notice: a type, or a union."""
        return reduce(or_, (game.shapes.notice for game in self.games))
