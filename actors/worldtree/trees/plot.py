"""A tree as the rules walk it: its nodes by their ids, and what is chosen from at each."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Final

from actors.episodes.port.rules import Ask
from actors.worldtree.setup import Choose, Outcome
from actors.worldtree.trees.tree import (
    ACHIEVED,
    NOT,
    PARTLY,
    Line,
    Node,
    Tree,
    said_by,
    says_something,
)
from events.episode import Asked
from events.serialization.identity_key import IdentityKey

ROOT: Final = 0
"""The root's id."""
OUTCOMES: Final[Mapping[int | None, Outcome]] = {
    ACHIEVED: "achieved",
    PARTLY: "partly",
    NOT: "not",
}


def outcome_of(node: Node) -> Outcome:
    """What came of a walk that ends at a node."""
    return OUTCOMES.get(node.goal, "unscored") if node.kind == "ending" else "unscored"


class PlotChoice:
    __slots__ = ("as_filed", "count", "key", "lines", "told")

    def __init__(self, key: str, lines: tuple[Line, ...], told: str = "") -> None:
        self.key = key
        """What it is, in the hash that decides the orders."""
        self.lines, self.count = lines, len(lines)
        """As filed."""
        self.told = told
        """The question about an ability; empty: it is a step of a walk."""
        question = Choose(options=lines, told=told)
        self.as_filed = Ask(asked=(Asked(seat=0, question=question),))
        """Asked once, in that order."""


class PlotPlace:
    """A node: what is chosen from, and where that leads; or the end of walks."""

    __slots__ = ("choice", "dialogue", "ending", "outcome", "shown", "targets")

    def __init__(self, node: Node, key: str, protagonist: str) -> None:
        self.dialogue = node.dialogue
        self.shown = tuple([beat for beat in node.dialogue if says_something(beat)])
        """What of it anybody notices."""
        edges = node.edges if node.kind != "ending" else ()
        self.targets = tuple([edge.to for edge in edges])
        """Where walks go on; an ending's edges lead nowhere."""
        self.choice = PlotChoice(key, said_by(protagonist, [edge.line for edge in edges]))
        self.ending = "ended" if node.kind == "ending" else "dead_end"
        self.outcome = outcome_of(node)
        """Of walks that end here."""


class Plot:
    """A tree, by its nodes' ids. Two of the same digest are equal."""

    def __init__(self, tree: Tree, digest: str) -> None:
        self.tree, self.digest = tree, digest
        who = tree.protagonist.name
        self.places = {
            node.id: PlotPlace(node, f"{digest}:{node.id}", who) for node in reversed(tree.nodes)
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plot) and other.digest == self.digest

    def __str__(self) -> str:
        return self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def longest(self) -> int:
        """Steps from the root on the longest path."""
        steps: dict[int, int] = {}
        for at in self._backwards():
            known = [steps[one] + 1 for one in self.places[at].targets if one in steps]
            steps[at] = max(known, default=0)
        return steps.get(ROOT, 0)

    @cached_property
    def wordiest(self) -> tuple[str, ...]:
        """All that is told on the path with the most characters."""
        told: dict[int, tuple[int, tuple[str, int] | None]] = {}
        """By node the characters from there on, and the line and the node that go on to most of
        them."""
        for at in self._backwards():
            place = self.places[at]
            edges = zip([line.text for line in place.choice.lines], place.targets, strict=True)
            ahead = [(told[to][0] + len(text), (text, to)) for text, to in edges if to in told]
            most, following = max(ahead, key=lambda one: one[0], default=(0, None))
            told[at] = (most + sum(map(len, _texts(place))), following)
        texts = list[str]()
        at = ROOT
        while at in told:
            texts += _texts(self.places[at])
            step = told[at][1]
            if step is None:
                break
            texts.append(step[0])
            at = step[1]
        return tuple(texts)

    def _backwards(self) -> list[int]:
        """The nodes that walks come to, each after those it leads to, as far as there is no cycle.
        What leads nowhere is passed over."""
        found, seen, pending = list[int](), set[int](), list[tuple[int, Iterator[int]]]()
        ahead: int | None = ROOT if ROOT in self.places else None
        while ahead is not None or pending:
            if ahead is not None:
                seen.add(ahead)
                pending.append((ahead, iter(self.places[ahead].targets)))
            else:
                found.append(pending.pop()[0])
            rest = pending[-1][1] if pending else iter(())
            ahead = next((one for one in rest if one in self.places and one not in seen), None)
        return found


def _texts(place: PlotPlace) -> list[str]:
    return [
        beat.text if isinstance(beat, Line) else f"{beat.profile.name} {beat.profile.public}"
        for beat in place.dialogue
    ]


def plot_of(tree: Tree, digest: str) -> Plot:
    """A tree's; walks through the same tree share it."""
    return _plot(IdentityKey(tree), digest)


@lru_cache(maxsize=256)
def _plot(same: IdentityKey[Tree], digest: str) -> Plot:
    return Plot(same.value, digest)
