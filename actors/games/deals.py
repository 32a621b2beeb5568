"""Deals a game: values and roles, drawn by the set, the number of the game and the seed of the
plan's deals, so that they are the same for every model that plays it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from actors.games.catalog_items import WordBank
from actors.games.ruleset import Role, Ruleset
from actors.games.setup import Deal, Known, Player, RoleCard, Settings
from actors.seeded_draws import SeededDraws
from events.base import replace

_PLACE: Final = re.compile(r"\{([a-z0-9.-]+)\}")
DEALT: Final = "games-1"
"""A part of all seeds, for the day on which games are dealt in another way."""


class BadDeal(ValueError):
    """A game that cannot be dealt."""


def role_counts(rules: Ruleset, players: int) -> dict[str, int]:
    """How many seats have each role. Raises ``BadDeal`` where they do not make up the players."""
    counts, rest = {}, []
    for role in rules.roles:
        if not role.count:
            rest.append(role.id)
            continue
        fitting = [one for one in role.count if one.players <= players]
        counts[role.id] = max(fitting, key=lambda one: one.players).count if fitting else 0
    left = players - sum(counts.values())
    if left < 0 or len(rest) > 1 or (left > 0 and not rest):
        raise BadDeal(
            f"{rules.title}: the roles of {players} players have {sum(counts.values())} seats"
            + (f", and {len(rest)} roles share the rest" if len(rest) > 1 else "")
        )
    if rest:
        counts[rest[0]] = left
    return {role.id: counts[role.id] for role in rules.roles}


def draws_of(what: str, of: Sequence[str], number: int, seed: int | None = None) -> SeededDraws:
    """What is drawn for one game of a set. ``seed``: that of the plan's deals; None: those of plans
    that were recorded before deals had one."""
    return SeededDraws(what, *of, str(number), *([] if seed is None else [str(seed)]))


def roles_in_order(
    rules: Ruleset, players: int, set_id: str, number: int, seed: int | None = None
) -> tuple[Role, ...]:
    """The role of each seat. As many games in a row as there are players give each seat each place
    of the same order, so that who sits in one seat has every role equally often."""
    named = {role.id: role for role in rules.roles}
    places = [id_ for id_, count in role_counts(rules, players).items() for _ in range(count)]
    block, turn = divmod(number - 1, players)
    draws = draws_of(DEALT, (set_id, rules.id), block, seed)
    order = sorted(range(players), key=lambda place: draws.below(f"seat{place}", 2**31))
    return tuple([named[places[order[(seat + turn) % players]]] for seat in range(players)])


def drawn_values(
    rules: Ruleset, banks: Mapping[str, WordBank], draws: SeededDraws
) -> dict[str, str | int]:
    """What is drawn before a game. Raises ``BadDeal`` where a bank is missing or
    a range is empty."""
    found: dict[str, str | int] = {}
    for one in rules.values:
        if one.bank:
            bank = banks.get(one.bank)
            if bank is None:
                raise BadDeal(f"{rules.title}: there is no bank {one.bank!r} in the catalog")
            row = list(draws.one(one.id, bank.rows))
            if one.swap and draws.below(f"{one.id}.swap", 2):
                row.reverse()
            for column, word in zip(bank.columns, row, strict=True):
                found[f"{one.id}.{column}"] = word
        elif one.words:
            found[one.id] = draws.one(one.id, one.words)
        else:
            low, high = one.low or 0, one.high or 0
            found[one.id] = low + one.step * draws.below(one.id, (high - low) // one.step + 1)
    return found


def filled(text: str, values: Mapping[str, str | int]) -> str:
    """A text with drawn values in the places that name them."""
    return _PLACE.sub(lambda found: str(values.get(found[1], found[0])), text)


def places_of(text: str) -> tuple[str, ...]:
    """The values that a text names."""
    return tuple(_PLACE.findall(text))


def cards_of(roles: Sequence[Role], values: Mapping[str, str | int]) -> tuple[RoleCard, ...]:
    """What each seat is told before the game."""
    return tuple(
        [
            RoleCard(
                role=role.id,
                goal=filled(role.goal, values),
                secret=filled(role.secret, values),
                knows=tuple(
                    [
                        Known(seat=other, role=one.id)
                        for other, one in enumerate(roles)
                        if other != seat and (one.id in role.knows or one.team in role.knows)
                    ]
                ),
            )
            for seat, role in enumerate(roles)
        ]
    )


def dealt(
    rules: Ruleset,
    players: Sequence[Player],
    banks: Mapping[str, WordBank],
    set_id: str,
    number: int,
    *,
    scene: str = "",
    settings: Settings | None = None,
    seed: int = 0,
) -> Deal:
    """A game, ready to be played. ``seed``: of its lots. Raises ``BadDeal``."""
    settings = settings or Settings()
    roles = roles_in_order(rules, len(players), set_id, number, settings.deals)
    draws = draws_of(DEALT, (set_id, rules.id), number, settings.deals)
    values = drawn_values(rules, banks, draws)
    return Deal(
        rules=rules,
        scene=scene,
        players=tuple(players),
        cards=cards_of(roles, values),
        values=values,
        # With the catalog, the seed would tell who has which role.
        settings=replace(settings, deals=None),
        number=number,
        seed=seed,
    )
