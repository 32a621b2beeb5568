"""The ratios of free lines (SocialEval, Table 4): how often a mind writes what its tree offers, and
how often it then chooses what it wrote.

Similarity ratio: of the items, those of which the majority of annotators say that some candidate
means the same. Selection ratio: over these, as far as the mind's own walks came by the node, the
share of its walks that took such a candidate there. Agreement: Fleiss' kappa on whether any
candidate means the same, over items that equally many have marked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from actors.worldtree.setup import LANGUAGES
from actors.worldtree.trees.tree import Language
from evaluators.worldtree.lines.annotations import Mark
from evaluators.worldtree.lines.items import Item
from evaluators.worldtree.statistics.fleiss import fleiss_kappa
from evaluators.worldtree.values.results import Results, Who
from events.base import Value

ALL: Final = ""
"""Stands for all minds together."""

Steps = Mapping[tuple[Who, str, int], Sequence[str]]
"""By mind, tree and node the lines that the mind's walks chose there, one a walk."""


class Ratios(Value, frozen=True, kw_only=True):
    """One mind in one language."""

    who: Who
    """``ALL``: all minds together."""
    language: Language
    items: int
    """Lines that were written."""
    marked: int
    """Of them, those that anybody has marked: the denominator of ``similarity``."""
    similar: int
    """Of these, those of which the majority finds any candidate that means the same."""
    passed: int
    """Of these, those whose node the mind's own walks came by: the denominator of ``selection``."""
    selected: float
    """Of these, the shares of the walks that took such a candidate, summed up: where a tree was
    walked once, how many did."""
    similarity: float | None
    """``similar / marked``; None: nothing is marked."""
    selection: float | None
    """``selected / passed``; None: the mind's walks came by none of the nodes."""
    kappa: float | None
    """Fleiss' kappa; None: fewer than two annotators, or all say the same of everything."""
    raters: int
    """Annotators an item, of those that kappa is over."""
    rated: int
    """Items that kappa is over."""


class Between(Value, frozen=True, kw_only=True):
    """A judge beside people, in one language: both are annotators, people by their majority."""

    language: Language
    items: int
    """Marked by both."""
    agreed: int
    """Of them, those of which both say alike whether any candidate means the same."""
    alike: int
    """Of them, those of which both mark the very same candidates."""
    kappa: float | None


def ratios(
    items: Sequence[Item],
    marks: Iterable[Mark],
    took: Steps,
) -> list[Ratios]:
    """A row for each mind and language, in the order of the items; last all minds together, where
    there are several. ``took``: what their walks chose (``steps_of``)."""
    by_item = _by_item(marks)
    minds = list(dict.fromkeys(item.who for item in items))
    found = []
    for who in [*minds, *([ALL] if len(minds) > 1 else [])]:
        for language in LANGUAGES:
            own = [one for one in items if one.language == language and who in (one.who, ALL)]
            if own:
                found.append(_ratios(who, language, own, by_item, took))
    return found


def between(items: Sequence[Item], people: Iterable[Mark], judge: Iterable[Mark]) -> list[Between]:
    """How a judge and people agree, by language."""
    theirs, its = _by_item(people), _by_item(judge)
    found = []
    for language in LANGUAGES:
        ids = [one.id for one in items if one.language == language]
        both = [id_ for id_ in ids if id_ in theirs and id_ in its]
        pairs = [(_meant(theirs[id_]), _meant(its[id_])) for id_ in both]
        if pairs:
            found.append(
                Between(
                    language=language,
                    items=len(pairs),
                    agreed=sum(bool(a) == bool(b) for a, b in pairs),
                    alike=sum(a == b for a, b in pairs),
                    kappa=fleiss_kappa([_counts([bool(a), bool(b)]) for a, b in pairs]).value,
                )
            )
    return found


def is_similar(marks: Sequence[Mark]) -> bool:
    """Whether more than half of those who marked an item find any candidate that means the same."""
    return 2 * sum(bool(mark.same) for mark in marks) > len(marks)


def chosen(marks: Sequence[Mark]) -> frozenset[int]:
    """The candidates of a similar item that mean the same: those that more than half marked; where
    there is none, for they found different ones, those that most marked."""
    counts = Counter(place for mark in marks for place in mark.same)
    most = max(counts.values(), default=0)
    least = min(most, len(marks) // 2 + 1)
    return frozenset(place for place, count in counts.items() if count >= least)


def _share(lines: Sequence[str], item: Item, marks: Sequence[Mark]) -> float:
    """Of the lines that walks chose, the share that is among those that mean the same."""
    same = {item.candidates[place] for place in chosen(marks)}
    return sum(line in same for line in lines) / len(lines)


def _meant(marks: Sequence[Mark]) -> frozenset[int]:
    return chosen(marks) if is_similar(marks) else frozenset()


def _ratios(
    who: Who,
    language: Language,
    items: Sequence[Item],
    by_item: Mapping[str, Sequence[Mark]],
    took: Steps,
) -> Ratios:
    marked = [item for item in items if item.id in by_item]
    similar = [item for item in marked if is_similar(by_item[item.id])]
    shares = [
        _share(lines, item, by_item[item.id])
        for item in similar
        if (lines := took.get((item.who, item.tree, item.node)))
    ]
    raters, counts = _rated([by_item[item.id] for item in marked])
    return Ratios(
        who=who,
        language=language,
        items=len(items),
        marked=len(marked),
        similar=len(similar),
        passed=len(shares),
        selected=sum(shares),
        similarity=len(similar) / len(marked) if marked else None,
        selection=sum(shares) / len(shares) if shares else None,
        kappa=fleiss_kappa(counts).value,
        raters=raters,
        rated=len(counts) if raters > 1 else 0,
    )


def _rated(marked: Sequence[Sequence[Mark]]) -> tuple[int, list[tuple[int, int]]]:
    """The number of raters that most items have, and these items' counts: kappa takes as many
    raters for each."""
    raters = Counter(map(len, marked)).most_common()
    usual = max(raters, key=lambda pair: (pair[1], pair[0]))[0] if raters else 0
    return usual, [
        _counts([bool(mark.same) for mark in marks]) for marks in marked if len(marks) == usual
    ]


def _counts(said: Sequence[bool]) -> tuple[int, int]:
    return len(said) - sum(said), sum(said)


def _by_item(marks: Iterable[Mark]) -> dict[str, list[Mark]]:
    found: dict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        found[mark.item].append(mark)
    return found


def steps_of(runs: Iterable[Results]) -> Steps:
    """The lines that the walks of some runs chose. Where two edges lead to one node, it is not
    known which was taken: neither counts."""
    found: dict[tuple[Who, str, int], list[str]] = defaultdict(list)
    for results in runs:
        edges = {
            id_: {node.id: node.edges for node in tree.nodes} for id_, tree in results.trees.items()
        }
        for walk in results.walks:
            for at, to in pairwise(walk.path):
                leading = [edge for edge in edges.get(walk.tree, {}).get(at, ()) if edge.to == to]
                if len(leading) == 1:
                    found[walk.who, walk.tree, at].append(leading[0].line.text)
    return found
