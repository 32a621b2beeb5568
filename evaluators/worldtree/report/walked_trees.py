"""Each tree with the ways that were walked through it."""

from collections import Counter, defaultdict
from typing import Final, get_args

import msgspec
from markupsafe import Markup

from actors.worldtree.setup import Outcome
from actors.worldtree.trees.orientations import ORIENTATIONS
from actors.worldtree.trees.tree import Tree
from evaluators.worldtree.report.edge_counts import flow_of
from evaluators.worldtree.report.tree_svg import described, drawn, title_of
from evaluators.worldtree.tables.labels import LANGUAGE_NAMES, REHEARSAL
from evaluators.worldtree.values.results import Results, Walked, Who

OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
_PEOPLE: Final = "people"


class Walker(msgspec.Struct, frozen=True):
    """Somebody's walks through one tree."""

    who: Who
    chip: str
    counts: tuple[int, ...]
    """In the order of ``OUTCOMES``."""
    episodes: tuple[tuple[str, Outcome], ...]
    """What was played here: ids, and what came of each."""


class WalkedTree(msgspec.Struct, frozen=True):
    id: str
    title: str
    about: str
    svg: Markup
    language: str
    walks: int
    walkers: tuple[Walker, ...]


def walked_trees(results: Results) -> list[WalkedTree]:
    """All trees, in the order of tables: by language and orientation."""
    by_tree = defaultdict[str, list[Walked]](list)
    for walk in results.walks:
        by_tree[walk.tree].append(walk)
    places = {one.name: place for place, one in enumerate(ORIENTATIONS)}
    order = sorted(
        results.trees.values(),
        key=lambda tree: (
            list(LANGUAGE_NAMES).index(tree.language),
            places.get(tree.orientation, len(places)),
            tree.id,
        ),
    )
    return [_walked(tree, by_tree[tree.id], results, place) for place, tree in enumerate(order)]


def _walked(tree: Tree, walks: list[Walked], results: Results, place: int) -> WalkedTree:
    flow = flow_of(walk.path for walk in walks) if walks else None
    by_who = defaultdict[Who, list[Walked]](list)
    people = set(results.people)
    for walk in walks:
        by_who[_PEOPLE if walk.who in people else walk.who].append(walk)
    order = (_PEOPLE, *results.minds)
    return WalkedTree(
        tree.id,
        title_of(tree),
        f"{tree.orientation} · {LANGUAGE_NAMES[tree.language]} · {described(tree, flow)}",
        drawn(tree, flow, name=f"walked{place}"),
        tree.language,
        len(walks),
        tuple(
            Walker(
                who,
                REHEARSAL if who in results.rehearsal else "",
                _counts(by_who[who]),
                tuple((one.episode, one.outcome) for one in by_who[who] if one.episode),
            )
            for who in dict.fromkeys(order)
            if who in by_who
        ),
    )


def _counts(walks: list[Walked]) -> tuple[int, ...]:
    found = Counter(walk.outcome for walk in walks)
    return tuple(found[outcome] for outcome in OUTCOMES)
