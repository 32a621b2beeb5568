"""What a plan can choose from: a walk for each tree, and an inquiry for each line that can be asked
about. Tasks follow from the catalog; none is written down."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from actors.episodes.catalogs.entries import MissingItem, TaskEntry
from actors.worldtree.catalog_items import Catalog, Sample
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.orientations import BY_NAME
from actors.worldtree.trees.plot import ROOT
from actors.worldtree.trees.tree import Beat, Node, Tree, said_by
from events.serialization.identity_key import cached_by_identity

WALK: Final = "walk."
ASK: Final = "ask."


def entries(catalog: Catalog) -> Sequence[TaskEntry]:
    """Walks, then inquiries, in the catalog's order."""
    found = [
        TaskEntry(
            id=f"{WALK}{tree.id}",
            seats=1,
            tags=("walk", *story_tags(tree.language, tree.orientation)),
            scenario=tree.id,
        )
        for tree in catalog.trees
    ]
    found += [
        TaskEntry(f"{ASK}{sample.id}", 1, ability_tags(sample), scenario=sample.id)
        for sample in samples_of(catalog)
    ]
    return found


def walk_of(catalog: Catalog, task: str) -> Tree | None:
    """The tree that a task walks; None: it is no walk. Raises ``MissingItem``."""
    if not task.startswith(WALK):
        return None
    name = task.removeprefix(WALK)
    for tree in catalog.trees:
        if tree.id == name:
            return tree
    raise MissingItem(catalog.name, "tree", name)


def sample_named(catalog: Catalog, id_: str) -> Sample:
    """A sample by its id. Raises ``MissingItem``."""
    try:
        return _by_id(catalog)[id_]
    except KeyError:
        raise MissingItem(catalog.name, "sample", id_) from None


def samples_of(catalog: Catalog) -> Sequence[Sample]:
    """Those of all lines of its trees that can be asked about, then those without a tree."""
    return list(_by_id(catalog).values())


def samples_in(tree: Tree) -> Sequence[Sample]:
    """Those of the lines that can be asked about, in the file's order. Nodes that no path leads to
    are left out, for nothing leads up to their questions."""
    reached = ways(tree)
    return [
        _sample(tree, node, place, reached[node.id])
        for node in tree.nodes
        if node.id in reached and node.kind != "ending"
        for place, edge in enumerate(node.edges)
        if askable(edge)
    ]


def ability_tags(sample: Sample) -> tuple[str, ...]:
    """The tags of an inquiry."""
    slugs = (ability.lower().replace(" ", "-") for ability in sample.abilities)
    return ("ability", *story_tags(sample.language, sample.orientation), *slugs)


def story_tags(language: str, orientation: str) -> tuple[str, ...]:
    """The tags of all that is played of a tree."""
    known = BY_NAME.get(orientation)
    return (language, orientation.lower(), known.group) if known else (language,)


def _sample(tree: Tree, node: Node, place: int, before: tuple[Beat, ...]) -> Sample:
    edge = node.edges[place]
    assert edge.question is not None, "it can be asked about"
    return Sample(
        id=f"{tree.id}.{node.id}.{place}",
        language=tree.language,
        orientation=tree.orientation,
        protagonist=tree.protagonist,
        cast=tree.cast,
        scenario=tree.scenario,
        before=before,
        question=edge.question.text,
        right=edge.line,
        distractors=edge.question.distractors,
        abilities=edge.abilities,
        tree=tree.id,
        node=node.id,
        edge=place,
    )


def ways(tree: Tree) -> Mapping[int, tuple[Beat, ...]]:
    """By id the nodes that a path leads to, each with all that happens up to its end: on the
    shortest path, of several the first as filed."""
    nodes = {node.id: node for node in reversed(tree.nodes)}
    found: dict[int, tuple[Beat, ...]] = {}
    if ROOT not in nodes:
        return found
    found[ROOT] = nodes[ROOT].dialogue
    pending = deque([ROOT])
    while pending:
        at = pending.popleft()
        for edge in nodes[at].edges if nodes[at].kind != "ending" else ():
            if edge.to in nodes and edge.to not in found:
                (said,) = said_by(tree.protagonist.name, (edge.line,))
                found[edge.to] = (*found[at], said, *nodes[edge.to].dialogue)
                pending.append(edge.to)
    return found


def told_before(tree: Tree) -> int:
    """Of how many lines and entrances the stories up to its nodes are made, together. Of a tree
    without cycles."""
    nodes = {node.id: node for node in reversed(tree.nodes)}
    told = {ROOT: len(nodes[ROOT].dialogue)}
    pending = deque([ROOT])
    while pending:
        at = pending.popleft()
        for edge in nodes[at].edges if nodes[at].kind != "ending" else ():
            if edge.to not in told:
                told[edge.to] = told[at] + 1 + len(nodes[edge.to].dialogue)
                pending.append(edge.to)
    return sum(told.values())


@cached_by_identity(maxsize=16)
def _by_id(catalog: Catalog) -> Mapping[str, Sample]:
    found: dict[str, Sample] = {}
    for tree in catalog.trees:
        for sample in samples_in(tree):
            found.setdefault(sample.id, sample)
    for sample in catalog.samples:
        found.setdefault(sample.id, sample)
    return found
