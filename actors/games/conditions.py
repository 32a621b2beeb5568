"""Seats, numbers and conditions of a ruleset, looked up in a game."""

import operator
from typing import Final

from actors.games.ruleset import Number, Requirement, Role, SeatFilter
from actors.games.state import GameState

_COMPARE: Final = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


def may_be_one_of(role: Role, wanted: SeatFilter) -> bool:
    """Whether a seat with a role can be among those that a filter leaves, whatever happens."""
    if wanted.roles and role.id not in wanted.roles:
        return False
    if wanted.teams and role.team not in wanted.teams:
        return False
    return role.team not in wanted.not_teams


def is_one_of(state: GameState, seat: int, wanted: SeatFilter) -> bool:
    """Whether a seat is among those that a filter leaves."""
    if wanted.status != "any" and state.alive[seat] != (wanted.status == "in"):
        return False
    if not may_be_one_of(state.roles[seat], wanted):
        return False
    if wanted.marked and seat not in state.marks.get(wanted.marked, ()):
        return False
    return not (wanted.unmarked and seat in state.marks.get(wanted.unmarked, ()))


def seats_of(state: GameState, wanted: SeatFilter) -> tuple[int, ...]:
    """The seats that a filter leaves, in their order."""
    return tuple([seat for seat in range(len(state.alive)) if is_one_of(state, seat, wanted)])


def number_of(state: GameState, number: Number, actor: int | None = None) -> int:
    """A number, looked up where it is a quantity. ``actor``: whose own counters count."""
    if isinstance(number, int):
        return number
    if number.seats is not None:
        return len(seats_of(state, number.seats))
    if number.counter:
        return state.shared.get(number.counter, 0)
    if number.own:
        return 0 if actor is None else state.own[actor].get(number.own, 0)
    if number.value:
        return int(state.deal.values[number.value])
    return state.round


def holds(state: GameState, wanted: Requirement | None, actor: int | None = None) -> bool:
    """Whether a condition holds; without any, it does."""
    if wanted is None:
        return True
    if wanted.all:
        return all(holds(state, one, actor) for one in wanted.all)
    if wanted.any:
        return any(holds(state, one, actor) for one in wanted.any)
    left = number_of(state, wanted.left or 0, actor)
    return bool(_COMPARE[wanted.compare](left, number_of(state, wanted.right, actor)))
