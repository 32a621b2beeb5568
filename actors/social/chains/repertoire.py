"""What a cast can play in a chain, and in which order."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from actors.episodes.chain_support import ChainSection
from actors.social.catalog.misfits import kind_fits, misfits, seat_misfits
from actors.social.catalog_items import Catalog, RelationshipKind, Scenario
from actors.social.chains.casts import Cast
from actors.toml_file import BadFile, nearest
from events.ids import derived_number


class Repertoire(NamedTuple):
    """The scenarios of one cast, by id."""

    drawn: tuple[str, ...]
    """From which the chain is filled; empty where the plan names all."""
    taught: frozenset[str]
    """Of them, those in which facts come up that its hard scenarios need."""
    hard: tuple[str, ...]
    """Those that end the chain."""
    misfit: str
    """Why the cast cannot play the chain; empty where it can."""


class ScenarioChoice:
    """The scenarios that the ``[chains]`` section of a plan allows.

    Drawn are those that fit the cast (relationship, age, occupation), carry the tags and need
    nothing of earlier episodes: what a hard scenario needs has to come up before it.
    """

    def __init__(self, catalog: Catalog, chains: ChainSection, path: str) -> None:
        """Raises ``BadFile`` for scenarios that are not there."""
        self.catalog, self.chains, self.path = catalog.name, chains, path
        self.by_id = {scenario.id: scenario for scenario in catalog.scenarios}
        self.named = self._known("scenarios", chains.scenarios)
        self.all_hard = chains.hard == "all"
        ending = () if chains.hard == "all" else chains.hard
        self.hard = self._known("hard", ending)
        if self.all_hard:
            self.hard = tuple(scenario for scenario in catalog.scenarios if scenario.needs)
            if not self.hard:
                why = f"no scenario of catalog {catalog.name!r} needs facts of earlier episodes"
                raise BadFile(path, "chains.hard", why)
        self.pool = () if self.named else self._pool(catalog)
        self._seats: dict[str, tuple[frozenset[str], ...]] = {}
        self._suited: dict[frozenset[RelationshipKind], list[Scenario]] = {}
        self._characters = catalog.characters

    def repertoire(self, cast: Cast) -> Repertoire:
        """What the cast can play."""
        for scenario in self.named:
            if why := self._misfit(scenario, cast):
                return _cannot(why)
        ids, kinds = cast.ids, cast.kinds
        if (suited := self._suited.get(kinds)) is None:
            suited = [one for one in self.pool if all(kind_fits(one, kind) for kind in kinds)]
            self._suited[kinds] = suited
        drawn = tuple(scenario.id for scenario in suited if self._seated(scenario, ids))
        played = {*drawn, *(scenario.id for scenario in self.named)}
        hard: list[str] = []
        taught: set[str] = set()
        why = ""
        for scenario in self.hard:
            needed = {fact.taught_by for fact in scenario.needs} & self.by_id.keys() - {*hard}
            before = len(self.named or taught | needed)
            why = self._misfit(scenario, cast) or self._unready(
                scenario, sorted(needed - played), before
            )
            if not why:
                hard.append(scenario.id)
                taught |= needed
            elif not self.all_hard:
                return _cannot(why)
        if self.hard and not hard:
            return _cannot(why)
        if not played:
            return _cannot("no scenario fits them")
        return Repertoire(drawn, frozenset(taught), tuple(hard), "")

    def order(self, cast: Cast, repertoire: Repertoire) -> tuple[str, ...]:
        """The scenarios of a chain of the cast, one an episode, the hard ones last.

        Each that is drawn is played once before one is played again, in another order then, and
        never twice in a row where there is another.
        """
        before = self.chains.episodes
        if self.named:
            named = [scenario.id for scenario in self.named]
            row = list(itertools.islice(itertools.cycle(named), before))
        else:
            row = self._drawn(cast, repertoire, before)
        return (*row, *repertoire.hard)

    def rating(self, cast: Cast) -> int:
        """How many different scenarios a chain of the cast would have; 0: it cannot be played."""
        found = self.repertoire(cast)
        if found.misfit:
            return 0
        before = min(len(found.drawn), self.chains.episodes)
        return len(found.hard) + (before or len({*self.named}))

    def _drawn(self, cast: Cast, repertoire: Repertoire, count: int) -> list[str]:
        row: list[str] = []
        for round_ in itertools.count():
            left = count - len(row)
            if not left:
                return row
            lots = self._by_lot(cast, round_, repertoire.drawn)
            if round_ == 0:
                # In a short chain what must be learnt goes before what need not.
                chosen = sorted(lots, key=lambda id_: id_ not in repertoire.taught)[:left]
                lots = [id_ for id_ in lots if id_ in chosen]
            if row and row[-1] == lots[0]:
                lots = [*lots[1:], lots[0]]
            row += lots[:left]
        raise AssertionError("rounds do not end")

    def _by_lot(self, cast: Cast, round_: int, ids: Sequence[str]) -> list[str]:
        words = (str(self.chains.seed), *cast.ids, str(round_))
        return sorted(ids, key=lambda id_: (derived_number(*words, id_), id_))

    def _fits(self, scenario: Scenario, cast: Cast) -> bool:
        kinds_fit = all(kind_fits(scenario, kind) for kind in cast.kinds)
        return kinds_fit and self._seated(scenario, cast.ids)

    def _seated(self, scenario: Scenario, ids: Sequence[str]) -> bool:
        seats = self._seats.get(scenario.id)
        if seats is None:
            seats = self._seats[scenario.id] = tuple(
                frozenset(c.id for c in self._characters if not seat_misfits(scenario, seat, c))
                for seat in range(len(scenario.goals))
            )
        return len(seats) == len(ids) and all(map(frozenset.__contains__, seats, ids))

    def _misfit(self, scenario: Scenario, cast: Cast) -> str:
        """Why the cast cannot play the scenario; empty where it can."""
        if self._fits(scenario, cast):
            return ""
        if len(scenario.goals) != len(cast.characters):
            why = f"it has {len(scenario.goals)} seats, they are {len(cast.characters)}"
        else:
            why = misfits(scenario, cast.characters, sorted(cast.kinds))[0].reason
        return f"scenario {scenario.id!r} does not fit them: {why}"

    def _unready(self, scenario: Scenario, wanting: Sequence[str], before: int) -> str:
        """Why a hard scenario cannot end the chain; empty where it can."""
        if wanting:
            needs = f"scenario {scenario.id!r} needs what comes up in {wanting[0]!r}"
            return f"{needs}, which they do not play before it"
        if before > self.chains.episodes:
            room = f"{self.chains.episodes} episodes have no room for what"
            return f"{room} {scenario.id!r} needs before it"
        return ""

    def _known(self, field: str, ids: Sequence[str]) -> tuple[Scenario, ...]:
        for id_ in ids:
            if id_ not in self.by_id:
                why = f"catalog {self.catalog!r} has no scenario {id_!r}{nearest(id_, self.by_id)}"
                raise BadFile(self.path, f"chains.{field}", why)
        return tuple(self.by_id[id_] for id_ in ids)

    def _pool(self, catalog: Catalog) -> tuple[Scenario, ...]:
        tags = set(self.chains.tags)
        taught = {fact.taught_by for scenario in self.hard for fact in scenario.needs}
        found = tuple(
            scenario
            for scenario in catalog.scenarios
            if scenario.id in taught or (tags <= set(scenario.tags) and not scenario.needs)
        )
        if not found:
            have = ", ".join(sorted({tag for one in catalog.scenarios for tag in one.tags}))
            why = f"no scenario of catalog {catalog.name!r} fits; their tags are: {have or 'none'}"
            raise BadFile(self.path, "chains.tags", why)
        return found


def _cannot(why: str) -> Repertoire:
    return Repertoire((), frozenset(), (), why)
