"""What a game is made of: settings, setup, questions, acts, and what comes of them."""

from functools import lru_cache
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from actors.episodes.port.plans import PlainPlans
from actors.games.ruleset import NAME, PASS, Line, Ruleset, Text
from actors.text.amounts import many
from events.base import Value, replace
from events.environments import Action, Change, Question, Setup
from events.environments import Settings as AnySettings

ENDINGS: Final = {
    "won": "somebody had won",
    "drawn": "nobody could win",
    "settled": "everything was settled",
    "exhausted": "the rounds were over",
}
MOST_WORDS: Final = 1_200
"""Characters of what is said in an act."""


class Settings(AnySettings, frozen=True, kw_only=True, tag=f"{NAME}.Settings"):
    """How games are played: a plan's section ``[games]``."""

    rounds: Annotated[int, Meta(ge=1)] | None = None
    """Fewer rounds than the ruleset has; without it, the ruleset's."""
    talk: Annotated[int, Meta(ge=1, le=10)] | None = None
    """How often each seat speaks in a phase with words, instead of what the ruleset says."""
    deals: Annotated[int, Meta(ge=0)] | None = None
    """The seed by which games are dealt; in a plan, without it, the plan's own. None in what was
    planned before deals had a seed."""


class GamePlans(PlainPlans[Settings]):
    """Settings are recorded as they stand in the plan, with the seed by which it deals."""

    def settings(self, section: Settings, seed: int) -> Settings:
        """All games of a plan are dealt by one seed, so that seats have roles equally often."""
        return section if section.deals is not None else replace(section, deals=seed)

    def describe(self, settings: Settings) -> tuple[tuple[str, str], ...]:
        """The settings in words."""
        rounds = many(settings.rounds, "round") if settings.rounds else "as many as the rules say"
        talk = many(settings.talk, "time") if settings.talk else "as often as the rules say"
        deals = "of no seed" if settings.deals is None else f"of seed {settings.deals}"
        return (("rounds", rounds), ("each speaks", talk), ("deals", deals))


class Player(Value, frozen=True, kw_only=True):
    """Who sits in a seat, as all know them."""

    id: str
    name: Line
    about: Text = ""
    """Age, work and what else all may know."""


class Known(Value, frozen=True, kw_only=True):
    """What a seat is told of another before the game."""

    seat: int
    role: str


class RoleCard(Value, frozen=True, kw_only=True):
    """What a seat has been dealt, for that seat alone."""

    role: str
    """Its id."""
    goal: str
    secret: str = ""
    """With the drawn values filled in."""
    knows: tuple[Known, ...] = ()


class _Rules:
    """A ruleset as the key of a cache, equal to others by its content."""

    __slots__ = ("content", "value")

    def __init__(self, value: Ruleset) -> None:
        self.value, self.content = value, _encode(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and other.content == self.content

    def __hash__(self) -> int:
        return hash(self.content)


_encode = msgspec.msgpack.Encoder().encode


@lru_cache(maxsize=256)
def _kept_once(rules: _Rules) -> Ruleset:
    return rules.value


class Deal(Setup, frozen=True, kw_only=True, tag=f"{NAME}.Deal"):
    """A game before its first phase."""

    rules: Ruleset
    scene: str = ""
    """Where it is played, and why these people play it."""
    players: tuple[Player, ...]
    cards: tuple[RoleCard | None, ...]
    """One a seat; None: the viewer does not know it."""
    values: dict[str, str | int] = msgspec.field(default_factory=dict)
    """What was drawn; empty: the viewer does not know."""
    settings: Settings = Settings()
    number: int = 1
    """The how many-th game of its set."""
    seed: int = 0

    def __post_init__(self) -> None:
        """Thousands of games, and their seats, share one ruleset where theirs are equal."""
        msgspec.structs.force_setattr(self, "rules", _kept_once(_Rules(self.rules)))


class NumberRange(Value, frozen=True, kw_only=True):
    """A number that an act names."""

    id: str
    text: str
    low: int
    high: int


class ActOption(Value, frozen=True, kw_only=True):
    """A verb that can be chosen now, and with what."""

    verb: str
    text: str
    says: bool = False
    direct: tuple[int, ...] = ()
    """Seats to which alone its words may go."""
    targets: tuple[int, ...] = ()
    """Seats of which it names one; none: it names nobody."""
    numbers: tuple[NumberRange, ...] = ()
    words: tuple[str, ...] = ()
    """Of which it names one; none: it names none."""


class Decide(Question, frozen=True, kw_only=True, tag=f"{NAME}.Decide"):
    """What does the seat do?"""

    phase: str
    title: str
    text: str = ""
    round: int = 1
    together: bool = False
    """Whether all who act in this phase answer before any of it is known."""
    heard: Literal["public", "team", "self", "named"] = "public"
    """Who learns of it."""
    options: tuple[ActOption, ...]
    """With ``pass`` where the seat may do nothing."""


class GameAct(Action, frozen=True, kw_only=True, tag=f"{NAME}.Act"):
    """What a seat does."""

    listed = ("verb", "word")
    said = ("text",)

    verb: str = PASS
    target: int | None = None
    """A seat, from 0."""
    numbers: dict[str, int] = msgspec.field(default_factory=dict)
    word: Annotated[str, Meta(max_length=300)] = ""
    text: Annotated[str, Meta(max_length=MOST_WORDS)] = ""
    """What is said."""
    to: int | None = None
    """The one seat that hears it; None: all who hear what is said in this phase."""


FactKind = Literal[
    "phase",
    "eliminated",
    "saved",
    "protected",
    "unprotected",
    "revealed",
    "marked",
    "unmarked",
    "counted",
    "chosen",
    "gave",
    "offered",
    "closed",
    "guessed",
    "ended",
]


class GameFact(Value, frozen=True, kw_only=True):
    """One thing that came of acts or of the end of a phase."""

    listed = ("name", "word")

    kind: FactKind
    """``phase``: it begins, ``name`` is its id and ``amount`` the round. ``eliminated``: ``seat``
    is out, ``word`` the role or team that all learn. ``saved``: ``seat`` was protected.
    ``protected``, ``unprotected``: ``seat``. ``revealed``: ``seat`` is ``word``, a role or team
    (``name`` says which). ``marked``, ``unmarked``: ``name`` on ``seat``. ``counted``: ``counter``
    in ``name``, of ``seat`` or of the game, changed by ``amount``. ``chosen``: ``seats`` by the
    votes of ``name``, ``votes`` for each. ``gave``: ``amount`` of ``name`` from ``seat`` to
    ``other``, None being the game. ``offered``: ``seat`` offers ``numbers``. ``closed``: the offer
    of ``seat`` was accepted (``amount`` 1) or refused (0) by ``other``. ``guessed``: ``seat`` named
    ``word``; ``amount`` 1 where it was right. ``ended``: ``name`` is the ending's id, ``seats``
    have won."""
    to: tuple[int, ...] | None = None
    """The seats that learn of it; None: everybody; none: only those who know everything."""
    seat: int | None = None
    other: int | None = None
    name: str = ""
    word: str = ""
    amount: int = 0
    numbers: dict[str, int] = msgspec.field(default_factory=dict)
    seats: tuple[int, ...] = ()
    votes: dict[str, int] = msgspec.field(default_factory=dict)
    """By seat, as text."""


class Consequences(Change, frozen=True, kw_only=True, tag=f"{NAME}.Resolved"):
    """What came of a turn, in order."""

    facts: tuple[GameFact, ...]


PLANS: Final = GamePlans(Settings)
