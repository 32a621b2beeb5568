"""Everything that is wrong or odd with a catalog of games, and what a new one begins with."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from actors.episodes.catalogs.entries import Remark
from actors.episodes.catalogs.writer import entries_of
from actors.episodes.port.authoring import Authoring
from actors.episodes.port.environment import Environment
from actors.games.catalog.starter import HERE, starter_catalog
from actors.games.catalog_items import Catalog, GameScene, GameSet, WordBank
from actors.games.checks.effect_checks import error, unknown, warning
from actors.games.checks.ruleset_checks import players_of, ruleset_remarks
from actors.toml_lines import Place
from actors.typed_values import suggestion
from events.base import replace

_BEGUN_WITH: Final = "hunt"
"""The ruleset of a new catalog, and how many play."""
_FEW: Final = 5


def catalog_remarks(catalog: Catalog) -> Iterator[Remark]:
    """What is wrong with a catalog of games, with its places."""
    banks = {bank.id: bank for bank in catalog.banks}
    for number, rules in enumerate(catalog.rulesets):
        for remark in ruleset_remarks(rules, banks):
            yield remark._replace(place=("ruleset", number, *remark.place))
    for number, bank in enumerate(catalog.banks):
        yield from _bank(("bank", number), bank)
    names = Counter(player.name.casefold().strip() for player in catalog.players)
    for number, player in enumerate(catalog.players):
        count = names[player.name.casefold().strip()]
        if not player.name.strip():
            yield error(("player", number, "name"), "a player needs a name to be called by")
        elif count > 1:
            why = f"{count} players are called {player.name!r}; names must differ"
            yield error(("player", number, "name"), why)
    for number, scene in enumerate(catalog.scenes):
        yield from _scene(("scene", number), scene, catalog)
    for number, one in enumerate(catalog.sets):
        yield from _set(("set", number), one, catalog)


def _bank(place: Place, bank: WordBank) -> Iterator[Remark]:
    if len(set(bank.columns)) < len(bank.columns):
        yield error((*place, "columns"), "two columns have the same name; names must differ")
    for number, row in enumerate(bank.rows):
        if len(row) != len(bank.columns):
            why = f"has {len(row)} words, and the bank {len(bank.columns)} columns"
            yield error((*place, "rows", number), f"the row {why}; give a word for each")


def _scene(place: Place, scene: GameScene, catalog: Catalog) -> Iterator[Remark]:
    known = [one.id for one in catalog.rulesets]
    for number, given in enumerate(scene.rulesets):
        if given not in known:
            why = f"there is no ruleset {given!r}{suggestion(given, known)}"
            yield warning((*place, "rulesets", number), why)


def _set(place: Place, one: GameSet, catalog: Catalog) -> Iterator[Remark]:
    rules = next((rules for rules in catalog.rulesets if rules.id == one.ruleset), None)
    if rules is None:
        known = [rules.id for rules in catalog.rulesets]
        yield from unknown((*place, "ruleset"), "ruleset", one.ruleset, known)
    elif not rules.least <= one.players <= rules.most:
        why = f"{rules.title} is for {players_of(rules)}, not {one.players}"
        yield error((*place, "players"), why)
    if len(catalog.players) < one.players:
        why = f"the catalog has {len(catalog.players)} players; {one.players} are needed"
        yield error((*place, "players"), why)


class GameAuthoring(Authoring[Catalog]):
    """Rulesets are checked as a whole; a new catalog begins with one."""

    def check(self, catalog: Catalog) -> Iterable[Remark]:
        """What is wrong with a catalog beyond what its types say."""
        return catalog_remarks(catalog)

    def template(self, environment: Environment) -> Mapping[str, str]:
        """The hunt of five, in one scene, with as many players; the rules as they are written."""
        starter = starter_catalog()
        small = replace(
            starter,
            rulesets=(),
            banks=(),
            players=starter.players[:_FEW],
            scenes=tuple([one for one in starter.scenes if _BEGUN_WITH in one.rulesets][:1]),
            sets=(
                GameSet(
                    id=f"{_BEGUN_WITH}-{_FEW}", ruleset=_BEGUN_WITH, players=_FEW, games=2 * _FEW
                ),
            ),
        )
        rules = (HERE / f"{_BEGUN_WITH}.toml").read_text(encoding="utf-8")
        return {**entries_of(environment, small), "rulesets": rules}


AUTHORING: Final = GameAuthoring()
