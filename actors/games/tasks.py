"""The games that can be played, and how each begins."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, MissingItem, TaskEntry, item_of
from actors.episodes.port.tasks import Tasks
from actors.games.catalog_items import Catalog, GameSet
from actors.games.deals import BadDeal, dealt, draws_of, role_counts
from actors.games.ruleset import Ruleset
from actors.games.setup import Settings

FIRST: Final = (10, 100)
"""A plan can choose so many games of every set by the tag ``first-N``."""


class GameTasks(Tasks[Catalog, Settings]):
    """The games of all sets."""

    def entries(self, catalog: Catalog) -> Sequence[TaskEntry]:
        """One a game, of sets whose games can be dealt; what is wrong with others is said once."""
        return [
            TaskEntry(
                id=f"{one.id}-{number}",
                seats=one.players,
                tags=_tags(one, number),
                only_by=one.id if one.variant else "",
            )
            for one in catalog.sets
            if _can_be_dealt(catalog, one)
            for number in range(1, one.games + 1)
        ]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """A game. Raises ``MissingItem``."""
        one, number = _set_of(catalog, task)
        rules: Ruleset = item_of(catalog, "ruleset", one.ruleset)
        draws = draws_of("games-people", (catalog.name, one.id), number, settings.deals)
        players = draws.some("player", catalog.players, one.players)
        if len(players) < one.players:
            raise MissingItem(catalog.name, "player", f"number {len(players) + 1}")
        scenes = [
            scene for scene in catalog.scenes if not scene.rulesets or rules.id in scene.rulesets
        ]
        scene = draws.one("scene", scenes).text if scenes else ""
        banks = {bank.id: bank for bank in catalog.banks}
        try:
            deal = dealt(
                rules,
                players,
                banks,
                one.id,
                number,
                scene=scene,
                settings=settings,
                seed=seed,
            )
        except BadDeal as error:
            raise MissingItem(catalog.name, "deal", str(error)) from error
        return Beginning(
            setup=deal,
            scenario=task,
            title=f"{rules.title} ({task})",
            characters=tuple([player.name for player in players]),
            tags=(one.id, rules.id, *one.tags),
        )


def _can_be_dealt(catalog: Catalog, one: GameSet) -> bool:
    rules = next((rules for rules in catalog.rulesets if rules.id == one.ruleset), None)
    if rules is None or not rules.least <= one.players <= min(rules.most, len(catalog.players)):
        return False
    banks = {bank.id for bank in catalog.banks}
    if any(value.bank and value.bank not in banks for value in rules.values):
        return False
    try:
        role_counts(rules, one.players)
    except BadDeal:
        return False
    return True


def _tags(one: GameSet, number: int) -> tuple[str, ...]:
    few = [f"first-{few}" for few in FIRST if number <= few]
    return tuple(dict.fromkeys((one.id, one.ruleset, *one.tags, *few)))


def _set_of(catalog: Catalog, task: str) -> tuple[GameSet, int]:
    id_, _, digits = task.rpartition("-")
    if digits.isascii() and digits.isdigit():
        for one in catalog.sets:
            if one.id == id_ and 1 <= int(digits) <= one.games:
                return one, int(digits)
    raise MissingItem(catalog.name, "task", task)


TASKS: Final = GameTasks()
