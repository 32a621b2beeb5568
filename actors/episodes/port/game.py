"""A game: one kind of episode of an environment, as the parts that it is made of."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from actors.episodes.port.parts import LazyPart, Whole
from events.environments import Action, Catalog, Question, Settings, Setup

if TYPE_CHECKING:
    from actors.episodes.port.limits import Limits
    from actors.episodes.port.people import PeoplePrompts
    from actors.episodes.port.planning import Planning
    from actors.episodes.port.presentation import Presentation
    from actors.episodes.port.prompts import Prompts, Rehearse
    from actors.episodes.port.rules import Recording, Rules
    from actors.episodes.port.sight import Crowd, Notice, Sight
    from actors.episodes.port.tasks import Tasks
    from actors.episodes.port.words import EpisodeWords

S = TypeVar("S", bound=Setup)
W = TypeVar("W")
Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound=Action)
B = TypeVar("B")
V = TypeVar("V")
N = TypeVar("N", bound="Notice")
C = TypeVar("C", bound=Catalog)
T = TypeVar("T", bound=Settings)


class Shapes(NamedTuple):
    """The types of what a game shows."""

    background: type
    """Of ``sight.background``."""
    notice: object
    """Of what ``sight.reducer`` notices: one struct, or a union of tagged ones."""
    view: type
    """Of ``sight.view``."""


class GameBase(Whole):
    """What is known of a game before one of its parts is looked at."""

    def __init__(
        self,
        environment: str,
        setups: tuple[type[Setup], ...],
        prefix: str,
        given: Mapping[str, object],
    ) -> None:
        self.environment = environment
        """The name of the environment whose game it is."""
        self.setups = setups
        """What its episodes begin with; no other game's do."""
        self.prefix = prefix
        """How the ids of its tasks begin, where its environment has several games."""
        self.given = given

    shapes: LazyPart[Shapes] = LazyPart()
    """How what is shown is typed."""
    rehearsal: "LazyPart[Rehearse]" = LazyPart()
    """Makes the offline mind."""
    tasks: "LazyPart[Tasks[Catalog, Settings]]" = LazyPart()
    """What can be played."""


class Game(GameBase, Generic[S, W, Q, A, B, V, N]):
    """One kind of episode: setup, state, question, action, background, view and notice are types
    of its own. Each part is given as itself or, so that it is imported when it is first used, as
    ``"module:NAME"``."""

    rules: "LazyPart[Rules[S, W, Q, A]]" = LazyPart()
    """What a setup must be, what is an answer, and what comes next."""
    sight: "LazyPart[Sight[B, V, N]]" = LazyPart()
    """Who may know what."""
    words: "LazyPart[EpisodeWords[V, N]]" = LazyPart()
    """What a viewer may see, in words."""
    prompts: "LazyPart[Prompts[Q, A, B, N]]" = LazyPart()
    """How a language model is asked, and its answer read."""
    recording: "LazyPart[Recording[Q, A]]" = LazyPart()
    """How what happens is recorded, where the rules do not take it as it comes."""
    make_people: "LazyPart[Callable[[Prompts[Q, A, B, N]], PeoplePrompts[Q, A, B, N]]]" = LazyPart()
    planning: "LazyPart[Planning[B, N]]" = LazyPart()
    """What minds that plan and remember must know."""
    limits: "LazyPart[Limits[S, B]]" = LazyPart()
    """How long an episode is at most."""
    presentation: "LazyPart[Presentation[S]]" = LazyPart()
    """How an episode is shown and filed."""
    crowd: "LazyPart[Crowd[B, N]]" = LazyPart()
    """What makes an episode of many seats cheap."""

    def __init__(
        self,
        *,
        environment: str,
        setups: tuple[type[S], ...],
        shapes: Shapes | str,
        rules: "Rules[S, W, Q, A] | str",
        sight: "Sight[B, V, N] | str",
        words: "EpisodeWords[V, N] | str",
        prompts: "Prompts[Q, A, B, N] | str",
        rehearsal: "Rehearse | str",
        tasks: "Tasks[C, T] | str",
        prefix: str = "",
        recording: "Recording[Q, A] | str" = "actors.episodes.port.rules:AS_IT_COMES",
        people: "Callable[[Prompts[Q, A, B, N]], PeoplePrompts[Q, A, B, N]] | str" = (
            "actors.episodes.port.people:PeoplePrompts"
        ),
        planning: "Planning[B, N] | str" = "actors.episodes.port.planning:NO_PLANS",
        limits: "Limits[S, B] | str" = "actors.episodes.port.limits:NO_LIMITS",
        presentation: "Presentation[S] | str" = "actors.episodes.port.presentation:PLAIN",
        crowd: "Crowd[B, N] | str" = "actors.episodes.port.sight:NO_CROWD",
    ) -> None:
        parts: dict[str, object] = {
            "shapes": shapes,
            "rules": rules,
            "sight": sight,
            "words": words,
            "prompts": prompts,
            "rehearsal": rehearsal,
            "tasks": tasks,
            "recording": recording,
            "make_people": people,
            "planning": planning,
            "limits": limits,
            "presentation": presentation,
            "crowd": crowd,
        }
        super().__init__(environment, setups, prefix, parts)

    @cached_property
    def people(self) -> "PeoplePrompts[Q, A, B, N]":
        """How a person at a keyboard is asked, and answers."""
        return self.make_people(self.prompts)


if TYPE_CHECKING:
    AnyGame: TypeAlias = Game[Setup, object, Question, Action, object, object, Notice]
    """A game of any type, for code that plays all games: it only passes the game's values between
    its parts."""
else:
    AnyGame = Game
