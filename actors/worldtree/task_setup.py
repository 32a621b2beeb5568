"""How an episode of a task begins."""

from typing import Final

from actors.episodes.catalogs.entries import Beginning, MissingItem
from actors.episodes.port.tasks import Tasks
from actors.worldtree import tasks
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.setup import Inquiry, Settings, Walk
from actors.worldtree.trees.tree import Edge, Node, Tree
from events.base import replace
from events.ids import digest_of
from events.serialization.codec import encode
from events.serialization.identity_key import cached_by_identity


def walk(tree: Tree, settings: Settings) -> Walk:
    """The setup of a walk through a tree."""
    bare, digest = _walked(tree)
    return Walk(tree=bare, digest=digest, settings=settings)


@cached_by_identity(maxsize=512)
def _walked(tree: Tree) -> tuple[Tree, str]:
    """A tree without what only inquiries and tables need, and the fingerprint of the whole."""
    bare = replace(tree, source="", pair="", nodes=tuple(map(_node, tree.nodes)))
    return bare, digest_of(encode(tree))


def _node(node: Node) -> Node:
    return Node(
        id=node.id,
        kind=node.kind,
        dialogue=node.dialogue,
        edges=tuple([Edge(to=edge.to, line=edge.line) for edge in node.edges]),
        goal=node.goal,
    )


class ChoiceTasks(Tasks[Catalog, Settings]):
    """Walks and inquiries."""

    entries = staticmethod(tasks.entries)

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """A walk or an inquiry. Raises ``MissingItem``."""
        settings = replace(settings, seed=seed)
        tree = tasks.walk_of(catalog, task)
        if tree is not None:
            return Beginning(
                walk(tree, settings), tree.id, tree.title or tree.id, (tree.protagonist.name,)
            )
        if not task.startswith(tasks.ASK):
            raise MissingItem(catalog.name, "task", task)
        sample = tasks.sample_named(catalog, task.removeprefix(tasks.ASK))
        asked = Inquiry(sample=sample, settings=settings)
        return Beginning(asked, sample.id, sample.id, (sample.protagonist.name,))


TASKS: Final = ChoiceTasks()
