"""What trees hold, counted (SocialEval, Table 1 and Figure 2)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from actors.worldtree.catalog_items import Sample
from actors.worldtree.setup import LANGUAGES
from actors.worldtree.trees.abilities import ASPECTS
from actors.worldtree.trees.chance_level import reachable
from actors.worldtree.trees.tree import ACHIEVED, Entrance, Line, Tree
from evaluators.worldtree.statistics.goal_scores import scopes
from evaluators.worldtree.values.tree_values import AbilityCount, TreeFigures

MOST_WAYS: Final = 10**15
"""Of a tree whose paths meet; where there are more, as many are counted. Their number doubles with
each node, and soon is no float."""


class Counts(NamedTuple):
    """Of one tree; ``TreeFigures`` says what each is."""

    characters: int
    plot_lines: int
    episodes: int
    candidates: float
    successes: int
    interactions: int


def tree_figures(trees: Mapping[str, Tree], samples: Iterable[Sample]) -> tuple[TreeFigures, ...]:
    """Table 1: by language, then orientations, groups and all."""
    counts = {id_: counts_of(tree) for id_, tree in trees.items()}
    asked = Counter(sample.tree for sample in samples)
    return tuple(
        TreeFigures(
            language=language,
            scope=scope,
            trees=len(ids),
            characters=fmean(counts[id_].characters for id_ in ids),
            plot_lines=fmean(counts[id_].plot_lines for id_ in ids),
            episodes=fmean(counts[id_].episodes for id_ in ids),
            candidates=fmean(counts[id_].candidates for id_ in ids),
            successes=fmean(counts[id_].successes for id_ in ids),
            interactions=fmean(counts[id_].interactions for id_ in ids),
            samples=sum(asked[id_] for id_ in ids),
        )
        for language, scope, ids in scopes(trees, trees)
    )


def counts_of(tree: Tree) -> Counts:
    """What one tree holds, of the nodes that can be reached."""
    nodes = list(reachable(tree))
    ways: dict[int, int] = {}
    longest: dict[int, int] = {}
    for node in nodes:  # each after those it leads to
        ahead = [edge.to for edge in node.edges] if node.kind != "ending" else []
        ways[node.id] = min(MOST_WAYS, sum(ways[to] for to in ahead)) if ahead else 1
        longest[node.id] = 1 + max((longest[to] for to in ahead), default=0)
    beats = [beat for node in nodes for beat in node.dialogue]
    cast = {tree.protagonist.name, *(one.name for one in tree.cast)}
    cast |= {beat.profile.name for beat in beats if isinstance(beat, Entrance)}
    choices = [len(node.edges) for node in nodes if node.edges and node.kind != "ending"]
    return Counts(
        characters=len(cast),
        plot_lines=ways[0],
        episodes=longest[0],
        candidates=fmean(choices) if choices else 0.0,
        successes=sum(node.kind == "ending" and node.goal == ACHIEVED for node in nodes),
        interactions=sum(isinstance(beat, Line) for beat in beats) + sum(choices),
    )


def ability_counts(samples: Sequence[Sample]) -> tuple[AbilityCount, ...]:
    """Figure 2: by language and aspect, in their order; those that nobody asks about among them."""
    labels = Counter((one.language, ability) for one in samples for ability in one.abilities)
    languages = {one.language for one in samples}
    return tuple(
        AbilityCount(
            language=language, aspect=aspect, ability=ability, labels=labels[language, ability]
        )
        for language in LANGUAGES
        if language in languages
        for aspect, abilities in ASPECTS.items()
        for ability in abilities
    )
