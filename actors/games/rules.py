"""The rules of all games: what comes next is what the ruleset says."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from actors.episodes.port.rules import Ask, End, Happening, Rules, Step
from actors.games.acts import act_fault
from actors.games.checks.ruleset_checks import ruleset_fault
from actors.games.deals import role_counts
from actors.games.effects import TIME, what_follows
from actors.games.payoffs import payoffs_of
from actors.games.ruleset import DrawnValue
from actors.games.setup import Consequences, Deal, Decide, GameAct
from actors.games.state import GameState, SeatAct, initial_state, with_facts
from actors.text.amounts import many
from events.base import replace
from events.environments import Action
from events.episode import ActionTaken, Asked, TurnOpened, WorldChanged


class GameRules(Rules[Deal, GameState, Decide, Action]):
    """Turns, and after each what comes of it."""

    def setup_fault(self, setup: Deal, seats: int) -> str | None:
        """Seats, cards and roles must fit."""
        rules = setup.rules
        if len(setup.players) != seats or not rules.least <= seats <= rules.most:
            return (
                f"{rules.title} is for {rules.least} to {rules.most} players; it has "
                f"{len(setup.players)} and {seats} minds"
            )
        # What is imported has passed no check of catalogs.
        if why := ruleset_fault(rules):
            return f"{rules.title} cannot be played: {why}"
        names = [one.name for one in setup.players]
        if len({name.casefold().strip() for name in names} - {""}) < seats:
            return f"the players of a game have different names, not {', '.join(names)}"
        known = {role.id for role in rules.roles}
        if len(setup.cards) != seats or any(
            card is None or card.role not in known for card in setup.cards
        ):
            return "each player of a game has a card with one of the roles of its rules"
        wanted = role_counts(rules, seats)
        held = Counter([card.role for card in setup.cards if card is not None])
        if wrong := [one for one, count in wanted.items() if held[one] != count]:
            return (
                f"{rules.title}: the cards of {seats} players deal "
                f"{_counted(wrong, held)}; by its rules {_counted(wrong, wanted)}"
            )
        told = [one for card in setup.cards if card is not None for one in card.knows]
        if any(one.seat not in range(seats) or one.role not in known for one in told):
            return "a card of a game tells of its seats, and of the roles of its rules"
        for one in rules.values:
            if not _is_drawn(one, setup.values):
                return f"{rules.title}: its value {one.id} was not drawn as its rules say"
        return None

    def initial(self, setup: Deal) -> GameState:
        """Before the first phase."""
        return initial_state(setup)

    def evolve(self, world: GameState, event: Happening) -> GameState:
        """Takes acts as they come, and facts as they are."""
        match event:
            case TurnOpened(asked=asked):
                seats = {one.seat for one in asked}
                queue = world.queue
                while queue and not seats <= set(queue[0]):
                    queue = queue[1:]
                return replace(world, queue=queue[1:], fresh=(), turns=world.turns + 1)
            case ActionTaken(seat=seat, action=GameAct() as act):
                done = SeatAct(seat, act)
                return replace(world, fresh=(*world.fresh, done), acts=(*world.acts, done))
            case WorldChanged(change=Consequences(facts=facts)):
                return replace(with_facts(world, facts), fresh=())
        return world

    def next_step(self, world: GameState) -> Step:
        """What came of the last turn, the next turn, or the end."""
        if world.ended:
            return _end(world)
        facts, asked = what_follows(world)
        if facts:
            return Consequences(facts=facts)
        return Ask(asked=tuple([Asked(seat=seat, question=question) for seat, question in asked]))

    def action_fault(self, question: Decide, action: Action, seat: int, seats: int) -> str | None:
        """Verb, target, numbers and words must be among those that the question names."""
        if not isinstance(action, GameAct):
            return "the question is answered with an act"
        del seat, seats
        return act_fault(question, action)

    def nothing(self, question: Decide) -> Action:
        """The seat does nothing, whether or not it may."""
        return GameAct()


def _counted(roles: Sequence[str], counts: Mapping[str, int]) -> str:
    """How often each role is dealt: ``seer 2 times, healer 0 times``."""
    return ", ".join(f"{role} {many(counts[role], 'time')}" for role in roles)


def _is_drawn(one: DrawnValue, values: Mapping[str, str | int]) -> bool:
    if one.bank:
        return any(name.startswith(f"{one.id}.") for name in values)
    value = values.get(one.id)
    if one.words:
        return value in one.words
    low, high = one.low or 0, one.high or 0
    return isinstance(value, int) and low <= value <= high


def _end(world: GameState) -> End:
    rules = world.rules
    summary: dict[str, str | int | float | bool] = {
        "ending": world.ended,
        "rounds": world.round,
        "turns": world.turns,
        "winners": ", ".join(world.deal.players[seat].name for seat in world.winners),
        "sides": ", ".join(_sides(world)),
    }
    for seat, payoff in enumerate(payoffs_of(world)):
        summary[f"payoff {seat + 1}"] = payoff
    if world.ended == TIME:
        reason = "exhausted"
    elif world.winners:
        reason = "won"
    else:
        reason = "settled" if rules.payoffs else "drawn"
    return End(reason=reason, summary=summary)


def _sides(world: GameState) -> Sequence[str]:
    """The teams or roles that have won."""
    rules = world.rules
    if world.ended == TIME:
        return rules.rounds_winners
    return next((one.winners for one in rules.ends if one.id == world.ended), ())


RULES: Final = GameRules()
