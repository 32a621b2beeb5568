"""The games of some runs, each with what came of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from actors.games.ruleset import Ruleset
from actors.games.setup import Deal, Settings
from actors.games.sight import SIGHT, GameView
from actors.games.theory import TheoryOutcome, theory_of
from evaluators.games.seat_results import GameResult, result_of
from events.base import Event
from events.episode import EpisodeStarted
from events.run import Plan

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData
    from store.read_model.records import EpisodeRow


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that came to its end."""

    episode: str
    deal: str
    """Its set and number, with the catalog and the seed of the plan's deals: the same for all who
    played it."""
    rules: Ruleset
    minds: tuple[str, ...]
    """By seat, the names of those who sat there in truth."""
    result: GameResult
    equilibrium: tuple[float | None, ...]
    efficient: float | None
    again: tuple[int, ...]
    """By seat: answers that were asked for again."""


class PlayedGames(msgspec.Struct, frozen=True, kw_only=True):
    """The games of some runs."""

    games: tuple[PlayedGame, ...]
    unfinished: int = 0
    """Games that began and did not come to their end."""


def games_of(
    runs: "Iterable[tuple[RunData, Iterable[tuple[EpisodeRow, Sequence[Event]]]]]",
) -> PlayedGames:
    """Of runs, each with its episodes and their histories. Forks, and episodes that others were
    played in the place of, are left out."""
    games: list[PlayedGame] = []
    unfinished = 0
    for gathered, histories in runs:
        again = gathered.asked_again()
        for row, history in histories:
            if row.parent is not None or row.superseded_by:
                continue
            deal = _deal_of(history)
            if deal is None:
                continue
            game = played_game(row, gathered.planned.plan, deal, history, again)
            if game.result.ending:
                games.append(game)
            else:
                unfinished += 1
    return PlayedGames(games=tuple(games), unfinished=unfinished)


def played_game(
    row: "EpisodeRow",
    plan: Plan,
    deal: Deal,
    history: Sequence[Event],
    again: Mapping[tuple[str, int], int],
) -> PlayedGame:
    """One game, by its events."""
    theory: TheoryOutcome = theory_of(deal)
    view = SIGHT.view(history, "judge")
    assert isinstance(view, GameView), "sight makes no other"
    return PlayedGame(
        episode=row.id,
        deal="/".join((plan.catalog, row.task, *_seed_of(plan))),
        rules=deal.rules,
        minds=tuple(row.minds),
        result=result_of(view),
        equilibrium=theory.equilibrium,
        efficient=theory.efficient,
        again=tuple([again.get((row.id, seat), 0) for seat in range(len(row.minds))]),
    )


def _seed_of(plan: Plan) -> tuple[str, ...]:
    """The seed of a plan's deals; those of older plans have none."""
    settings = plan.settings
    if not isinstance(settings, Settings) or settings.deals is None:
        return ()
    return (str(settings.deals),)


def _deal_of(history: Sequence[Event]) -> Deal | None:
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    return started.setup if started is not None and isinstance(started.setup, Deal) else None
