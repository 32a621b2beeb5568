"""The figures of some games: means with intervals by deal, lengths, efficiency and ratings."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from actors.games.ruleset import Ruleset
from actors.text.amounts import many
from evaluators.games.contests import contests_of
from evaluators.games.played_games import PlayedGame, PlayedGames
from evaluators.games.seat_results import SeatResult
from evaluators.games.strengths import Ratings, ratings_of
from evaluators.scores.scales import ENDLESS, Scale
from evaluators.statistics.estimates import Estimate, mean

PartKind = Literal["all", "team", "role"]
MeasureName = Literal[
    "won", "payoff", "equilibrium", "right_votes", "survived", "leaks", "illegal", "turns"
]
_SHARE: Final = Scale(0, 1)
_COUNT: Final = Scale(0, ENDLESS.high)


class SeatMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of something over seats of a model."""

    ruleset: str
    kind: PartKind
    part: str
    """The team's or the role's id; empty: all."""
    model: str
    measure: MeasureName
    n: int
    """Seats, or votes."""
    found: Estimate


class GameLength(msgspec.Struct, frozen=True, kw_only=True):
    """How long games took that ended in one way."""

    ruleset: str
    ending: str
    """Its id; empty: all games of the ruleset."""
    games: int
    rounds: Estimate
    turns: Estimate


class Efficiency(msgspec.Struct, frozen=True, kw_only=True):
    """What the models in the seats got together, beside what they could have."""

    ruleset: str
    models: str
    """``a + b``, whatever their seats."""
    games: int
    total: Estimate
    """The sum of all payoffs of a game."""
    efficient: float | None
    """The mean of the greatest sum; None: there is no theory of some of the games."""
    share: Estimate
    """The mean of a game's total by its greatest, where that is more than nothing."""


class GamesReport(msgspec.Struct, frozen=True, kw_only=True):
    """All that is told of some games."""

    games: int
    rulesets: dict[str, str]
    """Titles by id, in the order in which they were played."""
    measures: tuple[SeatMeasure, ...]
    lengths: tuple[GameLength, ...]
    efficiencies: tuple[Efficiency, ...]
    ratings: tuple[Ratings, ...]
    """Of each ruleset in which somebody has won, overall and by team; of several also together."""
    notes: tuple[str, ...] = ()
    """What is left out."""
    no_findings: tuple[str, ...] = ()
    """Sentences that say of rehearsal minds that they are such."""


class _Seat(msgspec.Struct, frozen=True):
    game: PlayedGame
    result: SeatResult

    @property
    def model(self) -> str:
        return self.game.minds[self.result.seat]


_Values = Callable[[_Seat], Sequence[float]]


def _one(value: float | bool | None) -> Sequence[float]:
    return () if value is None else (float(value),)


def _votes(seat: _Seat) -> Sequence[float]:
    return [float(vote.right) for vote in seat.result.votes or ()]


def _illegal(seat: _Seat) -> Sequence[float]:
    return _one(len(seat.result.failed) + seat.game.again[seat.result.seat])


def _equilibrium(seat: _Seat) -> Sequence[float]:
    return _one(seat.game.equilibrium[seat.result.seat])


MEASURES: Final[Mapping[MeasureName, tuple[_Values, Scale]]] = {
    "won": (lambda seat: _one(seat.result.won), _SHARE),
    "payoff": (lambda seat: _one(seat.result.payoff), ENDLESS),
    "equilibrium": (_equilibrium, ENDLESS),
    "right_votes": (_votes, _SHARE),
    "survived": (lambda seat: _one(seat.result.survived), _SHARE),
    "leaks": (
        lambda seat: () if seat.result.leaks is None else _one(len(seat.result.leaks)),
        _COUNT,
    ),
    "illegal": (_illegal, _COUNT),
    "turns": (lambda seat: _one(seat.result.turns), _COUNT),
}
"""What each is of a seat, and its scale. Votes are several values of a seat."""


def report_of(played: PlayedGames, no_findings: Iterable[str] = ()) -> GamesReport:
    """The figures of some games."""
    by_rules: dict[str, list[PlayedGame]] = {}
    for game in played.games:
        by_rules.setdefault(game.rules.id, []).append(game)
    return GamesReport(
        games=len(played.games),
        rulesets={id_: games[0].rules.title for id_, games in by_rules.items()},
        measures=tuple(
            one for games in by_rules.values() for one in _measures(games[0].rules, games)
        ),
        lengths=tuple(one for games in by_rules.values() for one in _lengths(games)),
        efficiencies=tuple(one for games in by_rules.values() for one in _efficiencies(games)),
        ratings=tuple(_ratings(by_rules)),
        notes=tuple(_notes(played)),
        no_findings=tuple(no_findings),
    )


def _measures(rules: Ruleset, games: Sequence[PlayedGame]) -> Iterator[SeatMeasure]:
    seats = [_Seat(game, result) for game in games for result in game.result.seats]
    for kind, part, some in _parts(rules, seats):
        by_model: dict[str, list[_Seat]] = defaultdict(list)
        for seat in some:
            by_model[seat.model].append(seat)
        for model in sorted(by_model):
            for name, (of, scale) in MEASURES.items():
                values = [(value, one.game.deal) for one in by_model[model] for value in of(one)]
                if values:
                    yield SeatMeasure(
                        ruleset=rules.id,
                        kind=kind,
                        part=part,
                        model=model,
                        measure=name,
                        n=len(values),
                        found=_mean(values, scale),
                    )


def _parts(
    rules: Ruleset, seats: Sequence[_Seat]
) -> Iterator[tuple[PartKind, str, Sequence[_Seat]]]:
    """All seats, those of each team where there are several, and those of each role that is more
    or less than a team."""
    yield "all", "", seats
    teams = {team: [one for one in seats if one.result.team == team] for team in _teams(rules)}
    if len(teams) > 1:
        for team, some in teams.items():
            yield "team", team, some
    for role in rules.roles:
        some = [one for one in seats if one.result.role == role.id]
        if some and len(some) not in (len(seats), len(teams[role.team])):
            yield "role", role.id, some


def _teams(rules: Ruleset) -> Iterable[str]:
    return dict.fromkeys(role.team for role in rules.roles)


def _lengths(games: Sequence[PlayedGame]) -> Iterator[GameLength]:
    endings = dict.fromkeys(sorted(game.result.ending for game in games))
    for ending in ("", *endings) if len(endings) > 1 else ("",):
        some = [game for game in games if ending in ("", game.result.ending)]
        yield GameLength(
            ruleset=games[0].rules.id,
            ending=ending,
            games=len(some),
            rounds=_mean([(game.result.rounds, game.deal) for game in some], _COUNT),
            turns=_mean([(game.result.turns, game.deal) for game in some], _COUNT),
        )


def _efficiencies(games: Sequence[PlayedGame]) -> Iterator[Efficiency]:
    by_models: dict[str, list[PlayedGame]] = defaultdict(list)
    for game in games:
        if game.result.total is not None:
            by_models[" + ".join(sorted(set(game.minds)))].append(game)
    for models, some in sorted(by_models.items()):
        best = [game.efficient for game in some if game.efficient is not None]
        yield Efficiency(
            ruleset=games[0].rules.id,
            models=models,
            games=len(some),
            total=_mean([(game.result.total or 0.0, game.deal) for game in some], ENDLESS),
            efficient=sum(best) / len(best) if len(best) == len(some) else None,
            share=_mean(
                [
                    ((game.result.total or 0.0) / game.efficient, game.deal)
                    for game in some
                    if game.efficient is not None and game.efficient > 0
                ],
                ENDLESS,
            ),
        )


def _ratings(by_rules: Mapping[str, Sequence[PlayedGame]]) -> Iterator[Ratings]:
    contests = {id_: list(contests_of(games)) for id_, games in by_rules.items()}
    rated = {id_: found for id_, found in contests.items() if found}
    for id_, found in rated.items():
        yield ratings_of(found, id_)
        yield ratings_of(found, id_, by_side=True)
    if len(rated) > 1:
        yield ratings_of([one for found in rated.values() for one in found], "")


def _notes(played: PlayedGames) -> Iterator[str]:
    if played.unfinished:
        yield f"Left out: {many(played.unfinished, 'game')} that did not come to an end."


def _mean(values: Sequence[tuple[float, str]], scale: Scale) -> Estimate:
    found = mean([value for value, _ in values], [deal for _, deal in values], "scenarios", scale)
    return msgspec.structs.replace(found, why=found.why.replace("scenarios", "deals"))
