"""What the seats of a game have got in the end."""

from actors.games.ruleset import PayoffRule
from actors.games.state import GameState


def payoffs_of(state: GameState) -> tuple[float, ...]:
    """One a seat: the sum of its terms, or 1 for those who have won where the rules name none."""
    rules = state.rules
    if not rules.payoffs:
        return tuple([float(seat in state.winners) for seat in range(len(state.alive))])
    found = []
    for seat, role in enumerate(state.roles):
        rule = next((one for one in rules.payoffs if not one.roles or role.id in one.roles), None)
        found.append(0.0 if rule is None else _sum(state, rule, seat))
    return tuple(found)


def _sum(state: GameState, rule: PayoffRule, seat: int) -> float:
    whole = 0.0
    for term in rule.terms:
        counters = state.shared if term.shared else state.own[seat]
        weight = term.weight
        if isinstance(weight, str):
            weight = float(state.deal.values[weight])
        whole += counters.get(term.counter, 0) * weight / (len(state.alive) if term.per_seat else 1)
    return round(whole, 6)
