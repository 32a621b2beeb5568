"""What gives the right option away without reading it: lengths, places, polarity; and which
abilities are asked about how often."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final

from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.chance_level import can_succeed, chance, end_of, reachable
from actors.worldtree.trees.tree import ACHIEVED, Edge, Node, Tree
from events.base import Value

OPTIONS: Final = 4
"""Of a question."""


def _longest(node: Node) -> int:
    return max(range(len(node.edges)), key=lambda place: len(node.edges[place].line.text))


def _kindest(node: Node) -> int:
    return max(range(len(node.edges)), key=lambda place: _polarity(node.edges[place]) or 0)


STRATEGIES: Final[dict[str, Callable[[Node], int]]] = {
    "first option": lambda _: 0,
    "last option": lambda node: len(node.edges) - 1,
    "longest option": _longest,
    "most positive option": _kindest,
}
"""Walks that understand nothing, by what they always take; the first of several."""


class Balance(Value, frozen=True, kw_only=True):
    """Of some trees together."""

    questions: int
    """That can be asked."""
    of: int
    """Options that should have one."""
    abilities: dict[str, int]
    """By ability the questions that ask about it; all 32."""
    longest: float
    """The share of questions whose right option is the longest; where k are equally long, 1/k."""
    shortest: float
    """The same of the shortest."""
    right_length: float
    """Characters of right options, on average."""
    wrong_length: float
    """Characters of distractors, on average."""
    polarity: dict[str, int]
    """Options by the polarity of what they do: ``1``, ``0``, ``-1`` or ``unknown``."""
    on_way: dict[str, int]
    """The same, of those after which success can still be reached."""
    chance: float
    """Mean over trees of the probability that chance succeeds; 0 where there is no tree."""
    ceiling: int
    """Trees with a success that can be reached."""
    always: dict[str, int]
    """By strategy (``STRATEGIES``), the trees in which it succeeds."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Abilities that no question asks about."""
        return tuple(ability for ability, count in self.abilities.items() if not count)

    @property
    def off(self) -> float:
        """How far ``longest`` may be from a quarter by chance: two standard errors; a share."""
        quarter = 1 / OPTIONS
        return 2 * sqrt(quarter * (1 - quarter) / self.questions) if self.questions else 1.0


def balance(trees: Sequence[Tree]) -> Balance:
    """How balanced some trees are."""
    abilities = dict.fromkeys(ABILITIES, 0)
    polarity: Counter[str] = Counter()
    on_way: Counter[str] = Counter()
    longest = shortest = 0.0
    asked = of = right = wrong = 0
    for tree in trees:
        open_ = _still_open(tree)
        for node in tree.nodes:
            for edge in node.edges:
                name = _name(_polarity(edge))
                polarity[name] += 1
                on_way[name] += edge.to in open_
                of += edge.kind == "skill"
                if not askable(edge) or edge.question is None:
                    continue
                asked += 1
                for ability in edge.abilities:
                    abilities[ability] += 1
                own = len(edge.line.text)
                others = [len(line.text) for line in edge.question.distractors]
                right, wrong = right + own, wrong + sum(others)
                longest += _share(own, max(others) <= own, others)
                shortest += _share(own, min(others) >= own, others)
    names = ("1", "0", "-1", "unknown")
    return Balance(
        questions=asked,
        of=of,
        abilities=abilities,
        longest=longest / asked if asked else 0.0,
        shortest=shortest / asked if asked else 0.0,
        right_length=right / asked if asked else 0.0,
        wrong_length=wrong / (asked * (OPTIONS - 1)) if asked else 0.0,
        polarity={name: polarity[name] for name in names},
        on_way={name: on_way[name] for name in names},
        chance=sum(chance(tree).achieved for tree in trees) / len(trees) if trees else 0.0,
        ceiling=sum(map(can_succeed, trees)),
        always={
            name: sum(end_of(tree, choose).goal == ACHIEVED for tree in trees)
            for name, choose in STRATEGIES.items()
        },
    )


def _still_open(tree: Tree) -> set[int]:
    """The nodes from which success can be reached."""
    found: set[int] = set()
    for node in reachable(tree):
        if node.goal == ACHIEVED or any(edge.to in found for edge in node.edges):
            found.add(node.id)
    return found


def _share(own: int, is_it: bool, others: Sequence[int]) -> float:
    return 1 / (1 + others.count(own)) if is_it else 0.0


def _polarity(edge: Edge) -> int | None:
    return edge.state.polarity if edge.state else None


def _name(polarity: int | None) -> str:
    return "unknown" if polarity is None else str(polarity)
