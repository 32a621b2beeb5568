"""What offers and gifts are worth to a seat, by the payoffs of the rules."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from actors.games.answers import steps
from actors.games.rehearsal.impressions import Impressions
from actors.games.ruleset import Effect, Number, PayoffTerm, Ruleset, SeatFilter, Transfer
from actors.games.setup import ActOption, NumberRange
from actors.games.state import rounds_of

AIMS: Final = {"open": 0.5, "cautious": 0.35, "scheming": 0.9}
"""How much of what can be gained at most is asked for."""
ENOUGH: Final = {"open": 0.2, "cautious": 0.01, "scheming": 0.4}
"""The share of what an offer brings both that is taken."""
GIVES: Final = {"open": 0.8, "cautious": 0.4, "scheming": 0.05}
"""How much of what can be given is given to all."""
YIELDS: Final = 0.12
"""How much less is asked for after each refusal."""
_MOST_TRIED: Final = 400
"""Offers that are weighed."""


class Gain(NamedTuple):
    """What something brings."""

    own: float
    other: float


class CounterWorth(NamedTuple):
    """What a counter is worth to a seat."""

    own: Mapping[str, float]
    shared: Mapping[str, float]


def offer_gain(
    now: Impressions, effects: Sequence[Effect], numbers: Mapping[str, int], *, offers: bool
) -> Gain:
    """What the effects of accepting or refusing an offer bring to oneself and to the other:
    ``offers`` is oneself who offers, else who accepts or refuses."""
    mine, theirs = _weights(now, own=True), _weights(now, own=False)
    me, them = ("offerer", "actor") if offers else ("actor", "offerer")
    own = other = 0.0
    for party, item, amount in _moves(now, effects, numbers):
        if party == me or (isinstance(party, SeatFilter) and _is_meant(now, party)):
            own += amount * mine.own.get(item, 0.0)
        elif party == them or isinstance(party, SeatFilter):
            other += amount * theirs.own.get(item, 0.0)
        else:
            own += amount * mine.shared.get(item, 0.0)
            other += amount * theirs.shared.get(item, 0.0)
    return Gain(own, other)


def _is_meant(now: Impressions, some: SeatFilter) -> bool:
    return now.role.id in some.roles or now.role.team in some.teams


def _moves(
    now: Impressions, effects: Sequence[Effect], numbers: Mapping[str, int]
) -> Iterator[tuple[str | SeatFilter, str, float]]:
    """Who gets how much of what."""
    shared = dict(now.shared)
    for effect in effects:
        if effect.do in ("accept", "give"):
            for one in effect.transfers:
                amount = max(0.0, _amount(now, one, numbers, shared))
                for party, change in ((one.giver, -amount), (one.taker, amount)):
                    if party == "game":
                        shared[one.item] = shared.get(one.item, 0) + int(change)
                    yield party, one.item, change
        elif effect.do == "count":
            yield effect.whom or "game", effect.counter, _number(now, effect.by, shared)


def _amount(
    now: Impressions, one: Transfer, numbers: Mapping[str, int], shared: Mapping[str, int]
) -> float:
    if isinstance(one.amount, str):
        return float(numbers.get(one.amount, 0))
    return _number(now, one.amount, shared)


def _number(now: Impressions, number: Number, shared: Mapping[str, int]) -> float:
    if isinstance(number, int):
        return float(number)
    if number.own:
        return float(now.holdings.get(number.own, 0))
    if number.counter:
        return float(shared.get(number.counter, 0))
    return drawn(now, number.value) if number.value else float(now.round)


def drawn(now: Impressions, id_: str) -> float:
    """A drawn number, or its negative: as one's secret tells it, else the middle of its range."""
    if id_.startswith("-"):
        return -drawn(now, id_[1:].strip())
    told = now.secrets.get(id_, "")
    if told.lstrip("-").isdigit():
        return float(told)
    one = next((one for one in now.deal.rules.values if one.id == id_), None)
    return 0.0 if one is None else ((one.low or 0) + (one.high or 0)) / 2


def _weights(now: Impressions, *, own: bool) -> CounterWorth:
    """One's own, or those of whoever else there is."""
    rules = now.deal.rules
    others = [role.id for role in rules.roles if role.id != now.role.id]
    role = now.role.id if own or not others else others[0]
    terms = _terms(rules, role)
    worth: dict[bool, dict[str, float]] = {True: {}, False: {}}
    for term in terms:
        weight = drawn(now, term.weight) if isinstance(term.weight, str) else term.weight
        worth[term.shared][term.counter] = weight / (now.players if term.per_seat else 1)
    if not rules.payoffs:
        worth[False] = dict.fromkeys(now.role.counters, 1.0)
    return CounterWorth(worth[False], worth[True])


def _terms(rules: Ruleset, role: str) -> Sequence[PayoffTerm]:
    return next((one.terms for one in rules.payoffs if not one.roles or role in one.roles), ())


def best_offer(
    now: Impressions, temper: str, option: ActOption, accepting: Sequence[Effect]
) -> tuple[dict[str, int], float]:
    """The numbers of an offer that brings about as much as the temper asks for, and what that is;
    of several the one that brings the other most. ``accepting``: the effects of its acceptance."""
    tried = [
        (numbers, offer_gain(now, accepting, numbers, offers=True))
        for numbers in candidates(option.numbers)
    ]
    most = max(gain.own for _, gain in tried)
    aim = max(AIMS[temper] - YIELDS * now.refused, min(AIMS.values()))
    least = max(0.0, min(gain.own for _, gain in tried))
    wanted = least + aim * (most - least)

    def far(one: tuple[dict[str, int], Gain]) -> float:
        return abs(one[1].own - wanted) - 0.3 * one[1].other

    numbers, gain = min(tried, key=far)
    return numbers, gain.own


def candidates(ranges: Sequence[NumberRange]) -> Iterator[dict[str, int]]:
    """Offers to be weighed: all, or as many as are weighed, evenly."""
    each = max(2, int(_MOST_TRIED ** (1 / max(1, len(ranges)))))
    listed = [steps(one.low, one.high, each) for one in ranges]
    for values in product(*listed):
        yield {one.id: value for one, value in zip(ranges, values, strict=True)}


def is_enough(now: Impressions, temper: str, taking: Gain, leaving: Gain) -> bool:
    """Whether an offer is taken: it brings more than leaving it, and enough of the whole."""
    own = taking.own - leaving.own
    if own <= 0:
        return False
    rounds = rounds_of(now.deal)
    if rounds > 1 and now.round >= rounds:
        return True  # there is no other chance
    whole = own + max(0.0, taking.other)
    return own / whole >= ENOUGH[temper]


def gift(now: Impressions, temper: str, one: NumberRange, chance: float) -> int:
    """How much is given: by temper, and for the cautious as much as others gave on average."""
    share = GIVES[temper]
    others = now.numbers.get(one.id, [])
    if temper == "cautious" and others and one.high > one.low:
        recent = others[-(now.players - 1) :]
        share = (sum(recent) / len(recent) - one.low) / (one.high - one.low)
    share = min(1.0, max(0.0, share + 0.2 * (chance - 0.5)))
    return one.low + round(share * (one.high - one.low))
