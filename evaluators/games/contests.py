"""Which side of a game has won against which."""

from collections.abc import Iterable, Iterator
from itertools import combinations

import msgspec

from evaluators.games.played_games import PlayedGame


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """Two teams of a game of which one has won and the other has not."""

    ruleset: str
    deal: str
    teams: tuple[str, str]
    minds: tuple[tuple[str, ...], tuple[str, ...]]
    """Who sat in the seats of either."""
    first_won: bool


def contests_of(games: Iterable[PlayedGame]) -> Iterator[Contest]:
    """All pairs of teams of which just one has won. A team has won where one of its seats has."""
    for game in games:
        sides: dict[str, list[str]] = {}
        won: dict[str, bool] = {}
        for seat in game.result.seats:
            sides.setdefault(seat.team, []).append(game.minds[seat.seat])
            won[seat.team] = won.get(seat.team, False) or bool(seat.won)
        # In the order of the rules, so that seats do not decide which is the first.
        teams = dict.fromkeys(role.team for role in game.rules.roles)
        for one, other in combinations([team for team in teams if team in sides], 2):
            if won[one] != won[other]:
                yield Contest(
                    ruleset=game.rules.id,
                    deal=game.deal,
                    teams=(one, other),
                    minds=(tuple(sides[one]), tuple(sides[other])),
                    first_won=won[one],
                )
