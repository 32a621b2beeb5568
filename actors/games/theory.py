"""What theory says of a small game: what each seat gets in equilibrium, and the greatest sum of all
payoffs that nobody loses by."""

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import isfinite, prod
from typing import Final

import msgspec

from actors.games.ruleset import DrawnValue, LastOffer, Ruleset, Theory
from actors.games.setup import Deal
from actors.games.state import roles_of, rounds_of

Values = Mapping[str, float]
Formula = Callable[[Values], float]

OF_ALL_GAMES: Final = ("players", "rounds")
"""What formulas can name in any game, beside drawn numbers."""
MOST_CASES: Final = 100_000
"""Of an offer's numbers together with what is unknown."""
_ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_OPERATIONS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class BadFormula(ValueError):
    """A text that is no formula, or names what is not there."""


class TheoryOutcome(msgspec.Struct, frozen=True):
    """What theory says of one game."""

    equilibrium: tuple[float | None, ...]
    """Each seat's payoff; None: there is no theory of it."""
    efficient: float | None = None
    """The greatest sum of all payoffs that nobody loses by; None: there is no theory of it."""


def theory_of(deal: Deal) -> TheoryOutcome:
    """Of a whole deal, with all cards and values. Raises ``BadFormula``."""
    theory = deal.rules.theory
    if theory is None:
        return TheoryOutcome((None,) * len(deal.players))
    values: dict[str, float] = {
        name: value for name, value in deal.values.items() if isinstance(value, int)
    }
    values |= {"players": len(deal.players), "rounds": rounds_of(deal)}
    if theory.offer is None:
        by_role, efficient = _given(theory, values)
    else:
        by_role, efficient = _of_offer(theory.offer, values, deal.rules.values)
    payoffs = [by_role.get(role.id) for role in roles_of(deal)]
    return TheoryOutcome(tuple(map(_rounded, payoffs)), _rounded(efficient))


def _rounded(number: float | None) -> float | None:
    """As payoffs are; what is too great a number is none."""
    return None if number is None or not isfinite(number) else round(float(number), 6)


def theory_fault(rules: Ruleset) -> str | None:
    """Why the theory of a ruleset cannot be computed, as half a sentence; None if it can, or if
    there is none."""
    theory = rules.theory
    if theory is None:
        return None
    offer, roles = theory.offer, {role.id for role in rules.roles}
    named = set(theory.equilibrium)
    if offer is not None:
        named |= {offer.by, offer.to, *offer.gains, *offer.without}
        if theory.equilibrium or theory.efficient:
            return "where the last offer is given, equilibrium and efficient follow from it"
        if set(offer.gains) != {offer.by, offer.to}:
            return "gains are of who offers and of who is offered, and of nobody else"
    if unknown := named - roles:
        return f"there is no role {min(unknown)!r}"
    lowest = {one.id: float(one.low) for one in rules.values if one.low is not None}
    values = {**lowest, "players": float(rules.least), "rounds": 1.0}
    try:
        if offer is None:
            by_role, efficient = _given(theory, values)
        else:
            by_role, efficient = _of_offer(offer, values, rules.values)
    except BadFormula as error:
        return str(error)
    if not all(isfinite(one) for one in (*by_role.values(), efficient or 0)):
        return "a formula has too great a number"
    return None


@lru_cache(maxsize=256)
def formula(text: str) -> Formula:
    """A formula that can be computed for values. Raises ``BadFormula``, and so does what it
    returns where a value is missing."""
    try:
        tree = ast.parse(_ID.sub(lambda found: found[0].replace("-", "_"), text), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadFormula(f"{text!r} is no formula of numbers, names, +, - and *") from None
    return _compiled(tree.body, text)


def _compiled(node: ast.expr, text: str) -> Formula:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return lambda _: number
        case ast.Name(id=name):
            return _looked_up(name.replace("_", "-"))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            negated = _compiled(inner, text)
            return lambda values: -negated(values)
        case ast.BinOp(left=one, op=sign, right=other) if type(sign) in _OPERATIONS:
            compute = _OPERATIONS[type(sign)]
            left, right = _compiled(one, text), _compiled(other, text)
            return lambda values: compute(left(values), right(values))
    raise BadFormula(f"{text!r} has more than numbers, names, +, - and *")


def _looked_up(name: str) -> Formula:
    def value(values: Values) -> float:
        try:
            return values[name]
        except KeyError:
            known = ", ".join(sorted(values))
            raise BadFormula(
                f"there is no number {name!r}, but {known}; a minus stands between spaces"
            ) from None

    return value


def _given(theory: Theory, values: Values) -> tuple[Mapping[str, float], float | None]:
    by_role = {role: formula(text)(values) for role, text in theory.equilibrium.items()}
    return by_role, formula(theory.efficient)(values) if theory.efficient else None


def _of_offer(
    offer: LastOffer, values: Values, drawn: Sequence[DrawnValue]
) -> tuple[Mapping[str, float], float]:
    """Payoffs by role, and the greatest sum that an offer can lead to."""
    roles = (offer.by, offer.to)
    gains = tuple([formula(offer.gains[role]) for role in roles])
    without = [formula(offer.without.get(role, "0"))(values) for role in roles]
    choices = _choices(offer, values)
    gained = (0.0, 0.0)
    best = _best_offer(choices, _possible(offer, drawn, len(choices)), gains, values)
    if best is not None:
        gained = _gained(gains, {**values, **best})
    sums = [sum(_gained(gains, {**values, **choice}, losses=False)) for choice in choices]
    by_role = {role: own + more for role, own, more in zip(roles, without, gained, strict=True)}
    return by_role, sum(without) + max(sums, default=0.0)


def _choices(offer: LastOffer, values: Values) -> Sequence[Values]:
    """All that can be offered, the lowest numbers first."""
    ends = [[_whole(end, values) for end in pair] for pair in offer.numbers.values()]
    ranges = [range(low, high + 1) for low, high in ends]
    _check_count(ranges)
    return [dict(zip(offer.numbers, numbers, strict=True)) for numbers in product(*ranges)]


def _possible(offer: LastOffer, drawn: Sequence[DrawnValue], choices: int) -> Sequence[Values]:
    """All that who offers must reckon with, each as likely."""
    numbers = {one.id: one for one in drawn if one.low is not None and one.high is not None}
    ranges = []
    for name in offer.unknown:
        if (one := numbers.get(name)) is None:
            raise BadFormula(f"no number {name!r} is drawn")
        ranges.append(range(one.low or 0, (one.high or 0) + 1, one.step))
    _check_count([*ranges, range(choices)])
    return [dict(zip(offer.unknown, unknown, strict=True)) for unknown in product(*ranges)]


def _whole(text: str, values: Values) -> int:
    number = formula(text)(values)
    if not abs(number) <= MOST_CASES:
        raise BadFormula(f"{text!r} is {number:g}; an offer's numbers are at most {MOST_CASES:,}")
    return int(number)


def _check_count(ranges: Iterable[range]) -> None:
    if prod(max(0, one.stop - one.start + one.step - 1) // one.step for one in ranges) > MOST_CASES:
        raise BadFormula(f"an offer and what is unknown are more than {MOST_CASES:,} cases")


def _gained(
    gains: Sequence[Formula], values: Values, *, losses: bool = True
) -> tuple[float, float]:
    """What both gain by an offer, which is taken where that is no loss. ``losses``: whether who
    offers may lose by it."""
    own, other = (gain(values) for gain in gains)
    return (own, other) if other >= 0 and (losses or own >= 0) else (0.0, 0.0)


def _best_offer(
    choices: Sequence[Values],
    possible: Sequence[Values],
    gains: Sequence[Formula],
    values: Values,
) -> Values | None:
    """The offer by which who makes it can expect most; of several, the one by which the other can,
    and of these the lowest. None: no offer promises a gain."""

    def expected(choice: Values) -> tuple[float, float]:
        cases = [_gained(gains, {**values, **unknown, **choice}) for unknown in possible]
        return sum(own for own, _ in cases), sum(other for _, other in cases)

    best = max(choices, key=expected, default=None)
    return best if best is not None and expected(best)[0] > 0 else None
