"""Sessions at a table for benchmarks: those of the catalog that comes with Troupe."""

from actors.tabletop.catalog.starter import starter_catalog
from actors.tabletop.catalog_items import NAME
from actors.tabletop.setup import Settings
from actors.tabletop.tasks import TASKS
from events.episode import EpisodeStarted
from events.minds import MindSpec

PLAIN = MindSpec(name="plain", kind="rehearsal", temper="plain")


def sessions(count: int, turns: int, mind: MindSpec = PLAIN) -> list[EpisodeStarted]:
    """Sessions of the kind intention, at most 600 different ones, with one mind in all five
    seats."""
    catalog, found = starter_catalog(), []
    for number in range(1, count + 1):
        task = f"intention-{number}"
        beginning = TASKS.begin(catalog, task, Settings(turns=turns), 1)
        found.append(
            EpisodeStarted(
                run="",
                task=task,
                catalog=catalog.name,
                environment=NAME,
                setup=beginning.setup,
                scenario=beginning.scenario,
                title=beginning.title,
                characters=beginning.characters,
                minds=(mind,) * len(beginning.characters),
            )
        )
    return found
