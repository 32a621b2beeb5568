"""A game after some event, and what a fact changes about it."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import msgspec

from actors.games.ruleset import Phase, Role, Ruleset
from actors.games.setup import Deal, GameAct, GameFact
from events.base import replace
from events.serialization.identity_key import cached_by_identity

K = TypeVar("K")
V = TypeVar("V")
NOT_BEGUN: Final = -1


class Offer(msgspec.Struct, frozen=True):
    """The offer that stands."""

    seat: int
    numbers: Mapping[str, int]


class SeatAct(msgspec.Struct, frozen=True):
    """An act of a seat."""

    seat: int
    act: GameAct


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing in it changes; events make new ones."""

    deal: Deal
    roles: tuple[Role, ...]
    """Each seat's."""
    alive: tuple[bool, ...]
    own: tuple[Mapping[str, int], ...]
    """Each seat's counters."""
    shared: Mapping[str, int]
    marks: Mapping[str, frozenset[int]] = {}
    safe: frozenset[int] = frozenset()
    """Who is protected."""
    offer: Offer | None = None
    phase: int = NOT_BEGUN
    """Its place in the rules."""
    round: int = 1
    queue: tuple[tuple[int, ...], ...] = ()
    """Who is to act in this phase, turn by turn."""
    acts: tuple[SeatAct, ...] = ()
    """Those of this phase."""
    fresh: tuple[SeatAct, ...] = ()
    """Those whose consequences have not come yet."""
    turns: int = 0
    """Acts in the whole game."""
    ended: str = ""
    """The ending's id."""
    winners: tuple[int, ...] = ()

    @property
    def rules(self) -> Ruleset:
        """The rules of the game."""
        return self.deal.rules

    @property
    def here(self) -> Phase:
        """The phase that goes on."""
        return self.deal.rules.phases[self.phase]


@cached_by_identity(maxsize=256)
def _roles_by_id(rules: Ruleset) -> Mapping[str, Role]:
    return {role.id: role for role in rules.roles}


def roles_of(deal: Deal) -> tuple[Role, ...]:
    """Each seat's role. All cards must be known."""
    named = _roles_by_id(deal.rules)
    return tuple([named[card.role] for card in deal.cards if card is not None])


@cached_by_identity(maxsize=256)
def phase_places(rules: Ruleset) -> Mapping[str, int]:
    """The places of phases by their ids."""
    return {phase.id: place for place, phase in enumerate(rules.phases)}


def initial_state(deal: Deal) -> GameState:
    """Before the first phase."""
    roles = roles_of(deal)
    return GameState(
        deal=deal,
        roles=roles,
        alive=(True,) * len(deal.players),
        own=tuple([dict(role.counters) for role in roles]),
        shared=dict(deal.rules.counters),
    )


def rounds_of(deal: Deal) -> int:
    """After how many rounds the game is over."""
    most = deal.rules.rounds or 1
    return min(most, deal.settings.rounds or most)


def repeats_of(deal: Deal, phase: Phase) -> int:
    """How often each seat acts in a phase."""
    if deal.settings.talk and any(verb.says for verb in phase.verbs):
        return deal.settings.talk
    return phase.repeat


def with_facts(state: GameState, facts: Iterable[GameFact]) -> GameState:
    """The state after all of them."""
    for fact in facts:
        state = with_fact(state, fact)
    return state


def with_fact(state: GameState, fact: GameFact) -> GameState:
    """The state after one fact."""
    seat = fact.seat
    match fact.kind:
        case "phase":
            place = phase_places(state.rules)[fact.name]
            return replace(
                state,
                phase=place,
                round=fact.amount,
                acts=(),
                queue=_queue(state, state.rules.phases[place], fact.amount),
            )
        case "eliminated":
            alive = tuple([one and place != seat for place, one in enumerate(state.alive)])
            stands = state.offer is not None and state.offer.seat != seat
            return replace(state, alive=alive, offer=state.offer if stands else None)
        case "protected" if seat is not None:
            return replace(state, safe=state.safe | {seat})
        case "unprotected":
            return replace(state, safe=state.safe - {seat})
        case "marked" if seat is not None:
            bearers = state.marks.get(fact.name, frozenset()) | {seat}
            return replace(state, marks=_with(state.marks, fact.name, bearers))
        case "unmarked":
            bearers = state.marks.get(fact.name, frozenset()) - {seat}
            return replace(state, marks=_with(state.marks, fact.name, bearers))
        case "counted":
            return _counted(state, seat, fact.name, fact.amount)
        case "gave":
            state = _counted(state, seat, fact.name, -fact.amount)
            return _counted(state, fact.other, fact.name, fact.amount)
        case "offered" if seat is not None:
            return replace(state, offer=Offer(seat, fact.numbers))
        case "closed":
            return replace(state, offer=None)
        case "ended":
            return replace(state, ended=fact.name, winners=fact.seats, queue=())
    return state


def _queue(state: GameState, phase: Phase, round_: int) -> tuple[tuple[int, ...], ...]:
    """The turns of a phase, for all seats: who of them acts is seen when it is their turn. The
    first seat changes from round to round."""
    seats = range(len(state.alive))
    if not phase.verbs:
        return ()
    repeats = repeats_of(state.deal, phase)
    if phase.order == "together":
        return (tuple(seats),) * repeats
    first = (round_ - 1) % len(seats)
    return tuple([((seat + first) % len(seats),) for seat in seats]) * repeats


def _counted(state: GameState, seat: int | None, name: str, by: int) -> GameState:
    if seat is None:
        return replace(state, shared=_with(state.shared, name, state.shared.get(name, 0) + by))
    counters = _with(state.own[seat], name, state.own[seat].get(name, 0) + by)
    own = tuple([counters if place == seat else one for place, one in enumerate(state.own)])
    return replace(state, own=own)


def _with(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    return {**mapping, key: value}
