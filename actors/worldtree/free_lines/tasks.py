"""Free lines as tasks: one at each node that offers a choice."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, MissingItem, TaskEntry
from actors.episodes.port.tasks import Tasks
from actors.worldtree import sight
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.free_lines import places
from actors.worldtree.free_lines.setup import Writing
from actors.worldtree.setup import Settings
from actors.worldtree.tasks import story_tags
from events.base import replace

TAG: Final = "line"
"""Of the tasks that are drawn; a plan has to name it."""
EVERY: Final = "every-line"
"""Of the tasks at all the other nodes; a plan has to name it."""


class LineTasks(Tasks[Catalog, Settings]):
    """A line at a node of a tree."""

    def entries(self, catalog: Catalog) -> Sequence[TaskEntry]:
        """Tree by tree, node by node."""
        chosen = places.drawn(catalog.trees)
        return [
            TaskEntry(
                id=f"{TAG}.{tree.id}.{place.node.id}",
                seats=1,
                tags=(which, *story_tags(tree.language, tree.orientation)),
                only_by=which,
                scenario=tree.id,
            )
            for tree in catalog.trees
            for place in places.places(tree)
            for which in [TAG if (tree.id, place.node.id) in chosen else EVERY]
        ]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """All that leads to the node. Raises ``MissingItem``."""
        of, _, node = task.removeprefix(f"{TAG}.").rpartition(".")
        tree = next((tree for tree in catalog.trees if tree.id == of), None)
        place = places.place_of(tree, int(node)) if tree and node.isdecimal() else None
        if tree is None or place is None:
            raise MissingItem(catalog.name, "task", task)
        return Beginning(
            setup=writing(place, replace(settings, seed=seed)),
            scenario=tree.id,
            title=f"{tree.title or tree.id}, a line at node {node}",
            characters=(tree.protagonist.name,),
            tags=(TAG, *story_tags(tree.language, tree.orientation)),
        )


def writing(place: places.LinePlace, settings: Settings) -> Writing:
    """What an episode at a place begins with."""
    tree = place.tree
    candidates = tuple(edge.line for edge in place.node.edges)
    return Writing(
        tree=tree.id,
        node=place.node.id,
        language=tree.language,
        orientation=tree.orientation,
        protagonist=sight.own(tree.protagonist),
        cast=tuple(map(sight.known, tree.cast)),
        scenario=tree.scenario,
        before=sight.known_beats(place.before),
        candidates=candidates,
        length=places.mean_length(candidates, tree.language),
        settings=settings,
    )


TASKS: Final = LineTasks()
