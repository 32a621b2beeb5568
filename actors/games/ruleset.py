"""What the rules of a game are made of. A ruleset is data: roles, what is drawn, phases with their
verbs, effects from a closed list, endings and payoffs."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from events.base import Value

NAME: Final = "games"
LEAST_SEATS, MOST_SEATS = 2, 12
MOST_ROUNDS: Final = 100
MOST_COUNTED: Final = 10**12
"""No counter comes further from 0; a number that doubles in each round could not be stored."""

Id = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9-]{0,39}$(?!\n)",
        extra={"words": "an id: small letters, digits and hyphens, a letter first, at most 40"},
    ),
]
"""Without a line's end behind it, before which ``$`` holds in Python too."""
Line = Annotated[str, Meta(min_length=1, max_length=300)]
Text = Annotated[str, Meta(max_length=4_000)]
Formula = Annotated[str, Meta(max_length=200)]
Whole = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Some = Meta(max_length=50)
"""Of a list: more than any game needs, and so few that a game of all of them can be played."""

PASS: Final = "pass"  # noqa: S105
"""The verb of a seat that does nothing."""
ACTOR, TARGET, OFFERER, CHOSEN = "actor", "target", "offerer", "chosen"
"""Seats that an effect names by what they did: who acts, whom the act names, whose offer stands,
and those whom the last count of votes chose."""
Named = Literal["actor", "target", "offerer", "chosen"]


class SeatFilter(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some of the seats. Each field that is given narrows them."""

    roles: tuple[Id, ...] = ()
    teams: tuple[Id, ...] = ()
    not_teams: tuple[Id, ...] = ()
    status: Literal["in", "out", "any"] = "in"
    """Whether they are in the game."""
    marked: Id | Literal[""] = ""
    """Who bears this mark."""
    unmarked: Id | Literal[""] = ""
    """Who does not."""


class Quantity(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that is looked up: just one of its fields is given."""

    seats: SeatFilter | None = None
    """How many seats these are."""
    counter: Id | Literal[""] = ""
    """A counter of the game."""
    own: Id | Literal[""] = ""
    """A counter of the seat that acts."""
    value: str = ""
    """A number that was drawn."""
    round: bool = False
    """The round, from 1."""


Number = Whole | Quantity


class Requirement(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition: a comparison (``left``, ``compare``, ``right``), or several together in ``all``
    or ``any``. Just one of the three forms."""

    left: Number | None = None
    compare: Literal["<", "<=", "=", "!=", ">=", ">"] = "="
    right: Number = 0
    all: Annotated[tuple["Requirement", ...], Some] = ()
    any: Annotated[tuple["Requirement", ...], Some] = ()


class SeatCount(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many seats have a role, from so many players on."""

    players: Annotated[int, Meta(ge=1, le=MOST_SEATS)]
    count: Annotated[int, Meta(ge=0, le=MOST_SEATS)]


class Role(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who a seat can be."""

    id: Id
    name: Line
    team: Id
    goal: Text
    """Told to the seat alone. ``{id}`` stands for a value that was drawn, in ``secret`` too."""
    secret: Text = ""
    """What the seat knows and others do not."""
    knows: tuple[Id, ...] = ()
    """Roles or teams: the seat is told who has them."""
    counters: dict[str, Whole] = msgspec.field(default_factory=dict)
    """Its own counters at the beginning."""
    count: tuple[SeatCount, ...] = ()
    """How many seats have it, by the number of players: the last that applies. Without any, it has
    the seats that are left; just one role of a ruleset may."""


class DrawnValue(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is drawn by the seed of each game: a row of a word bank, a number, or one of
    some words. Just one of the three."""

    id: Id
    bank: Id | Literal[""] = ""
    """A bank of the catalog: the values are ``id.column`` for each of its columns."""
    swap: bool = False
    """Whether the columns change places by the same draw."""
    low: Whole | None = None
    high: Whole | None = None
    """The range of a number, both ends in it."""
    step: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    words: tuple[Line, ...] = ()


class NumberField(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that an act names."""

    id: Id
    text: Line
    low: Number
    high: Number


class Transfer(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So much of a counter goes from one to another, and no more than the giver has, the game too.
    Where nobody is meant, nothing moves; from or to each of several, so much."""

    item: Id
    amount: Number | str
    """A number, or the id of a number that the act (or the offer) names."""
    giver: Named | Literal["game"] = "actor"
    taker: Named | Literal["game"] = "game"


class Effect(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an act or the end of a phase does to the game."""

    do: Literal[
        "eliminate",
        "protect",
        "reveal",
        "mark",
        "unmark",
        "vote",
        "give",
        "offer",
        "accept",
        "refuse",
        "guess",
        "count",
    ]
    """``eliminate`` puts ``whom`` out of the game, unless they are protected and ``despite`` is
    false; an offer of theirs falls. ``protect`` holds until the end of the next phase that can
    eliminate, of which the same phase is one; a phase that is skipped is none. ``reveal`` tells
    ``to`` what ``whom`` is (``what``). ``mark`` and ``unmark`` set and clear ``name`` on ``whom``;
    nobody learns that a mark is cleared. ``vote`` counts the acts of the verb ``name`` in this
    phase by their targets, of each seat the last; those chosen are ``chosen`` for the effects after
    it. ``give`` moves ``transfers``. ``offer`` keeps the act's numbers as the offer that stands,
    in the place of any before it; ``accept`` moves ``transfers`` and ``refuse`` does not; both end
    the offer. Of several who close one offer in the same turn the first does, and nothing comes of
    an offer that was replaced in that turn. ``guess`` compares the act's word with the drawn value
    ``name`` and, where they are equal, adds 1 to the game's counter ``counter``, of which nobody
    is told. ``count`` adds ``by`` to ``counter`` of ``whom``, or of the game without ``whom``.

    Who learns of it is the phase's ``visibility``. In secret phases each seat is told of what
    ``count`` does to its own counters, who made an offer that it is closed, and ``to`` what is
    revealed. Of the end of a ``team`` phase the team learns, if those who may act are one team,
    else nobody; of the end of a ``self`` or ``named`` phase nobody. That somebody is out all are
    told."""
    when: Requirement | None = None
    whom: Named | SeatFilter | None = None
    to: Named | SeatFilter | Literal["all"] = "actor"
    what: Literal["role", "team"] = "role"
    """Of ``reveal``."""
    shows: Literal["role", "team", "nothing"] = "nothing"
    """Of ``eliminate``: what all learn of who is out."""
    name: str = ""
    tie: Literal["nobody", "lot", "all"] = "nobody"
    """Of ``vote``: who is chosen where several have most votes."""
    least: Annotated[int, Meta(ge=1, le=MOST_SEATS)] = 1
    """Of ``vote``: votes that one needs to be chosen."""
    majority: bool = False
    """Of ``vote``: one needs the votes of more than half of those who could vote."""
    transfers: Annotated[tuple[Transfer, ...], Some] = ()
    counter: Id | Literal[""] = ""
    by: Number = 1
    despite: bool = False


class Verb(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a seat can do in a phase."""

    id: Id
    text: Line
    """What it means, as the seat is told: ``name whom the hunters shall take``."""
    says: bool = False
    """Whether it has words."""
    direct: bool = False
    """Whether its words may go to one seat alone."""
    target: SeatFilter | None = None
    """Whom it can name, never the seat itself unless ``oneself``. Where there is nobody, the verb
    cannot be chosen."""
    oneself: bool = False
    numbers: Annotated[tuple[NumberField, ...], Some] = ()
    words: tuple[Line, ...] = ()
    """One of these is named. Or, in ``guess``:"""
    among: Id | Literal[""] = ""
    """A drawn value, all of whose words can be named: its ``words``, or the row that was drawn from
    its bank."""
    when: Requirement | None = None
    costs: dict[str, Annotated[int, Meta(ge=0, le=1_000_000)]] = msgspec.field(default_factory=dict)
    """Of the seat's own counters; without enough the verb cannot be chosen. The costs of all who
    act together are paid before anything comes of their acts."""
    effects: Annotated[tuple[Effect, ...], Some] = ()
    """Where all act together, in the order of the seats once all have answered; an act counts even
    if another of the same turn has put its seat out of the game."""


class NextPhase(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a phase leads. The first whose condition holds counts."""

    phase: Id
    when: Requirement | None = None


class Phase(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a round. Without verbs nobody acts in it, and its effects come at once; with verbs
    it is skipped where nobody can act, and its effects with it."""

    id: Id
    title: Line
    text: Text = ""
    """Told to those who act."""
    who: SeatFilter = SeatFilter()
    order: Literal["turns", "together"] = "turns"
    """Whether one seat after the other acts, or all of them at once, unseen by each other."""
    repeat: Annotated[int, Meta(ge=1, le=50)] = 1
    """How often each of them acts."""
    until: Requirement | None = None
    """What ends the phase early, looked at after each act."""
    visibility: Literal["public", "team", "self", "named"] = "public"
    """Who learns of an act: all, the team of who acts, nobody else, or whom it names. Words to one
    seat alone, and what comes of that act, that seat alone learns."""
    passes: bool = True
    """Whether a seat may do nothing."""
    verbs: Annotated[tuple[Verb, ...], Some] = ()
    effects: Annotated[tuple[Effect, ...], Some] = ()
    """At the end of the phase."""
    next: Annotated[tuple[NextPhase, ...], Some] = ()
    """Without any that holds, the next in the file follows, and the first after the last. To go to
    the same phase or to an earlier one begins a new round."""


class GameEnd(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a game ends. All are looked at in their order after every turn and phase. All seats are
    told who has won."""

    id: Id
    when: Requirement
    winners: tuple[Id, ...] = ()
    """Teams or roles; none: nobody wins."""
    text: Line


class PayoffTerm(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A counter times a weight."""

    counter: Id | Literal[""] = ""
    """None: the weight itself."""
    shared: bool = False
    """A counter of the game instead of the seat's own."""
    weight: Annotated[float, Meta(ge=-1_000_000, le=1_000_000)] | str = 1.0
    """A number, or the id of a drawn number, with a minus before it where it is taken away."""
    per_seat: bool = False
    """Whether it is divided by the number of seats."""


class PayoffRule(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What seats have got in the end: the sum of the terms."""

    roles: tuple[Id, ...] = ()
    """None: all that no rule before it names."""
    terms: Annotated[tuple[PayoffTerm, ...], Some]


class LastOffer(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The offer that one role makes and another takes or leaves, after which nothing follows. What
    is said and offered before it binds nobody, so that in equilibrium it decides the game."""

    by: Id
    to: Id
    numbers: dict[Id, tuple[Formula, Formula]]
    """What is offered: each number with the formulas of its least and its greatest value."""
    gains: dict[Id, Formula]
    """What each of the two roles gains if it is taken; the offer's numbers can be named. It is
    taken where this is no loss."""
    without: dict[Id, Formula] = msgspec.field(default_factory=dict)
    """What a role has got without it; 0 where it is not named. Gains are added to this."""
    unknown: tuple[Id, ...] = ()
    """Drawn numbers that who offers does not know; each of their values is as likely."""


class Theory(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the theory of a small game says of its outcome. Formulas are of numbers, ids of drawn
    numbers, ``players``, ``rounds``, ``+``, ``-``, ``*`` and parentheses; a minus stands between
    spaces, since ids can have hyphens. Either the formulas are given or the last offer."""

    equilibrium: dict[Id, Formula] = msgspec.field(default_factory=dict)
    """The formula of the payoff, by role."""
    efficient: Formula = ""
    """The formula of the greatest sum of all payoffs that nobody loses by."""
    offer: LastOffer | None = None
    source: str = ""
    """Where it is shown."""


class Ruleset(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a game."""

    id: Id
    title: Line
    about: Text
    """The rules in words, as all players are told them."""
    least: Annotated[int, Meta(ge=LEAST_SEATS, le=MOST_SEATS)]
    most: Annotated[int, Meta(ge=LEAST_SEATS, le=MOST_SEATS)]
    """How many can play."""
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    """After so many rounds the game is over, whoever has won by then; without it, after one."""
    rounds_winners: tuple[Id, ...] = ()
    """Teams or roles that win where the rounds are over; none: nobody."""
    roles: Annotated[tuple[Role, ...], Meta(min_length=1, max_length=50)]
    values: Annotated[tuple[DrawnValue, ...], Some] = ()
    counters: dict[str, Whole] = msgspec.field(default_factory=dict)
    """Counters of the game at the beginning."""
    phases: Annotated[tuple[Phase, ...], Meta(min_length=1, max_length=50)]
    ends: Annotated[tuple[GameEnd, ...], Some] = ()
    payoffs: Annotated[tuple[PayoffRule, ...], Some] = ()
    """Without any, who wins has 1 and who does not has 0."""
    roles_at_end: bool = False
    """Whether all learn who was who when the game is over."""
    theory: Theory | None = None
