"""Tasks of accepted scenarios: five pairs each, drawn as for the published catalog."""

from collections.abc import Collection

from actors.social.catalog.sampling import PAIRS, sample_tasks
from actors.social.catalog_items import Catalog
from events.base import replace


def with_tasks(catalog: Catalog, accepted: Collection[str]) -> tuple[Catalog, tuple[str, ...]]:
    """The catalog with five sampled tasks for each accepted scenario; which have fewer, a sentence
    each."""
    new = tuple(one for one in catalog.scenarios if one.id in accepted)
    sample = sample_tasks(replace(catalog, scenarios=new), seed=0, pairs=PAIRS)
    before = [task for task in catalog.tasks if task.scenario not in accepted]
    return (
        replace(catalog, tasks=(*before, *sample.tasks)),
        tuple(map(str, sample.shortfalls)),
    )
