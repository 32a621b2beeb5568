"""What came of a game for each seat, by what a judge sees of it."""

from collections.abc import Iterator
from typing import Final

import msgspec

from actors.games.payoffs import payoffs_of
from actors.games.ruleset import Ruleset
from actors.games.sight import ActSeen, FactSeen, GameView
from actors.games.state import GameState, initial_state, roles_of, with_facts
from evaluators.games.leaks import NOTHING, has_winners, hidden_of, leaks_of

UNUSABLE: Final = frozenset(
    {"unreadable", "cut_off", "loop", "thoughts_only", "tool_call", "empty", "mind_error"}
)
"""Reasons of failed actions that lie in the answer: it could not be read, or the rules forbid it.
Others are of servers, filters and clocks."""


class Vote(msgspec.Struct, frozen=True):
    """A vote that all learn of."""

    number: int
    """The event's."""
    target: int
    right: bool
    """Whether it names a seat of another team."""


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's. None: the rules know no such thing."""

    seat: int
    role: str
    team: str
    won: bool | None
    payoff: float | None
    survived: bool | None
    votes: tuple[Vote, ...] | None
    """None: there is no public vote, or nobody on another side."""
    turns: int
    """How often it was asked to act and did, or failed to."""
    leaks: tuple[int, ...] | None
    """Numbers of the events in which it gave itself away; None: it had nothing to hide."""
    failed: tuple[int, ...]
    """Numbers of its answers that were no act (``UNUSABLE``)."""


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """A game's."""

    ending: str
    """Its id in the rules; empty: the game did not come to its end."""
    rounds: int
    turns: int
    """Turns until then; all who act together take one."""
    seats: tuple[SeatResult, ...]

    @property
    def total(self) -> float | None:
        """The sum of all payoffs; None where the rules have none."""
        payoffs = [one.payoff for one in self.seats if one.payoff is not None]
        return sum(payoffs) if payoffs else None


def result_of(view: GameView) -> GameResult:
    """What came of a game, of the view of a judge or a narrator."""
    deal, rules = view.setup, view.setup.rules
    state = final_state(view)
    acts = [one for one in view.noticed if isinstance(one, ActSeen)]
    votes, leaks, hidden = votes_of(view), leaks_of(view), hidden_of(deal)
    payoffs = payoffs_of(state)
    roles = roles_of(deal)
    sides = len({role.team for role in roles}) > 1
    voting = sides and any(_votes_in(rules))
    eliminating = _eliminates(rules)
    return GameResult(
        ending=state.ended,
        rounds=state.round,
        turns=view.turn,
        seats=tuple(
            [
                SeatResult(
                    seat=seat,
                    role=role.id,
                    team=role.team,
                    won=seat in state.winners if has_winners(rules) else None,
                    payoff=payoffs[seat] if rules.payoffs else None,
                    survived=state.alive[seat] if eliminating else None,
                    votes=votes[seat] if voting else None,
                    turns=sum(one.seat == seat for one in acts),
                    leaks=leaks[seat] if hidden[seat] != NOTHING else None,
                    failed=tuple(
                        [one.number for one in acts if one.seat == seat and one.failed in UNUSABLE]
                    ),
                )
                for seat, role in enumerate(roles)
            ]
        ),
    )


def final_state(view: GameView) -> GameState:
    """The game after all facts that the view has."""
    facts = [one.fact for one in view.noticed if isinstance(one, FactSeen)]
    return with_facts(initial_state(view.setup), facts)


def votes_of(view: GameView) -> tuple[tuple[Vote, ...], ...]:
    """Each seat's votes in phases whose acts all learn of: the last of a phase counts."""
    rules, roles = view.setup.rules, roles_of(view.setup)
    counted = set(_votes_in(rules))
    last: dict[tuple[int, str, int], Vote] = {}
    for one in view.noticed:
        if not isinstance(one, ActSeen) or (one.phase, one.act.verb) not in counted:
            continue
        target = one.act.target
        if target is not None:
            right = roles[target].team != roles[one.seat].team
            last[one.seat, one.phase, one.round] = Vote(one.number, target, right)
    return tuple(
        [
            tuple([vote for (voter, _, _), vote in last.items() if voter == seat])
            for seat in range(len(roles))
        ]
    )


def _votes_in(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Phase and verb of each vote that is public."""
    for phase in rules.phases:
        if phase.visibility == "public":
            for effect in phase.effects:
                if effect.do == "vote":
                    yield phase.id, effect.name


def _eliminates(rules: Ruleset) -> bool:
    return any(
        effect.do == "eliminate"
        for phase in rules.phases
        for effects in (phase.effects, *(verb.effects for verb in phase.verbs))
        for effect in effects
    )
