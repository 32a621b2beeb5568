"""What theory says of a small game: what each seat gets in equilibrium, and the greatest sum of all
payoffs that nobody loses by."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import product
from typing import Final

import msgspec

from actors.games.ruleset import DrawnValue, LastOffer, Theory
from actors.games.setup import Deal
from actors.games.state import roles_of, rounds_of

Values = Mapping[str, float]
Formula = Callable[[Values], float]

OF_ALL_GAMES: Final = ("players", "rounds")
"""What formulas can name in any game, beside drawn numbers."""
_ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_OPERATIONS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class BadFormula(ValueError):
    """A text that is no formula, or names what is not there."""


class ExpectedOutcome(msgspec.Struct, frozen=True):
    """What theory says of one game."""

    payoffs: tuple[float, ...]
    """In equilibrium, one a seat."""
    efficient: float
    """The greatest sum of all payoffs."""


def expected_outcome(deal: Deal) -> ExpectedOutcome | None:
    """Of a whole deal, with all cards and values; None: its ruleset names no theory. Raises
    ``BadFormula``."""
    theory = deal.rules.theory
    if theory is None:
        return None
    values: dict[str, float] = {
        name: value for name, value in deal.values.items() if isinstance(value, int)
    }
    values |= {"players": len(deal.players), "rounds": rounds_of(deal)}
    if theory.offer is None:
        by_role, efficient = _given(theory, values)
    else:
        by_role, efficient = _of_offer(theory.offer, values, deal.rules.values)
    payoffs = tuple([round(float(by_role[role.id]), 6) for role in roles_of(deal)])
    return ExpectedOutcome(payoffs, round(float(efficient), 6))


def formula_fault(text: str, known: tuple[str, ...]) -> str | None:
    """Why a text is no formula of these names, as half a sentence; None if it is one."""
    try:
        formula(text)(dict.fromkeys((*known, *OF_ALL_GAMES), 1.0))
    except BadFormula as error:
        return str(error)
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


def _given(theory: Theory, values: Values) -> tuple[Mapping[str, float], float]:
    by_role = {role: formula(text)(values) for role, text in theory.equilibrium.items()}
    return by_role, formula(theory.efficient)(values)


def _of_offer(
    offer: LastOffer, values: Values, drawn: tuple[DrawnValue, ...]
) -> tuple[Mapping[str, float], float]:
    """Payoffs by role where the offer is the best for who makes it, by what they know; and the
    greatest sum that an offer can lead to which neither loses by."""
    own, other = formula(offer.gains[offer.by]), formula(offer.gains[offer.to])
    ranges = {
        name: range(int(formula(low)(values)), int(formula(high)(values)) + 1)
        for name, (low, high) in offer.numbers.items()
    }
    choices = [dict(zip(ranges, numbers, strict=True)) for numbers in product(*ranges.values())]
    possible = [
        dict(zip(offer.unknown, unknown, strict=True))
        for unknown in product(*(_domain(one, drawn) for one in offer.unknown))
    ]

    def hoped(choice: Mapping[str, int]) -> tuple[float, float]:
        """What both gain, summed over all that can be where it is taken."""
        sums = [0.0, 0.0]
        for unknown in possible:
            case = {**values, **unknown, **choice}
            if (theirs := other(case)) >= 0:
                sums[0] += own(case)
                sums[1] += theirs
        return sums[0], sums[1]

    gains, most = (0.0, 0.0), 0.0
    # The first of those that are equally good has the lowest numbers.
    best = max(choices, key=hoped, default=None)
    if best is not None and hoped(best)[0] > 0:
        case = {**values, **best}
        if other(case) >= 0:
            gains = own(case), other(case)
    for choice in choices:
        both = own(case := {**values, **choice}), other(case)
        if min(both) >= 0:
            most = max(most, sum(both))
    without = {
        role: formula(offer.without.get(role, "0"))(values) for role in (offer.by, offer.to)
    }
    by_role = {
        offer.by: without[offer.by] + gains[0],
        offer.to: without[offer.to] + gains[1],
    }
    return by_role, sum(without.values()) + most


def _domain(value: str, drawn: tuple[DrawnValue, ...]) -> range:
    one = next((one for one in drawn if one.id == value and one.low is not None), None)
    if one is None:
        raise BadFormula(f"no number {value!r} is drawn")
    return range(one.low or 0, (one.high or 0) + 1, one.step)
