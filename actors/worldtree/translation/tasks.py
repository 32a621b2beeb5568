"""Translations as tasks: one for each tree and each draft of one."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, MissingItem, TaskEntry
from actors.episodes.port.tasks import Tasks
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.setup import Settings
from actors.worldtree.translation import sight
from actors.worldtree.translation.draft import Draft
from actors.worldtree.translation.script import OTHER
from actors.worldtree.translation.setup import Translation
from actors.worldtree.trees.tree import Tree
from events.base import replace
from events.ids import digest_of
from events.serialization.codec import encode

TAG: Final = "translation"
"""Of its tasks; a plan has to name it."""


class TranslationTasks(Tasks[Catalog, Settings]):
    """A tree into the other language, from the beginning or with what a draft keeps."""

    def entries(self, catalog: Catalog) -> Sequence[TaskEntry]:
        """Trees, then drafts."""
        trees = {tree.id: tree for tree in reversed(catalog.trees)}
        of = [(tree.id, tree) for tree in catalog.trees]
        of += [(one.id, trees[one.tree]) for one in catalog.drafts if one.tree in trees]
        return [TaskEntry(f"{TAG}.{id_}", 1, _tags(tree), TAG, tree.id) for id_, tree in of]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """With the names, passages and refusals of a draft. Raises ``MissingItem``."""
        of = task.removeprefix(f"{TAG}.")
        draft = next((one for one in catalog.drafts if one.id == of), None)
        named = draft.tree if draft else of
        tree = next((tree for tree in catalog.trees if tree.id == named), None)
        if tree is None:
            raise MissingItem(catalog.name, "tree", named)
        to = OTHER[tree.language]
        return Beginning(
            setup=translation(tree, replace(settings, seed=seed), draft),
            scenario=tree.id,
            title=f"{tree.title or tree.id}, into {sight.LANGUAGES[to]}",
            characters=("translator",),
            tags=_tags(tree),
        )


def translation(tree: Tree, settings: Settings, draft: Draft | None = None) -> Translation:
    """What a translation into the other language begins with."""
    return Translation(
        tree=tree,
        digest=digest_of(encode(tree)),
        to=OTHER[tree.language],
        names=draft.names if draft else (),
        kept=draft.kept if draft else (),
        refused=draft.refused if draft else (),
        settings=settings,
    )


def _tags(tree: Tree) -> tuple[str, ...]:
    return (TAG, tree.language, tree.orientation.lower())


TASKS: Final = TranslationTasks()
