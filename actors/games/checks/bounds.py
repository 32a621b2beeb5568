"""Between which bounds the numbers of a ruleset are, so whether a condition can or must hold."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final, NamedTuple

from actors.games.deals import BadDeal, role_counts
from actors.games.ruleset import Effect, Number, Requirement, Role, Ruleset, SeatFilter

Bounds = tuple[float, float]
"""The least and the greatest that a number can be."""
ANYTHING: Final[Bounds] = (-inf, inf)


class RuleNames(NamedTuple):
    """What can be named in a ruleset."""

    roles: Mapping[str, Role]
    teams: Mapping[str, tuple[str, ...]]
    """The roles of each."""
    own: frozenset[str]
    """Counters of seats: those of roles, and those that effects begin."""
    shared: frozenset[str]
    """Counters of the game, likewise."""
    marks: frozenset[str]
    """Those that some effect sets."""
    offered: frozenset[str]
    """The numbers of acts that make an offer."""
    offers: bool
    """Whether any act makes an offer."""
    eliminates: bool
    """Whether anybody can be put out of the game."""
    moved: frozenset[str]
    """Counters of the game that change."""


def names_of(rules: Ruleset) -> RuleNames:
    """All that the rest of a ruleset can name."""
    effects = list(effects_of(rules))
    verbs = [verb for phase in rules.phases for verb in phase.verbs]
    offering = [verb for verb in verbs if any(one.do == "offer" for one in verb.effects)]
    teams: dict[str, tuple[str, ...]] = {}
    for role in rules.roles:
        teams[role.team] = (*teams.get(role.team, ()), role.id)
    transfers = [one for effect in effects for one in effect.transfers]
    own = {name for role in rules.roles for name in role.counters}
    own |= {one.counter for one in effects if one.do == "count" and one.whom is not None}
    own |= {one.item for one in transfers if one.taker != "game"}
    begun = {one.counter for one in effects if one.do in ("count", "guess") and one.whom is None}
    begun |= {one.item for one in transfers if one.taker == "game"}
    moved = begun | {one.item for one in transfers if one.giver == "game"}
    return RuleNames(
        roles={role.id: role for role in rules.roles},
        teams=teams,
        own=frozenset(own - {""}),
        shared=frozenset({*rules.counters, *begun} - {""}),
        marks=frozenset(one.name for one in effects if one.do == "mark" and one.name),
        offered=frozenset(one.id for verb in offering for one in verb.numbers),
        offers=bool(offering),
        eliminates=any(one.do == "eliminate" for one in effects),
        moved=frozenset(moved),
    )


def effects_of(rules: Ruleset) -> list[Effect]:
    """All effects of a ruleset."""
    return [
        effect
        for phase in rules.phases
        for effects in (phase.effects, *[verb.effects for verb in phase.verbs])
        for effect in effects
    ]


def deals_of(rules: Ruleset) -> Mapping[int, Mapping[str, int]]:
    """How many seats have each role, by the number of players for whom roles can be dealt."""
    found = {}
    for players in range(rules.least, rules.most + 1):
        try:
            found[players] = role_counts(rules, players)
        except BadDeal:
            continue
    return found


def fits(role: Role, wanted: SeatFilter) -> bool:
    """Whether a seat with this role can be among those that a filter leaves."""
    return (
        (not wanted.roles or role.id in wanted.roles)
        and (not wanted.teams or role.team in wanted.teams)
        and role.team not in wanted.not_teams
    )


class Reach:
    """What numbers can be: in the whole game, or before anybody has acted."""

    def __init__(
        self,
        rules: Ruleset,
        names: RuleNames,
        deals: Mapping[int, Mapping[str, int]],
        *,
        begun: bool = True,
    ) -> None:
        """``deals``: those that are looked at. ``begun``: whether the game goes on."""
        self._rules, self._names, self._begun = rules, names, begun
        self._seats: dict[str, Bounds] = {
            role.id: (
                min((one[role.id] for one in deals.values()), default=0),
                max((one[role.id] for one in deals.values()), default=rules.most),
            )
            for role in rules.roles
        }

    def seats(self, wanted: SeatFilter) -> Bounds:
        """How many seats a filter leaves."""
        fitting = [self._seats[role.id] for role in self._rules.roles if fits(role, wanted)]
        low, high = float(sum(one[0] for one in fitting)), float(sum(one[1] for one in fitting))
        out = self._begun and self._names.eliminates
        if (wanted.status == "out" and not out) or (wanted.marked and not self._begun):
            return (0, 0)
        if (out and wanted.status != "any") or wanted.status == "out" or wanted.marked:
            low = 0
        if wanted.unmarked and self._begun:
            low = 0
        return (low, high)

    def number(self, number: Number | None) -> Bounds:
        """Between which bounds a number is."""
        if number is None or isinstance(number, int):
            return (number or 0, number or 0)
        if number.seats is not None:
            return self.seats(number.seats)
        if number.counter:
            fixed = not self._begun or number.counter not in self._names.moved
            start = self._rules.counters.get(number.counter, 0)
            return (start, start) if fixed else ANYTHING
        if number.round:
            return (1, (self._rules.rounds or inf) if self._begun else 1)
        if number.value:
            for one in self._rules.values:
                if one.id == number.value and one.low is not None and one.high is not None:
                    return (one.low, one.high)
        return ANYTHING

    def can_hold(self, wanted: Requirement | None) -> bool:
        """Whether a condition can hold at all."""
        if wanted is None:
            return True
        if wanted.all:
            return all(map(self.can_hold, wanted.all))
        if wanted.any:
            return any(map(self.can_hold, wanted.any))
        can, _ = _COMPARED[wanted.compare]
        return can(self.number(wanted.left), self.number(wanted.right))

    def must_hold(self, wanted: Requirement | None) -> bool:
        """Whether a condition holds whatever happens."""
        if wanted is None:
            return True
        if wanted.all:
            return all(map(self.must_hold, wanted.all))
        if wanted.any:
            return any(map(self.must_hold, wanted.any))
        _, must = _COMPARED[wanted.compare]
        return must(self.number(wanted.left), self.number(wanted.right))


def _can_equal(left: Bounds, right: Bounds) -> bool:
    return left[0] <= right[1] and right[0] <= left[1]


def _must_equal(left: Bounds, right: Bounds) -> bool:
    return left[0] == left[1] == right[0] == right[1]


_Test = Callable[[Bounds, Bounds], bool]
_COMPARED: Final[Mapping[str, tuple[_Test, _Test]]] = {
    "<": (lambda a, b: a[0] < b[1], lambda a, b: a[1] < b[0]),
    "<=": (lambda a, b: a[0] <= b[1], lambda a, b: a[1] <= b[0]),
    "=": (_can_equal, _must_equal),
    "!=": (lambda a, b: not _must_equal(a, b), lambda a, b: not _can_equal(a, b)),
    ">=": (lambda a, b: a[1] >= b[0], lambda a, b: a[0] >= b[1]),
    ">": (lambda a, b: a[1] > b[0], lambda a, b: a[0] > b[1]),
}
"""Whether a comparison can hold, and whether it must."""
