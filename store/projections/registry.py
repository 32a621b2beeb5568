"""All projections, by name."""

from collections.abc import Sequence

from store.id_lookup import UnknownId
from store.projections.calls import CALLS
from store.projections.catalog import CATALOG
from store.projections.chains import CHAINS
from store.projections.episodes import EPISODES
from store.projections.projection import Mapping, Projection
from store.projections.runs import RUNS
from store.projections.scores import SCORES
from store.projections.seats import SEATS

PROJECTIONS: dict[str, Projection] = {
    projection.name: projection
    for projection in (CATALOG, RUNS, EPISODES, CHAINS, SCORES, CALLS, SEATS)
}


def named(names: Sequence[str]) -> list[Projection]:
    """The projections of these names; all, when none are given. Raises ``UnknownId``."""
    for name in names:
        if name not in PROJECTIONS:
            raise UnknownId("projection", name, list(PROJECTIONS))
    return [one for one in PROJECTIONS.values() if not names or one.name in names]


def by_tag(projections: Sequence[Projection]) -> dict[str, tuple[Mapping, ...]]:
    """For each tag, what maps its events to changes."""
    found: dict[str, tuple[Mapping, ...]] = {}
    for projection in projections:
        for tag in projection.tags:
            found[tag] = (*found.get(tag, ()), projection.changes)
    return found
